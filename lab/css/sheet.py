"""A style sheet as rules that can be asked for an element; read once a text, whatever page it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import cssselect2
import tinycss2

from lab.css.media import media_holds
from lab.css.properties import declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lab.css.properties import Declarations

MAX_CHARS: Final = 500_000
"""A longer sheet is cut: four times the longest of the labelled pages."""
MAX_RULES: Final = 10_000
MAX_PRELUDE: Final = 400
"""Tokens of one rule's selectors; more is left out."""
MAX_NESTING: Final = 5
"""Blocks such as ``@media`` inside each other."""
CACHED_SHEETS: Final = 64

_CONDITIONS: Final = frozenset(("supports", "layer"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """One selector of a rule, with what the rule says."""

    test: Callable[[Any], bool]
    specificity: tuple[int, int, int]
    order: int
    normal: Declarations
    important: Declarations
    is_heavy: bool
    """True if a test may look at all siblings."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Selectors by what their last part asks for, so that few are tested for an element."""

    by_id: dict[str, list[Selector]] = field(default_factory=dict)
    by_class: dict[str, list[Selector]] = field(default_factory=dict)
    by_tag: dict[str, list[Selector]] = field(default_factory=dict)
    others: list[Selector] = field(default_factory=list)

    def candidates(self, identity: str | None, classes: set[str], tag: str) -> Iterator[Selector]:
        """Yield the selectors that may match an element."""
        if identity in self.by_id and identity is not None:
            yield from self.by_id[identity]
        for name in classes:
            yield from self.by_class.get(name, ())
        yield from self.by_tag.get(tag, ())
        yield from self.others

    def __len__(self) -> int:
        groups = (*self.by_id.values(), *self.by_class.values(), *self.by_tag.values(), self.others)
        return sum(map(len, groups))


def read_sheet(text: str) -> Sheet:
    """Return the rules of a sheet that bear on boxes; broken parts are left out, as CSS asks. Never raises."""
    return _read_sheet(text[:MAX_CHARS])


@lru_cache(maxsize=CACHED_SHEETS)
def _read_sheet(text: str) -> Sheet:
    sheet = Sheet()
    order = 0
    for prelude, content in _rules(text, 0):
        normal, important = declarations(content)
        if not normal and not important:
            continue
        is_heavy = _is_heavy(prelude)
        for compiled in _compile(prelude):
            order += 1
            if order > MAX_RULES:
                return sheet
            _add(sheet, compiled, (normal, important), order, is_heavy=is_heavy)
    return sheet


def _rules(content: str | Sequence[Any], depth: int) -> Iterator[tuple[Sequence[Any], Sequence[Any]]]:
    """Yield prelude and content of every style rule that applies on the screen."""
    if isinstance(content, str):
        items = tinycss2.parse_stylesheet(content, skip_comments=True, skip_whitespace=True)
    else:
        items = tinycss2.parse_rule_list(content, skip_comments=True, skip_whitespace=True)
    for item in items:
        if item.type == "qualified-rule":
            yield item.prelude, item.content
        elif item.type == "at-rule" and item.content and depth < MAX_NESTING and _applies(item):
            yield from _rules(item.content, depth + 1)


def _applies(rule: Any) -> bool:
    if rule.lower_at_keyword == "media":
        return media_holds(rule.prelude)
    return rule.lower_at_keyword in _CONDITIONS


def _compile(prelude: Sequence[Any]) -> list[Any]:
    """Return the selectors; none if one of them is wrong, or too large to be worth a test."""
    if _size(prelude, 0) > MAX_PRELUDE:
        return []
    try:
        return list(cssselect2.compile_selector_list(prelude))
    except (cssselect2.SelectorError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _size(tokens: Sequence[Any], depth: int) -> int:
    """Return the number of tokens, those in parentheses too; huge for ``:has()`` and for deep nesting."""
    if depth > MAX_NESTING:
        return MAX_PRELUDE + 1
    size = len(tokens)
    for token in tokens:
        if token.type == "function":
            size += MAX_PRELUDE + 1 if token.lower_name == "has" else _size(token.arguments, depth + 1)
    return size


def _add(sheet: Sheet, compiled: Any, said: tuple[Declarations, Declarations], order: int, *, is_heavy: bool) -> None:
    normal, important = said
    if compiled.never_matches:
        return
    if compiled.pseudo_element is not None:
        if compiled.pseudo_element not in ("after", "before") or "clear" not in normal:
            return
        normal, important = {"contains-floats": 1.0}, {}  # the clearfix idiom
    selector = Selector(
        test=compiled.test,
        specificity=compiled.specificity,
        order=order,
        normal=normal,
        important=important,
        is_heavy=is_heavy,
    )
    if compiled.id is not None:
        sheet.by_id.setdefault(compiled.id, []).append(selector)
    elif compiled.class_name is not None:
        sheet.by_class.setdefault(compiled.class_name, []).append(selector)
    elif compiled.local_name is not None:
        sheet.by_tag.setdefault(compiled.lower_local_name, []).append(selector)
    else:
        sheet.others.append(selector)


def _is_heavy(prelude: Sequence[Any]) -> bool:
    """Tell whether a test may look at all siblings of an element."""
    words = (getattr(token, "lower_name", None) or getattr(token, "lower_value", "") for token in prelude)
    return any("of-type" in word or "nth-" in word for word in words if isinstance(word, str))
