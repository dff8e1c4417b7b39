"""What of a page nobody sees, what is seen once a reader asks for it, and marks beside the text.

What a click opens is the rest of a story, answers, tabs.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from newscrawl.languages.tables import words
from newscrawl.page.hints import is_named, says
from newscrawl.page.styles import (
    Hiding,
    background,
    hiding,
    inline_style,
    is_same,
    may_hide,
    selector_names,
    text_colour,
)
from newscrawl.page.tags import HEADINGS, KIND_OF, TEXT_KIND, kinds_among

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.measures import Ints
    from newscrawl.page.sheets import PageStyles, Rule
    from newscrawl.page.styles import Style
    from newscrawl.page.tags import Kinds

NAMED: Final = re.compile(
    r"accordion|collaps|spoiler|faq|tab(?:bed)?[-_]*(?:content|pane)|(?:subscriber|member)s?[-_]?only", re.IGNORECASE
)
"""Classes, ids and roles of text that a reader opens on the page itself: answers, tabs, what is left to subscribers."""
APART: Final = re.compile(
    r"modal|pop-?up|dialog|overlay|lightbox|drawer|off-?canvas|menu|cookie|consent|tooltip|login|sign-?(?:in|up)|toast|comment|repl(?:y|ies)|form",
    re.IGNORECASE,
)
"""Classes, ids and roles of layers that a click lays over the page."""
MAX_RESTS: Final = 2
"""A story has one rest behind a click; more of them are answers to comments."""
MAX_NEAR: Final = 40
"""Hidden elements beside something to click. A page with more opens panels, no rest of a story."""
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
    return is_named(node, NAMED, node.get("role"), None if above is None else above.get("class"))


def find_opened(body: HtmlElement, hidden: Collection[HtmlElement]) -> set[HtmlElement]:
    """Return those of some hidden elements with prose that something on the page opens in their place."""
    asked = [
        node
        for node in hidden
        if node.get("aria-modal") is None and not is_named(node, APART, node.get("role")) and HAS_PROSE(node)
    ]
    if not asked:
        return set()
    panels: set[HtmlElement] = set()
    targets: set[str] = set()
    if any(node.get("id") for node in asked):
        controlled = {name for value in _CONTROLS(body) for name in str(value).split()}
        panels = {node for node in asked if node.get("id") in controlled}
        targets = {str(target).strip().lstrip("#") for target in _TARGETS(body)} - {""}
    others = (node for node in asked if node not in panels)
    near = [node for node in others if node.get("id") in targets or _is_beside_opener(node)]
    rest = {node for node in near if _goes_on(node)} if len(near) <= MAX_NEAR else set()
    return panels | (rest if len(rest) <= MAX_RESTS else set())


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
        text = "" if beside is None else " ".join("".join(beside.itertext()).split())
        if beside is not None and 0 < len(text) <= MAX_OPENER and (_OPENS(beside) or says_rest(text)):
            return True
    return False


def says_rest(text: str) -> bool:
    """Tell whether a label says that the rest of the text is behind it: 余下全文 (1/3), *Read the full story*."""
    return len(text) <= MAX_OPENER and _COUNTED.sub("", text).strip(_EDGES).casefold() in _rests()


@cache
def _rests() -> frozenset[str]:
    return frozenset(map(str.casefold, (*words("links.whole"), *words("links.rest"))))


_COUNTED: Final = re.compile(r"[(（]?\d[\d\s/%％]{0,12}[)）]?\s{0,3}$")
_EDGES: Final = " \t….·:：>»›▼▽↓+∨⌄()（）[]【】"


def _neighbour(node: HtmlElement, *, forth: bool) -> HtmlElement | None:
    """Return the next element beside one, but for boxes that a label ticks."""
    beside = (one for one in node.itersiblings(preceding=not forth) if isinstance(one.tag, str))
    return next((one for one in beside if one.tag != "input"), None)


WHITE: Final = (255, 255, 255)
FOR_EARS: Final = re.compile(
    r"(?<!\S)(?:sr-only|screen-?reader(?:-text|-only)?|visually-?hidden|assistive-text|a11y-hidden)(?!\S)",
    re.IGNORECASE,
)
"""Classes of text for those who listen to a page, as common style sheets call them."""
_REVEALED: Final = re.compile(
    r"anim|fade|reveal|aos|wow|scroll|lazy|load|appear|invisible|slid|swiper|carousel", re.IGNORECASE
)
"""Classes of what a script shows sooner or later."""
MIN_CARDS: Final = 4
MAX_CHECKS: Final = 5_000
"""Rules that are held against elements of one page, those that may show what others hide included."""


def unseen_nodes(
    elements: Sequence[HtmlElement],
    classes: Sequence[str],
    marked: Sequence[HtmlElement],
    styles: PageStyles,
) -> Iterator[HtmlElement]:
    """Give the elements that nobody sees, beside those that are hidden by name in their own markup.

    :param elements: of the page that have rows, and the classes of each.
    :param marked: those with an attribute that may hide them.
    :param styles: what the page's own sheets say.
    """
    apart = [node for node in marked if is_apart(node)]
    cards = _cards(apart)
    yield from (node for node in apart if node not in cards)
    for node in marked:
        style = node.get("style")
        painted = node.get("color") if node.tag == "font" else None
        declared = styles.inline(style) if style and may_hide(style) else {}
        if painted:
            declared = {"color": painted.lower(), **declared}
        if declared and _hides(declared, node, styles):
            yield node
    known = frozenset(classes)
    heard = {names for names in known if says(FOR_EARS.pattern, FOR_EARS.flags, names)}
    if heard:
        yield from (node for node, names in zip(elements, classes, strict=True) if names in heard)
    if styles.rules:
        yield from _hidden_by_rules(styles, elements, classes)


def _hidden_by_rules(
    styles: PageStyles, elements: Sequence[HtmlElement], classes: Sequence[str]
) -> Iterator[HtmlElement]:
    """Give the elements that rules hide."""
    names_in = {names: selector_names(names) for names in set(classes)}
    known = frozenset[str]().union(*names_in.values())
    rules = {
        key: kept
        for key, of_key in styles.rules.items()
        if (key in known or key[0] != ".") and (kept := [rule for rule, named in of_key if named <= known])
    }
    asked: list[tuple[HtmlElement, Rule]] = []
    picked = {names for names, own in names_in.items() if any(name in rules for name in own)} if rules else set()
    for place, names in enumerate(classes) if picked else ():
        if names in picked:
            node = elements[place]
            asked += [(node, rule) for name in sorted(names_in[names]) for rule in rules.get(name, ())]
    for key, of_key in rules.items():
        if key[0] != ".":
            asked += [(node, rule) for node in _with_key(elements[0], key) for rule in of_key]
    left = MAX_CHECKS
    for node, rule in asked[:MAX_CHECKS]:
        if not rule.selector.matches(node):
            left -= 1
            continue
        # the rules that speak of what this one hides by, for the element's classes and id
        stated = next(([name] for name in _SWITCHES if rule.style.get(name) in _OFF), [*rule.style])
        keys = sorted({rule.selector.keys[0], *selector_names(node.get("class", ""), node.get("id"))})
        others = [other for key in keys for other in styles.said_of(key, stated)]
        left -= 1 + len(others)
        if left < 0:
            break
        if _is_hidden_by(styles, node, rule, others):
            yield node


def _with_key(top: HtmlElement, key: str) -> Iterator[HtmlElement]:
    """Give the elements with an id, an attribute or a tag."""
    if key[0] in "#[":
        name = "id" if key[0] == "#" else key[1:]
        found = _having(name)(top)
        return (node for node in found if key[0] == "[" or node.get("id").lower() == key[1:])
    return top.iter(key or "*")


@lru_cache(maxsize=256)
def _having(attribute: str) -> etree.XPath:
    return etree.XPath(f"descendant-or-self::*[@{attribute}]")


def is_apart(node: HtmlElement) -> bool:
    """Tell whether an element is set apart from what is read: for the eye alone, out of reach, above the page."""
    is_for_the_eye = node.get("aria-hidden", "").lower() == "true" and node.get("role") != "tabpanel"
    return is_for_the_eye or node.get("inert") is not None or node.get("popover") is not None


def _cards(apart: Sequence[HtmlElement]) -> set[HtmlElement]:
    """Return the elements of one markup with prose that are set apart ``MIN_CARDS`` times: the eye alone reads them."""
    alike: dict[str, list[HtmlElement]] = {}
    for node in apart:
        alike.setdefault(node.get("class") or "", []).append(node)
    repeated = [nodes for names, nodes in alike.items() if names and len(nodes) >= MIN_CARDS]
    told = [[node for node in nodes if HAS_PROSE(node)] for nodes in repeated]
    return {node for nodes in told if len(nodes) >= MIN_CARDS for node in nodes}


def _is_hidden_by(styles: PageStyles, node: HtmlElement, rule: Rule, others: Sequence[Rule]) -> bool:
    """Tell whether a rule that is for an element hides it, and neither its own style nor another rule ever shows it."""
    told = [other for other in others if other.is_everywhere and other.selector.matches(node)]
    maybe = [other for other in others if other not in told and rule.speaks_of(other)]
    told = sorted([rule, *told], key=lambda one: (one.selector.specificity, one.place))
    own = node.get("style")
    strong = {name: value for one in told for name, value in one.strong.items()}
    style = {name: value for one in told for name, value in one.style.items()}
    style |= {**(styles.inline(own) if own else {}), **strong}
    return all(
        _hides(one, node, styles)
        for one in (style, *({**style, **other.style, **strong, **other.strong} for other in maybe))
    )


_SWITCHES: Final = ("display", "visibility")
_OFF: Final = {"none", "hidden", "collapse"}


def _hides(style: Style, node: HtmlElement, styles: PageStyles) -> bool:
    how = hiding(style)
    if how is Hiding.GONE:
        return True
    if how is Hiding.UNDRAWN:
        return not _is_shown_below(node, styles)
    if how is Hiding.UNSEEN:
        return not _REVEALED.search(f"{node.get('class', '')} {node.get('id', '')}")
    if not (how is Hiding.SIZELESS or _has_no_colour(style, node, styles)) or _with_styles(node):
        return False
    below = {str(child.tag) for child in node.iterdescendants("*")}
    return not any(styles.said_of(tag, _OF_LETTERS) for tag in below)


_with_styles: Final = etree.XPath("descendant::*[@style or @class or @id]")
"""What stands below may have a size and a colour of its own."""
_OF_LETTERS: Final = ("color", "font", "font-size")


def _is_shown_below(node: HtmlElement, styles: PageStyles) -> bool:
    """Tell whether something below an element that is not drawn is drawn again."""
    is_said = "visibility:visible" in styles.text
    for below in node.iterdescendants("*"):
        own = below.get("style")
        if own and styles.inline(own).get("visibility") == "visible":
            return True
        keys = (str(below.tag), *selector_names(below.get("class", ""), below.get("id"))) if is_said else ()
        for rule in (rule for key in keys for rule in styles.said_of(key, ("visibility",))):
            if rule.style.get("visibility") == "visible" and rule.selector.matches(below):
                return True
    return False


def _has_no_colour(style: Style, node: HtmlElement, styles: PageStyles) -> bool:
    """Tell whether letters have the colour of what is behind them."""
    colour = text_colour(style)
    if colour is None or isinstance(colour, bool):
        return bool(colour)
    behind = background(style)
    for above in node.iterancestors() if behind is None else ():
        own, painted = above.get("style"), above.get("bgcolor")
        behind = background(inline_style(own)) if own else None
        behind = background({"background": painted.lower()}) if behind is None and painted else behind
        if behind is not None:
            break
    if behind is None and is_same(colour, WHITE):
        return styles.is_white(node)
    return behind is not None and not isinstance(behind, bool) and is_same(colour, behind)


MAX_MARK: Final = 2
"""Characters of a mark: ``#``, ``¶``, a chain of links, or one without width."""
_LINK_KIND: Final = KIND_OF["a"]
_PRE: Final = KIND_OF["pre"]
_IS_HEADING: Final = kinds_among(HEADINGS)


def mark_rows(kinds: Kinds, parent: Ints, end: Ints, texts: Sequence[str]) -> list[int]:
    """Return the rows of marks, each the root of a subtree that is no text of the page.

    Marks are elements in headings that hold a link and either no letter, or brackets around all their text; and the
    numbers of lines beside code.

    :param texts: of the text rows, ``""`` for elements.
    """
    found: list[int] = []
    tools = (_IS_HEADING.take(kinds.take(parent)) & (kinds != TEXT_KIND) & (parent >= 0)).nonzero()[0]
    n_texts: dict[int, int] = {}  # heading → its texts
    for row in tools.tolist():
        stop = int(end[row])
        if (kinds[row:stop] != _LINK_KIND).all():
            continue
        text = "".join("".join(texts[row:stop]).split())
        is_mark = len(text) <= MAX_MARK and not any(map(str.isalnum, text))
        if text and (is_mark or (text[0] == "[" and text[-1] == "]")):
            heading = int(parent[row])
            if heading not in n_texts:
                n_texts[heading] = sum(map(bool, texts[heading : end[heading]]))
            if n_texts[heading] > sum(map(bool, texts[row:stop])):
                found.append(row)
    if (kinds == _PRE).any():
        found += _gutters(kinds, end, texts)
    return found


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
