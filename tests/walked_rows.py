"""The rows of a subtree as they are defined: by a walk over its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.page.tags import DROPPED, KIND_OF, NAMES, OTHER_KIND, TEXT_KIND

if TYPE_CHECKING:
    from lxml.html import HtmlElement


class WalkedRows:
    """Columns as those of ``newscrawl.page.rows.Rows``, as lists."""

    def __init__(self, body: HtmlElement) -> None:
        self.nodes: list[HtmlElement] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.apart: list[int] = []
        self._after_blank = False
        self._walk(body, -1)
        self.own = [sum(not char.isspace() for char in text) for text in self.texts]
        self.kinds = [TEXT_KIND if tag is NAMES[TEXT_KIND] else KIND_OF.get(tag, OTHER_KIND) for tag in self.tags]

    def _walk(self, node: HtmlElement, parent: int) -> None:
        row = self._add(node, str(node.tag), "", parent)
        self._add_text(node, node.text, row)
        for child in node:
            if isinstance(child.tag, str) and child.tag not in DROPPED:
                self._walk(child, row)
            self._add_text(node, child.tail, row)
        self.end[row] = len(self.tags)

    def _add_text(self, node: HtmlElement, text: str | None, parent: int) -> None:
        if text and not text.isspace():
            if self._after_blank:
                self.apart.append(len(self.tags))
            self._after_blank = False
            self._add(node, NAMES[TEXT_KIND], text, parent)
        elif text:
            self._after_blank = True

    def _add(self, node: HtmlElement, tag: str, text: str, parent: int) -> int:
        self.nodes.append(node)
        self.tags.append(tag)
        self.texts.append(text)
        self.parent.append(parent)
        self.end.append(len(self.tags))
        return len(self.tags) - 1
