"""The default extractor: a small network judges every line of the page by its text, its place and what is around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, overload

import numpy as np

from newscrawl.classify.lines.model import judge_by, judge_lines, load_news_model
from newscrawl.classify.verdict import Speaker
from newscrawl.console.wording import quantity
from newscrawl.methods.base import Extraction, LeftOut, PageExtractor
from newscrawl.page.document import Document, parse
from newscrawl.page.segment import Block, BlockLabel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.lines import LineFeatures
    from newscrawl.page.measures import Bools, Ints

    Array = NDArray[np.float32]

MIN_TITLE_MARKUP: Final = 200
"""A page without text whose title holds this much markup is read from there: the title was never closed."""
MAX_ODDS: Final = 6.0
"""Log odds beyond which networks are no better than that (a probability of 0.9975)."""
SETTLED_ODDS: Final = np.float32(2.0)
"""Against a line that the page's structure rules out: what site memory averages."""
MIN_ANCHOR: Final = 16.0
"""Weight of a line of link text from which it is rather a story's headline than a section's name."""
MAX_GAP: Final = 2
"""Lines without links between the links of a list."""
_LABELS: Final = (BlockLabel.OTHER, BlockLabel.RELATED, BlockLabel.MAIN)
_OTHER, _RELATED, _MAIN = range(3)


class NewsExtractor(PageExtractor):
    """:param model: a model file of ``scrapy train news``; the package's where it is empty."""

    name: ClassVar[str] = "news"

    def __init__(self, *, model: str = "") -> None:
        self.judge = partial(judge_by, load_news_model(Path(model))) if model else judge_lines

    def extract(self, document: Document) -> Extraction:
        return self.extract_by(document.once(self.judge), document)

    def extract_by(self, verdict: Verdict, document: Document) -> Extraction:
        """Return the text as a verdict on the document's lines has it."""
        inner = None if len(verdict.features) else _within_title(document)
        if inner is not None:
            return replace(_extraction(inner.once(self.judge)), chosen=None, odds=None)
        return _extraction(verdict)


def _extraction(verdict: Verdict) -> Extraction:
    if verdict.probabilities is None:
        return Extraction(text="", method=NewsExtractor.name, evidence=("no line of text outside links",))
    left_out = sorted(verdict.reasons.items())
    return Extraction(
        text=verdict.text,
        method=NewsExtractor.name,
        confidence=verdict.confidence,
        blocks=LineBlocks(verdict),
        evidence=_evidence(verdict, verdict.probabilities),
        left_out=tuple(LeftOut(verdict.features.lines.text(line), reason) for line, reason in left_out),
        chosen=verdict.is_body,
        odds=_log_odds(verdict),
    )


def _log_odds(verdict: Verdict) -> Array:
    """Return the log odds by which the lines were judged; ``-SETTLED_ODDS`` at most where structure rules them out."""
    least = np.float32(np.exp(-MAX_ODDS) / (1 + np.exp(-MAX_ODDS)))
    inner = np.clip(verdict.likely, least, 1 - least)
    odds: Array = np.log(inner / (1 - inner))
    settled = list(verdict.reasons)
    odds[settled] = np.minimum(odds[settled], -SETTLED_ODDS)
    return odds


def _within_title(document: Document) -> Document | None:
    """Return the page that stands as text in a title that was never closed; None where there is none.

    As browsers do, libxml2 takes everything up to ``</title>`` as its text.
    """
    text = document.title
    start = text.find("<")
    if start < 0 or len(text) - start < MIN_TITLE_MARKUP:
        return None
    return Document(parse(text[start:]), url=document.url)


def _evidence(verdict: Verdict, probabilities: Array) -> tuple[str, ...]:
    kept = verdict.is_body.nonzero()[0]
    if not len(kept):
        return (f"no line is body: the likeliest has a probability of {float(probabilities.max()):.2f}",)
    doubtful = int(((probabilities > 0.2) & (probabilities < 0.8)).sum())
    source = f"probability of at least {verdict.threshold:.2f}"
    if verdict.by is not Speaker.NETWORK:
        source += f", by {verdict.by}"
    return (
        f"{len(kept)} of {len(probabilities)} lines are body, {int(kept[0]) + 1} to {int(kept[-1]) + 1}: {source}",
        quantity(doubtful, "line is doubtful", "lines are doubtful"),
        f"F1 of pages like this one: {verdict.confidence:.2f}",
    )


class LineBlocks(Sequence[Block]):
    """The page's blocks in document order; each is a run of lines with the same label. Made when first asked for.

    A block's confidence is the mean probability of its lines, of being body or of not being it.
    """

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict

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
        return _blocks(self._verdict)


def _blocks(verdict: Verdict) -> tuple[Block, ...]:
    is_body, probabilities, features = verdict.is_body, verdict.likely, verdict.features
    kinds, lines = _line_labels(features, is_body), features.lines
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


def _line_labels(features: LineFeatures, is_body: Bools) -> Ints:
    """Return the label of each line: body, link to a story beside another one, or neither."""
    is_story = features.is_links & (features.weight >= MIN_ANCHOR) & ~is_body
    stories = is_story.nonzero()[0]
    near = np.diff(stories) <= MAX_GAP + 1
    listed = stories[np.append(near, False) | np.insert(near, 0, False)] if len(stories) > 1 else stories[:0]
    kinds = np.where(is_body, _MAIN, _OTHER).astype(np.int32)
    kinds[listed] = _RELATED
    return kinds
