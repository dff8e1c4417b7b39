"""The project's errors: what a user did wrong, in one line each."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: A word of a message that nobody reads to its end: a number of thousands of digits. Addresses and paths are shorter.
_LONG_WORD: Final = re.compile(r"(\S{100})\S{400,}+(?<=(\S{20}))")


def shorten(text: str) -> str:
    """Return a text whose words of more than 500 characters, such as addresses, are cut in their middle."""
    return _LONG_WORD.sub(r"\1…\2", text)


def did_you_mean(name: str, known: Iterable[str], *, most: int = 5, otherwise: str = "") -> str:
    """Return a question for the names like one that is unknown, the likest first.

    >>> did_you_mean("sna", ["sina", "isna", "people"])
    'did you mean sina or isna?'
    """
    near = get_close_matches(name, list(known), n=most, cutoff=0.7)
    return f"did you mean {' or '.join(near)}?" if near else otherwise


class NewscrawlError(Exception):
    """Base of everything newscrawl raises on purpose."""


class UserError(NewscrawlError, ValueError):
    """A value from the user is not accepted.

    The message is one line that names the value and what is accepted instead; commands print it and
    exit with a non-zero status, without a traceback. Words of more than 500 characters are shortened.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shorten(message))


class MistakesError(UserError):
    """Several values of one file are not accepted: each has its line."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(str(self).split("\n"))


def in_a_line(error: Exception) -> str:
    return "; ".join(str(error).split("\n"))


class StorageError(NewscrawlError):
    """The database cannot be used: wrong schema version, unreachable, or full."""
