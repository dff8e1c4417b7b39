"""The section that the way from the home page to the article shows, in any language."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.tables import words
from newscrawl.languages.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.statements import Evidence

MAX_CRUMB_CHARS: Final = 30
_MAX_LINE: Final = 200
_MAX_LINKS: Final = 12
"""More links are a menu."""
_NAME: Final = re.compile(r"crumb|(?:^|[\s_-])(?:location|position|weizhi|dqwz|mbx|path)(?:$|[\s_-])", re.IGNORECASE)
"""Class of what holds the way."""
_BELOW: Final = 2
"""Lines below the headline that the way may stand on."""
_SEPARATOR: Final = re.compile(r"(?:(?<!\s)\s++)?(?:>++|»|›|→|▸|▶|::|／|＞)\s*+|(?<!\s)\s++[/|·-]\s++")
_SIGN: Final = re.compile(r"[>»›→▸▶＞／/]|::")
_ROOT: Final = re.compile(r"(?:https?:)?//[^/]*/?|/?(?:index\.\w{2,5})?")
"""The address of a home page."""
_LABEL: Final = re.compile(r"^[^:：]{0,20}[:：]\s*")


def shown_section(evidence: Evidence) -> tuple[str, str] | None:
    """Return the last link of the way that is neither the home page nor the article; None where none is shown."""
    title = fold(evidence.title)
    for links in (_marked(evidence), _lined(evidence)):
        ways = [text for text in links if 1 < len(text) <= MAX_CRUMB_CHARS and fold(text) not in _home()]
        name = next((text for text in reversed(ways) if fold(text) not in title), None)
        if name is not None:
            return name, "visible"
    return None


@cache
def _home() -> frozenset[str]:
    return frozenset(map(fold, words("pages.home")))


def _marked(evidence: Evidence) -> Sequence[str]:
    """Return the texts of the links in the first element that is named for the way."""
    _, elements, classes = evidence.document.measures.shown
    named = (node for node, name in zip(elements, classes, strict=True) if name and _NAME.search(name))
    ways = (_texts(link for link in node.iter("a") if not _ROOT.fullmatch(link.get("href") or "")) for node in named)
    return next((links for links in ways if 1 <= len(links) <= _MAX_LINKS), [])


def _lined(evidence: Evidence) -> Sequence[str]:
    """Return those of the first line around the headline whose parts are set apart by signs of a way."""
    lines, measures = evidence.lines, evidence.document.measures
    for number in range(min(len(lines), evidence.places.headline + _BELOW + 1)):
        text = lines.texts[number]
        if len(text) > _MAX_LINE or _SIGN.search(text) is None:
            continue
        parts = [part for part in _SEPARATOR.split(_LABEL.sub("", text)) if part]
        if len(parts) < 2:
            continue
        element = measures.nodes[lines.starts[number]]
        around = element if element.tag != "a" else element.getparent()
        linked = _texts(around.iter("a")) if around is not None else []
        ways = [part for part in parts if part in linked]
        if len(ways) >= 2 or (ways and fold(ways[0]) not in _home() and fold(parts[0]) in _home()):
            return ways
    return []


def _texts(links: Iterable[HtmlElement]) -> list[str]:
    return [text for link in links if (text := " ".join(link.text_content().split()))]
