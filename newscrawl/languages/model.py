"""A language's table: a frozen value, made of its file and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from newscrawl.languages.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Mapping

UNITS: Final = ("second", "minute", "hour", "day", "week", "month", "year")
_MONTHS: Final = (
    "months", "months_short", "months_other", "months_persian", "months_ethiopic", "months_nepali", "months_islamic",
    "months_hebrew",
)  # fmt: skip
_LONG_YEARS: Final = frozenset(("months_ethiopic", "months_hebrew"))
"""Years of these calendars may have a thirteenth month."""
_LISTS: Final = (
    "weekdays", "weekdays_short", "today", "yesterday", "before_yesterday", "now", "am", "pm", "frames", "calendars",
    "forms",
)  # fmt: skip
_COUNTED: Final = ("ago", "one_ago", "two_ago", "units")
_TEXTS: Final = ("name", "locales", "digits", "in_month", "charsets", "letters")
_MAPS: Final = ("numbers", "zones", "eras")
_SECTIONS: Final = frozenset(name.partition(".")[0] for name in GROUPS)
_CLDR: Final = "cldr"

Words = tuple[str, ...]
Parts = tuple["Mapping[str, Any]", "Mapping[str, Any]"]
"""What is written by hand, and what comes from CLDR."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """All that is known of one language. What its file leaves out is empty."""

    code: str
    """ISO 639-1, or 639-2 where that has none."""
    name: str
    """In English."""
    months: Mapping[str, tuple[Words, ...]]
    """Names of twelve months: ``months`` as dates write them, ``months_short``, ``months_other``, ``months_persian``"""
    weekdays: Words
    weekdays_short: Words
    days: Mapping[int, Words]
    """Days ago, 0 to 2, and the words for that day."""
    now: Words
    halves: Mapping[str, Words]
    """``am`` and ``pm``."""
    digits: str
    """Ten digits for each script with digits of its own."""
    frames: Words
    """How *ago* is said around a span of time, which is ``{}``."""
    counted: Mapping[str, Mapping[str, Words]]
    """Patterns of a number and a unit by ``ago``, ``one_ago``, ``two_ago``, ``units``, then by unit."""
    numbers: Mapping[str, float]
    """Word → number."""
    zones: Mapping[str, str]
    """Short name → offset, ``+01:00``, or the zone's name in IANA's data."""
    eras: Mapping[str, int]
    """Name of an era → the year of the Common Era before its first."""
    calendars: Words
    charsets: Words
    """Charsets of one byte a letter that its pages were written in before UTF-8, the usual one first."""
    letters: str
    """Its small letters beyond ASCII, the most frequent first."""
    in_month: str
    """A preposition that is written together with the month."""
    forms: Words
    """CLDR's patterns of a written date."""
    words: Mapping[str, Words]
    """Words by group, :data:`~newscrawl.languages.groups.GROUPS`."""


def language_of(code: str, table: Mapping[str, Any]) -> Language:
    """Return the language that a file's table describes.

    :raises ValueError: for a key that is not known, or a value of the wrong kind.
    """
    cldr = table.get(_CLDR, {})
    for key in (*table, *cldr):
        if key not in {*_MONTHS, *_LISTS, *_COUNTED, *_TEXTS, *_MAPS, *_SECTIONS, _CLDR}:
            raise ValueError(f"{code}.toml: unknown key {key!r}")
    both = (table, cldr)
    return Language(
        code=code,
        name=table.get("name", code),
        months={name: found for name in _MONTHS if any(found := _months(code, name, both))},
        weekdays=_merged("weekdays", both),
        weekdays_short=_merged("weekdays_short", both),
        days={n: _merged(name, both) for n, name in enumerate(("today", "yesterday", "before_yesterday"))},
        now=_merged("now", both),
        halves={half: _merged(half, both) for half in ("am", "pm")},
        digits=table.get("digits", "") + cldr.get("digits", ""),
        frames=_merged("frames", both),
        counted={kind: _by_unit(code, kind, both) for kind in _COUNTED},
        numbers={word: float(number) for number, said in _map("numbers", both).items() for word in listed(said)},
        zones=_map("zones", both),
        eras=_map("eras", both),
        calendars=_merged("calendars", both) or ("gregorian",),
        charsets=tuple(table.get("charsets", "").split()),
        letters=table.get("letters", ""),
        in_month=table.get("in_month", ""),
        forms=_merged("forms", both),
        words=_groups(code, table),
    )


def listed(words: str) -> Words:
    """Return the words of a list, which bars part.

    >>> listed("von | geschrieben von |")
    ('von', 'geschrieben von')
    """
    return tuple(filter(None, map(str.strip, words.split("|")))) if words else ()


def _merged(name: str, parts: Parts) -> Words:
    """Return the words of both parts, those written by hand first, each once."""
    own, cldr = (part.get(name, "") for part in parts)
    return tuple(dict.fromkeys((*listed(own), *listed(cldr)))) if own and cldr else listed(own or cldr)


def _map(name: str, parts: Parts) -> dict[str, Any]:
    return {key: value for part in reversed(parts) for key, value in part.get(name, {}).items()}


def _months(code: str, name: str, parts: Parts) -> tuple[Words, ...]:
    lists = [part[name] for part in parts if name in part]
    accepted = 13 if name in _LONG_YEARS else 12
    if any(len(months) != accepted for months in lists):
        raise ValueError(f"{code}.toml: {name} has {[len(months) for months in lists]} months; accepted: {accepted}")
    return tuple(listed("|".join(same)) for same in zip(*lists, strict=True))


def _by_unit(code: str, kind: str, parts: Parts) -> dict[str, Words]:
    own, cldr = (part.get(kind, {}) for part in parts)
    unknown = own.keys() - set(UNITS)
    if unknown:
        raise ValueError(f"{code}.toml: unknown unit {min(unknown)!r}; accepted: {', '.join(UNITS)}")
    return {unit: _merged(unit, (own, cldr)) for unit in UNITS if unit in own or unit in cldr}


def _groups(code: str, table: Mapping[str, Any]) -> dict[str, Words]:
    named = {f"{section}.{key}": value for section in _SECTIONS for key, value in table.get(section, {}).items()}
    unknown = named.keys() - GROUPS.keys()
    if unknown:
        raise ValueError(f"{code}.toml: unknown words {min(unknown)!r}; accepted: {', '.join(GROUPS)}")
    return {name: listed(value) for name, value in named.items()}
