"""The first extractor of the project: blocks by density entropy, classified by rules, refined line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from newscrawl.classify.blocks.classify import RuleClassifier, crawl_blocks, find_body
from newscrawl.classify.kind.judge import page_kind
from newscrawl.classify.lines.model import judge_lines
from newscrawl.console.wording import quantity
from newscrawl.items import PageType
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.page.lines import sum_subtrees
from newscrawl.page.rows import inside
from newscrawl.page.segment import BlockLabel
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.blocks.classify import RuledBody
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools, Measures
    from newscrawl.page.segment import Block

MIN_POSTS: Final = 2
MIN_POST_WEIGHT: Final = 20.0
MIN_LINE_WEIGHT: Final = 15.0
"""Shorter lines without sentence marks are names, dates and buttons."""
MIN_SHARE: Final = 0.8
"""Posts with less than this share of the text that is chosen without them are no posts."""
_BLOCKS: Final = frozenset("div li article section tr table dl".split())


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


def forum_lines(document: Document) -> Bools | None:
    """Return which lines stand in the posts; None for a page that is no forum, or shows one post only.

    To be called through :meth:`Document.once`.
    """
    url_kind = url_shape(document.url) if document.url else None
    if page_kind(document, document.once(judge_lines), url_kind=url_kind).page_type is not PageType.FORUM:
        return None
    body = document.once(find_body)
    features, measures = body.features, body.features.lines.measures
    prose = sum_subtrees(features, features.free * (features.is_prose | (features.free >= MIN_LINE_WEIGHT)))
    groups: dict[tuple[int, str, str], list[int]] = {}
    for row, (tag, parent) in enumerate(zip(measures.tags, measures.parent.tolist(), strict=True)):
        if tag in _BLOCKS and prose[row] >= MIN_POST_WEIGHT:
            name = (measures.nodes[row].get("class") or "").split(" ", 1)[0]
            groups.setdefault((parent, tag, name), []).append(row)
    lists = (rows for rows in groups.values() if len(rows) >= MIN_POSTS)
    posts = max(lists, key=lambda rows: float(prose[rows].sum()), default=[])
    if not posts or prose[posts].sum() < MIN_SHARE * body.weight:
        return None
    in_posts = inside(np.array(posts), measures.end)[features.lines.start]
    is_text = features.is_prose | (features.free >= MIN_LINE_WEIGHT)
    chosen: Bools = in_posts & is_text & ~features.is_links
    return chosen


def _article_lines(blocks: Sequence[Block], body: RuledBody) -> Bools:
    """Tell which of the page's lines are body and stand in a main block."""
    start = body.features.lines.start
    in_main = np.zeros(len(start), dtype=np.bool_)
    for block in blocks:
        if block.label is BlockLabel.MAIN:
            in_main[np.searchsorted(start, block.start) : np.searchsorted(start, block.end)] = True
    chosen: Bools = body.is_body & in_main
    return chosen


def _confidence(body: RuledBody) -> float:
    """Return how much of the page's prose the body holds, less for a body of a few sentences."""
    features = body.features
    prose = float((features.free * features.is_prose).sum())
    if not prose:
        return 0.0
    weight = body.weight
    return min(1.0, weight / prose) * min(1.0, 0.5 + weight / 1000)


def _evidence(body: RuledBody) -> tuple[str, ...]:
    if body.container < 0 or not body.is_body.any():
        return ("no line with sentences outside links",)
    features = body.features
    n_prose = int((body.is_body & features.is_prose).sum())
    return (
        f"container {_name(features.lines.measures, body.container)}: {quantity(n_prose, 'line')} of prose",
        f"{int(body.is_body.sum())} of {len(features)} lines are body",
        quantity(int(body.is_boilerplate.sum()), "line stands", "lines stand") + " in parts named as boilerplate",
    )


def _name(measures: Measures, row: int) -> str:
    """Return a row's element as a CSS selector."""
    node = measures.nodes[row]
    identity = f"#{node.get('id')}" if node.get("id") else ""
    return measures.tags[row] + identity + "".join(f".{name}" for name in (node.get("class") or "").split())
