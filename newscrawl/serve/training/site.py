"""A site's model from blocks that a user labelled on a few of its pages.

Labels of some pages may be wrong for others: comments stand in the text of one page and not of the next. So the
strength of the correction is what does best on each labelled page when the labels of the others are all there is;
where that is nothing, the network reads the site as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.site_model import SILENCE, SiteModel, block_odds, fit_site, places_of
from newscrawl.exceptions import UserError
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.labelling import given_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.lines.site_model import Floats
    from newscrawl.serve.training.label_file import UserPage

STRENGTHS: Final = (0.0, 0.25, 0.5, 1.0)
UNTRIED: Final = 0.5
"""Strength with one labelled page: there is none to leave out."""


@dataclass(frozen=True, slots=True)
class _Clicked:
    places: list[list[str]]
    odds: Floats
    labels: tuple[BlockLabel | None, ...]
    chars: Floats

    def fit_of(self, odds: Floats) -> tuple[float, float]:
        """Return the letters that ``odds`` tell as the user does, and the log-likelihood; what he left as the network
        has it counts ``SILENCE``.
        """
        is_said = np.array([label is not None for label in self.labels], dtype=np.bool_)
        is_main = np.where(is_said, [label is BlockLabel.MAIN for label in self.labels], self.odds > 0)
        weight = self.chars * np.where(is_said, 1.0, SILENCE)
        likelihood = -np.logaddexp(0.0, np.where(is_main, -odds, odds))
        return float(weight @ ((odds > 0) == is_main)), float(weight @ likelihood)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTraining:
    model: SiteModel
    n_pages: int
    n_blocks: int
    strength: float
    """What of the correction does best on pages left out; 0: it does not help them, the network reads alone."""
    right: float | None
    """Share of labelled blocks that models without their page, of that strength, tell main from not main; None with
    one page.
    """
    before: float
    """Share of them that the network alone does."""


def train_site(pages: Sequence[UserPage]) -> SiteTraining:
    """Train on the labelled pages.

    :raises UserError: if the labels cover no block of main text, or nothing else.
    """
    clicked = [_clicked(page) for page in pages if page.labels]
    labels = [label for page in clicked for label in page.labels if label is not None]
    n_main = labels.count(BlockLabel.MAIN)
    if n_main in {0, len(labels)}:
        raise UserError(
            f"blocks labelled main text: {n_main}, others: {len(labels) - n_main}; label at least one of each"
        )
    unseen = _unseen_corrections(clicked)
    strength = _strength(clicked, unseen) if unseen else UNTRIED
    right = sum(_n_right(page, strength * of) for page, of in zip(clicked, unseen, strict=False))
    before = sum(_n_right(page, np.zeros(len(page.labels))) for page in clicked)
    return SiteTraining(
        model=_fit(clicked).scaled(strength),
        n_pages=len(clicked),
        n_blocks=len(labels),
        strength=strength,
        right=right / len(labels) if unseen else None,
        before=before / len(labels),
    )


def _clicked(page: UserPage) -> _Clicked:
    blocks = crawl_blocks(page.document)
    places = places_of(blocks, page.document.measures)
    chars = np.array([block.n_chars for block in blocks], dtype=np.float64)
    return _Clicked(places, block_odds(page.verdict, page.document, blocks), given_labels(page, blocks), chars)


def _unseen_corrections(pages: Sequence[_Clicked]) -> list[Floats]:
    """Return what the labels of all other pages add to the log-odds of each page; nothing with one page."""
    if len(pages) == 1:
        return []
    return [_fit([other for other in pages if other is not page]).corrections(page.places) for page in pages]


def _strength(pages: Sequence[_Clicked], unseen: Sequence[Floats]) -> float:
    """Return the strength at which most letters of pages left out are right; of equals, the likeliest."""

    def fit_of(strength: float) -> tuple[float, float]:
        found = [page.fit_of(page.odds + strength * of) for page, of in zip(pages, unseen, strict=True)]
        return round(sum(right for right, _ in found), 6), sum(likelihood for _, likelihood in found)

    return max(STRENGTHS, key=fit_of)


def _fit(pages: Sequence[_Clicked]) -> SiteModel:
    places = [of for page in pages for of in page.places]
    labels = [label for page in pages for label in page.labels]
    return fit_site(places, np.concatenate([page.odds for page in pages]), labels)


def _n_right(page: _Clicked, corrections: Floats) -> int:
    found = (page.odds + corrections > 0).tolist()
    return sum(
        is_main == (label is BlockLabel.MAIN)
        for is_main, label in zip(found, page.labels, strict=True)
        if label is not None
    )
