"""What says that a date is stated: names of ``meta`` elements, classes of elements, and words before it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from newscrawl.languages.patterns import WordPattern

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
    r"|p(?:ub)?time$|regi?(?:st)?[a-z_]*(?:date|time|dt)$",
    re.IGNORECASE,
)
"""Other names of metas that say published; after the known ones."""
VAGUE_METAS: Final = ("dc.date", "dcterms.date", "dc.created", "created", "date", "uploaddate")
"""Metas that hold some date; on some sites that of the last build. A clear date by the headline wins over them."""
_VAGUE_NAME: Final = re.compile(r"date|time|stamp", re.IGNORECASE)
_OTHER_NAME: Final = re.compile(
    r"expir|valid|event|start|end|birth|up-?dat|modif|revis|chang|last|zone|refresh|cache|build|read|dur|robots",
    re.IGNORECASE,
)
"""Metas whose moment is of another matter, or of a change."""
MODIFIED_METAS: Final = (
    "article:modified_time", "og:article:modified_time", "og:updated_time", "article:modified", "datemodified",
    "last-modified", "lastmod", "dc.date.modified", "dcterms.modified", "modified", "date.modified", "updated_time",
    "revised", "cxenseparse:recs:moddate", "lastmodifiedtime", "dateupdate", "dateupdated",
)  # fmt: skip
_NOT_NAMES: Final = frozenset((*VAGUE_METAS, *MODIFIED_METAS))

DATE_WORDS: Final = re.compile(
    r"date|time|publi|posted|meta|info|byline|source|datum|stamp|entry-header|sub-?title", re.IGNORECASE
)
PUBLISHED_CLASS: Final = re.compile(r"publi[sc]|entry-date|posted|post-date|pubdate|article-date", re.IGNORECASE)
DATE_LINE: Final = re.compile(
    r"(?:entry|post|article|story|news)[-_]?(?:meta|date|info|time)|byline|dateline|pub-?date", re.IGNORECASE
)
CHANGED_NAME: Final = re.compile(r"updat|modif", re.IGNORECASE)
PUBLISHED_NAMED: Final = re.compile(r"\bpublished\b", re.IGNORECASE)
"""Classes: of what may hold a date, of that of publication, of an article's line of dates; of a change, and of none."""
LABEL_CHARS: Final = 40
"""Characters before a date in which its label stands."""
PUBLISHED_LABEL: Final = WordPattern(r"{dates.published}[^\d]{0,16}$", re.IGNORECASE)
MODIFIED_LABEL: Final = WordPattern(r"{dates.changed}[^\d]{0,22}(?:\d\d?[:.]\d\d\D{0,4})?$", re.IGNORECASE)
MODIFIED_BEHIND: Final = WordPattern(r"[^()（）]{6,40}?\s?{dates.changed}\s?(?:[)）\]】]|$)", re.IGNORECASE)
"""A date with its label behind it, as in brackets: ``（2024/5/19 11:20 更新）``."""
CHANGE: Final = WordPattern("{dates.changed}", re.IGNORECASE)
NOT_PUBLISHED: Final = WordPattern(
    r"©|{dates.other}|\d[:.]\d\d\s?(?:–|-(?=\s|1[1-9]|2))\s?\d?\d[:.]\d\d", re.IGNORECASE
)
"""The last: from one time of day to another."""
LABELLED: Final = WordPattern(
    r"(?:{dates.dated,dates.edited})[^\d\n]{0,12}\d|{dates.dated_by}.{1,40}{dates.dated_on}\s\d", re.IGNORECASE
)
OWN_PARTS: Final = re.compile(
    r"/(?:\d{1,4}[/_.-]){1,2}\d{1,4}(?:[/?#]|$)|/\d{6}(?:\d\d)?(?:[/?#]|$)|\d/(?:\d|[a-z]{3,9}/\d)"
)
"""A date that is a part of an address's path, or several."""
POSTED: Final = WordPattern("{dates.posted}", re.IGNORECASE)
"""How blogs begin the sentence below a post that says when it appeared, who wrote it and where it is filed."""


@lru_cache(maxsize=4096)
def says_published(name: str) -> bool:
    """Tell whether a name that is none of the known ones says published."""
    return len(name) <= MAX_NAME_CHARS and _PUBLISHED_NAME.search(name) is not None and name not in _NOT_NAMES


@lru_cache(maxsize=4096)
def says_some_date(name: str) -> bool:
    """Tell whether a name says that its content is a date, of nothing else in particular."""
    is_named = len(name) <= MAX_NAME_CHARS and _VAGUE_NAME.search(name) and not _OTHER_NAME.search(name)
    return bool(is_named) and name not in MODIFIED_METAS


def has_other_label(text: str, start: int) -> bool:
    """Tell whether a date has a label that is no publication's and no change's: ``Open day: 4 March``."""
    before = text[max(0, start - LABEL_CHARS) : start].rstrip()
    is_known = PUBLISHED_LABEL.search(before) or MODIFIED_LABEL.search(before)
    return before.endswith((":", "：")) and not (is_known or is_labelled(text))


@lru_cache(maxsize=4096)
def is_labelled(text: str) -> bool:
    """Tell whether a date stands after a label in a line."""
    return LABELLED.search(text) is not None
