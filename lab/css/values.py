"""CSS values: lengths as sums of units, keywords, numbers and the tracks of a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lab.css import screen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_PIXELS: Final = 100_000.0
"""Longer lengths are cut: pages move text away by ``-9999px``, never further than this for a reason."""
MAX_DEPTH: Final = 20
"""Parentheses of ``calc()`` inside each other."""
MAX_TRACKS: Final = 50


class Length(NamedTuple):
    """A sum of pixels, percent of a base, and font sizes: ``calc(100% - 2em)`` is one too."""

    px: float = 0.0
    percent: float = 0.0
    em: float = 0.0
    rem: float = 0.0

    def pixels(self, base: float, font: float, root_font: float = screen.FONT_SIZE) -> float:
        """Return the length in pixels; ``base`` is what percentages are of."""
        length = self.px + self.percent * base / 100 + self.em * font + self.rem * root_font
        return min(max(length, -MAX_PIXELS), MAX_PIXELS)

    def of(self, base: float) -> float:
        """Return the pixels of a length without font sizes."""
        return self.px + self.percent * base / 100

    def in_pixels(self, font: float, root_font: float) -> Length:
        """Return the length with font sizes as pixels; percentages stay."""
        px = min(max(self.px + self.em * font + self.rem * root_font, -MAX_PIXELS), MAX_PIXELS)
        return Length(px=px, percent=min(max(self.percent, -MAX_PIXELS), MAX_PIXELS))


class Fraction(NamedTuple):
    """A track of a grid that takes its part of the room left over (``2fr``)."""

    parts: float


Track = Length | Fraction
Value = Length | str | float | tuple[Track, ...]

ZERO: Final = Length()
_PER_PIXEL: Final[dict[str, float]] = {
    "px": 1.0,
    "pt": 96 / 72,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
    "vw": screen.WIDTH / 100,
    "vh": screen.HEIGHT / 100,
    "dvw": screen.WIDTH / 100,
    "dvh": screen.HEIGHT / 100,
    "svh": screen.HEIGHT / 100,
    "lvh": screen.HEIGHT / 100,
    "vmin": screen.HEIGHT / 100,
    "vmax": screen.WIDTH / 100,
}
_CALCULATIONS: Final = frozenset(("calc", "-webkit-calc", "-moz-calc"))
_OPERATORS: Final = ("+", "-", "*", "/")


def significant(tokens: Sequence[Any]) -> list[Any]:
    """Return the tokens without white space and comments."""
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def length(token: Any, depth: int = 0) -> Length | None:
    """Return the length that one token states; None for anything else."""
    found: Length | None = None
    if token.type == "percentage":
        found = Length(percent=token.value)
    elif token.type == "dimension":
        found = _dimension(token.value, token.lower_unit)
    elif token.type == "number":
        found = Length(px=token.value)  # only 0 is valid; browsers take others in quirks mode
    elif token.type == "function" and token.lower_name in _CALCULATIONS:
        found = _sum(significant(token.arguments), depth + 1)
    elif token.type == "function" and token.lower_name in _CHOICES:
        found = _choice(token, depth + 1)
    elif token.type == "() block":
        found = _sum(significant(token.content), depth + 1)
    return found


def _dimension(value: float, unit: str) -> Length | None:
    if unit in _PER_PIXEL:
        return Length(px=value * _PER_PIXEL[unit])
    if unit == "em":
        return Length(em=value)
    if unit == "rem":
        return Length(rem=value)
    if unit in ("ex", "ch"):
        return Length(em=value / 2)
    return None


def _sum(tokens: Sequence[Any], depth: int) -> Length | None:
    """Return the value of a sum of products, None if it holds anything else or is nested too deep."""
    if depth > MAX_DEPTH or not tokens:
        return None
    total, sign, begin = ZERO, 1.0, 0
    for place in range(len(tokens) + 1):
        operator = None if place == len(tokens) else _operator(tokens[place])
        if place == len(tokens) or operator in ("+", "-"):
            term = _product(tokens[begin:place], depth)
            if term is None:
                return None
            total = Length(*(left + sign * right for left, right in zip(total, term, strict=True)))
            sign, begin = (-1.0 if operator == "-" else 1.0), place + 1
    return total


def _product(tokens: Sequence[Any], depth: int) -> Length | None:
    factor, found, divide = 1.0, None, False
    for token in tokens:
        operator = _operator(token)
        if operator is not None:
            divide = operator == "/"
        elif token.type == "number":
            if divide and token.value == 0:
                return None
            factor = factor / token.value if divide else factor * token.value
        elif found is None:
            found = length(token, depth)
    if found is None:
        return None
    return Length(*(part * factor for part in found))


def _operator(token: Any) -> str | None:
    return token.value if token.type == "literal" and token.value in _OPERATORS else None


def _choice(token: Any, depth: int) -> Length | None:
    """Return the argument of ``min()`` and the like that decides in a container as wide as the screen."""
    parts: list[list[Any]] = [[]]
    for part in significant(token.arguments):
        if part.type == "literal" and part.value == ",":
            parts.append([])
        else:
            parts[-1].append(part)
    lengths = [found for part in parts if (found := _sum(part, depth)) is not None]
    if len(lengths) != len(parts):
        return None
    return _CHOICES[token.lower_name](lengths)


def _on_screen(found: Length) -> float:
    return found.pixels(screen.WIDTH, screen.FONT_SIZE)


def _clamp(lengths: Sequence[Length]) -> Length:
    return sorted(lengths, key=_on_screen)[len(lengths) // 2]


_CHOICES: Final[dict[str, Callable[[Sequence[Length]], Length]]] = {
    "min": lambda lengths: min(lengths, key=_on_screen),
    "max": lambda lengths: max(lengths, key=_on_screen),
    "clamp": _clamp,
}


def tracks(tokens: Sequence[Any]) -> tuple[Track, ...] | None:
    """Return the columns of ``grid-template-columns``; ``auto`` counts as ``1fr``. None if it cannot be read."""
    found: list[Track] = []
    for token in significant(tokens):
        if token.type == "[] block":
            continue  # names of lines
        if token.type == "function" and token.lower_name == "repeat":
            found += _repeat(token)
        elif (track := _track(token)) is not None:
            found.append(track)
        else:
            return None
    return tuple(found[:MAX_TRACKS]) or None


def _track(token: Any) -> Track | None:
    if token.type == "dimension" and token.lower_unit == "fr":
        return Fraction(max(token.value, 0.0))
    if token.type == "ident":
        return Fraction(1.0)
    if token.type == "function" and token.lower_name == "minmax":
        arguments = significant(token.arguments)
        return _track(arguments[-1]) if arguments else None
    if token.type == "function" and token.lower_name == "fit-content":
        return Fraction(1.0)
    return length(token)


def _repeat(token: Any) -> list[Track]:
    arguments = significant(token.arguments)
    if len(arguments) < 3:
        return []
    block = [track for part in arguments[2:] if (track := _track(part)) is not None]
    if arguments[0].type == "number":
        return block * max(1, min(int(arguments[0].value), MAX_TRACKS))
    least = _least_width(arguments[2])
    return block * (max(1, min(int(screen.WIDTH * 0.8 / least), 12)) if least else 1)


def _least_width(token: Any) -> float:
    """Return the pixels that a column of ``repeat(auto-fill, …)`` takes at least; 0.0 if it does not say."""
    if token.type == "function" and token.lower_name == "minmax":
        arguments = significant(token.arguments)
        token = arguments[0] if arguments else token
    found = length(token)
    return _on_screen(found) if found is not None else 0.0
