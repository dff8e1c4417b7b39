"""The numbers by which the shipped model classifies a block: the densities of eq. 5, and what they leave out.

All arrays over the blocks of one page; no box on a screen, which would cost as much as everything else together.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.blocks.surroundings import NAME_GROUPS, depths, first_elements, name_groups
from newscrawl.classify.blocks.wording import marks_and_wide, related_titles, service_words
from newscrawl.page.hints import BOILERPLATE_TAGS
from newscrawl.page.line_features import WIDE_WEIGHT
from newscrawl.page.tags import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.learn import Floats, Ints
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures
    from newscrawl.segment.model import Block


TITLE_CHARS: Final = 60
"""Characters at the start of a block where its title would be."""
TAIL_CHARS: Final = 120
"""Characters at the end of a block where page furniture speaks."""

_KINDS: Final = {
    "list": ("ul", "ol", "dl", "li"),
    "table": ("table", "tr", "td", "tbody"),
    "paragraph": ("p", "blockquote", "article", "main"),
    "heading": tuple(HEADINGS),
    "boilerplate_tag": (*BOILERPLATE_TAGS, "header", "address"),
}
_KIND_OF_TAG: Final = {tag: place for place, tags in enumerate(_KINDS.values()) for tag in tags}
_NO_KIND: Final = len(_KINDS)
_KIND_ROWS: Final = np.eye(len(_KINDS), len(_KINDS) + 1)

_DENSITIES: Final = ("text_density", "link_density", "link_text_density")
_AMOUNTS: Final = ("weight", "free_weight", "links", "anchor", "lines", "line_weight", "longest_text", "marks")
_OTHERS: Final = (
    "mark_share", "page_marks", "start", "end", "depth", "related_title", "service_words", "link_share_before",
    "free_weight_before", "link_share_after", "free_weight_after", "steps_from_body", "is_before_body", "share_of_body",
    "beside_body", "number", "blocks",
)  # fmt: skip
FEATURES: Final = (
    *_DENSITIES,
    "link_share",
    *_AMOUNTS,
    *_OTHERS,
    *(f"is_{kind}" for kind in _KINDS),
    *(f"own_{name}_name" for name in NAME_GROUPS),
    *(f"outer_{name}_name" for name in NAME_GROUPS),
)
_AT: Final = {name: place for place, name in enumerate(FEATURES)}
_FIRST_AMOUNT: Final = _AT[_AMOUNTS[0]]
_FIRST_KIND: Final = _AT["is_list"]
_FIRST_NAME: Final = _FIRST_KIND + len(_KINDS)

_COUNTS: Final = attrgetter("n_chars", "n_link_chars", "n_links", "start", "end")


def block_features(blocks: Sequence[Block], document: Document) -> Floats:
    """Return the features of a page's blocks, shape ``(n_blocks, n_features)``, columns as in ``FEATURES``.

    Densities are square roots of shares; amounts and distances are logarithms.
    """
    if not blocks:
        return np.empty((0, len(FEATURES)))
    measures = document.measures
    table = np.zeros((len(FEATURES), len(blocks)))  # transposed: a feature is filled in for all blocks at once
    counts = np.array(list(map(_COUNTS, blocks)))
    texts = [block.text for block in blocks]
    body = _fill_own(table, texts, counts, measures)
    np.sqrt(table[: len(_DENSITIES)], out=table[: len(_DENSITIES)])
    amounts = table[_FIRST_AMOUNT : _FIRST_AMOUNT + len(_AMOUNTS)]
    np.log1p(amounts, out=amounts)
    table[_AT["related_title"], related_titles().held_by([text[:TITLE_CHARS] for text in texts])] = 1
    table[_AT["service_words"], service_words().held_by([text[-TAIL_CHARS:] for text in texts])] = 1
    _fill_neighbours(table)
    _fill_places(table, counts[:, 3:], body, measures)
    kinds = [_KIND_OF_TAG.get(block.tag, _NO_KIND) for block in blocks]
    table[_FIRST_KIND:_FIRST_NAME] = _KIND_ROWS.take(kinds, axis=1)
    first = first_elements(counts[:, 3], measures)
    table[_AT["depth"]] = np.log1p(depths(first, measures))
    table[_FIRST_NAME:] = name_groups(first, measures)
    return table.T


def _fill_own(table: Floats, texts: Sequence[str], counts: Ints, measures: Measures) -> int:
    """Fill in what each block says alone, roots and logarithms to be taken; return the place of the likeliest body."""
    chars, link_chars, links = counts[:, :3].T
    marks, wide = marks_and_wide(texts)
    some_chars = np.maximum(chars, 1)
    letters = 1 + (WIDE_WEIGHT - 1) * wide / some_chars
    free = chars - link_chars
    weight = chars * letters
    page_chars, page_link_chars, page_links = (
        int(column[0]) for column in (measures.chars, measures.link_chars, measures.links)
    )
    n_lines = np.array([text.count("\n") + 1 for text in texts])
    table[_AT["text_density"]] = free / max(page_chars - page_link_chars, 1)
    table[_AT["link_density"]] = links / max(page_links, 1)
    table[_AT["link_text_density"]] = link_chars / max(page_link_chars, 1)
    table[_AT["link_share"]] = link_share = link_chars / some_chars
    table[_AT["weight"]] = weight
    table[_AT["free_weight"]] = free_weight = free * letters
    table[_AT["links"]] = links
    table[_AT["anchor"]] = link_chars * letters / np.maximum(links, 1)
    table[_AT["lines"]] = n_lines
    table[_AT["line_weight"]] = weight / n_lines
    table[_AT["longest_text"]] = _longest_texts(measures, counts[:, 3:]) * letters
    table[_AT["marks"]] = marks
    table[_AT["mark_share"]] = np.minimum(marks / np.maximum(weight, 1), 0.1)
    table[_AT["page_marks"]] = np.sqrt(marks / max(marks.sum(), 1))
    score = marks * (1 - link_share) * np.sqrt(free_weight)
    body = int(score.argmax())
    table[_AT["share_of_body"]] = np.sqrt(score / max(float(score[body]), 1e-9))
    return body


def _fill_neighbours(table: Floats) -> None:
    """Fill in what the blocks before and after say; nothing stands before the first and after the last."""
    for name in ("link_share", "free_weight"):
        values = table[_AT[name]]
        table[_AT[f"{name}_before"], 1:] = values[:-1]
        table[_AT[f"{name}_after"], :-1] = values[1:]


def _fill_places(table: Floats, spans: Ints, body: int, measures: Measures) -> None:
    """Fill in where blocks stand: on the page, and against block ``body``."""
    start, end = spans.T
    n, rows = len(spans), max(len(measures), 1)
    number = np.arange(n)
    parents = measures.parent.take(start)
    table[_AT["start"]] = start / rows
    table[_AT["end"]] = end / rows
    table[_AT["steps_from_body"]] = np.log1p(np.abs(number - body))
    table[_AT["is_before_body"], :body] = 1
    table[_AT["beside_body"]] = parents == parents[body]
    table[_AT["number"]] = number / n
    table[_AT["blocks"]] = np.log1p(n)


def _longest_texts(measures: Measures, spans: Ints) -> Ints:
    """Return the characters of the longest text node in each block.

    :param spans: first row and end of each block, shape ``(n_blocks, 2)``, in document order.
    """
    n = len(measures)
    own = np.zeros(n + 1, dtype=np.int64)
    np.multiply(measures.chars, measures.end == np.arange(1, n + 1), out=own[:n])
    longest: Ints = np.maximum.reduceat(own, spans.ravel())[::2]
    return longest
