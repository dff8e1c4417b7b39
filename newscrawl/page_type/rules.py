"""What speaks for an article or a hub: how a page's text and links are arranged, and what it declares itself to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from newscrawl.blocks.body import find_body
from newscrawl.blocks.teasers import find_teasers
from newscrawl.metadata.gather import gather
from newscrawl.metadata.jsonld import ARTICLE_TYPES, LIST_TYPES, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.blocks.body import Body
    from newscrawl.blocks.teasers import Teasers
    from newscrawl.dom.document import Document
    from newscrawl.metadata.gather import Evidence

MIN_OWN_WEIGHT: Final = 30.0
"""Less text of its own makes no article. Letters."""
NO_TEXT: Final = -10.0
"""Log-odds of a page without text of its own."""
EVEN_WEIGHT: Final = 150.0
"""Own text that speaks neither for nor against an article. Letters; an ideograph counts 2.5."""
STORY_LINK_WEIGHT: Final = 20.0
"""A link's text from here on is a headline rather than a section's name."""
NEAR_HEADLINE_LINES: Final = 15
FAR_HEADLINE_LINES: Final = 20.0
"""So many lines more between the title and the text make it one unit of log-odds less an article."""
MIN_PRICES: Final = 6
MAX_PRICE_WEIGHT: Final = 40.0
"""A short line with a currency sign is a price; so many of them make a list of goods."""


def page_teasers(document: Document) -> Teasers:
    return find_teasers(document, document.once(find_body))


def article_reasons(document: Document) -> tuple[tuple[float, str], ...]:
    """Return log-odds for an article (positive) or a hub, and why; the page's address is not asked."""
    body = document.once(find_body)
    return (*_text_reasons(body, document.once(page_teasers)), *_markup_reasons(document.once(gather)))


def _text_reasons(body: Body, teasers: Teasers) -> Iterator[tuple[float, str]]:
    features = body.features
    if not len(features):
        yield NO_TEXT, "no text"
        return
    announced = float(features.free[body.is_body & teasers.is_teaser].sum())
    own = body.weight - announced
    if own < MIN_OWN_WEIGHT:
        yield NO_TEXT, f"own text of {own:.0f} letters, announcements of {announced:.0f}"
        return
    yield max(-2.0, min(3.0, math.log2(own / EVEN_WEIGHT))), f"own text of {own:.0f} letters"
    if announced:
        yield -5.0 * announced / (own + announced), f"{teasers.n_items} announcements of {announced:.0f} letters"
    is_story_link = features.is_links & ~body.is_boilerplate & (features.weight >= STORY_LINK_WEIGHT)
    stories = float(features.weight[is_story_link].sum())
    distance = int(body.is_body.argmax()) - body.headline
    is_titled = body.headline >= 0 and 0 <= distance <= NEAR_HEADLINE_LINES
    limit = 1.0 if is_titled else 2.5  # a short article may stand beside a long list of others
    yield -min(limit, 1.5 * math.log2(1 + stories / own)), f"{int(is_story_link.sum())} lines of links to stories"
    if is_titled:
        yield 1.5, "text just below the page's title"
    elif body.headline < 0:
        yield -0.5, "no line is the page's title"
    elif distance > 0:
        yield -min(2.0, (distance - NEAR_HEADLINE_LINES) / FAR_HEADLINE_LINES), f"text {distance} lines below the title"
    n_prices = int(((features.lines.currencies > 0) & ~features.is_prose & (features.weight <= MAX_PRICE_WEIGHT)).sum())
    if n_prices >= MIN_PRICES:
        yield -min(4.0, n_prices / 3), f"{n_prices} lines with a price"


def _markup_reasons(evidence: Evidence) -> Iterator[tuple[float, str]]:
    """Yield what the page declares itself to be."""
    kinds = evidence.metas.get("og:type")
    if kinds:
        kind = kinds[0].lower()
        yield (1.0 if "article" in kind else -0.5), f"og:type {kind}"
    types = frozenset().union(*map(types_of, evidence.nodes))
    if types & ARTICLE_TYPES:
        yield 1.0, f"JSON-LD {min(types & ARTICLE_TYPES)}"
    elif types & LIST_TYPES:
        yield -1.0, f"JSON-LD {min(types & LIST_TYPES)}"
