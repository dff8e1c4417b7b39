"""Pages with furniture among their paragraphs: pleas, notes on authors, disclaimers and teasers of other pages.

Sites mark such lines up as they do their text. Few labelled pages have them; a network that has seen them in any
article looks at what they have in common with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree, html

from newscrawl.items import PageType
from newscrawl.truth.metrics import tokens

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from newscrawl.dom.document import Document
    from newscrawl.lab.evaluation.corpus import CorpusPage
    from newscrawl.lab.training.news_gold import LineGold
    from newscrawl.network.features import PageLines

MIN_FURNITURE: Final = 5
"""With fewer lines of its language a page gets none: they would all say the same."""

_WORDS: Final = (8, 120)
"""Tokens of a line of furniture."""
_SNIPPET_TOKENS: Final = 20
"""A longer line of a page labelled by snippets weighs no more."""
_SURE: Final = 0.5
"""Share of its tokens that a line must weigh: what scores leave out, or is in doubt, is no furniture."""
_MAX_LINKED: Final = 0.6
_HOLDERS: Final = frozenset("body html td".split())
_SECTIONS: Final = frozenset("div article section".split())
_CLASSES: Final = "note info box footer-text text meta c1 desc".split()
_INLINE: Final = "em strong span i".split()
_UNWRITABLE: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")


def furniture_of(page: CorpusPage, lines: PageLines, texts: Sequence[str], gold: LineGold) -> tuple[str, ...]:
    """Return the lines of an article's page that read as prose and are none of its text."""
    if page.page_type not in (None, PageType.ARTICLE.value):
        return ()
    is_prose = (gold.is_body == 0) & (gold.weight > 0) & (lines.features.is_prose > 0)
    found = []
    for line in np.flatnonzero(is_prose & (lines.lines.link_chars < _MAX_LINKED * lines.lines.chars)).tolist():
        n_tokens = len(tokens(texts[line]))
        if _WORDS[0] <= n_tokens <= _WORDS[1] and gold.weight[line] > _SURE * min(n_tokens, _SNIPPET_TOKENS):
            found.append(_UNWRITABLE.sub(" ", texts[line]))
    return tuple(found)


def with_furniture(
    document: Document, lines: PageLines, gold: LineGold, furniture: Sequence[str], rng: random.Random
) -> str | None:
    """Return the page's markup with lines of ``furniture`` after, before or among its paragraphs.

    The document's tree is changed. None for a page without two paragraphs, or without a place beside the one drawn.
    """
    body = np.flatnonzero((gold.is_body > 0) & (lines.features.is_prose > 0)).tolist()
    if len(body) < 2:
        return None
    is_changed = False
    for _ in range(rng.choice((1, 1, 2))):
        draw = rng.random()
        before = 0.55 <= draw < 0.65
        line = body[-1] if draw < 0.55 else body[0] if before else rng.choice(body)
        beside = document.measures.nodes[lines.lines.block[line]]
        if not _takes_neighbours(beside):
            continue
        is_changed = True
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            added = _paragraph(rng.choice(furniture), beside, rng)
            if before:
                beside.addprevious(added)
            else:
                added.tail, beside.tail = beside.tail, None
                beside.addnext(added)
                beside = added
    if not is_changed or document.root is None:
        return None
    return etree.tostring(document.root, encoding="unicode", method="html")


def _takes_neighbours(node: HtmlElement) -> bool:
    """Tell whether another paragraph may stand beside a block."""
    return node.getparent() is not None and node.tag not in _HOLDERS and not (node.tag in _SECTIONS and len(node))


def _paragraph(text: str, like: HtmlElement, rng: random.Random) -> HtmlElement:
    """Return a paragraph marked up as ``like``: with its class, another or none, in part in a link."""
    node = html.Element(like.tag)
    if rng.random() < 0.5:
        if like.get("class"):
            node.set("class", like.get("class"))
    elif rng.random() < 0.3:
        node.set("class", rng.choice(_CLASSES))
    holder = etree.SubElement(node, rng.choice(_INLINE)) if rng.random() < 0.25 else node
    holder.text = text
    words = text.split(" ")
    if len(words) > 1 and rng.random() < 0.3:
        start = rng.randrange(len(words))
        stop = min(len(words), start + rng.randint(1, 6))
        holder.text = " ".join((*words[:start], ""))
        link = etree.SubElement(holder, "a", href="/x")
        link.text, link.tail = " ".join(words[start:stop]), " ".join(("", *words[stop:]))
    return node
