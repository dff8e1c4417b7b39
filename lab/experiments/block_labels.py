"""Labels of the crawl's blocks by the network's lines and by rules, on pages of sites that the network has not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.block_training import SHIPPED_SETS, TESTED_SETS, block_page_of, scores
from lab.evaluation.corpus import load
from lab.experiments.base import ExperimentResult, ResultTable, document_of
from lab.learn.two_steps import CODES
from lab.training.held_out import unseen_judge
from newscrawl.classify.blocks.classifiers import NEWS, RULES, get_classifier
from newscrawl.classify.blocks.classify import crawl_blocks, label_by_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lab.evaluation.block_training import BlockPage
    from lab.experiments.base import Cell, Options
    from newscrawl.classify.model_file import Ints

CLASSIFIERS: Final = (NEWS, RULES)
THREE_CLASSES: Final = "gne"
"""The set whose blocks are labelled by hand in three classes."""


def run(options: Options) -> ExperimentResult:
    pages, given = _judge(options)
    sets = {
        f"{THREE_CLASSES}, sites left out": (THREE_CLASSES,),
        "all, sites left out": SHIPPED_SETS,
        **{f"{name}, never trained on": (name,) for name in TESTED_SETS},
    }
    rows: list[tuple[Cell, ...]] = []
    for name, members in sets.items():
        places = [place for place, page in enumerate(pages) if page.page.set in members]
        for classifier in CLASSIFIERS:
            labels = [given[classifier][place] for place in places]
            rows += _rows(name, classifier, scores([pages[place] for place in places], labels, seed=options.seed))
    return ExperimentResult(
        title="Labels of the crawl's blocks",
        source="ours; the block model's own figures on the same pages stand in its file",
        tables=(
            ResultTable(
                title="Blocks of Algorithm 1 without loss of text",
                columns=(
                    "pages", "classifier", "class", "n", "P", "R", "F1", "95 %", "P blocks", "R blocks", "F1 blocks",
                ),
                rows=tuple(rows),
                note=(
                    "By characters, means over pages, F1 of the means; of blocks: all pages pooled. The constants of "
                    f"related links were chosen on {THREE_CLASSES}; no network has seen the pages it judges here."
                ),
            ),
        ),
        pages=tuple(page.page for page in pages),
    )  # fmt: skip


def _judge(options: Options) -> tuple[list[BlockPage], dict[str, list[Ints]]]:
    """Return the labelled pages, and the labels that each classifier gives to their blocks."""
    pages: list[BlockPage] = []
    given: dict[str, list[Ints]] = {name: [] for name in CLASSIFIERS}
    for page in load(options.corpus, (*SHIPPED_SETS, *TESTED_SETS), limit=options.limit):
        options.advance()
        if page.set == "wcxb" and page.page_type != "article":
            continue
        document = document_of(page)
        labelled = block_page_of(page, document)
        if labelled is None:
            continue
        blocks = document.once(crawl_blocks)
        pages.append(labelled)
        for name in CLASSIFIERS:
            found = (
                label_by_lines(blocks, document.once(unseen_judge(page)))
                if name == NEWS
                else get_classifier(name).classify(blocks, document)
            )
            given[name].append(np.array([CODES[str(block.label)] for block in found], dtype=np.int64))
    return pages, given


def _rows(name: str, classifier: str, found: dict[str, dict[str, Any]]) -> Iterable[tuple[Cell, ...]]:
    for label, score in found.items():
        low, high = score["f1_95"]
        figures: Sequence[Cell] = [score[key] for key in ("precision", "recall", "f1")]
        by_blocks: Sequence[Cell] = [score[f"block_{key}"] for key in ("precision", "recall", "f1")]
        yield name, classifier, label, score["n_pages"], *figures, f"{low:.3f} … {high:.3f}", *by_blocks
