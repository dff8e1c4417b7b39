"""Text that a page hides until a reader asks for it: the rest of a story behind a click, answers, tabs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Collection

    from lxml.html import HtmlElement

NAMED: Final = re.compile(
    r"accordion|collaps|faq|tab(?:bed)?[-_]*(?:content|pane)|(?:subscriber|member)s?[-_]?only", re.IGNORECASE
)
"""Classes, ids and roles of text that a reader opens on the page itself: answers, tabs, what is left to subscribers."""
APART: Final = re.compile(
    r"modal|pop-?up|dialog|overlay|lightbox|drawer|off-?canvas|menu|cookie|consent|tooltip|login|sign-?(?:in|up)|toast|comment|repl(?:y|ies)|form",
    re.IGNORECASE,
)
"""Classes, ids and roles of layers that a click lays over the page."""
MAX_RESTS: Final = 2
"""A story has one rest behind a click; more of them are answers to comments."""
MAX_OPENER: Final = 40
"""Characters of what is clicked."""
_IS_LONG: Final = (
    "string-length(normalize-space(.)) > 40 or (string-length(normalize-space(.)) > 16"
    " and string-length(translate(., '，。、', '')) < string-length(.))"
)
"""Text with marks of scripts whose signs are words is prose at less."""
HAS_PROSE: Final = etree.XPath(
    f"boolean(descendant-or-self::*[not(self::a or self::script or self::style)]/text()[{_IS_LONG}])"
)
_OPENS: Final = etree.XPath(
    "boolean(descendant-or-self::*[self::button or self::label or @onclick or @role='button' or self::a[not(@href)"
    " or @href='' or starts-with(@href, '#') or starts-with(@href, 'javascript:')]])"
)
_GOES_ON: Final = etree.XPath(
    "boolean(preceding-sibling::*[not(self::script or self::style)]/descendant-or-self::*[not(self::a)]/text()"
    f"[{_IS_LONG}])"
)
"""Prose stands before the element."""
_CONTROLS: Final = etree.XPath("descendant::*/@aria-controls")
_TARGETS: Final = etree.XPath(
    "descendant::*/@data-target | descendant::*/@data-bs-target | descendant::label/@for"
    " | descendant::a/@href[starts-with(., '#')]"
)


def is_named_folded(node: HtmlElement) -> bool:
    """Tell whether an element, or the one around it, is called a part that opens."""
    above = node.getparent()
    names = [node.get("class"), node.get("id"), node.get("role"), None if above is None else above.get("class")]
    return any(name and _says_folded(name) for name in names)


@lru_cache(maxsize=8192)
def _says_folded(name: str) -> bool:
    return NAMED.search(name) is not None


def find_opened(body: HtmlElement, hidden: Collection[HtmlElement]) -> set[HtmlElement]:
    """Return those of some hidden elements with prose that something on the page opens in their place."""
    asked = [node for node in hidden if not _is_apart(node) and HAS_PROSE(node)]
    if not asked:
        return set()
    panels: set[HtmlElement] = set()
    targets: set[str] = set()
    if any(node.get("id") for node in asked):
        controlled = {name for value in _CONTROLS(body) for name in str(value).split()}
        panels = {node for node in asked if node.get("id") in controlled}
        targets = {str(target).strip().lstrip("#") for target in _TARGETS(body)} - {""}
    rest = {
        node
        for node in asked
        if node not in panels and (node.get("id") in targets or _is_beside_opener(node)) and _goes_on(node)
    }
    return panels | (rest if len(rest) <= MAX_RESTS else set())


def _is_apart(node: HtmlElement) -> bool:
    names = (node.get("class"), node.get("id"), node.get("role"))
    return node.get("aria-modal") is not None or any(name and _says_apart(name) for name in names)


@lru_cache(maxsize=8192)
def _says_apart(name: str) -> bool:
    return APART.search(name) is not None


def _goes_on(node: HtmlElement) -> bool:
    """Tell whether prose stands before an element, or before the one around it."""
    above = node.getparent()
    return bool(_GOES_ON(node)) or (above is not None and bool(_GOES_ON(above)))


def _is_beside_opener(node: HtmlElement) -> bool:
    """Tell whether a short element just before or behind can be clicked, or behind what an element ends."""
    behind, above = _neighbour(node, forth=True), node.getparent()
    if behind is None and above is not None:
        behind = _neighbour(above, forth=True)
    for beside in (behind, _neighbour(node, forth=False)):
        if (
            beside is not None
            and 0 < len(" ".join("".join(beside.itertext()).split())) <= MAX_OPENER
            and _OPENS(beside)
        ):
            return True
    return False


def _neighbour(node: HtmlElement, *, forth: bool) -> HtmlElement | None:
    """Return the next element beside one, but for boxes that a label ticks."""
    beside = (one for one in node.itersiblings(preceding=not forth) if isinstance(one.tag, str))
    return next((one for one in beside if one.tag != "input"), None)
