"""Bytes of a page → text: which charset they are in, whatever the server and the page claim.

Claims (byte order mark, HTTP header, ``meta``) are checked against the bytes. Valid UTF-8 is UTF-8; another claim
holds if the bytes decode without an error and read like text; otherwise the claims compete with the common charsets of
news sites, by errors and by plausibility (``newscrawl.page.plausibility``).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from w3lib.encoding import http_content_type_encoding, resolve_encoding

from newscrawl.page.plausibility import plausibility

if TYPE_CHECKING:
    from collections.abc import Iterator

#: How far into the page a declaration is looked for. Browsers read 1,024 bytes; old portals put scripts before it.
PRESCAN_BYTES = 4096
#: Bytes, counted from the first that is not ASCII, on which claims are checked and candidates compete.
SAMPLE_BYTES = 16384
#: A claim that decodes without error holds at or above this plausibility; mojibake is below.
CLAIM_PLAUSIBILITY = 0.5
#: Head start of a claim over a charset that nobody named.
CLAIM_BONUS = 0.4
#: What one undecodable place in a hundred characters costs.
ERROR_COST = 0.2

#: Share of control characters above which the first bytes are not text. NUL is not counted: good pages hold it.
MAX_CONTROLS = 0.01

#: The detectable charsets of news sites, the more common first: a tie goes to the earlier.
COMMON = ("cp1252", "gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1251", "koi8-r", "cp1253")

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

_META = re.compile(rb"<meta\s[^>]{0,500}?charset\s*=\s*+(?:[\"']\s*+)?([\w:.-]+)", re.IGNORECASE)
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


def decode(body: bytes, content_type: str | None = None) -> tuple[str, EncodingDecision]:
    """Return the text of a page and how it was decoded; broken places become U+FFFD, a byte order mark U+FEFF."""
    decision = decide_encoding(body, content_type)
    return body.decode(decision.encoding, errors="replace"), decision


def decide_encoding(body: bytes, content_type: str | None = None) -> EncodingDecision:
    """Name the charset of a page's bytes.

    :param content_type: the HTTP header of that name, if there was one.

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
    if _is_utf8(body) and not _is_short_accident(body, claims):
        return EncodingDecision(encoding="utf-8", source=claims.get("utf-8", "validity"), is_exact=True)
    for encoding, source in claims.items():
        if _holds(body, encoding):
            return EncodingDecision(encoding=encoding, source=source)
    return _best(body, claims)


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
    for match in (_META.search(head), _XML.match(head)):
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


def _is_utf8(body: bytes) -> bool:
    """True if valid; the last character may be cut."""
    try:
        codecs.utf_8_decode(body, "strict", False)  # noqa: FBT003 (positional only)
    except UnicodeDecodeError:
        return False
    return True


def _is_short_accident(body: bytes, claims: dict[str, str]) -> bool:
    """A few characters of GBK, Big5 … can be valid UTF-8: then they are letters that no CJK page would hold."""
    if not claims.keys() & _MULTIBYTE or "utf-8" in claims:
        return False
    high = len(_HIGH.findall(body[: 64 * 1024]))
    if high > 8:
        return False
    text = body.decode("utf-8", "ignore")
    # 2-byte sequences below U+0100 are «, ©, é …, which do stand in pages.
    return all(0x100 <= ord(c) < 0x800 for c in text if c > "\x7f")


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


def _best(body: bytes, claims: dict[str, str]) -> EncodingDecision:
    if _is_nearly_utf8(body, declared=False):
        return EncodingDecision(encoding="utf-8", source="validity")
    sample = _sample(body)
    sources = dict(claims)
    for encoding in COMMON:
        sources.setdefault(encoding, "scored")
    best = max(sources, key=lambda encoding: _score(sample, encoding, claims))
    return EncodingDecision(encoding=best, source=sources[best])


def _score(sample: bytes, encoding: str, claims: dict[str, str]) -> float:
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    foreign = max(1, len(text) - len(text.encode("ascii", "ignore")))
    score = plausibility(text) - ERROR_COST * 100 * text.count("\ufffd") / foreign
    return score + CLAIM_BONUS if encoding in claims else score
