"""Refuses settings of the project that are misspelt, or whose values cannot be read, before anything is opened."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl import default_settings
from newscrawl.exceptions import MistakesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

PREFIX: Final = "NEWSCRAWL_"
DEFAULTS: Final[Mapping[str, object]] = {
    name: value for name, value in vars(default_settings).items() if name.startswith(PREFIX)
}
#: More than any number of bytes, seconds or pages that is meant; what counts and stores overflows further on.
MOST: Final = 10**12
#: Least and greatest value, where these are not 0 and infinity.
_RANGES: Final = {
    "NEWSCRAWL_JOIN_MAX_PARTS": (1, math.inf),
    # A worker says that it lives four times in a lease; shorter leases end for every long garbage collection.
    "NEWSCRAWL_LEASE_SECONDS": (2, math.inf),
    "NEWSCRAWL_LOW_CONFIDENCE": (0, 1),
}
#: Settings that name one of a few things.
_CHOICES: Final = {
    "NEWSCRAWL_FRONTIER": ("database", "memory"),
    "NEWSCRAWL_FRONTIER_ORDER": ("fair", "strict"),
    "NEWSCRAWL_KEEP": ("articles", "articles,pages"),
    "NEWSCRAWL_STORE_LINKS": ("rejected", "all", "none"),
}
#: Settings of Scrapy's that it reads as real numbers, though their defaults are whole ones, and those below zero.
_REAL: Final = ("_DELAY", "_TIMEOUT", "_JITTER", "_INTERVAL", "_SECONDS", "_CONCURRENCY")
_ANY_SIGN: Final = ("_PRIORITY", "_ADJUST", "_INDENT")
#: What Scrapy reads as true or false beside whole numbers.
_BOOLEANS: Final = ("True", "true", "False", "false")
_MOST_NAMES: Final = 3
#: difflib's ratio of a name that may have been meant, over what follows the prefix. 0..1.
_LIKE: Final = 0.7


class _Kind(NamedTuple):
    """What a setting takes: one of some words, or else a number, which also turns a switch on and off."""

    words: tuple[str, ...] = ()
    read: Callable[[Any], float] = int
    least: float = 0
    most: float = math.inf
    is_switch: bool = False

    def takes(self, value: object) -> bool:
        if self.words:
            return str(value) in self.words
        if self.is_switch and value in _BOOLEANS:
            return True
        try:
            number = self.read(value)
        except (TypeError, ValueError, OverflowError):
            return False
        return self.least <= number <= self.most and abs(number) <= MOST

    def __str__(self) -> str:
        if self.words or self.is_switch:
            return ", ".join(self.words) or "True or False"
        upper = f" to {self.most:g}" if self.most < math.inf else f" up, {MOST:g} at most"
        what = "a whole number" if self.read is int else "a number"
        return what if self.least == -math.inf else f"{what} from {self.least:g}{upper}"


def check_settings(values: Mapping[str, object]) -> None:
    """Refuse what is wrong with the ``NEWSCRAWL_*`` settings among ``values``; others are Scrapy's.

    Names of methods, files, networks … are checked by what reads them.

    :raises MistakesError: a line for each name that is not known, and each value of another kind than the default's.
    """
    _refuse(setting_mistakes(values))


def setting_mistakes(values: Mapping[str, object]) -> Iterator[str]:
    """Give the lines of :func:`check_settings`."""
    yield from name_mistakes(values)
    for name in sorted(DEFAULTS.keys() & values):
        kind = _own_kind(name, DEFAULTS[name])
        if kind is not None and not kind.takes(values[name]):
            yield f"{name} is {values[name]!r}; accepted: {kind}"


def check_scrapy_settings(values: Mapping[str, object], defaults: Mapping[str, object]) -> None:
    """Refuse numbers and switches of Scrapy's own that it could not read: it would say so in a traceback.

    :param defaults: Scrapy's; the kind of a default is the kind that is accepted. Others are not checked.
    :raises MistakesError: a line for each value.
    """
    kinds = {name: _scrapys_kind(name, defaults[name]) for name in sorted(defaults.keys() & values)}
    _refuse(
        f"{name} is {values[name]!r}; accepted: {kind}"
        for name, kind in kinds.items()
        if kind is not None and values[name] is not None and not kind.takes(values[name])
    )


def name_mistakes(names: Iterable[str]) -> Iterator[str]:
    """Give a line for each name that begins as the project's do and is none of them, with those most like it."""
    nouns = [known.removeprefix(PREFIX) for known in DEFAULTS]
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in DEFAULTS:
            nearest = get_close_matches(name.removeprefix(PREFIX), nouns, n=_MOST_NAMES, cutoff=_LIKE)
            meant = f"did you mean {' or '.join(PREFIX + noun for noun in nearest)}?" if nearest else ""
            yield f"unknown setting {name}; {meant or 'see newscrawl/default_settings.py'}"


def _refuse(mistakes: Iterable[str]) -> None:
    if lines := list(mistakes):
        raise MistakesError(lines)


def _own_kind(name: str, default: object) -> _Kind | None:
    """Return what a setting of ours takes; None for text, which is not checked here."""
    if name in _CHOICES:
        return _Kind(_CHOICES[name])
    if isinstance(default, bool):
        return _Kind(is_switch=True)
    if not isinstance(default, int | float):
        return None
    is_real = isinstance(default, float) or name.endswith("_SECONDS")
    return _Kind((), float if is_real else int, *_RANGES.get(name, (0, math.inf)))


def _scrapys_kind(name: str, default: object) -> _Kind | None:
    least = -math.inf if name.endswith(_ANY_SIGN) else 0
    if isinstance(default, bool) or name.endswith("_ENABLED"):  # TELNETCONSOLE_ENABLED is 1
        return _Kind(least=-math.inf, is_switch=True)
    if not isinstance(default, int | float):
        return None
    return _Kind((), float if isinstance(default, float) or name.endswith(_REAL) else int, least)
