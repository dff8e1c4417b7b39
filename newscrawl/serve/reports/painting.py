"""Blocks of a page drawn in colour: text only, escaped; the page itself is never executed or shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from newscrawl.page.segment import BlockLabel
from newscrawl.serve.reports.charts import strip
from newscrawl.serve.reports.page import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.page.segment import Block
    from newscrawl.serve.reports.charts import Drawing

UNLABELLED = "none"


class Painted(NamedTuple):
    block: Block
    label: str
    """A class of the style sheet: main, related, other or none."""
    lines: list[str]
    cut: bool
    """Whether text is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Painting:
    blocks: tuple[Painted, ...]
    strip: Drawing
    """The page from top to bottom as one bar."""
    chars: dict[str, int]
    """Label → characters."""


def paint(blocks: Sequence[Block], *, max_chars: int | None = None) -> Painting:
    """Prepare blocks for drawing, in the order of the page.

    :param max_chars: characters shown of a block that is not main text; None: all of them.
    """
    chars: Counter[str] = Counter()
    for block in blocks:
        chars[label_of(block)] += block.n_chars
    names = [*map(str, BlockLabel), UNLABELLED]
    return Painting(
        blocks=tuple(_painted(block, max_chars) for block in blocks),
        strip=strip("blocks of the page, top to bottom", [(label_of(block), block.n_chars) for block in blocks]),
        chars={name: chars[name] for name in names if chars[name]},
    )


def painted_page(title: str, blocks: Sequence[Block]) -> str:
    """Return a self-contained HTML page that shows the blocks."""
    return render("segment.html.jinja", title=title, painting=paint(blocks))


def label_of(block: Block) -> str:
    return str(block.label) if block.label else UNLABELLED


def _painted(block: Block, max_chars: int | None) -> Painted:
    lines = [line for line in block.text.splitlines() if line.strip()]
    cut = max_chars is not None and block.label is not BlockLabel.MAIN and len(block.text) > max_chars
    if cut:
        lines = [" · ".join(lines)[:max_chars]]
    return Painted(block, label_of(block), lines, cut)
