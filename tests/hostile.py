"""A small web server that answers as badly as the real web does, byte for byte as told."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

Talk = Callable[[asyncio.StreamWriter], Awaitable[None]]
Answer = bytes | Talk | None
"""What is sent, or what sends it; the connection is closed after it, and reset if it is None."""
Handler = Callable[[str, int], Answer]
"""Called with the path and how often it was asked for before."""


def answer(
    body: bytes | str = b"",
    status: int = 200,
    content_type: str | None = "text/html; charset=utf-8",
    *,
    length: int | None = None,
    **headers: str,
) -> bytes:
    """An HTTP/1.1 answer; ``Retry_After="1"`` becomes a header."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} -", f"Content-Length: {len(data) if length is None else length}", "Connection: close"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + data


def zipped(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


@dataclass
class Site:
    pages: dict[str, bytes | Handler | None]
    """Path → answer, or a function that gives one. A path that ends in ``*`` stands for all that start so."""
    port: int = 0
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def reply(self, path: str) -> Answer:
        before = self.asked[path]
        self.asked[path] += 1
        found: bytes | Handler | None = answer("not found", 404)
        for name, page in self.pages.items():
            if path == name or (name.endswith("*") and path.startswith(name[:-1])):
                found = page
                break
        return found(path, before) if callable(found) else found


@contextlib.contextmanager
def serving(pages: dict[str, bytes | Handler | None]) -> Iterator[Site]:
    """Serve ``pages`` on a free port of 127.0.0.1, in a thread, until the block ends."""
    site = Site(pages)
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = await reader.readuntil(b"\r\n\r\n")
            data = site.reply(head.split(b" ", 2)[1].decode("latin-1"))
            if data is None:
                writer.transport.abort()
                return
            if callable(data):
                await data(writer)
            else:
                writer.write(data)
            await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()

    async def listen() -> asyncio.Server:
        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        site.port = server.sockets[0].getsockname()[1]
        return server

    def run() -> None:
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(listen())
        ready.set()
        loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not ready.wait(5):
        raise TimeoutError("the test server did not start")
    try:
        yield site
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
