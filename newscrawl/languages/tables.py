"""The tables of languages: a frozen value each, made of its file and checked, when it is first asked for.

``NEWSCRAWL_LANGUAGES`` in the environment names a folder of further files; one of a code that is there replaces it.
Files are TOML, lines of words alone, which is read twenty times faster than TOML in general: all languages are read
where a page's language is not known. A file with anything else in it is left to :mod:`tomllib`.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.exceptions import UserError, did_you_mean
from newscrawl.languages.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable


UNITS: Final = ("second", "minute", "hour", "day", "week", "month", "year")
_MONTHS: Final = (
    "months", "months_short", "months_other", "months_persian", "months_ethiopic", "months_nepali", "months_islamic",
    "months_hebrew",
)  # fmt: skip
_LONG_YEARS: Final = frozenset(("months_ethiopic", "months_hebrew"))
"""Years of these calendars may have a thirteenth month."""
_LISTS: Final = (
    "weekdays", "weekdays_short", "today", "yesterday", "before_yesterday", "now", "am", "pm", "frames", "calendars",
    "forms", "places",
)  # fmt: skip
_COUNTED: Final = ("ago", "one_ago", "two_ago", "units")
_TEXTS: Final = ("name", "home", "locales", "digits", "in_month", "charsets", "letters")
_MAPS: Final = ("numbers", "zones", "eras")
_SECTIONS: Final = frozenset(name.partition(".")[0] for name in GROUPS)
_CLDR: Final = "cldr"
_KINDS: Final = {
    **dict.fromkeys(_MONTHS, (list, "a list of names, one a month")),
    **dict.fromkeys((*_LISTS, *_TEXTS), (str, "a text; bars part its words")),
    **dict.fromkeys((*_COUNTED, *_MAPS, *_SECTIONS, _CLDR), (dict, "a table")),
}
"""Key → what its value is, and how that is said."""

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
    home: str
    """Domain of the country in which most of its news is written; ``""`` where there are several."""
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
    places: Words
    """Countries and cities whose names have as many words as a person's."""
    words: Mapping[str, Words]
    """Words by group, :data:`~newscrawl.languages.groups.GROUPS`."""

    def named_months(self, *kinds: str) -> Iterator[tuple[int, str]]:
        """Yield the numbers and names of months in some of the lists of ``months``, one list after the other."""
        for kind in kinds:
            for number, names in enumerate(self.months.get(kind, ()), start=1):
                yield from ((number, name) for name in names)


def language_of(code: str, table: Mapping[str, Any]) -> Language:
    """Return the language that a file's table describes.

    :raises ValueError: for a key that is not known, or a wrong number of months.
    :raises TypeError: for a value of the wrong kind.
    """
    cldr = table.get(_CLDR, {})
    for key, value in (*table.items(), *cldr.items()):
        if key not in _KINDS:
            raise _unknown("key", key, _KINDS)
        if not isinstance(value, _KINDS[key][0]):
            raise TypeError(f"{key} = {value!r}; accepted: {_KINDS[key][1]}")
    both = (table, cldr)
    return Language(
        code=code,
        name=table.get("name", code),
        home=table.get("home", ""),
        months={name: found for name in _MONTHS if any(found := _months(name, both))},
        weekdays=_merged("weekdays", both),
        weekdays_short=_merged("weekdays_short", both),
        days={n: _merged(name, both) for n, name in enumerate(("today", "yesterday", "before_yesterday"))},
        now=_merged("now", both),
        halves={half: _merged(half, both) for half in ("am", "pm")},
        digits=table.get("digits", "") + cldr.get("digits", ""),
        frames=_merged("frames", both),
        counted={kind: _by_unit(kind, both) for kind in _COUNTED},
        numbers={word: float(number) for number, said in _map("numbers", both).items() for word in split_words(said)},
        zones=_map("zones", both),
        eras=_map("eras", both),
        calendars=_merged("calendars", both) or ("gregorian",),
        charsets=tuple(table.get("charsets", "").split()),
        letters=table.get("letters", ""),
        in_month=table.get("in_month", ""),
        forms=_merged("forms", both),
        places=_merged("places", both),
        words=_groups(table),
    )


def _unknown(what: str, name: str, known: Iterable[str]) -> ValueError:
    """Return the refusal of a name, with those like it."""
    return ValueError("; ".join(filter(None, (f"unknown {what} {name!r}", did_you_mean(name, known, most=3)))))


def split_words(words: str) -> Words:
    """Return the words of a list, which bars part.

    >>> split_words("von | geschrieben von |")
    ('von', 'geschrieben von')
    """
    return tuple(filter(None, map(str.strip, words.split("|")))) if words else ()


def _merged(name: str, parts: Parts) -> Words:
    """Return the words of both parts, those written by hand first, each once."""
    own, cldr = (part.get(name, "") for part in parts)
    return tuple(dict.fromkeys((*split_words(own), *split_words(cldr)))) if own and cldr else split_words(own or cldr)


def _map(name: str, parts: Parts) -> dict[str, Any]:
    return {key: value for part in reversed(parts) for key, value in part.get(name, {}).items()}


def _months(name: str, parts: Parts) -> tuple[Words, ...]:
    lists = [part[name] for part in parts if name in part]
    accepted = 13 if name in _LONG_YEARS else 12
    if any(len(months) != accepted for months in lists):
        raise ValueError(f"{name} has {[len(months) for months in lists]} months; accepted: {accepted}")
    return tuple(split_words("|".join(same)) for same in zip(*lists, strict=True))


def _by_unit(kind: str, parts: Parts) -> dict[str, Words]:
    own, cldr = (part.get(kind, {}) for part in parts)
    unknown = own.keys() - set(UNITS)
    if unknown:
        raise ValueError(f"unknown unit {min(unknown)!r}; accepted: {', '.join(UNITS)}")
    return {unit: _merged(unit, (own, cldr)) for unit in UNITS if unit in own or unit in cldr}


def _groups(table: Mapping[str, Any]) -> dict[str, Words]:
    named = {f"{section}.{key}": value for section in _SECTIONS for key, value in table.get(section, {}).items()}
    unknown = named.keys() - GROUPS.keys()
    if unknown:
        raise _unknown("words", min(unknown), GROUPS)
    for name, value in named.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} = {value!r}; accepted: {_KINDS['forms'][1]}")
    return {name: split_words(value) for name, value in named.items()}


_LINE: Final = re.compile(
    r"""
    \[ (?P<table> \w+ (?: \.\w+ )? ) \]
    | (?P<key> [\w-]+ | "[^"\\\n]+" ) \ =\ (?:
        '''\n? (?P<lines> (?s:.*?) ) '''
        | \"\"\"\n? (?P<block> [^"\\]* ) \"\"\"
        | '(?P<text> [^'\n]* )'
        | "(?P<quoted> [^"\\\n]* )"
        | \[ (?P<list> (?: (?: '[^'\n]*' | "[^"\\\n]*" ) (?: ,\  )? )* ) \]
        | (?P<number> -?\d+ )
    )
    | \#[^\n]*
    |
    """,
    re.VERBOSE,
)
_ITEM: Final = re.compile(r"""'([^']*)'|"([^"]*)\"""")


def read_toml(text: str) -> dict[str, Any]:
    r"""Return what a file says.

    :raises tomllib.TOMLDecodeError: for what is no TOML.

    >>> read_toml("name = 'German'\n[links]\nnext = 'weiter | nächste'\n")
    {'name': 'German', 'links': {'next': 'weiter | nächste'}}
    """
    found: dict[str, Any] = {}
    table = found
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        at = line.end() + 1 if line is not None else at
        if line is None or (at <= len(text) and text[at - 1] != "\n"):
            return tomllib.loads(text)
        kind = line.lastgroup
        if kind == "table":
            table = found
            for name in line["table"].split("."):
                table = table.setdefault(name, {})
        elif kind is not None:
            table[line["key"].strip('"')] = _value(kind, line[kind])
    return found


def _value(kind: str, written: str) -> Any:
    if kind == "number":
        return int(written)
    return [one or other for one, other in _ITEM.findall(written)] if kind == "list" else written


FOLDER_VARIABLE: Final = "NEWSCRAWL_LANGUAGES"
_SUFFIX: Final = ".toml"
_FIRST: Final = """
en de fr es pt it nl sv da no ru uk bg pl cs sk hr sr sl hu ro tr id ms el fi is lt lv et sq ca sw be mk kk az
uz gl af tl ka hy mr ar fa he ur hi bn
""".split()
"""Languages whose meaning of a word counts before that of others; the rest follows by code."""
_OTHER_CODES: Final = {
    "nb": "no",
    "nn": "no",
    "fil": "tl",
    "iw": "he",
    "in": "id",
    "prs": "fa",
    "yue": "zh",
    "cmn": "zh",
}


@cache
def _files() -> Mapping[str, Traversable]:
    """Return code → file, those of the user's folder last."""
    own = os.environ.get(FOLDER_VARIABLE)
    folders: list[Traversable] = [files(__package__), *([Path(own)] if own else [])]
    if own and not Path(own).is_dir():
        raise UserError(f"{FOLDER_VARIABLE}={own!r}: no such folder; accepted: a folder of files CODE.toml")
    found = {file.name: file for folder in folders for file in folder.iterdir() if file.name.endswith(_SUFFIX)}
    return {name.removesuffix(_SUFFIX): found[name] for name in sorted(found)}


@cache
def language(code: str | None) -> Language | None:
    """Return the table of a language, None for one without a file.

    :raises UserError: the file cannot be read, or does not have the form of one.
    """
    name = _OTHER_CODES.get(code or "", code or "")
    file = _files().get(name)
    if file is None:
        return None
    try:
        return language_of(name, read_toml(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise UserError(f"{file}: {error}; docs/languages.md has the form") from error


def check_own_languages() -> None:
    """Read the languages of the user's folder, if there is one.

    :raises UserError: the folder is missing, or a file in it does not have the form of one.
    """
    if os.environ.get(FOLDER_VARIABLE):
        languages()


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages, those first whose meaning of a word counts first."""
    codes = [code for code in _FIRST if code in _files()]
    codes += [code for code in _files() if code not in codes]
    return tuple(table for code in codes if (table := language(code)) is not None)


def first_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose meaning of a word counts first."""
    return tuple(_FIRST)


@cache
def words(group: str) -> tuple[str, ...]:
    """Return the words of a group in all languages, each once."""
    return tuple(dict.fromkeys(word for table in languages() for word in table.words.get(group, ())))
