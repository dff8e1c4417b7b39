"""The chosen lines of a page as parts of a text: headings, paragraphs, list items, quotes, code, tables, figures.

The parts are read off the page's own tree; nothing is parsed again. Addresses are absolute, and http, https or mailto.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from lxml import etree

from newscrawl.extract.formats.figures import Figure, figures
from newscrawl.extract.formats.pictures import address
from newscrawl.page.lines import line_features
from newscrawl.page.tags import BLOCK_LEVEL, DROPPED, HEADINGS
from newscrawl.urls.canonical import base_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines

MIN_TABLE_CELLS: Final = 4
MAX_CELL_CHARS: Final = 300
"""A table with longer cells is there for the layout."""
MAX_DEPTH: Final = 6
"""Most lists, and most quotes, that stand in one another: deeper ones are written at this depth."""
_STRONG: Final = frozenset(("b", "strong"))
_EMPHASIS: Final = frozenset(("i", "em", "cite", "dfn"))
CODE_BLOCKS: Final = frozenset(("pre", "listing", "xmp"))
_CODE: Final = frozenset(("code", "kbd", "samp", "tt"))


class TextSpan(NamedTuple):  # many for each page: made in a quarter of a dataclass's time
    """A run of text of one kind."""

    text: str
    href: str = ""
    strong: bool = False
    emphasis: bool = False
    code: bool = False


Spans: TypeAlias = tuple[TextSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A heading (``level`` 1..6), or a paragraph (0), ``quoted`` so many times."""

    spans: Spans
    level: int = 0
    quoted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
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

Part: TypeAlias = Text | ListItem | Code | Table | Figure


def parts(document: Document, chosen: Iterable[int]) -> list[Part]:
    """Return the parts that the lines ``chosen`` (numbers, ascending) make, and the pictures among them."""
    numbers = sorted(set(chosen))
    return list(_Reader(document, numbers).parts()) if numbers else []


class _Place(NamedTuple):
    """What stands around a line: rows of elements, the innermost of each kind; -1 for none."""

    owner: int = -1
    """Code or table; code within code is a part of the outer one."""
    is_code: bool = False
    record: int = -1
    """Row of the innermost table; ``cell`` is a cell of that table."""
    cell: int = -1
    item: int = -1
    level: int = 0
    """Level of a heading; 0 for other parts."""
    depth: int = 0
    """Lists, one in the other."""
    ordered: bool = False
    quoted: int = 0

    def inside(self, tag: str, row: int) -> _Place:
        """Return the place inside an element that stands at this one."""
        if tag == "table" or tag in CODE_BLOCKS:
            return self._replace(owner=row, is_code=tag != "table", record=-1, cell=-1)
        if tag in {"td", "th"}:
            return self._replace(cell=row)
        if tag in {"li", "dd"}:
            return self._replace(item=row)
        if tag in {"ul", "ol", "menu"}:
            return self._replace(depth=self.depth + 1, ordered=tag == "ol")
        if tag in HEADINGS:
            return self._replace(level=int(tag[1]))
        quoted = min(self.quoted + (tag == "blockquote"), MAX_DEPTH)
        return self._replace(record=row if tag == "tr" else self.record, quoted=quoted)


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
        self.places: dict[int, _Place] = {-1: _Place()}

    def parts(self) -> Iterator[Part]:
        shown = list(figures(self.document, self.numbers))
        captions = {figure.caption for _, figure in shown if figure.caption}
        at = [row for row, _ in shown]
        told = 0
        for (owner, before), group in groupby(self.numbers, key=lambda number: self._group(number, at)):
            numbers = list(group)
            yield from (figure for _, figure in shown[told:before])
            told = max(told, before)
            kind = self.measures.tags[owner] if owner >= 0 else ""
            if kind in CODE_BLOCKS:
                yield Code(text=self._code(owner))
            elif kind == "table" and (table := self._table(numbers)) is not None:
                yield table
            else:
                yield from self._texts(numbers, captions)
        yield from (figure for _, figure in shown[told:])

    def _group(self, number: int, figures: list[int]) -> tuple[int, int]:
        """Return the row of the code or table a line stands in, -1 for none, and how many figures stand before it."""
        owner = self._place(number).owner
        return owner, bisect_left(figures, owner if owner >= 0 else self.rows[self.first[number]])

    def _place(self, number: int) -> _Place:
        """Return what stands around a line; each element is looked at once."""
        row = self.parent[self.rows[self.first[number]]]
        path: list[int] = []
        while row not in self.places:
            path.append(row)
            row = self.parent[row]
        place = self.places[row]
        for inner in reversed(path):
            if not place.is_code:
                place = place.inside(self.measures.tags[inner], inner)
            self.places[inner] = place
        return place

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
            if isinstance(part, ListItem) and item == previous:
                part = replace(part, continues=True)
            previous = item
            yield part

    def _part(self, number: int, spans: Spans) -> tuple[Part, int]:
        place = self._place(number)
        if place.level:
            return Text(spans=spans, level=place.level), -1
        if place.item >= 0:
            depth = min(max(place.depth, 1), MAX_DEPTH)
            return ListItem(spans=spans, depth=depth, ordered=place.ordered, quoted=place.quoted), place.item
        return Text(spans=spans, quoted=place.quoted), -1

    def _spans(self, number: int) -> Spans:
        rows = self.rows[self.first[number] : self.first[number + 1]]
        return _folded([TextSpan(self.measures.texts[row], *self._style(self.parent[row])) for row in rows])

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

    def _table(self, numbers: list[int]) -> Table | None:
        """Return a table of data; None for one that lays out a page."""
        cells: dict[tuple[int, int], list[TextSpan]] = {}
        header = False
        for number in numbers:
            place = self._place(number)
            if place.cell < 0 or place.record < 0:
                return None
            header = header or (not cells and self.measures.tags[place.cell] == "th")
            spans = cells.setdefault((place.record, place.cell), [])
            spans.extend(([TextSpan(" ")] if spans else []) + list(self._spans(number)))
        long = any(sum(len(span.text) for span in spans) > MAX_CELL_CHARS for spans in cells.values())
        records = [[_folded(spans) for _, spans in group] for _, group in groupby(cells.items(), key=lambda c: c[0][0])]
        if long or len(cells) < MIN_TABLE_CELLS or len(records) < 2 or max(map(len, records)) < 2:
            return None
        return Table(rows=tuple(map(tuple, records)), has_header=header)


def _folded(spans: Iterable[TextSpan]) -> Spans:
    """Join equal neighbours and fold white space, none at the ends."""
    joined: list[TextSpan] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last[1:] == span[1:]:
            joined[-1] = last._replace(text=last.text + span.text)
        else:
            joined.append(span)
    result: list[TextSpan] = []
    for span in joined:
        text = " ".join(span.text.split())
        before = " " if span.text[:1].isspace() and result and not result[-1].text.endswith(" ") else ""
        after = " " if span.text[-1:].isspace() and text else ""
        if text or before:
            result.append(TextSpan(before + text + after, *span[1:]))
    while result and not result[-1].text.strip():
        result.pop()
    if result:
        result[-1] = result[-1]._replace(text=result[-1].text.rstrip())
    return tuple(result)
