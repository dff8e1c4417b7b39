"""Density rules with and without page clusters: accuracy per site, clusters and blocks per site.

A page is right when the 4-gram F1 of its text is at least 0.9. With clusters, each page is judged by rules made from
the other pages of its site, over all sets of the corpus, labelled or not, never from itself; the paper made its rules
from pages apart.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lab.evaluation.corpus import load
from lab.evaluation.score import Scorer
from lab.experiments import published
from lab.experiments.base import (
    NOT_IN_CORPUS,
    ExperimentResult,
    ResultTable,
    by_site,
    compare,
    extract_among,
    is_labelled,
    site_documents,
    spread,
)
from newscrawl.methods.cluster import ClusterExtractor, block_level_rows
from newscrawl.serve.reports.charts import Bar, bars
from newscrawl.serve.training.metrics import RIGHT_F1, text_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.page.document import Document
    from newscrawl.serve.training.metrics import TextScore

SETS: Final = ("gne", "cx163", "daniel", "zhwced", "cxhit")
MIN_PAGES: Final = 5
"""A site with fewer labelled pages says nothing about clusters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One site's pages under both methods."""

    name: str
    seen: tuple[CorpusPage, ...]
    pages: tuple[CorpusPage, ...]
    """Those with labels."""
    without: tuple[TextScore, ...]
    clustered: tuple[TextScore, ...]
    rules: tuple[str, ...]
    """For each page the cluster's size and rule, or that the page was judged alone."""
    n_clusters: int
    blocks: float
    """Mean number of blocks a page."""
    seconds: tuple[float, float, float]
    """Processor time: observing a page, extracting one without clusters, extracting one with them."""


def run(options: Options) -> ExperimentResult:
    pages = load(options.corpus, SETS, limit=options.limit)
    scorer = Scorer()
    sites = [
        _judge(name, found, scorer, options)
        for name, found in by_site(pages).items()
        if sum(map(is_labelled, found)) >= MIN_PAGES
    ]
    return ExperimentResult(
        title="Density rules with and without page clusters",
        source="基于网页聚类的正文信息提取方法, tables 1–2, figs. 2–3",
        tables=(_site_table(sites), _set_table(sites, options.seed), _changed_table(sites), _time_table(sites)),
        pages=tuple(page for site in sites for page in site.seen),
        figures={
            "clusters": bars(
                "Page clusters (fig. 2)", [Bar(label=_label(site), value=site.n_clusters) for site in sites], digits=0
            ),
            "blocks": bars(
                "Blocks a page (fig. 3)", [Bar(label=_label(site), value=site.blocks) for site in sites], digits=0
            ),
        },
    )


def _judge(name: str, seen: Sequence[CorpusPage], scorer: Scorer, options: Options) -> Site:
    documents = site_documents(seen)
    pages = [page for page in seen if is_labelled(page)]
    alone = ClusterExtractor(clustering=False)
    whole = ClusterExtractor()
    observing = _time(whole.observe, documents.values())
    extracting = _time(alone.extract, documents.values())
    with_rules = _time(whole.extract, documents.values())
    without: list[TextScore] = []
    clustered: list[TextScore] = []
    rules: list[str] = []
    for page in pages:
        expected = scorer.expected(page)
        document = documents[page.set, page.id]
        ruled = extract_among(page, documents, ClusterExtractor)
        for scores, text in ((without, alone.extract(document).text), (clustered, ruled.text)):
            scores.append(text_score(expected.text, expected.comparable(text)))
        rules.append(", ".join(why.partition(", ")[0] for why in ruled.evidence))
        options.advance()
    return Site(
        name=name,
        seen=tuple(seen),
        pages=tuple(pages),
        without=tuple(without),
        clustered=tuple(clustered),
        rules=tuple(rules),
        n_clusters=len(whole.clusters),
        blocks=statistics.fmean(_n_blocks(document) for document in documents.values()),
        seconds=(observing / len(seen), extracting / len(seen), with_rules / len(seen)),
    )


def _time(work: Callable[[Document], object], documents: Iterable[Document]) -> float:
    start = time.process_time()
    for document in documents:
        work(document)
    return time.process_time() - start


def _n_blocks(document: Document) -> int:
    return len(block_level_rows(document.measures))


def _label(site: Site) -> str:
    return f"{site.name} ({len(site.pages)} pages)"


def _right(scores: Sequence[TextScore]) -> float:
    return statistics.fmean(score.f1 >= RIGHT_F1 for score in scores)


def _site_table(sites: Sequence[Site]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for site in sites:
        theirs = published.CLUSTERING.get(site.name)
        rows.append(
            (
                site.name,
                len(site.pages),
                site.n_clusters,
                site.blocks,
                _right(site.without),
                _right(site.clustered),
                theirs.without if theirs else None,
                theirs.clustered if theirs else None,
            )
        )
    present = {site.name for site in sites}
    for name, theirs in published.CLUSTERING.items():
        if name not in present:
            rows.append((name, NOT_IN_CORPUS, None, None, None, None, theirs.without, theirs.clustered))
    without = [score for site in sites for score in site.without]
    clustered = [score for site in sites for score in site.clustered]
    rows.append(("all", len(without), None, None, _right(without), _right(clustered), None, published.CLUSTERING_ALL))
    return ResultTable(
        title="Tables 1–2, figs. 2–3: share of right pages per site",
        columns=("site", "n", "clusters", "blocks a page", "without", "with", "without, published", "with, published"),
        rows=tuple(rows),
        note=(
            f"Sites with {MIN_PAGES} labelled pages or more. Published: 200 pages a site of one time; here a site's "
            "pages come from several years (2004–2021) and templates, so that many pages stand alone in their cluster."
        ),
    )


def _set_table(sites: Sequence[Site], seed: int) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for name in (*SETS, "all"):
        found = [
            (without, clustered, page.group)
            for site in sites
            for page, without, clustered in zip(site.pages, site.without, site.clustered, strict=True)
            if name in ("all", page.set)
        ]
        if not found:
            continue
        first, second, groups = (list(column) for column in zip(*found, strict=True))
        compared = compare(first, second, groups, seed=seed)
        rows.append(
            (
                name,
                compared.first.n,
                compared.first.right,
                compared.second.right,
                spread(compared.right_gain),
                compared.first.f1,
                compared.second.f1,
                spread(compared.f1_gain),
            )
        )
    return ResultTable(
        title="The same pages by set, with the interval of the gain",
        columns=("set", "n", "right without", "right with", "gain, 95 %", "F1 without", "F1 with", "gain in F1, 95 %"),
        rows=tuple(rows),
    )


def _changed_table(sites: Sequence[Site]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = [
        (
            "gained" if later.f1 > earlier.f1 else "lost",
            f"{page.set}/{page.id}",
            site.name,
            earlier.f1,
            later.precision,
            later.recall,
            later.f1,
            rule,
        )
        for site in sites
        for page, earlier, later, rule in zip(site.pages, site.without, site.clustered, site.rules, strict=True)
        if (earlier.f1 >= RIGHT_F1) != (later.f1 >= RIGHT_F1)
    ]
    return ResultTable(
        title="Pages that are right under one of the two only, and the rule that decided",
        columns=("", "page", "site", "F1 without", "P with", "R with", "F1 with", "decided by"),
        rows=tuple(sorted(rows, key=lambda row: (str(row[0]), str(row[2]), str(row[1])))),
    )


def _time_table(sites: Sequence[Site]) -> ResultTable:
    observing, alone, ruled = (
        1000 * statistics.fmean(site.seconds[place] for site in sites for _ in site.seen) for place in range(3)
    )
    theirs = published.CLUSTERING_MS
    return ResultTable(
        title="Processor time, the parse left out",
        columns=("what", "ours, ms", "published, ms"),
        rows=(
            ("cluster 100 pages and make rules", 100 * observing, theirs["cluster 100 pages"]),
            ("extract a page without rules", alone, theirs["page without rules"]),
            ("extract a page with rules", ruled, theirs["page with rules"]),
        ),
        note="Published: Java on a 3.1 GHz Pentium, parse included. Our measures of the pages were taken before.",
    )
