"""How a host spells its addresses, learnt from its redirects, so that links need not be asked for twice."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.urls.patterns import url_pattern
from newscrawl.urls.series import without_index

LEAST: Final = 2
"""Redirects of one kind, without an answer that contradicts them, before links are written so."""
MAX_NAMES: Final = 5_000


class AddressForms:
    """Scheme and host, final slash and index file: what a host's redirects change, by host and address pattern."""

    def __init__(self) -> None:
        self._origins: dict[str, list[Any]] = {}
        self._slashes: dict[str, list[int]] = {}

    def note(self, asked: str, answered: str) -> None:
        """Learn from an answered address; the two are the same where nothing was redirected."""
        old, new = urlsplit(asked), urlsplit(answered)
        origin, led = f"{old.scheme}://{old.netloc}", f"{new.scheme}://{new.netloc}"
        if _bare(old.path) != _bare(new.path) or old.query != new.query:
            return
        if len(self._origins) < MAX_NAMES or origin in self._origins:
            counts = self._origins.setdefault(origin, [led, 0])
            self._origins[origin] = [led, counts[1] + 1 if counts[0] == led else 1]
        if not old.path.endswith("/"):
            pattern = _pattern(asked)
            if len(self._slashes) < MAX_NAMES or pattern in self._slashes:
                row = self._slashes.setdefault(pattern, [0, 0])
                row[new.path != old.path and new.path.endswith("/")] += 1

    def of(self, url: str) -> str:
        """Return the spelling that the host would lead to."""
        scheme, _, rest = url.partition("://")
        host, slash, path = rest.partition("/")
        led, n = self._origins.get(f"{scheme}://{host}", ("", 0))
        origin = led if n >= LEAST else f"{scheme}://{host}"
        if "?" not in path and not path.endswith("/"):
            kept, changed = self._slashes.get(_pattern(url), (0, 0))
            if changed >= LEAST and not kept:
                path = (without_index(slash + path).rstrip("/") + "/").removeprefix("/")
        return f"{origin}{slash}{path}"

    def state(self) -> dict[str, Any]:
        return {"origins": self._origins, "slashes": self._slashes}

    def restore(self, state: dict[str, Any]) -> None:
        self._origins = {name: list(row) for name, row in state["origins"].items()}
        self._slashes = {name: list(row) for name, row in state["slashes"].items()}


def _bare(path: str) -> str:
    return without_index(path).rstrip("/")


def _pattern(url: str) -> str:
    """Return what addresses of one kind have in common; those with an index file are a kind of their own."""
    path = url.partition("?")[0]
    return url_pattern(path) + ("|index" if without_index(path) != path else "")
