"""What the user types to run a command, ``newscrawl`` or ``scrapy``, and what completes it in a shell.

Commands and their options are read from the sources: to import all of them takes seconds.
"""

from __future__ import annotations

import atexit
import codecs
import errno
import gc
import json
import os
import re
import sys
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAME: Final = "newscrawl"
_SCRAPY: Final = "scrapy"
_PACKAGE: Final = Path(__file__).parent.parent
_FOLDERS: Final = (_PACKAGE / "commands", _PACKAGE / "serve" / "commands")
_SUMMARY: Final = re.compile(r"^    summary = \"(.+)\"$", re.MULTILINE)
_NAMED: Final = re.compile(r"\bscrapy(?= [a-z])")
_OPTION: Final = re.compile(r"add(?:_argument)?\(\s*(?:\"-\w\",\s*)?\"(--[a-z-]+)\"")
_ALIASES: Final = {"harvest": "crawl"}
_WORDS: Final = ("init", "completion", "help", *_ALIASES)
_COMMON: Final = ("--help", "-s", "--logfile", "--loglevel", "--nolog")
_INHERITED: Final = {"DatabaseCommand": "--database", "PageCommand": "--url"}
"""Class that a command is one of → option that it has from there."""
_CRAWL: Final = ("-a", "-o", "-O")
"""Scrapy's options of a crawl."""

_ESCAPED: Final = "newscrawl.escaped"
SHELLS: Final = ("bash", "zsh", "fish")
_BASH: Final = """\
_{name}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" known=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        known="{commands}"
    else
        case "${{COMP_WORDS[1]}} $word" in
            "completion "*) known="{shells}" ;;
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$known" -- "$word"))
}}
complete -o default -F _{name} {name}
"""
_BASH_CASE: Final = '            "{command} -"*) known="{options}" ;;'
_FISH: Final = "complete -c {name} -n __fish_use_subcommand -a {command} -d '{summary}' -f\n"
_FISH_SHELLS: Final = "complete -c {name} -n '__fish_seen_subcommand_from completion' -a '{shells}' -f\n"
_FISH_OPTION: Final = "complete -c {name} -n '__fish_seen_subcommand_from {command}' -l {option}\n"


def program() -> str:
    """Return the word that commands of this process begin with."""
    return NAME if Path(sys.argv[0]).stem == NAME else _SCRAPY


def as_typed(text: str, name: str | None = None) -> str:
    """Return a text with the commands that it names as they are typed here, or with another first word.

    >>> as_typed("`scrapy report` says more", "newscrawl")
    '`newscrawl report` says more'
    """
    return _NAMED.sub(name or program(), text)


def command_summaries() -> dict[str, str]:
    found = {}
    for path in sorted(_modules("*"), key=lambda path: path.stem):
        if summary := _SUMMARY.search(path.read_text(encoding="utf-8")):
            found[path.stem] = summary[1]
    return found


def is_of_laboratory(name: str) -> bool:
    """Tell whether a command is one of a checkout: it is not listed, as it is not installed."""
    return name.isidentifier() and (_PACKAGE.parent / "lab" / "commands" / f"{name}.py").is_file()


def _modules(pattern: str) -> Iterator[Path]:
    for folder in _FOLDERS:
        yield from folder.glob(f"{pattern}.py")


def print_any_text() -> None:
    """Have characters that the terminal's encoding lacks printed as escapes, which JSON reads back, and not end the
    command.
    """
    for name, mode in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:  # else the next file that is opened, a database, would be written to
            setattr(sys, name, os.fdopen(os.open(os.devnull, mode), "r" if name == "stdin" else "w"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            codecs.register_error(_ESCAPED, _escape)
            stream.reconfigure(errors=_ESCAPED)
    guard_terminal()


@contextmanager
def told_of_full_disks() -> Iterator[None]:
    """End the command with a line where nothing more can be written to standard output, as where it is closed.

    Whoever reads no more, as of ``| head``, has enough: no line is written.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in _FULL and not isinstance(error, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python tries once more as it ends
        if isinstance(error, BrokenPipeError):
            raise SystemExit(BROKEN_PIPE_STATUS) from None
        sys.stderr.write(f"{program()}: cannot write all of the answer: {error.strerror}\n")
        raise SystemExit(1) from None


BROKEN_PIPE_STATUS: Final = 141
"""Exit status of a command whose output nobody reads any more, as shells have it."""
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


def guard_terminal() -> None:
    """Have nothing that a page, a server or a database says steer the terminal; files and pipes get all as it is.

    What rich writes has controls of its own: :class:`newscrawl.console.terminal.TerminalConsole` leaves those of
    texts out.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.isatty() and "unguarded" not in vars(stream):
            guarded: Any = stream
            guarded.unguarded = _Unguarded(stream)
            guarded.write = partial(_write_plain, stream.write)


def without_controls(text: str) -> str:
    r"""Return a text without what steers a terminal, but for tab and line ends.

    >>> without_controls("\x1b[2J\x1b]0;title\x07red\x9b31m\n")
    '[2J]0;titlered31m\n'
    """
    return text if text.isascii() and text.isprintable() else _CONTROL.sub("", text)


_CONTROL: Final = re.compile(r"(?!\x1b\[K)[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but the sequence that erases what is left of a line, which progress is written over with."""


def _write_plain(write: Callable[[str], int], text: str) -> int:
    write(without_controls(text))
    return len(text)


class _Unguarded:
    """A terminal's stream as it was."""

    def __init__(self, stream: TextIOWrapper) -> None:
        self._stream = stream
        self.write = stream.write

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


@contextmanager
def loading() -> Iterator[None]:
    """Load modules without looking for garbage, of which there is none: a tenth of a short command's time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


def leave_quickly() -> None:
    """Have Python end without a search for cycles among all that is loaded: it takes up to half a second."""
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def script(shell: str) -> str:
    """Return what a shell is to source.

    :raises KeyError: for a name that is not in ``SHELLS``.
    """
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def options_of(command: str) -> tuple[str, ...]:
    """Return the options of a command, those of Scrapy that all have among them; ``()`` for one of no module."""
    command = _ALIASES.get(command, command)
    sources = sorted(_modules(command))
    if not sources:
        return ()
    sources += sorted(_modules(f"{command}_*"))
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    found = _OPTION.findall(text)
    found += [option for name, option in _INHERITED.items() if re.search(rf"class \w+Command\({name}\)", text)]
    if command == "crawl":
        found += _CRAWL
    return tuple(dict.fromkeys([*found, *_COMMON]))


def _bash() -> str:
    names = [*command_summaries(), *_ALIASES]
    cases = [_BASH_CASE.format(command=name, options=" ".join(options_of(name))) for name in names]
    commands = " ".join(sorted({*names, *_WORDS}))
    return _BASH.format(name=NAME, commands=commands, shells=" ".join(SHELLS), cases="\n".join(cases))


def _zsh() -> str:
    return f"autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    summaries = command_summaries()
    lines = [_FISH_SHELLS.format(name=NAME, shells=" ".join(SHELLS))]
    for name in (*summaries, *_WORDS):
        lines.append(_FISH.format(name=NAME, command=name, summary=summaries.get(name, "").replace("'", "")))
        options = (option.removeprefix("--") for option in options_of(name) if option.startswith("--"))
        lines += [_FISH_OPTION.format(name=NAME, command=name, option=option) for option in options]
    return "".join(lines)
