"""The posts of a forum page: siblings of one kind that hold most of its text, taken together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.dom.line_features import lines_inside, subtree_sums
from newscrawl.items import PageType
from newscrawl.page_type.judge import judge
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools

MIN_POSTS: Final = 2
MIN_POST_WEIGHT: Final = 20.0
MIN_LINE_WEIGHT: Final = 15.0
"""Shorter lines without sentence marks are names, dates and buttons."""
MIN_SHARE: Final = 0.8
"""Posts with less than this share of the text that is chosen without them are no posts."""
_BLOCKS: Final = frozenset("div li article section tr table dl".split())


def forum_lines(document: Document) -> Bools | None:
    """Return which lines stand in the posts; None for a page that is no forum, or shows one post only.

    To be called through :meth:`Document.once`.
    """
    url_kind = url_shape(document.url) if document.url else None
    if judge(document, url_kind=url_kind).page_type is not PageType.FORUM:
        return None
    body = document.once(find_body)
    features, measures = body.features, body.features.lines.measures
    prose = subtree_sums(features, features.free * (features.is_prose | (features.free >= MIN_LINE_WEIGHT)))
    groups: dict[tuple[int, str, str], list[int]] = {}
    for row, (tag, parent) in enumerate(zip(measures.tags, measures.parent.tolist(), strict=True)):
        if tag in _BLOCKS and prose[row] >= MIN_POST_WEIGHT:
            name = (measures.nodes[row].get("class") or "").split(" ", 1)[0]
            groups.setdefault((parent, tag, name), []).append(row)
    lists = (rows for rows in groups.values() if len(rows) >= MIN_POSTS)
    posts = max(lists, key=lambda rows: float(prose[rows].sum()), default=[])
    if not posts or prose[posts].sum() < MIN_SHARE * body.weight:
        return None
    inside = lines_inside(features, np.array(posts, dtype=np.int32))
    is_text = features.is_prose | (features.free >= MIN_LINE_WEIGHT)
    chosen: Bools = inside & is_text & ~features.is_links
    return chosen
