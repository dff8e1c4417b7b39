"""Dates as pages write them: read for machines or for readers, and checked against the fetch."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.languages.date_text import find_dates, find_short_date, make_date, parse_stamp
from newscrawl.languages.relative import find_relative, resolve_relative
from newscrawl.urls.shape import NUMBERED_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TOLERANCE: Final = timedelta(minutes=15)
"""Clocks of servers differ by this much; a date further in the future of the fetch is wrong."""
MAX_ZONE_ERROR: Final = timedelta(hours=14)
"""A time without a zone may look this far in the future where the assumed zone is wrong."""
MAX_HOURS_WEST: Final = 8
"""Hours west of UTC, those of America, where only the day that readers are shown tells the zone."""
_URL_DATE: Final = (
    re.compile(r"(?<!\d)(20\d\d|199\d)[/_.-](0?[1-9]|1[0-2])[/_.-](0?[1-9]|[12]\d|3[01])(?!\d|"
               + NUMBERED_WORDS + ")"),
    re.compile(r"(?<!\d)(20\d\d)[/_-]?(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d{1,3}(?:\D|$)|"
               + NUMBERED_WORDS + ")"),
    re.compile(r"(?<!\d)(20\d\d)(0[1-9]|1[0-2])[/_-](0[1-9]|[12]\d|3[01])(?!\d|" + NUMBERED_WORDS + ")"),
    re.compile(r"(?<!\d)(?P<d>0?[1-9]|[12]\d|3[01])[-_.](?P<m>0?[1-9]|1[0-2])[-_.](?P<y>20\d\d)(?!\d)"),
    re.compile(r"/(\d\d)/(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])/"),
)  # fmt: skip
_QUARTER: Final = timedelta(minutes=15)
_HOUR: Final = timedelta(hours=1)
RELATIVE_CHARS: Final = 80
"""Characters of a line in which a date without a year, or one relative to the fetch, is looked for."""
_MAX_RAW: Final = 100


@dataclass(frozen=True, slots=True)
class Dated:
    """A moment, how it was written, and where."""

    moment: datetime
    """Aware."""
    raw: str
    origin: str
    has_time: bool
    is_guessed: bool = False
    """True if the page leaves out the year."""
    is_relative: bool = False
    """True if the page says how long ago, as it does of its comments."""
    is_zoned: bool = True
    """True if the page states the zone."""

    def isoformat(self) -> str:
        """Return the day, with its time where the page states one, as ISO 8601 writes it."""
        return self.moment.isoformat() if self.has_time else self.moment.date().isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class DateContext:
    """What reading a date depends on, beside the text."""

    fetched_at: datetime
    zone: tzinfo
    """The zone of times that state none."""
    language: str | None
    day_first: bool


def is_day_first(language: str | None, html_lang: str, url: str | None) -> bool:
    """Tell whether ``03/05/2024`` on the page is in May: everywhere but in the English of the United States."""
    if language != "en":
        return True
    region = html_lang.replace("_", "-").lower().partition("-")[2]
    if region:
        return region not in {"us", "ph"}
    suffix = (urlsplit(url or "").hostname or "").rsplit(".", 1)[-1]
    return len(suffix) == 2 and suffix not in {"us", "tv", "io", "co", "me", "ai"}


def date_in_texts(texts: Iterable[str], origin: str, context: DateContext) -> Dated | None:
    """Return the first date of texts that are known to hold one, written for machines or for readers."""
    for text in texts:
        found = read_date(text, origin, context) or line_date(text, context)
        if found is not None:
            return replace(found, origin=origin)
    return None


def read_date(raw: str, origin: str, context: DateContext) -> Dated | None:
    """Return the date that a field for machines states, None where it states none before the fetch."""
    parsed = parse_stamp(raw, context.language, day_first=context.day_first, home=context.zone)
    if parsed is None:
        return None
    moment, has_time = parsed
    return _checked(moment, raw, origin, has_time=has_time, context=context)


def _checked(moment: datetime, raw: str, origin: str, *, has_time: bool, context: DateContext) -> Dated | None:
    """Return the date with its zone, or None where it is later than the fetch."""
    fetched = context.fetched_at
    is_zoned = moment.tzinfo is not None
    if not is_zoned:
        moment = moment.replace(tzinfo=context.zone)
        if fetched < moment <= fetched + MAX_ZONE_ERROR:  # the assumed zone lies too far west
            moment = fetched.astimezone(context.zone)
    try:
        if moment > fetched + TOLERANCE:
            return None
        moment.astimezone(UTC)
    except OverflowError:
        return None
    moment = min(moment, fetched.astimezone(moment.tzinfo))
    return Dated(moment, raw.strip()[:_MAX_RAW], origin, has_time, is_zoned=is_zoned)


def in_readers_zone(stated: Dated, shown: Dated | None, zone: tzinfo) -> Dated:
    """Return a date stated in UTC with the offset that makes it what readers are shown; it stays the same moment.

    A time that readers are shown tells the offset, if whole quarters lie between. A day tells it where it is the day in
    the site's zone; a site of unknown place that shows the day before lies west.
    """
    if not stated.has_time or stated.moment.utcoffset() or shown is None:
        return stated
    if not shown.has_time:
        return _on_shown_day(stated, shown.moment.date(), zone)
    ahead = shown.moment.replace(tzinfo=UTC) - stated.moment.astimezone(UTC).replace(second=0, microsecond=0)
    is_offset = abs(ahead) <= MAX_ZONE_ERROR and not ahead % _QUARTER
    return replace(stated, moment=stated.moment.astimezone(timezone(ahead))) if is_offset else stated


def _on_shown_day(stated: Dated, day: date, zone: tzinfo) -> Dated:
    """Return a date in the site's zone, or so many hours west where that is not known, if it is of the day there."""
    hours = min(stated.moment.hour + 1, MAX_HOURS_WEST)
    here = stated.moment.astimezone(timezone(-hours * _HOUR) if zone is UTC else zone)
    return replace(stated, moment=here) if stated.moment.date() != day == here.date() else stated


def zone_doubt(dated: Dated, shown: Dated | None) -> str | None:
    """Return what is to be told of a moment's zone: ``assumed``, ``doubtful``, or None where the page states it.

    It is doubtful where readers are shown a moment that differs by whole hours.
    """
    if not dated.has_time:
        return None
    if shown is not None and shown.has_time:
        apart = abs(dated.moment.replace(second=0, microsecond=0) - shown.moment.replace(second=0, microsecond=0))
        if apart and apart <= MAX_ZONE_ERROR and not apart % _HOUR:
            return "doubtful"
    return None if dated.is_zoned else "assumed"


def line_date(text: str, context: DateContext) -> Dated | None:
    """Return the first date that a short line shows, None where it shows none before the fetch."""
    full = (dated for _, dated in dates_of(text, context) if dated is not None)
    return next(full, None) or loose_date(text, context)


def dates_of(text: str, context: DateContext) -> Iterator[tuple[int, Dated | None]]:
    """Yield where each date of a line begins, with the date, None for one after the fetch."""
    for found in find_dates(text, context.language, day_first=context.day_first, home=context.zone):
        raw = text[found.start : found.end]
        yield found.start, _checked(found.moment, raw, "visible", has_time=found.has_time, context=context)


def loose_date(text: str, context: DateContext) -> Dated | None:
    """Read a date without a year, or one relative to the fetch."""
    latest = context.fetched_at.astimezone(context.zone)
    if context.language in {"zh", "ja"}:
        found = find_short_date(text, latest)
        if found is not None:
            raw = text[found.start : found.end]
            dated = _checked(found.moment, raw, "visible", has_time=True, context=context)
            return replace(dated, is_guessed=True) if dated else None
    phrase = find_relative(text[:RELATIVE_CHARS], context.language)
    if phrase:
        moment = resolve_relative(phrase, latest, context.language)
        dated = _checked(moment, phrase, "visible", has_time=True, context=context) if moment else None
        return replace(dated, is_relative=True, is_zoned=True) if dated else None
    return None


def date_in_url(url: str | None, context: DateContext) -> Dated | None:
    """Return the day that the URL's path spells, None where it spells none (or one after the fetch)."""
    parts = urlsplit(url or "")
    path = parts.path + ("?" + parts.query if parts.query else "")
    for pattern in _URL_DATE:
        for match in pattern.finditer(path):
            groups = match.groupdict() or dict(zip("ymd", match.groups(), strict=True))
            year = int(groups["y"]) + (2000 if len(groups["y"]) == 2 else 0)
            day = make_date(year, int(groups["m"]), int(groups["d"]))
            if day is not None:
                moment = datetime(day.year, day.month, day.day)  # noqa: DTZ001  (the zone is added by the check)
                checked = _checked(moment, match[0], "url", has_time=False, context=context)
                if checked is not None:
                    return checked
    return None
