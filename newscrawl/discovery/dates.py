"""Dates of feeds and sitemaps: machine-written, so only machine formats are read."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from email.utils import parsedate_to_datetime

_W3C = re.compile(
    r"""\s*(\d{4})-(\d\d?)-(\d\d?)
        (?:[T\s]\s*(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?\s*""",
    re.VERBOSE | re.IGNORECASE,
)


def parse_date(text: str | None) -> date | None:
    """Read a W3C or RFC 822 date; None for anything else.

    An aware ``datetime`` where a time is stated (UTC where no zone is), else a ``date``: the whole day.

    >>> parse_date("2024-03-05T10:20+08:00").isoformat(), parse_date("2024-03-05").isoformat()
    ('2024-03-05T10:20:00+08:00', '2024-03-05')
    """
    if not text:
        return None
    match = _W3C.fullmatch(text)
    try:
        if match is None:
            moment = parsedate_to_datetime(text)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        day = date(int(match[1]), int(match[2]), int(match[3]))
        if match[4] is None:
            return day
        clock = time(int(match[4]), int(match[5]), int(match[6] or 0), tzinfo=_zone(match[7]))
        return datetime.combine(day, clock)
    except (ValueError, TypeError, OverflowError):
        return None


def _zone(text: str | None) -> timezone:
    if text is None or text[0] in "ZzUuGg":
        return UTC
    offset = timedelta(hours=int(text[1:3]), minutes=int(text[-2:]))
    return timezone(-offset if text[0] == "-" else offset)
