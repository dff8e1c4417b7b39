"""The command ``newscrawl``: the commands of ``scrapy`` outside any checkout, and ``newscrawl init``.

In a Scrapy project, its settings count; elsewhere those of ``newscrawl.settings``. Scrapy is loaded when a command
needs it, so that help costs nothing.
"""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from string import Template
from textwrap import fill
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl import __version__
from newscrawl.console.files import write_text
from newscrawl.console.interrupts import interruptible
from newscrawl.console.program import (
    NAME,
    SHELLS,
    as_typed,
    command_summaries,
    is_of_laboratory,
    leave_quickly,
    loading,
    print_any_text,
    script,
)
from newscrawl.exceptions import UserError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_SETTINGS: Final = "newscrawl.settings"
_VARIABLE: Final = "SCRAPY_SETTINGS_MODULE"
_USAGE_STATUS: Final = 2
_VERSION: Final = (["--version"], ["version"])  # `version -v` is Scrapy's
#: Files of a new project.
_FILES: Final = (
    "scrapy.cfg", "news_settings.py", "spiders/__init__.py", "sites/sample.toml", "topics/phones.toml", "schedule.toml",
    "compose.yaml", ".gitignore",
)  # fmt: skip
#: Those that say where the project is, and how the program is called there.
_UNITS: Final = ("deploy/newscrawl-tick.service", "deploy/newscrawl-tick.timer", "deploy/crontab")


def run_program(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the words name; return the exit status, unless Scrapy exits with it."""
    print_any_text()
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words else "help"
    if name in {"help", "-h", "--help"} or words in _VERSION:
        sys.stdout.write("".join(_version() if words in _VERSION else _help()))
        return 0
    if own := OWN.get(name):
        if {"-h", "--help"} & {*words[1:]}:
            sys.stdout.write(own.help(name))
            return 0
        try:
            return own.run(words[1:])
        except UserError as error:
            sys.stderr.write(f"newscrawl {name}: {error}\n")
            return _USAGE_STATUS
    if name == "harvest":
        name = words[0] = "crawl"
    is_known = name in command_summaries() or name in _scrapys() or is_of_laboratory(name)
    if not _is_in_project():
        if not is_known:
            return _no_command(name)
        os.environ.setdefault(_VARIABLE, _SETTINGS)
    return _run(words, is_known=is_known)


def _reads_own_languages(name: str) -> bool:
    """Tell whether the languages of the user's folder have the form of languages; print what is wrong."""
    if not os.environ.get("NEWSCRAWL_LANGUAGES"):
        return True
    from newscrawl.languages.tables import check_own_languages  # noqa: PLC0415 (few have such a folder)

    try:
        check_own_languages()
    except UserError as error:
        sys.stderr.write(f"{NAME} {name}: {error}\n")
        return False
    return True


def _print_file(words: list[str]) -> int | None:
    if os.environ.get(_VARIABLE, _SETTINGS) != _SETTINGS or not any(map(os.path.isfile, words)):
        return None
    with loading():
        from newscrawl.commands.extract_file import print_file  # noqa: PLC0415 (help needs none of it)
    leave_quickly()
    with interruptible():
        return print_file(words)


def _run(words: list[str], *, is_known: bool) -> int:
    """Run a command, as one of ours where it is; one that nobody knows may be the project's own."""
    if not _reads_own_languages(words[0]):
        return _USAGE_STATUS
    sys.argv = [NAME, *words]  # ``commands.named`` looks there for the command to load
    if words[0] == "extract" and (status := _print_file(words[1:])) is not None:
        return status
    with loading():
        from newscrawl.commands.direct import has_own_commands, run_directly  # noqa: PLC0415 (half a second)

    if not (is_known or has_own_commands()):
        return _no_command(words[0])
    if (status := run_directly(words[0], words[1:])) is not None:
        return status
    from scrapy.cmdline import execute  # noqa: PLC0415 (as long again)

    with interruptible():
        execute(sys.argv)
    return 0


def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 (it loads zipfile and email)

    return f"{NAME} {__version__} (Scrapy {version('scrapy')})\n"


def _help() -> Iterator[str]:
    yield "Usage: newscrawl COMMAND [options]\n\n"
    own = {name: command.summary for name, command in OWN.items()}
    for name, summary in sorted((command_summaries() | own).items()):
        yield f"  {name:<11} {as_typed(summary, NAME)}\n"
    yield "\nnewscrawl COMMAND --help says more. In a Scrapy project its settings count, elsewhere newscrawl's own.\n"


def _no_command(name: str) -> int:
    known = [*command_summaries(), *OWN, *_scrapys()]
    meant = did_you_mean(name, known, most=1, otherwise="newscrawl help lists all")
    sys.stderr.write(f"newscrawl: no command {name!r}; {meant}\n")
    return _USAGE_STATUS


def _scrapys() -> set[str]:
    spec = find_spec("scrapy.commands")
    folders = spec.submodule_search_locations if spec is not None else None
    return {module.name for module in iter_modules(folders)}


def _is_in_project() -> bool:
    here = Path.cwd()
    return any((folder / "scrapy.cfg").is_file() for folder in (here, *here.parents))


def project_files(folder: Path = Path("/srv/news")) -> dict[str, str]:
    """Return file of a new project → its text.

    :param folder: where the project is to be.
    """
    from getpass import getuser  # noqa: PLC0415 (`init` alone asks who it is)
    from shutil import which  # noqa: PLC0415

    texts = files("newscrawl.commands").joinpath("project")
    read = {name: texts.joinpath(f"{name.lstrip('.')}.txt").read_text(encoding="utf-8") for name in (*_FILES, *_UNITS)}
    command = which(NAME) or f"{sys.executable} -m {NAME}"
    here = {"folder": str(folder.absolute()), "user": getuser(), "program": command}
    return {name: Template(text).substitute(here) if name in _UNITS else text for name, text in read.items()}


def _init(words: Sequence[str]) -> int:
    """Write the files of a project; none is written over.

    :raises UserError: another number of folders than one is named, or a file is there or cannot be written.
    """
    if len(words) != 1 or words[0].startswith("-"):
        raise UserError(f"expected one folder, got {' '.join(words)!r}; example: newscrawl init news")
    folder = Path(words[0])
    texts = project_files(folder)
    there = [name for name in texts if (folder / name).exists()]
    if there:
        raise UserError(f"{str(folder / there[0])!r} is there already; give a new folder")
    for name, text in texts.items():
        write_text(folder / name, text)
    sys.stdout.write(
        f"{folder} is ready. Next:\n  cd {folder}\n  newscrawl addsite NAME https://www.example.org/\n"
        "  newscrawl crawl NAME\n  newscrawl report\n"
    )
    return 0


def _completion(words: Sequence[str]) -> int:
    """Print the script of a shell.

    :raises UserError: no shell, or another one, is named.
    """
    if len(words) != 1 or words[0] not in SHELLS:
        raise UserError(f"{' '.join(words)!r} is no shell; accepted: {', '.join(SHELLS)}")
    sys.stdout.write(script(words[0]))
    return 0


class OwnCommand(NamedTuple):
    """A command that Scrapy does not know."""

    run: Callable[[Sequence[str]], int]
    argument: str
    summary: str
    details: str

    def help(self, name: str) -> str:
        return f"Usage: {NAME} {name} {self.argument}\n\n{fill(self.details, break_long_words=False)}\n"


OWN: Final[Mapping[str, OwnCommand]] = {
    "init": OwnCommand(
        run=_init,
        argument="DIR",
        summary="Write a folder ready to harvest from: settings, examples of a site and a topic, a schedule",
        details="Writes settings (news_settings.py), an example of a site and of a topic, a schedule, units for "
        "systemd and cron, and a compose file. No file is written over. Example: newscrawl init news && cd news",
    ),
    "completion": OwnCommand(
        run=_completion,
        argument="|".join(SHELLS),
        summary="Print what completes commands and options in a shell: bash, zsh or fish",
        details="Prints a script that the shell reads. Examples: source <(newscrawl completion bash), in ~/.bashrc; "
        "source <(newscrawl completion zsh), in ~/.zshrc; newscrawl completion fish | source, in "
        "~/.config/fish/config.fish",
    ),
}
