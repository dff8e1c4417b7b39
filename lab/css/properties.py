"""Declarations that bear on boxes, shorthands taken apart; everything else is left out when a sheet is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import tinycss2

from lab.css.values import Length, Value, length, significant, tracks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SIDES: Final = ("top", "right", "bottom", "left")
AUTO: Final = "auto"

_KEYWORDS: Final = frozenset(
    "display float position clear box-sizing overflow overflow-x visibility white-space text-align flex-direction "
    "flex-wrap justify-content".split()
)
_LENGTHS: Final = frozenset(
    "width min-width max-width height min-height max-height margin-top margin-right margin-bottom margin-left "
    "padding-top padding-right padding-bottom padding-left top right bottom left font-size flex-basis".split()
)
_GAPS: Final = {"gap": "gap", "column-gap": "gap", "grid-gap": "gap", "grid-column-gap": "gap"}
_FONT_SIZES: Final = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
}
_BORDERS: Final = {"thin": 1.0, "medium": 3.0, "thick": 5.0}

Declarations = dict[str, Value]


def declarations(content: str | Sequence[Any]) -> tuple[Declarations, Declarations]:
    """Return the normal and the ``!important`` declarations of a block. What cannot be read is left out."""
    normal: Declarations = {}
    important: Declarations = {}
    for item in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if item.type == "declaration":
            (important if item.important else normal).update(_values(item.lower_name, significant(item.value)))
    return normal, important


def _values(name: str, tokens: Sequence[Any]) -> Iterable[tuple[str, Value]]:
    """Return what one declaration says, as longhands."""
    found: Iterable[tuple[str, Value]] = ()
    if not tokens:
        pass
    elif name in _KEYWORDS:
        found = _keyword(name, tokens)
    elif name in _LENGTHS:
        value = _length(name, tokens[0])
        found = [(name, value)] if value is not None else ()
    elif name in ("margin", "padding"):
        found = _sides(name, tokens)
    elif name.startswith("border"):
        found = _border(name, tokens)
    elif name in _GAPS:
        value = _length(name, tokens[-1])
        found = [("gap", value)] if value is not None else ()
    elif name in _OTHERS:
        found = _OTHERS[name](tokens)
    return found


def _keyword(name: str, tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    if words:
        yield name, words[-1] if name == "display" else words[0]


def _length(name: str, token: Any) -> Value | None:
    if token.type == "ident":
        if name == "font-size" and token.lower_value in _FONT_SIZES:
            return Length(px=_FONT_SIZES[token.lower_value])
        if name == "font-size":
            return {"smaller": Length(em=0.83), "larger": Length(em=1.2)}.get(token.lower_value)
        word: str = token.lower_value
        return word
    found = length(token)
    if found is not None and name == "font-size" and found.percent:
        return Length(px=found.px, em=found.em + found.percent / 100, rem=found.rem)
    return found


def _sides(name: str, tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    values = [_length(name, token) for token in tokens[:4]]
    if any(value is None for value in values):
        return
    places = ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 2, 1), (0, 1, 2, 3))[len(values) - 1]
    for side, place in zip(SIDES, places, strict=True):
        value = values[place]
        if value is not None:
            yield f"{name}-{side}", value


def _border(name: str, tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    """Yield the widths of ``border``, ``border-left``, ``border-width``, ``border-style``: none means 0."""
    parts = name.split("-")[1:]
    if any(part not in (*SIDES, "width", "style") for part in parts):
        return
    width = _border_width(tokens)
    if width is None:
        return
    for side in [part for part in parts if part in SIDES] or SIDES:
        yield f"border-{side}", width


def _border_width(tokens: Sequence[Any]) -> Length | None:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    if "none" in words or "hidden" in words:
        return Length()
    for token in tokens:
        found = length(token)
        if found is not None:
            return found
    return next((Length(px=_BORDERS[word]) for word in words if word in _BORDERS), None)


def _flex(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    numbers = [token.value for token in tokens if token.type == "number"]
    basis = next((found for token in tokens if token.type != "number" and (found := length(token)) is not None), None)
    if "none" in words:
        yield from (("flex-grow", 0.0), ("flex-shrink", 0.0), ("flex-basis", AUTO))
        return
    yield "flex-grow", numbers[0] if numbers else 1.0 if words or basis else 0.0
    yield "flex-shrink", numbers[1] if len(numbers) > 1 else 1.0
    yield "flex-basis", basis if basis is not None else AUTO if "auto" in words else Length()


def _flex_flow(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    for token in tokens:
        if token.type == "ident":
            yield ("flex-wrap" if "wrap" in token.lower_value else "flex-direction"), token.lower_value


def _number(name: str) -> Any:
    def read(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
        if tokens[0].type == "number":
            yield name, float(tokens[0].value)

    return read


def _line_height(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    token = tokens[0]
    if token.type == "number":
        yield "line-height", float(token.value)
    elif token.type == "percentage":
        yield "line-height", float(token.value) / 100
    elif (found := length(token)) is not None:
        yield "line-height", found


def _font(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    """Yield size and line height of ``font: bold 12px/1.5 serif``."""
    for place, token in enumerate(tokens):
        if token.type in ("dimension", "percentage"):
            size = _length("font-size", token)
            if size is not None:
                yield "font-size", size
            if len(tokens) > place + 2 and tokens[place + 1].type == "literal" and tokens[place + 1].value == "/":
                yield from _line_height(tokens[place + 2 :])
            return


def _grid_columns(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    found = tracks(tokens)
    if found:
        yield "grid-template-columns", found


def _grid_template(tokens: Sequence[Any]) -> Iterator[tuple[str, Value]]:
    slash = next((place for place, token in enumerate(tokens) if token.type == "literal" and token.value == "/"), None)
    if slash is not None:
        yield from _grid_columns(tokens[slash + 1 :])


_OTHERS: Final[dict[str, Any]] = {
    "flex": _flex,
    "flex-flow": _flex_flow,
    "flex-grow": _number("flex-grow"),
    "flex-shrink": _number("flex-shrink"),
    "line-height": _line_height,
    "font": _font,
    "grid-template-columns": _grid_columns,
    "grid-template": _grid_template,
}
