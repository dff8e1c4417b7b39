"""The chosen lines of a page as parts of a text: headings, paragraphs, list items, quotes, code, tables, figures.

The parts are read off the page's own tree; nothing is parsed again. Addresses are absolute, and http, https or mailto.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

from lxml import etree

from newscrawl.dom.line_features import line_features
from newscrawl.dom.tags import BLOCK_LEVEL, DROPPED, HEADINGS
from newscrawl.formats.figures import Figure, address, figures
from newscrawl.urls.base import base_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newscrawl.dom.document import Document
    from newscrawl.dom.lines import Lines

MIN_TABLE_CELLS: Final = 4
MAX_CELL_CHARS: Final = 300
"""A table with longer cells is there for the layout."""
MAX_LIST_DEPTH: Final = 6
_STRONG: Final = frozenset(("b", "strong"))
_EMPHASIS: Final = frozenset(("i", "em", "cite", "dfn"))
_CODE: Final = frozenset(("code", "kbd", "samp", "tt"))


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text of one kind."""

    text: str
    href: str = ""
    strong: bool = False
    emphasis: bool = False
    code: bool = False


Spans: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A heading (``level`` 1..6), or a paragraph (0), ``quoted`` so many times."""

    spans: Spans
    level: int = 0
    quoted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An item of a list; ``depth`` is 1 for the outermost."""

    spans: Spans
    depth: int
    ordered: bool
    quoted: int = 0
    continues: bool = False
    """A further paragraph of the same item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    rows: tuple[tuple[Spans, ...], ...]
    has_header: bool


_Style: TypeAlias = tuple[str, bool, bool, bool]
"""Address of the link, strong, emphasis, code."""

Part: TypeAlias = Text | Item | Code | Table | Figure


def parts(document: Document, chosen: Iterable[int]) -> list[Part]:
    """Return the parts that the lines ``chosen`` (numbers, ascending) make, and the pictures among them."""
    numbers = sorted(set(chosen))
    return list(_Reader(document, numbers).parts()) if numbers else []


class _Reader:
    def __init__(self, document: Document, numbers: list[int]) -> None:
        self.lines: Lines = document.once(line_features).lines
        self.measures = self.lines.measures
        self.numbers = numbers
        self.base = document.once(base_address)
        self.rows = self.lines.rows.tolist()
        self.first = self.lines.first.tolist()
        self.parent = self.measures.parent.tolist()
        self.document = document
        self.styles: dict[int, _Style] = {-1: ("", False, False, False)}

    def parts(self) -> Iterator[Part]:
        shown = list(figures(self.document, self.numbers))
        captions = {figure.caption for _, figure in shown if figure.caption}
        at = [row for row, _ in shown]
        told = 0
        for (kind, owner, before), group in groupby(self.numbers, key=lambda number: self._group(number, at)):
            numbers = list(group)
            yield from (figure for _, figure in shown[told:before])
            told = max(told, before)
            if kind == "pre":
                yield Code(text=self._code(owner))
            elif kind == "table" and (table := self._table(owner, numbers)) is not None:
                yield table
            else:
                yield from self._texts(numbers, captions)
        yield from (figure for _, figure in shown[told:])

    def _group(self, number: int, figures: list[int]) -> tuple[str, int, int]:
        """Return the code or table a line stands in, its row, and how many figures stand before it."""
        for row in self._above(number):
            tag = self.measures.tags[row]
            if tag in {"pre", "listing", "xmp", "table"}:
                return "table" if tag == "table" else "pre", row, bisect_left(figures, row)
        return "", -1, bisect_left(figures, self.rows[self.first[number]])

    def _above(self, number: int) -> Iterator[int]:
        """Yield the rows of the elements around a line, innermost first."""
        row = self.parent[self.rows[self.first[number]]]
        while row >= 0:
            yield row
            row = self.parent[row]

    def _code(self, row: int) -> str:
        """Return the text as it stands: rows leave blank lines between elements out."""
        parts: list[str] = []
        for step, node in etree.iterwalk(self.measures.nodes[row], events=("start", "end", "comment", "pi")):
            is_text = isinstance(node.tag, str) and node.tag not in DROPPED
            if step == "start":
                parts.append("\n" if node.tag == "br" else (node.text or "") if is_text else "")
            elif node is not self.measures.nodes[row]:
                parts.append(node.tail or "")
        return "".join(parts).strip("\n")

    def _texts(self, numbers: list[int], captions: set[str]) -> Iterator[Part]:
        previous = -1
        for number in numbers:
            spans = self._spans(number)
            if not spans or ("".join(span.text for span in spans).strip() in captions):
                continue
            part, item = self._part(number, spans)
            if isinstance(part, Item) and item == previous:
                part = replace(part, continues=True)
            previous = item
            yield part

    def _part(self, number: int, spans: Spans) -> tuple[Part, int]:
        level = depth = quoted = 0
        item, ordered = -1, False
        for row in self._above(number):
            tag = self.measures.tags[row]
            if tag in HEADINGS and not level:
                level = int(tag[1])
            elif tag in {"li", "dd"} and item < 0:
                item = row
            elif tag in {"ul", "ol", "menu"}:
                depth += 1
                ordered = ordered or (tag == "ol" and depth == 1)
            elif tag == "blockquote":
                quoted += 1
        if level:
            return Text(spans=spans, level=level), -1
        if item >= 0:
            return Item(spans=spans, depth=min(max(depth, 1), MAX_LIST_DEPTH), ordered=ordered, quoted=quoted), item
        return Text(spans=spans, quoted=quoted), -1

    def _spans(self, number: int) -> Spans:
        rows = self.rows[self.first[number] : self.first[number + 1]]
        return _folded([Span(self.measures.texts[row], *self._style(self.parent[row])) for row in rows])

    def _style(self, row: int) -> _Style:
        """Return what the element and the inline elements around it make of a text; each element is looked at once."""
        path: list[int] = []
        while row not in self.styles and self.measures.tags[row] not in BLOCK_LEVEL:
            path.append(row)
            row = self.parent[row]
        style = self.styles.get(row) or self.styles.setdefault(row, (self._outer_link(row), False, False, False))
        for inner in reversed(path):
            href, strong, emphasis, code = style
            tag = self.measures.tags[inner]
            if tag == "a":
                href = address(self.measures.nodes[inner].get("href"), self.base) or href
            style = (href, strong or tag in _STRONG, emphasis or tag in _EMPHASIS, code or tag in _CODE)
            self.styles[inner] = style
        return style

    def _outer_link(self, row: int) -> str:
        """Return the address of a link around the whole block."""
        for _ in range(3):
            if row < 0:
                break
            if self.measures.tags[row] == "a":
                return address(self.measures.nodes[row].get("href"), self.base)
            row = self.parent[row]
        return ""

    def _table(self, table: int, numbers: list[int]) -> Table | None:
        """Return a table of data; None for one that lays out a page."""
        cells: dict[tuple[int, int], list[Span]] = {}
        header = False
        for number in numbers:
            cell = record = -1
            for row in self._above(number):
                tag = self.measures.tags[row]
                if tag in {"td", "th"} and cell < 0:
                    cell, header = row, header or (tag == "th" and not cells)
                elif tag == "tr" and record < 0:
                    record = row
                elif row == table:
                    break
            if cell < 0 or record < 0:
                return None
            spans = cells.setdefault((record, cell), [])
            spans.extend(([Span(" ")] if spans else []) + list(self._spans(number)))
        long = any(sum(len(span.text) for span in spans) > MAX_CELL_CHARS for spans in cells.values())
        records = [[_folded(spans) for _, spans in group] for _, group in groupby(cells.items(), key=lambda c: c[0][0])]
        if long or len(cells) < MIN_TABLE_CELLS or len(records) < 2 or max(map(len, records)) < 2:
            return None
        return Table(rows=tuple(map(tuple, records)), has_header=header)


def _folded(spans: Iterable[Span]) -> Spans:
    """Join equal neighbours and fold white space, none at the ends."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and replace(last, text=span.text) == span:
            joined[-1] = replace(last, text=last.text + span.text)
        else:
            joined.append(span)
    result: list[Span] = []
    for span in joined:
        text = " ".join(span.text.split())
        before = " " if span.text[:1].isspace() and result and not result[-1].text.endswith(" ") else ""
        after = " " if span.text[-1:].isspace() and text else ""
        if text or before:
            result.append(replace(span, text=before + text + after))
    while result and not result[-1].text.strip():
        result.pop()
    if result:
        result[-1] = replace(result[-1], text=result[-1].text.rstrip())
    return tuple(result)
