"""How values are written: numbers of things, times, and the names that somebody may have meant."""

from __future__ import annotations

import logging
from difflib import get_close_matches
from typing import TYPE_CHECKING

from newscrawl.exceptions import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable


def quantity(n: int, one: str, many: str | None = None) -> str:
    """Return a number with the noun of what it counts.

    >>> quantity(1, "copy", "copies"), quantity(1200, "line")
    ('1 copy', '1,200 lines')
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def did_you_mean(name: str, known: Iterable[str], *, most: int = 5, otherwise: str = "") -> str:
    """Return a question for the names like one that is unknown, the likest first.

    >>> did_you_mean("sna", ["sina", "isna", "people"])
    'did you mean sina or isna?'
    """
    near = get_close_matches(name, list(known), n=most, cutoff=0.7)
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def separated(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return the words of a setting: a list of them, or a text in which commas part them.

    >>> separated("127.0.0.0/8, ::1"), separated(["127.0.0.0/8", "::1"])
    (('127.0.0.0/8', '::1'), ('127.0.0.0/8', '::1'))
    """
    words = value.split(",") if isinstance(value, str) else value
    return tuple(word.strip() for word in words if word.strip())


def as_text(value: object) -> str:
    """Return what JSON has no value for, as text: a time in ISO 8601, else what ``str`` gives."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


class ShortRecord(logging.LogRecord):
    """A line of the log in which no address goes on for pages."""

    def getMessage(self) -> str:  # noqa: N802 (of logging)
        return shorten(super().getMessage())
