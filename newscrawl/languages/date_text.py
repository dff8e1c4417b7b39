"""Dates written in text, found by pattern: ISO, Chinese, Japanese and Korean, numeric, and with month names.

A language's own forms of dates are those that CLDR has: ``y. 'gada' d. MMMM``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.languages.calendars import BUDDHIST_ERA, counted_days, other_days
from newscrawl.languages.date_parts import (
    MONTH_LETTER,
    Clock,
    clock_beside,
    many_worded,
    moment_of,
    month_number,
    names_of,
)
from newscrawl.languages.patterns import WordPattern, alternatives, fold_case
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from newscrawl.languages.tables import Language


_FIELD: Final = re.compile(r"'([^']*)'|(E+|M+|L+|y+|d+)|([^'EMLyd]+)")
_NUMBERED: Final = r"(?<!\d)(?P<M>\d{1,2})(?!\d)"
_USUAL: Final = re.compile(r"(?:^|[^M])M{1,2}[./-]")
"""A month's number before one of the usual separators."""
_PARTS: Final = {"y": r"(?P<y>(?:19|20)\d\d)", "d": r"(?<!\d)(?P<d>\d{1,2})(?!\d)"}


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    numbers: dict[str, int]


@cache
def _forms(table: Language) -> tuple[_Form, ...]:
    """Return the forms with a month's name, or its number between spaces, each once."""
    numbers = {name: number for number, name in names_of(table)}
    folded = {fold_case(name): number for name, number in numbers.items()}
    sources = dict.fromkeys(source for form in table.forms if (source := _pattern(form, numbers)))
    return tuple(_Form(re.compile(source, re.IGNORECASE), folded) for source in sources)


def _pattern(form: str, numbers: dict[str, int]) -> str | None:
    """Return the regular expression of a form without its weekday, None for one that the usual patterns read."""
    if ("MMM" in form and not numbers) or _USUAL.search(form):
        return None
    parts: list[str] = []
    for quoted, field, other in _FIELD.findall(form):
        if field:
            parts.append(_part(field, numbers))
        elif quoted or parts or other.strip():
            parts.append(_literal(quoted or other))
    while parts and "(?P" not in parts[0]:
        parts.pop(0)
    while parts and "(?P" not in parts[-1]:
        parts.pop()
    source = "".join(parts)
    return source if all(f"(?P<{name}>" in source for name in "yMd") else None


def _part(field: str, numbers: dict[str, int]) -> str:
    if field[0] in "ML":
        if len(field) < len("MMM"):
            return _NUMBERED
        return f"(?P<M>{alternatives((f'*{name}' for name in numbers), may_go_on=True)})"
    return _PARTS.get(field[0], "")


def _literal(text: str) -> str:
    return r"\s{0,2}".join(map(re.escape, text.split())).join(
        (r"\s{0,2}" if text[:1].isspace() else "", r"\s{0,2}" if text[-1:].isspace() and text.strip() else "")
    )


FIRST_YEAR: Final = 1990
"""No news page is older; smaller years are history told in the text."""
LAST_YEAR: Final = 2099


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date found in a text."""

    moment: datetime
    """Aware only if the text states a zone; 00:00 where it states no time."""
    has_time: bool
    start: int
    end: int


_YMD: Final = WordPattern(
    r"(?<!\d)((?:19|20)\d\d)(?:\s?{~dates.year}\s?(?:[（(]\w{2,6}[)）]\s?)?|\s?([-/.])\s?)(\d{1,2})(?:\s?{~dates.month}\s?"
    r"|\s?\2\s?)(\d{1,2})(?!\d)\s?{~dates.day}?\.?"
)
_DMY: Final = re.compile(r"(?<![\d.,/-])(\d{1,2})\s?([./|-])\s?(\d{1,2})\s?\2\s?((?:19|20)\d\d|\d\d)(?!\d|[,./-]\d)")
_WORD: Final = rf"({MONTH_LETTER}{{2,16}}\.?)"
_DIGIT: Final = re.compile(r"\d")
_BUDDHIST_STAMP: Final = re.compile(r"^2[456]\d\d(?=-\d\d-\d\d)")
"""The year of a time stamp by the calendar of Thailand."""
_CLOCK_INSIDE: Final = re.compile(r"\s\d\d:\d\d(?::\d\d)?\s")
"""A time of day between day and year: ``Jun 05 14:30:00 CST 2024``."""
_HAN_YEAR: Final = WordPattern("[〇零]|[一二三四五六七八九元]{~zh:dates.year}[一二三四五六七八九十]")
_HEBREW_YEAR: Final = re.compile('ת[א-ת]{1,3}[״"][א-ת]')
_FULL_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_LETTER_DAY: Final = WordPattern(rf"{MONTH_LETTER}\.?[\s\-]{{1,2}}\d{{1,2}}{{~dates.ordinals}}?[\s,၊\-]")
"""A part of every date of ``_MONTH_D_Y``. It is looked for first, because that pattern tries every letter of a word."""
_D_MONTH_Y: Final = WordPattern(
    rf"(?<!\d)(\d{{1,2}})(?:{{~dates.ordinals}}|º|ª)?[\s.,/\-]{{0,3}}(?:{{dates.of}}\s?)?(?:[^\W\d_]{{3,10}}\s/\s)?{_WORD}"
    r"(?:\s?/\s?[^\W\d_]{3,10})?(?:[\s.,،/\-]{1,3}|\s{dates.of}\s)(?:{~km:dates.before_year}\s?)?((?:19|20)\d\d)(?!\d)"
)
_MONTH_D_Y: Final = WordPattern(
    rf"{_WORD}[\s\-]{{1,2}}(\d{{1,2}}){{~dates.ordinals}}?(?:[\s,၊\-]{{1,3}}|\s+\d\d:\d\d(?::\d\d)?\s+(?:[A-Z+\d:]{{1,9}}\s)?)"
    r"((?:19|20)\d\d)(?!\d)"
)
_Y_MONTH_D: Final = WordPattern(
    rf"(?<!\d)((?:19|20)\d\d)[\s.,\-]{{1,3}}(?:{{dates.year_after}}\s)?{_WORD}[\s.\-]{{1,2}}(\d{{1,2}})(?!\d)"
)
_NAMED: Final = ((_D_MONTH_Y, (3, 2, 1)), (_MONTH_D_Y, (3, 1, 2)), (_Y_MONTH_D, (1, 2, 3)))
"""Patterns with a month's name, and their groups of year, month and day."""
_NO_YEAR: Final = WordPattern(
    r"(?<![\d/-])(?:(\d\d)-)?(\d{1,2})(?:-|{~dates.month}|/(?=\d{1,2}\s?[(（][月火水木金土日]))(\d{1,2}){~dates.day}?"
    r"(?:\s?[(（][月火水木金土日][)）]\s*|\s+)([01]?\d|2[0-3]):([0-5]\d)(?!\d)"
)
"""With a slash only before a Japanese weekday, which tells that the month comes first: ``11/23(月) 22:15``."""
_COMPACT: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?(\d\d)(\d\d)(\d\d)?)?(?!\d)"
)
_WIDE: Final = {0xFF10 + digit: ord("0") + digit for digit in range(10)} | {
    ord("："): ":",
    ord("／"): "/",
    ord("－"): "-",
}
_MARKS: Final = dict.fromkeys((0xA0, 0x202F, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C), " ")
"""Spaces that do not break, and marks of writing direction, stand between the parts of a date."""


@cache
def _ascii_digits() -> dict[int, str | int]:
    """Return digits of all scripts → ASCII, full-width marks too; lengths stay the same."""
    return {ord(digit): str(n % 10) for table in languages() for n, digit in enumerate(table.digits)} | _WIDE | _MARKS


def in_ascii_digits(text: str) -> str:
    """Return the text with the digits of all scripts written as 0 to 9.

    >>> in_ascii_digits("٥ يونيو ２０２４")
    '5 يونيو 2024'
    """
    return text if text.isascii() else text.translate(_ascii_digits())


def parse_stamp(
    text: str, language: str | None = None, *, day_first: bool = True, home: tzinfo | None = None
) -> tuple[datetime, bool] | None:
    """Return the moment that a machine-readable field states, and whether it states a time of day.

    It is a time stamp of ISO 8601 or Unix, a date in any form of :func:`find_dates`, or all in digits.
    """
    stamp = _BUDDHIST_STAMP.sub(lambda year: str(int(year[0]) - BUDDHIST_ERA), text.strip(), count=1)
    if stamp.isascii() and stamp.isdigit() and len(stamp) in {10, 13}:
        seconds = int(stamp) / (1000 if len(stamp) == 13 else 1)
        return datetime.fromtimestamp(seconds, UTC), True
    with suppress(ValueError):
        moment = datetime.fromisoformat(stamp)
        if FIRST_YEAR <= moment.year <= LAST_YEAR:
            return moment, len(stamp) > len("2024-03-05")
    found = next(find_dates(text[:100], language, day_first=day_first, home=home), None)
    if found is not None:
        return found.moment, found.has_time
    match = _COMPACT.search(text[:40])
    day = make_date(int(match[1]), int(match[2]), int(match[3])) if match is not None else None
    if match is None or day is None:
        return None
    clock = (int(match[4] or 0), int(match[5] or 0), int(match[6] or 0))
    moment = moment_of(day, Clock(*(clock if clock <= (23, 59, 59) else (0, 0, 0)), None, 0))
    return moment, bool(match[4])


def find_dates(
    text: str, language: str | None = None, *, day_first: bool = True, home: tzinfo | None = None
) -> Iterator[FoundDate]:
    """Yield the full dates (day, month, year) of ``text`` from left to right, with the time of day beside them.

    :param language: decides between equal month names, and what calendar dates in digits are of; ISO 639-1.
    :param day_first: whether ``03/05/2024`` is the third of May; a number above 12 decides by itself.
    :param home: the site's zone, whose own names count first where a text names a zone.
    """
    return iter(_found_dates(text, language, day_first, home)) if may_have_date(text) else iter(())


def may_have_date(text: str) -> bool:
    """Tell whether a text holds a digit, a year in Chinese numerals, or one in Hebrew letters."""
    if _DIGIT.search(text) is not None:
        return True
    return not text.isascii() and (_HAN_YEAR.search(text) is not None or _HEBREW_YEAR.search(text) is not None)


@lru_cache(maxsize=2048)
def _found_dates(
    text: str,
    language: str | None,
    day_first: bool,  # noqa: FBT001
    home: tzinfo | None,
) -> tuple[FoundDate, ...]:
    """Remember the dates of a text: several facts are looked for in the same lines."""
    text = in_ascii_digits(text)
    taken = -1
    dates = []
    days = list(_days(text, language, day_first=day_first))
    if not days and not text.isascii():
        days = [found for found in counted_days(text) if FIRST_YEAR <= found[2].year <= LAST_YEAR]
    for start, end, day in sorted(days, key=lambda found: (found[0], -found[1])):
        if start >= taken:
            inside = _CLOCK_INSIDE.search(text, start, end)
            at = (start, end) if inside is None else (inside.start(), inside.start())
            clock = clock_beside(text, *at, language, home)
            taken = max(end, clock.end) if clock is not None else end
            dates.append(FoundDate(moment_of(day, clock), clock is not None, start, taken))
    return tuple(dates)


def _days(text: str, code: str | None, *, day_first: bool) -> Iterator[tuple[int, int, date]]:
    """Yield start, end and day of dates: of other calendars, in digits, with a month's name, in the language's form."""
    for start, end, *parts in other_days(text, code):
        if day := make_date(*parts):
            yield start, end, day
    has_year = _FULL_YEAR.search(text) is not None
    for match in _YMD.finditer(text) if has_year else ():
        if day := make_date(int(match[1]), int(match[3]), int(match[4])):
            yield *match.span(), day
    for match in _DMY.finditer(text):
        if day := _numeric(match, code, day_first=day_first):
            yield *match.span(), day
    if has_year:
        yield from _named_days(text, code)
        table = language(code)
        for pattern, numbers in _forms(table) if table is not None else ():
            for match in pattern.finditer(text):
                said = fold_case(match["M"])
                month = int(said) if said.isdigit() else numbers.get(said, 0)
                if day := make_date(int(match["y"]), month, int(match["d"])):
                    yield *match.span(), day


def _named_days(text: str, language: str | None) -> Iterator[tuple[int, int, date]]:
    for pattern, (year, month, number) in _NAMED:
        if pattern is _MONTH_D_Y and not _LETTER_DAY.search(text):
            continue
        for match in pattern.finditer(text):
            named = month_number(match[month], language)
            day = make_date(int(match[year]), named, int(match[number])) if named else None
            if day:
                yield *match.span(), day
    if text.isascii():
        return
    many_words, numbers = _many_worded()
    for match in many_words.finditer(text):
        if day := make_date(int(match[3]), numbers.get(fold_case(match[2]), 0), int(match[1])):
            yield *match.span(), day


@cache
def _many_worded() -> tuple[re.Pattern[str], dict[str, int]]:
    """Return the pattern of a day, a month of several words, maybe its other name, and a year."""
    names, numbers = many_worded()
    pattern = rf"(?<!\d)(\d{{1,2}})[\s.]{{0,2}}({names})(?:\s?[/-]\s?\w{{3,8}})?[\s،,.]{{1,3}}((?:19|20)\d\d)(?!\d)"
    return re.compile(pattern, re.IGNORECASE), numbers


def _numeric(match: re.Match[str], code: str | None, *, day_first: bool) -> date | None:
    first, separator, second, year = int(match[1]), match[2], int(match[3]), int(match[4])
    if len(match[4]) == 2:
        if separator in "-|":
            return None  # scores and phone numbers
        if len(match[1]) == 2 and _is_year_first(code):
            return make_date(2000 + first, second, year)
        year += 2000
    if separator == ".":
        day_first = True  # no language writes month.day.year
    if first > 12 or (day_first and second <= 12):
        return make_date(year, second, first)
    return make_date(year, first, second)


@cache
def _is_year_first(code: str | None) -> bool:
    """Tell whether all forms of a language's dates begin with the year: ``25/06/12`` is in June."""
    table = language(code)
    return table is not None and bool(table.forms) and all(form.startswith("y") for form in table.forms)


def find_short_date(text: str, latest: datetime) -> FoundDate | None:
    """Return the first date without its century or its year (``03-05 10:20``): the last such day before ``latest``."""
    match = _NO_YEAR.search(text)
    if match is None:
        return None
    years = (2000 + int(match[1]),) if match[1] else (latest.year, latest.year - 1)
    for year in years:
        day = make_date(year, int(match[2]), int(match[3]))
        if day is not None and day <= latest.date():
            moment = moment_of(day, Clock(int(match[4]), int(match[5]), 0, None, 0))
            return FoundDate(moment, has_time=True, start=match.start(), end=match.end())
    return None


_CLOCK: Final = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
_PIECE: Final = re.compile(r"(?<!\d)(\d{4}|\d{1,2})(?!\d)(?=(\s?[-/.年년]?)(\s?[^\W\d]?))")


def pieced_day(text: str, code: str | None, *, day_first: bool = True) -> date | None:
    """Return the day whose year, month and day stand apart and in any order; None for other numbers.

    The month stands beside the year, or before a letter; a number above 12 is the day.

    >>> [pieced_day(text, "zh").isoformat() for text in ("24 2024-05", "05 / 24 2024", "24 05月 2024", "2024 5.24")]
    ['2024-05-24', '2024-05-24', '2024-05-24', '2024-05-24']
    """
    text = _CLOCK.sub(" ", in_ascii_digits(text))
    pieces = list(_PIECE.finditer(text))
    years = [piece for piece in pieces if len(piece[1]) == len("2024")]
    small = [piece for piece in pieces if len(piece[1]) <= len("12")]
    if len(years) != 1 or not 0 < len(small) < 3 or len(pieces) != len(re.findall(r"\d+", text)):
        return None
    year, first, last = years[0], small[0], small[-1]
    if first is last:
        name = re.sub(r"\d+", " ", text).strip(" ,/-|")
        return next((day for *_, day in _days(f"{first[1]} {name} {year[1]}", code, day_first=True)), None)
    one, two = int(first[1]), int(last[1])
    is_named = [bool(piece[3].strip()) for piece in (first, last)]
    if max(one, two) > MONTHS:
        is_month_first = two > MONTHS
    elif is_named[0] != is_named[1]:
        is_month_first = is_named[0]
    elif year[2].strip():  # a sign leads to the month
        is_month_first = year.end() + len(year[2]) <= first.start()
    else:
        is_month_first = year.start() < first.start() or not day_first
    return make_date(int(year[1]), *((one, two) if is_month_first else (two, one)))


MONTHS: Final = 12


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the day, or None where there is no such day or its year is no year of online news."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
