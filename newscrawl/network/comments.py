"""Reader comments below a post that is shorter than they are."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.network.features import FEATURES

if TYPE_CHECKING:
    from newscrawl.dom.measures import Bools, Measures
    from newscrawl.network.features import PageLines

COMMENTS: Final = re.compile(
    r"(?:(?:wp-block-)?(?:post|article|entry|blog|news|reader|user)?[-_]?)comments?[-_]?"
    r"(?:list|content|body|text|area|section|wrapper|container|thread|block|box|item|entry)?s?|disqus_thread|pinglun",
    re.IGNORECASE,
)
"""Classes and ids of what holds comments. Forums speak of posts, replies and messages."""

MAX_REPLY_CHARS: Final = 12
MIN_REPLIES: Final = 2
_IN_COMMENT, _IN_FORM = (FEATURES.index(name) for name in ("in_comment", "in_form"))


def drop_comments(is_body: Bools, page: PageLines) -> None:
    """Leave out comments on pages where prose comes before them, and a form or calls to reply stand among them."""
    kept = np.flatnonzero(is_body)
    if not len(kept) or not page.features.is_prose[kept[0]]:
        return
    levels = page.values[:, _IN_COMMENT]
    is_inside = levels > levels[kept[0]]
    doubtful = kept[is_inside[kept]]
    if not len(doubtful) or not (page.values[is_inside, _IN_FORM].any() or _has_replies(page, is_inside)):
        return
    lines = page.lines
    found: dict[int, bool] = {-1: False}
    if not _in_comments(lines.measures, int(lines.block[kept[0]]), found):
        is_body[[line for line in doubtful.tolist() if _in_comments(lines.measures, int(lines.block[line]), found)]] = (
            False
        )


def _has_replies(page: PageLines, is_inside: Bools) -> bool:
    """Tell whether a short line comes again and again there: *Reply*, in any language."""
    short = np.flatnonzero(is_inside & (page.lines.chars <= MAX_REPLY_CHARS))
    texts = Counter(text for text in page.lines.texts(short.tolist()) if text.isalpha())
    return bool(texts) and max(texts.values()) >= MIN_REPLIES


def _in_comments(measures: Measures, row: int, found: dict[int, bool]) -> bool:
    """Tell whether an element is named as comments, or one around it.

    :param found: what is known of rows.
    """
    path = []
    while row not in found:
        path.append(row)
        node = measures.nodes[row]
        if any(map(COMMENTS.fullmatch, f"{node.get('class', '')} {node.get('id', '')}".split())):
            found[row] = True
            break
        row = int(measures.parent[row])
    found.update(dict.fromkeys(path, found[row]))
    return found[row]
