"""What is certain from a page's structure, whatever its lines look like one by one: lists, comments, the head.

No rule here reads what a text says. Each earns its place by what its loss costs on sites left out
(``data/results/news-extractor.md``).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.network.features import FEATURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.dom.measures import Bools, Ints, Measures
    from newscrawl.network.features import PageLines

MAX_LINKS: Final = 0.2
"""From this share of link text on, it is a list of links."""
MIN_CELLS: Final = 6
"""A table of fewer cells is rather a part of the layout."""

COMMENTS: Final = re.compile(
    r"(?:(?:wp-block-)?(?:post|article|entry|blog|news|reader|user)?[-_]?)comments?[-_]?"
    r"(?:list|content|body|text|area|section|wrapper|container|thread|block|box|item|entry)?s?|disqus_thread|pinglun",
    re.IGNORECASE,
)
"""Classes and ids of what holds comments. Forums speak of posts, replies and messages."""

MAX_REPLY_CHARS: Final = 12
MIN_REPLIES: Final = 2
MIN_DIGITS: Final = 6
MIN_DIGIT_SHARE: Final = 0.2
"""A dateline has a date, and not much more."""
MAX_DATELINE: Final = 90.0
_STOP: Final = re.compile(r"(?<!\d)\.|[!?。！？؟।]")
"""The end of a sentence; a dot behind a number makes an ordinal of it, as in German dates."""

_IN_ITEM, _IN_CELL, _ENDS_COLON, _IN_COMMENT, _IN_FORM, _DIGITS, _N_STOPS, _IS_HEADING, _IS_HEADLINE = map(
    FEATURES.index,
    (
        "in_item", "in_cell", "ends_colon", "in_comment", "in_form", "digits", "n_stops", "is_heading", "is_headline",
    ),
)  # fmt: skip


def add_lists(is_body: Bools, page: PageLines) -> None:
    """Take in the lists and tables that belong to the text they stand in.

    A list is taken in if it follows a line of the body in the same element, has few links, and one of these holds: it
    is a table of data; a colon stands before it; a line of the body follows it; most of it is body already.
    """
    lines, measures = page.lines, page.lines.measures
    items, cells = page.values[:, _IN_ITEM], page.values[:, _IN_CELL]
    is_deeper = (items[1:] > items[:-1]) | (cells[1:] > cells[:-1])
    before = np.flatnonzero(is_body[:-1] & is_deeper)
    if not len(before):
        return
    parents = measures.parent.take(lines.block)
    ends = np.searchsorted(lines.start, measures.end.take(parents.take(before)))
    page_lists = _Lists(is_body, page, parents)
    for line, end in zip(before.tolist(), ends.tolist(), strict=True):
        page_lists.add(line, end)
    is_body[:] = page_lists.is_body


class _Lists:
    """Columns of a page's lines as plain lists: most lists have a few lines, and no line behind one is looked at."""

    def __init__(self, is_body: Bools, page: PageLines, parents: Ints) -> None:
        self.lines = page.lines
        self.is_body: list[bool] = is_body.tolist()
        self.items: list[float] = page.values[:, _IN_ITEM].tolist()
        self.cells: list[float] = page.values[:, _IN_CELL].tolist()
        self.ends_colon: list[float] = page.values[:, _ENDS_COLON].tolist()
        self.is_heading: list[bool] = page.features.is_heading.tolist()
        self.chars: list[int] = page.lines.chars.tolist()
        self.link_chars: list[int] = page.lines.link_chars.tolist()
        self.parents: list[int] = parents.tolist()

    def _end_of_first(self, line: int, around: int) -> int:
        """Return the line after the child of the element ``around`` in which a line stands."""
        measures = self.lines.measures
        row = int(self.lines.block[line])
        while measures.parent[row] != around and measures.parent[row] >= 0:
            row = int(measures.parent[row])
        return int(np.searchsorted(self.lines.start, measures.end[row]))

    def add(self, line: int, end: int) -> None:
        """Take in what stands deeper behind a line of the body, before ``end``, where it belongs to the text."""
        first = line + 1
        stop = self._before_links(line, self._stop(line, end))
        n_chars, n_link_chars = sum(self.chars[first:stop]), sum(self.link_chars[first:stop])
        listed = range(first, stop)
        is_table = len(listed) >= MIN_CELLS and all(self.cells[number] > self.cells[line] for number in listed)
        n_body = sum(self.chars[number] for number in listed if self.is_body[number])
        if (is_table and not n_link_chars) or self.ends_colon[line] or 2 * n_body > n_chars:
            self._take(first, stop)
        after = stop
        while after < end and self.is_heading[after]:
            after += 1
        if after < end and self.is_body[after] and self.parents[after] == self.parents[line]:
            self._take(first, after)

    def _before_links(self, line: int, stop: int) -> int:
        """Return where, behind a line, the elements begin that are the way to other pages; ``stop`` if none are."""
        start = line + 1
        n_chars, n_link_chars = sum(self.chars[start:stop]), sum(self.link_chars[start:stop])
        while start < stop and n_link_chars:
            end = max(start + 1, min(stop, self._end_of_first(start, self.parents[line])))
            chars, link_chars = sum(self.chars[start:end]), sum(self.link_chars[start:end])
            if link_chars > MAX_LINKS * chars and n_link_chars > MAX_LINKS * n_chars:
                return start
            start, n_chars, n_link_chars = end, n_chars - chars, n_link_chars - link_chars
        return stop

    def _stop(self, line: int, end: int) -> int:
        """Return the first line behind ``line`` that stands no deeper in items or cells, at most ``end``."""
        item, cell = self.items[line], self.cells[line]
        stop = line + 1
        while stop < end and (self.items[stop] > item or self.cells[stop] > cell):
            stop += 1
        return stop

    def _take(self, first: int, stop: int) -> None:
        self.is_body[first:stop] = [True] * (stop - first)


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


def drop_headline(is_body: Bools, page: PageLines) -> None:
    """Leave out the page's own headline where the text begins with it, and goes on."""
    kept = np.flatnonzero(is_body)[:2].tolist()
    if len(kept) > 1 and page.values[kept[0], _IS_HEADLINE]:
        is_body[kept[0]] = False


def drop_dateline(is_body: Bools, page: PageLines) -> None:
    """Leave out a byline with its date where the text begins with it."""
    kept = np.flatnonzero(is_body)[:1].tolist()
    if kept and _is_dateline(page, kept[0]):
        is_body[kept[0]] = False


def _is_dateline(page: PageLines, line: int) -> bool:
    """Tell whether a line above the text is the byline with its date rather than the text's first sentence."""
    digits, n_stops, is_heading = (page.values[line, column] for column in (_DIGITS, _N_STOPS, _IS_HEADING))
    if digits < MIN_DIGIT_SHARE or digits * page.chars[line] < MIN_DIGITS or is_heading:
        return False
    is_short = page.features.weight[line] <= MAX_DATELINE
    return bool(is_short and not (n_stops and _STOP.search(page.lines.text(line))))


Rules = tuple[tuple[str, "Callable[[Bools, PageLines], None]"], ...]
"""Rules that leave lines out, in order, each with its reason."""
HEAD_RULES: Final[Rules] = (("the page's headline", drop_headline), ("a dateline above the text", drop_dateline))
COMMENT_RULES: Final[Rules] = (("comments of readers", drop_comments),)


def left_out(is_body: Bools, page: PageLines, rules: Rules) -> dict[int, str]:
    """Leave out what ``rules`` say, and return the reason for each line that went."""
    reasons: dict[int, str] = {}
    for reason, drop in rules:
        before = is_body.copy()
        drop(is_body, page)
        reasons |= dict.fromkeys(np.flatnonzero(before & ~is_body).tolist(), reason)
    return reasons
