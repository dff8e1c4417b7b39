"""Runs a command of ours as ``scrapy`` would, without loading all of Scrapy's own: a page of a file costs less.

The command is called what the user typed, and so are those that its help names.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter
from scrapy.utils.project import get_project_settings

from newscrawl.console.interrupts import interruptible
from newscrawl.console.program import as_typed, loading, program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import SupportsWrite
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import Settings

_COMMANDS: Final = "newscrawl.commands"


class _Parser(argparse.ArgumentParser):
    def _parse_optional(self, arg_string: str) -> object:  # type: ignore[override]
        """``-o -:json`` writes to standard output: what begins with ``-:`` is a value."""
        return None if arg_string.startswith("-:") else super()._parse_optional(arg_string)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help; argparse keeps it to itself where it cannot be written."""
        (file or sys.stdout).write(self.format_help())


def has_own_commands() -> bool:
    """Tell whether the project here has commands that are not newscrawl's."""
    return not str(get_project_settings()["COMMANDS_MODULE"]).startswith(_COMMANDS)


def load_command(name: str) -> ScrapyCommand:
    """Return a command by its name: the only class of a command in its module.

    :raises KeyError: for a name that is no command of newscrawl.
    """
    module_name = f"{_COMMANDS}.{name}"
    if name.isidentifier() and find_spec(module_name) is not None:
        for value in vars(import_module(module_name)).values():
            if isinstance(value, type) and issubclass(value, ScrapyCommand) and value.__module__ == module_name:
                return value()
    raise KeyError(name)


def run_directly(name: str, words: Sequence[str]) -> int | None:
    """Run a command and return its exit status; None for one that only Scrapy knows how to run.

    :param words: what was typed behind the name.
    """
    settings = get_project_settings()
    if not str(settings["COMMANDS_MODULE"]).startswith(_COMMANDS) or "--profile" in words:
        return None  # the project has commands of its own
    try:
        with loading():
            command = load_command(name)
    except KeyError:
        return None
    settings.setdict(command.default_settings, priority="command")
    command.settings = settings
    parser = _parser(name, command)
    opts, args = parser.parse_known_args(words)
    command.process_options(args, opts)
    if command.requires_crawler_process:
        command.crawler_process = _process(settings)
    with interruptible():
        command.run(args, opts)
    return command.exitcode


def _parser(name: str, command: ScrapyCommand) -> argparse.ArgumentParser:
    parser = _Parser(
        formatter_class=ScrapyHelpFormatter,
        usage=f"{program()} {name} {command.syntax()}",
        conflict_handler="resolve",
        description=as_typed(command.long_desc()),
    )
    command.add_options(parser)
    for action in parser._actions:
        action.help = action.help and as_typed(action.help)
    return parser


def _process(settings: Settings) -> CrawlerProcessBase:
    """Return the process that Scrapy would make for these settings."""
    from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess  # noqa: PLC0415 (most commands crawl nothing)
    from scrapy.utils.reactor import _asyncio_reactor_path  # noqa: PLC0415

    is_asyncio = settings["TWISTED_REACTOR"] == _asyncio_reactor_path
    if (is_asyncio and not settings.getbool("FORCE_CRAWLER_PROCESS")) or not settings.getbool(
        "TWISTED_REACTOR_ENABLED"
    ):
        return AsyncCrawlerProcess(settings)
    return CrawlerProcess(settings)
