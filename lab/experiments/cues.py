"""What each cue of dates and authors is worth on sites left out.

    scrapy experiment cues [--json]

The weights of a field are fitted on four fifths of the sites and used on the last fifth (:mod:`lab.training.cues`).
A cue's worth is the share of pages that are lost without it, the others fitted again. *Proposes* counts the pages that
have the cue; those of no page are kept by hand-made tests alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.experiments.base import ExperimentResult, Options, ResultTable
from lab.experiments.metadata import THIRD_CORPUS, labelled_pages
from lab.training.cues import FIELDS, in_folds, propose
from newscrawl.extract.facts.cues import ALONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lab.experiments.base import Cell
    from lab.training.cues import Field, Proposals


def run(options: Options) -> ExperimentResult:
    """Return a table of cues for each field."""
    pages = [page for page, part in labelled_pages(options) if THIRD_CORPUS not in part]
    found = propose(pages, options.advance)
    return ExperimentResult(
        title="Cues of facts",
        source="labels of the corpus",
        tables=tuple(_table(name, known, found[name]) for name, known in FIELDS.items()),
        pages=tuple(pages),
    )


def _table(name: str, known: Field, pages: Sequence[Proposals]) -> ResultTable:
    least = known.weights.least
    most = in_folds(known.cues, pages, least).right()
    return ResultTable(
        title=name,
        columns=("cue", "proposes", "weight", "right without it", "worth"),
        rows=(("all cues", len(pages), None, most, None), *_rows(known, pages, most)),
        note=f"Pages of sites left out, {len(pages)} with a label; weights in log-odds, signs of a cue not shown.",
    )


def _rows(known: Field, pages: Sequence[Proposals], most: float) -> Iterator[tuple[Cell, ...]]:
    for cue in known.cues:
        others = [other for other in known.cues if other is not cue]
        without = in_folds(others, pages, known.weights.least).right()
        n_pages = sum(bool(page.candidates.get(cue.name)) for page in pages)
        yield cue.name, n_pages, known.weights.cues[cue.name][ALONE], without, most - without
