"""What every command of the project shares: a user's mistake is one line on stderr and exit status 2.

Write ``class NameCommand(QuietCommand)`` in ``commands/name.py`` and put the work into ``execute``. These classes are
beside the package of the commands, because Scrapy takes every class of a command that it finds there for a command.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.settings import default_settings as scrapy_defaults

from newscrawl.console.check import check_scrapy_settings, check_settings
from newscrawl.console.files import check_writable
from newscrawl.console.place import anchor_database
from newscrawl.console.program import as_typed, leave_quickly, print_any_text, program, told_of_full_disks
from newscrawl.console.wording import as_text, separated
from newscrawl.exceptions import MistakesError, NewscrawlError, UserError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table
    from scrapy.settings import Settings

#: What measures and trains. It stands beside the package in a checkout, and is not installed.
LABORATORY: Final = Path(__file__).parents[2] / "lab"
#: Exit status of a command that was used wrongly, as argparse has it.
USAGE_STATUS = 2
#: Exit status of a command that Ctrl-C ended, as shells have it.
INTERRUPTED_STATUS = 130
#: Columns where the output is no terminal: no row is so long that a table folds it.
PIPE_WIDTH: Final = 100_000
#: Digits of a number that a user gives.
MAX_DIGITS: Final = 9
#: Note in the help of every option that names a file or folder to write.
FOLDERS_ARE_MADE: Final = "missing folders are made"


class PlainCommand(ScrapyCommand):
    """A command of the project that is described by its attributes.

    A ``NewscrawlError`` from ``execute`` is ``scrapy NAME: message`` and exit status 2. What ``refuse_early`` refuses
    is all that is printed: Scrapy's process, and its log, are not begun.
    """

    requires_project = True
    #: What may follow the command's name.
    usage: ClassVar[str] = "[options]"
    #: One line, for the list of commands.
    summary: ClassVar[str]
    #: What ``--help`` says; it ends with an example.
    details: ClassVar[str]
    refusal: NewscrawlError | None = None
    #: Log level of the command where the user names none; None: the project's. (``default_settings`` of a
    #: command are weaker than the project's settings.)
    log_level: ClassVar[str | None] = None

    def syntax(self) -> str:
        return self.usage

    def short_desc(self) -> str:
        return self.summary

    def long_desc(self) -> str:
        return self.details

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.error = self._wrong_option  # type: ignore[method-assign]

    def _wrong_option(self, message: str) -> NoReturn:
        """Say what argparse found in one line; it would print how the command is used, too."""
        sys.stderr.write(as_typed(f"scrapy {self._name}: {message}; --help lists the options\n"))
        raise SystemExit(USAGE_STATUS)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        leave_quickly()
        print_any_text()
        try:
            super().process_options(args, opts)
        except UsageError as error:  # what is wrong with -s, -a or -o; Scrapy would print how it is used, too
            self._refuse(UserError(str(error)))
            return
        if self.log_level and self.settings is not None:
            given = self.settings.getpriority("LOG_LEVEL") or 0
            if given < SETTINGS_PRIORITIES["cmdline"]:
                self.settings.set("LOG_LEVEL", self.log_level, priority="cmdline")
        try:
            self.refuse_early(args, opts)
        except NewscrawlError as error:
            self._refuse(error)

    def _refuse(self, error: NewscrawlError) -> None:
        self.refusal = error
        self.requires_crawler_process = False

    @property
    def project_settings(self) -> Settings:
        """The settings, over the project's defaults: add-ons, which bring these, are loaded by crawls only."""
        if self.settings is None:
            raise TypeError("scrapy gives the command its settings")
        self.settings.setmodule("newscrawl.default_settings", priority="default")
        anchor_database(self.settings)
        return self.settings

    def refuse_early(self, args: list[str], opts: argparse.Namespace) -> None:
        """Refuse what needs no running process to be seen as wrong: settings; a command may add to it.

        :raises NewscrawlError: which ``run`` prints.
        """
        check_values(self.project_settings)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        raise NotImplementedError

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            if self.refusal is not None:
                raise self.refusal
            with told_of_full_disks():
                self.execute(args, opts)
        except KeyboardInterrupt:
            sys.stderr.write(f"\n{program()} {self._name}: interrupted\n")
            self.exitcode = INTERRUPTED_STATUS
        except NewscrawlError as error:
            for line in error.lines if isinstance(error, MistakesError) else (str(error),):
                sys.stderr.write(as_typed(f"scrapy {self._name}: {' '.join(line.split())}\n"))
            self.exitcode = USAGE_STATUS

    @property
    def _name(self) -> str:
        return type(self).__module__.rpartition(".")[2]


class PageCommand(PlainCommand):
    """A command that reads a page; only one of a URL is fetched, and needs a crawler."""

    log_level = "CRITICAL"  # what went wrong with the address is told in one line
    usage = "[options] <url|file|->"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--url", metavar="URL", help="address that a file came from; its links are relative to it")

    def refuse_early(self, args: list[str], opts: argparse.Namespace) -> None:
        super().refuse_early(args, opts)
        self.requires_crawler_process = any(map(is_url, args))


class QuietCommand(PlainCommand):
    """A command of the project that prints what it finds, and no log; it needs no crawler."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}


class SinglePageCommand(ScrapyCommand):
    """One of Scrapy's own commands for a page: it stores nothing, and takes no page of a harvest's queue."""

    #: Settings that the command needs, over the project's; what the command line sets counts.
    overruled: ClassVar[Mapping[str, Any]] = {"NEWSCRAWL_DATABASE": "", "NEWSCRAWL_LIVE": False}

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if self.settings is not None:
            for name, value in self.overruled.items():
                self.settings.set(name, value, priority=SETTINGS_PRIORITIES["cmdline"] - 1)


def check_values(settings: Settings) -> None:
    """Refuse values of any command's settings that cannot be read.

    :raises UserError: for the first kind of mistake that is found.
    """
    check_settings(settings)
    check_scrapy_settings(settings, vars(scrapy_defaults))
    level: Any = settings["LOG_LEVEL"]
    if not isinstance(level, int) and str(level) not in logging.getLevelNamesMapping():
        raise UserError(f"LOG_LEVEL is {level!r}; accepted: DEBUG, INFO, WARNING, ERROR, CRITICAL")
    if settings["LOG_FILE"]:
        check_writable(Path(settings["LOG_FILE"]))


def is_url(argument: str) -> bool:
    """Tell whether what a command was given is fetched, and no file."""
    return argument.partition("://")[0].lower() in {"http", "https"}


def one_argument(args: Sequence[str], what: str) -> str:
    """Return the only positional argument; Scrapy also leaves misspelt options among them."""
    no_more_options(args)
    if len(args) != 1 or not args[0].strip():
        got = f"{len(args)}: {' '.join(args)!r}" if args else "none"
        raise UserError(f"expected one {what}, got {got}")
    return args[0]


def no_more_options(args: Sequence[str]) -> None:
    """Refuse what looks like an option but is none, e.g. ``--frmat=json``; a lone ``-`` is stdin."""
    unknown = [arg for arg in args if arg.startswith("-") and arg != "-"]
    if unknown:
        raise UserError(f"unknown option {unknown[0]!r}; see --help for those accepted")


def no_arguments(args: Sequence[str], instead: str) -> None:
    """Refuse positional arguments; ``instead`` says how what was meant is given."""
    no_more_options(args)
    if args:
        raise UserError(f"unexpected argument {args[0]!r}; {instead}")


def whole_number(value: str, option: str, *, least: int = 1) -> int:
    """Return ``value`` as an integer of at least ``least``, that a database has room for."""
    if not (value.isdecimal() and len(value) <= MAX_DIGITS and int(value) >= least):
        raise UserError(
            f"{option} {value!r}: expected a whole number of at least {least}, of {MAX_DIGITS} digits at most"
        )
    return int(value)


def laboratory(module: str, what: str) -> Any:
    """Return a module of ``lab``, which no part of the product imports.

    :param what: what is done there, as a passive sentence.
    :raises UserError: newscrawl is installed: the laboratory is there in a checkout only.
    """
    if not LABORATORY.is_dir():
        raise UserError(f"{what} in a checkout of newscrawl only")
    if str(LABORATORY.parent) not in sys.path:
        sys.path.append(str(LABORATORY.parent))
    return import_module(f"lab.{module}")


def handed_on(settings: Settings, *, without: tuple[str, ...]) -> dict[str, str]:
    """Return the settings that were given with ``-s``: crawls that a command starts get them too.

    :param without: beginnings of names that are the command's own.
    """
    level = SETTINGS_PRIORITIES["cmdline"]
    names = (name for name in settings if settings.getpriority(name) == level)
    return {name: str(settings[name]) for name in names if not name.startswith(without)}


def one_of(value: str, accepted: Collection[str], what: str) -> str:
    """Return ``value`` if it is accepted; the refusal lists what is."""
    if value not in accepted:
        raise UserError(f"unknown {what} {value!r}; accepted: {', '.join(accepted)}")
    return value


def comma_separated(value: str) -> tuple[str, ...]:
    """Return the names of a list separated by commas.

    :raises UserError: if there is none.
    """
    found = tuple(dict.fromkeys(separated(value)))
    if not found:
        raise UserError(f"empty list {value!r}: expected names separated by commas")
    return found


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that does not wrap what goes into a file or pipe, and colours only what it is told to."""
    from newscrawl.console.terminal import TerminalConsole  # noqa: PLC0415 (most commands print plain text)

    is_pipe = not (sys.stderr if stderr else sys.stdout).isatty()
    return TerminalConsole(stderr=stderr, soft_wrap=is_pipe, width=PIPE_WIDTH if is_pipe else None, highlight=False)


def plain_table(title: str, *columns: str, right: Collection[str] = (), header: bool = True) -> Table:
    """Return a table without lines; the columns named in ``right`` hold numbers."""
    from rich.table import Table  # noqa: PLC0415 (most commands print plain text)

    table = Table(
        title=title, title_justify="left", title_style="bold", show_header=header, box=None, padding=(0, 2, 0, 1)
    )
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table


def print_rows(
    title: str, columns: Iterable[str], rows: Iterable[Mapping[str, Any]], *, right: Collection[str] = ()
) -> None:
    """Print the columns of rows as a table: None as nothing, fractions with two digits, times to the minute in UTC.

    No rows are said to be none.
    """
    from rich.text import Text  # noqa: PLC0415 (most commands print plain text)

    names = list(columns)
    said = {name: name.removeprefix("n_").replace("_", " ") for name in names}
    table = plain_table(title, *said.values(), right=[said[name] for name in right])
    for row in rows:
        table.add_row(*(Text(_cell(row[name])) for name in names))
    make_console().print(table if table.row_count else f"{title}: none")


def _cell(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "yes" if value else "no" if value is False else ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return value.strftime("%Y-%m-%d %H:%M") if isinstance(value, datetime) else str(value)


def print_json(value: object) -> None:
    """Write ``value`` to standard output, times in ISO 8601."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=as_text) + "\n")


def command_line(name: str) -> str:
    """The command as it was typed, without folders of this machine.

    :param name: the Scrapy command; Scrapy takes it out of ``sys.argv``.
    """
    words = [word if "/" not in word else word.rstrip("/").rpartition("/")[2] for word in sys.argv[1:]]
    return " ".join([program(), name, *words])
