"""Files that a user names: read with every mistake named, written with their folders; one line says what failed."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tomllib
from contextlib import ExitStack
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from newscrawl.console.check import mistakes
from newscrawl.exceptions import MistakesError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newscrawl.console.check import ValueKind

USER_TEXT: Final = "utf-8-sig"
"""Encoding of a text that a user wrote: UTF-8, with or without the byte order mark that Windows' editors put first."""
CHROMIUM_VARIABLE: Final = "NEWSCRAWL_CHROMIUM"
"""The environment's, which names the browser that renders pages."""
_MOST_WHOLE: Final = 2**63 - 1
"""What TOML asks for. Beyond some thousands of digits Python can neither read nor print numbers."""
_NOT_WHOLE: Final = f"is no whole number that is accepted: from {-_MOST_WHOLE - 1} to {_MOST_WHOLE}"
_UNREADABLE: Final = re.compile(r"[+-]?\d[\d_]{4300,}+")
MAX_LOG_BYTES: Final = 10 * 2**20
CHROMIUM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


@cache
def shipped_file(name: str) -> Path:
    """Return where a file of the package is, such as ``classify/models/news.npz``.

    A package that is an archive, as scrapyd's eggs are, gives a copy that lives as long as the process.
    """
    found = files("newscrawl").joinpath(name)
    if isinstance(found, Path):
        return found
    kept = ExitStack()
    atexit.register(kept.close)
    return kept.enter_context(as_file(found))


def read_text(path: Path, *, what: str, absent: str) -> str:
    """Return the text of a file.

    :param what: names the file in the message of an error.
    :param absent: the whole message where there is no such file.
    :raises UserError: it is absent, or cannot be read.
    """
    try:
        return path.read_text(encoding=USER_TEXT)
    except FileNotFoundError:
        raise UserError(absent) from None
    except (OSError, UnicodeError) as error:
        raise UserError(f"{what} cannot be read: {error}") from None


def parse_toml(
    text: str,
    *,
    origin: str,
    kind: ValueKind,
    shaped: Callable[[dict[str, Any]], dict[str, Any]] = lambda data: data,
    more: Callable[[dict[str, Any]], Iterable[str]] = lambda _data: (),
) -> dict[str, Any]:
    """Return the values of a TOML text.

    :param origin: begins each line of an error.
    :param kind: what the values may be.
    :param shaped: brings the values into the form that ``kind`` is of, and that is returned.
    :param more: says what else is wrong with the values, one line each.
    :raises UserError: it is no TOML.
    :raises MistakesError: its values have mistakes.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also of numbers of thousands of digits, and lists in lists
        number = None if isinstance(error, tomllib.TOMLDecodeError) else _UNREADABLE.search(text)
        why = f"{number[0]} {_NOT_WHOLE}" if number else error
        raise UserError(f"{origin}: not TOML: {why}") from None
    if found := [f"{origin}: {name} = {number} {_NOT_WHOLE}" for name, number in _too_large(data)]:
        raise MistakesError(found)
    data = shaped(data)
    found = [f"{origin}: {mistake}" for mistake in (*mistakes(data, kind), *more(data))]
    if found:
        raise MistakesError(found)
    return data


def _too_large(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Give the key, and the number in hexadecimal digits, of each whole number that 64 bits do not hold."""
    left: list[tuple[str, object]] = list(data.items())
    for name, value in left:  # not by recursion: keys with dots nest to any depth
        if isinstance(value, dict):
            left += value.items()
        elif isinstance(value, list):
            left += ((name, entry) for entry in value)
        elif isinstance(value, int) and not -_MOST_WHOLE - 1 <= value <= _MOST_WHOLE:
            yield name, hex(value)


def open_log(folder: Path, name: str) -> BinaryIO:
    """Open ``NAME.log`` of the folder to write on; one that has grown long is put aside before (``NAME.log.1``)."""
    make_folder(folder)
    log = folder / f"{name}.log"
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    return log.open("ab")


def make_folder(folder: Path) -> None:
    """Make the folder, and those above it: before the work, so that none is done for a file that cannot be written.

    :raises UserError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a file; missing folders are made. What UTF-8 cannot hold, half a surrogate pair, becomes ``?``.

    :raises UserError: it cannot be written.
    """
    make_folder(path.parent)
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """Make the folder of a file that is to be written later; nothing is written.

    :raises UserError: the file cannot be written.
    """
    make_folder(path.parent)
    if path.is_dir():
        raise UserError(f"cannot write {str(path)!r}: Is a directory")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UserError(f"cannot write {str(path)!r}: Permission denied")


def find_chromium() -> str | None:
    """Return the browser that the environment names, else one on the path; None where there is none."""
    return os.environ.get(CHROMIUM_VARIABLE) or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
