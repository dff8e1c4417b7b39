"""Names of the ``meta`` elements that state dates."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

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


@lru_cache(maxsize=4096)
def says_published(name: str) -> bool:
    """Tell whether a name that is none of the known ones says published."""
    return len(name) <= MAX_NAME_CHARS and _PUBLISHED_NAME.search(name) is not None and name not in _NOT_NAMES


@lru_cache(maxsize=4096)
def says_some_date(name: str) -> bool:
    """Tell whether a name says that its content is a date, of nothing else in particular."""
    is_named = len(name) <= MAX_NAME_CHARS and _VAGUE_NAME.search(name) and not _OTHER_NAME.search(name)
    return bool(is_named) and name not in MODIFIED_METAS
