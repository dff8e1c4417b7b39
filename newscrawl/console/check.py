"""What a user writes is held against a table: settings, arguments of spiders, files of sites, topics and schedules.

A table says of each name what its value may be. A mistake is one line: where it stands, the value, what is accepted.
"""

from __future__ import annotations

import math
from difflib import get_close_matches
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl import default_settings
from newscrawl.exceptions import MistakesError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

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
#: Settings that hold several words: a list, or a text in which commas part them.
_LISTS: Final = ("NEWSCRAWL_ALLOW_NETS", "NEWSCRAWL_BODY_FORMATS", "NEWSCRAWL_REPLAY")
#: Settings of Scrapy's that it reads as real numbers, though their defaults are whole ones, and those below zero.
_REAL: Final = ("_DELAY", "_TIMEOUT", "_JITTER", "_INTERVAL", "_SECONDS", "_CONCURRENCY")
_ANY_SIGN: Final = ("_PRIORITY", "_ADJUST", "_INDENT")
#: What Scrapy reads as true or false beside whole numbers.
_BOOLEANS: Final = ("True", "true", "False", "false")
_MOST_NAMES: Final = 3
#: difflib's ratio of a name that may have been meant, over what follows the prefix. 0..1.
_LIKE: Final = 0.7


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
        if kind is not None and kind.read(values[name]) is None:
            yield f"{name} is {values[name]!r}; accepted: {kind.accepted}"


def check_scrapy_settings(values: Mapping[str, object], defaults: Mapping[str, object]) -> None:
    """Refuse numbers and switches of Scrapy's own that it could not read: it would say so in a traceback.

    :param defaults: Scrapy's; the kind of a default is the kind that is accepted. Others are not checked.
    :raises MistakesError: a line for each value.
    """
    kinds = {name: _scrapys_kind(name, defaults[name]) for name in sorted(defaults.keys() & values)}
    _refuse(
        f"{name} is {values[name]!r}; accepted: {kind.accepted}"
        for name, kind in kinds.items()
        if kind is not None and values[name] is not None and kind.read(values[name]) is None
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


def _own_kind(name: str, default: object) -> ValueKind | None:
    """Return what a setting of ours takes; None where no kind is known."""
    if name in _CHOICES:
        words = _CHOICES[name]
        return ValueKind(", ".join(words), lambda value: value if str(value) in words else None)
    if isinstance(default, bool):
        return _number_in(int, is_switch=True)
    if isinstance(default, str):
        return _LIST if name in _LISTS else _TEXT
    if not isinstance(default, int | float):
        return None
    is_real = isinstance(default, float) or name.endswith("_SECONDS")
    return _number_in(float if is_real else int, *_RANGES.get(name, (0, math.inf)))


def _scrapys_kind(name: str, default: object) -> ValueKind | None:
    least = -math.inf if name.endswith(_ANY_SIGN) else 0
    if isinstance(default, bool) or name.endswith("_ENABLED"):  # TELNETCONSOLE_ENABLED is 1
        return _number_in(int, -math.inf, is_switch=True)
    if not isinstance(default, int | float):
        return None
    return _number_in(float if isinstance(default, float) or name.endswith(_REAL) else int, least)


def _number_in(
    read: Callable[[Any], float], least: float = 0, most: float = math.inf, *, is_switch: bool = False
) -> ValueKind:
    """Return the kind of the numbers in a range, as a setting or the command line spells them.

    :param is_switch: the setting is a switch, which numbers turn on and off too.
    """
    upper = f" to {most:g}" if most < math.inf else f" up, {MOST:g} at most"
    what = "a whole number" if read is int else "a number"
    accepted = what if least == -math.inf else f"{what} from {least:g}{upper}"

    def taken(value: Any) -> float | None:
        if is_switch and value in _BOOLEANS:
            return True
        try:
            number = read(value)
        except (TypeError, ValueError, OverflowError):
            return None
        return number if least <= number <= most and abs(number) <= MOST else None

    return ValueKind("True or False" if is_switch else accepted, taken)


class ValueKind(NamedTuple):
    """What a value may be."""

    accepted: str
    """For people, behind the value."""
    read: Callable[[Any], Any]
    """Gives the value as it is used; None, or a ValueError that says why, for one that is not accepted."""
    each: ValueKind | None = None
    """What each entry of a list is, and each value of a table whose names are free."""
    names: ValueKind | None = None
    """What such names are."""
    table: Mapping[str, ValueKind] | None = None
    """What stands in a table, by name."""
    required: Collection[str] = ()


def text(accepted: str = "a string", takes: Callable[[str], object] = lambda _text: True) -> ValueKind:
    """Return the kind of the strings that a function takes."""
    return ValueKind(accepted, lambda value: value if isinstance(value, str) and takes(value) else None)


def number(accepted: str, takes: Callable[[float], object]) -> ValueKind:
    """Return the kind of the numbers that a function takes."""
    is_number = (int, float)
    return ValueKind(accepted, lambda value: value if type(value) in is_number and takes(value) else None)


def each_of(each: ValueKind, accepted: str = "a list of strings") -> ValueKind:
    """Return the kind of the lists of entries of one kind."""
    return ValueKind(accepted, lambda value: value if isinstance(value, list) else None, each=each)


def table(accepted: str = "a table", **kinds: Any) -> ValueKind:
    """Return the kind of tables: ``table``, ``each``, ``names``, ``required`` are those of :class:`ValueKind`."""
    return ValueKind(accepted, lambda value: value if isinstance(value, dict) else None, **kinds)


SWITCH: Final = ValueKind("true or false", lambda value: value if isinstance(value, bool) else None)


def mistakes(value: object, kind: ValueKind, place: str = "") -> Iterator[str]:
    """Yield a line for each mistake in a value, and in what it holds.

    >>> list(mistakes({"feeds": ["x", 1]}, table(table={"feeds": each_of(text())})))
    ['feeds, entry 2 = 1; accepted: a string']
    """
    if (why := _refusal(value, kind)) is not None:
        yield f"{place} = {value!r}; accepted: {why}"
    elif isinstance(value, list) and kind.each is not None:
        for n, entry in enumerate(value, 1):
            yield from mistakes(entry, kind.each, f"{place}, entry {n}")
    elif isinstance(value, dict):
        yield from _mistakes_within(value, kind, place)


def _mistakes_within(values: dict[str, Any], kind: ValueKind, place: str) -> Iterator[str]:
    known = kind.table or {}
    for name in kind.required:
        if not values.get(name):
            yield f"{_within(place, name)} is missing; accepted: {known[name].accepted}"
    for name, value in values.items():
        at = _within(place, name)
        one = kind.each if kind.table is None else known.get(name)
        if one is None:
            yield f"{at} is not a key; accepted: {', '.join(sorted(known))}"
            continue
        if kind.names is not None and (why := _refusal(name, kind.names)) is not None:
            yield f"{at} is no name; accepted: {why}"
        yield from mistakes(value, one, at)


def _within(place: str, name: str) -> str:
    return f"{place}{': ' if ', entry ' in place else '.' if place else ''}{name}"


def _refusal(value: object, kind: ValueKind) -> str | None:
    """Return what is accepted in the place of a value, with what is wrong where that is known; None for a good one."""
    try:
        return kind.accepted if kind.read(value) is None else None
    except ValueError as error:
        return f"{kind.accepted} ({error})"


def read_values(values: Mapping[str, str], kinds: Mapping[str, ValueKind]) -> dict[str, Any]:
    """Return what the values mean, by name; names that are in no table are left out.

    :raises UserError: for the first value that is not accepted.
    """
    for name, kind in kinds.items():
        for line in mistakes(values[name], kind, name) if name in values else ():
            raise UserError(line)
    return {name: kind.read(values[name]) for name, kind in kinds.items() if name in values}


def _is_text(value: object) -> bool:
    return isinstance(value, str | PathLike)


_TEXT: Final = ValueKind("a text", lambda value: "" if value is None else value if _is_text(value) else None)
_LIST: Final = ValueKind(
    "a list of texts, or a text with commas between them",
    lambda value: value if isinstance(value, list | tuple) and all(map(_is_text, value)) else _TEXT.read(value),
)
