"""Style declarations by which nobody sees a text, cheap ones alone: no layout is made."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    Style = Mapping[str, str]

FAR: Final = 500.0
"""Pixels by which a text is moved off the screen."""
FAINT: Final = 0.05
"""Opacity below which nothing is seen."""
TINY: Final = 2.0
"""Pixels below which letters are none, and a box shows none."""
SAME: Final = 24
"""Difference of two colours, in each of red, green and blue, that nobody sees."""
_PIXELS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "": 1,
        "px": 1,
        "pt": 4 / 3,
        "em": 16,
        "rem": 16,
        "ex": 8,
        "ch": 8,
        "cm": 38,
        "mm": 3.8,
        "in": 96,
        "pc": 16,
        "q": 1,
    }
    | dict.fromkeys(("%", "vw", "vh", "vmin", "vmax", "dvw", "dvh", "svh", "lvh"), 9)
)
"""Unit → pixels; a share of the screen is one of 900 pixels."""
_LENGTH: Final = re.compile(r"([-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[-+]?\d{1,3})?)([a-z%]{0,9})")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_NOTHING: Final = re.compile(
    r"^(?:circle|ellipse)\(0(?:\D|$)|^inset\((?:[5-9]\d|\d{3,})|^(?:polygon|rect|xywh)\((?:0[a-z%]*[\s,)]*)+$"
)
_SHRUNK: Final = re.compile(r"(?:scale(?:3d|x|y)?\(|^)[\s,]*0?\.?0*\s*[,)\s]|^0?\.?0+$|rotate[xy]\(\s*-?90deg")
_MOVED: Final = re.compile(r"translate(?:3d|x|y)?\(([^)]{0,60})\)")
_COLOUR: Final = re.compile(r"#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([^)]{0,60}\)|\b[a-z]{1,30}\b")
_NAMED: Final[Mapping[str, str]] = MappingProxyType(
    {"white": "#ffffff", "black": "#000000", "snow": "#fffafa", "ivory": "#fffff0", "whitesmoke": "#f5f5f5"}
    | {"ghostwhite": "#f8f8ff", "gray": "#808080", "grey": "#808080", "red": "#ff0000", "transparent": "#00000000"}
)


def clean_css(css: str) -> str:
    """Return CSS in lower case without comments and escapes, with single blanks, and none around colons."""
    css = css.lower()
    css = _COMMENT.sub("", css) if "/*" in css else css
    css = _ESCAPE.sub(_unescaped, css) if "\\" in css else css
    return " ".join(css.split()).replace(" :", ":").replace(": ", ":")


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else ord(match[2])
    return chr(code).lower() if 0 < code < 0x110000 else ""


def declarations(css: str) -> dict[str, str]:
    """Return property → value of a cleaned block, without ``!important``."""
    found: dict[str, str] = {}
    for part in css.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.partition("!")[0].strip()
    return found


@lru_cache(maxsize=4096)
def inline_style(style: str) -> Style:
    """Return what an element's ``style`` declares."""
    return MappingProxyType(declarations(clean_css(style)))


def is_gone(style: Style) -> bool:
    """Tell whether an element takes no part in the page: what may be opened by a click, or by a script, too."""
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
    )


def is_unseen(style: Style) -> bool:
    """Tell whether an element is drawn so that nobody sees it; False where it moves: a script reveals it."""
    if style.keys().isdisjoint(_DRAWING) or style.keys() & _MOVING:
        return False
    return _is_faint(style) or _is_off_screen(style) or _is_clipped(style) or _is_shrunk(style)


_DRAWING: Final = frozenset(
    "opacity filter position margin margin-left margin-top margin-right transform translate text-indent clip clip-path "
    "-webkit-clip-path scale overflow overflow-x overflow-y contain".split()
)
_MOVING: Final = {"transition", "animation", "animation-name", "transition-property", "will-change"}


def has_no_size(style: Style) -> bool:
    """Tell whether letters have no size: what stands below may give them one again."""
    size = style.get("font-size") or style.get("font", "").partition("/")[0].rpartition(" ")[2]
    if "font" in style and "font-size" not in style:
        size = next((word for word in style["font"].replace("/", " ").split() if word[0] in "0123456789.+"), "")
    return bool(size) and (found := _pixels(size)) is not None and abs(found) < TINY


def _is_faint(style: Style) -> bool:
    opacity = style.get("opacity") or style.get("filter", "").partition("opacity(")[2]
    match = _LENGTH.match(opacity)
    return match is not None and float(match[1]) / (100 if match[2] == "%" else 1) < FAINT


def _is_off_screen(style: Style) -> bool:
    moved = [style[name] for name in _MARGINS & style.keys()]
    if style.get("position", "static") in {"absolute", "fixed", "relative", "sticky"}:
        moved += [style[name] for name in _SIDES & style.keys()]
        if _pixels(style.get("z-index", "")) is not None and float(style["z-index"].split()[0]) < 0:
            return True
    for transform in (style.get("transform", ""), f"translate({style.get('translate', '')})"):
        # a share is one of the element's own size
        moved += [values.replace(",", " ").replace("%", "px") for values in _MOVED.findall(transform)]
    moved.append(style.get("text-indent", ""))
    return any((length := _pixels(word)) is not None and length <= -FAR for value in moved for word in value.split())


_MARGINS: Final = frozenset(("margin", "margin-left", "margin-top", "margin-right", "margin-inline-start"))
_SIDES: Final = frozenset(("left", "right", "top", "bottom", "inset", "inset-inline-start", "inset-block-start"))


def _is_clipped(style: Style) -> bool:
    clip = style.get("clip", "")
    if clip.startswith("rect(") and "auto" not in clip:
        edges = [abs(length) for word in re.split(r"[\s,()]+", clip[5:]) if (length := _pixels(word)) is not None]
        return bool(edges) and max(edges) < TINY
    path = style.get("clip-path") or style.get("-webkit-clip-path", "")
    return bool(_NOTHING.match(path))


def _is_shrunk(style: Style) -> bool:
    if _SHRUNK.search(style.get("transform", "")) or _SHRUNK.search(style.get("scale", "-")):
        return True
    overflow = {word for name in style.keys() & _OVERFLOW for word in style[name].split()}
    if not overflow & {"hidden", "clip"}:
        return False
    sizes = (_pixels(style[name].split()[0]) for name in style.keys() & _BOX if style[name])
    return any(size is not None and size < TINY for size in sizes)


_OVERFLOW: Final = frozenset(("overflow", "overflow-x", "overflow-y", "contain"))
_BOX: Final = frozenset(("height", "max-height", "width", "max-width", "block-size", "max-block-size"))


def _pixels(value: str) -> float | None:
    match = _LENGTH.fullmatch(value.strip(",)"))
    if match is None or match[2] not in _PIXELS:
        return None
    return float(match[1]) * _PIXELS[match[2]]


Colour = tuple[int, int, int]


def text_colour(style: Style) -> Colour | bool | None:
    """Return the colour of letters; True for none at all, None where it is not stated."""
    value = style.get("-webkit-text-fill-color") or style.get("color")
    if not value or "text" in (style.get("background-clip"), style.get("-webkit-background-clip")):
        return None
    return _colour(value)


def background(style: Style) -> Colour | None:
    """Return the colour behind letters; None where none is stated."""
    value = style.get("background-color") or style.get("background")
    if not value or "url(" in value or "gradient" in value:
        return None
    found = next((colour for word in _COLOUR.findall(value) if (colour := _colour(word)) is not None), None)
    return None if isinstance(found, bool) else found


def is_same(one: Colour, other: Colour) -> bool:
    """Tell whether nobody can tell two colours apart."""
    return all(abs(a - b) <= SAME for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=512)
def _colour(value: str) -> Colour | bool | None:
    """Return red, green and blue; True for a colour that lets all through."""
    value = _NAMED.get(value, value)
    if value.startswith("#"):
        digits = value[1:] if len(value) > 5 else "".join(digit * 2 for digit in value[1:])
        if len(digits) not in {6, 8} or re.search(r"[^0-9a-f]", digits):
            return None
        if len(digits) == 8 and int(digits[6:], 16) < 255 * FAINT:
            return True
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    return _of_numbers(value) if value.startswith(("rgb", "hsl")) else None


def _of_numbers(value: str) -> Colour | bool | None:
    numbers = [(float(n), unit) for n, unit in _LENGTH.findall(value)]
    if len(numbers) > 3 and numbers[3][0] / (100 if numbers[3][1] else 1) < FAINT:
        return True
    if len(numbers) < 3:
        return None
    one, two, three = (number for number, _ in numbers[:3])
    if value.startswith("hsl"):
        red, green, blue = hls_to_rgb(one / 360 % 1, min(three, 100) / 100, min(two, 100) / 100)
        return round(red * 255), round(green * 255), round(blue * 255)
    red, green, blue = (min(n * (2.55 if unit == "%" else 1), 255) for n, unit in numbers[:3])
    return round(red), round(green), round(blue)
