"""Elements that the page's own style sheets hide, by the cheap part of the cascade.

Only selectors of one class or id, with or without a tag, hide. Any other selector may only show: where its last part
could mean an element and it states a ``display``, the element counts as shown, since whether it matches is not looked
into. So what is hidden here is hidden in a browser without scripts too, and the rest is left to :func:`lay_out`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from lxml import etree

from lab.css.cascade import page_sheets
from lab.css.media import media_text_holds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from newscrawl.page.document import Document

MAX_CHARS: Final = 500_000
CACHED_SHEETS: Final = 64

_MAY_HIDE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_MARKS: Final = re.compile(r"([{};])")
_SIMPLE: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9]*)?([.#])(-?[_a-zA-Z\u0080-\uffff][\w\u0080-\uffff-]*)")
_NAME: Final = re.compile(r"[.#](-?[_a-zA-Z\u0080-\uffff][\w\u0080-\uffff-]*)")
_COMBINATORS: Final = re.compile(r"[\s>+~]")
_DECLARATION: Final = re.compile(r"(?:^|;)\s*(display|visibility)\s*:\s*([a-z-]+)\s*(!\s*important)?", re.IGNORECASE)

_Weight = tuple[bool, int, int]
"""Importance, specificity, order."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """What sheets say by name. A name is ``.class`` or ``#id``, or one of them after a tag."""

    hiding: dict[str, dict[str, _Weight]] = field(default_factory=dict)
    """Property → name → weight."""
    showing: dict[str, dict[str, _Weight]] = field(default_factory=dict)
    uncertain: dict[str, set[str]] = field(default_factory=dict)
    """Property → bare names in the last part of longer selectors that show."""


def hidden_by_css(document: Document) -> frozenset[HtmlElement]:
    """Return the elements of the body hidden by a rule of the page's own ``style`` elements.

    Their descendants are hidden with them and not listed. Empty where no sheet hides anything, which costs one look
    for ``style`` elements.
    """
    if document.root is None:
        return frozenset()
    text = "\n".join(page_sheets(document))[:MAX_CHARS]
    rules = _parse(text)
    if not any(rules.hiding.values()):
        return frozenset()
    return frozenset(node for node in _find_named(document.root, rules) if _is_hidden(node, rules))


def _find_named(root: HtmlElement, rules: _Rules) -> Iterator[HtmlElement]:
    """Yield the elements below the body that have a name which some rule hides."""
    wanted = {name.partition(sign)[2] for names in rules.hiding.values() for name in names for sign in _sign(name)}
    for kind in ("class", "id"):
        values = frozenset(_attributes(kind, smart=False)(root))
        if not any(value in wanted or not wanted.isdisjoint(value.split()) for value in values):
            continue
        for attribute in _attributes(kind, smart=True)(root):
            names = attribute.split() if kind == "class" else (attribute,)
            if not wanted.isdisjoint(names):
                yield attribute.getparent()


@cache
def _attributes(kind: str, *, smart: bool) -> etree.XPath:
    """Find values below the body; those that know their elements take three times as long."""
    return etree.XPath(f"//body//@{kind}", smart_strings=smart)


def _sign(name: str) -> str:
    return "#" if "#" in name else "."


def _is_hidden(node: HtmlElement, rules: _Rules) -> bool:
    style = node.get("style") or ""
    inline = {kind.lower(): word.lower() for kind, word, _ in _DECLARATION.findall(style)}
    classes, identity = (node.get("class") or "").split(), node.get("id")
    bare = {*classes, identity} if identity else set(classes)
    names = [f".{name}" for name in classes] + ([f"#{identity}"] if identity else [])
    names += [f"{node.tag!s}{name}" for name in names]
    for kind, hiding in rules.hiding.items():
        hides = max((hiding[name] for name in names if name in hiding), default=None)
        if hides is None or not bare.isdisjoint(rules.uncertain.get(kind, ())):
            continue
        showing = rules.showing.get(kind, {})
        shows = max((showing[name] for name in names if name in showing), default=None)
        if (shows is None or shows < hides) and (hides[0] or kind not in inline or inline[kind] in ("none", "hidden")):
            return True
    return False


@lru_cache(maxsize=CACHED_SHEETS)
def _parse(text: str) -> _Rules:
    rules = _Rules()
    if not _MAY_HIDE.search(text):
        return rules
    for order, (prelude, content) in enumerate(_style_rules(_COMMENT.sub("", text))):
        for kind, word, important in _DECLARATION.findall(content):
            for selector in prelude.split(","):
                _note(rules, selector.strip(), (kind.lower(), word.lower()), bool(important), order)
    return rules


def _note(rules: _Rules, selector: str, said: tuple[str, str], important: bool, order: int) -> None:  # noqa: FBT001
    kind, word = said
    hides = word == ("none" if kind == "display" else "hidden")
    simple = _SIMPLE.fullmatch(selector)
    if simple:
        tag, sign, name = simple.groups()
        weight = (important, (100 if sign == "#" else 10) + bool(tag), order)
        target = (rules.hiding if hides else rules.showing).setdefault(kind, {})
        full = f"{(tag or '').lower()}{sign}{name}"
        target[full] = max(weight, target.get(full, weight))
    elif not hides:
        rules.uncertain.setdefault(kind, set()).update(_NAME.findall(_COMBINATORS.split(selector)[-1]))


def _style_rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield prelude and content of the style rules that apply on a screen; broken ones as far as they go."""
    applies = [True]
    prelude, content = "", ""
    pieces = _MARKS.split(text)
    for part, mark in zip(pieces[::2], pieces[1::2], strict=False):
        if mark == "{":
            begun = (content + part).strip()
            if begun.startswith("@"):
                applies.append(applies[-1] and _at_rule_applies(begun))
                prelude, content = "", ""
            else:
                applies.append(applies[-1])
                prelude, content = begun, ""
        elif mark == ";":
            content = content + part + ";" if prelude else ""
        else:
            if prelude and applies[-1]:
                yield prelude, content + part
            prelude, content = "", ""
            if len(applies) > 1:
                applies.pop()


def _at_rule_applies(begun: str) -> bool:
    begun = begun.lower()
    if begun.startswith("@media"):
        return media_text_holds(begun.removeprefix("@media"))
    return begun.startswith(("@supports", "@layer"))
