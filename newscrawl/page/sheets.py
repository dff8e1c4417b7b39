"""The page's own style sheets: which of their rules hide something, and which other rules show it again."""

from __future__ import annotations

import re
from bisect import bisect
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from lxml import etree

from newscrawl.page.styles import (
    MAX_CSS,
    MAY_HIDE,
    background,
    clean_css,
    customs,
    declarations,
    hiding,
    inline_style,
    is_same,
    selector_names,
    text_colour,
    with_customs,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.styles import Style

_OUTER_SHEETS: Final = etree.XPath("boolean(//link[contains(@rel, 'stylesheet')])")
_STATE: Final = re.compile(
    r"^(?:hidden|role|aria-|[xv]-)|state|open|active|expand|collaps|visib|toggle|tab|cloak|select|current|aos|anim|load"
)
"""Attributes that a script sets when somebody asks for what they hide."""
_IN_NAME: Final = r"[^\x00-,./:-@\[-\^`{-\x7f]"
"""Letters, digits, ``_``, ``-`` and all beyond ASCII: told by what they are not, which is compiled at once."""
_NAME: Final = re.compile(rf"[.#]{_IN_NAME}+")
_STEP: Final = re.compile(rf"\s*([>+~]?)\s*(\*|[a-z][\w-]*)?((?:[.#]{_IN_NAME}+|\[[^\]]{{1,80}}\]|:root)*)", re.ASCII)
"""One part of a selector: how it stands to the part before, its tag, and what else it must be."""
_ATTRIBUTE: Final = re.compile(
    r"\[\s*+([\w-]++)\s*+(?:([~|^$*]?=)\s*+(?:\"([^\"\]]*+)\"|'([^'\]]*+)'|([^\s\"'\]]*+))\s*+(?:[is]\s*+)?)?\]"
)
_ANY_OF: Final = re.compile(r":(?:is|where|matches|-webkit-any)\(([^()]{1,200})\)")
_SELECTOR: Final = re.compile(r"(?:[^(),]++|\([^()]*+\)?|\))++")
"""One of the selectors between commas."""
_AT_RULE: Final = re.compile(r"@([\w-]+)\s*(.*)", re.DOTALL)
_NARROW: Final = re.compile(r"\(min-width:(?:[0-2]?\d{1,2}(?:px)?|1?\d(?:\.\d)?r?em)\)")
"""The least width of a screen that every screen has."""
MAX_HITS: Final = 5_000
"""Places of a page's style sheets that are looked at."""
MAX_RULES: Final = 50
"""Rules for one name that are kept."""
MAX_SAID: Final = 100
"""Rules that are asked whether they show what others hide."""
MAX_SELECTOR: Final = 300
ALL, SOME, NONE = 2, 1, 0
"""Screens on which a rule holds."""
_OPAQUE: Final = re.compile(r"(?<=color):#f(?:[0-9a-f]{2}|[0-9a-f]{5})(?![0-9a-f])")
_BRACE: Final = re.compile(r"[{}]")
_TO_BLOCK: Final = re.compile(r"(?![\w-])[^\s>+~{},]*\s*(?:,[^{}]*)?\{")
MAX_ABOVE: Final = 60
"""Elements around or before one that a rule is held against."""


class Compound(NamedTuple):
    """A part of a selector without blanks: a tag, classes and ids, as ``.class`` and ``#id``, and attributes."""

    tag: str
    names: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...]
    """Name, operator, value."""

    def matches(self, node: HtmlElement) -> bool:
        return (
            (not self.tag or self.tag == node.tag)
            and self.names <= selector_names(node.get("class", ""), node.get("id"))
            and all(_has(node.get(name), operator, value) for name, operator, value in self.attributes)
        )


class Selector(NamedTuple):
    """What a rule of a style sheet is for."""

    text: str
    parts: tuple[tuple[str, Compound], ...] = ()
    """Each with how it stands to the one before; none for a selector not understood."""
    keys: tuple[str, ...] = ("",)
    """Classes, ids, ``[attribute`` and tag of the elements that are meant, the rarest first."""
    names: tuple[str, ...] = ()
    """Classes and ids of all parts."""
    specificity: tuple[int, int, int] = (0, 0, 0)

    def matches(self, node: HtmlElement) -> bool:
        parts = self.parts
        if not parts or not parts[-1][1].matches(node):
            return False
        found, left = [node], MAX_ABOVE
        for (relation, _), (_, part) in zip(parts[:0:-1], parts[-2::-1], strict=True):
            near = [*islice(_related(found, relation), left)]
            left -= len(near) // 2
            found = [other for other in near if part.matches(other)]
            if not found:
                return False
        return True


class Rule(NamedTuple):
    """A rule of a style sheet, for one of its selectors."""

    selector: Selector
    style: Style
    strong: Style
    """What is marked as important."""
    place: int
    is_everywhere: bool = True
    """False for some screens alone."""

    def speaks_of(self, other: Rule) -> bool:
        """Tell whether another rule may show what this one hides: all for its class or id, else those that name one."""
        key, names = self.selector.keys[0], self.selector.names
        return key[:1] in {".", "#"} or not names or any(name in other.selector.text for name in names)


def _related(nodes: Sequence[HtmlElement], relation: str) -> Iterator[HtmlElement]:
    """Give the elements to which one of some elements, the innermost or last one first, stands in a relation."""
    if relation == " ":
        return nodes[0].iterancestors()
    if relation == "~":
        return nodes[0].itersiblings("*", preceding=True)
    if relation == "+":
        return (other for node in nodes for other in islice(node.itersiblings("*", preceding=True), 1))
    return (above for above in dict.fromkeys(node.getparent() for node in nodes) if above is not None)


def _has(stated: str | None, operator: str, value: str) -> bool:
    """Tell whether an attribute is what a selector asks for, whatever the case of its letters."""
    if stated is None or not operator:
        return stated is not None
    stated = stated.lower()
    if operator in {"=", "|="}:
        return stated == value or (operator == "|=" and stated.startswith(f"{value}-"))
    if operator == "~=":
        return value in stated.split()
    tests = {"^=": str.startswith, "$=": str.endswith, "*=": str.__contains__}
    return bool(value) and tests[operator](stated, value)


@lru_cache(maxsize=1024)
def read_selector(text: str) -> Selector:
    """Return a selector with its parts; without them for one of states, positions, or pages without scripts."""
    parts: list[tuple[str, Compound]] = []
    place, unread = 0, Selector(text)
    while place < len(text):
        match = _STEP.match(text, place)
        if match is None or not (match[2] or match[3]):
            return unread
        attributes = tuple((name, sign, "".join(values)) for name, sign, *values in _ATTRIBUTE.findall(match[3]))
        if len(attributes) < match[3].count("[") or any(_STATE.search(word) for item in attributes for word in item):
            return unread
        tag = "html" if match[3].endswith(":root") else (match[2] or "").strip("*")
        own = frozenset(_NAME.findall(re.sub(r"\[[^\[\]]*+\]", "", match[3])))
        parts.append((match[1] or " ", Compound(tag, own, attributes)))
        place = match.end()
    names = tuple(name for _, part in parts for name in part.names)
    if not parts or len(parts) > MAX_PARTS or ".no-js" in names:
        return unread
    last, n_ids = parts[-1][1], sum(name[0] == "#" for name in names)
    keys = (*sorted(last.names), *sorted(f"[{name}" for name, _, _ in last.attributes), last.tag)
    n_classes = len(names) - n_ids + sum(len(part.attributes) for _, part in parts)
    return Selector(text, tuple(parts), keys, names, (n_ids, n_classes, sum(bool(part.tag) for _, part in parts)))


MAX_PARTS: Final = 6


def selectors_of(text: str, groups: Sequence[str] = ()) -> list[str]:
    """Return the selectors of a rule, each written out, with those of the rules around it."""
    for group in reversed(groups):
        if group[:1] != "@":
            above = f":is({group})" if "," in group else group
            text = text.replace("&", above) if "&" in text else f"{above} {text}"
    found, written = [text], list[str]()
    while found and len(written) + len(found) < MAX_RULES:
        selector = found.pop()
        match = _ANY_OF.search(selector)
        if match is None:
            written += [one.strip() for one in _SELECTOR.findall(selector)]
        else:
            before, after = selector[: match.start()], selector[match.end() :]
            found += [f"{before}{inner.strip()}{after}" for inner in match[1].split(",")]
    return written


@lru_cache(maxsize=512)
def screens_of(group: str) -> int:
    """Return on which screens that holds which stands in a block that begins so."""
    match = _AT_RULE.match(group)
    if match is None or match[1] == "layer":
        return ALL
    if match[1] == "supports":
        return NONE if match[2].startswith("not") else ALL
    if match[1] not in {"media", "container"}:
        return SOME if match[1] == "scope" else NONE
    return max(min(map(_screens_of_test, query.strip().split(" and "))) for query in match[2].split(","))


def _screens_of_test(test: str) -> int:
    """Return on which screens one condition of a media query holds."""
    words = test.split()
    is_not = words[:1] == ["not"]
    kind = words[-1] if words else "all"
    if kind in {"all", "screen"}:
        return NONE if is_not else ALL
    if kind in {"print", "speech"}:
        return ALL if is_not else NONE
    return ALL if not is_not and _NARROW.fullmatch(test.strip()) else SOME


class PageStyles:
    """What the page's own style sheets say; most pages of a site have the same."""

    def __init__(self, text: str) -> None:
        css = clean_css(text).replace("<!--", " ").replace("-->", " ").replace("*|", "")
        css += "}" * (css.count("{") - css.count("}"))  # as browsers do where a sheet ends
        self.text = with_customs(css, customs(css)) if "var(" in css else css
        self._has_background = "background" in self.text
        self._said: dict[tuple[str, ...], list[Rule]] = {}
        self.rules = self._hiding_rules()

    @cached_property
    def customs(self) -> Mapping[str, str]:
        """The custom properties that elements' own styles may name."""
        return customs(self.text)

    def is_white(self, node: HtmlElement) -> bool:
        """Tell whether the page states no colour behind its text, and no sheet but its own can."""
        return "background" not in self.text and "@import" not in self.text and not _OUTER_SHEETS(node)

    def inline(self, style: str) -> Style:
        """Return what an element's ``style`` declares, with the sheets' custom properties."""
        if "var(" in style:
            css = clean_css(style)
            return declarations(with_customs(css, {**self.customs, **customs(css)}))
        return inline_style(style)

    def _hiding_rules(self) -> Mapping[str, list[tuple[Rule, frozenset[str]]]]:
        """Return the rules that hide something on a screen of any size, by their keys, with all classes they name."""
        found: dict[str, dict[object, Rule]] = {}
        end = 0
        for hit in islice(MAY_HIDE.finditer(self.text), MAX_HITS):
            if hit.start() < end or (_OPAQUE.match(self.text, hit.start()) and self._is_painted(hit.start())):
                continue  # of the same block, or light on what another rule paints
            rules, end = self._rules_around(hit.start())
            for rule in rules if rules and self._may_hide(rules[0].style) else ():
                key = rule.selector.keys[0]
                if key and rule.is_everywhere and len(of_key := found.setdefault(key, {})) < MAX_RULES:
                    of_key[rule.selector.text, *rule.style.items()] = rule
        return {
            key: [(rule, frozenset(name for name in rule.selector.names if name[0] == ".")) for rule in rules.values()]
            for key, rules in found.items()
        }

    def _is_painted(self, place: int) -> bool:
        """Tell whether sheets paint what is behind letters, though not in the block that holds a place."""
        block = self.text[self.text.rfind("{", 0, place) : self.text.find("}", place)]
        return self._has_background and "background" not in block

    def _may_hide(self, style: Style) -> bool:
        if hiding(style):
            return True
        colour, behind = text_colour(style), background(style)
        if colour is None or isinstance(colour, bool):
            return bool(colour)
        if behind is None:
            return "background" not in self.text
        return not isinstance(behind, bool) and is_same(colour, behind)

    @cached_property
    def _groups(self) -> list[tuple[int, int, int, str]]:
        """The blocks with blocks in them, by where they begin: with where they end, the one around it, its selector."""
        found: list[list[int]] = []
        open_blocks: list[list[int]] = []  # where it begins, its number among the groups
        for brace in _BRACE.finditer(self.text):
            if brace[0] == "{":
                if open_blocks and open_blocks[-1][1] < 0:
                    open_blocks[-1][1] = len(found)
                    around = open_blocks[-2][1] if len(open_blocks) > 1 else -1
                    found.append([open_blocks[-1][0], len(self.text), around])
                open_blocks.append([brace.end(), -1])
            elif open_blocks:
                number = open_blocks.pop()[1]
                if number >= 0:
                    found[number][1] = brace.start()
        return [(start, end, around, self._before(start - 1)) for start, end, around in found]

    def _before(self, brace: int) -> str:
        """Return what stands before a brace: a selector, or an at-rule."""
        return self.text[max(self.text.rfind(mark, 0, brace) for mark in "{};") + 1 : brace].strip()

    def _rules_around(self, place: int) -> tuple[list[Rule], int]:
        """Return the rules of the block that holds a place, and where its declarations end; none for paper."""
        text = self.text
        start, end = text.rfind("{", 0, place), text.find("}", place)
        if start < 0 or end < 0:
            return [], place if end >= 0 else len(text)
        groups, number = list[str](), bisect(self._groups, (place,)) - 1
        while number >= 0 and len(groups) < MAX_PARTS:  # how the blocks begin that hold the place
            _, stop, around, begin = self._groups[number]
            groups = [begin, *groups] if stop >= place else groups
            number = around
        closed, opened = text.rfind("}", start, place), text.find("{", place, end)
        end = opened if opened >= 0 else end
        is_group = closed >= 0 or bool(groups and self._before(start) == groups[-1])
        selector = (groups.pop() if groups else "") if is_group else self._before(start)
        if selector[:1] == "@":
            groups, selector = [*groups, selector], "&"
        screens = min(map(screens_of, groups), default=ALL)
        if screens == NONE or not selector:
            return [], end
        block = text[max(start, closed) + 1 : end]
        style = declarations(block)
        strong = declarations(block, important=True) if "!" in block else {}
        written = selectors_of(selector, groups)
        return [
            Rule(read_selector(one), style, strong, start, screens == ALL) for one in written if len(one) < MAX_SELECTOR
        ], end

    def said_of(self, key: str, names: Collection[str]) -> list[Rule]:
        """Return the rules that declare one of some properties for a class, an id, an attribute or a tag."""
        asked = (key, *names)
        if asked in self._said:
            return self._said[asked]
        known: dict[object, Rule] = {}
        text, left = self.text, MAX_SAID
        place = text.find(key)
        while place >= 0 and left:
            # a block of which a selector ends so
            is_whole = key[0] in ".#[" or text[place - 1 : place] in _BEFORE_TAG
            block = _TO_BLOCK.match(text, place + len(key)) if is_whole else None
            if block:
                left -= 1
                said = text[block.end() : text.find("}", block.end())]
                rules = self._rules_around(block.end())[0] if any(f"{name}:" in said for name in names) else ()
                for rule in rules:
                    if not rule.selector.parts or key in rule.selector.keys:
                        known[rule.selector.text, *rule.style.items()] = rule
            place = text.find(key, place + 1)
        self._said[asked] = [*known.values()]
        return self._said[asked]


_BEFORE_TAG: Final = frozenset(" >+~,{};") | {""}


def page_styles(sheets: Sequence[HtmlElement]) -> PageStyles:
    """Return what the page's ``style`` elements say, where scripts run."""
    texts = []
    for element in sheets:
        above, kind, media = element.getparent(), element.get("type"), element.get("media")
        if not (kind and "css" not in kind.lower()) and (above is None or above.tag != "noscript"):
            text = element.text or ""
            texts.append(f"@media {media}{{{text}}}" if media else text)
    return _remembered("\n".join(texts)[:MAX_CSS])


_remembered: Final = lru_cache(maxsize=64)(PageStyles)
