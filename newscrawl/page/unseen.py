"""What of a page is no text of its own: elements that nobody sees, by their styles or by what they are, and marks."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from lxml import etree

from newscrawl.page.folded import HAS_PROSE
from newscrawl.page.styles import (
    background,
    clean_css,
    declarations,
    has_no_size,
    inline_style,
    is_gone,
    is_same,
    is_unseen,
    text_colour,
)
from newscrawl.page.tags import HEADINGS, KIND_OF, TEXT_KIND, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.measures import Ints
    from newscrawl.page.styles import Style
    from newscrawl.page.tags import Kinds

MAX_CSS: Final = 200_000
"""Characters of a page's style sheets that are looked through."""
WHITE: Final = (255, 255, 255)
_OUTER_SHEETS: Final = etree.XPath("boolean(//link[contains(@rel, 'stylesheet')])")
FOR_EARS: Final = re.compile(
    r"(?<!\S)(?:sr-only|screen-?reader(?:-text|-only)?|visually-?hidden|assistive-text|a11y-hidden)(?!\S)",
    re.IGNORECASE,
)
"""Classes of text for those who listen to a page, as common style sheets call them."""
_REVEALED: Final = re.compile(
    r"anim|fade|reveal|aos|wow|scroll|lazy|load|appear|invisible|slid|swiper|carousel", re.IGNORECASE
)
"""Classes of what a script shows sooner or later."""
_MAY_HIDE: Final = re.compile(
    r":(?:(?<=display:)none|(?<=visibility:)(?:hidden|coll|[^;}]*hidden)|-\d{3}|rect\(|inset|circle|ellipse|poly|scale|translate"
    r"|rotate[xy]|opacity|(?:(?<=height:)|(?<=width:)|(?<=opacity:)|(?<=-size:)|(?<=font:)|(?<=scale:))(?:[01](?!\d)|\.)"
    r"|(?<=index:)-|(?<=indent:)-|(?<=[;{\s]color:)(?:#f|white|transp|rgb|hsl)|(?<=^color:)[#wtrh])"
)
"""What may hide, in a cleaned sheet: every alternative begins with a colon, which makes the pattern fast."""
_COMPOUND: Final = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w\u0080-\U0010ffff-]+)*)")
_NAME: Final = re.compile(r"[.#][\w\u0080-\U0010ffff-]+")
_APPLIES: Final = re.compile(r"@(?:media\s+(?:only\s+)?(?:screen|all)\s*|layer.*|supports.*)", re.DOTALL)
MIN_CARDS: Final = 4
MAX_HITS: Final = 5_000
"""Places of a page's style sheets that are looked at."""
MAX_RULES: Final = 50
"""Rules for one name that are kept."""
MAX_OUTER: Final = 500
"""Rules before a rule in the same at-rule: behind more of them, a rule counts as one for some screens alone."""


class Compound(NamedTuple):
    """A part of a selector without blanks: a tag, classes and ids, as ``.class`` and ``#id``."""

    tag: str
    names: frozenset[str]

    def matches(self, node: HtmlElement) -> bool:
        return (not self.tag or self.tag == node.tag) and self.names <= _names(node)


class HidingRule(NamedTuple):
    """A rule of a style sheet by which nobody sees an element."""

    parts: tuple[Compound, ...]
    """The last is of the element, those before are of elements above it."""
    style: Style

    def matches(self, node: HtmlElement) -> bool:
        *above, own = self.parts
        if not own.matches(node):
            return False
        ancestors = node.iterancestors()
        return all(any(part.matches(other) for other in ancestors) for part in reversed(above))


class PageStyles:
    """What the page's own style sheets say; most pages of a site have the same."""

    def __init__(self, text: str) -> None:
        self.text = clean_css(text)
        self.rules = hiding_rules(self.text)

    def is_white(self, node: HtmlElement) -> bool:
        """Tell whether the page states no colour behind its text, and no sheet but its own can."""
        return "background" not in self.text and "@import" not in self.text and not _OUTER_SHEETS(node)

    def of_names(self, names: frozenset[str]) -> Iterator[Style]:
        """Give what sheets declare for elements with one of the names, whatever else they must be, on any screen."""
        for name in names:
            yield from _said_of(self.text, name)


def unseen_nodes(
    elements: Sequence[HtmlElement],
    classes: Sequence[str],
    marked: Sequence[HtmlElement],
    sheets: Sequence[HtmlElement],
) -> Iterator[HtmlElement]:
    """Give the elements that nobody sees, beside those that are hidden by name in their own markup.

    :param elements: of the page that have rows, and the classes of each.
    :param marked: those with one of the attributes ``style``, ``aria-hidden``, ``inert`` and ``popover``.
    :param sheets: the ``style`` elements of the page.
    """
    styles = _page_styles("\n".join(sheet.text or "" for sheet in sheets)[:MAX_CSS])
    apart = [node for node in marked if is_apart(node)]
    cards = _cards(apart)
    yield from (node for node in apart if node not in cards)
    for node in marked:
        style = node.get("style")
        if style and _may_hide(style) and _hides(inline_style(style), node, styles):
            yield node
    known = frozenset(classes)
    heard = set(filter(_is_heard, known))
    wanted = {name[1:] for name in styles.rules}
    asked = {names for names in known if not wanted.isdisjoint(names.lower().split())} if wanted else set()
    picked = heard | asked
    if picked:
        places = [place for place, names in enumerate(classes) if names in picked]
        yield from (
            elements[place] for place in places if classes[place] in heard or _is_hidden_by(styles, elements[place])
        )
    if any(name[0] == "#" for name in styles.rules):
        named = [node for node, names in zip(elements, classes, strict=True) if names not in picked and node.get("id")]
        yield from (node for node in named if node.get("id", "").lower() in wanted and _is_hidden_by(styles, node))


@lru_cache(maxsize=16384)
def _is_heard(names: str) -> bool:
    """Tell whether classes hold one of text for ears: four looks for words cost a tenth of the pattern."""
    small = names.lower()
    is_likely = any(word in small for word in ("sr-only", "reader", "hidden", "assistive"))
    return is_likely and FOR_EARS.search(names) is not None


def is_apart(node: HtmlElement) -> bool:
    """Tell whether an element is set apart from what is read: for the eye alone, out of reach, above the page."""
    is_for_the_eye = node.get("aria-hidden") == "true" and node.get("role") != "tabpanel"
    return is_for_the_eye or node.get("inert") is not None or node.get("popover") is not None


def _cards(apart: Sequence[HtmlElement]) -> set[HtmlElement]:
    """Return the elements of one markup with prose that are set apart ``MIN_CARDS`` times: the eye alone reads them."""
    alike: dict[str, list[HtmlElement]] = {}
    for node in apart:
        alike.setdefault(node.get("class") or "", []).append(node)
    repeated = [nodes for names, nodes in alike.items() if names and len(nodes) >= MIN_CARDS]
    told = [[node for node in nodes if HAS_PROSE(node)] for nodes in repeated]
    return {node for nodes in told if len(nodes) >= MIN_CARDS for node in nodes}


@lru_cache(maxsize=4096)
def _may_hide(style: str) -> bool:
    css = clean_css(style)
    return _MAY_HIDE.search(css) is not None or ("background" in css and "color" in css)


def _is_hidden_by(styles: PageStyles, node: HtmlElement) -> bool:
    """Tell whether a rule hides an element, and neither its own style nor another rule for its names shows it."""
    names, inline = _names(node), inline_style(node.get("style") or "")
    for rule in [rule for name in sorted(names) if name in styles.rules for rule in styles.rules[name]]:
        if rule.matches(node) and _hides({**rule.style, **inline}, node, styles):
            others = [style for style in styles.of_names(names) if style.keys() & rule.style.keys()]
            return all(_hides({**rule.style, **other}, node, styles) for other in others)
    return False


@lru_cache(maxsize=512)
def _said_of(text: str, name: str) -> list[Style]:
    found: list[Style] = []
    place = text.find(name)
    while place >= 0 and len(found) < MAX_RULES:
        block = _TO_BLOCK.match(text, place + len(name))
        if block:
            found.append(declarations(block[1]))
        place = text.find(name, place + 1)
    return found


_TO_BLOCK: Final = re.compile(r"(?![\w-])[^\s>+~{},]*\s*(?:,[^{}]*)?\{([^{}]*)\}")


def _hides(style: Style, node: HtmlElement, styles: PageStyles) -> bool:
    if is_gone(style):
        return True
    if is_unseen(style):
        return not _REVEALED.search(f"{node.get('class', '')} {node.get('id', '')}")
    return (has_no_size(style) or _has_no_colour(style, node, styles)) and not _with_styles(node)


_with_styles: Final = etree.XPath("descendant::*[@style or @class or @id]")
"""What stands below may have a size and a colour of its own."""


def _has_no_colour(style: Style, node: HtmlElement, styles: PageStyles) -> bool:
    """Tell whether letters have the colour of what is behind them."""
    colour = text_colour(style)
    if colour is None or isinstance(colour, bool):
        return bool(colour)
    behind = background(style)
    for above in node.iterancestors() if behind is None else ():
        own = above.get("style")
        behind = background(inline_style(own)) if own else None
        if behind is not None:
            break
    if behind is None and is_same(colour, WHITE):
        return styles.is_white(node)
    return behind is not None and is_same(colour, behind)


def _names(node: HtmlElement) -> frozenset[str]:
    """Return classes and id of an element as selectors write them, in lower case."""
    return _names_in(node.get("class", ""), node.get("id"))


@lru_cache(maxsize=8192)
def _names_in(classes: str, identity: str | None) -> frozenset[str]:
    names = [f".{name}" for name in classes.lower().split()]
    return frozenset([*names, f"#{identity.lower()}"] if identity else names)


@lru_cache(maxsize=64)
def _page_styles(text: str) -> PageStyles:
    return PageStyles(text)


def hiding_rules(text: str) -> Mapping[str, list[HidingRule]]:
    """Return the rules of cleaned style sheets that hide something, by a name of the element."""
    found: dict[str, list[HidingRule]] = {}
    for selectors, block in _hiding_blocks(text):
        style = declarations(block)
        if not (is_gone(style) or is_unseen(style) or has_no_size(style) or _may_have_no_colour(style, text)):
            continue
        for selector in selectors.split(","):
            words = selector.replace(">", " ").split()
            parts = tuple(part for part in map(_compound, words) if part is not None)
            if parts and len(parts) == len(words) and parts[-1].names:
                of_name = found.setdefault(min(parts[-1].names), [])
                if len(of_name) < MAX_RULES:
                    of_name.append(HidingRule(parts, style))
    return found


def _may_have_no_colour(style: Style, text: str) -> bool:
    colour, behind = text_colour(style), background(style)
    if colour is None or isinstance(colour, bool):
        return bool(colour)
    return is_same(colour, behind) if behind is not None else "background" not in text


def _compound(text: str) -> Compound | None:
    match = _COMPOUND.fullmatch(text)
    return Compound(match[1] or "", frozenset(_NAME.findall(match[2]))) if match else None


def _hiding_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Give selectors and block of the rules that may hide something on a screen of any size."""
    end = done = depth = 0
    is_everywhere = False
    for hit in islice(_MAY_HIDE.finditer(text), MAX_HITS):
        if hit.start() < end:
            continue  # of the same block
        start = text.rfind("{", 0, hit.start())
        end = text.find("}", hit.start())
        if start < 0 or end < 0:
            return
        begun = max(text.rfind(mark, 0, start) for mark in "{};") + 1
        depth += text.count("{", done, begun) - text.count("}", done, begun)
        if depth == 1 and (done == 0 or text.find("@", done, begun) >= 0):
            is_everywhere = _APPLIES.fullmatch(_outer(text, begun)) is not None
        done = begun
        if depth <= 0 or (depth == 1 and is_everywhere):
            yield text[begun:start], text[start + 1 : end]


def _outer(text: str, place: int) -> str:
    """Return how the at-rule begins in which a rule stands."""
    for _ in range(MAX_OUTER):
        start, end = text.rfind("{", 0, place), text.rfind("}", 0, place)
        if end < start:
            begun = max(text.rfind(mark, 0, start) for mark in "{};") + 1
            return text[begun:start].strip()
        place = text.rfind("{", 0, end)
    return ""


MAX_MARK: Final = 2
"""Characters of a mark: ``#``, ``¶``, a chain of links, or one without width."""
_LINK_KIND: Final = KIND_OF["a"]
_PRE: Final = KIND_OF["pre"]
_IS_HEADING: Final = kinds_among(HEADINGS)


def mark_rows(kinds: Kinds, parent: Ints, end: Ints, texts: Sequence[str]) -> list[int]:
    """Return the rows of marks, each the root of a subtree that is no text of the page.

    :param texts: of the text rows, ``""`` for elements.
    """
    found = [*_heading_tools(kinds, parent, end, texts)]
    if (kinds == _PRE).any():
        found += _gutters(kinds, end, texts)
    return found


def _heading_tools(kinds: Kinds, parent: Ints, end: Ints, texts: Sequence[str]) -> Iterator[int]:
    """Give elements in headings that hold a link and either no letter, or brackets around all their text."""
    tools = (_IS_HEADING.take(kinds.take(parent)) & (kinds != TEXT_KIND) & (parent >= 0)).nonzero()[0]
    for row in tools.tolist():
        stop = int(end[row])
        if (kinds[row:stop] != _LINK_KIND).all():
            continue
        text = "".join("".join(texts[row:stop]).split())
        is_mark = len(text) <= MAX_MARK and not any(map(str.isalnum, text))
        heading = int(parent[row])
        has_more = any(texts[heading:row]) or any(texts[stop : end[heading]])
        if text and has_more and (is_mark or (text[0] == "[" and text[-1] == "]")):
            yield row


def _gutters(kinds: Kinds, end: Ints, texts: Sequence[str]) -> Iterator[int]:
    """Give texts that count 1, 2, 3 … just before or after a ``pre``, or in one of their own beside another."""
    rows = (kinds == TEXT_KIND).nonzero()[0]
    code: Ints = np.zeros(len(kinds), dtype=np.int32)  # the number of the pre that a row stands in
    for number, row in enumerate((kinds == _PRE).nonzero()[0].tolist(), 1):
        code[row : end[row]] = number
    inside = code.take(rows).tolist()
    written = [texts[row].split() for row in rows.tolist()]
    place = 0
    while place < len(rows):
        last, n = place, 0
        while last < len(rows) and inside[last] == inside[place] and (counted := _counted(written[last], n)):
            last, n = last + 1, counted
        if n:
            beside = {inside[place - 1] if place else 0, inside[last] if last < len(rows) else 0} - {0, inside[place]}
            if beside and (n > 1 or inside[place]):
                yield from rows[place:last].tolist()
        place = max(last, place + 1)


def _counted(words: Sequence[str], n: int) -> int:
    """Return how far words go on counting from ``n``; 0 if they do not."""
    for word in words:
        n += 1
        if word != str(n):
            return 0
    return n
