"""What is to be said of a label that a page's reading differs from: it is wrong, or speaks of something else.

Each fault is told by the page alone. A wrong answer whose label has none is a page that is read wrongly.
"""

from __future__ import annotations

import re
import sys
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from newscrawl.extract.facts.names import is_login, is_nobody
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import text_of
from newscrawl.page.places import PageLines
from newscrawl.page.statements import gather

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lab.evaluation.corpus import CorpusPage
    from newscrawl.page.document import Document

SAME_TITLE: Final = 0.9
DAY: Final = len("2024-03-05")
ANOTHER_HEADLINE: Final = "another headline"
ANOTHER_DAY: Final = "another zone's day"
CHANGED: Final = "day of a change"
NOT_STATED: Final = "not on the page"
NO_PERSON: Final = "no person"
FAULTS: Final = (NOT_STATED, CHANGED, ANOTHER_DAY, ANOTHER_HEADLINE, NO_PERSON)
_NAME_BREAK: Final = re.compile(r"[;,、/&]|\s(?:und|and|et|y)\s|['\"\[\]]")
_ONE_DAY_OF_ZONES: Final = timedelta(hours=14)


def is_same_title(found: str | None, gold: str) -> bool:
    """Tell whether two titles are the same: equal after folding, or with an edit similarity of 0.9."""
    ours, theirs = fold(found or ""), fold(gold)
    return bool(ours) and SequenceMatcher(None, ours, theirs, autojunk=False).ratio() >= SAME_TITLE


def names_in(names: Iterable[str]) -> frozenset[str]:
    """Return the folded names, those that stand in one string set apart."""
    parts = [part for name in names for part in _NAME_BREAK.split(name)]
    parts = [word for part in parts for word in (part.split() if HAN_LETTER.search(part) else [part])]
    return frozenset(folded for part in parts if (folded := fold(part)))


def is_borne_out(page: CorpusPage, document: Document, name: str) -> bool:
    """Tell whether the page says what its label says, wherever it does; for a date, not as that of a change."""
    if name == "date":
        return not _is_change(page) and _states_day(page, document)
    shown = fold(_markup(page)) + fold("".join(line.text for line in document.once(PageLines)))
    wanted = names_in(page.gold.authors) if name == "author" else {fold(page.gold.title or "")}
    return all(text in shown for text in wanted)


def fault_of(page: CorpusPage, document: Document, name: str, found: str) -> str:
    """Return what is wrong with the label of a page that another value was found on, ``""`` for nothing.

    :param found: the value, a date in ISO 8601.
    """
    if name == "title":
        return ANOTHER_HEADLINE if _is_headline(document, found) and not _is_headline(document, _title(page)) else ""
    if name == "author" and all(is_nobody(author) or is_login(author) for author in page.gold.authors):
        return NO_PERSON
    if name == "date":
        if found and _is_another_day(page, found):
            return ANOTHER_DAY
        if _is_change(page):
            return CHANGED
    return "" if is_borne_out(page, document, name) else NOT_STATED


def _title(page: CorpusPage) -> str:
    return page.gold.title or ""


def _is_headline(document: Document, title: str) -> bool:
    """Tell whether readers are shown a title as a heading of the first level, or JSON-LD states it as the headline."""
    evidence = document.once(gather)
    shown = [line.text for line in evidence.lines.headings if line.tag == "h1"]
    stated = (text_of(node.get("headline")) for node in evidence.articles)
    return any(is_same_title(text, title) for text in (*shown, *filter(None, stated)))


def _markup(page: CorpusPage) -> str:
    return page.read().decode(page.encoding, errors="replace")


def _is_change(page: CorpusPage) -> bool:
    """Tell whether a label's day is stated as that of the last change, beside another one of publication."""
    day, markup = (page.gold.date or "")[:DAY], _markup(page)
    published = re.findall(r"(?:datePublished|published_time)\W[^<>{}]{0,24}?(\d{4}-\d\d-\d\d)", markup)
    changed = re.findall(r"(?:dateModified|modified_time)\W[^<>{}]{0,24}?(\d{4}-\d\d-\d\d)", markup)
    return day in changed and bool(published) and day not in published


def _is_another_day(page: CorpusPage, found: str) -> bool:
    """Tell whether a label states a moment of the day before or after, as a zone of its maker's has it."""
    try:
        label, moment = datetime.fromisoformat(page.gold.date or ""), datetime.fromisoformat(found)
    except ValueError:
        return False
    return label.tzinfo is not None and abs(moment - label) <= _ONE_DAY_OF_ZONES


def _states_day(page: CorpusPage, document: Document) -> bool:
    lines, day = document.once(PageLines), (page.gold.date or "")[:DAY]
    texts = [page.url or "", *(lines[number].spaced for number in lines.years(sys.maxsize))]
    dates = (date for text in texts for first in (True, False) for date in find_dates(text, page.lang, day_first=first))
    return day in _markup(page) or any(date.moment.date().isoformat() == day for date in dates)
