"""Labels of a few blocks, given one by one: what they make likely of all others, and which page to ask about next."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.block_features import block_features
from newscrawl.blocks.classify import crawl_blocks
from newscrawl.blocks.model import Block, BlockLabel, labelled
from newscrawl.blocks.segment import with_xpaths
from newscrawl.dom.measures import TEXT
from newscrawl.learn.label_propagation import KNNLP
from newscrawl.learn.samples import UNLABELLED
from newscrawl.training.gold import CODES, RowLabels, block_labels, gold_rows
from newscrawl.training.label_file import read_user_pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from newscrawl.dom.document import Document
    from newscrawl.learn.samples import Floats, Ints
    from newscrawl.training.label_file import UserPage

LABELS: Final = tuple(BlockLabel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A page with what its blocks are taken for."""

    name: str
    document: Document
    blocks: tuple[Block, ...]
    """With the label given, confidence 1, or the likeliest; without one while nothing is labelled."""
    given: tuple[BlockLabel | None, ...]
    """What the user said of each block."""

    @property
    def doubt(self) -> float:
        """Mean doubt of the blocks, 0..2/3: one less the probability of the likeliest label; 1 without any."""
        return float(np.mean([1 - block.confidence for block in self.blocks])) if self.blocks else 0.0


def proposals(pages: Sequence[UserPage]) -> list[Proposal]:
    """Return the pages in their order; labels that a user gave are spread to all other blocks by KNNLP.

    With one class labelled, or none, nothing is proposed.
    """
    blocks = [with_xpaths(crawl_blocks(page.document), page.document) for page in pages]
    given = [_given(page, of_page) for page, of_page in zip(pages, blocks, strict=True)]
    samples = np.concatenate([block_features(of, page.document) for page, of in zip(pages, blocks, strict=True)])
    codes = np.array([UNLABELLED if label is None else CODES[label] for of in given for label in of], dtype=np.int64)
    classes, shares = _spread(samples, codes)
    made, at = [], 0
    for page, of_page, said in zip(pages, blocks, given, strict=True):
        own = shares[at : at + len(of_page)]
        at += len(of_page)
        if len(classes):
            best = own.argmax(axis=1)
            labels = [LABELS[classes[place]] for place in best.tolist()]
            of_page = labelled(of_page, labels, own.max(axis=1).tolist())  # noqa: PLW2901
        made.append(Proposal(name=page.name, document=page.document, blocks=of_page, given=said))
    return made


def least_certain(pages: Sequence[Proposal]) -> Proposal | None:
    """Return the page without a label whose blocks are most in doubt; None where each has one."""
    return max((page for page in pages if not any(page.given)), key=lambda page: page.doubt, default=None)


def _given(page: UserPage, blocks: Sequence[Block]) -> tuple[BlockLabel | None, ...]:
    if page.gold is None:
        return (None,) * len(blocks)
    rows, _ = gold_rows(page.document, page.gold)
    names = block_labels(blocks, page.document.measures, RowLabels(rows=rows, origin="xpaths"))
    return tuple(BlockLabel(name) if name in list(BlockLabel) else None for name in names)


def _spread(samples: Floats, codes: Ints) -> tuple[list[int], Floats]:
    classes = sorted(set(codes[codes != UNLABELLED].tolist()))
    if len(classes) < 2:
        return [], np.zeros((len(samples), 0))
    shares: Floats = KNNLP().fit(samples, codes).label_distributions_
    return classes, shares


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
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_labels(folder: Path) -> list[UserPage]:
    """Return the pages of ``folder/pages`` with the labels of ``folder/labels.jsonl``, which may be missing.

    :raises UserError: there is no page.
    """
    path = folder / "labels.jsonl"
    if not path.is_file():
        path.touch()
    return read_user_pages(folder / "pages", path)[0]
