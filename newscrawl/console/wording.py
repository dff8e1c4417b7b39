"""How values are written, by people and for them: numbers of things, lists, spans of time, moments."""

from __future__ import annotations

import logging
import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from newscrawl.exceptions import UserError, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo


#: What a span looks like, for messages.
ACCEPTED_AGE = "30m, 12h, 3d, 2w"
ACCEPTED_MOMENT = f"a day 2024-03-05, a time 2024-03-05T10:20, or an age: {ACCEPTED_AGE}"
ACCEPTED_PERIOD = "a year 2019, a month 2019-05 or a day 2019-05-12"
_PERIOD = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_AGE = re.compile(r"(\d{1,5})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def quantity(n: int, one: str, many: str | None = None) -> str:
    """Return a number with the noun of what it counts.

    >>> quantity(1, "copy", "copies"), quantity(1200, "line")
    ('1 copy', '1,200 lines')
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


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


def parse_age(text: str) -> timedelta | None:
    """Return the span; None for what is none.

    >>> parse_age("90m"), parse_age("1 week")
    (datetime.timedelta(seconds=5400), None)
    """
    match = _AGE.fullmatch(text.strip())
    return timedelta(**{_UNITS[match[2]]: int(match[1])}) if match else None


def parse_moment(text: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the aware moment that a day, a time or an age means; None for what is none of them."""
    age = parse_age(text)
    try:
        if age is not None:
            return now - age
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return datetime.combine(date.fromisoformat(text), time.min, tzinfo=zone)
        if not re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", text):
            return None
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def parse_period(text: str, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """Return the first moment of a year, a month or a day, and that after its last; None for what is none of them.

    >>> [str(moment)[:10] for moment in parse_period("2019-12", UTC)]
    ['2019-12-01', '2020-01-01']
    """
    match = _PERIOD.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    try:
        first = date(year, month, day)
        if match[3]:
            after = first + timedelta(days=1)
        elif match[2]:
            after = date(year + month // 12, month % 12 + 1, 1)
        else:
            after = date(year + 1, 1, 1)
        return datetime.combine(first, time.min, tzinfo=zone), datetime.combine(after, time.min, tzinfo=zone)
    except (ValueError, OverflowError):
        return None


def parse_option_moment(text: str | None, option: str) -> datetime | None:
    """Return the moment that an option names, None where it is not given."""
    if text is None:
        return None
    moment = parse_moment(text.strip(), datetime.now(UTC), UTC)
    if moment is None:
        raise UserError(f"{option} {text!r} is not accepted; give {ACCEPTED_MOMENT}")
    return moment


def show_age(span: timedelta) -> str:
    """Return the span in its largest whole unit.

    >>> show_age(timedelta(hours=36)), show_age(timedelta(seconds=90)), show_age(timedelta())
    ('36h', '1m', '0m')
    """
    minutes = int(span.total_seconds() // 60)
    for letter, size in (("w", 7 * 24 * 60), ("d", 24 * 60), ("h", 60)):
        if minutes and minutes % size == 0:
            return f"{minutes // size}{letter}"
    return f"{minutes}m"


class ShortRecord(logging.LogRecord):
    """A line of the log in which no address goes on for pages."""

    def getMessage(self) -> str:  # noqa: N802 (of logging)
        return shorten(super().getMessage())
