"""LocalRel rules: text per link of a table, div or p, and of the text beside it.

Source: 提取网页主题相关内容 (a description of an extractor on HTMLParser), sections 3.1 and 3.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from lxml import etree

from newscrawl.languages.text import VisibleTexts
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.page.tags import BLOCK_LEVEL, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools, Ints, Measures

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

    def locally_relevant(self, words: Ints, links: Ints) -> Bools:
        """Judge nodes by their counts alone: LocalRel = characters outside links / links (§3.1).

        :param words: characters outside links.
        """
        rel = words / np.maximum(links, 1)
        linked = (words >= self.words_min) & (rel >= self.min_local_rel)
        relevant: Bools = np.where(links == 0, words > self.max_linkless_words, linked)
        return relevant

    def _relevant(self, measures: Measures) -> Iterator[tuple[int, int]]:
        """Yield the row ranges of relevant blocks, in document order, none inside another."""
        if not len(measures):
            return
        rows, is_table = _candidates(measures)
        is_text = self._is_relevant(measures)[rows]
        has_script = _with_script(measures)
        reached = 0
        candidates = is_table | is_text
        for row, table in zip(rows[candidates].tolist(), is_table[candidates].tolist(), strict=True):
            if row >= reached and (self.is_data_table(measures, row) if table else row not in has_script):
                reached = int(measures.end[row])
                yield row, reached

    def _is_relevant(self, measures: Measures) -> Bools:
        """Judge all rows, each by itself and by its neighbours."""
        words, links = measures.chars - measures.link_chars, measures.links
        relevant = self.locally_relevant(words, links)
        if not self.context:
            return relevant & (words > 0)
        before, after = _neighbours(measures)
        beside = np.append(relevant, False)  # row -1, where there is no neighbour
        short = (words < self.words_min) & beside[before] & beside[after]
        long = (words >= self.words_min) & relevant & (beside[before] | beside[after])
        found: Bools = (short | long) & (words > 0)
        return found

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
_TABLE: Final = frozenset(("table",))
_PARAGRAPH: Final = frozenset(("p",))
_NOT_IN_PARAGRAPH: Final = frozenset(("p", "div"))


def _candidates(measures: Measures) -> tuple[Ints, Bools]:
    """Return the rows that may be relevant, and which of them are tables.

    Tables, a ``div`` without another block-level element and a ``p`` without div or p, if they hold text.
    """
    rows = measures.rows_of(_JUDGED)
    rows = rows[measures.chars[rows] > 0]
    kinds = measures.kinds[rows]
    is_table, is_paragraph = kinds_among(_TABLE)[kinds], kinds_among(_PARAGRAPH)[kinds]
    holds_block = _holds(measures, rows, BLOCK_LEVEL)
    holds_other = np.where(is_paragraph, _holds(measures, rows, _NOT_IN_PARAGRAPH), holds_block)
    keep = is_table | ~holds_other
    return rows[keep], is_table[keep]


def _holds(measures: Measures, rows: Ints, tags: frozenset[str]) -> Bools:
    """Tell which of ``rows``, themselves among ``tags`` or not, hold elements of these tags."""
    found = measures.rows_of(tags)
    holds: Bools = np.searchsorted(found, measures.end[rows]) > np.searchsorted(found, rows, side="right")
    return holds


def _neighbours(measures: Measures) -> tuple[Ints, Ints]:
    """Return for each row with text the nearest siblings with text, before and after it; -1 where there is none."""
    rows = np.flatnonzero(measures.chars > 0)
    parent = measures.parent[rows]
    by_parent = np.argsort(parent, kind="stable")
    rows, parent = rows[by_parent], parent[by_parent]
    before, after = (np.full(len(measures), -1, dtype=np.int32) for _ in range(2))
    is_sibling = (parent[1:] == parent[:-1]) & (parent[1:] >= 0)
    before[rows[1:][is_sibling]] = rows[:-1][is_sibling]
    after[rows[:-1][is_sibling]] = rows[1:][is_sibling]
    return before, after


def _with_script(measures: Measures) -> frozenset[int]:
    """Return the rows of every ``p`` with a script in it; scripts have no rows of their own."""
    around = _AROUND_SCRIPTS(measures.body)
    return frozenset(measures.rows_among(around).tolist()) if around else frozenset()


_AROUND_SCRIPTS: Final = etree.XPath("descendant::script/ancestor::p")
