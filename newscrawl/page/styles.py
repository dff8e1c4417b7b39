"""Style declarations by which nobody sees a text, cheap ones alone: no layout is made."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from enum import Enum, auto
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    Style = Mapping[str, str]

MAX_CSS: Final = 200_000
"""Characters of a page's style sheets that are looked through."""
FAR: Final = 500.0
"""Pixels by which a text is moved off the screen."""
FAR_AHEAD: Final = 5_000.0
"""Pixels by which a text is moved past the right edge."""
FAINT: Final = 0.05
"""Opacity below which nothing is seen."""
BLURRED: Final = 20.0
"""Pixels of blur behind which no letter is told from another."""
TINY: Final = 2.0
"""Pixels below which letters are none, and a box shows none."""
SAME: Final = 24
"""Difference of two colours, in each of red, green and blue, that nobody sees."""
_SHARES: Final = ("%", "vw", "vh", "vmin", "vmax", "dvw", "dvh", "svh", "lvh")
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
    | dict.fromkeys(_SHARES, 9)
)
"""Unit → pixels; a share of the screen is one of 900 pixels."""
_LENGTH: Final = re.compile(r"([-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[-+]?\d{1,3})?)([a-z%]{0,9})")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_NOTHING: Final = re.compile(
    r"^(?:circle|ellipse)\(0(?:\D|$)|^inset\((?:[5-9]\d|\d{3,}|[^)]{1,30}\b100%)|^(?:polygon|rect|xywh)\((?:0[a-z%]*[\s,)]*)+$"
)
_SHRUNK: Final = re.compile(
    r"(?:scale(?:3d|x|y)?\(|^)[\s,]*0?\.?0*\s*[,)\s]|^0?\.?0+$|rotate[xy]\(\s*-?90deg|matrix\(\s*+0?\.?0*+\s*+,\s*+0\D"
    r"|rotate3d\((?:1,\s*0|0,\s*1),\s*0,\s*-?90deg"
)
_ROTATED: Final = re.compile(r"([xy])\s+(-?\d{1,4}deg)")
_MOVED: Final = re.compile(r"translate(?:3d|x|y|z)?\(([^)]{0,60})\)")
_MATRIX: Final = re.compile(r"matrix\(([^)]{0,90})\)")
_COLOUR: Final = re.compile(r"#[0-9a-f]{3,8}|(?:rgb|hsl|hwb|ok|l|color)[a-z]{0,5}\([^)]{0,60}\)|\b[a-z]{1,30}\b")
_NAMED: Final[Mapping[str, str]] = MappingProxyType(
    {"black": "#000000", "gray": "#808080", "grey": "#808080", "red": "#ff0000", "transparent": "#00000000"}
    | dict.fromkeys("white snow ivory mintcream azure ghostwhite floralwhite".split(), "#ffffff")
    | dict.fromkeys("whitesmoke aliceblue seashell honeydew".split(), "#f5f5f5")
)
_NO_COLOUR: Final = {"", "none", "transparent", "inherit", "initial", "unset", "0", "0 0"}
_CALCULATED: Final = re.compile(r"(calc|min|max|clamp)\(([^()]{1,80})\)")
MAX_NESTED: Final = 4
"""Depth of functions that are calculated, and of custom properties that name others."""
CUSTOM: Final = re.compile(r"(?<![\w-])(--[\w-]{1,60}):\s*([^;{}]{1,60})")
_VAR: Final = re.compile(r"var\(\s*(--[\w-]{1,60})\s*(?:,\s*([^()]{0,60}))?\)")


MAY_HIDE: Final = re.compile(
    r":(?:(?<=display:)none|(?<=visibility:)(?:hidden|coll|[^;}]*hidden)|-\d{3}|rect\(|inset|circle|ellipse|poly"
    r"|matrix|translate(?=[^;}]{0,60}\d{3})|scale(?:3d|x|y)?\(\s*0?\.?0*[,)\s]|rotate(?:[xy]|3d)|blur|(?:(?<=filter:)|(?<=form:))[^;}]*(?:opacity|rotate|scale|tran)"
    r"|(?:(?<=[;{\sx]height:)|(?<=^height:)|(?<=[x-]height:)(?<!line-height:)|(?<=width:)|(?<=size:)|(?<=opacity:)|(?<=font:)|(?<=scale:))"
    r"(?:0|1p|\.0?\d?[\spe;%}]|\.0|calc|m(?:ax|in)\(|clamp)|(?<=size:)(?:1;|1}|\.)"
    r"|(?<=left:)(?:\d{4}|calc)|(?<=indent:)(?:-|100%|calc)|(?<=index:)-|(?<=rotate:)[xy]|(?<=spacing:)-\d\d"
    r"|(?:(?<=mask:)|(?<=image:))linear|(?<=^color:)#|(?:(?<=[;{\s]color:)|(?<=l-color:)|(?<=^color:))"
    r"(?:#f|#[0-9a-f]{3}0(?![0-9a-f])|#[0-9a-f]{6}0|white|snow|ivory|mint|azure|ghost|floral|alice|seash|honey|transp|rgb|hsl|hwb|col|ok|la))"
)
"""What may hide, in a cleaned sheet: every alternative begins with a colon, which makes the pattern fast."""


def clean_css(css: str) -> str:
    """Return CSS in lower case without comments and escapes, with single blanks, and none around colons."""
    css = css.lower()
    css = _COMMENT.sub("", css) if "/*" in css else css
    css = _ESCAPE.sub(_unescaped, css) if "\\" in css else css
    return _BLANK_BEFORE.sub(":", " ".join(css.split())).replace(": ", ":")


_BLANK_BEFORE: Final = re.compile(r" :(?!(?:is|where|matches|-webkit-any|root)\b)")


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else ord(match[2])
    return chr(code).lower() if 0 < code < 0x110000 else ""


def declarations(css: str, *, important: bool = False) -> dict[str, str]:
    """Return property → value of a cleaned block, without ``!important``, which wins.

    :param important: whether to return what has that mark alone.
    """
    found: dict[str, str] = {}
    strong: dict[str, str] = {}
    for part in css.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            value, mark, _ = value.partition("!")
            (strong if mark else found)[name.strip()] = calculated(value.strip())
    return strong if important else {**found, **strong}


@lru_cache(maxsize=4096)
def inline_style(style: str) -> Style:
    """Return what an element's ``style`` declares."""
    css = clean_css(style)
    return MappingProxyType(declarations(with_customs(css, customs(css)) if "var(" in css else css))


def customs(css: str) -> dict[str, str]:
    """Return the custom properties that cleaned CSS declares; ``""`` for one with several values."""
    found: dict[str, str] = {}
    for name, text in CUSTOM.findall(css):
        value = text.partition("!")[0].strip()
        found[name] = value if found.get(name, value) == value else ""
    return found


def with_customs(css: str, values: Mapping[str, str]) -> str:
    """Return CSS with the values of custom properties in the place of their names, where there is one."""
    for _ in range(MAX_NESTED):
        before, css = css, _VAR.sub(lambda match: values.get(match[1], match[2]) or match[0], css)
        if css == before or len(css) > 2 * MAX_CSS:
            return before
    return css


def calculated(value: str) -> str:
    """Return a value with what ``calc()`` and its like come to, where that can be told without a layout.

    >>> calculated("calc(-1 * 9999px)"), calculated("clamp(0px, 1vw, 0px)"), calculated("calc(100% - 900px)")
    ('-9999px', '0px', 'calc(100% - 900px)')
    """
    for _ in range(MAX_NESTED):
        if "(" not in value or not (match := _CALCULATED.search(value)):
            return value
        sums = [_sum(part.strip()) for part in match[2].split(",")]
        found = [one for one in sums if one is not None]
        if len(found) < len(sums) or len(sums) != _ARGUMENTS.get(match[1], len(sums)):
            return value
        (low, unit), *_ = found
        lengths = [length for length, _ in found]
        if match[1] == "clamp":
            low = max(low, min(lengths[1:]))
        elif match[1] != "calc":
            low = min(lengths) if match[1] == "min" else max(lengths)
        value = f"{value[: match.start()]}{low:g}{unit}{value[match.end() :]}"
    return value


_ARGUMENTS: Final = MappingProxyType({"calc": 1, "clamp": 3})


def _sum(text: str) -> tuple[float, str] | None:
    """Return what a sum of products comes to, in pixels; None where shares of a size are taken from each other."""
    total, units, signs = 0.0, set(), set()
    terms = ["+", *re.split(r"\s([+-])\s", text)]
    for sign, term in zip(terms[::2], terms[1::2], strict=True):
        product = -1.0 if sign == "-" else 1.0
        factors = ["*", *re.split(r"([*/])", term)]
        for operator, factor in zip(factors[::2], factors[1::2], strict=True):
            match = _LENGTH.fullmatch(factor.strip())
            if match is None or match[2] not in _PIXELS or (operator == "/" and not float(match[1])):
                return None
            product *= (float(match[1]) * _PIXELS[match[2]]) ** (-1 if operator == "/" else 1)
            units.add(match[2])
        total += product
        signs.add(product > 0)
    if not units or (len(signs) > 1 and not units.isdisjoint(_SHARES)):
        return None
    return total, "px" if units != {""} else ""


@lru_cache(maxsize=4096)
def may_hide(style: str) -> bool:
    """Tell whether an element's ``style`` is worth reading: it may hide."""
    css = clean_css(style)
    return "var(" in css or MAY_HIDE.search(css) is not None or ("background" in css and "color" in css)


@lru_cache(maxsize=8192)
def selector_names(classes: str, identity: str | None = None) -> frozenset[str]:
    """Return classes and id of an element as selectors write them, in lower case."""
    names = [f".{name}" for name in classes.lower().split()]
    return frozenset([*names, f"#{identity.lower()}"] if identity else names)


class Hiding(Enum):
    """How a style hides an element."""

    GONE = auto()
    """It takes no part in the page: what may be opened by a click, or by a script, too."""
    UNDRAWN = auto()
    """It is not drawn, though what stands below it may be."""
    UNSEEN = auto()
    """It is drawn so that nobody sees it."""
    SIZELESS = auto()
    """Its letters have no size: what stands below may give them one again."""


def hiding(style: Style) -> Hiding | None:
    """Return how a style hides an element; None where it does not. What moves is seen: a script reveals it."""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return Hiding.GONE
    if style.get("visibility") in {"hidden", "collapse"}:
        return Hiding.UNDRAWN
    is_drawn = not style.keys().isdisjoint(_DRAWING) and all(style[name] in _STILL for name in style.keys() & _MOVING)
    if is_drawn and any(test(style) for test in (_is_faint, _is_off_screen, _is_clipped, _is_shrunk, _is_masked)):
        return Hiding.UNSEEN
    size = style.get("font-size", "")
    if "font" in style and not size:
        size = next((word for word in style["font"].replace("/", " ").split() if word[0] in "0123456789.+"), "")
    return Hiding.SIZELESS if size and (pixels := _pixels(size)) is not None and abs(pixels) < TINY else None


_DRAWING: Final = frozenset(
    "opacity filter position margin margin-left margin-top margin-right transform translate text-indent clip clip-path "
    "-webkit-clip-path scale overflow overflow-x overflow-y contain rotate letter-spacing mask mask-image -webkit-mask "
    "-webkit-mask-image".split()
)
_STILL: Final = {"none", "0s", "auto", "initial", "unset"}
_MOVING: Final = {"transition", "animation", "animation-name", "transition-property", "will-change"}


def _is_faint(style: Style) -> bool:
    opacity = style.get("opacity") or style.get("filter", "").partition("opacity(")[2]
    blur = _LENGTH.match(style.get("filter", "").partition("blur(")[2])
    if blur is not None and float(blur[1]) * _PIXELS.get(blur[2], 0) > BLURRED:
        return True
    match = _LENGTH.match(opacity)
    return match is not None and float(match[1]) / (100 if match[2] == "%" else 1) < FAINT


def _is_off_screen(style: Style) -> bool:
    moved = [style[name] for name in _MARGINS & style.keys()]
    if style.get("position", "static") in {"absolute", "fixed", "relative", "sticky"}:
        moved += [style[name] for name in _SIDES & style.keys()]
        if "%" not in style.get("left", "%") and (_pixels(style["left"]) or 0) >= FAR_AHEAD:
            return True
        if (_pixels(style.get("z-index", "")) or 0) < 0:
            return True
    for transform in (style.get("transform", ""), f"translate({style.get('translate', '')})"):
        # a share is one of the element's own size
        steps = [values.replace(",", " ").replace("%", "px") for values in _MOVED.findall(transform)]
        if any((_pixels(step.partition(" ")[0]) or 0) >= FAR_AHEAD for step in steps):
            return True
        moved += steps + [" ".join(values.split(",")[4:]) for values in _MATRIX.findall(transform)]
    moved += [style.get("text-indent", ""), style.get("letter-spacing", "")]
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
    turned = style.get("transform", "") + _ROTATED.sub(r"rotate\1(\2)", style.get("rotate", ""))
    if _SHRUNK.search(turned) or _SHRUNK.search(style.get("scale", "-")):
        return True
    overflow = {word for name in style.keys() & _OVERFLOW for word in style[name].split()}
    if not overflow & {"hidden", "clip"}:
        return False
    sizes = (_pixels(style[name].split()[0]) for name in style.keys() & _BOX if style[name])
    if any(size is not None and size < TINY for size in sizes):
        return True
    return style.get("text-indent") == "100%" and style.get("white-space") == "nowrap"


def _is_masked(style: Style) -> bool:
    """Tell whether an element is seen through a mask that lets nothing through."""
    mask = next((style[name] for name in _MASKS if name in style), "")
    colours = _COLOUR.findall(mask.partition("gradient(")[2])
    return bool(colours) and all(_colour(word) is True for word in colours if word not in {"to", *_SIDES})


_MASKS: Final = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")


_OVERFLOW: Final = frozenset(("overflow", "overflow-x", "overflow-y", "contain"))
_BOX: Final = frozenset(("height", "max-height", "width", "max-width", "block-size", "max-block-size", "inline-size"))


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
    has_edge = style.keys() & _EDGES and any(style.get(name, "none") not in {"none", "0"} for name in _EDGES)
    return None if has_edge else _colour(value)


_EDGES: Final = ("text-shadow", "-webkit-text-stroke")


def background(style: Style) -> Colour | bool | None:
    """Return the colour behind letters; True for one that is not known, None where none is stated."""
    if "background-image" in style and style["background-image"] not in _NO_COLOUR:
        return True
    value = style.get("background-color") or style.get("background") or ""
    if value in _NO_COLOUR:
        return None
    if "url(" in value or "gradient" in value:
        return True
    found = next((colour for word in _COLOUR.findall(value) if (colour := _colour(word)) is not None), True)
    return None if found is True and _colour(value) is True else found


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
    if value.startswith("color-mix("):
        _, *mixed = (_colour(word) for word in _COLOUR.findall(value.partition("(")[2]))
        known = [one for one in mixed if one is not None]
        return known[0] if known and all(one == known[0] for one in known) else None
    return _of_numbers(value) if value.startswith(_FUNCTIONS) else None


_FUNCTIONS: Final = ("rgb", "hsl", "hwb", "lab", "lch", "oklab", "oklch", "color(")


def _of_numbers(value: str) -> Colour | bool | None:
    numbers = [(float(n), unit) for n, unit in _LENGTH.findall(value)]
    if len(numbers) > 3 and numbers[3][0] / (100 if numbers[3][1] else 1) < FAINT:
        return True
    if len(numbers) < 3:
        return None
    one, two, three = (number for number, _ in numbers[:3])
    if value.startswith(("lab", "lch", "ok")):  # of these, white and black alone
        light = one * (1 if numbers[0][1] or value[0] == "l" else 100)
        return (255, 255, 255) if light >= 98 else (0, 0, 0) if light <= 2 else None
    if value.startswith("hwb"):
        return (255, 255, 255) if two >= 98 else (0, 0, 0) if three >= 98 else None
    if value.startswith("color("):
        numbers = [(n * (1 if unit else 255), unit) for n, unit in numbers]
    if value.startswith("hsl"):
        red, green, blue = hls_to_rgb(one / 360 % 1, min(three, 100) / 100, min(two, 100) / 100)
        return round(red * 255), round(green * 255), round(blue * 255)
    red, green, blue = (min(n * (2.55 if unit == "%" else 1), 255) for n, unit in numbers[:3])
    return round(red), round(green), round(blue)
