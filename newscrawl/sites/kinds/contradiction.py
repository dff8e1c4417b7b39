"""A site that contradicts itself: pages of one template are articles, and others are none."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.sites.kinds.judge import count_pages

if TYPE_CHECKING:
    from newscrawl.sites.kinds.site import SiteEvidence

SURE: Final = 0.9
"""Probability from which on a page is an article without what its form and template say; one less the same is none."""
MIN_PAGES: Final = 3
MIN_SHARE: Final = 0.2
"""Pages of either kind that a template must have, at least, and their share of it."""


class Contradiction(NamedTuple):
    """A template of articles and other pages."""

    articles: str
    others: str
    n_pages: int


def contradiction(site: SiteEvidence) -> Contradiction | None:
    """Return the template with the most pages of either kind; None where each template has one kind."""
    count_pages(site)
    kinds: defaultdict[int, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
    for key, page in site.pages.items():
        chance = site.counts.probability[key]
        if chance >= SURE or chance <= 1 - SURE:
            for place in page.places:
                kinds[place][chance < SURE][page.form] += 1
    found = [(min(ours.total(), theirs.total()), ours, theirs) for ours, theirs in kinds.values()]
    n, articles, others = max(found, key=lambda pair: (pair[0], pair[1].total()), default=(0, Counter(), Counter()))
    n_pages = articles.total() + others.total()
    if n < max(MIN_PAGES, MIN_SHARE * n_pages):
        return None
    said = [f"{counts.total()} {what}, as {counts.most_common(1)[0][0]}" for what, counts in _named(articles, others)]
    return Contradiction(articles=said[0], others=said[1], n_pages=n_pages)


def _named(articles: Counter[str], others: Counter[str]) -> tuple[tuple[str, Counter[str]], ...]:
    return ("articles of a template", articles), ("other pages of it", others)
