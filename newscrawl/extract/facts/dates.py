"""When the article was published and last changed: ranked evidence, each date checked against the fetch."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from newscrawl.languages.date_text import (
    find_dates,
    find_short_date,
    make_date,
    may_have_date,
    parse_stamp,
)
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.relative import find_relative, resolve_relative
from newscrawl.page.jsonld import text_of
from newscrawl.page.statements import in_other_part, is_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lxml.html import HtmlElement

    from newscrawl.page.places import Places
    from newscrawl.page.statements import Evidence

TOLERANCE: Final = timedelta(minutes=15)
"""Clocks of servers differ by this much; a date further in the future of the fetch is wrong."""
MAX_ZONE_ERROR: Final = timedelta(hours=14)
"""A time without a zone may look this far in the future where the assumed zone is wrong."""

PUBLISHED_METAS: Final = (
    "article:published_time", "og:article:published_time", "og:published_time", "article:published", "datepublished",
    "publishdate", "publish_date", "publish-date", "pubdate", "publication_date", "published_time", "published_at",
    "article.published", "article:publish_date", "sailthru.date", "parsely-pub-date", "dc.date.issued",
    "dcterms.issued", "dc.date.created", "dcterms.created", "og:release_date", "article_date_original",
    "citation_publication_date", "rnews:datepublished", "firstpublishedtime", "shareaholic:article_published_time",
)  # fmt: skip
MAX_NAME_CHARS: Final = 100
"""Characters of a ``meta`` element's name; longer ones name nothing."""
_PUBLISHED_NAME: Final = re.compile(
    r"(?:pub|publish|publi[sc]ation|release|issue|first|create)[a-z_.:-]*(?:time|date|at)$|(?:date|time)[a-z_.:-]*(?:pub|issued|created?)"
    r"|p(?:ub)?time$",
    re.IGNORECASE,
)
"""Other names of metas that say published; after the known ones."""
VAGUE_METAS: Final = ("dc.date", "dcterms.date", "dc.created", "created", "date", "uploaddate")
"""Metas that hold some date; on some sites that of the last build. A clear date by the headline wins over them."""
MODIFIED_METAS: Final = (
    "article:modified_time", "og:article:modified_time", "og:updated_time", "article:modified", "datemodified",
    "last-modified", "lastmod", "dc.date.modified", "dcterms.modified", "modified", "date.modified", "updated_time",
    "revised", "cxenseparse:recs:moddate", "lastmodifiedtime", "dateupdate", "dateupdated",
)  # fmt: skip

_PUBLISHED_LABEL: Final = WordPattern(r"{dates.published}[^\d]{0,16}$", re.IGNORECASE)
_MODIFIED_LABEL: Final = WordPattern(r"{dates.changed}[^\d]{0,22}(?:\d\d?[:.]\d\d\D{0,4})?$", re.IGNORECASE)
_NOT_PUBLISHED: Final = WordPattern("©|{dates.other}", re.IGNORECASE)
_DATE_WORDS: Final = re.compile(
    r"date|time|publi|posted|meta|info|byline|source|datum|stamp|entry-header|sub-?title", re.IGNORECASE
)
_DIGITS: Final = re.compile(r"\d")
"""Part of every time of day that ``find_dates`` knows."""
_MAX_LINE: Final = 300

_URL_DATE: Final = (
    re.compile(r"(?<!\d)(20\d\d|199\d)[/_.-](0?[1-9]|1[0-2])[/_.-](0?[1-9]|[12]\d|3[01])(?!\d)"),
    re.compile(r"(?<!\d)(20\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?!\d{1,3}(?:\D|$))"),
    re.compile(r"(?<!\d)(?P<d>0?[1-9]|[12]\d|3[01])[-_.](?P<m>0?[1-9]|1[0-2])[-_.](?P<y>20\d\d)(?!\d)"),
    re.compile(r"/(\d\d)/(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])/"),
)  # fmt: skip
_SAME_MOMENT: Final = timedelta(minutes=1)
_QUARTER: Final = timedelta(minutes=15)
_TWO_DAYS: Final = timedelta(days=2)
_SHOWN_CHARS: Final = 60
_SHOWN_LINES: Final = 10
"""Below the headline; where the date is printed that readers are shown."""
_NOT_NAMES: Final = frozenset((*VAGUE_METAS, *MODIFIED_METAS))
_MIN_SCORE: Final = 2.5
_LAST_SCORE: Final = 1.0
"""Least score of a change that a footer states, on a page where nothing else is dated."""
_CLEAR_SCORE: Final = 5.0
"""Score of a short line near the headline with a label, a class or a time of day."""
_MAX_LABELLED: Final = 80
_LABELLED: Final = WordPattern(
    r"(?:{dates.dated,dates.edited})[^\d\n]{0,12}\d|{dates.dated_by}.{1,40}{dates.dated_on}\s\d", re.IGNORECASE
)
_POSTED: Final = WordPattern("{dates.posted}", re.IGNORECASE)
"""How blogs begin the sentence below a post that says when it appeared, who wrote it and where it is filed."""
_MAX_POSTED: Final = 400
_FAR: Final = 500  # lines
_PUBLISHED_CLASS: Final = re.compile(r"publi[sc]|entry-date|posted|post-date|pubdate|article-date", re.IGNORECASE)
_SENTENCE: Final = 120  # characters; longer lines tell a story


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


Scored: TypeAlias = tuple[float, Dated, bool]
"""How likely the page's own date, the date, whether it is that of a change."""
Placed: TypeAlias = tuple[float, Dated, bool, int]
"""A scored date and the line it stands in, -1 if it has none."""


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


def choose_dates(
    evidence: Evidence, context: DateContext, hints: Mapping[str, str]
) -> tuple[Dated | None, Dated | None]:
    """Return when the article was published and when it was modified, each None where nothing says so."""

    @cache
    def visible() -> list[Placed]:  # most pages state their dates for machines
        return list(_visible(evidence, context))

    published = _published(evidence, context, hints, visible)
    if published is not None and not published.has_time:
        published = _with_time_of_day(published, evidence, context, visible())
    modified = _first_readable(_stated_modified(evidence), context) or _best_of(
        item for item in visible() if item[2] and item[0] >= _MIN_SCORE
    )
    if modified is not None and published is not None and modified.moment < published.moment:
        modified = None
    return published, modified


def _published(
    evidence: Evidence, context: DateContext, hints: Mapping[str, str], visible: Callable[[], list[Placed]]
) -> Dated | None:
    for raw, origin in _stated(evidence, hints):
        found = read_date(raw, origin, context)
        if found is not None:
            if origin == "hint":
                found = _as_page_states(found, evidence, context)
            return _as_page_shows(found, evidence, context)
    full = [item for item in visible() if not item[2] and not item[1].is_guessed]
    best = max(full, key=lambda item: item[0], default=None)
    if best is not None and best[1].is_relative:  # no better than a day without its year
        best = max((item for item in visible() if not item[2]), key=lambda item: item[0])
    score, shown = best[:2] if best else (0.0, None)
    if score >= _CLEAR_SCORE:
        return shown
    vague = _first_readable(evidence.contents(VAGUE_METAS), context)
    if vague is not None and vague.moment.date() == context.fetched_at.astimezone(vague.moment.tzinfo).date():
        vague = shown if score >= _MIN_SCORE else vague  # the time of the request
    return (
        vague
        or (shown if score >= _MIN_SCORE else None)
        or date_in_url(evidence.url, context)
        or _first_readable(_stated_modified(evidence), context)
        or _best_of(item for item in visible() if item[0] >= _MIN_SCORE)
        or _best_of(item for item in visible() if item[2] and item[0] >= _LAST_SCORE)
        or _only_day(visible())
    )


def _as_page_states(told: Dated, evidence: Evidence, context: DateContext) -> Dated:
    """Return the moment that a feed states, with the page's offset or else the site's: feeds are often in UTC."""
    if not told.has_time:
        return told
    times = ((element.get("datetime") or "", "time") for element in evidence.times)
    for raw, origin in (*_stated(evidence, {}), *times):
        own = read_date(raw, origin, context) if raw else None
        if own is not None and own.has_time and abs(own.moment - told.moment) < _SAME_MOMENT:
            return own
    return told if told.moment.utcoffset() else replace(told, moment=told.moment.astimezone(context.zone))


def _as_page_shows(stated: Dated, evidence: Evidence, context: DateContext) -> Dated:
    """Return the date that readers are shown where what is stated for machines is that of a change, or in UTC.

    Systems that keep one time state it as published and modified, and print when the article appeared. A time that
    differs from UTC by whole quarters of an hour is the same moment in the site's zone.
    """
    shown = _shown(evidence, context)
    if shown is None:
        return stated
    ahead = shown.moment.replace(tzinfo=UTC) - stated.moment.astimezone(UTC).replace(second=0, microsecond=0)
    in_utc = shown.has_time and stated.has_time and not stated.moment.utcoffset()
    if in_utc and abs(ahead) <= MAX_ZONE_ERROR and not ahead % _QUARTER:
        return replace(stated, moment=stated.moment.astimezone(timezone(ahead)))
    if -ahead > _TWO_DAYS:
        changed = _first_readable(_stated_modified(evidence), context)
        if changed is not None and changed.moment.date() == stated.moment.date():
            return shown
    return stated


def _shown(evidence: Evidence, context: DateContext) -> Dated | None:
    """Return the first date in a short line below the headline, unless it is that of a change."""
    places = evidence.places
    for number in evidence.lines.years(_SHOWN_CHARS):
        if number not in places.header or not 0 < number - places.headline <= _SHOWN_LINES:
            continue
        line = evidence.lines[number]
        if line.linked:
            continue
        for start, dated in _dates_of(line.spaced, context):
            if dated is not None:
                is_other = _MODIFIED_LABEL.search(line.spaced[:start]) or _NOT_PUBLISHED.search(line.text)
                return None if is_other else dated
    return None


def _best_of(scored: Iterable[Placed]) -> Dated | None:
    best = max(scored, key=lambda item: item[0], default=None)
    return best[1] if best is not None else None


def _only_day(scored: list[Placed]) -> Dated | None:
    """Return the best date of a page whose dates are all of one day."""
    days = {item[1].moment.date() for item in scored if not item[1].is_guessed}
    return _best_of(item for item in scored if item[0] >= _LAST_SCORE) if len(days) == 1 else None


def _first_readable(stated: Iterable[tuple[str, str]], context: DateContext) -> Dated | None:
    return next((found for raw, origin in stated if (found := read_date(raw, origin, context)) is not None), None)


def date_in_texts(texts: Iterable[str], origin: str, context: DateContext) -> Dated | None:
    """Return the first date of texts that are known to hold one, written for machines or for readers."""
    for text in texts:
        found = read_date(text, origin, context) or line_date(text, context)
        if found is not None:
            return replace(found, origin=origin)
    return None


def _stated(evidence: Evidence, hints: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the published dates the page or its feed states for machines, most trusted first."""
    if hints.get("date"):
        yield hints["date"], "hint"
    for node in evidence.articles:
        for key in ("datePublished", "dateCreated", "uploadDate"):
            value = text_of(node.get(key))
            if value:
                yield value, "json-ld"
    yield from evidence.contents((*PUBLISHED_METAS, *filter(_says_published, evidence.metas)))
    for element in evidence.microdata:
        if (element.get("itemprop") or "").lower() in {"datepublished", "datecreated"} and element.tag != "meta":
            hidden = element.get("title") if element.tag == "abbr" else None  # as hAtom has it
            written = element.get("content") or element.get("datetime") or hidden
            yield written or element.text_content().strip()[:100], "microdata"


@lru_cache(maxsize=4096)
def _says_published(name: str) -> bool:
    return len(name) <= MAX_NAME_CHARS and _PUBLISHED_NAME.search(name) is not None and name not in _NOT_NAMES


def read_date(raw: str, origin: str, context: DateContext) -> Dated | None:
    """Return the date that a field for machines states, None where it states none before the fetch."""
    parsed = parse_stamp(raw, context.language, day_first=context.day_first)
    if parsed is None:
        return None
    moment, has_time = parsed
    return _checked(moment, raw, origin, has_time=has_time, context=context)


def _checked(moment: datetime, raw: str, origin: str, *, has_time: bool, context: DateContext) -> Dated | None:
    """Return the date with its zone, or None where it is later than the fetch."""
    fetched = context.fetched_at
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=context.zone)
        if fetched < moment <= fetched + MAX_ZONE_ERROR:  # the assumed zone lies too far west
            moment = fetched.astimezone(context.zone)
    try:
        if moment > fetched + TOLERANCE:
            return None
        moment.astimezone(UTC)
    except OverflowError:
        return None
    return Dated(min(moment, fetched.astimezone(moment.tzinfo)), raw.strip()[:100], origin, has_time)


def _stated_modified(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for node in evidence.articles:
        value = text_of(node.get("dateModified"))
        if value:
            yield value, "json-ld"
    yield from evidence.contents(MODIFIED_METAS)
    for element in evidence.microdata:
        if (element.get("itemprop") or "").lower() == "datemodified" and element.tag != "meta":
            yield element.get("content") or element.get("datetime") or "", "microdata"


def _with_time_of_day(published: Dated, evidence: Evidence, context: DateContext, timed: Iterable[Placed]) -> Dated:
    """Return the same day with its time, where another statement of it has one.

    Of what readers are shown, that is a line up to the end of the text, or the sentence below a post that says when it
    appeared: other times below the text are those of comments.
    """
    is_new = published.moment.date() == context.fetched_at.astimezone(published.moment.tzinfo).date()
    vague = () if is_new else evidence.contents(VAGUE_METAS)  # that of a new page may be the time of the request
    written = chain(_stated(evidence, {}), vague)
    stated = (read_date(raw, origin, context) for raw, origin in written)
    own = (item for item in timed if not item[2] and _is_of_text(item[3], evidence))
    shown = (item[1] for item in sorted(own, key=lambda item: -item[0]))
    for others in (stated, shown):
        for other in others:
            if other is not None and other.has_time and other.moment.date() == published.moment.date():
                return other
    return published


def _is_of_text(number: int, evidence: Evidence) -> bool:
    places, texts = evidence.places, evidence.lines.texts
    is_below = places.body_start < places.body_end <= number
    return (number in places.header and not is_below) or (number >= 0 and _POSTED.match(texts[number]) is not None)


def _visible(evidence: Evidence, context: DateContext) -> Iterator[Placed]:
    """Yield the dates in ``time`` elements and in the lines around the body."""
    lines, places = evidence.lines, evidence.places
    times = ((element, element.get("datetime") or element.text_content().strip()[:100]) for element in evidence.times)
    for element, raw in chain(times, evidence.stamped):
        number = evidence.line_of.get(element, -1)
        if number not in places.others:
            yield from ((*found, number) for found in _time_element(element, raw, evidence, context))
    told = {evidence.line_of.get(element) for element in evidence.times if element.get("datetime")}
    marked_lines = _marked_lines(evidence)
    labelled = (number for number in lines.years(_MAX_LABELLED) if _is_labelled(lines.texts[number]))
    posted = [number for number in lines.years(_MAX_POSTED) if _POSTED.match(lines.texts[number])]
    for index in dict.fromkeys((*places.around, *marked_lines, *labelled, *posted)):
        line = lines[index]
        text = line.spaced
        if index in places.others or line.tag == "h1" or (index == places.headline and line.tag):
            continue
        if index in posted:
            text = text[:_SENTENCE]
        elif len(text) > _MAX_LINE:
            text = text[:_MAX_LINE] if index in places.header else text[-60:]
        if not may_have_date(text) and not find_relative(text[:80], context.language):
            continue
        base = _place_score(index, places) + marked_lines.get(index, _MIN_SCORE if index in posted else 0.0)
        if line.linked:
            base -= 1.5
        yield from ((*found, index) for found in _dates_in_line(text, base, context, is_told=index in told))


def _is_labelled(text: str) -> bool:
    """Tell whether a date stands after a label in a short line."""
    return len(text) <= _MAX_LABELLED and _LABELLED.search(text) is not None


def _place_score(index: int, places: Places) -> float:
    if index in places.header:
        distance = index - places.headline
        in_body = places.body_start < places.body_end and index >= places.body_start
        near = 3.0 if distance >= 0 else 2.0
        return near - 0.03 * abs(distance) - (1.0 if in_body else 0.0)
    if index in places.tail:
        return 0.69 - 0.03 * (index - places.tail.start)
    return 0.7 - 0.6 * min(1.0, index / _FAR)  # elsewhere a higher line scores more


def _marked_lines(evidence: Evidence) -> dict[int, float]:
    """Return the lines that stand in an element whose class says date, and what that is worth."""
    scores: dict[int, float] = {}
    for element in evidence.marked:
        line = evidence.line_of.get(element)
        if line is None or not (is_named(element, _DATE_WORDS) or _DATE_WORDS.search(element.get("itemprop") or "")):
            continue
        scores[line] = max(scores.get(line, 0.0), 1.5 if not in_other_part(evidence, element) else -1.0)
    return scores


def _time_element(element: HtmlElement, raw: str, evidence: Evidence, context: DateContext) -> Iterator[Scored]:
    places = evidence.places
    found = read_date(raw, "time", context) if raw else None
    if found is None:
        return
    words = " ".join(filter(None, map(element.get, ("class", "itemprop", "title"))))
    line = evidence.line_of.get(element, -1)
    text = evidence.lines[line].text if 0 <= line < len(evidence.lines) else ""
    changed = bool(_MODIFIED_LABEL.search(words) or re.search(r"updat|modif", words, re.IGNORECASE))
    # an article that never changed has one time for both
    changed = changed and not re.search(r"\bpublished\b", words, re.IGNORECASE)
    own = element.text_content().strip()
    digit = _DIGITS.search(own)  # its label may stand in the element
    before = text[: text.find(own) + (digit.start() if digit else 0)] if own and own in text else text[:40]
    changed = changed or bool(_MODIFIED_LABEL.search(before))
    is_marked = element.get("pubdate") is not None or _PUBLISHED_CLASS.search(words)
    score = 1.5 + (1.0 if found.has_time else 0.0) + (2.0 if is_marked else 0.0)
    if line >= 0 and line in places.header:
        score += 2.5 - 0.03 * abs(line - places.headline)
    if in_other_part(evidence, element):
        score -= 3.0
    yield score, found, changed


def _dates_in_line(text: str, base: float, context: DateContext, *, is_told: bool) -> Iterator[Scored]:
    """Yield the dates of a line.

    :param is_told: an element in it states in full what its words leave open, as in *3 hours ago*.
    """
    any_found = is_told
    short = 1.0 if len(text) <= 60 else 0.0
    for start, dated in _dates_of(text, context):
        any_found = True
        if dated is None:
            continue
        before = text[max(0, start - 40) : start]
        changed = bool(_MODIFIED_LABEL.search(before))
        is_labelled = changed or _PUBLISHED_LABEL.search(before)
        score = base + short + (1.0 if dated.has_time else 0.0) + (1.5 if is_labelled else 0.0)
        if _NOT_PUBLISHED.search(text):
            score -= 4.0
        if start > 60:
            score -= 0.5
        if len(text) > _SENTENCE:
            score -= 1.5  # the text tells of that day
        yield score, dated, changed
    if not any_found and len(text) <= _SENTENCE:
        loose = _loose_date(text, context)
        if loose is not None:
            labelled = _PUBLISHED_LABEL.search(text[: text.find(loose.raw)]) is not None
            yield base + short + (1.5 if labelled else 0.5), loose, False


def line_date(text: str, context: DateContext) -> Dated | None:
    """Return the first date that a short line shows, None where it shows none before the fetch."""
    full = (dated for _, dated in _dates_of(text, context) if dated is not None)
    return next(full, None) or _loose_date(text, context)


def _dates_of(text: str, context: DateContext) -> Iterator[tuple[int, Dated | None]]:
    """Yield where each date of a line begins, with the date, None for one after the fetch."""
    for found in find_dates(text, context.language, day_first=context.day_first):
        raw = text[found.start : found.end]
        yield found.start, _checked(found.moment, raw, "visible", has_time=found.has_time, context=context)


def _loose_date(text: str, context: DateContext) -> Dated | None:
    """Read a date without a year, or one relative to the fetch."""
    latest = context.fetched_at.astimezone(context.zone)
    if context.language in {"zh", "ja"}:
        found = find_short_date(text, latest)
        if found is not None:
            raw = text[found.start : found.end]
            dated = _checked(found.moment, raw, "visible", has_time=True, context=context)
            return replace(dated, is_guessed=True) if dated else None
    phrase = find_relative(text[:80], context.language)
    if phrase:
        moment = resolve_relative(phrase, latest, context.language)
        dated = _checked(moment, phrase, "visible", has_time=True, context=context) if moment else None
        return replace(dated, is_relative=True) if dated else None
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
