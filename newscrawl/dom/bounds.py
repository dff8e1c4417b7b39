"""Markup that libxml2 would need minutes for, cut before it is parsed."""

from __future__ import annotations

import re
from typing import Final

WINDOW: Final = 4096
"""Bytes. A start tag shorter than twice that cannot hold enough attributes to cost much."""
MAX_ATTRIBUTES: Final = 1_000
"""Attributes of one element. libxml2 compares each with all before it: 80,000 take it a quarter of a minute."""
_TAG: Final = re.compile(rb"<[a-zA-Z][^\s/>]*+")
_MANY_ATTRIBUTES: Final = re.compile(
    rb"(?:[\s/]*+[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\s>\"'][^\s>]*+)?+)?+){%d}" % MAX_ATTRIBUTES
)
_SCRIPT, _SCRIPT_END = b"<script", b"</script"


def without_endless_tags(data: bytes) -> bytes:
    """Return markup whose start tags with more than ``MAX_ATTRIBUTES`` attributes have none.

    Only stretches of ``WINDOW`` bytes without ``>`` are looked at, which costs nothing on other pages. A page that
    hides ``>`` in each of its values gets through; the time limit of readers stands behind.

    >>> len(without_endless_tags(b"<p>a</p><div " + b"b=1 " * 5_000 + b">text</div>"))
    23
    """
    kept, done, start = [], 0, 0
    while start + WINDOW <= len(data):
        if data.find(b">", start, start + WINDOW) >= 0:
            start += WINDOW
            continue
        end = data.find(b">", start + WINDOW)
        end = len(data) if end < 0 else end
        tag = _TAG.search(data, max(data.rfind(b">", done, start), done), end)
        if tag and _MANY_ATTRIBUTES.match(data, tag.end(), end) and not _in_script(data, tag.start()):
            kept.append(data[done : tag.end()])
            done = end
        start = end
    return b"".join((*kept, data[done:])) if kept else data


def _in_script(data: bytes, place: int) -> bool:
    head = data[:place].lower()
    return head.rfind(_SCRIPT) > head.rfind(_SCRIPT_END)
