"""Blocks by node density entropy, and of them the main text (Zhang, Cao, Li 2015, Chinese J. of Computers 38(2))."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from newscrawl.classify.blocks.classifiers import SVM, get_classifier
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.page.segment import ALPHA, BETA, GAMMA, Block, BlockLabel, segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.blocks.classify import BlockClassifier
    from newscrawl.page.document import Document

MAX_LINK_SHARE: Final = 0.3
"""Greatest share of a main block's characters in links."""
MIN_SHARE_OF_BEST: Final = 0.3
"""Least text density of a main block, as a share of the greatest of the page's blocks."""
MIN_RELATED_LINK_SHARE: Final = 0.5
MIN_RELATED_LINKS: Final = 3


class DensityRule:
    """A rule on the densities of eq. 5, for as long as no classifier is trained; all constants are ours.

    Main text: among the blocks with few characters in links, that of the greatest text density ρtext and those that
    come near it. Related links: at least three links that hold most of the block's characters. The rest is other.
    """

    def __init__(self, *, max_link_share: float = MAX_LINK_SHARE, min_share_of_best: float = MIN_SHARE_OF_BEST) -> None:
        self.max_link_share = max_link_share
        self.min_share_of_best = min_share_of_best

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        """Return the blocks with their labels; the confidence of main text is its share of the page's text."""
        plain = [block.n_chars - block.n_link_chars for block in blocks]
        best = max((n for n, block in zip(plain, blocks, strict=True) if self._is_text(block)), default=0)
        page = max(_page_chars(document), 1)
        return tuple(
            block._replace(label=self._label(block, n, best), confidence=n / page)
            for n, block in zip(plain, blocks, strict=True)
        )

    def _label(self, block: Block, plain: int, best: int) -> BlockLabel:
        if best and self._is_text(block) and plain >= self.min_share_of_best * best:
            return BlockLabel.MAIN
        if block.n_links >= MIN_RELATED_LINKS and block.n_link_chars >= MIN_RELATED_LINK_SHARE * block.n_chars:
            return BlockLabel.RELATED
        return BlockLabel.OTHER

    def _is_text(self, block: Block) -> bool:
        return block.n_link_chars <= self.max_link_share * block.n_chars


def _page_chars(document: Document) -> int:
    """Return the page's characters outside links."""
    measures = document.measures
    return int(measures.chars[0] - measures.link_chars[0]) if len(measures) else 0


class DensityExtractor(PageExtractor):
    """Segment by Algorithm 1 with fusion, classify the blocks, and take the text of the main ones.

    :param lossless: beyond the paper: what ``beta`` and ``gamma`` would drop becomes blocks too. A paragraph with less
        than 3 % of the page's text is lost otherwise.
    :param classifier: any :class:`newscrawl.classify.blocks.classify.BlockClassifier`, such as the paper's trained
        one; a :class:`DensityRule` by default.
    """

    name: ClassVar[str] = "density"

    def __init__(
        self,
        *,
        alpha: float = ALPHA,
        beta: float = BETA,
        gamma: float = GAMMA,
        lossless: bool = False,
        classifier: BlockClassifier | None = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.lossless = lossless
        self.classifier = classifier or DensityRule()

    def extract(self, document: Document) -> Extraction:
        found = segment(document, alpha=self.alpha, beta=self.beta, gamma=self.gamma, lossless=self.lossless)
        blocks = self.classifier.classify(found, document)
        main = [block for block in blocks if block.label is BlockLabel.MAIN]
        return Extraction(
            text="\n".join(block.text for block in main),
            method=self.name,
            confidence=min(1.0, sum(block.confidence for block in main)),
            blocks=blocks,
            evidence=(f"{len(main)} of {len(blocks)} blocks are main text",),
        )


class DensitySVMExtractor(DensityExtractor):
    """Algorithm 1 and a trained classifier of blocks.

    :param lossless: as the crawl segments, and as the shipped model was trained.
    :param classifier: the shipped model by default; the crawl gives the one that ``NEWSCRAWL_CLASSIFIER`` names.
    """

    name: ClassVar[str] = "density_svm"

    def __init__(self, *, lossless: bool = True, classifier: BlockClassifier | None = None, **constants: float) -> None:
        super().__init__(lossless=lossless, classifier=classifier or get_classifier(SVM), **constants)
