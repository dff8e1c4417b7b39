"""Blocks as the paper has them, for its experiments: Algorithm 1 with fusion, vectors of eq. 5, three classes.

Three classes are labelled in ``gne`` (Chinese, by hand) and ``l3s`` (English, for experiments only). Where only a
page's body is known, its blocks are main text or not. Blocks without a label, or mostly ambiguous, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.css.block_boxes import CssBoxes
from lab.css.vector import block_vectors
from lab.evaluation import gold
from lab.evaluation.block_gold import row_labels
from lab.evaluation.corpus import load
from lab.evaluation.gold import block_labels
from lab.experiments.base import document_of
from newscrawl.classify.blocks.block_features import block_features
from newscrawl.methods.cetd import composite_densities, content_rows, density_sums
from newscrawl.page.segment import BlockLabel, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Options
    from newscrawl.classify.model_file import Floats, Ints
    from newscrawl.page.measures import Measures
    from newscrawl.page.segment import Block

SETS: Final = ("gne", "l3s")
CLASSES: Final = tuple(label.value for label in BlockLabel)
MAIN: Final = CLASSES.index("main")
RELATED: Final = CLASSES.index("related")
OTHER: Final = CLASSES.index("other")
NOT_MAIN: Final = len(CLASSES)
"""Related links or other, where only the body is known."""
BODY_SETS: Final = ("daniel", "zhwced", "cx163", "cxhit")
"""Chinese news with gold text."""
LABELLED_PAGES: Final = 5
"""The paper's: 44 blocks of 5 pages."""
_CODES: Final = {**{label: code for code, label in enumerate(CLASSES)}, gold.NOT_MAIN: NOT_MAIN}
EQ5: Final = "eq. 5"
"""With boxes estimated from the markup."""
CSS: Final = "eq. 5, own CSS"
"""With boxes by the page's own CSS; style sheets that were not saved with the page are not there."""
VECTORS: Final = (EQ5, CSS)
WIDE: Final = "48 features"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPage:
    """The labelled blocks of one page."""

    page: CorpusPage
    labels: Ints
    vectors: Floats
    """Eq. 5, shape ``(n_blocks, 6)``."""
    css_vectors: Floats
    """Eq. 5 with boxes by the page's own CSS."""
    features: Floats
    """Those of the shipped model."""
    cetd: Ints
    """``MAIN`` where most of the block's text is what CETD-DS extracts, else ``OTHER``."""

    def samples(self, kind: str) -> Floats:
        return {EQ5: self.vectors, CSS: self.css_vectors, WIDE: self.features}[kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Pages of different sites: labelled by hand, to be labelled by propagation, to be tested on."""

    labelled: tuple[PaperPage, ...]
    unlabelled: tuple[PaperPage, ...]
    tested: tuple[PaperPage, ...]


def paper_pages(options: Options, sets: Sequence[str] = SETS) -> list[PaperPage]:
    """Return the pages of ``sets`` that have three classes, and at least one labelled block."""
    pages = load(options.corpus, sets, limit=options.limit)
    return _paper_pages([page for page in pages if page.gold.blocks is not None or page.set == "l3s"], options)


def body_pages(options: Options) -> list[PaperPage]:
    """Return the Chinese pages of ``BODY_SETS`` with gold text; labels are ``MAIN`` and ``NOT_MAIN``."""
    return _paper_pages(load(options.corpus, BODY_SETS, langs=["zh"], limit=options.limit), options)


def _paper_pages(pages: Iterable[CorpusPage], options: Options) -> list[PaperPage]:
    found = []
    for page in pages:
        paper_page = _paper_page(page)
        if paper_page is not None:
            found.append(paper_page)
        options.advance()
    return found


def _paper_page(page: CorpusPage) -> PaperPage | None:
    document = document_of(page)
    rows = row_labels(page, document)
    blocks = segment(document)
    if rows is None or not blocks:
        return None
    labels = block_labels(blocks, document.measures, rows.rows)
    known = np.array([label is not None for label in labels])
    if not known.any():
        return None
    return PaperPage(
        page=page,
        labels=np.array([_CODES[label] for label in labels if label is not None]),
        vectors=block_vectors(blocks, document)[known],
        css_vectors=block_vectors(blocks, document, CssBoxes())[known],
        features=block_features(blocks, document)[known],
        cetd=_cetd_labels(document.measures, blocks)[known],
    )


def _cetd_labels(measures: Measures, blocks: Sequence[Block]) -> Ints:
    densities = composite_densities(measures)
    inside = np.zeros(len(measures), dtype=np.bool_)
    for row in content_rows(measures, densities, density_sums(measures, densities)):
        inside[row : measures.end[row]] = True
    is_leaf = measures.end == np.arange(1, len(measures) + 1)
    chars = np.where(is_leaf, measures.chars, 0)
    shares = [
        chars[block.start : block.end][inside[block.start : block.end]].sum()
        > 0.5 * chars[block.start : block.end].sum()
        for block in blocks
    ]
    return np.where(shares, MAIN, OTHER)


def split(pages: Sequence[PaperPage], *, seed: int, n_unlabelled: int, n_labelled: int = LABELLED_PAGES) -> Split:
    """Draw labelled pages, of a site each and with all three classes among them, then unlabelled ones; test the rest.

    No site is on both sides of the labels, nor among tested pages and any others.
    """
    random = np.random.default_rng(seed)
    while True:
        order = [pages[place] for place in random.permutation(len(pages)).tolist()]
        labelled: dict[str, PaperPage] = {}
        for page in order:
            if len(labelled) < n_labelled:
                labelled.setdefault(page.page.group, page)
        if len(np.unique(labels_of(list(labelled.values())))) == len(CLASSES):
            break
    rest = [page for page in order if page.page.group not in labelled]
    unlabelled = rest[:n_unlabelled]
    sites = {page.page.group for page in unlabelled}
    return Split(
        labelled=tuple(labelled.values()),
        unlabelled=tuple(unlabelled),
        tested=tuple(page for page in rest[n_unlabelled:] if page.page.group not in sites),
    )


def labels_of(pages: Sequence[PaperPage]) -> Ints:
    return np.concatenate([page.labels for page in pages])


def samples_of(pages: Sequence[PaperPage], kind: str = EQ5) -> Floats:
    return np.concatenate([page.samples(kind) for page in pages])


def spread_of(values: Sequence[float]) -> str:
    """Return the central 95 % of the mean over draws, by the normal approximation, e.g. ``0.890 … 0.912``."""
    mean = float(np.mean(values))
    half = 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{mean - half:.3f} … {mean + half:.3f}"
