"""A user's own labels as the judge of a page: the text is what blocks labelled main hold.

What the network says of the page stands in :func:`~newscrawl.network.judge.judge_lines`, which text, positions of links
and what is left out are made from. A model that a user trained takes its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.blocks.body import find_body, find_boilerplate
from newscrawl.blocks.classify import places_in
from newscrawl.blocks.model import BlockLabel
from newscrawl.dom.headline import find_headline
from newscrawl.dom.line_features import line_features
from newscrawl.network.decision import Decision
from newscrawl.network.features import page_lines
from newscrawl.network.judge import JudgedBody, LineVerdict, judge_lines
from newscrawl.network.structure import drop_dateline, drop_headline, left_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools
    from newscrawl.network.features import PageLines

    Array = NDArray[np.float32]

THRESHOLD: Final = 0.5
HEAD_RULES: Final = (("the page's headline", drop_headline), ("a dateline above the text", drop_dateline))
"""Of the network's rules, those about what begins a block. Whether comments and links are text, the labels say."""


def judge_by_labels(document: Document, blocks: Sequence[Block]) -> None:
    """Have every later step take the lines of the blocks labelled main for the page's text.

    Does nothing for a page without lines, or on which no block is main: the network judges these.
    """
    page = document.once(page_lines) if any(block.label is BlockLabel.MAIN for block in blocks) else None
    if page is None:
        return
    lines = page.lines
    place = places_in(blocks, lines.start, lines.start + 1)
    main = np.array([_main_probability(block) for block in blocks], dtype=np.float32)
    probabilities = np.where(place < 0, np.float32(0), main[place])
    is_body = probabilities > THRESHOLD
    reasons = left_out(is_body, page, HEAD_RULES)
    mass, chars = page.chars * probabilities, page.chars[is_body].sum()
    expected = float(2 * mass[is_body].sum() / max(1.0, float(chars + mass.sum())))
    take_lines(document, page, is_body, probabilities, expected, reasons)


def take_lines(
    document: Document,
    page: PageLines,
    is_body: Bools,
    probabilities: Array,
    confidence: float,
    reasons: dict[int, str],
) -> None:
    """Have every later step take these lines for the page's text.

    :param reasons: why a line is left out, by its number.
    """
    decision = Decision(is_body=is_body, expected_f1=confidence, threshold=THRESHOLD, reasons=reasons)
    body: Any = JudgedBody(  # of both kinds that are kept
        features=document.once(line_features),
        headline=document.once(find_headline),
        boilerplate=document.once(find_boilerplate),
        is_body=is_body,
        verdict=LineVerdict(page=page, probabilities=probabilities, decision=decision, confidence=confidence),
    )
    document.keep(judge_lines, body)
    document.keep(find_body, body)


def _main_probability(block: Block) -> float:
    """Return the probability that a block is main text; a label alone stands on its side of one half."""
    if block.label is BlockLabel.MAIN:
        return max(block.confidence, THRESHOLD + 0.01)
    return min(1 - block.confidence, THRESHOLD)
