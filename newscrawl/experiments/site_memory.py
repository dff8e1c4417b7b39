"""Site memory: what is left of the extraction's error when a site's earlier pages are remembered.

Sites of five pages or more, each site's pages one after the other in random orders, labelled or not; a page is judged
with what the pages before it left behind. The extractor's own choice, by a model that was not trained on the site,
is the same with and without memory.
"""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from newscrawl.evaluation.corpus import load
from newscrawl.evaluation.held_out import split_variant, variant_of
from newscrawl.evaluation.metrics import text_score
from newscrawl.evaluation.score import Scorer
from newscrawl.experiments.base import ExperimentResult, ResultTable, by_site, document_of, is_labelled
from newscrawl.extractors import get_extractor
from newscrawl.extractors.registry import DEFAULT_METHOD
from newscrawl.extractors.site_memory import with_memory
from newscrawl.sites.memory import SiteMemory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newscrawl.dom.document import Document
    from newscrawl.evaluation.corpus import CorpusPage
    from newscrawl.experiments.base import Cell, Options
    from newscrawl.extractors import Extraction, Extractor

MIN_PAGES: Final = 5
LARGE: Final = 20
"""Pages from which on a site is shown, and held, by itself."""
ORDERS: Final = 5

Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """F1 of one site's labelled pages."""

    name: str
    pages: tuple[CorpusPage, ...]
    alone: tuple[float, ...]
    """Of each labelled page."""
    remembered: tuple[tuple[float, ...], ...]
    """The same for each order."""

    @property
    def error(self) -> float:
        return sum(1 - f1 for f1 in self.alone)

    @property
    def left(self) -> float:
        """Error left with memory, mean over the orders."""
        return statistics.fmean(sum(1 - f1 for f1 in order) for order in self.remembered)


@dataclass(slots=True)
class _Judge:
    """Scores texts, each only once."""

    scorer: Scorer = field(default_factory=Scorer)
    known: dict[tuple[Key, str], float] = field(default_factory=dict)

    def f1(self, page: CorpusPage, text: str) -> float:
        key = (page.set, page.id), text
        if key not in self.known:
            expected = self.scorer.expected(page)
            score = text_score(expected.text, expected.comparable(text), neutral=expected.neutral)
            self.known[key] = score.f1
        return self.known[key]


def run(options: Options) -> ExperimentResult:
    pages = load(options.corpus, limit=options.limit)
    judge = _Judge()
    sites = [
        _site(name, found, judge, options)
        for name, found in by_site(page for page in pages if page.site).items()
        if len(found) >= MIN_PAGES and any(map(is_labelled, found))
    ]
    return ExperimentResult(
        title=f"Site memory with the extractor {DEFAULT_METHOD}",
        source="DESIGN §3.6",
        tables=(_summary(sites), _per_site(sites)),
        pages=tuple(page for site in sites for page in site.pages),
    )


def _site(name: str, pages: Sequence[CorpusPage], judge: _Judge, options: Options) -> Site:
    documents = {(page.set, page.id): document_of(page) for page in pages}
    alone = {(page.set, page.id): _extractor(page).extract(documents[page.set, page.id]) for page in pages}
    labelled = [page for page in pages if is_labelled(page)]
    orders = []
    for number in range(ORDERS):
        texts = _in_order(pages, documents, alone, random.Random(options.seed + number))  # noqa: S311 (an experiment)
        orders.append(tuple(judge.f1(page, texts[page.set, page.id]) for page in labelled))
        options.advance()
    return Site(
        name=name,
        pages=tuple(pages),
        alone=tuple(judge.f1(page, alone[page.set, page.id].text) for page in labelled),
        remembered=tuple(orders),
    )


def _extractor(page: CorpusPage) -> Extractor:
    """Return the default extractor, by a model that has not seen the page's site."""
    return _variant(variant_of(DEFAULT_METHOD, page))


@cache
def _variant(name: str) -> Extractor:
    method, constants = split_variant(name)
    return get_extractor(method, **constants)


def _in_order(
    pages: Sequence[CorpusPage],
    documents: Mapping[Key, Document],
    alone: Mapping[Key, Extraction],
    order: random.Random,
) -> dict[Key, str]:
    memory = SiteMemory()
    texts = {}
    for page in order.sample(list(pages), len(pages)):
        key = page.set, page.id
        extraction = with_memory(alone[key], documents[key], page.group, memory)
        texts[key] = extraction.text
        if extraction.chosen is not None:
            memory.observe(page.group, documents[key], extraction.chosen)
    return texts


def _summary(sites: Sequence[Site]) -> ResultTable:
    groups = (
        ("all sites", list(sites)),
        (f"sites of {LARGE} pages and more", [site for site in sites if len(site.pages) >= LARGE]),
        ("smaller sites", [site for site in sites if len(site.pages) < LARGE]),
    )
    return ResultTable(
        title="Error left (sum over pages of 1 - F1)",
        columns=("sites", "n", "labelled pages", "alone", "with memory", "gone %", "F1 alone", "F1 with memory"),
        rows=tuple(_group_row(name, group) for name, group in groups if group),
        note=f"Mean of {ORDERS} orders. The first two pages of a site have no memory to ask and count as they are.",
    )


def _group_row(name: str, sites: Sequence[Site]) -> tuple[Cell, ...]:
    n = sum(len(site.alone) for site in sites)
    error, left = sum(site.error for site in sites), sum(site.left for site in sites)
    gone = 100 * (1 - left / error) if error else 0.0
    return (name, len(sites), n, error, left, gone, 1 - error / n, 1 - left / n)


def _per_site(sites: Sequence[Site]) -> ResultTable:
    rows = [
        (site.name, len(site.pages), n, 1 - site.error / n, 1 - site.left / n, 100 * (site.error - site.left) / n)
        for site in sorted(sites, key=lambda site: (site.error - site.left) / len(site.alone))
        if (n := len(site.alone))
    ]
    return ResultTable(
        title="F1 per site",
        columns=("site", "pages", "labelled", "alone", "with memory", "points"),
        rows=tuple(rows),
    )
