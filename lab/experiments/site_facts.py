"""Places of facts that site memory learns: whether facts stand there, and whether they were better taken from there.

Sites of five pages or more of both corpora, each site's pages in the order of the files. Memory learns without labels
from what was found on a site's earlier articles, as a harvest does. A place that is sure by then is asked on the page:
whether it has an element there, and whether that says what was found without it. Beside what was found stand two uses
of the place: for a fact that was not found, and in place of any that was found, as a rule of the site's file does it.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final

from lab.evaluation.corpus import load_all
from lab.experiments.base import ExperimentResult, ResultTable, by_site, document_of
from lab.experiments.metadata import FETCHED_AT, answers_of
from newscrawl.classify.kind.judge import judge
from newscrawl.extract.facts.extract import date_context, extract_metadata
from newscrawl.items import PageType
from newscrawl.methods.registry import get_extractor
from newscrawl.read.fact_places import fact_places
from newscrawl.read.rules import stated_by_rules
from newscrawl.read.script_data import filled
from newscrawl.sites.memory.facts import FACTS, FactMemory, FactPlace, Support
from newscrawl.sites.rules import SiteRules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.items import Article

MIN_PAGES: Final = 5
LABELS: Final = {"headline": "title", "authors": "author", "date_published": "date"}
"""Field of rules → field of labels."""
FOUND, FILLED, RULED = USES = ("as found", "where nothing was found", "in place of what was found")


@dataclass(slots=True)
class Site:
    """What the pages of a site gave."""

    memory: FactMemory = field(default_factory=FactMemory)
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By field."""
    milliseconds: list[float] = field(default_factory=list)

    def points(self, name: str, use: str) -> float:
        """Return how many points more of the labelled pages are right by a use of the places."""
        counts = self.counts[name]
        return 100 * (counts[use] - counts[FOUND]) / counts["labelled"] if counts["labelled"] else 0.0


def run(options: Options) -> ExperimentResult:
    pages = load_all(options.corpus, limit=options.limit)
    groups = [found for found in by_site(page for page in pages if page.site).values() if len(found) >= MIN_PAGES]
    sites = []
    for group in groups:
        sites.append(_site(group))
        options.advance()
    return ExperimentResult(
        title="Places of facts that site memory learns",
        source="labels of the corpora",
        tables=(_learnt(sites), _used(sites), _cost(sites)),
        pages=tuple(page for group in groups for page in group),
    )


def _site(pages: Sequence[CorpusPage]) -> Site:
    site = Site()
    for page in pages:
        _read(page, site)
    return site


def _read(page: CorpusPage, site: Site) -> None:
    """Judge a page by what the pages before it left behind, and learn from it."""
    document = document_of(page)
    text = filled(document, get_extractor("news").extract(document)).text
    facts = extract_metadata(document, fetched_at=FETCHED_AT, body_text=text)
    for name in FACTS:
        rules = SiteRules(**{name: _sure(site, name)})
        stated = stated_by_rules(document, rules, has_body=False)
        ruled = extract_metadata(document, fetched_at=FETCHED_AT, body_text=text, stated=stated) if stated else facts
        _score(page, name, facts, ruled, site.counts[name])
    if text and judge(document).page_type is PageType.ARTICLE:
        context = date_context(document, FETCHED_AT, None, facts.inLanguage)
        start = time.thread_time()
        places = fact_places(document, facts, context, site.memory.to_ask())
        site.milliseconds.append(1000 * (time.thread_time() - start))
        for name, attribute in FACTS.items():
            site.counts[name]["articles"] += 1
            site.counts[name]["not found"] += not getattr(facts, attribute)
            for selector in _sure(site, name):
                agrees = FactPlace(name, selector, agrees=True) in places
                site.counts[name]["agrees"] += agrees
                site.counts[name]["asked"] += agrees or FactPlace(name, selector, agrees=False) in places
        site.memory.count(places, "")


def _sure(site: Site, name: str) -> tuple[str, ...]:
    """Return the selector of the place of a fact, if there is a sure one."""
    selector, support = next(site.memory.best(name), ("", Support()))
    return (selector,) if support.is_sure else ()


def _score(page: CorpusPage, name: str, facts: Article, ruled: Article, counts: Counter[str]) -> None:
    by_place, as_found = (dict(answers_of(page, found)).get(LABELS[name]) for found in (ruled, facts))
    if by_place is None or as_found is None:
        return
    counts["labelled"] += 1
    counts[FOUND] += as_found.right
    counts[FILLED] += as_found.right if getattr(facts, FACTS[name]) else by_place.right
    counts[RULED] += by_place.right


def _sum(sites: Sequence[Site], name: str) -> Counter[str]:
    return sum((site.counts[name] for site in sites), Counter())


def _learnt(sites: Sequence[Site]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for name in FACTS:
        counts = _sum(sites, name)
        n_sure = sum(bool(_sure(site, name)) for site in sites)
        share = counts["agrees"] / counts["asked"] if counts["asked"] else None
        rows.append((name, len(sites), n_sure, counts["articles"], counts["not found"], counts["asked"], share))
    return ResultTable(
        title="Places that are sure",
        columns=("field", "sites", "with a sure place", "articles", "fact not found", "has a sure place", "agrees"),
        rows=tuple(rows),
        note="Articles that have the place which was sure before them, and the share of them where it says what was "
        "found without it. Where no fact is found the place is not asked.",
    )


def _used(sites: Sequence[Site]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for name in FACTS:
        counts = _sum(sites, name)
        worst = (min(site.points(name, use) for site in sites) for use in (FILLED, RULED))
        rows.append((name, counts["labelled"], *(counts[use] for use in USES), *worst))
    return ResultTable(
        title="Right with facts from sure places",
        columns=(
            "field",
            "labelled pages",
            *USES,
            "worst site, points (nothing found)",
            "worst site, points (in place)",
        ),
        rows=tuple(rows),
        note="Pages whose fact is right by the rules of the experiment metadata.",
    )


def _cost(sites: Sequence[Site]) -> ResultTable:
    times = [milliseconds for site in sites for milliseconds in site.milliseconds]
    return ResultTable(
        title="cost",
        columns=("articles", "median ms", "mean ms"),
        rows=((len(times), median(times), sum(times) / len(times)),),
        note="Processor time of asking and searching one article for places; changes from run to run.",
    )
