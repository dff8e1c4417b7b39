"""Classes of characters in every script, as one lookup table."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint16]
    Classes = NDArray[np.uint8]

INK: Final = 1
"""Anything but white space."""
WIDE: Final = 2
"""Ideographs, kana and Hangul: one of them says as much as two or three letters."""
STOP: Final = 4
"""Ends a sentence whatever follows."""
PAUSE: Final = 8
"""Commas, semicolons and the like: seldom in menus, common in prose."""
CLOSING: Final = 16
"""Quotation marks and brackets that may stand between a full stop and the space after it."""
UNMARKED: Final = 32
"""Thai and Lao, written without marks between sentences."""
CURRENCY: Final = 64
"""$, €, ￥ …"""

SOFT_HYPHEN: Final = "\u00ad"
"""Where a word may be cut at the end of a line. It is shown nowhere else, and no part of a text."""
HAN: Final = r"\u3400-\u9fff"
"""Ideographs, to stand between the brackets of a pattern."""
SPACELESS: Final = rf"{HAN}\u3040-\u30ff\uac00-\ud7af"
"""Ideographs, kana and Hangul, to stand between the brackets of a pattern."""
FIRST_WIDE: Final = 0x2E80
"""Code points from here on are nearly all ideographs, kana, Hangul and full-width marks."""
HAN_LETTER: Final = re.compile(f"[{HAN}]")
SPACELESS_LETTER: Final = re.compile(f"[{SPACELESS}]")
HAN_DIGITS: Final = {char: number for number, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0, "元": 1}
"""Chinese numerals below ten, with the sign of an era's first year."""

STOPS: Final = "。！？｡．…‽!?؟۔।॥።፧།༎။៕᙮"
"""What ends a sentence whatever follows, in any script."""
_PAUSES: Final = "，、；,;،؛፣፤၊៖"
_CLOSING: Final = "\"')]}»«“”’‘」』）】"
_WIDE_RANGES: Final = (
    (0x1100, 0x11FF), (0x3041, 0x30FF), (0x3131, 0x318E), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3), (0xF900, 0xFAFF),
)  # fmt: skip
_CURRENCY_RANGES: Final = (
    (0x24, 0x24), (0xA2, 0xA5), (0x58F, 0x58F), (0x60B, 0x60B), (0x7FE, 0x7FF), (0x9F2, 0x9F3), (0x9FB, 0x9FB),
    (0xAF1, 0xAF1), (0xBF9, 0xBF9), (0xE3F, 0xE3F), (0x17DB, 0x17DB), (0x20A0, 0x20C0), (0xA838, 0xA838),
    (0xFDFC, 0xFDFC), (0xFE69, 0xFE69), (0xFF04, 0xFF04), (0xFFE0, 0xFFE1), (0xFFE5, 0xFFE6),
)  # fmt: skip
"""Unicode's category Sc: to ask for each character's takes longer than all else when the module is loaded."""
BEYOND: Final = 0xFFFF
"""Stands for all characters beyond the basic plane. Read as ideographs: most of those in pages are, or emoji."""


def _table() -> Classes:
    table = np.full(BEYOND + 1, INK, dtype=np.uint8)
    table[0] = 0
    for code in range(0x3001):
        if chr(code).isspace():
            table[code] = 0
    for ranges, flag in ((_WIDE_RANGES, WIDE), (_CURRENCY_RANGES, CURRENCY)):
        for first, last in ranges:
            table[first : last + 1] |= flag
    table[0x0E01:0x0EFF] |= UNMARKED
    for characters, flag in ((STOPS, STOP), (_PAUSES, PAUSE), (_CLOSING, CLOSING)):
        table[[ord(character) for character in characters]] |= flag
    return table


_CLASSES: Final = _table()


def codes_of(text: str) -> Codes:
    """Return the characters of ``text`` as numbers; ``BEYOND`` for each beyond the basic plane."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.minimum(codes, BEYOND).astype(np.uint16)


def character_classes(codes: Codes) -> Classes:
    """Return the flags of every character; a ``.`` is a ``STOP`` where white space or the end follows.

    >>> [bool(flags & STOP) for flags in character_classes(codes_of("3.5 m. "))]
    [False, False, False, False, False, True, False]
    """
    classes = _CLASSES.take(codes)
    dots = (codes == ord(".")).nonzero()[0]
    if len(dots):
        after = np.append(classes, np.zeros(2, dtype=np.uint8))
        follower = after[dots + 1]
        follower = np.where(follower & CLOSING, after[dots + 2], follower)
        classes[dots[follower & INK == 0]] |= STOP
    return classes


def is_wide_among(codes: Codes) -> NDArray[np.bool_]:
    """Tell of each character whether it is ``WIDE``."""
    return _IS_WIDE.take(codes)


_IS_WIDE: Final = _CLASSES & WIDE > 0


@cache
def _of_categories(*categories: str) -> NDArray[np.bool_]:
    """Tell of each character whether it is of Unicode's general categories; worked out when first asked for."""
    return np.array([unicodedata.category(chr(code)) in categories for code in range(BEYOND)] + [False])


_BEFORE, _AFTER = (np.array(places) for places in ([-2, -1], [1, 2]))
"""Places of a number's next digit: a space, or the end of an element, may stand between it and the sign."""


MAX_SIGNS: Final = 100_000
"""Currency signs of a page that are looked up; if there are more, all characters count as such: no text has them."""


def of_money(codes: Codes, classes: Classes, at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which characters are currency signs of a price: beside a number, or the last of their line.

    A shell's prompt, or the mark of a variable, is none.

    :param at: where each line begins in ``codes``, and where the last one ends.

    >>> codes = codes_of("5 €, US$5, $ ls -n 3 $PATH")
    >>> int(of_money(codes, character_classes(codes), np.array([0, len(codes)])).sum())
    2
    """
    found = classes & CURRENCY > 0
    signs = found.nonzero()[0]
    if len(signs) > MAX_SIGNS:
        return found
    line = np.searchsorted(at, signs, side="right") - 1
    before, after = signs[:, None] + _BEFORE, signs[:, None] + _AFTER
    precedes, follows = before >= at[line][:, None], after < at[line + 1][:, None]
    next_codes = codes.take(np.minimum(after, len(codes) - 1))
    behind = (precedes & _of_categories("Nd").take(codes.take(np.maximum(before, 0)))).any(axis=1)
    behind &= ~(follows[:, 0] & _of_categories("Lu", "Ll").take(next_codes[:, 0]))
    ahead = (follows & _of_categories("Nd").take(next_codes)).any(axis=1)
    is_last = ~(follows & (classes.take(np.minimum(after, len(codes) - 1)) & INK > 0)).any(axis=1)
    found[signs] = ahead | behind | is_last
    return found


def han_number(numeral: str) -> int:
    """Return a number up to 99.

    >>> han_number("十二"), han_number("二十"), han_number("五")
    (12, 20, 5)
    """
    tens, has_ten, ones = numeral.rpartition("十")
    if not has_ten:
        return int("".join(str(HAN_DIGITS[char]) for char in numeral))
    return (HAN_DIGITS.get(tens, 1) if tens else 1) * 10 + HAN_DIGITS.get(ones, 0)
