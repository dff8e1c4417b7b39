"""The verdict on a page's lines: which of them are its text, and who decided.

One verdict goes from step to step: network, user's labels, site's rules, site memory. Each step takes a verdict and
returns it or a new one; none changes an earlier one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from newscrawl.page.lines import LineFeatures
    from newscrawl.page.measures import Bools

EVEN: Final = 0.5
"""Probability from which a line is text if a user or his model decides, so that no threshold is searched for."""


class Speaker(StrEnum):
    """Steps that may decide which lines are text, in their order."""

    METHOD = "the rules of a published method"
    NETWORK = "the network"
    LABELS = "a user's labels"
    NOT_BODY = "the site's rule not_body"
    BODY = "the site's rule body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Lines that are a page's text. Arrays have an entry for each of its lines."""

    by: Speaker
    """Step that decided last."""
    features: LineFeatures
    headline: int
    """Line of the page's title; -1 if it is not on the page."""
    is_boilerplate: Bools
    """Stands in a part whose names or tag speak for boilerplate, whichever step decides."""
    is_body: Bools
    """Line of the text."""
    probabilities: NDArray[np.float32] | None = None
    """Probability of each line to be text; None if the page has no line outside links, or the method judges none."""
    threshold: float = EVEN
    confidence: float = 0.0
    """F1 of earlier pages with such probabilities, 0..1; 0.0 without a text."""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """Line number → why the line is left out, although it was taken for text."""

    @property
    def weight(self) -> float:
        """Letters of the text outside links; an ideograph counts for several."""
        return float(self.features.free[self.is_body].sum())

    @property
    def text(self) -> str:
        """The text, a line a paragraph."""
        return "\n".join(self.features.lines.texts(self.is_body.nonzero()[0].tolist()))

    @property
    def likely(self) -> NDArray[np.float32]:
        """The probabilities; zeros where no line was judged."""
        return np.zeros(len(self.features), dtype=np.float32) if self.probabilities is None else self.probabilities

    def spoken_by(
        self,
        speaker: Speaker,
        is_body: Bools,
        *,
        probabilities: NDArray[np.float32],
        confidence: float,
        reasons: Mapping[int, str],
    ) -> Self:
        """Return the verdict of another speaker on the same lines."""
        return replace(
            self,
            by=speaker,
            is_body=is_body,
            probabilities=probabilities,
            threshold=EVEN,
            confidence=confidence,
            reasons=reasons,
        )
