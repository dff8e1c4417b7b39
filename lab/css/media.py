"""Media queries, answered for one screen without interaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import tinycss2

from lab.css import screen
from lab.css.values import length, significant

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_CHARS: Final = 1000
_SIZES: Final = {"width": screen.WIDTH, "height": screen.HEIGHT}
_SIZES["device-width"], _SIZES["device-height"] = screen.WIDTH, screen.HEIGHT
_KEYWORDS: Final = {
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
}


def media_text_holds(query: str | None) -> bool:
    """Tell whether the value of a ``media`` attribute holds; an empty one does."""
    if not query or not query.strip():
        return True
    return media_holds(tinycss2.parse_component_value_list(query[:MAX_CHARS], skip_comments=True))


def media_holds(tokens: Sequence[Any]) -> bool:
    """Tell whether one of the queries of a list holds; an empty list does. What is not known does not hold."""
    queries: list[list[Any]] = [[]]
    for token in significant(tokens):
        if token.type == "literal" and token.value == ",":
            queries.append([])
        else:
            queries[-1].append(token)
    return any(_query_holds(query) for query in queries)


def _query_holds(query: Sequence[Any]) -> bool:
    negated, holds = False, True
    for token in query:
        if token.type == "ident":
            if token.lower_value == "not":
                negated = True
            elif token.lower_value not in ("only", "and"):
                holds = holds and token.lower_value in ("all", "screen")
        elif token.type == "() block":
            holds = holds and _feature_holds(significant(token.content))
        else:
            return False
    return holds is not negated


def _feature_holds(tokens: Sequence[Any]) -> bool:
    if not tokens or tokens[0].type != "ident":
        return False
    name = tokens[0].lower_value
    if len(tokens) == 1:
        return name in _SIZES or name in ("color", "hover", "pointer")
    if name in _KEYWORDS:
        return str(getattr(tokens[-1], "lower_value", "")) == _KEYWORDS[name]
    bound = length(tokens[-1])
    return bound is not None and _size_holds(name, tokens, bound.pixels(screen.WIDTH, screen.FONT_SIZE))


def _size_holds(name: str, tokens: Sequence[Any], pixels: float) -> bool:
    kind, _, size = name.partition("-")
    if kind in ("min", "max") and size in _SIZES:
        return _SIZES[size] >= pixels if kind == "min" else _SIZES[size] <= pixels
    signs = "".join(token.value for token in tokens[1:-1] if token.type == "literal")
    if name in _SIZES and signs[:1] in ("<", ">"):
        below = _SIZES[name] < pixels if signs[0] == "<" else _SIZES[name] > pixels
        return below or (signs.endswith("=") and _SIZES[name] == pixels)
    return name in _SIZES and _SIZES[name] == pixels
