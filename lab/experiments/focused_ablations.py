"""The learning strategy with a part of it turned off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.focus.estimators import HUB
from newscrawl.focus.learned import Features, LearnedScorer
from newscrawl.links.context import SeenLink
from newscrawl.links.model import LinkPosition

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats, Ints
    from newscrawl.focus.judge import RelevanceModel
    from newscrawl.focus.learned import Look
    from newscrawl.focus.link_state import Tables
    from newscrawl.links.context import PageView

ABLATIONS: Final = ("no blocks", "no learning", "no hub value")
_HUB_VALUES: Final = [
    place
    for place, name in enumerate(HUB)
    if name in {"pattern_value", "template_value", "siblings_value", "continued_share", "continued_value"}
]


class AblatedScorer(LearnedScorer):
    """A learning scorer that sees no blocks, learns nothing, or knows nothing of what hubs were worth."""

    def __init__(self, model: RelevanceModel, ablation: str) -> None:
        """:param ablation: one of ``ABLATIONS``."""
        super().__init__(model)
        self.ablation = ablation
        self.features = _Features(self.tables, model, ablation)
        self._look = self.features.look_at(np.zeros(0, dtype=np.int64))

    def add(self, page: PageView) -> dict[str, float]:
        if self.ablation == "no blocks":
            page = replace(page, links=tuple(map(_without_block, page.links)))
        return super().add(page)

    def fit(self) -> None:
        if self.ablation != "no learning":
            super().fit()


class _Features(Features):
    def __init__(self, tables: Tables, model: RelevanceModel, ablation: str) -> None:
        super().__init__(tables, model)
        self.ablation = ablation

    def look_at(self, slots: Ints) -> Look:
        look = super().look_at(slots)
        if self.ablation == "no hub value":
            look.hub_x[:, _HUB_VALUES] = 0.0
        return look

    def _words(self, slots: Ints) -> Floats:
        words = super()._words(slots)
        return np.zeros_like(words) if self.ablation == "no learning" else words

    def _shares(
        self, facts: Floats, groups: Floats, lists: Floats, template: Floats, pattern: Floats
    ) -> tuple[Floats, Floats]:
        of_articles, of_hubs = super()._shares(facts, groups, lists, template, pattern)
        if self.ablation == "no learning":
            return np.zeros_like(of_articles), np.zeros_like(of_hubs)
        return of_articles, of_hubs


def _without_block(seen: SeenLink) -> SeenLink:
    return SeenLink(seen.link._replace(position=LinkPosition.ELSEWHERE), seen.context, "", seen.is_new)
