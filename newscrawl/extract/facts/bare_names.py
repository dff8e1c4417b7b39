"""Names of authors that stand without a label: alone on a line, beside a date, in brackets that close a paragraph."""

from __future__ import annotations

import re
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import numpy as np

from newscrawl.extract.facts.bylines import (
    BYLINE_END,
    LABEL_ALONE,
    MAX_BYLINE,
    SHORT,
    WRITTEN_BY,
    Named,
    is_common,
    people,
)
from newscrawl.extract.facts.names import (
    MAIL,
    PERSON,
    PLACE_BEHIND,
    is_behind_name,
    is_east_asian_name,
    is_label,
    is_organisation,
    is_spaced_name,
)
from newscrawl.extract.facts.source import is_source_mark
from newscrawl.items import Author
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import language, words
from newscrawl.languages.text import fold
from newscrawl.page.statements import CLOSE
from newscrawl.page.tags import HEADINGS
from newscrawl.urls.series import same_host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.extract.facts.cues import FactPage
    from newscrawl.page.places import Line, PageLines

_BETWEEN: Final = WordPattern(r"[/,;]|\s(?:{people.and}|&)\s")
_PLACE_OR_PRESS: Final = WordPattern(r"[^\W\d_a-zß-ÿ][\w'’\-]+|(?i:{people.agencies})")
"""One word, or an agency, behind a name."""
_PERSONS_PAGE: Final = re.compile(
    r"author|autor|auteur|people|person|profile?|contribut|columnist|writer|reporter|journalist|redakt|redact|staff|team"
    r"|member|user|expert",
    re.IGNORECASE,
)
_NOT_PEN_NAME: Final = WordPattern(r"[:：\d《》]|{zh:people.no_pen_name}|[。，！？]")
_DATE_LABEL: Final = WordPattern(r"{dates.published,dates.changed,dates.edited}[^\d]{0,22}$", re.IGNORECASE)
_COUNT: Final = re.compile(r"\D{0,16}\d{1,6}\D{0,16}")
"""How long a text takes to read, how many words it has, how often it was read."""
_SIGNATURE: Final = re.compile(r"(?:^|[。！？!?.…”」』])\s*[(（]\s*+([^()（）]{2,40})\s*[)）]\s*$")
"""Names behind a whole sentence: brackets behind a word explain it."""
_ABOVE_BODY: Final = 2
"""Lines right above the body in which a bare name is a byline."""
_LAST_BRACKETS: Final = WordPattern(r"(?<=\w)\s?\((?:[A-ZА-ЯΑ-ΩČ]{2,8}|[^()]{0,12}{people.agencies})\)$")
"""An agency behind a name."""
_OTHER_ROLE: Final = WordPattern(r"{people.editor}\s*[:：]", re.IGNORECASE, is_led=True)
_CONNECTOR: Final = WordPattern("{people.and}|&", re.IGNORECASE)
_NAME_LINES: Final = 8
"""Lines below the headline among which a name stands without a label."""
_PARAGRAPH: Final = 120
"""Characters of a line that begins a story's text."""
FAR: Final = "far"
"""Sign of names some lines below the headline."""
_MAX_PEN_NAME: Final = 12
_LAST_HAN: Final = "\u9fff"
_SIGNED_LINES: Final = 4
"""Last lines of the body among which a name at the right may stand."""
_SLANTED: Final = frozenset(("i", "em", "cite"))
_BANNERS: Final = 3
"""First lines of a page among which the name of its site stands."""
_LEAST_OWN, _OWN_SHARE = 3, 0.003
"""Words for *I* and *my* in a text that tells of its author, and their share."""
_MIN_NAME: Final = 5
_MAX_SPACES: Final = 6
"""Between the words of such a label and name."""
_BOX_LINES: Final = 4
"""Lines below a name in which its bearer is introduced."""
_ABOUT: Final = WordPattern(r"\W*{people.about}\s*[:：|–—]?\s*", re.IGNORECASE, is_led=True)
_JOB: Final = WordPattern("{people.jobs}", re.IGNORECASE)
_NOTED: Final = _SLANTED | {"a"}
_WRITTEN: Final = WordPattern(rf"\s{{people.written_by}}\s+(?P<name>(?-i:{PERSON.template}))\.?$", re.IGNORECASE)
_NOTE_LINES, _NOTE_CHARS = 8, 100
"""Lines below the text among which a note on its author stands, and characters behind the name that tell of the job."""
_INITIALS: Final = 3
"""Characters of initials that stand in a picture's place above a name."""
_BOXES: Final = 40
"""Lines below the text among which such a box may stand."""
_SIGNED_CHARS: Final = 100
"""Last characters of a paragraph in which its brackets stand."""


def own_line(page: FactPage) -> Iterator[Named]:
    """Yield an East Asian name that begins a line between headline and body, or is a part of one with a date."""
    places = page.evidence.places
    for line, parts, first_date in page.once(lines_of_names):
        is_near = line.number - places.headline <= CLOSE or places.body_start - line.number <= _ABOVE_BODY
        said = parts if first_date >= 0 else parts[:1]
        name = next((part for part in said if is_east_asian_name(part) and not is_label(part)), "")
        is_placed = is_near and (line.number < places.body_start or first_date >= 0)
        is_hangul = name > _LAST_HAN  # words of three syllables that begin as names do are many
        is_dated = not is_hangul or first_date >= 0 or _is_by_a_date(page.evidence.lines, line.number)
        if name and is_placed and is_dated and not (line.linked and _is_section(page, line)):
            yield Named([Author(name=name)])
            return


def signature(page: FactPage) -> Iterator[Named]:
    """Yield names in brackets that close a paragraph, of the last such paragraph: ``（张三 上海报道）``."""
    lines, places = page.evidence.lines, page.evidence.places
    for index in range(min(places.body_end + 2, len(lines)) - 1, places.body_start - 1, -1):
        text = lines.texts[index]
        match = _SIGNATURE.search(text[-_SIGNED_CHARS:]) if text.endswith(("）", ")")) else None
        if match is None:
            continue
        found = [word for word in re.split(r"[\s、，,/]+", match[1]) if word]
        names = list(takewhile(is_east_asian_name, found))
        if names and (len(names) == len(found) or found[-1].endswith(words("people.reported"))):
            yield Named([Author(name=name, nameRaw=match[0].strip()) for name in names])
            return


class Beside(NamedTuple):
    """What a line right below the headline holds beside its dates."""

    line: Line
    parts: list[str]
    first_date: int
    """Where the first date begins; -1 where there is none."""


def lines_of_names(page: FactPage) -> list[Beside]:
    """Return the lines right below the headline without dates, counts and buttons. For :meth:`FactPage.once`."""
    evidence = page.evidence
    sources = {evidence.line_of.get(element) for element in evidence.marked if is_source_mark(element)}
    found: list[Beside] = []
    no_names = words("people.no_author")
    headline = evidence.places.headline
    for line in (evidence.lines[at] for at in evidence.places.header if 0 < at - headline <= _NAME_LINES):
        if len(line.text) > MAX_BYLINE or line.tag or line.number in sources:
            continue
        spans = [(date.start, date.end) for date in find_dates(line.spaced)]
        rest = line.spaced
        for start, end in reversed(spans):
            rest = f"{rest[:start]}  {rest[end:]}"
        rest = MAIL.sub("  ", rest) if "@" in rest else rest
        rest = _LAST_BRACKETS.sub("", rest.rstrip())
        parts = [part.strip(" \t·•|-–—,[]【】") for part in re.split(r"\s{2,}|[|·•]|\s[-–—]\s", rest)]
        for place, part in enumerate(parts if spans else ()):  # what says that a date follows
            label = None if PERSON.fullmatch(part) else _DATE_LABEL.search(part)
            parts[place] = part[: label.start()].rstrip(" \t·•|-–—,:") if label else part
        parts = [part for part in parts if part and part not in no_names and not _is_no_name(part)]
        if parts:
            found.append(Beside(line, parts, spans[0][0] if spans else -1))
    return found


def _is_no_name(part: str) -> bool:
    """Tell whether a part beside a day counts something, is another role's, or joins two names."""
    return bool(_COUNT.fullmatch(part) or _OTHER_ROLE.match(part) or _CONNECTOR.fullmatch(part))


def before_date(page: FactPage) -> Iterator[Named]:
    """Yield the pen name alone before the date on Chinese pages; what stands behind the date is the source."""
    for line, parts, first_date in page.once(lines_of_names):
        name = parts[0]
        is_alone = len(parts) == 1 and 2 <= len(name) <= _MAX_PEN_NAME and line.spaced.find(name) < first_date
        if is_alone and not (is_organisation(name) or is_label(name) or _NOT_PEN_NAME.search(name)):
            yield Named([Author(name=name)])
            return


def beside_date(page: FactPage) -> Iterator[Named]:
    """Yield whole names without label: beside the date below the headline, or alone on a line near it or the body."""
    lines, places = page.evidence.lines, page.evidence.places
    for line, parts, first_date in page.once(lines_of_names):
        said = [BYLINE_END.split(part, 1)[0] for part in parts]
        names = [PLACE_BEHIND.split(name.strip(), 1)[0] for part in said for name in _BETWEEN.split(part)]
        names = [name for name in names if name is names[0] or not is_behind_name(name, names[0])]
        n_said = len(names)
        names = [name for name in names if not is_organisation(name)] or names
        if len(names) > 1 and _PLACE_OR_PRESS.fullmatch(names[-1]) and not is_label(names[-1]):
            names.pop()
            if any(names[0] in text for text in lines.texts[line.number + 1 : places.body_end]):
                continue  # of a dateline, "San Francisco, California", the story speaks
        may_be_common = "@" not in line.text  # an address of mail has the name in small letters
        if not all(map(is_spaced_name, names)) or (may_be_common and any(is_common(lines, name) for name in names)):
            continue
        is_far = line.number - places.headline > CLOSE
        if is_far and len(names) < n_said:
            continue  # who is quoted has a post beside the name
        tag = page.evidence.document.measures.nodes[lines.starts[line.number]].tag
        if line.number >= places.body_end and tag in HEADINGS:
            continue  # of a list of dated stories
        is_above_text = lines.chars[line.number + 1 : line.number + 2].max(initial=0) >= _PARAGRAPH
        is_above_text &= lines.chars[places.headline + 1 : line.number].max(initial=0) < _PARAGRAPH
        near = line.number in {places.body_start - 1, places.headline + 1} or is_above_text
        is_alone = ((near and not line.linked) or _is_by_a_date(lines, line.number)) and not _is_section(page, line)
        if is_alone or (first_date >= 0 and len(parts) == 1):
            yield Named([author for name in names for author in people(name)], (FAR,) if is_far else ())
            return


def below_the_text(page: FactPage) -> Iterator[Named]:
    """Yield the whole name that signs a text: at the right among its last lines or below it, or marked as its last.

    What marks it is slanted type, a dash before it, or brackets.
    """
    lines, places, nodes = page.evidence.lines, page.evidence.places, page.evidence.document.measures.nodes
    first = max(places.body_end - _SIGNED_LINES, places.body_start + 1, 0)
    for index in range(first, min(places.body_end + 2, len(lines))):
        text = lines.texts[index]
        name = text.strip("—–-~()（） ")
        if len(text) > SHORT or lines[index].linked or not (is_spaced_name(name) or is_east_asian_name(name)):
            continue
        is_marked = nodes[lines.starts[index]].tag in _SLANTED or name is not text
        is_last = index >= places.body_end - 1 and is_marked
        if lines.is_at_the_right(index) or (is_last and not is_common(lines, name)):
            yield Named(people(name))
            return


def owner(page: FactPage) -> Iterator[Named]:
    """Yield whose site it is, of a text that speaks of *me*: who holds its copyright, or whose name leads home."""
    evidence, lines, places = page.evidence, page.evidence.lines, page.evidence.places
    address = fold(urlsplit(evidence.url or "").netloc)
    banners = lines.texts[: min(max(places.headline, 0), _BANNERS)]
    named = (text for text in banners if fold(text.rsplit(maxsplit=1)[-1]) in address)
    said = (page.sites.holder, *named)
    sites = page.sites.told | page.sites.tails
    names = [name for name in said if PERSON.fullmatch(name) and not (is_organisation(name) or fold(name) in sites)]
    table = language(page.language)
    own = table.words.get("people.self", ()) if table is not None and names else ()
    told = " ".join(lines.texts[places.body_start : places.body_end]).lower().split() if own else []
    if sum(word in own for word in told) >= max(_LEAST_OWN, _OWN_SHARE * len(told)):
        yield from (Named(people(name)) for name in names[:1])


def in_a_box(page: FactPage) -> Iterator[Named]:
    """Yield who is introduced below the beginning of the text: behind a label, or before a link to their page.

    Without a box, a note below the text tells of its author.
    """
    lines, places = page.evidence.lines, page.evidence.places
    near = lines.chars[places.body_start + 1 : places.body_end + _BOXES]
    for number in (np.flatnonzero((near >= _MIN_NAME) & (near <= SHORT)) + places.body_start + 1).tolist():
        text = lines.texts[number]
        n_spaces = text.count(" ")
        if not 1 <= n_spaces <= _MAX_SPACES or not text[0].isupper() or text[-1] in ".?!":
            continue
        label = WRITTEN_BY.match(text) if n_spaces > 1 else None
        name = text[label.end() :] if label else text
        if not PERSON.fullmatch(name) or number in places.others or is_common(lines, name):
            continue
        if label or _is_introduced(page, name, number):
            yield Named(people(name))
            return
    yield from _told_of(page)


def _told_of(page: FactPage) -> Iterator[Named]:
    """Yield whom a note at the end of the text begins with: behind a label, or slanted, linked, and with a job."""
    lines, places, nodes = page.evidence.lines, page.evidence.places, page.evidence.document.measures.nodes
    for number in range(max(places.body_end - _SIGNED_LINES, places.body_start + 1), places.body_end + _NOTE_LINES):
        text = lines.texts[number] if number < len(lines) else ""
        written = _WRITTEN.search(text) if len(text) <= _NOTE_CHARS else None
        if written is not None:
            yield Named(people(written["name"]), ("note",))
            return
        label = _ABOUT.match(text)
        name = PERSON.match(text, label.end() if label else 0)
        if (
            name is None
            or number in places.others
            or lines[number].linked
            or text[name.end() : name.end() + 1] not in {" ", ","}
        ):
            continue
        element = nodes[lines.starts[number]]
        is_marked = any(node.tag in _NOTED for node in (element, *islice(element.iterancestors(), 2)))
        if label or (is_marked and _JOB.search(text[name.end() :][:_NOTE_CHARS])):
            yield Named(people(name[0]), ("note",) if label is None else ())
            return


def _is_introduced(page: FactPage, name: str, number: int) -> bool:
    """Tell whether a label stands alone above a name, or the person's mail or a link to the own page is right below."""
    lines = page.evidence.lines
    above = lines.texts[number - 1]
    above = lines.texts[number - 2] if len(above) <= _INITIALS and above.isupper() else above
    if not lines[number].linked and (LABEL_ALONE.fullmatch(above) or _ABOUT.fullmatch(above)):
        return True
    is_below = page.evidence.places.body_end - 1 <= number < len(lines) - 1
    told = lines.texts[number + 1] if is_below and not lines[number + 1].linked else ""
    if len(told) > len(name) and (told.startswith(name) or (len(told) <= SHORT and _JOB.search(told))):
        return True
    for below in (lines[at] for at in range(number + 1, min(number + 1 + _BOX_LINES, len(lines)))):
        if "@" in below.text and len(below.text) <= SHORT and (mail := MAIL.search(below.text)):
            return fold(name.rsplit(maxsplit=1)[-1]) in fold(mail[0])
        if below.linked and name in below.text and len(name) < len(below.text) <= SHORT:
            address = page.evidence.link_of(below) or ""
            return _PERSONS_PAGE.search(address) is not None and any(
                fold(word) in fold(address) for word in name.split()
            )
    return False


def _is_by_a_date(lines: PageLines, index: int) -> bool:
    """Tell whether a short line above or below states a date."""
    around = (lines[number] for number in range(max(0, index - 2), min(index + 4, len(lines))))
    return any(len(line.text) <= SHORT and next(find_dates(line.spaced), None) is not None for line in around)


def _is_section(page: FactPage, line: Line) -> bool:
    """Tell whether a line names a section: it stands in the navigation, too, or leads to a page that is nobody's."""
    evidence = page.evidence
    if line.linked:
        href = evidence.link_of(line) or ""
        if (
            href
            and not _PERSONS_PAGE.search(href)
            and same_host(urljoin(evidence.base or "", href), evidence.url or "")
        ):
            return True
    return any(evidence.lines[number].text == line.text for number in range(evidence.places.headline))
