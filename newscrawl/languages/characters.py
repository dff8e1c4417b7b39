"""Classes of characters in every script, as lookup tables; texts of strangers made plain by them.

Characters that no reader sees are left out, and marks do not pile up without end.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cache
from itertools import chain, compress, groupby
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint16]
    Classes = NDArray[np.uint8]
    from numpy.typing import NDArray


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


MAX_MARKS: Final = 30
"""Marks on one letter: as many as Unicode's Stream-Safe Text Format (UAX #15, §13) lets follow each other."""
UNCHECKED: Final = 500
"""Characters of a text that is normalised without a look at its marks: it costs half a millisecond at most."""
MAX_NORMALIZED: Final = 2**22
"""Characters of a text that are brought into a normal form; those behind them are left out."""


def normalize(text: str, form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> str:
    """Return ``text`` in a normal form of Unicode; of a pile of marks the first ``MAX_MARKS`` are kept.

    To put marks in order takes a time quadratic in their number, in one call that nothing interrupts.

    >>> len(normalize("a" + "\u0301\u0316" * 1_000, "NFKD"))
    31
    """
    if len(text) > UNCHECKED:
        text = text[:MAX_NORMALIZED]
        text = _unpiled(text) if _is_piled(_flags_of(text)) else text
    return unicodedata.normalize(form, text)


def plain(text: str) -> str:
    r"""Return ``text`` without controls and characters that no reader sees, and with at most ``MAX_MARKS`` on a letter.

    Tab and newline stay. So does one character without width where a script or a picture needs it: a joiner between
    letters of Persian or Hindi, the selector of an emoji, the mark beside a word of Hebrew.

    >>> plain("The\u200b\u200c council\U000e0041 \x1b[31mmet\r\n"), plain("\u0645\u06cc\u200c\u0631")
    ('The council [31mmet\n', 'می\u200cر')
    """
    if text.isascii() and (text.isprintable() or not _ODD_ASCII.search(text)):
        return text
    text = text.replace("\r\n", "\n")
    flags = _flags_of(text)
    found = int(np.bitwise_or.reduce(flags))
    if found & _UNSEEN:
        text = _without_unseen(text, flags)
        flags = _flags_of(text) if found & _MARK else flags
    return _unpiled(text) if found & _MARK and _is_piled(flags) else text


def decoded(text: str) -> str:
    """Return ``text`` without entities that were escaped twice; those of ``<`` and ``>`` stay, as pages show them.

    >>> decoded("Costs of &pound;340, Tom &amp; Anna&#8217;s, &lt;p&gt;")
    'Costs of £340, Tom & Anna’s, &lt;p&gt;'
    """
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


_ENTITY: Final = re.compile(
    r"&(?!lt;|gt;|#6[02];|#x3[ce];)(?:[a-z]\w{1,8}|#\d{2,6}|#x[\da-f]{2,6});", re.ASCII | re.IGNORECASE
)
_ODD_ASCII: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LINE_ENDS: Final = "\r\x85"
_SPACES: Final = "\x0b\x0c\x1c\x1d\x1e\x1f\u2800"
"""Controls that are white space, and the cell of Braille without dots."""


def _flags_of(text: str) -> NDArray[np.uint8]:
    return _unseen_table().take(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32))


def _is_piled(flags: NDArray[np.uint8]) -> bool:
    marks = (flags & _MARK).nonzero()[0]
    return len(marks) > MAX_MARKS and bool((marks[MAX_MARKS:] - marks[:-MAX_MARKS] == MAX_MARKS).any())


def _unpiled(text: str) -> str:
    return _pile().sub(r"\1", text)


@cache
def _pile() -> re.Pattern[str]:
    return re.compile(f"([{nonstarters()}]{{{MAX_MARKS}}})[{nonstarters()}]+")


@cache
def nonstarters() -> str:
    """Return the marks, and what decomposes into them, as ranges to stand between the brackets of a pattern."""
    found = sorted(map(ord, (*filter(unicodedata.combining, map(chr, chain(*_WITH_MARKS))), *_OF_MARKS)))
    runs = ([code for _, code in run] for _, run in groupby(enumerate(found), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


_WITH_MARKS: Final = (range(0x300, 0x3400), range(0xA600, 0xAC00), range(0xFB00, 0x17000), range(0x1BC00, 0x1F000))
"""Characters that are no ideographs, syllables of Hangul, private ones or pictures."""
_OF_MARKS: Final = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""What is no mark, and decomposes into some."""


MAX_RUNS: Final = 20_000
"""Runs of unseen characters that are looked at one by one; of more, none is kept."""
_UNSEEN, _MARK, _JOINING, _PICTURE, _VARIED, _RIGHT_TO_LEFT, _JOINER, _SELECTOR = 1, 2, 4, 8, 16, 32, 64, 128
_SELECTORS: Final = "\ufe00-\ufe0f"
_JOINERS: Final = "\u180b-\u180f\u200b-\u200d"
"""What shapes letters of a script: selectors and separator of Mongolian, joiners."""
_SIDES: Final = "\u061c\u061c\u200e-\u200f"
_PICTURES: Final = "\u2190-\u2bff\u3030\u3030\u303d\u303d\u3297-\u3299\U0001f000-\U0001faff"
"""Arrows, signs and emoji."""
_RANGES: Final = (
    (
        _UNSEEN,
        "\x00-\x08\x0b-\x1f\x7f-\x9f\u034f\u034f\u115f-\u1160\u17b4-\u17b5\u2800\u2800\u2060-\u2064\u206a-\u206f",
    ),
    (
        _UNSEEN,
        "\u3164\u3164\ufdd0-\ufdef\ufeff\ufeff\uffa0\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a",
    ),
    (_UNSEEN, "\ufff0-\ufffb\ufffe-\uffff"),
    (_UNSEEN, "\u202a-\u202e\u2066-\u2069"),  # they show a text in another order than it is written in
    (_UNSEEN, "\U000e0000-\U000e0fff"),  # tags and selectors of rare ideographs: whole sentences can be written so
    # private planes, of which no font but the page's own has a letter; the last 256 are marks of :mod:`.page.rows`
    (_UNSEEN, "\U000f0000-\U0010feff"),
    (_UNSEEN, _SIDES),
    (_UNSEEN | _JOINER, _JOINERS),
    (_UNSEEN | _SELECTOR, _SELECTORS),
    (_JOINING, "\u0600-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010aff"),
    (_JOINING, "\U00011000-\U00011fff\U0001e900-\U0001e95f"),
    (_PICTURE, _PICTURES),
    (_VARIED, "#-#*-*0-9\xa9\xa9\xae\xae\u203c\u203c\u2049\u2049\u2122\u2122\u2139\u2139" + _PICTURES),
    (_VARIED, "\u1000-\u109f\ua840-\ua87f"),
    (_RIGHT_TO_LEFT, "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"),
)
"""Classes of characters as pairs of their first and last."""
_PAIR: Final = re.compile("(.)-?(.)", re.DOTALL)


@cache
def _unseen_table() -> NDArray[np.uint8]:
    """Return for each character the classes that it is of."""
    table = np.zeros(0x110000, dtype=np.uint8)
    for flag, pairs in (*_RANGES, (_MARK, nonstarters())):
        for first, last in _PAIR.findall(pairs):
            table[ord(first) : ord(last) + 1] |= flag
    return table


def _without_unseen(text: str, flags: NDArray[np.uint8]) -> str:
    """Leave out runs of what is unseen, but for one character of each that stands where it is needed."""
    edges = np.diff((flags & _UNSEEN).view(np.int8), prepend=np.int8(0), append=np.int8(0))
    starts, ends = (edges > 0).nonzero()[0], (edges < 0).nonzero()[0]
    before = np.where(starts > 0, flags.take(starts - 1, mode="clip"), 0)
    lone = flags.take(starts)
    is_needed = ((lone & _JOINER) > 0) & ((before & _JOINING) > 0) | ((lone & _SELECTOR) > 0) & ((before & _VARIED) > 0)
    others = ~is_needed | (ends - starts > 1)
    if others.sum() > MAX_RUNS:
        return "".join(compress(text, ((flags & _UNSEEN) == 0).tolist()))
    kept: list[str] = []
    done = 0
    for start, end, left in zip(starts[others].tolist(), ends[others].tolist(), before[others].tolist(), strict=True):
        kept += (text[done:start], _needed(text[start:end], left, int(flags[end]) if end < len(flags) else 0))
        done = end
    return "".join((*kept, text[done:]))


def _needed(run: str, before: int, after: int) -> str:
    """Return what a run is to those who read the characters beside it: of these, the classes are given."""
    first = run[0]
    if first in _SPACES + _LINE_ENDS:
        return " " if first in _SPACES else "\n"
    if "\ufe00" <= first <= "\ufe0f":
        is_joined = run[1:] == "\u200d" and after & _PICTURE
        return (run if is_joined else first) if before & _VARIED else ""
    if first in "\u061c\u200e\u200f":
        return first if (before | after) & _RIGHT_TO_LEFT else ""
    if "\u180b" <= first <= "\u180f":
        return first if before & _JOINING else ""
    if "\u200b" <= first <= "\u200d":
        is_picture = first == "\u200d" and before & _PICTURE and after & _PICTURE
        return first if before & _JOINING or is_picture else ""
    return ""
