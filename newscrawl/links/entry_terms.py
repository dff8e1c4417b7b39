"""Tags and categories that a system writes into the classes of each post's element, on lists and on the post's page.

WordPress (``post_class``) and Ghost do so whether or not the theme shows them: ``<article class="post-7 hentry
category-law-crime tag-jimmy-lai">``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures

_IS_ENTRY: Final = re.compile(r"(?:^|\s)(?:hentry|type-post|post|post-\d+)(?:\s|$)")
_TERM: Final = re.compile(r"(?:^|\s)(?:category|tag|product_cat|product_tag)-([^\W\d_][^\s]+)")

MAX_TERMS: Final = 30


@lru_cache(maxsize=4096)
def terms_of_classes(classes: str) -> tuple[str, ...]:
    """Return the tags and categories in an element's classes; none for an element that is no post's.

    >>> terms_of_classes("post-7 post type-post hentry category-law-crime tag-jimmy-lai tag-1057")
    ('law crime', 'jimmy lai')
    >>> terms_of_classes("menu-item category-law")
    ()
    """
    if not _IS_ENTRY.search(classes):
        return ()
    found = dict.fromkeys(name for name in _TERM.findall(classes))
    return tuple(name.replace("-", " ") for name in found)[:MAX_TERMS]


def entries(measures: Measures) -> dict[int, tuple[str, ...]]:
    """Return row → tags and categories of each post's element that names some."""
    rows, _, classes = measures.shown
    return {
        row: terms
        for row, names in zip(rows.tolist(), classes, strict=True)
        if ("tag-" in names or "category-" in names or "product_" in names) and (terms := terms_of_classes(names))
    }


def page_terms(document: Document) -> tuple[str, ...]:
    """Return the tags and categories of the post that the page shows: of the post's element with most text."""
    measures = document.measures
    found = entries(measures)
    return found[max(found, key=lambda row: (int(measures.chars[row]), -row))] if found else ()
