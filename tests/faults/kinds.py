"""Answers as bad servers send them: each kind of fault, what it hits, and how often."""

from __future__ import annotations

import asyncio
import gzip
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tests.hostile import Answer, answer
from tests.kill.site import HOSTS

if TYPE_CHECKING:
    from asyncio import StreamWriter

TIMEOUT_SECONDS: Final = 3
"""What the crawls wait for an answer."""
BOMB_MEGABYTES: Final = 256
SHARE: Final = 0.3
"""Of the addresses that a fault may hit, so many are hit."""
ARTICLE: Final = "/2024/03/a"
MAZE: Final = "/maze/"
ROBOTS: Final = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Good:
    """What the site has at an address."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def sent(self, **changes: Any) -> bytes:
        kind = dict(self.headers).get("Content-Type")
        more: dict[str, Any] = {name: value for name, value in self.headers if name != "Content-Type"}
        return answer(self.body, self.status, **({"content_type": kind} | more | changes))


Breaks = Callable[[Good], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    name: str
    breaks: Breaks
    lasts: bool = False
    """It comes with each try; else with the first alone."""
    hits: str = ""
    """Only addresses with this in them; those that last hit pages that lead nowhere else."""
    may_change: bool = False
    """The page that comes is a page, but not the whole one."""
    needs: str = ""
    """A package without which the row is left out."""
    settings: dict[str, object] = field(default_factory=dict)

    def is_hit(self, url: str, seed: int) -> bool:
        parts = urlsplit(url)
        if self.hits == ROBOTS:
            return parts.path == ROBOTS
        if self.lasts and not _leads_nowhere(parts.path):
            return False
        return zlib.crc32(f"{seed}|{self.name}|{url}".encode()) < SHARE * 2**32


def _leads_nowhere(path: str) -> bool:
    """Whether it is an article that hubs list, as they do the one that it links to, and of one part."""
    number = path.removeprefix(ARTICLE).removesuffix(".html")
    return path.startswith(ARTICLE) and number.isdecimal() and int(number) % 1_000 < 9 and int(number) % 20 != 7


def _later(status: int, **headers: Any) -> Breaks:
    return lambda _good: answer("later", status, **headers)


def _slow(*, head: float = 0.0, body: float = 0.0, pieces: int = 10) -> Breaks:
    """Wait so many seconds before the head is whole, and while the body comes."""

    def breaks(good: Good) -> Answer:
        data = good.sent()
        end = data.index(b"\r\n\r\n") + 4

        async def talk(writer: StreamWriter) -> None:
            for part, seconds in ((data[:end], head), (data[end:], body)):
                step = max(1, -(-len(part) // pieces)) if seconds else max(1, len(part))
                for start in range(0, len(part), step):
                    writer.write(part[start : start + step])
                    await writer.drain()
                    await asyncio.sleep(seconds / pieces)

        return talk

    return breaks


def _reset_within(good: Good) -> Answer:
    data = good.sent()

    async def talk(writer: StreamWriter) -> None:
        writer.write(data[: len(data) - len(good.body) // 2])
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.transport.abort()

    return talk


def _endless(line: bytes, *, in_head: bool = False) -> Breaks:
    """Send without end, until the crawl has enough of it."""

    def breaks(_good: Good) -> Answer:
        async def talk(writer: StreamWriter) -> None:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + (b"" if in_head else b"\r\n"))
            block = line * (65_536 // len(line))
            for _ in range(4_096):
                writer.write(block)
                await writer.drain()

        return talk

    return breaks


def _bomb(encoding: str) -> Breaks:
    made: list[bytes] = []

    def breaks(_good: Good) -> Answer:
        if not made:
            made.append(_PACKED[encoding](BOMB_MEGABYTES))
        return answer(made[0], Content_Encoding=encoding)

    return breaks


def _gzip_bomb(megabytes: int) -> bytes:
    return gzip.compress(b"<p>" + b" " * (megabytes << 20), 9, mtime=0)


def _brotli_bomb(megabytes: int) -> bytes:
    import brotli  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415 (not in every installation)

    return bytes(brotli.compress(b"<p>" + b" " * (megabytes << 20), quality=5))


def _zstd_bomb(megabytes: int) -> bytes:
    """Return a frame of blocks that say: 128 KiB of this byte (RFC 8878, 3.1.1)."""
    head = b"\x28\xb5\x2f\xfd\x00\x58"  # no size of the content, a window of 2 MiB
    n = megabytes * 8
    blocks = (struct.pack("<I", (1 << 20) | (1 << 1) | (number == n - 1))[:3] + b" " for number in range(n))
    return head + b"".join(blocks)


_PACKED: Final = {"gzip": _gzip_bomb, "br": _brotli_bomb, "zstd": _zstd_bomb}


def _to(address: Callable[[Good], str]) -> Breaks:
    return lambda good: answer(status=302, Location=address(good))


def _circle(good: Good) -> str:
    bare, _, n = good.url.partition("?loop=")
    return f"{bare}?loop={(int(n or 0) + 1) % 3}"


def _onward(good: Good) -> str:
    """Return one more address that was never seen, on the next host."""
    path = urlsplit(good.url).path
    n = int(path.removeprefix(MAZE)) + 1 if path.startswith(MAZE) else zlib.crc32(good.url.encode()) % 10**6 * 1_000
    return f"http://{HOSTS[n % len(HOSTS)]}{MAZE}{n}"


def _robots(name: str, breaks: Breaks) -> Fault:
    return Fault(name=f"robots.txt: {name}", breaks=breaks, lasts=True, hits=ROBOTS)


_CHUNKED: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nno number\r\n"
_DEEP: Final = b"<html><body>" + b"<div>" * 20_000 + b"x" + b"</div>" * 20_000
_RULES: Final = b"User-agent: *\n" + b"".join(b"Disallow: /no/%d/*a*b*c$\n" % n for n in range(40_000))

FAULTS: Final = (
    Fault(name="500", breaks=_later(500)),
    Fault(name="503, Retry-After", breaks=_later(503, Retry_After="1")),
    Fault(name="429, Retry-After", breaks=_later(429, Retry_After="1")),
    Fault(name="slow head", breaks=_slow(head=1.0)),
    Fault(name="slow body", breaks=_slow(body=1.0)),
    Fault(name="hangs in the head", breaks=_slow(head=20.0 * TIMEOUT_SECONDS)),
    Fault(name="hangs in the body", breaks=_slow(body=20.0 * TIMEOUT_SECONDS)),
    Fault(name="reset", breaks=lambda _good: None),
    Fault(name="reset in the body", breaks=_reset_within),
    Fault(name="length too long", breaks=lambda good: good.sent(length=len(good.body) + 5_000)),
    Fault(
        name="length too short", breaks=lambda good: good.sent(length=len(good.body) // 2), lasts=True, may_change=True
    ),
    Fault(name="broken chunks", breaks=lambda _good: _CHUNKED),
    Fault(name="no HTTP", breaks=lambda _good: b"\x16\x03\x01\x00 220 ready\r\n\r\n" * 9),
    Fault(name="head without end", breaks=_endless(b"X-Long: " + b"a" * 90 + b"\r\n", in_head=True), lasts=True),
    Fault(name="body without end", breaks=_endless(b"<p>more of the same</p>\n"), lasts=True),
    *(Fault(name=f"bomb, {kind}", breaks=_bomb(kind), lasts=True, needs="brotli" * (kind == "br")) for kind in _PACKED),
    Fault(name="broken gzip", breaks=lambda good: good.sent(Content_Encoding="gzip"), lasts=True, may_change=True),
    Fault(
        name="wrong charset", breaks=lambda good: good.sent(content_type="text/html; charset=iso-8859-1"), lasts=True
    ),
    Fault(
        name="cut markup",
        breaks=lambda good: answer(good.body[: good.body.rfind(b"<", 0, len(good.body) * 2 // 3) + 3]),
        lasts=True,
        may_change=True,
    ),
    Fault(name="empty", breaks=lambda _good: answer(), lasts=True),
    Fault(name="binary", breaks=lambda _good: answer(bytes(range(256)) * 400), lasts=True),
    Fault(name="20,000 deep", breaks=lambda _good: answer(_DEEP), lasts=True),
    Fault(name="redirects in a circle", breaks=_to(_circle), lasts=True),
    Fault(name="redirects without end", breaks=_to(_onward), lasts=True),
    _robots("500", _later(500)),
    _robots("reset", lambda _good: None),
    _robots("redirects without end", _to(_onward)),
    _robots("without end", _endless(b"Disallow: /x\n")),
    _robots("40,000 rules", lambda _good: answer(_RULES, content_type="text/plain")),
    _robots("binary", lambda _good: answer(bytes(range(256)) * 400)),
    _robots("bomb", _bomb("gzip")),
)
