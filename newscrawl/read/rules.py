"""A user's statements about a page: labels of blocks, and the site's rules for text and facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.blocks.classify import places_in
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.structure import HEAD_RULES, left_out, take_labels
from newscrawl.classify.verdict import EVEN, Speaker
from newscrawl.languages.text import fold_space
from newscrawl.page.rows import inside
from newscrawl.page.segment import BlockLabel
from newscrawl.sites.rules import SiteRules, matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.html import HtmlElement

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines
    from newscrawl.page.measures import Bools
    from newscrawl.page.segment import Block


FACTS: Final = tuple(field for field in SiteRules._fields if field not in ("body", "not_body"))
SURE: Final = 1.0
"""Confidence in a text that a user's rule names."""


def judge_by_rules(verdict: Verdict, document: Document, rules: SiteRules) -> Verdict:
    """Return the verdict of ``body``: the lines it names; else the verdict given, less the lines of ``not_body``.

    ``body`` says nothing where it matches no line.
    """
    page = document.once(page_lines) if rules.body or rules.not_body else None
    if page is None or document.root is None:
        return verdict
    lines = page.lines
    unwanted = _inside(document, lines, rules.not_body, first=False)
    is_body = _inside(document, lines, rules.body) & ~unwanted
    if is_body.any():
        reasons = left_out(is_body, page, HEAD_RULES)
        likely = is_body.astype(np.float32)
        return verdict.spoken_by(Speaker.BODY, is_body, probabilities=likely, confidence=SURE, reasons=reasons)
    gone = verdict.is_body & unwanted
    if not gone.any():
        return verdict
    return verdict.spoken_by(
        Speaker.NOT_BODY,
        verdict.is_body & ~unwanted,
        probabilities=np.where(unwanted, np.float32(0), verdict.likely),
        confidence=verdict.confidence,
        reasons={**verdict.reasons, **dict.fromkeys(gone.nonzero()[0].tolist(), str(Speaker.NOT_BODY))},
    )


def _inside(document: Document, lines: Lines, selectors: Sequence[str], *, first: bool = True) -> Bools:
    """Tell which lines stand in elements that the first selector matches, or any of them."""
    measures = lines.measures
    found = np.zeros(len(lines), dtype=np.bool_)
    for selector in selectors:
        nodes = [node for node in matches(selector, document.root) if not isinstance(node, str)]  # type: ignore[arg-type]
        if nodes:
            found |= inside(measures.rows_among(nodes), measures.end)[lines.start]
        if first and found.any():
            break
    return found


def stated_by_rules(document: Document, rules: SiteRules, *, has_body: bool) -> dict[str, tuple[str, ...]]:
    """Return what the rules find of the other fields: field → texts, white space folded, none of them empty.

    :param has_body: whether ``body`` decides on the text; that is told as a field without texts.
    """
    found: dict[str, tuple[str, ...]] = {"body": ()} if has_body else {}
    for field in FACTS:
        texts = () if document.root is None else _texts(document, getattr(rules, field))
        if texts:
            found[field] = texts
    return found


def _texts(document: Document, selectors: Sequence[str]) -> tuple[str, ...]:
    found = (tuple(filter(None, _shown(document, selector))) for selector in selectors)
    return next(filter(None, found), ())


def _shown(document: Document, selector: str) -> Iterator[str]:
    for node in matches(selector, document.root):  # type: ignore[arg-type]
        yield fold_space(node) if isinstance(node, str) else said_by(node)


def said_by(element: HtmlElement) -> str:
    """Return the text that a rule reads from an element, white space folded."""
    if element.tag == "meta":
        return fold_space(element.get("content") or "")
    return fold_space(element.get("datetime") or element.text_content())


def judge_by_labels(verdict: Verdict, document: Document, blocks: Sequence[Block]) -> Verdict:
    """Return the verdict of the labels: the lines of the blocks labelled main.

    A page without lines, or without a main block, keeps the given verdict.
    """
    page = document.once(page_lines) if any(block.label is BlockLabel.MAIN for block in blocks) else None
    if page is None:
        return verdict
    lines = page.lines
    place = places_in(blocks, lines.start, lines.start + 1)
    main = np.array([_main_probability(block) for block in blocks], dtype=np.float32)
    probabilities = np.where(place < 0, np.float32(0), main[place])
    return take_labels(verdict, page, probabilities, probabilities > EVEN)


def _main_probability(block: Block) -> float:
    """Return the probability that a block is main text. A label alone gives a probability on its side of one half."""
    if block.label is BlockLabel.MAIN:
        return max(block.confidence, EVEN + 0.01)
    return min(1 - block.confidence, EVEN)
