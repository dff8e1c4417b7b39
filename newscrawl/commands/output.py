"""What commands print: tables that are not wrapped in a pipe, and JSON."""

from __future__ import annotations

import json
import sys
from typing import Final

from rich.console import Console

#: Columns where the output is no terminal.
PIPE_WIDTH: Final = 240
#: Said in the help of every option that names a file or folder to write.
FOLDERS_ARE_MADE: Final = "missing folders are made"


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that does not wrap what goes into a file or pipe, and colours only what it is told to."""
    is_pipe = not (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, soft_wrap=is_pipe, width=PIPE_WIDTH if is_pipe else None, highlight=False)


def print_json(value: object) -> None:
    """Write ``value`` to standard output, times in ISO 8601."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=as_text) + "\n")


def as_text(value: object) -> str:
    """Return what JSON has no value for, as text: a time in ISO 8601, else what ``str`` gives."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def command_line(name: str) -> str:
    """The command as it was typed, without folders of this machine.

    :param name: the Scrapy command; Scrapy takes it out of ``sys.argv``.
    """
    words = [word if "/" not in word else word.rstrip("/").rpartition("/")[2] for word in sys.argv[1:]]
    return " ".join(["scrapy", name, *words])
