"""Connections to the server, bounded in number and in the time in which a request must come whole."""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING, ClassVar, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from starlette.types import ASGIApp

LOOK_SECONDS: Final = 1.0
"""How often a connection is looked at."""
FILES: Final = 4
"""A connection for so many files that the process may open."""


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol, which by itself waits without end for the rest of a request.

    Of too many connections the one that has kept the server waiting longest is closed, and those that come in are
    answered.
    """

    seconds: ClassVar[float] = 20.0
    """In which a request must come whole, its body included."""
    most: ClassVar[int] = max(16, min(512, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // FILES))
    """Connections at one time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waiting_since = time.monotonic()
        if len(self.connections) > self.most:
            known = [one for one in self.connections if isinstance(one, BoundedProtocol) and one is not self]
            others = [one for one in known if one.keeps_waiting and not one.transport.is_closing()]
            if others:
                min(others, key=lambda one: one._waiting_since).transport.abort()
        self._look()

    def on_response_complete(self) -> None:
        self._waiting_since = time.monotonic()
        super().on_response_complete()

    @property
    def keeps_waiting(self) -> bool:
        """Whether a request has not come whole."""
        return self.conn.their_state in {h11.IDLE, h11.SEND_BODY}

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        if not self.keeps_waiting:
            self._waiting_since = time.monotonic()  # it is the server that works
        elif time.monotonic() - self._waiting_since > self.seconds:
            self.transport.abort()
            return
        self.loop.call_later(LOOK_SECONDS, self._look)


def server_config(app: ASGIApp, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Return how uvicorn serves the pages.

    :param proxies: networks of proxies in front. By itself, uvicorn believes whoever asks from this machine what
        address it forwards for.
    """
    return uvicorn.Config(
        app,
        http=BoundedProtocol,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=2,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )
