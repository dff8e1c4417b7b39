"""Blocks by node density entropy, classified by a trained model: the whole of Zhang, Cao, Li (2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from newscrawl.blocks.segment import ALPHA, BETA, GAMMA
from newscrawl.methods.density import DensityExtractor
from newscrawl.network.classifiers import SVM, get_classifier

if TYPE_CHECKING:
    from newscrawl.blocks.classify import BlockClassifier


class DensitySVMExtractor(DensityExtractor):
    """Algorithm 1 and a trained classifier of blocks.

    :param lossless: as the crawl segments, and as the shipped model was trained.
    :param classifier: the shipped model by default; the crawl gives the one that ``NEWSCRAWL_CLASSIFIER`` names.
    """

    name: ClassVar[str] = "density_svm"

    def __init__(
        self,
        *,
        alpha: float = ALPHA,
        beta: float = BETA,
        gamma: float = GAMMA,
        lossless: bool = True,
        classifier: BlockClassifier | None = None,
    ) -> None:
        chosen = classifier or get_classifier(SVM)
        super().__init__(alpha=alpha, beta=beta, gamma=gamma, lossless=lossless, classifier=chosen)
