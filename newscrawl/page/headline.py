"""The line where the page's own title stands: the article begins below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.languages.text import fold
from newscrawl.page.lines import MAX_LINK_SHARE, line_features

if TYPE_CHECKING:
    from newscrawl.page.document import Document
    from newscrawl.page.lines import LineFeatures

_LETTERS: Final = re.compile(r"[^\W_]+")

MIN_SHARE: Final = 0.25
"""A line shorter than this share of the page title is rather the site's or a section's name."""
MIN_WEIGHT: Final = 5.0
HEADING_BONUS: Final = 1.5
"""A line in h1 … h6 may be this much shorter than another one and is still preferred."""


def find_headline(document: Document) -> int:
    """Return the line of the page's own title; -1 if it is not on the page."""
    return title_line(document.once(line_features), fold(document.title))


def title_line(features: LineFeatures, title: str) -> int:
    """Return the line that is, or is contained in, the folded page title; -1 if there is none.

    The longest match wins, headings before other lines, plain text before links (logos, breadcrumbs, teasers), the
    later of two equal ones.
    """
    lines = features.lines
    chars = lines.chars
    is_candidate = (
        (features.is_heading | (features.link_share <= MAX_LINK_SHARE))
        & (features.weight >= MIN_WEIGHT)
        & (chars >= MIN_SHARE * len(title))
        & (chars <= 1.4 * len(title) + 4)
    )
    pieces, first = lines.pieces, lines.first
    candidates = [line for line in is_candidate.nonzero()[0].tolist() if _may_begin(pieces[first[line]], title)]
    best, best_score = -1, 0.0
    for line, text in zip(candidates, lines.texts(candidates), strict=True):
        folded = fold(text)
        if not folded or folded not in title:
            continue
        score = (
            len(folded) * (HEADING_BONUS if features.is_heading[line] else 1.0) * (1 - features.link_share[line] / 2)
        )
        if score >= best_score:
            best, best_score = line, score
    return best


def _may_begin(text: str, title: str) -> bool:
    """Tell whether a line that begins with ``text`` may stand in the folded title; most lines may not."""
    start = _LETTERS.search(text)
    return start is None or (first := fold(start[0])) in title or not first.isalnum()
