"""The Markdown and HTML of an article over several pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.items import Article

_SEPARATORS: Final = {"articleBodyMarkdown": "\n\n", "articleBodyHtml": "\n"}
"""Field of ``Article`` → what stands between two paragraphs."""
_PARAGRAPH: Final = re.compile(r"<p>.*</p>|[^\s#>|`*+<-].*")
"""What may be left out without harm to what stands around it."""
MIN_REPEATED: Final = 20
"""Shorter paragraphs may come again. Characters."""


def joined_formats(parts: Sequence[Article]) -> dict[str, Any]:
    """Return the fields of the whole, by name, text or None; paragraphs that came before are left out.

    A format that a part has not is None.
    """
    return {field: _joined([getattr(part, field) for part in parts], mark) for field, mark in _SEPARATORS.items()}


def _joined(bodies: Sequence[str | None], separator: str) -> str | None:
    kept: list[str] = []
    seen: set[str] = set()
    for body in bodies:
        if body is None:
            return None
        paragraphs = body.split(separator)
        kept += [paragraph for paragraph in paragraphs if paragraph not in seen]
        seen.update(part for part in paragraphs if len(part) >= MIN_REPEATED and _PARAGRAPH.fullmatch(part))
    return separator.join(kept)
