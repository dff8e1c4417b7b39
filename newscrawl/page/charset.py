"""Bytes of a page → text: which charset they are in, whatever the server and the page claim.

Claims (byte order mark, HTTP header, ``meta``) are checked against the bytes. Valid UTF-8 is UTF-8; another claim
holds if the bytes decode without an error and read like text; otherwise the claims compete with the common charsets of
news sites, by errors and by plausibility (``newscrawl.page.charset``).
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from w3lib.encoding import http_content_type_encoding, resolve_encoding

from newscrawl.page.letters import FITS, charset_of_letters, named_languages

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Characters looked at; a title is enough to tell most charsets apart.
MAX_CHARS = 200

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
        is_inside = any(char.isascii() and char.isalpha() for char in (before, after))
        total += _run_weight(run, inside_word=is_inside, after_small=before.islower())
        n += len(run)
        if n >= MAX_CHARS:
            break
    return total / n if n else 1.0


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


#: How far into the page a declaration is looked for. Browsers read 1,024 bytes; old portals put scripts before it.
PRESCAN_BYTES = 4096
#: Bytes, counted from the first that is not ASCII, on which claims are checked and candidates compete.
SAMPLE_BYTES = 16384
#: Bytes of those that candidates are scored on.
SCORED_BYTES = 4096
#: A claim that decodes without error holds at or above this plausibility; mojibake is below.
CLAIM_PLAUSIBILITY = 0.5
#: Head start of a claim over a charset that nobody named.
CLAIM_BONUS = 0.4
#: What one undecodable place in a hundred characters costs.
ERROR_COST = 0.2
#: Cost of undecodable places from which a text is not looked at: no plausibility makes up for it.
MAX_ERRORS = 3.0

#: Share of control characters above which the first bytes are not text. NUL is not counted: good pages hold it.
MAX_CONTROLS = 0.01

#: The charsets of two bytes a character, the more common first: a tie goes to the earlier.
COMMON = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")

#: Charsets a page may be in (WHATWG Encoding Standard, §4.2); codecs such as utf-7 or rot13 are not.
_WEB = frozenset(
    "utf-8 utf-16-le utf-16-be utf-32-le utf-32-be gb18030 hz big5hkscs cp950 cp932 euc_jp euc_jis_2004 iso2022_jp "
    "cp949 johab koi8-r koi8-u mac-roman mac-cyrillic cp866 cp874 tis-620 "
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859-2 iso8859-3 iso8859-4 iso8859-5 "
    "iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16".split()
)
_MULTIBYTE = frozenset(["gb18030", "big5hkscs", "cp950", "cp932", "euc_jp", "cp949"])
_ALIASES = {
    "utf-16": "utf-16-le",
    "utf-32": "utf-32-le",
    "utf8mb4": "utf-8",
    "x-gbk": "gb18030",
    "x-x-big5": "big5hkscs",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

#: It is looked for in small letters: a search without case tries each byte.
_META = re.compile(rb"<meta\s[^>]{0,500}?charset\s*=\s*+(?:[\"']\s*+)?([\w:.-]+)")
_XML = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']\s*([\w:.-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_CONTROLS = bytes([*range(1, 8), 0xB, *range(0xE, 0x1B), *range(0x1C, 0x20), 0x7F])
_HIGH = re.compile(rb"[\x80-\xff]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]{2}")
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]")


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodingDecision:
    encoding: str
    """Python codec name: ``utf-8``, ``gb18030``, ``cp1252`` …"""
    source: str
    """``bom``, ``http``, ``meta``; ``validity`` (nobody said so, but it is UTF-8), ``detector``, ``scored``;
    ``default`` for plain ASCII."""
    is_exact: bool = field(default=False, compare=False)
    """True if the page is known to be valid UTF-8, but for a last character that may be cut."""


def decode(body: bytes, content_type: str | None = None, url: str | None = None) -> tuple[str, EncodingDecision]:
    """Return the text of a page and how it was decoded; broken places become U+FFFD, a byte order mark U+FEFF."""
    decision = decide_encoding(body, content_type, url)
    return body.decode(decision.encoding, errors="replace"), decision


def decide_encoding(body: bytes, content_type: str | None = None, url: str | None = None) -> EncodingDecision:
    """Name the charset of a page's bytes.

    :param content_type: the HTTP header of that name, if there was one.
    :param url: the page's address: the country of its host speaks for a language where nothing is declared.

    >>> decide_encoding("标题与正文".encode("gb18030"), "text/html; charset=iso-8859-1").encoding
    'gb18030'
    >>> decide_encoding(b"plain").encoding
    'utf-8'
    """
    wide = _wide(body)
    if wide:
        return wide
    claims = dict(_claims(body, content_type))
    if body.isascii():
        return _ascii(body, claims)
    with suppress(UnicodeDecodeError):
        codecs.utf_8_decode(body, "strict", False)  # noqa: FBT003 (positional only): the last character may be cut
        return EncodingDecision(encoding="utf-8", source=claims.get("utf-8", "validity"), is_exact=True)
    for encoding, source in claims.items():
        if _holds(body, encoding):
            return EncodingDecision(encoding=encoding, source=source)
    return _best(body, claims, url)


def is_binary(body: bytes, decision: EncodingDecision) -> bool:
    """True for bytes that are no text in any charset: more than a few control characters that no page holds."""
    if decision.encoding.startswith(("utf-16", "utf-32")):
        return False
    head = body[:PRESCAN_BYTES]
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) * MAX_CONTROLS


def _wide(body: bytes) -> EncodingDecision | None:
    """UTF-16 or UTF-32: by its mark, or because the first ``<`` is two or four bytes wide."""
    for mark, encoding in _BOMS[1:]:
        if body.startswith(mark):
            return EncodingDecision(encoding=encoding, source="bom")
    start = body[:64].lstrip(b" \t\r\n")
    for prefix, encoding in ((b"<\0\0\0", "utf-32-le"), (b"\0\0\0<\0\0\0", "utf-32-be")):
        if start.startswith(prefix):
            return EncodingDecision(encoding=encoding, source="detector")
    for prefix, encoding in ((b"<\0", "utf-16-le"), (b"\0<\0", "utf-16-be")):
        if start.startswith(prefix) and b"\0\0" not in start[:8]:
            return EncodingDecision(encoding=encoding, source="detector")
    return None


def _claims(body: bytes, content_type: str | None) -> Iterator[tuple[str, str]]:
    """``(codec, source)`` of each charset declared, the strongest declaration first."""
    head = body[:PRESCAN_BYTES]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    found: list[tuple[str | None, str]] = []
    if body.startswith(codecs.BOM_UTF8):
        found.append(("utf-8", "bom"))
    if content_type:
        found.append((_codec(http_content_type_encoding(content_type) or ""), "http"))
    for match in (_META.search(head.lower()), _XML.match(head)):
        if match:
            label = _codec(match.group(1).decode("ascii", "replace"))
            # A declaration that could be read as ASCII does not stand in UTF-16.
            found.append(("utf-8" if label and label.startswith("utf-16") else label, "meta"))
    seen: set[str] = set()
    for codec, source in found:
        if codec and codec not in seen:
            seen.add(codec)
            yield codec, source


@lru_cache(maxsize=256)
def _codec(label: str) -> str | None:
    """Codec that browsers use for a label: gb2312 → gb18030, latin-1 → cp1252 …; None for what is no web charset."""
    label = label.strip().lower()
    try:
        name = resolve_encoding(_ALIASES.get(label, label))
    except (ValueError, UnicodeError):
        return None
    return name if name in _WEB else None


def _ascii(body: bytes, claims: dict[str, str]) -> EncodingDecision:
    if _ISO_2022_JP.search(body):
        return EncodingDecision(encoding="iso2022_jp", source=claims.get("iso2022_jp", "detector"))
    if "hz" in claims and b"~{" in body:
        return EncodingDecision(encoding="hz", source=claims["hz"])
    return EncodingDecision(encoding="utf-8", source=claims.get("utf-8", "default"), is_exact=True)


def _holds(body: bytes, encoding: str) -> bool:
    """Whether a claim is to be believed: no errors and like text, or UTF-8 with a slip."""
    if encoding == "utf-8":
        return _is_nearly_utf8(body, declared=True)
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(_sample(body))
    except UnicodeDecodeError:
        return False
    return plausibility(text) >= CLAIM_PLAUSIBILITY


def _is_nearly_utf8(body: bytes, *, declared: bool) -> bool:
    """UTF-8 with broken places: at most one in ten, or, where it is declared, one or two lone bytes in ASCII."""
    text = body.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(map(len, re.findall(r"[^\x00-\x7f\ufffd]+", text)))
    return bad <= good / 10 or (declared and bad <= 2 and not _HIGH_RUN.search(body))


def _sample(body: bytes) -> bytes:
    """The part to compete on: from just before the first byte that is not ASCII, which starts a character."""
    first = _HIGH.search(body)
    start = max(0, first.start() - 8) if first else 0
    return body[start : start + SAMPLE_BYTES]


def _best(body: bytes, claims: dict[str, str], url: str | None) -> EncodingDecision:
    """Return the charset that fits best: that of a language which the page names, if the bytes are its letters."""
    if _is_nearly_utf8(body, declared=False):
        return EncodingDecision(encoding="utf-8", source="validity")
    sample = _sample(body)
    named = named_languages(body, url)
    fitting, weight = charset_of_letters(sample, named)
    if weight >= FITS:
        return EncodingDecision(encoding=fitting, source=claims.get(fitting, "scored"))
    sources = dict(claims)
    scripts = (charset_of_letters(sample, named, latin=latin)[0] for latin in (True, False))
    for encoding in (*scripts, *COMMON):
        sources.setdefault(encoding, "scored")
    best = max(sources, key=lambda encoding: _score(sample, encoding, claims))
    return EncodingDecision(encoding=best, source=sources[best])


def _score(sample: bytes, encoding: str, claims: dict[str, str]) -> float:
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample[:SCORED_BYTES])
    foreign = max(1, len(text) - len(text.encode("ascii", "ignore")))
    errors = ERROR_COST * 100 * text.count("\ufffd") / foreign
    bonus = CLAIM_BONUS if encoding in claims else 0.0
    return (plausibility(text) if errors < MAX_ERRORS else 0.0) - errors + bonus
