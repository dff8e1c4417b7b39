"""An article's own tags, told from the site's navigation: links to hubs that differ from page to page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from newscrawl.focus.score.url import shape_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.focus.score.context import LinkContext
    from newscrawl.links.model import Link

MAX_LABEL: Final = 40
MAX_LABELS: Final = 30
MAX_PATHS: Final = 5_000
MAX_REPEATED: Final = 0.5
"""Where pages repeat more of their links than this share, the links are the site's, not the article's."""


class OwnLabels:
    """Learns which tag paths of a host hold an article's own tags. Memory grows with templates."""

    def __init__(self) -> None:
        self._last: dict[str, frozenset[str]] = {}
        self._repeated: dict[str, tuple[float, int]] = {}

    def of(self, url: str, links: Sequence[tuple[Link, LinkContext]], *, is_article: bool) -> tuple[str, ...]:
        """Return the labels of an article: anchors of links to hubs at paths whose links change from page to page."""
        host = url.split("/", 3)[2] if url.count("/") >= 2 else ""
        by_path: dict[str, dict[str, str]] = {}
        for link, context in links:
            if link.anchor and len(link.anchor) <= MAX_LABEL and shape_of(link.url) is UrlKind.HUB:
                by_path.setdefault(f"{host} {context.path}", {})[link.url] = link.anchor
        found: list[str] = []
        for path, anchors in by_path.items():
            if self._is_own(path, frozenset(anchors)) and is_article and len(anchors) <= MAX_LABELS:
                found += anchors.values()
        return tuple(dict.fromkeys(found))

    def _is_own(self, path: str, targets: frozenset[str]) -> bool:
        last = self._last.get(path)
        total, n = self._repeated.get(path, (0.0, 0))
        if last is not None:
            total, n = total + len(targets & last) / len(targets | last), n + 1
            self._repeated[path] = (total, n)
        if last is not None or len(self._last) < MAX_PATHS:
            self._last[path] = targets
        return n >= 1 and total / n <= MAX_REPEATED

    def state(self) -> dict[str, Any]:
        return {"last": {path: sorted(found) for path, found in self._last.items()}, "repeated": self._repeated}

    def restore(self, state: dict[str, Any]) -> None:
        self._last = {path: frozenset(found) for path, found in state["last"].items()}
        self._repeated = {path: (total, n) for path, (total, n) in state["repeated"].items()}
