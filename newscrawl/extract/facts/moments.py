"""Moments as pages write them, and the entries of a live blog, which begin with one.

They are read for machines or for readers, and checked against the fetch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from newscrawl.items import Update
from newscrawl.languages.characters import SPACELESS_LETTER, STOPS
from newscrawl.languages.date_parts import clock_beside, moment_of, month_number
from newscrawl.languages.date_text import find_dates, find_short_date, make_date, parse_stamp, pieced_day
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.relative import find_relative, resolve_relative
from newscrawl.page.jsonld import text_of
from newscrawl.urls.shape import NUMBERED_WORDS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from newscrawl.extract.facts.cues import FactPage

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
    re.compile(r"/(20\d\d)/([a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?=/|$)"),
)  # fmt: skip
_QUARTER, _HOUR = timedelta(minutes=15), timedelta(hours=1)
RELATIVE_CHARS: Final = 80
"""Characters of a line in which a date without a year, or one relative to the fetch, is looked for."""
RELATIVE_LETTERS: Final = 120
"""Letters of such a line, an ideograph counted as three; a longer one tells of days gone by."""
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
        day, hours = shown.moment.date(), min(stated.moment.hour + 1, MAX_HOURS_WEST)
        here = stated.moment.astimezone(timezone(-hours * _HOUR) if zone is UTC else zone)
        return replace(stated, moment=here) if stated.moment.date() != day == here.date() else stated
    ahead = shown.moment.replace(tzinfo=UTC) - stated.moment.astimezone(UTC).replace(second=0, microsecond=0)
    is_offset = abs(ahead) <= MAX_ZONE_ERROR and not ahead % _QUARTER
    return replace(stated, moment=stated.moment.astimezone(timezone(ahead))) if is_offset else stated


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
    is_short = len(text) + 2 * len(SPACELESS_LETTER.findall(text)) <= RELATIVE_LETTERS
    phrase = find_relative(text[:RELATIVE_CHARS], context.language) if is_short else None
    if phrase:
        moment = resolve_relative(phrase, latest, context.language)
        dated = _checked(moment, phrase, "visible", has_time=True, context=context) if moment else None
        return replace(dated, is_relative=True, is_zoned=True) if dated else None
    return None


def pieced_date(text: str, context: DateContext) -> Dated | None:
    """Return the day whose parts stand in pieces, None for one after the fetch."""
    is_day_first = context.day_first and context.language not in {"zh", "ja", "ko"}
    day = pieced_day(text, context.language, day_first=is_day_first)
    moment = datetime(day.year, day.month, day.day) if day is not None else None  # noqa: DTZ001  (the check adds it)
    return _checked(moment, text, "visible", has_time=False, context=context) if moment is not None else None


_CHANGED_AT: Final = WordPattern(r"{dates.changed}[^\d\n]{0,16}(?=\d)", re.IGNORECASE)


def changed_the_same_day(text: str, context: DateContext) -> Dated | None:
    """Return the time of a change that a line states, without its day, behind the one date that it has."""
    label = _CHANGED_AT.search(text) if len(text) <= RELATIVE_LETTERS else None
    days = [(start, dated) for start, dated in dates_of(text, context) if dated is not None] if label else []
    if label is None or len(days) != 1 or days[0][0] > label.start():
        return None
    day, clock = days[0][1], clock_beside(text, label.end(), label.end(), context.language, context.zone)
    if clock is None or (not clock.minute and not day.has_time):
        return None
    moment = moment_of(day.moment.date(), clock)
    moment = moment.replace(tzinfo=moment.tzinfo or day.moment.tzinfo)
    return replace(day, moment=moment, raw=text, has_time=True) if moment > day.moment else None


def date_in_url(url: str | None, context: DateContext) -> Dated | None:
    """Return the day that the URL's path spells, None where it spells none (or one after the fetch)."""
    parts = urlsplit(url or "")
    path = parts.path + ("?" + parts.query if parts.query else "")
    for pattern in _URL_DATE:
        for match in pattern.finditer(path):
            groups = match.groupdict() or dict(zip("ymd", match.groups(), strict=True))
            year = int(groups["y"]) + (2000 if len(groups["y"]) == 2 else 0)
            month = int(groups["m"]) if groups["m"].isdecimal() else month_number(groups["m"]) or 0
            day = make_date(year, month, int(groups["d"]))
            if day is not None:
                moment = datetime(day.year, day.month, day.day)  # noqa: DTZ001  (the zone is added by the check)
                checked = _checked(moment, match[0], "url", has_time=False, context=context)
                if checked is not None:
                    return checked
    return None


MAX_UPDATES: Final = 1_000
"""Entries of a live blog that are kept."""
MAX_UPDATE_CHARS: Final = 50_000
_TAGS: Final = re.compile(r"<[^<>]{1,1000}>")


def choose_updates(page: FactPage, published: Dated | None) -> tuple[tuple[Update, ...], str] | None:
    """Return the entries of a live blog, as ``LiveBlogPosting`` states them, else as the text shows them."""
    for node in page.evidence.articles:
        listed: Any = node.get("liveBlogUpdate")
        entries = [listed] if isinstance(listed, dict) else listed if isinstance(listed, list) else []
        updates = [update for entry in entries[:MAX_UPDATES] if isinstance(entry, dict) and (update := _update(entry))]
        if updates:
            return tuple(updates), "json-ld"
    shown = _shown_updates(page, published)
    return (tuple(shown), "visible") if shown else None


MIN_UPDATES: Final = 4
"""Times of day in lines of one form that make a text a live blog; one less where the newest stands first."""
MIN_UPDATE_CHARS: Final = 40
"""Characters of an entry's text, an ideograph counted as three; an entry that ends as a sentence may be shorter."""
_SENTENCE: Final = re.compile(rf"[.{STOPS}][\W_]*$|[\u0e01-\u0eff]{{16}}")
"""Titles and programmes of a day end without a mark; Thai and Lao have none."""
_DIGIT: Final = re.compile(r"\d")
_MAX_BEFORE: Final = 10  # characters of a line in which its time begins
_DAY: Final = 24 * 60  # minutes
_DATE_CHARS: Final = 30  # characters behind a time in which a day of its own stands, as beside posts that are quoted
_MAX_STAMP: Final = 40
"""Characters of a line that is a day with a time."""
_IN_ORDER: Final = 0.75
"""Share of times that follow each other, and of entries that have a text."""
_TIME_LINE: Final = WordPattern(
    r"\W{0,3}(?:(?![a-z])[^\W\d_]{1,4}\s?)?([01]?\d|2[0-3])\s?(?:[:：]|(?<=\d\d)\.|{~dates.hour})\s?([0-5]\d|\d(?=\s?{~dates.minute}))(?![\d:.])\s?{~dates.minute}?"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?{dates.clock})?(?:\s?(?-i:[A-Z]{1,4}T|UTC)\b)?[\s|:–—）)】\]-]*",
    re.IGNORECASE,
)


class _Head(NamedTuple):
    """The line that an entry of a live blog begins with."""

    number: int
    behind: str
    """What the line has behind its time."""
    moment: datetime | None
    """None where neither the article nor a line above has a day."""
    minute: int
    """Minute of all time, or of the day where none is known."""


def last_change(
    published: Dated | None, modified: Dated | None, updates: Iterable[Update], context: DateContext
) -> Dated | None:
    """Return when a page changed last: the moment of the newest entry of a live blog, if it is later than both."""
    stated = (read_date(update.datePublished, "updates", context) for update in updates if update.datePublished)
    newest = max(filter(None, stated), key=lambda dated: dated.moment, default=None)
    is_last = newest is not None and all(d is None or d.moment < newest.moment for d in (published, modified))
    return newest if is_last else modified


def _shown_updates(page: FactPage, published: Dated | None) -> list[Update]:
    """Return the entries that the text shows below, or behind, times in elements of one form."""
    evidence = page.evidence
    lines, nodes = evidence.lines, evidence.document.measures.nodes
    forms: dict[tuple[str, str | None], list[_Head]] = {}
    days: set[int] = set()
    places = page.evidence.places
    span = range(max(places.headline + 1, places.body_start - 1), max(places.body_end, places.tail.stop))
    for head in _heads(page, span, published, days):
        node = nodes[lines.starts[head.number]]
        forms.setdefault((str(node.tag), node.get("class")), []).append(head)
    heads = max(forms.values(), key=len, default=[])
    minutes = [head.minute for head in heads]
    least = MIN_UPDATES - (minutes == sorted(minutes, reverse=True))
    if len(set(minutes)) < least or not min(minute % _DAY for minute in minutes):  # a transcript begins with 00:00
        return []
    later = sum(one <= other for one, other in pairwise(minutes))
    if max(later, len(minutes) - 1 - later) < _IN_ORDER * (len(minutes) - 1):
        return []
    longest = max(below.number - above.number for above, below in pairwise(heads))
    last = heads[-1].number
    end = min(last + longest, places.body_end if places.body_end > last else span.stop)
    ends = [*(head.number for head in heads[1:]), end]
    told = [_shown_update(page, head, end, days) for head, end in zip(heads, ends, strict=True)]
    updates = [update for update in told if update is not None]
    return updates[:MAX_UPDATES] if len(updates) >= max(least, _IN_ORDER * len(heads)) else []


def _heads(page: FactPage, span: range, published: Dated | None, days: set[int]) -> Iterator[_Head]:
    """Yield the lines that begin with a time of day, or are a day with a time; note those that are a day alone."""
    lines, others = page.evidence.lines, page.evidence.places.others
    dated = frozenset(lines.years(_MAX_STAMP))
    day = published.moment.date() if published is not None else None
    zone = published.moment.tzinfo if published is not None else page.dates.zone
    for number in span:
        text = lines.texts[number]
        is_word = text[0] < "\x80" and text[0].isalpha()
        if (number not in dated and (is_word or not _DIGIT.search(text[:_MAX_BEFORE]))) or number in others:
            continue
        stamp = next(find_dates(text, page.language, home=page.dates.zone), None) if number in dated else None
        if stamp is None:
            head = _head(page, number, day, zone)
        elif stamp.start > 2 or len(text) - stamp.end > (2 if stamp.has_time else _MAX_BEFORE):
            continue
        elif not stamp.has_time:
            day = stamp.moment.date()
            days.add(number)
            continue
        else:
            moment = stamp.moment if stamp.moment.tzinfo else stamp.moment.replace(tzinfo=page.dates.zone)
            head = _Head(number, "", moment, int(moment.timestamp() // 60))
        if head is not None:
            yield head


def _head(page: FactPage, number: int, day: date | None, zone: tzinfo | None) -> _Head | None:
    """Return a line that begins with a time of day."""
    text = page.evidence.lines.texts[number]
    found = _TIME_LINE.match(text)
    if found is None or next(find_dates(text[found.end() :][:_DATE_CHARS]), None) is not None:
        return None
    clock = clock_beside(text, 0, 0, page.language, page.dates.zone)
    moment = moment_of(day, clock) if day is not None and clock is not None else None
    if moment is not None and moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    minute = 60 * (clock.hour if clock else int(found[1])) + int(found[2])
    return _Head(number, text[found.end() :].strip(), moment, minute + _DAY * (day.toordinal() if day else 0))


def _shown_update(page: FactPage, head: _Head, end: int, days: Container[int]) -> Update | None:
    """Return the entry of a time and of the lines up to the next; None where they are no text."""
    lines = page.evidence.lines
    below = [number for number in range(head.number + 1, end) if number not in days]
    told = [head.behind, *(lines.texts[number] for number in below if not lines[number].linked)]
    text = " ".join(filter(None, told))[:MAX_UPDATE_CHARS]
    if len(text) + 2 * len(SPACELESS_LETTER.findall(text)) < MIN_UPDATE_CHARS and not _SENTENCE.search(text):
        return None
    title = next((lines.texts[number] for number in below if lines[number].tag), None)
    return Update(text=text, headline=title, datePublished=head.moment.isoformat() if head.moment else None)


def _update(entry: dict[str, Any]) -> Update | None:
    text = text_of(entry.get("articleBody")) or text_of(entry.get("description"))
    headline = text_of(entry.get("headline")) or text_of(entry.get("name"))
    if not text and not headline:
        return None
    shown = " ".join(_TAGS.sub(" ", (text or "")[:MAX_UPDATE_CHARS]).split())
    return Update(
        text=shown or headline or "",
        headline=headline,
        datePublished=text_of(entry.get("datePublished")) or text_of(entry.get("dateModified")),
        url=text_of(entry.get("url")),
    )
