"""The rows of a subtree by a walk over its nodes in Python: for pages that cannot go the fast way, and as its check."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from newscrawl.dom.rows import ListedRows, count_chars
from newscrawl.dom.tags import DROPPED, NAMES, TEXT_KIND, kind_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_TEXT = NAMES[TEXT_KIND]


def walked_rows(body: HtmlElement | None, max_rows: int) -> ListedRows:
    """Return the rows of ``body``, at most ``max_rows``; none for no body. O(nodes); never recursive."""
    walk = _Walk()
    complete = body is None or walk.through(body, max_rows)
    return ListedRows(
        kinds=np.array([TEXT_KIND if tag is _TEXT else kind_of(tag) for tag in walk.tags], dtype=np.uint8),
        own=count_chars(walk.texts),
        end=np.array(walk.end, dtype=np.int32),
        parent=np.array(walk.parent, dtype=np.int32),
        tags=walk.tags,
        texts=walk.texts,
        nodes=walk.nodes,
        apart=np.array(walk.apart, dtype=np.int32),
        truncated=not complete,
    )


class _Walk:
    """The growing columns."""

    def __init__(self) -> None:
        self.nodes: list[HtmlElement] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.apart: list[int] = []
        self._after_blank = False

    def _is_blank(self, text: str) -> bool:
        """Tell of a text without characters, which has no row."""
        is_blank = text.isspace()
        self._after_blank |= is_blank
        return is_blank

    def _note_apart(self, row: int) -> None:
        if self._after_blank:
            self.apart.append(row)
        self._after_blank = False

    def through(self, body: HtmlElement, max_rows: int) -> bool:
        """Fill the columns; False if the page was cut at ``max_rows``.

        ``iter()`` is ten times cheaper than ``iterwalk`` with its events, so a subtree's end is noticed when the
        next node turns out to have another parent than the element on top of the stack.
        """
        nodes, tags, texts, parent, end = self.nodes, self.tags, self.texts, self.parent, self.end
        top: Any = body.getparent()
        row = -1
        stack = [(top, row)]
        outside = top
        for node in itertools.chain(body.iter(), (None,)):
            above = outside if node is None else node.getparent()
            while top is not above:
                if row >= 0:
                    end[row] = len(tags)
                text = top.tail
                stack.pop()
                top, row = stack[-1]
                if text and row >= 0 and not self._is_blank(text):
                    self._note_apart(len(nodes))
                    nodes.append(top)
                    texts.append(text)
                    parent.append(row)
                    tags.append(_TEXT)
                    end.append(len(tags))
            if node is None:
                break
            tag = node.tag
            if (row < 0 and top is not outside) or tag in DROPPED or not isinstance(tag, str):
                top, row = node, -1  # a dropped subtree, a comment or a processing instruction
            else:
                parent.append(row)
                top, row = node, len(tags)
                if row >= max_rows:
                    parent.pop()
                    return self._cut(stack)
                nodes.append(node)
                tags.append(tag)
                texts.append("")
                end.append(-1)
                text = node.text
                if text and not self._is_blank(text):
                    self._note_apart(len(nodes))
                    nodes.append(node)
                    texts.append(text)
                    parent.append(row)
                    tags.append(_TEXT)
                    end.append(len(tags))
            stack.append((top, row))
        return True

    def _cut(self, stack: list[tuple[Any, int]]) -> bool:
        for _, row in stack:
            if row >= 0:
                self.end[row] = len(self.tags)
        return False
