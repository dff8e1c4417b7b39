"""A server on all of 127.0.0.0/8 that notes when it was asked for what, and when it had answered."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(slots=True, kw_only=True)
class Visit:
    host: str
    path: str
    began: float
    ended: float


class LoggedServer:
    """``pages(host, path)`` gives the HTML of a page, None for 404; an answer takes ``seconds``."""

    def __init__(self, pages: Callable[[str, str], str | None], *, seconds: float = 0.0) -> None:
        self.pages = pages
        self.seconds = seconds
        self.visits: list[Visit] = []
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def log_message(self, *_arguments: object) -> None:
                """Say nothing on the terminal."""

        self._server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)  # noqa: S104 (each of 127.0.0.x is a host here)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        host = (handler.headers.get("Host") or "").partition(":")[0]
        visit = Visit(host=host, path=handler.path, began=time.monotonic(), ended=0.0)
        with self._lock:
            self.visits.append(visit)
        html = self.pages(host, handler.path)
        time.sleep(self.seconds)
        body = (html or "").encode()
        visit.ended = time.monotonic()
        handler.send_response(404 if html is None else 200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{host}:{self.port}{path}"

    def asked(self) -> list[str]:
        """Paths of pages in the order they were asked for."""
        return [visit.path for visit in self.visits if visit.path != "/robots.txt"]

    @contextmanager
    def running(self) -> Iterator[LoggedServer]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()
