"""Markup nested without end, as unclosed tags make it: levels too deep are taken out, their text stays.

libxml2 stops reading at 2,048 levels and loses the rest of the page; browsers lift what is deeper than 512.
"""

from __future__ import annotations

import re
from collections import Counter

#: Elements open at one time (Blink's limit). Deeper start tags are dropped, with their end tags.
MAX_DEPTH = 512

_TOKEN = re.compile(
    r"<!--.*?-->"
    r"|<(?P<raw>script|style|textarea|title|noscript|xmp|iframe)\b[^>]*>.*?</(?P=raw)\s*>"
    r"|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*)[^>]*>",
    re.IGNORECASE | re.DOTALL,
)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
#: A start tag of these ends an open element of the same name.
_SELF_CLOSING = frozenset(["p", "li", "dt", "dd", "tr", "td", "th", "option"])


def flatten(markup: str, max_depth: int = MAX_DEPTH) -> str:
    """Return the markup with at most ``max_depth`` elements open at a time; O(n).

    >>> flatten("<i><b><u>text</u></b></i>", max_depth=2)
    '<i><b>text</b></i>'
    """
    opened: list[str] = []
    names: Counter[str] = Counter()
    dropped: Counter[str] = Counter()

    def close(name: str) -> None:
        while names[name]:
            last = opened.pop()
            names[last] -= 1
            if last == name:
                return

    def judged(token: re.Match[str]) -> str:
        name = (token["name"] or "").lower()
        if not name or name in _VOID:
            return token.group()
        if token["slash"]:
            if dropped[name]:
                dropped[name] -= 1
                return ""
            close(name)
            return token.group()
        if name in _SELF_CLOSING and opened and opened[-1] == name:
            close(name)
        if len(opened) >= max_depth:
            dropped[name] += 1
            return ""
        opened.append(name)
        names[name] += 1
        return token.group()

    return _TOKEN.sub(judged, markup)
