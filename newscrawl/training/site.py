"""A site's model from blocks that a user labelled on a few of its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newscrawl.blocks.classify import crawl_blocks
from newscrawl.blocks.model import BlockLabel
from newscrawl.exceptions import UserError
from newscrawl.network.site_model import SiteModel, block_odds, fit_site, places_of
from newscrawl.training.labelling import given_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.network.site_model import Floats
    from newscrawl.training.label_file import UserPage


@dataclass(frozen=True, slots=True)
class _Clicked:
    """The blocks of a labelled page."""

    places: list[list[str]]
    odds: Floats
    labels: tuple[BlockLabel | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTraining:
    model: SiteModel
    n_pages: int
    n_blocks: int
    right: float | None
    """Share of labelled blocks that models without their page tell main from not main; None with one page."""
    before: float
    """Share of them that the network alone does."""


def train_site(pages: Sequence[UserPage]) -> SiteTraining:
    """Train on the labelled pages.

    :raises UserError: if the labels cover no block of main text, or nothing else.
    """
    clicked = [_clicked(page) for page in pages if page.gold is not None]
    labels = [label for page in clicked for label in page.labels if label is not None]
    n_main = labels.count(BlockLabel.MAIN)
    if n_main in {0, len(labels)}:
        raise UserError(
            f"labels cover {n_main} blocks of main text and {len(labels) - n_main} others: label at least one of each"
        )
    right = sum(
        _n_right(page, _fit([other for other in clicked if other is not page]).corrections(page.places))
        for page in clicked
        if len(clicked) > 1
    )
    before = sum(_n_right(page, np.zeros(len(page.labels))) for page in clicked)
    return SiteTraining(
        model=_fit(clicked),
        n_pages=len(clicked),
        n_blocks=len(labels),
        right=right / len(labels) if len(clicked) > 1 else None,
        before=before / len(labels),
    )


def _clicked(page: UserPage) -> _Clicked:
    blocks = crawl_blocks(page.document)
    places = places_of(blocks, page.document.measures)
    return _Clicked(places, block_odds(page.document, blocks), given_labels(page, blocks))


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
