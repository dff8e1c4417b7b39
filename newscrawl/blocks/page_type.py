"""Article or hub: what a page is, by how its text and links are arranged; its address is a prior only."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.blocks.body import find_body
from newscrawl.blocks.teasers import find_teasers
from newscrawl.items import PageType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.blocks.body import Body
    from newscrawl.blocks.model import Block
    from newscrawl.blocks.teasers import Teasers
    from newscrawl.dom.document import Document
    from newscrawl.metadata.model import Metadata

MIN_OWN_WEIGHT: Final = 30.0
"""Less text of its own makes no article. Letters."""
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

_URL_PRIORS: Final = {"article": 1.0, "hub": -1.5, "other": -1.0}
_TYPE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"(\w+)"')
_ARTICLE_TYPES: Final = frozenset(
    """Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle LiveBlogPosting
    BackgroundNewsArticle ReviewNewsArticle TechArticle Report""".split()
)
_HUB_TYPES: Final = frozenset("CollectionPage ItemList SearchResultsPage Blog ProfilePage".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJudgement:
    page_type: PageType
    confidence: float
    """Probability of the type, 0..1."""
    evidence: tuple[str, ...]
    """Reasons, one a line, the weightiest first."""


def judge(
    document: Document,
    blocks: Sequence[Block] = (),
    *,
    text: str = "",
    url_kind: str | None = None,
    metadata: Metadata | None = None,
) -> PageJudgement:
    """Tell an article from a hub.

    :param text: the extracted text.
    :param url_kind: ``article``, ``hub``, ``other`` or ``unknown``: what the address promises.
    """
    body = document.once(find_body)
    reasons = sorted(_reasons(document, body, url_kind, metadata), key=lambda reason: -abs(reason[0]))
    log_odds = sum(weight for weight, _ in reasons)
    is_article = log_odds > 0
    return PageJudgement(
        page_type=PageType.ARTICLE if is_article else PageType.HUB,
        confidence=1 / (1 + math.exp(-min(abs(log_odds), 30.0))),
        evidence=tuple(f"{weight:+.1f} {why}" for weight, why in reasons),
    )


def _reasons(
    document: Document, body: Body, url_kind: str | None, metadata: Metadata | None
) -> Iterator[tuple[float, str]]:
    """Yield what speaks for an article (positive log-odds) or a hub, and why."""
    teasers = find_teasers(document, body)
    yield from _text_reasons(body, teasers)
    yield from _markup_reasons(document)
    if metadata is not None and metadata.datePublished is not None:
        yield 0.5, f"published {metadata.datePublished:%Y-%m-%d} by {metadata.fieldSources.get('datePublished', '')}"
    if document.url is not None and urlsplit(document.url)[2:4] in {("", ""), ("/", "")}:
        yield -3.0, "address of a home page"
    elif url_kind in _URL_PRIORS:
        yield _URL_PRIORS[url_kind], f"address of {url_kind} shape"


def _text_reasons(body: Body, teasers: Teasers) -> Iterator[tuple[float, str]]:
    features = body.features
    if not len(features):
        yield -10.0, "no text"
        return
    announced = float(features.free[body.is_body & teasers.is_teaser].sum())
    own = body.weight - announced
    if own < MIN_OWN_WEIGHT:
        yield -10.0, f"own text of {own:.0f} letters, announcements of {announced:.0f}"
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


def _markup_reasons(document: Document) -> Iterator[tuple[float, str]]:
    """Yield what the page declares itself to be."""
    if document.root is None:
        return
    for node in document.root.iter("meta"):
        if (node.get("property") or node.get("name") or "").lower() == "og:type":
            kind = (node.get("content") or "").strip().lower()
            yield (1.0 if "article" in kind else -0.5), f"og:type {kind}"
            break
    types = {
        name
        for node in document.root.iter("script")
        if "ld+json" in (node.get("type") or "").lower() and node.text
        for name in _TYPE.findall(node.text[:100_000])
    }
    if types & _ARTICLE_TYPES:
        yield 1.0, f"JSON-LD {min(types & _ARTICLE_TYPES)}"
    elif types & _HUB_TYPES:
        yield -1.0, f"JSON-LD {min(types & _HUB_TYPES)}"
