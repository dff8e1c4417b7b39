"""When the article was published and last changed, by a table of cues."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Final

from newscrawl.extract.facts import date_names
from newscrawl.extract.facts.cues import Candidate, Cue, choose
from newscrawl.extract.facts.moments import (
    RELATIVE_CHARS,
    changed_the_same_day,
    date_in_url,
    dates_of,
    in_readers_zone,
    loose_date,
    pieced_date,
    read_date,
)
from newscrawl.extract.facts.weights import DATES
from newscrawl.languages.date_text import may_have_date
from newscrawl.languages.relative import find_relative
from newscrawl.page.hints import is_named
from newscrawl.page.jsonld import text_of
from newscrawl.page.statements import in_other_part

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from lxml.html import HtmlElement

    from newscrawl.extract.facts.cues import FactPage
    from newscrawl.extract.facts.moments import Dated
    from newscrawl.page.places import Places
    from newscrawl.page.statements import Evidence

_MAX_LINE: Final = 300
_SAME_MOMENT: Final = timedelta(minutes=1)
_ONE_DAY, _TWO_DAYS = timedelta(days=1), timedelta(days=2)
_SHOWN_CHARS: Final = 60
_ALONE_CHARS: Final = 30
"""Characters of a line within the text that is a date and nothing else."""
_SHOWN_LINES: Final = 10
"""Below the headline; where the date is printed that readers are shown."""
_MAX_LABELLED: Final = 80
_MAX_POSTED: Final = 400
_SENTENCE: Final = 120  # characters; longer lines tell a story
_TAIL_CHARS: Final = 60
"""Last characters of a long line in which a date is looked for, where it does not stand near the headline."""
_MAX_STAMP: Final = 100
_MAX_TIMES: Final = 20
_OFFSET: Final = re.compile(r":\d\d(?:\.\d+)?\s?[+-]\d\d:?\d\d$")
_DIGIT: Final = re.compile(r"\d")

CHANGED: Final = "change"
"""Sign of a date that a page says it was changed at."""


def choose_dates(page: FactPage) -> tuple[Dated | None, Dated | None]:
    """Return when the article was published and when it was modified, each None where nothing says so."""
    choice = choose(DATE_CUES, DATES, page)
    published = choice.best.value if choice else None
    if choice and published and not published.has_time:
        asked = chain(choice.agreeing, chain.from_iterable(cue.find(page) for cue in DATE_CUES))
        timed = (one.value for one in asked if one.key == choice.best.key and _may_say_time(page, one))
        published = next(filter(None, timed), published)
    modified = page.once(stated_change) or _printed_change(page)
    is_earlier = modified is not None and published is not None and modified.moment < published.moment
    return published, None if is_earlier else modified


def _may_say_time(page: FactPage, one: Candidate[Dated]) -> bool:
    """Tell whether a candidate adds the time of day: times below the text are those of comments."""
    if not one.value.has_time or CHANGED in one.signs or TODAY in one.signs:
        return False
    places, texts = page.evidence.places, page.evidence.lines.texts
    is_below = places.body_start < places.body_end <= one.line
    return (
        one.origin not in {"visible", "time"}
        or (one.line in places.header and not is_below)
        or (one.line >= 0 and date_names.POSTED.match(texts[one.line]) is not None)
    )


def _candidate(dated: Dated | None, line: int = -1, signs: tuple[str, ...] = ()) -> Iterator[Candidate[Dated]]:
    """Yield the date, if it is one; dates of a day agree."""
    if dated is not None:
        yield Candidate(dated, dated.moment.date(), dated.origin, line, signs)


def _first(
    page: FactPage, stated: Iterable[tuple[str, str]], signs: tuple[str, ...] = ()
) -> Iterator[Candidate[Dated]]:
    """Yield the first readable date of those stated for machines, in the readers' zone."""
    read = (read_date(raw, origin, page.dates) for raw, origin in stated)
    dated = next(filter(None, read), None)
    if dated is not None:
        changed, shown = page.once(stated_change), page.once(shown_date)
        is_change = changed is not None and changed.moment.date() == dated.moment.date()
        if is_change:
            is_earlier = shown is not None and dated.moment - shown.moment > _TWO_DAYS
            signs = (*signs, PRINTED_EARLIER if is_earlier else AS_CHANGED)
        day = shown or (None if dated.moment.utcoffset() else date_in_url(page.evidence.url, page.dates))
        yield from _candidate(in_readers_zone(_with_offset(page, dated), day, page.dates.zone), signs=signs)


def _with_offset(page: FactPage, dated: Dated) -> Dated:
    """Return a moment stated in UTC with the offset that the page states it with elsewhere: readers' day is there."""
    if not dated.has_time or dated.moment.utcoffset():
        return dated
    times = ((element.get("datetime") or "", "time") for element in page.evidence.times[:_MAX_TIMES])
    said = chain(_meta(page.evidence), _linked_data(page.evidence, *_PUBLISHED_KEYS), times)
    own = (read_date(raw, origin, page.dates) for raw, origin in said if _OFFSET.search(raw))
    same = (one.moment for one in own if one is not None and abs(one.moment - dated.moment) < _SAME_MOMENT)
    return replace(dated, moment=dated.moment.astimezone(next(same, dated.moment).tzinfo))


def _from_feed(page: FactPage) -> Iterator[Candidate[Dated]]:
    """Yield the moment that a feed states, with the page's offset or else the site's: feeds are often in UTC."""
    raw = page.hints.get("date")
    told = read_date(raw, "hint", page.dates) if raw else None
    if told is not None and told.has_time:
        times = ((element.get("datetime") or "", "time") for element in page.evidence.times)
        said = (_linked_data(page.evidence, *_PUBLISHED_KEYS), _meta(page.evidence), _microdata(page.evidence), times)
        own = filter(None, (read_date(raw, origin, page.dates) for raw, origin in chain(*said) if raw))
        same = (date for date in own if date.has_time and abs(date.moment - told.moment) < _SAME_MOMENT)
        is_local = told.moment.utcoffset()
        told = next(same, told if is_local else replace(told, moment=told.moment.astimezone(page.dates.zone)))
    yield from _candidate(told and in_readers_zone(told, page.once(shown_date), page.dates.zone))


def _linked_data(evidence: Evidence, *keys: str) -> Iterator[tuple[str, str]]:
    values = (text_of(node.get(key)) for node in evidence.articles for key in keys)
    return ((value, "json-ld") for value in values if value)


def _meta(evidence: Evidence) -> Iterator[tuple[str, str]]:
    return evidence.contents((*date_names.PUBLISHED_METAS, *filter(date_names.says_published, evidence.metas)))


def _microdata(evidence: Evidence, *names: str) -> Iterator[tuple[str, str]]:
    for element in evidence.microdata:
        if (element.get("itemprop") or "").lower() in (names or _PUBLISHED_ITEMS) and element.tag != "meta":
            hidden = element.get("title") if element.tag == "abbr" else None  # as hAtom has it
            written = element.get("content") or element.get("datetime") or hidden
            yield written or element.text_content().strip()[:_MAX_STAMP], "microdata"


def _stated(page: FactPage) -> Iterator[Candidate[Dated]]:
    """Yield the dates of publication that are stated for machines, which copy each other: one cue.

    Metas that do not say of what their date is speak where no other does; today's is that of the request.
    """
    evidence = page.evidence
    certain = [
        *_first(page, _linked_data(evidence, *_PUBLISHED_KEYS), ("json-ld",)),
        *_first(page, _meta(evidence), ("meta",)),
    ] or list(_first(page, _microdata(evidence)))
    first = min((one.value.moment for one in certain), default=None)
    for one in certain:  # of several days the one that is also the change's counts as printed earlier
        is_late = first is not None and one.value.moment - first > _TWO_DAYS
        signs = (PRINTED_EARLIER if is_late and sign == AS_CHANGED else sign for sign in one.signs)
        yield one._replace(signs=tuple(signs))
    names = () if certain else (*date_names.VAGUE_METAS, *filter(date_names.says_some_date, evidence.metas))
    vague = evidence.contents(dict.fromkeys(names))
    for one in chain.from_iterable(_first(page, [said], ("vague",)) for said in vague):
        now = page.dates.fetched_at.astimezone(one.value.moment.tzinfo)
        yield one._replace(signs=(*one.signs, TODAY)) if one.value.moment.date() == now.date() else one


def _from_address(page: FactPage) -> Iterator[Candidate[Dated]]:
    """Yield the day that the page's address spells; within a name it may be that of an event.

    A moment of the day before or after that readers are shown is the same one in their zone.
    """
    signs = () if date_names.OWN_PARTS.search(page.evidence.url or "") else (IN_A_NAME,)
    day, shown = date_in_url(page.evidence.url, page.dates), page.once(shown_date)
    if day and shown and shown.has_time and abs(shown.moment.date() - day.moment.date()) == _ONE_DAY:
        day = shown
    yield from _candidate(day, signs=signs)


def stated_change(page: FactPage) -> Dated | None:
    """Return when the page says for machines that it was modified. For :meth:`FactPage.once`."""
    evidence = page.evidence
    said = (
        _linked_data(evidence, "dateModified"),
        evidence.contents(date_names.MODIFIED_METAS),
        _microdata(evidence, "datemodified"),
    )
    return next(filter(None, (read_date(raw, origin, page.dates) for raw, origin in chain(*said))), None)


def _printed_change(page: FactPage) -> Dated | None:
    """Return the best date that a line or a ``time`` element says the page was changed at."""
    evidence = page.evidence
    around = [evidence.lines.texts[number] for number in evidence.places.around]
    has_label = any(_DIGIT.search(text) and date_names.CHANGE.search(text) for text in around)
    found: list[Candidate[Dated]] = page.once(time_elements) if evidence.times else []
    found = [*found, *page.once(dated_lines)] if has_label else found
    stated = [one for one in found if CHANGED in one.signs]
    best = max(stated, key=lambda one: DATES.weight("line", one.signs), default=None)
    if best is not None and DATES.weight("line", best.signs) >= DATES.least:
        return best.value
    lines = [text for text in around if len(text) <= _SENTENCE] if has_label else ()
    return next(filter(None, (changed_the_same_day(text, page.dates) for text in lines)), None)


def shown_date(page: FactPage) -> Dated | None:
    """Return the first date in a short line below the headline; None if it is that of a change. For ``once``."""
    places = page.evidence.places
    for number in page.evidence.lines.years(_SHOWN_CHARS):
        line = page.evidence.lines[number]
        if line.linked or number not in places.header or not 0 < number - places.headline <= _SHOWN_LINES:
            continue
        is_in_text = places.body_start < places.body_end and number > places.body_start
        for start, dated in dates_of(line.spaced, page.dates):
            if is_in_text and (start > 0 or len(line.text) > _ALONE_CHARS):
                break
            if dated is not None:
                is_other = date_names.MODIFIED_LABEL.search(line.spaced[:start]) or date_names.NOT_PUBLISHED.search(
                    line.text
                )
                return None if is_other else dated
    return None


def time_elements(page: FactPage) -> list[Candidate[Dated]]:
    """Return the moments of ``time`` elements, and of others that state one. For :meth:`FactPage.once`."""
    evidence, lines, places = page.evidence, page.evidence.lines, page.evidence.places
    times = (
        (element, element.get("datetime") or element.text_content().strip()[:_MAX_STAMP]) for element in evidence.times
    )
    found: list[Candidate[Dated]] = []
    for element, raw in chain(times, evidence.stamped):
        number = evidence.line_of.get(element, -1)
        dated = read_date(raw, "time", page.dates) if raw and number not in evidence.places.others else None
        if dated is None:
            continue
        words = " ".join(filter(None, map(element.get, ("class", "itemprop", "title"))))
        text = lines[number].text if 0 <= number < len(lines) else ""
        own = element.text_content().strip()
        digit = _DIGIT.search(own)  # its label may stand in the element
        in_line = text[: text.find(own) + (digit.start() if digit else 0)]
        named = date_names.MODIFIED_LABEL.search(words) or date_names.CHANGED_NAME.search(words)
        signs = {
            CHANGED: (named and not date_names.PUBLISHED_NAMED.search(words))
            or date_names.MODIFIED_LABEL.search(in_line if own and own in text else text[: date_names.LABEL_CHARS]),
            "element marked": element.get("pubdate") is not None or date_names.PUBLISHED_CLASS.search(words),
            "element time of day": dated.has_time,
            "element near the headline": number in places.header,
            "element below the text": number in places.tail and number not in places.header,
            "element another part": in_other_part(evidence, element),
        }
        found += _candidate(dated, number, ("time element", *(name for name, holds in signs.items() if holds)))
    return found


def dated_lines(page: FactPage) -> list[Candidate[Dated]]:
    """Return the dates of lines: around the text, marked, labelled, or of a post's last sentence. For ``once``."""
    evidence = page.evidence
    lines, places = evidence.lines, evidence.places
    marked: dict[int, tuple[str, ...]] = {}
    for element in evidence.marked:  # lines in an element whose class says date
        number = evidence.line_of.get(element, -1)
        is_date = is_named(element, date_names.DATE_WORDS) or date_names.DATE_WORDS.search(
            element.get("itemprop") or ""
        )
        if number >= 0 and marked.get(number) != ("marked",) and is_date:
            marked[number] = ("another part",) if in_other_part(evidence, element) else ("marked",)
    posted = [number for number in lines.years(_MAX_POSTED) if date_names.POSTED.match(lines.texts[number])]
    short = lines.years(_MAX_LABELLED)
    labelled = (number for number in short if date_names.is_labelled(lines.texts[number]))
    marked |= (above := {number: ("marked",) for number in short if _is_marked_above(page, number)})
    stated = [element for element in evidence.times if element.get("datetime")]
    told = {evidence.line_of.get(element) for element in (*stated, *dict(evidence.stamped))}
    found: list[Candidate[Dated]] = []
    for number in dict.fromkeys((*places.around, *marked, *labelled, *posted)):
        line = lines[number]
        if number in places.others or line.tag == "h1" or (number == places.headline and line.tag):
            continue
        sign = ABOVE if number in above else _place_sign(number, places)
        place = (sign, *marked.get(number, ()), *(("posted",) if number in posted else ()))
        is_below = places.body_start < places.body_end <= number and number not in posted
        text = line.spaced
        if number in posted:
            text = text[:_SENTENCE]
        elif len(text) > _MAX_LINE:  # near the headline its beginning is read, elsewhere its end
            text = text[:_MAX_LINE] if number in places.header else text[-_TAIL_CHARS:]
        spots = list(_spots(page, text, number not in told))
        if spots and is_below and evidence.in_comment(_element_of(page, number)):
            place = (*place, COMMENTED)
        if line.linked:
            place = (*place, "link")
        for start, dated in spots:
            said = (OTHER_LABEL,) if is_below and date_names.has_other_label(text, start) else ()
            found += _candidate(dated, number, (*place, *said, *_line_signs(dated, text, start)))
    is_whole = any(not (one.value.is_guessed or one.value.is_relative) for one in found)
    return found if is_whole else [*found, *_pieced(page, marked)]


def _is_marked_above(page: FactPage, number: int) -> bool:
    """Tell whether a line far above the headline is named as an article's date line is: ``entry-meta``."""
    places, lines = page.evidence.places, page.evidence.lines
    if not number < places.headline or number in places.header or lines[number].linked:
        return False
    element = _element_of(page, number)
    return is_named(element, date_names.DATE_LINE) and not in_other_part(page.evidence, element)


def _element_of(page: FactPage, number: int) -> HtmlElement:
    element: HtmlElement = page.evidence.document.measures.nodes[page.evidence.lines.starts[number]]
    return element


def _line_signs(dated: Dated, text: str, start: int) -> list[str]:
    """Return what speaks for or against a date that begins somewhere in a line, beside the line's place and marks."""
    before = text[max(0, start - date_names.LABEL_CHARS) : start]
    signs = {
        CHANGED: date_names.MODIFIED_LABEL.search(before) or date_names.MODIFIED_BEHIND.match(text, start),
        "label": date_names.PUBLISHED_LABEL.search(before),
        "another matter": date_names.NOT_PUBLISHED.search(text),
        "time of day": dated.has_time,
        "short line": len(text) <= _SHOWN_CHARS,
        "sentence": len(text) > _SENTENCE,
        "late in the line": start > _SHOWN_CHARS,
        "no year": dated.is_guessed,
        "ago": dated.is_relative,
    }
    return [name for name, holds in signs.items() if holds]


def _spots(page: FactPage, text: str, may_be_loose: bool) -> Iterator[tuple[int, Dated]]:  # noqa: FBT001
    """Yield the dates of a line and where they begin; loose ones only where nothing states a date in full."""
    if not may_have_date(text) and not find_relative(text[:RELATIVE_CHARS], page.language):
        return
    for start, dated in dates_of(text, page.dates):
        may_be_loose = False
        if dated is not None:
            yield start, dated
    loose = loose_date(text, page.dates) if may_be_loose and len(text) <= _SENTENCE else None
    if loose is not None:
        yield text.find(loose.raw), loose


def _place_sign(number: int, places: Places) -> str:
    if number in places.header:
        if places.body_start < places.body_end and number >= places.body_start:
            return "in the text" if number < places.body_end else "below the text"
        return "below the headline" if number >= places.headline else ABOVE
    return "below the text" if number in places.tail else "elsewhere"


_MAX_PIECE: Final = 14  # characters of a line that is a piece of a date
_WINDOWS: Final = ((0, 1), (-1, 1), (0, 2), (-2, 1), (-1, 2))  # lines around that with the year


def _pieced(page: FactPage, asked: Collection[int]) -> Iterator[Candidate[Dated]]:
    """Yield the first date whose parts stand in neighbouring lines or elements, where no line has it whole."""
    lines, places = page.evidence.lines, page.evidence.places
    for number in lines.years(_MAX_PIECE):
        for first, stop in _WINDOWS if number in places.around or number in asked else ():
            near = range(max(0, number + first), min(len(lines), number + stop))
            if all(lines.chars[place] <= _MAX_PIECE and not lines[place].tag for place in near):
                found = pieced_date(" ".join(lines[place].spaced for place in near), page.dates)
                if found is not None:
                    yield from _candidate(found, number, (_place_sign(number, places), "marked", "short line"))
                    return


ABOVE: Final = "above the headline"
OTHER_LABEL: Final = "another label"
"""Sign of a date below the text behind a label that is known for none of an article's dates."""
COMMENTED: Final = "comment"
"""Sign of a date below the text in what is named comments."""
AS_CHANGED: Final = "as changed"
"""Sign of a date whose day is also stated as that of the change."""
PRINTED_EARLIER: Final = "printed earlier"
"""Sign of such a date where readers are shown a day long before: some systems keep one time for both."""
TODAY: Final = "today"
IN_A_NAME: Final = "in a name"
_PUBLISHED_KEYS: Final = ("datePublished", "dateCreated", "uploadDate")
_PUBLISHED_ITEMS: Final = ("datepublished", "datecreated")

DATE_CUES: Final[tuple[Cue[Dated], ...]] = (
    Cue("feed", _from_feed),
    Cue("stated", _stated),
    Cue("address", _from_address),
    Cue("stated change", lambda page: _candidate(page.once(stated_change))),
    Cue("line", lambda page: (*page.once(time_elements), *page.once(dated_lines))),
)
"""The cheap ones first: the last reads all lines around the text."""
