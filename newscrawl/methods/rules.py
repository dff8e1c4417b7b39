"""The first extractor of the project: blocks by density entropy, classified by rules, refined line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.blocks.classify import RuleClassifier, crawl_blocks
from newscrawl.blocks.model import BlockLabel
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.methods.posts import forum_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.blocks.body import Body
    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools, Measures


class RulesExtractor(PageExtractor):
    """The lines of the main blocks; of a forum page, all posts. Confidence and evidence are the body's."""

    name: ClassVar[str] = "rules"

    def extract(self, document: Document) -> Extraction:
        blocks = RuleClassifier().classify(document.once(crawl_blocks), document)
        body = document.once(find_body)
        posts = document.once(forum_lines)
        chosen = _article_lines(blocks, body) if posts is None else posts
        return Extraction(
            text="\n".join(body.features.lines.texts(chosen.nonzero()[0].tolist())),
            method=self.name,
            confidence=_confidence(body),
            blocks=blocks,
            evidence=_evidence(body) if posts is None else (*_evidence(body), "a forum: all posts"),
            chosen=chosen,
        )


def _article_lines(blocks: Sequence[Block], body: Body) -> Bools:
    """Tell which of the page's lines are body and stand in a main block."""
    start = body.features.lines.start
    in_main = np.zeros(len(start), dtype=np.bool_)
    for block in blocks:
        if block.label is BlockLabel.MAIN:
            in_main[np.searchsorted(start, block.start) : np.searchsorted(start, block.end)] = True
    chosen: Bools = body.is_body & in_main
    return chosen


def _confidence(body: Body) -> float:
    """Return how much of the page's prose the body holds, less for a body of a few sentences."""
    features = body.features
    prose = float((features.free * features.is_prose).sum())
    if not prose:
        return 0.0
    weight = body.weight
    return min(1.0, weight / prose) * min(1.0, 0.5 + weight / 1000)


def _evidence(body: Body) -> tuple[str, ...]:
    if body.container < 0 or not body.is_body.any():
        return ("no line with sentences outside links",)
    features = body.features
    n_prose = int((body.is_body & features.is_prose).sum())
    return (
        f"container {_name(features.lines.measures, body.container)}: {n_prose} lines of prose",
        f"{int(body.is_body.sum())} of {len(features)} lines are body",
        f"{int(body.is_boilerplate.sum())} lines stand in parts named as boilerplate",
    )


def _name(measures: Measures, row: int) -> str:
    """Return a row's element as a CSS selector."""
    node = measures.nodes[row]
    identity = f"#{node.get('id')}" if node.get("id") else ""
    return measures.tags[row] + identity + "".join(f".{name}" for name in (node.get("class") or "").split())
