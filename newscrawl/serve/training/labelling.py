"""Labels of a few blocks, given one by one: what they make likely of all others, and which page to ask about next.

The correction of the network by place, at its full strength, proposes the rest with its doubt. Label propagation
(KNNLP) from the same clicks proposes fewer blocks rightly: ``scrapy experiment label_clicks`` has both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newscrawl.classify.blocks.classifiers import SiteClassifier
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.site_model import block_odds, fit_site, places_of
from newscrawl.console.files import USER_TEXT
from newscrawl.languages.text import fold_space
from newscrawl.page.measures import TEXT
from newscrawl.page.segment import Block, BlockLabel, label_blocks, with_xpaths
from newscrawl.serve.training.label_file import read_user_pages
from newscrawl.serve.training.rows import label_chars, row_labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from newscrawl.classify.lines.site_model import Floats, SiteModel
    from newscrawl.page.document import Document
    from newscrawl.serve.training.label_file import UserPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A page with what its blocks are taken for."""

    name: str
    document: Document
    blocks: tuple[Block, ...]
    """With the label given, confidence 1, or the likeliest."""
    given: tuple[BlockLabel | None, ...]
    """What the user said of each block."""

    @property
    def title(self) -> str:
        """What the page calls itself; its file's name where it says nothing."""
        return fold_space(self.document.title) or self.name

    @property
    def doubt(self) -> float:
        """Mean doubt of the blocks by their characters: one less the probability of the likeliest label."""
        chars = np.array([block.n_chars for block in self.blocks], dtype=np.float64)
        doubt = np.array([1 - block.confidence for block in self.blocks])
        return float((chars * doubt).sum() / max(1.0, chars.sum()))


def proposals(pages: Sequence[UserPage]) -> list[Proposal]:
    """Return the pages in their order, each block as the site would be read by the labels given so far.

    Without a label that is what the network says.
    """
    blocks = [with_xpaths(crawl_blocks(page.document), page.document) for page in pages]
    given = [given_labels(page, of_page) for page, of_page in zip(pages, blocks, strict=True)]
    places = [places_of(of_page, page.document.measures) for page, of_page in zip(pages, blocks, strict=True)]
    odds = [block_odds(page.verdict, page.document, of_page) for page, of_page in zip(pages, blocks, strict=True)]
    model = _fitted(places, odds, given)
    return [
        Proposal(name=page.name, document=page.document, blocks=_proposed(page, of_page, said, model), given=said)
        for page, of_page, said in zip(pages, blocks, given, strict=True)
    ]


def _fitted(
    places: Sequence[list[list[str]]], odds: Sequence[Floats], given: Sequence[Sequence[BlockLabel | None]]
) -> SiteModel:
    chosen = [number for number, said in enumerate(given) if any(said)]
    known = [place for number in chosen for place in places[number]]
    labels = [label for number in chosen for label in given[number]]
    return fit_site(known, np.concatenate([*(odds[number] for number in chosen), np.empty(0)]), labels)


def _proposed(
    page: UserPage, blocks: tuple[Block, ...], given: Sequence[BlockLabel | None], model: SiteModel
) -> tuple[Block, ...]:
    """Return the blocks with what they are taken for; of what the user said he is sure."""
    found, _ = SiteClassifier(model).judge(blocks, page.document, page.verdict)
    labels = [said or block.label or BlockLabel.OTHER for block, said in zip(found, given, strict=True)]
    sure = [1.0 if said else block.confidence for block, said in zip(found, given, strict=True)]
    return label_blocks(found, labels, sure) if found else ()


def least_certain(pages: Sequence[Proposal]) -> Proposal | None:
    """Return the page without a label whose blocks are most in doubt; None where each has one."""
    return max((page for page in pages if not any(page.given)), key=lambda page: page.doubt, default=None)


def given_labels(page: UserPage, blocks: Sequence[Block]) -> tuple[BlockLabel | None, ...]:
    """Return what the user said of each block of a page, of most of its labelled characters; None: nothing."""
    rows, _ = row_labels(page.document, page.labels)
    counts = [label_chars(block, page.document.measures, rows) for block in blocks]
    return tuple(BlockLabel(of.most_common(1)[0][0]) if of.total() else None for of in counts)


def block_xpath(block: Block, document: Document) -> str:
    """Return an XPath that selects what the block is made of: one step for each of the nodes that were joined."""
    measures, paths, row = document.measures, [], block.start
    while row < block.end:
        node = measures.nodes[row]
        path = node.getroottree().getpath(node)
        if measures.tags[row] is TEXT:
            texts = [str(text) for text in node.xpath("text()")]
            path += f"/text()[{texts.index(measures.texts[row]) + 1}]"
        paths.append(path)
        row = int(measures.end[row])
    return " | ".join(paths)


def set_label(folder: Path, page: Proposal, number: int, label: BlockLabel | None) -> None:
    """Note in the labels file what a user says of a block; None takes back what was said.

    :param folder: that of :func:`read_labels`.
    """
    path = folder / "labels.jsonl"
    line = {"page": page.name, "xpath": block_xpath(page.blocks[number], page.document)}
    kept = [entry for entry in _entries(path) if {name: entry[name] for name in line} != line]
    if label is not None:
        kept.append(line | {"label": str(label)})
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in kept)
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)  # a reader, or a second server, never sees half a file


def _entries(path: Path) -> list[Mapping[str, str]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding=USER_TEXT).splitlines() if line.strip()]


def read_labels(folder: Path) -> list[UserPage]:
    """Return the pages of ``folder/pages`` with the labels of ``folder/labels.jsonl``, which may be missing.

    :raises UserError: there is no page.
    """
    path = folder / "labels.jsonl"
    if not path.is_file():
        path.touch()
    return read_user_pages(folder / "pages", path)[0]
