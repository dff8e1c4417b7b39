"""The cascade: what attributes, style sheets and inline style say of each element, the strongest winning."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import cssselect2

from lab.css.media import media_text_holds
from lab.css.properties import AUTO, declarations
from lab.css.sheet import read_sheet
from lab.css.values import Length
from newscrawl.page.measures import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.html import HtmlElement

    from lab.css.properties import Declarations
    from lab.css.sheet import Selector, Sheet
    from newscrawl.page.document import Document

MAX_SHEETS: Final = 100
MAX_TESTS: Final = 1_000_000
"""Selectors tested on one page, about a second; elements after that keep attributes and inline style only."""
MAX_STEPS: Final = 2000
"""Ancestors and earlier siblings that the selectors tested on one element look at."""
MAX_INLINE_CHARS: Final = 2000
ROOT: Final = -1
"""Stands for the root element, which need not have a row."""


def declarations_of(document: Document, stylesheets: Iterable[str] = ()) -> tuple[list[Declarations], Declarations]:
    """Return what is said of each row of ``document.measures``, and of the root element.

    ``{}`` for text rows and where nothing is said.

    :param stylesheets: texts of linked style sheets; the page's own ``style`` elements come after them.
    """
    measures = document.measures
    said: list[Declarations] = [
        {} if tag == TEXT else _attributes(node) for tag, node in zip(measures.tags, measures.nodes, strict=True)
    ]
    sheets = [sheet for sheet in map(read_sheet, (*stylesheets, *page_sheets(document))) if len(sheet)]
    matched = _match(document, sheets[:MAX_SHEETS]) if sheets else {}
    root: Declarations = {}
    _apply(
        root, matched.get(ROOT, ()), _inline((document.root.get("style") if document.root is not None else "") or "")
    )
    for row, tag in enumerate(measures.tags):
        if tag != TEXT:
            style = measures.nodes[row].get("style")
            if style or row in matched:
                _apply(said[row], matched.get(row, ()), _inline(style) if style else _NOTHING)
    return said, root


_NOTHING: Final[tuple[Declarations, Declarations]] = ({}, {})


def page_sheets(document: Document) -> list[str]:
    """Return the texts of the page's ``style`` elements that apply on a screen."""
    if document.root is None:
        return []
    found = (node for node in document.root.iter("style") if media_text_holds(node.get("media")))
    return [text for text in ("".join(map(str, node.itertext())) for node in found) if text.strip()]


def links_sheets(document: Document) -> bool:
    """Tell whether the page refers to style sheets outside of it."""
    if document.root is None:
        return False
    return any("stylesheet" in (node.get("rel") or "").lower() for node in document.root.iter("link"))


def _apply(said: Declarations, selectors: Sequence[Selector], inline: tuple[Declarations, Declarations]) -> None:
    for selector in selectors:
        said.update(selector.normal)
    said.update(inline[0])
    for selector in selectors:
        said.update(selector.important)
    said.update(inline[1])


@lru_cache(maxsize=4096)
def _inline(style: str) -> tuple[Declarations, Declarations]:
    return declarations(style[:MAX_INLINE_CHARS])


class _TooFarError(Exception):
    """A selector has looked at as many elements as it may."""


class _Walk:
    """Steps that the selectors of one element may still take; ``x div div div`` can take any number on a deep page."""

    def __init__(self) -> None:
        self.left = MAX_STEPS

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooFarError


class _Element(cssselect2.ElementWrapper):  # type: ignore[misc]
    """An element as selectors see it. The library walks up by recursion, which deep pages would exhaust."""

    walk = _Walk()

    @property
    def ancestors(self) -> Iterator[_Element]:
        element = self.parent
        while element is not None:
            self.walk.step()
            yield element
            element = element.parent

    @property
    def previous_siblings(self) -> Iterator[_Element]:
        element = self.previous
        while element is not None:
            self.walk.step()
            yield element
            element = element.previous


def _match(document: Document, sheets: Sequence[Sheet]) -> dict[int, list[Selector]]:
    """Return the selectors that match each row, weakest first."""
    measures = document.measures
    rows = {node: row for row, node in enumerate(measures.nodes) if measures.tags[row] != TEXT}
    found: dict[int, list[Selector]] = {}
    budget = MAX_TESTS
    kind: Any = type("_Counted", (_Element,), {"walk": _Walk()})
    for element in kind.from_html_root(document.root).iter_subtree():
        row = rows.get(element.etree_element, ROOT if element.parent is None else None)
        if row is None:
            continue
        matches, cost = _matches(element, sheets)
        if matches:
            found[row] = matches
        budget -= cost
        if budget < 0:
            break
    return found


def _matches(element: _Element, sheets: Sequence[Sheet]) -> tuple[list[Selector], int]:
    """Return the matching selectors, weakest first, and the number of tests, a search among siblings by its length."""
    node = element.etree_element
    identity, classes, tag = node.get("id"), element.classes, node.tag
    hits: list[tuple[tuple[int, int, int], int, int, Selector]] = []
    cost = 1
    element.walk.left = MAX_STEPS
    for number, sheet in enumerate(sheets):
        for selector in sheet.candidates(identity, classes, tag):
            cost += 1 + len(element.etree_siblings) // 4 if selector.is_heavy else 1
            if _holds(selector, element):
                hits.append((selector.specificity, number, selector.order, selector))
    hits.sort(key=lambda hit: hit[:3])
    return [hit[3] for hit in hits], cost + MAX_STEPS - max(element.walk.left, 0)


def _holds(selector: Selector, element: Any) -> bool:
    try:
        return bool(selector.test(element))
    except _TooFarError:
        return False
    except (ValueError, RecursionError):  # an address that urlparse refuses, hundreds of nested fieldsets
        return False


_DIMENSION: Final = re.compile(r"\s*\+?(\d+(?:\.\d+)?|\.\d+)\s*(%?)")
_SIZED: Final = frozenset("table td th col colgroup img hr pre video iframe embed object".split())
_ALIGNS: Final = {"left": "left", "right": "right", "center": "-webkit-center", "middle": "-webkit-center"}
_FONT_STEPS: Final = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)


def dimension(value: str | None) -> Length | None:
    """Return the length of an HTML attribute: a number of pixels or a percentage; None for anything else.

    >>> dimension("80%").percent, dimension("300px").px, dimension("*")
    (80.0, 300.0, None)
    """
    found = _DIMENSION.match(value) if value else None
    if found is None or float(found[1]) == 0:
        return None
    number = min(float(found[1]), 1e6)
    return Length(percent=number) if found[2] else Length(px=number)


def _attributes(node: HtmlElement) -> Declarations:
    """Return what the presentational attributes say, and ``hidden``."""
    said: Declarations = {}
    if not node.attrib:
        return said
    tag = str(node.tag)
    if tag in _SIZED:
        for name in ("width", "height"):
            found = dimension(node.get(name))
            if found is not None:
                said[name] = found
    align = (node.get("align") or "").strip().lower()
    if align in _ALIGNS:
        said.update(_align_declarations(tag, align))
    if node.get("hidden", "until-found") != "until-found":
        said["display"] = "none"
    if tag == "table":
        said.update(_table(node))
    elif tag == "font":
        said.update(_font(node.get("size")))
    elif tag in ("td", "th") and node.get("nowrap") is not None:
        said["white-space"] = "nowrap"
    return said


def _align_declarations(tag: str, align: str) -> Declarations:
    if tag in ("img", "table") and align in ("left", "right"):
        return {"float": align}
    if tag == "table":
        return {"margin-left": AUTO, "margin-right": AUTO}
    return {} if tag == "img" else {"text-align": _ALIGNS[align]}


def _table(node: HtmlElement) -> Declarations:
    said: Declarations = {}
    for attribute, name in (
        ("cellspacing", "cell-spacing"),
        ("cellpadding", "cell-padding"),
        ("border", "cell-border"),
    ):
        value = node.get(attribute, "").strip()
        if value.isdecimal():
            said[name] = float(min(int(value[:4]), 1000))
    return said


def _font(size: str | None) -> Declarations:
    size = (size or "").strip()
    if not re.fullmatch(r"[+-]?[0-9]", size):
        return {}
    step = int(size) + (3 if size[0] in "+-" else 0)
    return {"font-size": Length(px=_FONT_STEPS[min(max(step, 1), 7) - 1])}
