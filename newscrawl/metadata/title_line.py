"""The headline of a page that calls it nothing: no heading, and a title that is the site's on every page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.dom.text import fold
from newscrawl.metadata.date_text import find_dates
from newscrawl.metadata.names import is_organisation
from newscrawl.urls.base import absolute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from newscrawl.metadata.gather import Evidence
    from newscrawl.metadata.lines import Line

MAX_PRESS_CHARS: Final = 20
"""A longer title that names a press says more than that."""
MAX_ABOVE: Final = 12
"""Lines above the first paragraph among which the headline is looked for."""
MIN_CHARS: Final = 4
MAX_CHARS: Final = 80
MIN_SCORE: Final = 2.0
LARGE_PIXELS: Final = 18.0
LARGE_STEP: Final = 4
"""Of ``<font size>``; 3 is that of text."""
_NAMED: Final = re.compile(r"title|headline|biaoti|(?:^|[\s_-])(?:bt|tit|font0?1)(?:$|[\s_-])", re.IGNORECASE)
_SIZE: Final = re.compile(r"font-size\s*:\s*([\d.]+)\s*(px|pt|em|rem)", re.IGNORECASE)
_PIXELS: Final = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
_LABELLED: Final = re.compile(
    r"^\W*(?:来源|作者|记者|本报|本刊|责任编辑|发布|日期|时间|字[号体]|(?:source|author|by)\b)|[:：]\s*$", re.IGNORECASE
)
_LOOKED_AT: Final = 4
"""Elements around a line whose names and styles are its own."""


def names_press(title: str) -> bool:
    """Tell whether a page title is the name of a press or an office, which it has on each of its pages."""
    return len(fold(title)) <= MAX_PRESS_CHARS and is_organisation(title) and not re.search(r"[\s，,:：！？!?]", title)


def headline_line(evidence: Evidence) -> Line | None:
    """Return the line above the text that looks like its headline, None where none does.

    What speaks for a line: a link of the page to itself has the same text, the names and the size of the type of the
    elements around it.
    """
    lines = evidence.lines
    first = next(iter(lines.paragraphs), len(lines))
    own = frozenset(_own_names(evidence))
    best: tuple[float, Line] | None = None
    for number in range(max(0, first - MAX_ABOVE), first):
        line = lines[number]
        if line.linked or not MIN_CHARS <= len(line.text) <= MAX_CHARS or _LABELLED.search(line.text):
            continue
        if next(find_dates(line.text), None) is not None or names_press(line.text):
            continue
        score = _prominence(evidence.document.measures.nodes[lines.starts[number]])
        if fold(line.text) in own:
            score += 3.0
        if score >= MIN_SCORE and (best is None or score > best[0]):
            best = score, line
    return best[1] if best is not None else None


def _own_names(evidence: Evidence) -> Iterator[str]:
    """Yield the folded texts of the page's links to itself."""
    root, url = evidence.document.root, evidence.url
    if root is None or not url:
        return
    page = url.partition("#")[0]
    name = page.rpartition("/")[2]
    for link in root.iter("a"):
        href = (link.get("href") or "").partition("#")[0].strip()
        if href and href.endswith(name) and absolute(href, evidence.base) == page:
            yield fold(link.text_content())


def _prominence(element: HtmlElement) -> float:
    """Return what the elements around a line say of it: 2 each for a name and for large type, 0.5 for bold type."""
    named = large = bold = 0.0
    for depth, node in enumerate((element, *element.iterancestors())):
        if depth == _LOOKED_AT or node.tag in {"body", "html", "table", "article", "main"}:
            break
        if depth < _LOOKED_AT - 1 and _NAMED.search(f"{node.get('class') or ''} {node.get('id') or ''}"):
            named = 2.0
        if node.tag in {"b", "strong"}:
            bold = 0.5
        size = _SIZE.search(node.get("style") or "")
        step = (node.get("size") or "").lstrip("+") if node.tag == "font" else ""
        if (size and _pixels(size) >= LARGE_PIXELS) or (step.isdigit() and int(step) >= LARGE_STEP):
            large = 2.0
    return named + large + bold


def _pixels(size: re.Match[str]) -> float:
    try:
        return float(size[1]) * _PIXELS[size[2].lower()]
    except ValueError:
        return 0.0
