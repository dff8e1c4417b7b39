"""What a page tells robots: ``<meta name="robots">`` and the ``X-Robots-Tag`` header."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

#: The name this crawler answers to in ``<meta name=…>`` and ``X-Robots-Tag: name: …``.
ROBOT_NAMES = frozenset({"robots", "newscrawl"})
_KNOWN = frozenset({"noindex", "nofollow", "none", "all", "index", "follow", "noarchive", "nosnippet"})
_AGENT = re.compile(r"\s*([A-Za-z][\w-]*)\s*:(?!\s*\d)(.*)", re.DOTALL)


def robots_directives(metas: Iterable[HtmlElement], headers: str | Iterable[str] | None = None) -> frozenset[str]:
    """Return the directives for us in lower case, ``none`` spelt out as ``noindex`` and ``nofollow``.

    :param metas: the page's ``meta`` elements.
    :param headers: values of ``X-Robots-Tag``; those for other robots are skipped.
    """
    values = [headers] if isinstance(headers, str) else list(headers or ())
    found = {word for value in values for word in _header_words(value)}
    for meta in metas:
        name = meta.get("name")
        if name and name.strip().lower() in ROBOT_NAMES:
            found |= _words(meta.get("content") or "")
    if "none" in found:
        found |= {"noindex", "nofollow"}
    return frozenset(found)


def _header_words(value: str) -> set[str]:
    agent = _AGENT.match(value)
    if agent and agent[1].lower() not in _KNOWN | {"unavailable_after"}:
        return _words(agent[2]) if agent[1].lower() in ROBOT_NAMES else set()
    return _words(value)


def _words(value: str) -> set[str]:
    return {word for word in re.split(r"[\s,;]+", value.lower()) if word in _KNOWN}
