"""What stands below a text and reads like it: a whole next article, readers' comments, a signature with an address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.network.features import FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.dom.measures import Bools, Measures
    from newscrawl.network.features import PageLines

_IN_FORM, _IN_COMMENT, _IS_HEADLINE = map(FEATURES.index, ("in_form", "in_comment", "is_headline"))
MIN_NAMES: Final = 3
"""Classes of an article's head, its headline among them, that the next one must have too."""
MAX_HEAD_ROWS: Final = 400
"""A larger part above the text is no article's head."""
_FACTS: Final = re.compile(r"date|time|meta|byline|author|info|publish|source|views", re.IGNORECASE)
_COMMENTS: Final = re.compile(
    r"\W{0,3}(?:\d{1,5}\s+)?(?:(?:user|reader|leser)[- ]?)?"
    r"(?:comments?|kommentare?|commentaires?|comentarios|comentários|commenti|reacties|kommentarer"
    r"|komentarze|yorumlar|bình luận|комментари[ийев]{1,2}|коментарі|التعليقات|تعليقات|نظرات"
    r"|댓글|의견|コメント|टिप्पणियाँ|ความคิดเห็น"
    r"|(?:网友|最新|全部|热门|精彩|用户)?(?:评论|評論|留言))"
    r"\W{0,3}(?:\d{1,5}\W{0,2})?",
    re.IGNORECASE,
)
_HEADING: Final = frozenset("h1 h2 h3 h4 h5 h6 b strong legend caption".split())
MAX_COMMENTS_CHARS: Final = 24
MIN_ANNOUNCED: Final = 2
"""Announcements of the same make are a list."""
_CUT: Final = re.compile(r"(?:…|\.\.\.).{0,30}$")
_ADDRESS: Final = re.compile(r"[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}")
MAX_SIGNATURE: Final = 60.0
"""A longer last line with an address is a sentence. Letters."""


def drop_beside(is_body: Bools, page: PageLines) -> None:
    """Leave out what follows the article: another one of the same make, comments below their heading, the signature."""
    kept = np.flatnonzero(is_body & page.features.is_prose)
    if not len(kept):
        return
    first = int(kept[0])
    _drop_next_articles(is_body, page, first)
    _drop_below_comments(is_body, page, first)
    _drop_signature(is_body, page)


def goes_on_elsewhere(is_body: Bools, page: PageLines) -> bool:
    """Tell whether the body may go on beyond the element around its first prose: else nothing in it is announced there.

    Cheap beside what finds announcements: on most pages the body stands in one element.
    """
    lines, kept = page.lines, np.flatnonzero(is_body)
    prose = kept[page.features.is_prose[kept]]
    around = lines.measures.parent[lines.block[prose]]
    return bool((lines.measures.end[around] <= lines.start[kept[-1:]]).any())


def drop_announced(is_body: Bools, page: PageLines, is_teaser: Bools) -> None:
    """Leave out a list of announcements of other pages below the text, in another element, most of them cut short.

    :param is_teaser: lines below headlines that link to other pages of the site.
    """
    lines = page.lines
    measures = lines.measures
    kept = np.flatnonzero(is_body & page.features.is_prose & ~is_teaser)
    if not len(kept) or not (is_body & is_teaser).any():
        return
    around = int(measures.parent[lines.block[kept[0]]])
    beyond = lines.start >= measures.end[around]
    beyond[: kept[-1] + 1] = False
    announced = np.flatnonzero(beyond & is_teaser).tolist()
    items = {_name(measures, int(measures.parent[lines.block[line]])) for line in announced}
    n_cut = sum(map(bool, map(_CUT.search, lines.texts(announced))))
    if len(announced) >= MIN_ANNOUNCED and len(items) == 1 and 2 * n_cut >= len(announced):
        is_body[kept[-1] + 1 : announced[-1] + 1] &= ~beyond[kept[-1] + 1 : announced[-1] + 1]


def _name(measures: Measures, row: int) -> tuple[str, str | None]:
    return measures.tags[row], measures.nodes[row].get("class")


def _drop_next_articles(is_body: Bools, page: PageLines, first: int) -> None:
    """Drop the lines of later siblings that are made like the article: the same element with the same head.

    Pages that go on with the next story hold it whole, its own headline, date and author above it; the page's own
    headline stands in the first. That of a forum's thread stands above all its posts.
    """
    lines = page.lines
    measures = lines.measures
    text, parent, end = int(lines.start[first]), measures.parent, measures.end
    titles = lines.start[:first][page.values[:first, _IS_HEADLINE] > 0]
    row = int(lines.block[first])
    while row > 0 and len(titles):
        last = int(np.flatnonzero(is_body)[-1])
        if end[row] > lines.start[last]:
            return  # nothing kept comes after it
        holds_title = text - row <= MAX_HEAD_ROWS and (titles >= row).any()
        name = measures.nodes[row].get("class") if holds_title else None
        if name:
            head = _names(measures, row, text)
            if len(head) >= MIN_NAMES and any(map(_FACTS.search, head)) and _has_heading(measures, row, text):
                for other in _later_siblings(measures, row, name):
                    _drop_if_article(is_body, page, other, head)
        row = int(parent[row])


def _later_siblings(measures: Measures, row: int, name: str) -> Iterator[int]:
    tag, around, other = measures.tags[row], int(measures.parent[row]), int(measures.end[row])
    stop = int(measures.end[around]) if around >= 0 else len(measures)
    while other < stop:
        if measures.tags[other] == tag and measures.nodes[other].get("class") == name:
            yield other
        other = int(measures.end[other])


def _drop_if_article(is_body: Bools, page: PageLines, row: int, head: frozenset[str]) -> None:
    lines, measures = page.lines, page.lines.measures
    inside = slice(*np.searchsorted(lines.start, np.array([row, measures.end[row]])).tolist())
    texts = np.flatnonzero(is_body[inside] & page.features.is_prose[inside])
    if not len(texts):
        return
    start = int(lines.start[inside.start + int(texts[0])])
    if start - row <= MAX_HEAD_ROWS and head <= _names(measures, row, start) and _has_heading(measures, row, start):
        is_body[inside] = False


def _names(measures: Measures, row: int, stop: int) -> frozenset[str]:
    """Return the classes of the elements below ``row`` that begin before ``stop``."""
    found = {measures.nodes[at].get("class") for at in range(row + 1, stop) if measures.tags[at] != "#text"}
    return frozenset(name for name in found if name)


def _has_heading(measures: Measures, row: int, stop: int) -> bool:
    return any(measures.tags[at] in {"h1", "h2", "h3"} for at in range(row + 1, stop))


def _drop_below_comments(is_body: Bools, page: PageLines, first: int) -> None:
    """Drop what stands below a heading that says comments, and nothing else, where a form asks for another.

    Comments that are named as such by their markup are not asked here.
    """
    if not page.values[first:, _IN_FORM].any():
        return
    lines = page.lines
    last = int(np.flatnonzero(is_body)[-1])
    short = np.flatnonzero(
        (lines.chars[first + 1 : last] <= MAX_COMMENTS_CHARS) & (lines.link_chars[first + 1 : last] == 0)
    )
    for line in (short + first + 1).tolist():
        if _is_heading(lines.measures, int(lines.start[line]), int(lines.block[line])) and _COMMENTS.fullmatch(
            lines.text(line).strip()
        ):
            if page.values[line:, _IN_FORM].any() and not page.values[line:, _IN_COMMENT].any():
                is_body[line:] = False
            return


def _is_heading(measures: Measures, row: int, block: int) -> bool:
    """Tell whether a line stands in a heading, or begins in bold."""
    while row > block:
        row = int(measures.parent[row])
        if measures.tags[row] in _HEADING:
            return True
    return False


def _drop_signature(is_body: Bools, page: PageLines) -> None:
    """Drop a short last line with an e-mail address: who wrote it, not what was written."""
    kept = np.flatnonzero(is_body)
    if len(kept) > 1:
        last = int(kept[-1])
        if page.features.weight[last] <= MAX_SIGNATURE and _ADDRESS.search(page.lines.text(last)):
            is_body[last] = False
