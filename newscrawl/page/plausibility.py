"""How much decoded text looks like text: common characters in runs of one script score, mojibake does not."""

from __future__ import annotations

import re
from functools import cache

#: Characters looked at; a title is enough to tell most charsets apart.
MAX_CHARS = 1000

# The most frequent characters of running text, simplified and traditional; facts of the language.
_HANZI = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起"
    "看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体"
    "政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别"
    "打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难"
    "且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运闻网新版编辑责任来源时间作者评论分享查看热点推荐"
    "這個們來為國說時會對後裡過發還進樣開從實無與長機關點業將兩間問並應戰頭體見產話內給門東聲員論處義幾認條係題爾別變總電數報結務場計資統區隊決達強難權"
    "類據邊張該規萬覺術領確傳師觀讓識帶導爭運聞網版編輯責評論點薦"
)
_HANGUL = (
    "이다는을의에가고로하한지를어은사도있자기서대해시그인나수것일리만들스라정부제보전주장아으면과게상여국관위원회조성"
)
_SMALL = "оеаинтсрвлкмдпуαοιετσνηυρ"
_MARKS = "。，、：；？！“”‘’（）《》「」『』【】…—·　・"

_RUN = re.compile(r"[^\x00-\x7f]+")


def plausibility(text: str) -> float:
    """Mean weight of the characters that are not ASCII: about −1 (mojibake) to 2 (text); 1.0 if there are none."""
    total = 0.0
    n = 0
    for match in _RUN.finditer(text):
        run = match.group()
        start, end = match.span()
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        total += _run_weight(run, inside_word=_is_letter(before) or _is_letter(after), after_small=before.islower())
        n += len(run)
        if n >= MAX_CHARS:
            break
    return total / n if n else 1.0


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _run_weight(run: str, *, inside_word: bool, after_small: bool) -> float:
    kinds = [_kind(c) for c in run]
    latin = kinds.count("latin")
    if latin:
        return _latin_weight(run, kinds, latin, after_small=after_small)
    weight = 0.0
    previous = ""
    for char, kind in zip(run, kinds, strict=True):
        weight += _WEIGHTS[kind]
        if kind in ("cyrillic", "common letter", "letter") and inside_word:
            weight -= 1.5  # two alphabets in one word
        elif kind in ("cyrillic", "common letter", "letter") and len(run) == 1:
            weight *= 0.5
        elif kind == "cyrillic" and previous.islower() and char.isupper():
            weight -= 2.0  # KOI8 read as windows-1251 swaps the cases
        previous = char
    if len(run) == 1 and inside_word and kinds[0] in ("hanzi", "common hanzi", "rare hanzi"):
        weight -= 1.0  # one ideograph inside a Western word
    return weight


def _latin_weight(run: str, kinds: list[str], latin: int, *, after_small: bool) -> float:
    """Accented letters stand alone or in pairs between ASCII letters; GBK read as Latin-1 gives long runs."""
    if len(run) >= 3 and latin >= 2:
        return -1.0 * len(run)
    if after_small and run[0].isupper():
        return -1.0 * len(run)  # Ã© for é
    if latin == len(run):
        return 1.5 if latin == 1 else 1.0
    return sum(0.5 if kind in ("latin", "symbol", "mark") else -1.0 for kind in kinds)


_WEIGHTS = {
    "common hanzi": 2.0,
    "common hangul": 2.0,
    "common letter": 1.6,
    "hiragana": 2.2,
    "katakana": 1.6,
    "mark": 1.5,
    "hanzi": 0.9,
    "hangul": 0.9,
    "cyrillic": 0.8,
    "symbol": 0.8,
    "letter": 0.8,
    "rare hanzi": 0.0,
    "other": -0.2,
    "bad": -2.0,
}

_RANGES = (
    (0x80, 0x9F, "bad"),  # C1 controls
    (0xA0, 0xBF, "symbol"),
    (0xC0, 0x24F, "latin"),
    (0x370, 0x3FF, "letter"),
    (0x400, 0x45F, "cyrillic"),
    (0x590, 0x6FF, "letter"),
    (0xE00, 0xE7F, "letter"),
    (0x1E00, 0x1EFF, "latin"),
    (0x2010, 0x2044, "symbol"),
    (0x20AC, 0x20AC, "symbol"),
    (0x2116, 0x2193, "symbol"),
    (0x3041, 0x309F, "hiragana"),
    (0x30A0, 0x30FE, "katakana"),
    (0xE000, 0xF8FF, "bad"),  # private use
    (0xFF01, 0xFF5E, "symbol"),
    (0xFF61, 0xFF9F, "bad"),  # half-width katakana: mojibake in nearly every case
    (0xFFFD, 0xFFFD, "bad"),
)


@cache
def _kind(char: str) -> str:
    special = _table().get(char)
    if special:
        return special
    code = ord(char)
    if 0x3400 <= code <= 0x9FFF or code >= 0x20000:
        return "rare hanzi"
    for low, high, kind in _RANGES:
        if low <= code <= high:
            return kind
    return "other"


@cache
def _table() -> dict[str, str]:
    """Characters of the frequent halves of the national sets, then the most frequent over them."""
    table = dict.fromkeys(_rows("gb2312", 0xB0, 0xD7), "hanzi")
    table |= dict.fromkeys(_rows("big5", 0xA4, 0xC6), "hanzi")
    table |= dict.fromkeys(_rows("euc_jp", 0xB0, 0xCF), "hanzi")
    table |= dict.fromkeys(_rows("euc_kr", 0xB0, 0xC8), "hangul")
    table |= dict.fromkeys(_HANZI, "common hanzi")
    table |= dict.fromkeys(_HANGUL, "common hangul")
    table |= dict.fromkeys(_SMALL, "common letter")
    table |= dict.fromkeys(_MARKS, "mark")
    return table


def _rows(encoding: str, first: int, last: int) -> str:
    trails = bytes([*range(0x40, 0x7F), *range(0xA1, 0xFF)]) if encoding == "big5" else bytes(range(0xA1, 0xFF))
    pairs = (bytes((lead, trail)) for lead in range(first, last + 1) for trail in trails)
    return "".join(pair.decode(encoding, "ignore") for pair in pairs)
