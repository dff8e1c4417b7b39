"""The first extractor of the project: blocks by density entropy, classified by rules, refined line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from newscrawl.blocks.body import find_body
from newscrawl.blocks.classify import classify, crawl_blocks
from newscrawl.blocks.text import article_lines
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.methods.posts import forum_lines

if TYPE_CHECKING:
    from newscrawl.blocks.body import Body
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Measures


class RulesExtractor(PageExtractor):
    """The lines of the main blocks; of a forum page, all posts. Confidence and evidence are the body's."""

    name: ClassVar[str] = "rules"

    def extract(self, document: Document) -> Extraction:
        blocks = classify(document.once(crawl_blocks), document)
        body = document.once(find_body)
        posts = document.once(forum_lines)
        chosen = article_lines(blocks, body) if posts is None else posts
        return Extraction(
            text="\n".join(body.features.lines.texts(chosen.nonzero()[0].tolist())),
            method=self.name,
            confidence=_confidence(body),
            blocks=blocks,
            evidence=_evidence(body) if posts is None else (*_evidence(body), "a forum: all posts"),
            chosen=chosen,
        )


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
