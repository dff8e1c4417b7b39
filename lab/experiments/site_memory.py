"""Site memory: what is left of the extraction's error when a site's earlier pages are remembered.

Sites of five pages or more, each site's pages one after the other in random orders, labelled or not; a page is judged
with what the pages before it left behind. The extractor's own choice, by a model that was not trained on the site,
is the same with and without memory. Beside it stands what memory could give at most: the labels of the lines it has
anything to say about.
"""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.evaluation.corpus import load
from lab.evaluation.score import Scorer
from lab.experiments.base import ExperimentResult, ResultTable, by_site, document_of, is_labelled
from lab.training.held_out import split_variant, variant_of
from lab.training.news_gold import line_gold
from newscrawl.extractors import get_extractor
from newscrawl.methods.base import DEFAULT_METHOD
from newscrawl.page.lines import line_features
from newscrawl.read.memory import page_keys
from newscrawl.serve.training.metrics import text_score
from newscrawl.sites.memory import SiteMemory, known_odds, refine_lines, settle_host
from newscrawl.sites.sightings import HostMemory, sighting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.extractors import Extraction, Extractor
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools

MIN_PAGES: Final = 5
LARGE: Final = 20
"""Pages from which on a site is shown, and held, by itself."""
ORDERS: Final = 5
KNOWN_PAGES: Final = 2
"""Articles at the same places from which on a page's template is known: it is the third of it, or a later one."""
BOUNDS: Final = ("texts seen before", "places seen before", "all lines")
"""Lines whose labels are given in place of what the extractor says: the most that memory of that kind could give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A labelled page in one order of its site's pages."""

    alone: float
    """F1 without memory."""
    remembered: float
    n_known: int
    """Pages of its template before it, at most ``KNOWN_PAGES``; -1 where nothing was known of the site."""
    bounds: tuple[float, ...]
    """F1 with each of ``BOUNDS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One site's labelled pages, in each order."""

    name: str
    pages: tuple[CorpusPage, ...]
    orders: tuple[tuple[Visit, ...], ...]
    settled: float
    """Error left where all pages are known."""

    @property
    def n(self) -> int:
        return len(self.orders[0])

    @property
    def error(self) -> float:
        return sum(1 - visit.alone for visit in self.orders[0])

    @property
    def left(self) -> float:
        """Error left with memory, mean over the orders."""
        return statistics.fmean(sum(1 - visit.remembered for visit in order) for order in self.orders)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A page as the extractor left it."""

    page: CorpusPage
    document: Document
    alone: Extraction
    is_gold: Bools | None
    """Whether each line is text; None for a page without labels."""


@dataclass(slots=True)
class _Judge:
    """Scores texts, each only once."""

    scorer: Scorer = field(default_factory=Scorer)
    known: dict[tuple[str, str, str], float] = field(default_factory=dict)

    def f1(self, page: CorpusPage, text: str) -> float:
        key = page.set, page.id, text
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
        tables=(_summary(sites), _by_knowledge(sites), _bounds(sites), _per_site(sites)),
        pages=tuple(page for site in sites for page in site.pages),
    )


def _site(name: str, found: Sequence[CorpusPage], judge: _Judge, options: Options) -> Site:
    pages = [_read_page(page) for page in found]
    orders = []
    for number in range(ORDERS):
        order = random.Random(options.seed + number).sample(pages, len(pages))  # noqa: S311 (an experiment)
        orders.append(tuple(_visits(order, judge)))
        options.advance()
    return Site(name=name, pages=tuple(found), orders=tuple(orders), settled=_settled(pages, judge))


def _read_page(page: CorpusPage) -> _Page:
    document = document_of(page)
    alone = _extractor(page).extract(document)
    is_gold = None
    if is_labelled(page):
        lines = document.once(line_features).lines
        gold = line_gold(page, lines.texts(range(len(lines))))
        is_gold = None if gold is None else gold.is_body > 0
    return _Page(page=page, document=document, alone=alone, is_gold=is_gold)


def _extractor(page: CorpusPage) -> Extractor:
    """Return the default extractor, by a model that has not seen the page's site."""
    return _variant(variant_of(DEFAULT_METHOD, page))


@cache
def _variant(name: str) -> Extractor:
    method, constants = split_variant(name)
    return get_extractor(method, **constants)


def _visits(order: Sequence[_Page], judge: _Judge) -> list[Visit]:
    memory = SiteMemory()
    visits = []
    for page in order:
        host = page.page.group
        chosen, text = page.alone.chosen, page.alone.text
        if chosen is not None:
            keys = page.document.once(page_keys)
            chosen = memory.refine(host, keys, chosen, page.alone.odds).chosen
            text = keys.joined(chosen)
        if page.is_gold is not None:
            known = memory.hosts.get(host)
            visits.append(
                Visit(
                    alone=judge.f1(page.page, page.alone.text),
                    remembered=judge.f1(page.page, text),
                    n_known=_n_known(page, known),
                    bounds=_bounds_of(page, known, judge),
                )
            )
        if page.alone.chosen is not None:
            memory.observe(host, page.document.once(page_keys), page.alone.chosen, page.alone.odds)
    return visits


def _settled(pages: Sequence[_Page], judge: _Judge) -> float:
    """Return the error left where all pages of a site are known, as at the end of a harvest."""
    judged = [
        (page, page.document.once(page_keys), page.alone.chosen, known_odds(page.alone.chosen, page.alone.odds))
        for page in pages
        if page.alone.chosen is not None and page.alone.chosen.any()
    ]
    memory = HostMemory()
    counted = settle_host(pages[0].page.group, memory, (sighting(*page[1:]) for page in judged))
    texts = {}
    for page, keys, chosen, odds in judged:
        found = refine_lines(memory, keys, chosen, odds, is_known=keys.address in counted)
        texts[page.page.id] = keys.joined(found.chosen)
    return sum(
        1 - judge.f1(page.page, texts.get(page.page.id, page.alone.text)) for page in pages if page.is_gold is not None
    )


def _n_known(page: _Page, memory: HostMemory | None) -> int:
    """Return how many articles stood where most of this one's text stands."""
    chosen = page.alone.chosen
    if memory is None or chosen is None or not chosen.any():
        return -1
    keys = page.document.once(page_keys)
    letters = np.bincount(keys.place, weights=keys.weight * chosen)
    place = memory.places.get(keys.places[int(np.argmax(letters))])
    return min(place.n_pages, KNOWN_PAGES) if place else 0


def _bounds_of(page: _Page, memory: HostMemory | None, judge: _Judge) -> tuple[float, ...]:
    """Return the F1 with the labels of the lines that memory could say something about."""
    chosen, is_gold = page.alone.chosen, page.is_gold
    if memory is None or chosen is None or is_gold is None:
        return (judge.f1(page.page, page.alone.text),) * len(BOUNDS)
    keys = page.document.once(page_keys)
    here = zip(keys.keys, keys.at_places(range(len(chosen)), keys.keys), strict=True)
    is_text = np.array([text in memory.texts or key in memory.texts for text, key in here])
    is_place = np.array([key in memory.places for key in keys.places])[keys.place]
    found = []
    for known in (is_text, is_place, np.ones_like(chosen)):
        taken = np.flatnonzero(np.where(known, is_gold, chosen)).tolist()
        found.append(judge.f1(page.page, "\n".join([keys.lines[line] for line in taken])))
    return tuple(found)


def _summary(sites: Sequence[Site]) -> ResultTable:
    groups = (
        ("all sites", list(sites)),
        (f"sites of {LARGE} pages and more", [site for site in sites if len(site.pages) >= LARGE]),
        ("smaller sites", [site for site in sites if len(site.pages) < LARGE]),
    )
    return ResultTable(
        title="Error left (sum over pages of 1 - F1)",
        columns=(
            "sites",
            "n",
            "labelled pages",
            "alone",
            "with memory",
            "gone %",
            "F1 alone",
            "F1 with memory",
            "settled",
            "F1 settled",
        ),
        rows=tuple(_group_row(name, group) for name, group in groups if group),
        note=f"Mean of {ORDERS} orders. The first page of a site has no memory to ask and counts as it is.",
    )


def _group_row(name: str, sites: Sequence[Site]) -> tuple[Cell, ...]:
    n = sum(site.n for site in sites)
    error, left = sum(site.error for site in sites), sum(site.left for site in sites)
    end = sum(site.settled for site in sites)
    return (name, len(sites), n, error, left, _gone(error, left), 1 - error / n, 1 - left / n, end, 1 - end / n)


def _gone(error: float, left: float) -> float:
    """Percent of the error."""
    return 100 * (1 - left / error) if error else 0.0


def _by_knowledge(sites: Sequence[Site]) -> ResultTable:
    """Return the figures by what memory knew of a page when it came."""
    names = {-1: "first of the site", 0: "template not seen before", 1: "seen once", 2: "seen twice or more"}
    visits = [visit for site in sites for order in site.orders for visit in order]
    rows = []
    for n_known, name in names.items():
        group = [visit for visit in visits if visit.n_known == n_known]
        error = sum(1 - visit.alone for visit in group) / ORDERS
        left = sum(1 - visit.remembered for visit in group) / ORDERS
        rows.append((name, len(group) / ORDERS, error, left, _gone(error, left)))
    return ResultTable(
        title="Error left by what was known of the template",
        columns=("page", "pages an order", "alone", "with memory", "gone %"),
        rows=tuple(rows),
        note="A template is the place, by tags and classes, where most of the page's text stands.",
    )


def _bounds(sites: Sequence[Site]) -> ResultTable:
    groups = (sites, [site for site in sites if len(site.pages) >= LARGE])
    rows: list[tuple[Cell, ...]] = []
    for place, name in enumerate(BOUNDS):
        gone = []
        for group in groups:
            lost = (1 - visit.bounds[place] for site in group for order in site.orders for visit in order)
            gone.append(_gone(sum(site.error for site in group), sum(lost) / ORDERS))
        rows.append((name, *gone))
    return ResultTable(
        title="Error gone at most, %",
        columns=("lines whose labels are given", "all sites", f"sites of {LARGE} pages and more"),
        rows=tuple(rows),
        note="From a site's second page on: the labels of those lines, and the extractor's own choice for all others.",
    )


def _per_site(sites: Sequence[Site]) -> ResultTable:
    rows = [
        (site.name, len(site.pages), site.n, 1 - site.error / site.n, 1 - site.left / site.n, points)
        for points, site in sorted(
            ((100 * (site.error - site.left) / site.n, site) for site in sites), key=lambda pair: pair[0]
        )
    ]
    return ResultTable(
        title="F1 per site",
        columns=("site", "pages", "labelled", "alone", "with memory", "points"),
        rows=tuple(rows),
    )
