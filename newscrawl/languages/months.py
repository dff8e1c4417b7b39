"""Names of months and weekdays, looked up in the page's language first and then in all."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.patterns import WordPattern, alternatives, fold_case
from newscrawl.languages.tables import first_languages, language, languages
from newscrawl.languages.text import without_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.languages.tables import Language

_MIN_ABBREVIATION: Final = 3
_NAMES: Final = ("months", "months_short", "months_other")
_NUMBERED_MONTH: Final = WordPattern(r"[0-9一二三四五六七八九十]{0,3}{~dates.month}")
MONTH_LETTER: Final = r"(?:[^\W\d_]|(?!\d)[\u0900-\u0963\u0970-\u109f\u1780-\u17d3])"
"""Letters, and the vowel signs of scripts from India to Cambodia, which are none to regular expressions."""
_BEYOND_LATIN: Final = "\u0370"
_FIRST_IDEOGRAPH: Final = "\u3400"
_PLAIN: Final = re.compile(rf"{MONTH_LETTER}+\.?")


@lru_cache(maxsize=4096)
def month_number(word: str, code: str | None = None) -> int | None:
    """Return 1..12 for a month's name or its abbreviation of three letters or more, else None.

    The page's language decides where two languages use one word for different months; a word no language
    knows as a whole counts as an abbreviation only of a name it begins.

    >>> month_number("Sept."), month_number("août"), month_number("listopada", "hr"), month_number("Monday")
    (9, 8, 10, None)
    """
    folded = _fold(word)
    table = language(code)
    if table is not None and (number := _table(table).get(folded)):
        return number
    return _all_names().get(folded) or next(_behind_preposition(folded), None)


def _fold(word: str) -> str:
    return without_marks(word.casefold().strip(". "))


def _behind_preposition(folded: str) -> Iterator[int]:
    """Yield the month that a word names behind a preposition written together with it."""
    for prefix in _prepositions():
        if folded.startswith(prefix) and (number := _all_names().get(folded.removeprefix(prefix))):
            yield number


@cache
def _prepositions() -> tuple[str, ...]:
    return tuple(table.in_month for table in languages() if table.in_month)


@cache
def _table(table: Language) -> dict[str, int]:
    """Return the folded names and abbreviations of one language's months."""
    found = {_fold(name): number for number, name in names_of(table)}
    ambiguous: set[str] = set()
    begun: dict[str, int] = {}
    for number, name in table.named_months("months"):
        folded = _fold(name)
        for length in range(_MIN_ABBREVIATION, len(folded)):
            if begun.setdefault(folded[:length], number) != number:
                ambiguous.add(folded[:length])
    return {name: number for name, number in begun.items() if name not in ambiguous} | found


def names_of(table: Language) -> Iterator[tuple[int, str]]:
    """Yield a language's names of months with their numbers, those in full last."""
    yield from table.named_months(*reversed(_NAMES))


@cache
def _all_names() -> dict[str, int]:
    """Return the names of all languages; earlier languages win, and a name before what begins like one."""
    merged: dict[str, int] = {}
    for table in languages():
        own = _table(table)
        named = {folded: own[folded] for _, name in names_of(table) if (folded := _fold(name))}
        for name, number in (named | own).items():
            merged.setdefault(name, number)
    return merged


def is_date_word(word: str) -> bool:
    """Tell whether a word names a month or a weekday: in full in any language, or as English shortens it.

    Short forms of other languages are left out, for many are given names: *Sam* of *samedi*, *Mai*.

    >>> [is_date_word(word) for word in ("Thu", "Montag", "周四", "Sam", "Anna")]
    [True, True, True, False, False]
    """
    return _fold(word) in _full_names() or _NUMBERED_MONTH.fullmatch(word) is not None


@cache
def _full_names() -> frozenset[str]:
    """Return folded names in full; in Latin letters only of the languages that come first: others are given names."""
    first = set(first_languages())
    found = {word for table in languages() for word in _in_full(table) if table.code in first or not _is_latin(word)}
    english = language("en")
    return frozenset(map(_fold, (*found, *(_shortened(english) if english is not None else ()))))


def _is_latin(word: str) -> bool:
    return word[0] < _BEYOND_LATIN


def _in_full(table: Language) -> Iterator[str]:
    """Yield a language's months and weekdays in full that are one word of more than one letter."""
    weekdays = (part for day in table.weekdays for part in day.split("-"))
    short = (day for day in table.weekdays_short if day[0] >= _FIRST_IDEOGRAPH)  # these are no less clear
    months = (name for _, name in table.named_months("months"))
    yield from (word for word in (*months, *weekdays, *short) if " " not in word and len(word) > 1)


def _shortened(table: Language) -> Iterator[str]:
    yield from (name for _, name in table.named_months("months_short", "months_other"))
    yield from (*table.weekdays_short, *table.halves["am"], *table.halves["pm"], "gmt", "utc")


@cache
def many_worded() -> tuple[str, dict[str, int]]:
    """Return a pattern of the names that are no single word, as *тавдугаар сар*, and the names with their numbers."""
    numbers: dict[str, int] = {}
    for table in languages():
        for number, name in names_of(table):
            if not _PLAIN.fullmatch(name) and len(name) > _MIN_ABBREVIATION:
                numbers.setdefault(name.lower(), number)
    return alternatives(numbers), {fold_case(name): number for name, number in numbers.items()}
