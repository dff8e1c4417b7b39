"""From probabilities of lines to the body: the network's answer; where it is not sure of it, the rules have a say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.network.features import FEATURES
from newscrawl.network.structure import COMMENT_RULES, HEAD_RULES, add_lists, left_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools
    from newscrawl.network.features import PageLines

    Array = NDArray[np.float32]
    Floats = NDArray[np.float64]

MAX_THRESHOLD: Final = 0.6
"""A line of at least this probability is always kept."""
MIN_THRESHOLD: Final = 0.05
"""A line of less is never kept."""
SURE_F1: Final = 0.99
"""With a greater expected F1 the rules are not asked: they would cost half a parse."""
CHOICE: Final = (
    "agreeing_of_network", "agreeing_of_rules", "expected_f1", "expected_f1_of_rules", "doubt", "length_ratio",
    "has_headline", "extra_in_comments", "extra_after", "extra_before", "extra_probability", "rules_text",
    "rules_share", "kept_in_items", "kept_in_answers",
)  # fmt: skip
"""What tells which of the two is right; ``extra`` is what only the network keeps, all shares are by characters."""

_LEAST: Final = np.float32(1e-7)
_HAS_HEADLINE, _IN_COMMENT, _IN_ITEM, _IN_ANSWER = map(
    FEATURES.index, ("has_headline", "in_comment", "in_item", "in_answer")
)
TRUST: Final = 4.0
"""What the rules' word on a line is worth at most. Log odds."""
RULED_OUT: Final = "not in the text that the rules find"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Which lines are body."""

    is_body: Bools
    expected_f1: float
    """By characters, taking the probabilities at their word; 0.0 without a body."""
    threshold: float
    settled: Bools
    """Lines that are body or not by what they stand in, whatever their probability."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Why a line is left out that the networks take for body."""
    trust: float = 0.0
    """What the rules' word on a line was worth, ``0 .. TRUST``; 0 where they were not asked. Log odds."""


def by_network(probabilities: Array, page: PageLines, best: tuple[float, float] | None = None) -> Decision:
    """Return the lines above the threshold of greatest expected F1, with the lists among them, without comments.

    :param best: what :func:`best_threshold` says of them, where it was asked already.
    """
    threshold, expected = best or best_threshold(probabilities, page.chars)
    is_body = probabilities >= threshold
    reasons = left_out(is_body, page, HEAD_RULES)
    likely = is_body.copy()
    add_lists(is_body, page)
    reasons |= left_out(is_body, page, COMMENT_RULES)
    return Decision(
        is_body=is_body,
        expected_f1=expected,
        threshold=threshold,
        settled=is_body != likely,
        reasons={line: reason for line, reason in reasons.items() if not is_body[line]},
    )


def by_rules(document: Document, probabilities: Array, page: PageLines, threshold: float) -> Decision:
    is_body = document.once(find_body).is_body
    expected = _expected(is_body, probabilities, page)
    return Decision(is_body=is_body, expected_f1=expected, threshold=threshold, settled=np.zeros_like(is_body))


def by_both(probabilities: Array, is_ruled: Bools, promise: float, page: PageLines) -> Decision:
    """Return the lines by the network's odds, raised where the rules take the line for body and lowered where not.

    :param is_ruled: the rules' body, not empty.
    :param promise: log odds that the rules' body is the better one.
    """
    trust = np.float32(TRUST / (1 + np.exp(-promise)))
    odds = probabilities / np.maximum(1 - probabilities, _LEAST) * np.exp(np.where(is_ruled, trust, -trust))
    decision = by_network((odds / (1 + odds)).astype(np.float32), page)
    lowered = np.flatnonzero((probabilities >= MAX_THRESHOLD) & ~decision.is_body).tolist()
    return replace(decision, trust=float(trust), reasons=dict.fromkeys(lowered, RULED_OUT) | decision.reasons)


def is_open(expected_f1: float) -> bool:
    """Tell whether the other networks and the rules are worth asking."""
    return expected_f1 < SURE_F1


def best_threshold(probabilities: Array, chars: Array) -> tuple[float, float]:
    """Return the threshold of greatest expected F1 by characters, and that F1; taking the probabilities at their word.

    Between ``MIN_THRESHOLD`` and ``MAX_THRESHOLD``. Without characters the F1 is 0.0.
    """
    order = np.argsort(-probabilities, kind="stable")
    ranked = probabilities[order]
    weight = chars[order].astype(np.float64)
    right = np.cumsum(ranked * weight)
    f1 = 2 * right / np.maximum(np.cumsum(weight) + right[-1], 1e-9)
    first, stop = int(np.count_nonzero(ranked >= MAX_THRESHOLD)), int(np.count_nonzero(ranked >= MIN_THRESHOLD))
    if not stop:
        return MIN_THRESHOLD, 0.0
    low = max(first - 1, 0)
    best = low + int(np.argmax(f1[low:stop]))
    return float(ranked[best]), float(f1[best])


def _expected(is_body: Bools, probabilities: Array, page: PageLines) -> float:
    mass = page.chars * probabilities
    return float(2 * mass[is_body].sum() / (page.chars[is_body].sum() + mass.sum() + 1e-9))


def choice_values(page: PageLines, probabilities: Array, network: Decision, rules: Decision) -> Floats:
    """Return the numbers of ``CHOICE``."""
    chars, kept, ruled = page.chars.astype(np.float64), network.is_body, rules.is_body
    n_kept, n_ruled, n_both = (float(chars[lines].sum()) for lines in (kept, ruled, kept & ruled))
    places = np.flatnonzero(ruled)
    first, last = (int(places[0]), int(places[-1])) if len(places) else (0, 0)
    place = np.arange(len(chars))
    extra = chars * (kept & ~ruled)
    n_extra = float(extra.sum()) + 1
    doubt = probabilities * np.log(probabilities + 1e-6) + (1 - probabilities) * np.log(1 - probabilities + 1e-6)
    return np.array(
        [
            n_both / max(1.0, n_kept),
            n_both / max(1.0, n_ruled),
            network.expected_f1,
            rules.expected_f1,
            -float((chars * doubt).sum()) / max(1.0, float(chars[kept | ruled].sum())),
            np.log1p(n_kept) - np.log1p(n_ruled),
            page.values[0, _HAS_HEADLINE],
            float(extra[page.values[:, _IN_COMMENT] > 0].sum()) / n_extra,
            float(extra[place > last].sum()) / n_extra,
            float(extra[place < first].sum()) / n_extra,
            float((extra * probabilities).sum()) / n_extra,
            np.log1p(n_ruled),
            n_ruled / max(1.0, float(chars.sum())),
            float(chars[kept & (page.values[:, _IN_ITEM] > 0)].sum()) / (n_kept + 1),
            float(chars[kept & (page.values[:, _IN_ANSWER] > 0)].sum()) / (n_kept + 1),
        ]
    )
