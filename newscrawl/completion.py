"""Completion of the command in a shell: names of commands, their options, and files behind them.

Commands and options are read from the sources, so that a script is made without loading a command.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from newscrawl.program import NAME, command_summaries

_OPTION: Final = re.compile(r"add(?:_argument)?\(\s*(?:\"-\w\",\s*)?\"(--[a-z-]+)\"")
_COMMANDS: Final = Path(__file__).parent / "commands"
_OWN: Final = ("init", "completion", "harvest", "help")
_COMMON: Final = ("--help", "-s", "--logfile", "--loglevel", "--nolog")
_CRAWL: Final = ("-a", "-o", "-O")
"""Scrapy's options of a crawl."""

_BASH: Final = """\
_{name}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$word"))
        return
    fi
    case "$word" in
        -*) case "${{COMP_WORDS[1]}}" in
{cases}
        esac ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _{name} {name}
"""
_BASH_CASE: Final = '            {command}) COMPREPLY=($(compgen -W "{options}" -- "$word")) ;;'
_FISH: Final = "complete -c {name} -n __fish_use_subcommand -a {command} -d '{summary}' -f\n"
_FISH_OPTION: Final = "complete -c {name} -n '__fish_seen_subcommand_from {command}' -l {option}\n"


def script(shell: str) -> str:
    """Return what a shell is to source.

    :raises KeyError: for a name that is not in ``SHELLS``.
    """
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


SHELLS: Final = ("bash", "zsh", "fish")


def options_of(command: str) -> tuple[str, ...]:
    """Return the options of a command, those of Scrapy that all have among them; ``()`` for one of no module."""
    path = _COMMANDS / f"{command}.py"
    if not path.is_file():
        return ()
    sources = [path, *sorted(_COMMANDS.glob(f"{command}_*.py"))]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    found = _OPTION.findall(text)
    if "add_database_option(parser)" in text:
        found.append("--database")
    if command in ("crawl", "harvest"):
        found += _CRAWL
    return tuple(dict.fromkeys([*found, *_COMMON]))


def _bash() -> str:
    names = command_summaries()
    cases = [_BASH_CASE.format(command=name, options=" ".join(options_of(name))) for name in names]
    return _BASH.format(name=NAME, commands=" ".join(sorted([*names, *_OWN])), cases="\n".join(cases))


def _zsh() -> str:
    return f"autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    lines = []
    for name, summary in command_summaries().items():
        lines.append(_FISH.format(name=NAME, command=name, summary=summary.replace("'", "")))
        options = (option.removeprefix("--") for option in options_of(name) if option.startswith("--"))
        lines += [_FISH_OPTION.format(name=NAME, command=name, option=option) for option in options]
    lines += [_FISH.format(name=NAME, command=name, summary="") for name in _OWN]
    return "".join(lines)
