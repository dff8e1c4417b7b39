"""The press that first published a text: behind a label, or the agency that the text names at its head or end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.extract.facts.names import is_east_asian_name, is_nobody
from newscrawl.languages.characters import HAN
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.page.hints import is_named
from newscrawl.page.jsonld import text_of
from newscrawl.page.tags import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

    from newscrawl.items import Author
    from newscrawl.page.statements import Evidence

MAX_SOURCE_CHARS: Final = 40
PUBLISHER: Final = "json-ld publisher"
"""Origin of a source that is but the site's own press."""
SOURCE_METAS: Final = ("source", "article:source", "contentsource", "mediaid", "og:source", "dc.source", "news_source",
                       "copyright-holder", "original-source", "weibo:article:source", "sourcename")  # fmt: skip
_LABEL: Final = WordPattern(
    rf"(?:(?:(?<![{HAN}])|(?<={{~zh:dates.day,zh:dates.hour,zh:dates.minute,zh:dates.second}}))"
    r"(?:{zh:people.source_before}\s*)?{zh:people.source}{zh:people.source_after}?"
    r"|(?<![^\W\d_]\s)\b{people.source})\s*[:：|｜]\s*"
)
"""What ends a longer name is none, of a picture (图片来源) or of anything else (Open Source: …)."""
_LABEL_WORD: Final = WordPattern("{people.source}")
"""Each label holds one of these: to look for them first is far cheaper."""
_LABEL_END: Final = re.compile(r"[:：|｜]")
_MARKING: Final = frozenset(("zh", "ja", "ko"))
"""Languages whose sites name the class of a source so; elsewhere it is that of a picture."""
_STOP: Final = WordPattern(
    r"\s{2,}|[|｜（）()【】\[\]<>。；;，,]|\s*{people.source_end}|\s\d|\d{4}(?:[-/.]|{~dates.year})"
)
_LINK: Final = re.compile(r"https?://\S+|www\.\S+")
_MARKUP: Final = re.compile(r"[=<>{}]|^\W*$")
_DELIVERED: Final = WordPattern(r"\d(?::\d{2}|{~dates.hour,dates.minute})\s*{dates.delivered}\s+")
_MAX_DATE_LINE: Final = 120
_NAME: Final = re.compile(rf"[《{HAN}A-Za-z·\-》]{{2,16}}")
_BUTTON: Final = WordPattern("{people.no_source}")
_NO_SOURCES: Final = frozenset(("div", "section", "article", "body", "main", *HEADINGS))
_SOURCE_MARK: Final = re.compile(r"(?:^|[\s_-])(?:source|media|laiyuan|from)|source$|sourceName", re.IGNORECASE)


_HEAD_CHARS: Final = 100
_END_CHARS: Final = 40
_AGENCY: Final = WordPattern(
    r"^(?:{people.agencies}\s?[-–—:|]\s"
    r"|[(（]?{people.agencies}[^\s，。]{0,12}\d{1,2}{~zh:dates.day}.{0,6}{~zh:people.wire}"
    r"|【(?:[^\s】=＝]{1,12}[=＝]\s?)?{people.agencies}(?:[=＝][^】]{0,16})?】"
    r"|[^()（）【】\[\]]{0,48}?(?:[(（\[]|(?<=\s)/)"
    r"(?:[^\s()（）=＝]{1,12}\s?[=＝]\s?{people.agencies}(?:\s?[=＝][^)）]{0,16})?[)）\]]"
    r"|{people.agencies}(?:\s?[/,][^)）\]/]{0,16})?[)）\]/]\s?[-–—.:=]))"
)
"""A dateline: ``LONDON (AFP) -``, ``(서울=연합뉴스)``, ``【AFP=時事】``, ``МОСКВА, 5 июня. /ТАСС/.``."""
_AGENCY_END: Final = WordPattern(
    r"(?:[(（\[]\s?|^[^\w\s]{0,3}\s?){people.agencies}(?:\s?[/,-]\s?\w{1,12}){0,2}\s?[)）\]]?\.?$"
)
_AGENCY_NAME: Final = WordPattern("{people.agencies}")


def choose_source(evidence: Evidence, language: str | None) -> tuple[str, str] | None:
    """Return the source and where it was read, None where the page names none."""
    visible = _labelled(evidence)
    if visible is None and language in _MARKING:
        visible = _marked(evidence)
    if visible is None and language == "zh":
        visible = _beside_date(evidence)
    if visible is None and language == "ja":
        visible = _delivered(evidence)
    visible = visible or _agency(evidence)
    if visible:
        return visible, "visible"
    stated = evidence.meta(*SOURCE_METAS)
    named = _clean(stated[0]) if stated else None
    if named:
        return named, "meta"
    for node in evidence.articles:
        for key in ("sourceOrganization", "provider", "publisher"):
            name = text_of(node.get(key))
            if name and "://" not in name and len(name) <= 2 * MAX_SOURCE_CHARS:
                return name, PUBLISHER if key == "publisher" else f"json-ld {key}"
    return None


def signing_agency(authors: Iterable[Author]) -> str | None:
    """Return the agency that signs a text as its only author; None where a person does, or nobody."""
    names = {author.name for author in authors}
    return names.pop() if len(names) == 1 and _AGENCY_NAME.fullmatch(next(iter(names))) else None


def _agency(evidence: Evidence) -> str | None:
    """Return the agency that the text's first line names as a dateline does, or its last one in brackets or alone."""
    texts, places = evidence.lines.texts, evidence.places
    if not places.body_start < places.body_end:
        return None
    first = texts[places.body_start][:_HEAD_CHARS]
    found = _AGENCY.match(first) if _AGENCY_NAME.search(first) else None
    if found is None:
        last = (texts[n][-_END_CHARS:] for n in (places.body_end - 1, places.body_end) if n < len(texts))
        found = next(filter(None, map(_AGENCY_END.search, filter(_AGENCY_NAME.search, last))), None)
    named = _AGENCY_NAME.findall(found[0]) if found else ()
    return named[-1] if named else None


def _labelled(evidence: Evidence) -> str | None:
    lines, places = evidence.lines, evidence.places
    for index in places.around:
        text = lines[index].spaced
        if not _LABEL_END.search(text):
            continue
        named = source_in(text if len(text) <= 300 else text[-80:])
        is_label = named is None and len(text) <= MAX_SOURCE_CHARS and _LABEL.fullmatch(text.strip() + " ")
        if is_label and index + 1 < len(lines):
            named = _clean(lines[index + 1].text)  # the label and the name stand in cells of their own
        if named:
            return named
    return None


def _marked(evidence: Evidence) -> str | None:
    header = evidence.places.header
    for element in evidence.marked:
        if evidence.line_of.get(element) in header and is_source_mark(element):
            named = _clean(_LABEL.sub("", " ".join(element.text_content().split())))
            if named and not any(map(str.isdigit, named)):
                return named
    return None


def _beside_date(evidence: Evidence) -> str | None:
    """Return the name that follows the date in a line under the headline, as Chinese portals print their source."""
    for line in evidence.below_headline():
        text = line.spaced
        found = next(find_dates(text, "zh"), None) if len(text) <= _MAX_DATE_LINE else None
        if found is None or not found.has_time:
            continue
        words = text[found.end :].split()
        if words and _NAME.fullmatch(words[0]) and not is_east_asian_name(words[0]) and not _BUTTON.search(words[0]):
            return words[0]
    return None


def _delivered(evidence: Evidence) -> str | None:
    """Return the press that Japanese portals print behind a time and *delivered*: ``22:15 配信 例示新聞``."""
    for line in evidence.below_headline():
        found = _DELIVERED.search(line.spaced) if len(line.spaced) <= _MAX_DATE_LINE else None
        named = _clean(line.spaced[found.end() :]) if found else None
        if named and not any(map(str.isdigit, named)):
            return named
    return None


def is_source_mark(element: HtmlElement) -> bool:
    """Tell whether an element's class or id says that it holds the source; a heading's id repeats what it says."""
    return is_named(element, _SOURCE_MARK) and element.tag not in _NO_SOURCES


def source_in(text: str) -> str | None:
    """Return the name after a source label in ``text``.

    >>> source_in("2024-03-05 10:20 来源：新京报 作者：张三")
    '新京报'
    """
    match = _LABEL.search(text) if _LABEL_END.search(text) and _LABEL_WORD.search(text) else None
    return _clean(text[match.end() : match.end() + 80]) if match else None


def _clean(text: str) -> str | None:
    text = _LINK.sub(" ", text).strip(" \t　:：-—|")
    stop = _STOP.search(text)
    name = (text[: stop.start()] if stop else text).strip(' \t　:：-—|“”"《》_/')
    name = f"《{name}" if "》" in name and "《" not in name else name  # 《科学》杂志
    is_name = 1 < len(name) <= MAX_SOURCE_CHARS and not _MARKUP.search(name) and not is_nobody(name)
    return name if is_name else None
