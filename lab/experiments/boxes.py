"""Boxes of blocks: how often the page's own CSS says them, and how near the estimates come to a browser.

The browser sees what is stored: style sheets that a page links to are missing for it as for the estimates.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.css import lay_out
from lab.css.block_boxes import block_boxes, block_pieces, said
from lab.css.cascade import links_sheets, page_sheets
from lab.css.sheet import read_sheet
from lab.css.vector import Boxes, estimated_boxes, middles, place_scores
from lab.evaluation.browser import open_browser
from lab.evaluation.corpus import load
from lab.experiments.base import ExperimentResult, ResultTable, document_of, shuffle_pages, spread
from newscrawl.exceptions import UserError
from newscrawl.page.segment import segment
from newscrawl.serve.training.metrics import interval, mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from lab.css import RowBoxes
    from lab.evaluation.browser import BoxBrowser
    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.page.document import Document
    from newscrawl.page.segment import Block

    Floats = NDArray[np.float64]

SAMPLE: Final = 250
"""Pages that the browser lays out."""
NEAR: Final = 0.05
"""A width or height this near, as a share of the screen, counts as right."""

SHEETS, MARKUP, NOTHING = "style sheets", "attributes, inline style", "neither"
KINDS: Final = (SHEETS, MARKUP, NOTHING)
METHODS: Final = ("CSS", "markup alone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a page says of the boxes of its blocks."""

    page: CorpusPage
    kind: str
    links_sheets: bool
    n_blocks: int
    n_widths: int
    n_heights: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One page in the browser, against each method: means over the page's blocks."""

    page: CorpusPage
    kind: str
    n_blocks: int
    errors: dict[str, tuple[float, ...]]
    """Method → mean error of width and height, shares of the screen, and shares of blocks that are near."""


def run(options: Options) -> ExperimentResult:
    pages = load(options.corpus, limit=options.limit)
    found = []
    for page in pages:
        found.append(judge(page))
        options.advance()
    with_blocks = [page for page in found if page.n_blocks]
    sample = [page.page for page in with_blocks]
    tables = [_page_table(found), _set_table(with_blocks)]
    try:
        compared = compare(shuffle_pages(sample, options.seed)[:SAMPLE], options)
    except UserError as error:
        tables.append(ResultTable(title="Against a browser", columns=("reason",), rows=((str(error),),)))
    else:
        tables += [_method_table(compared, options.seed, method) for method in METHODS]
    return ExperimentResult(
        title="Boxes of blocks",
        source="Zhang, Cao, Li (2015), §4.2, eq. 5: width, height and place of a block",
        tables=tuple(tables),
        pages=tuple(pages),
    )


def judge(page: CorpusPage) -> Said:
    """Count the blocks of a page whose width and height the page itself states."""
    document = document_of(page)
    blocks = segment(document)
    rows = lay_out(document)
    return Said(
        page=page,
        kind=_kind(document, rows),
        links_sheets=links_sheets(document),
        n_blocks=len(blocks),
        n_widths=int(said(blocks, document, rows.is_width_said).sum()),
        n_heights=int(said(blocks, document, rows.is_height_said).sum()),
    )


def _kind(document: Document, rows: RowBoxes) -> str:
    if any(len(read_sheet(text)) for text in page_sheets(document)):
        return SHEETS
    return MARKUP if rows.is_width_said.any() else NOTHING


def compare(pages: Sequence[CorpusPage], options: Options) -> list[Compared]:
    """Lay pages out in a browser and by each method."""
    compared = []
    with open_browser() as browser:
        for page in pages:
            found = _compare(page, browser)
            if found is not None:
                compared.append(found)
            options.advance()
    return compared


def _compare(page: CorpusPage, browser: BoxBrowser) -> Compared | None:
    """Compare the blocks that the browser shows; None if there is none."""
    document = document_of(page)
    blocks = segment(document)
    exact_rows, rows = browser.lay_out(document), lay_out(document)
    blocks = _visible_blocks(blocks, document, exact_rows)
    if not blocks:
        return None
    exact = block_boxes(blocks, document, exact_rows)
    methods = {METHODS[0]: block_boxes(blocks, document, rows), METHODS[1]: estimated_boxes(blocks, document)}
    middle = middles(blocks, document.measures)
    return Compared(
        page=page,
        kind=_kind(document, rows),
        n_blocks=len(blocks),
        errors={name: _errors(boxes, exact, middle) for name, boxes in methods.items()},
    )


def _visible_blocks(blocks: Sequence[Block], document: Document, rows: RowBoxes) -> tuple[Block, ...]:
    pieces, owners = block_pieces(blocks, document)
    has_box = rows.is_shown[pieces] & (rows.width[pieces] > 0) & (rows.height[pieces] > 0)
    shown = set(owners[has_box].tolist())
    return tuple(block for number, block in enumerate(blocks) if number in shown)


def _errors(boxes: Boxes, exact: Boxes, middle: Floats) -> tuple[float, ...]:
    width, height = np.abs(boxes.width - exact.width), np.abs(boxes.height - exact.height)
    same_column = _columns(boxes) == _columns(exact)
    same_place = place_scores(boxes, middle) == place_scores(exact, middle)
    values = (width, height, width <= NEAR, height <= NEAR, same_column, same_place)
    return tuple(float(value.mean()) for value in values)


def _columns(boxes: Boxes) -> NDArray[np.int64]:
    """Return the third of the width in which the middle of each block stands."""
    columns: NDArray[np.int64] = np.clip((boxes.left + boxes.width / 2) * 3, 0, 2).astype(np.int64)
    return columns


def _page_table(found: Iterable[Said]) -> ResultTable:
    rows = tuple(
        (
            *(page.page.set, page.page.id, page.kind, page.n_blocks),
            *(page.n_blocks - page.n_widths, page.n_blocks - page.n_heights),
        )
        for page in found
    )
    return ResultTable(
        title="Every page: blocks whose box had to be estimated",
        columns=("set", "page", "own CSS", "blocks", "widths estimated", "heights estimated"),
        rows=rows,
    )


def _set_table(found: Sequence[Said]) -> ResultTable:
    sets = sorted({page.page.set for page in found})
    groups = [(name, [page for page in found if page.page.set == name]) for name in sets]
    return ResultTable(
        title="How often an estimate was needed",
        columns=("set", "pages", *KINDS, "link to sheets", "blocks", "widths estimated", "heights estimated"),
        rows=tuple(_set_row(name, pages) for name, pages in [*groups, ("all", list(found))] if pages),
        note="Shares of blocks. A width counts as said where it follows from widths, limits or columns that the page "
        "states for the block or for what it fills; where only the screen or the length of a text decides, it is an "
        "estimate. Sheets that a page links to are not stored with it.",
    )


def _set_row(name: str, pages: Sequence[Said]) -> tuple[Cell, ...]:
    n_blocks = sum(page.n_blocks for page in pages)
    kinds = Counter(page.kind for page in pages)
    return (
        name,
        len(pages),
        *(kinds[kind] for kind in KINDS),
        sum(page.links_sheets for page in pages),
        n_blocks,
        1 - sum(page.n_widths for page in pages) / n_blocks,
        1 - sum(page.n_heights for page in pages) / n_blocks,
    )


def _method_table(compared: Sequence[Compared], seed: int, method: str) -> ResultTable:
    groups = [(kind, [page for page in compared if page.kind == kind]) for kind in KINDS]
    groups.append(("all", list(compared)))
    return ResultTable(
        title=f"Against a browser: {method}",
        columns=(
            "own CSS", "pages", "blocks", "width error", "95 % interval", "height error", "widths near", "heights near",
            "same third", "same place score",
        ),
        rows=tuple(_method_row(name, pages, seed, method) for name, pages in groups if pages),
        note=f"Means over pages. Errors are shares of the screen's width and height; near: within {NEAR}.",
    )  # fmt: skip


def _method_row(name: str, pages: Sequence[Compared], seed: int, method: str) -> tuple[Cell, ...]:
    table = np.array([page.errors[method] for page in pages])
    widths = [(error, 1.0) for error in table[:, 0].tolist()]
    found = interval(widths, [page.page.group for page in pages], mean, seed=seed)
    width, height, *shares = table.mean(axis=0).tolist()
    return (
        name, len(pages), sum(page.n_blocks for page in pages), width, spread(found, signed=False), height, *shares,
    )  # fmt: skip
