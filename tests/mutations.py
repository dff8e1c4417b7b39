"""Pages broken on purpose, the same way for the same seed."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TAG = re.compile(rb"(<[^>]*>)")
_QUOTED = re.compile(rb"(\"[^\"<>]{0,300}\")")
_DECLARED = re.compile(rb"charset=[\"']?[\w-]+")
_CHARSETS = ("utf-8", "gb18030", "big5", "shift_jis", "euc_kr", "windows-1252", "utf-16", "utf-7", "iso2022_jp")
ODD_PIECES = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (
        *("<div>", "<a href='/x'>", "<table><tr><td>", "<b><i>", "<p>", "</div>", "</p></body>", "<li>", "<svg>"),
        *("<template>", "<noscript>", "<textarea>", "<title>", "<base href='http://other.example/'>", "<frameset>"),
        *("<!--", "-->", "<![CDATA[", "]]>", "<?xml version='1.0' encoding='utf-16'?>", "<script>", "</script>", "<"),
        *("&#0;", "&#xD800;", "&#x110000;", "&nosuch;", "&lt", "\x00", "\x0c", "\ufeff", "\ud800", "\ufffe", "\ufdfa"),
        *("\u202e", "\u200b", "\u0300", "\u2028", "\U000e0001", " ", "\n", "9" * 30, "9999-99-99 99:99", "0000-00-00"),
        *(
            "2024-02-30T25:61:61+99:99",
            "http://[::1",
            "http://\u2100.example/",
            "//",
            "javascript:",
            "data:,",
            "'",
            '"',
        ),
        *("<a href='http://[bad/'>x</a>", "<img srcset='a 1e999w, ,,'>", "<time datetime='P99999999999D'>x</time>"),
        *map(
            '<script type="application/ld+json">{}</script>'.format,
            (
                '[[[[{"@type":"NewsArticle","@graph":{"headline":[null,{"a":1}]}}]]]]',
                '{"@type":"NewsArticle","datePublished":1e999,"author":{}}',
                '{"@type":["NewsArticle",{}],"headline":7,"image":[[]]}',
            ),
        ),
        *("<meta property='og:url' content='http://[::'>", "<link rel=canonical href='http://a..b:99999/'>"),
        *(
            "<table><tr><td colspan=999999999 rowspan=999999999>",
            "<p style='display:none'>",
            "<h1>",
            "<meta charset=x>",
        ),
    )
)


def truncated(page: bytes, rng: random.Random) -> bytes:
    return page[: rng.randrange(len(page) + 1)]


def shuffled_tags(page: bytes, rng: random.Random) -> bytes:
    """Leave the text where it is and deal its tags out anew."""
    parts = _TAG.split(page)
    tags = parts[1::2]
    rng.shuffle(tags)
    parts[1::2] = tags
    return b"".join(parts)


def with_nuls(page: bytes, rng: random.Random) -> bytes:
    places = sorted(rng.randrange(len(page) + 1) for _ in range(rng.randrange(1, 50)))
    pieces = [page[start:end] for start, end in zip([0, *places], [*places, len(page)], strict=True)]
    return b"\x00".join(pieces)


def with_noise(page: bytes, rng: random.Random) -> bytes:
    """Overwrite one byte in a hundred."""
    broken = bytearray(page)
    for _ in range(len(page) // 100):
        broken[rng.randrange(len(page))] = rng.randrange(256)
    return bytes(broken)


def in_another_charset(page: bytes, rng: random.Random) -> bytes:
    """Declare a charset that the bytes are not in, or write the text in one that is not declared."""
    name = rng.choice(_CHARSETS)
    if rng.random() < 0.5:
        return _DECLARED.sub(b"charset=" + name.encode(), page)
    return page.decode("utf-8", "replace").encode(name, "replace")


def with_odd_pieces(page: bytes, rng: random.Random) -> bytes:
    """Put tags, entities and letters that parsers stumble over between the page's own bytes."""
    parts = _TAG.split(page)
    for _ in range(rng.randrange(1, 12)):
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(ODD_PIECES) * rng.choice((1, 1, 1, 40, 1_500)))
    return b"".join(parts)


def stuttered(page: bytes, rng: random.Random) -> bytes:
    """Repeat a stretch until the page has grown by up to 200 kB."""
    start = rng.randrange(len(page) + 1)
    stretch = page[start : start + rng.choice((1, 3, 10, 100, 2_000))]
    times = rng.choice((2, 50, 200_000)) if stretch else 0
    return page[:start] + stretch * min(times, 200_000 // max(len(stretch), 1)) + page[start:]


def with_values_swapped(page: bytes, rng: random.Random) -> bytes:
    """Deal what stands between quotes out anew: addresses, classes, dates, values of JSON."""
    parts = _QUOTED.split(page)
    values = parts[1::2]
    rng.shuffle(values)
    parts[1::2] = values
    return b"".join(parts)


def spliced(page: bytes, other: bytes, rng: random.Random) -> bytes:
    """Put a stretch of another page in."""
    place, start = rng.randrange(len(page) + 1), rng.randrange(len(other) + 1)
    end = start + rng.randrange(1, 20_000)
    return page[:place] + other[start:end] + page[place + rng.choice((0, end - start)) :]


MUTATIONS = (truncated, shuffled_tags, with_nuls, with_noise)
ALL_MUTATIONS = (*MUTATIONS, in_another_charset, with_odd_pieces, stuttered, with_values_swapped)


def mutated(pages: Sequence[bytes], n: int, seed: int = 0) -> Iterator[bytes]:
    """Yield ``n`` broken pages, the kinds of damage in turn."""
    rng = random.Random(seed)
    for number in range(n):
        yield MUTATIONS[number % len(MUTATIONS)](rng.choice(pages), rng)
