"""Runs of lines of one kind as blocks: what the ``news`` extractor made of each part of a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, overload

import numpy as np

from newscrawl.segment.model import Block, BlockLabel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import PageLines
    from newscrawl.page.measures import Bools, Ints

MIN_ANCHOR: Final = 16.0
"""Weight of a line of link text from which it is rather a story's headline than a section's name."""
MAX_GAP: Final = 2
"""Lines without links between the links of a list."""
_LABELS: Final = (BlockLabel.OTHER, BlockLabel.RELATED, BlockLabel.MAIN)
_OTHER, _RELATED, _MAIN = range(3)


class LineBlocks(Sequence[Block]):
    """The page's blocks in document order; each is a run of lines with the same label. Made when first asked for.

    A block's confidence is the mean probability of its lines, of being body or of not being it.
    """

    def __init__(self, page: PageLines, is_body: Bools, probabilities: NDArray[np.float32]) -> None:
        self._page, self._is_body, self._probabilities = page, is_body, probabilities

    @overload
    def __getitem__(self, place: int) -> Block: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, place: int | slice) -> Block | tuple[Block, ...]:
        return self._blocks[place]

    def __len__(self) -> int:
        return len(self._blocks)

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return _blocks(self._page, self._is_body, self._probabilities)


def _blocks(page: PageLines, is_body: Bools, probabilities: NDArray[np.float32]) -> tuple[Block, ...]:
    kinds = _kinds(page, is_body)
    lines, features = page.lines, page.features
    begins = np.diff(kinds, prepend=-1).nonzero()[0]
    stops = np.append(begins[1:], len(kinds))
    starts = np.append(lines.start, lines.rows[-1] + 1)
    chars = np.add.reduceat(lines.chars, begins).tolist()
    link_chars = np.add.reduceat(lines.link_chars, begins).tolist()
    links = np.add.reduceat(features.is_links, begins, dtype=np.int32).tolist()
    sure = np.add.reduceat(np.where(is_body, probabilities, 1 - probabilities), begins) / (stops - begins)
    texts = lines.texts(range(len(lines)))
    return tuple(
        Block(
            index=index,
            tag=lines.measures.tags[lines.block[first]],
            xpath="",
            text="\n".join(texts[first:stop]),
            n_chars=chars[index],
            n_link_chars=link_chars[index],
            n_links=links[index],
            start=int(starts[first]),
            end=int(starts[stop]),
            label=_LABELS[kinds[first]],
            confidence=float(sure[index]),
        )
        for index, (first, stop) in enumerate(zip(begins.tolist(), stops.tolist(), strict=True))
    )


def _kinds(page: PageLines, is_body: Bools) -> Ints:
    """Return the label of each line: body, link to a story beside another one, or neither."""
    features = page.features
    is_story = features.is_links & (features.weight >= MIN_ANCHOR) & ~is_body
    stories = is_story.nonzero()[0]
    near = np.diff(stories) <= MAX_GAP + 1
    listed = stories[np.append(near, False) | np.insert(near, 0, False)] if len(stories) > 1 else stories[:0]
    kinds = np.where(is_body, _MAIN, _OTHER).astype(np.int32)
    kinds[listed] = _RELATED
    return kinds
