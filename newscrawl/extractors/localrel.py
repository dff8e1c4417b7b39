"""LocalRel rules: text per link of a table, div or p, and of the text beside it.

Source: 提取网页主题相关内容 (a description of an extractor on HTMLParser), sections 3.1 and 3.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from newscrawl.dom.tags import BLOCK_LEVEL
from newscrawl.dom.text import VisibleTexts
from newscrawl.extractors.base import Extraction, PageExtractor
from newscrawl.extractors.rows import rows_where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Measures

LOCAL_REL: Final = 10.0
"""L, the least characters per link. Ours: the source names no value."""
WORDS_MIN: Final = 15
"""The least characters outside links of a block with content. Ours: the source names no value."""
MAX_LINKLESS_WORDS: Final = 14
"""Without a link, text of more characters than this is locally relevant (§3.1)."""
MIN_ROWS: Final = 3
MIN_COLUMNS: Final = 3
"""A smaller table is layout (§3.2, rule 1)."""
MAX_LINKED_CELLS: Final = 0.5
"""A table with links in this share of its cells or more is layout (§3.2, rule 2: "many links"; the share is ours)."""


def local_rel(words: int, links: int) -> float:
    """Return LocalRel = characters outside links / links (§3.1); infinite without a link.

    >>> local_rel(words=120, links=4)
    30.0
    """
    return words / links if links else float("inf")


class LocalRelExtractor(PageExtractor):
    """Keep the ``p`` and ``div`` that are relevant in their context, and the data tables.

    Reconstructed: "other tags" inside a ``div`` are read as other block-level elements; the siblings of the
    context are the nearest on either side that hold text outside or inside links, whatever their tag; characters
    of any script count, not only Chinese ones; a layout table counts for nothing itself, the blocks in its cells do.

    :param context: False judges each block by itself: locally relevant is enough.
    """

    name: ClassVar[str] = "localrel"

    def __init__(
        self,
        *,
        min_local_rel: float = LOCAL_REL,
        words_min: int = WORDS_MIN,
        max_linkless_words: int = MAX_LINKLESS_WORDS,
        max_linked_cells: float = MAX_LINKED_CELLS,
        context: bool = True,
    ) -> None:
        self.min_local_rel = min_local_rel
        self.words_min = words_min
        self.max_linkless_words = max_linkless_words
        self.max_linked_cells = max_linked_cells
        self.context = context

    def extract(self, document: Document) -> Extraction:
        measures = document.measures
        found = VisibleTexts(measures).lines(self._relevant(measures))
        return Extraction(text="\n".join(found), method=self.name)

    def is_locally_relevant(self, words: int, links: int) -> bool:
        """Judge a node by its counts alone.

        :param words: characters outside links.
        """
        if not links:
            return words > self.max_linkless_words
        return words >= self.words_min and local_rel(words, links) >= self.min_local_rel

    def _relevant(self, measures: Measures) -> Iterator[tuple[int, int]]:
        """Yield the row ranges of relevant blocks, in document order, none inside another."""
        page = _Page(measures)
        reached = 0
        for row in page.candidates():
            if row < reached:
                continue
            if measures.tags[row] == "table":
                is_text = self.is_data_table(measures, row)
            else:
                is_text = self._is_relevant(page, row) and page.has_no_script(row)
            if is_text:
                reached = page.end[row]
                yield row, reached

    def _is_relevant(self, page: _Page, row: int) -> bool:
        words = page.words[row]
        if not words:
            return False
        if not self.context:
            return self.is_locally_relevant(words, page.links[row])
        beside = [self.is_locally_relevant(page.words[other], page.links[other]) for other in page.text_siblings(row)]
        if words < self.words_min:
            return len(beside) == 2 and all(beside)
        return any(beside) and self.is_locally_relevant(words, page.links[row])

    def is_data_table(self, measures: Measures, row: int) -> bool:
        """Tell a table of data from one of layout (§3.2, rules 1-3). One that holds another table is layout (ours)."""
        end, tags = int(measures.end[row]), measures.tags
        inner = tags[row + 1 : end]
        if "table" in inner or inner.count("tr") < MIN_ROWS:
            return False
        below = range(row + 1, end)
        cells = [r for r in below if tags[r] in _CELLS]
        columns = max(sum(tags[c] in _CELLS for c in measures.children(r)) for r in below if tags[r] == "tr")
        linked = sum(measures.links[c] > 0 for c in cells)
        if columns < MIN_COLUMNS or linked >= self.max_linked_cells * len(cells):
            return False
        return next(measures.nodes[row].iter("script", "select", "style"), None) is None


_CELLS: Final = ("td", "th")
_JUDGED: Final = frozenset(("p", "div", "table"))


class _Page:
    """The page's counts as lists: reading them one by one from arrays costs more than the whole method."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures
        self.end: list[int] = measures.end.tolist()
        self.parent: list[int] = measures.parent.tolist()
        self.words: list[int] = (measures.chars - measures.link_chars).tolist()
        self.links: list[int] = measures.links.tolist()
        self._chars: list[int] = measures.chars.tolist()
        self._places: dict[int, tuple[list[int], dict[int, int]]] = {}

    def candidates(self) -> list[int]:
        """Return the rows of tables, of a ``div`` without another block-level element and a ``p`` without div or p."""
        tags, end = self.measures.tags, self.measures.end
        blocks = rows_where(map(BLOCK_LEVEL.__contains__, tags))
        judged = rows_where(map(_JUDGED.__contains__, tags))
        judged = judged[self.measures.chars[judged] > 0]
        n_inside = np.searchsorted(blocks, end[judged]) - np.searchsorted(blocks, judged) - 1
        return [
            row
            for row, n_blocks in zip(judged.tolist(), n_inside.tolist(), strict=True)
            if not n_blocks or tags[row] == "table" or (tags[row] == "p" and not self._has_div(row))
        ]

    def _has_div(self, row: int) -> bool:
        inner = self.measures.tags[row + 1 : self.end[row]]
        return "div" in inner or "p" in inner

    def has_no_script(self, row: int) -> bool:
        """Only a ``p`` is asked; scripts have no rows of their own."""
        return self.measures.tags[row] != "p" or next(self.measures.nodes[row].iter("script"), None) is None

    def text_siblings(self, row: int) -> list[int]:
        """Return the nearest siblings with text, at most one on either side."""
        parent = self.parent[row]
        if parent < 0:
            return []
        if parent not in self._places:
            with_text = [r for r in self._children(parent) if self._chars[r]]
            self._places[parent] = with_text, {r: place for place, r in enumerate(with_text)}
        with_text, place_of = self._places[parent]
        place = place_of[row]
        return [with_text[p] for p in (place - 1, place + 1) if 0 <= p < len(with_text)]

    def _children(self, row: int) -> Iterator[int]:
        child, stop = row + 1, self.end[row]
        while child < stop:
            yield child
            child = self.end[child]
