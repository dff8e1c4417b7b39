"""The verdict on a page's lines: which of them are its text, and who spoke last.

One verdict travels from step to step: the network's, then what a user's labels, the site's rules and site memory make
of it. Each step is given a verdict and returns it, or another; none changes what an earlier one said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from newscrawl.page.boilerplate import Boilerplate
    from newscrawl.page.lines import LineFeatures
    from newscrawl.page.measures import Bools

EVEN: Final = 0.5
"""Probability from which on a line is text where no threshold is looked for: a user, or a model of his, decides."""


class Speaker(StrEnum):
    """Who may decide which lines are the text, the last one of these last."""

    METHOD = "the rules of a published method"
    NETWORK = "the network"
    LABELS = "a user's labels"
    NOT_BODY = "the site's rule not_body"
    BODY = "the site's rule body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Where a page's text is. Arrays have an entry for each of its lines."""

    by: Speaker
    """Who spoke last."""
    features: LineFeatures
    boilerplate: Boilerplate
    """Parts named as boilerplate, whoever judges the lines."""
    is_body: Bools
    """Line of the text."""
    probabilities: NDArray[np.float32] | None = None
    """Probability of each line to be text; None if the page has no line outside links, or the method judges none."""
    threshold: float = EVEN
    confidence: float = 0.0
    """F1 that pages with such probabilities had, 0..1; 0.0 without a text."""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """Why a line is left out that was taken for text, by its number."""

    @property
    def headline(self) -> int:
        """Line of the page's title; -1 if it is not on the page."""
        return self.boilerplate.headline

    @property
    def is_boilerplate(self) -> Bools:
        """Stands in a part whose names or tag speak for boilerplate."""
        return self.boilerplate.lines

    @property
    def weight(self) -> float:
        """Letters of the text outside links, ideographs counted by their worth."""
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
