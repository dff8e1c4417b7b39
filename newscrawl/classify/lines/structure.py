"""What is certain from a page's structure, whatever its lines look like one by one: the head, comments, links.

No rule here reads what a text says. Each earns its place by what its loss costs on sites left out
(``data/results/news-extractor.md``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.comments import drop_headed_comments, drop_named_comments
from newscrawl.classify.lines.notices import drop_notices
from newscrawl.classify.lines.pointers import drop_pointers
from newscrawl.classify.lines.repeats import drop_copies, drop_headlines, drop_parts
from newscrawl.classify.verdict import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.measures import Bools

MAX_LINKS_BESIDE: Final = 2.0
"""Characters of links on one side of the text for one of its prose: with more of them the page is a list."""

MIN_DIGITS: Final = 6
MIN_DIGIT_SHARE: Final = 0.2
"""A dateline has a date, and not much more."""
MAX_DATELINE: Final = 90.0
HEAD_LINES: Final = 3
"""Lines of the text that are asked for a dateline."""
_STOP: Final = re.compile(r"(?<!\d)\.|[!?。！？؟।]")
"""The end of a sentence; a dot behind a number makes an ordinal of it, as in German dates."""

_IS_HEADLINE: Final = FEATURES.index("is_headline")
_DATELINE: Final = [FEATURES.index(name) for name in ("digits", "separators", "n_stops", "is_heading")]


def drop_headline(is_body: Bools, page: NetworkInput) -> None:
    """Leave out the page's own headline where the text begins with it, and goes on."""
    kept = is_body.nonzero()[0][:2].tolist()
    if len(kept) > 1 and page.values[kept[0], _IS_HEADLINE]:
        is_body[kept[0]] = False


def drop_dateline(is_body: Bools, page: NetworkInput) -> None:
    """Leave out bylines with their date among the first lines of the text, which may begin with a summary."""
    kept = is_body.nonzero()[0][:HEAD_LINES].tolist()
    is_body[[line for line in kept if _is_dateline(page, line)]] = False


def _is_dateline(page: NetworkInput, line: int) -> bool:
    """Tell whether a line is a byline with its date rather than a sentence of the text.

    A heading is one only if it has a mark that separates parts, such as ``|``.
    """
    digits, separators, n_stops, is_heading = page.values[line, _DATELINE]
    if digits < MIN_DIGIT_SHARE or digits * page.chars[line] < MIN_DIGITS or (is_heading and not separators):
        return False
    is_short = page.features.weight[line] <= MAX_DATELINE
    return bool(is_short and not (n_stops and _STOP.search(page.lines.text(line))))


def drop_links_beside(is_body: Bools, page: NetworkInput) -> None:
    """Leave out links before the first line of prose and behind the last one, where the page is no list.

    On either side most lines have to be links: a sub-heading that is one stays.
    """
    features = page.features
    kept = is_body.nonzero()[0]
    prose = kept[features.is_prose[kept]]
    if not len(prose):
        return
    for side in (kept[kept < prose[0]], kept[kept > prose[-1]]):
        links = side[features.is_links[side]]
        if 2 * len(links) >= len(side) and page.chars[links].sum() < MAX_LINKS_BESIDE * page.chars[prose].sum():
            is_body[links] = False


Rules = tuple[tuple[str, "Callable[[Bools, NetworkInput], None]"], ...]
RULES: Final[Rules] = (
    ("the page's headline", drop_headline),
    ("a dateline above the text", drop_dateline),
    ("comments of readers", drop_named_comments),
    ("comments of readers", drop_headed_comments),
    ("links above or below the text", drop_links_beside),
    ("a line to another story", drop_pointers),
    ("a notice of the site", drop_notices),
    ("told already", drop_copies),
    ("a part of another paragraph", drop_parts),
    ("the page's headline", drop_headlines),
)
"""Rules that leave lines out, in order, each with its reason."""
HEAD_RULES: Final = RULES[:2]
"""The network's rules about what begins a block."""


def left_out(is_body: Bools, page: NetworkInput, rules: Rules) -> dict[int, str]:
    """Leave out what ``rules`` say, and return the reason for each line that went."""
    reasons: dict[int, str] = {}
    before = is_body.copy()
    for reason, drop in rules:
        drop(is_body, page)
        if np.count_nonzero(is_body) < np.count_nonzero(before):
            reasons |= dict.fromkeys((before != is_body).nonzero()[0].tolist(), reason)
            before = is_body.copy()
    return reasons


def take_labels(verdict: Verdict, page: NetworkInput, probabilities: NDArray[np.float32], is_body: Bools) -> Verdict:
    """Return the verdict of a user's labels: these lines, but for what begins a block, headline and dateline.

    Whether comments and links are text, the labels say.
    """
    kept = is_body.copy()
    reasons = left_out(kept, page, HEAD_RULES)
    mass, chars = page.chars * probabilities, page.chars[kept].sum()
    expected = float(2 * mass[kept].sum() / max(1.0, float(chars + mass.sum())))
    return verdict.spoken_by(Speaker.LABELS, kept, probabilities=probabilities, confidence=expected, reasons=reasons)
