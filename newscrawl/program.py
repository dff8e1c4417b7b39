"""What the user typed to run a command, ``newscrawl`` or ``scrapy``: commands are told in the same word."""

from __future__ import annotations

import gc
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME: Final = "newscrawl"
_SCRAPY: Final = "scrapy"
_COMMANDS: Final = Path(__file__).parent / "commands"
_SUMMARY: Final = re.compile(r"^    summary = \"(.+)\"$", re.MULTILINE)


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
    """Return name → summary of each command, read from its source: importing all takes seconds."""
    found = {}
    for path in sorted(_COMMANDS.glob("*.py")):
        if summary := _SUMMARY.search(path.read_text(encoding="utf-8")):
            found[path.stem] = summary[1]
    return found


@contextmanager
def loading() -> Iterator[None]:
    """Load modules without looking for garbage, of which there is none: a tenth of a short command's time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


_NAMED: Final = re.compile(r"\bscrapy(?= [a-z])")
