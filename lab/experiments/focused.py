"""Focused crawling: harvest rate and recall of each strategy on stored sites (fig. 7 of Zhang, Cao, Li 2015)."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lab.charts import Curve, chart
from lab.evaluation.harvest_curve import HarvestCurve, mean
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.focused_ablations import ABLATIONS, AblatedScorer
from lab.experiments.focused_crawl import crawl
from lab.experiments.focused_graph import LinkGraph, at_random, oracle, read_graph
from lab.experiments.focused_simulation import Crawled, simulate
from lab.experiments.focused_site import StoredPage, read_topics, sites_folder, stored_feeds, stored_pages
from newscrawl.exceptions import UserError
from newscrawl.focus.crawl import Focus
from newscrawl.focus.strategies import STRATEGIES
from newscrawl.focus.topic import Keyword, Topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from lab.experiments.base import Cell, Options
    from newscrawl.links.model import ListedEntry
    from newscrawl.serve.reports.charts import Drawing

COMPARED: Final = tuple(name for name in STRATEGIES if name != "random")
"""Random choice is counted on the graph alone."""
HOME: Final = "home"
N_RANDOM: Final = 5
CURVE_POINTS: Final = 100
MAX_EXACT: Final = 14
PAPER: Final = {"ata": "0.68 → 0.37", "ata+blocks": "0.79 → 0.52"}
"""Fig. 7: harvest rate at the beginning and at the end, on the paper's own pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A topic to crawl for from a set of seeds, with what is relevant: known to the measures alone."""

    id: str
    topic: Topic
    sites: tuple[str, ...]
    draw: str
    """``home``, ``given`` (the relevant pages drawn once and for all), or the number of another draw."""
    seeds: tuple[str, ...]
    relevant: frozenset[str]
    """Relevant pages that can be reached from the seeds."""
    unclear: frozenset[str] = frozenset()
    """Pages that the truth of the site counts neither way: the judge's F1 leaves them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one crawl of one task gave."""

    task: Task
    strategy: str
    curve: HarvestCurve
    f1: float | None
    """F1 of the crawler's own judgement over the articles it fetched."""

    @property
    def n_relevant(self) -> int:
        return len(self.task.relevant)

    @property
    def hr(self) -> float:
        return self.curve.harvest_rate_at_r(self.n_relevant)

    @property
    def per_request(self) -> float:
        return self.curve.rate_of_requests(self.n_relevant)

    @property
    def requests(self) -> float:
        """Requests per fetched page."""
        pages = len(self.curve.relevant)
        return self.curve.requests[-1] / pages if self.curve.requests and pages else 1.0

    @property
    def recall(self) -> float:
        return self.curve.recall_at_2r(self.n_relevant)


def run(options: Options) -> ExperimentResult:
    """Crawl for every topic with every strategy.

    ``--sites DIR`` takes other sites than those beside the corpus, ``--limit N`` at most N topics of each. Values:
    ``mode=simulate`` (default: over pages parsed once, by the crawl's own judge and scorer) or ``mode=crawl`` (real
    crawls by replay); ``topics=``, ``strategies=``, ``draws=`` (names separated by commas, number of draws beside the
    given one).
    """
    values = _values(options.values)
    folder = sites_folder(options)
    bench = Bench(folder, options, mode=values["mode"])
    found: list[Figures] = []
    for task in tasks(folder, values["topics"], n_draws=int(values["draws"]), seed=options.seed, limit=options.limit):
        if not task.relevant:
            continue
        for strategy in values["strategies"]:
            found.append(bench.figures(task, strategy))
            options.advance()
        found += bench.bounds(task)
    single = [figures for figures in found if len(figures.task.sites) == 1]
    tables = (_means(single), _by_site(single), _pair(single), _by_topic(found), _judge(found))
    how = "real crawls by replay, one request at a time" if values["mode"] == "crawl" else "simulated over parsed pages"
    return ExperimentResult(
        title=f"Focused crawling: {how}",
        source="Zhang, Cao, Li (2015), fig. 7, eq. (16)",
        tables=tuple(table for table in tables if table.rows),
        figures=dict(_pictures(single)),
    )


_DEFAULTS: Final = {
    "mode": "simulate",
    "topics": "",
    "strategies": ",".join((*COMPARED, *ABLATIONS)),
    "draws": "5",
}


def _values(given: Mapping[str, str]) -> dict[str, Any]:
    for name in given:
        if name not in _DEFAULTS:
            raise UserError(f"unknown value {name!r}; accepted: {', '.join(_DEFAULTS)}")
    values: dict[str, Any] = _DEFAULTS | dict(given)
    if values["mode"] not in ("simulate", "crawl"):
        raise UserError(f"mode={values['mode']!r} is not accepted; give simulate or crawl")
    if not values["draws"].isdigit():
        raise UserError(f"draws={values['draws']!r} is not accepted; give a whole number")
    strategies = values["strategies"].split(",")
    for name in strategies:
        is_known = name in COMPARED or ":" in name or (name in ABLATIONS and values["mode"] != "crawl")
        if not is_known:
            names = ", ".join((*COMPARED, *ABLATIONS, "module:Class"))
            raise UserError(f"strategies={name!r} is not accepted; give {names}")
    return values | {"strategies": strategies, "topics": [name for name in values["topics"].split(",") if name]}


def tasks(folder: Path, topics: Sequence[str], *, n_draws: int, seed: int, limit: int | None = None) -> Iterator[Task]:
    """Yield home page, the given draw and ``n_draws`` more for each topic of ``topics.json``.

    :param limit: at most so many topics of each site, for a quick look.
    """
    n_taken: Counter[tuple[str, ...]] = Counter()
    for row in read_topics(folder):
        if topics and row["id"] not in topics:
            continue
        n_taken[tuple(row["sites"])] += 1
        if limit is not None and n_taken[tuple(row["sites"])] > limit:
            continue
        graph = read_graph(folder, row["sites"])
        given, all_relevant = row["seeds"]["relevant"], sorted(row["relevant"])
        draws = {HOME: row["seeds"]["home"], "given": given}
        for number in range(1, n_draws + 1):
            draw = random.Random(f"{seed} {row['id']} {number}")  # noqa: S311
            draws[str(number)] = draw.sample(all_relevant, len(given))
        keywords = tuple(Keyword(term=word) for word in row["keywords"])
        for name, seeds in draws.items():
            reachable = {graph.urls[page] for page in graph.reachable(graph.numbers(seeds))}
            yield Task(
                id=row["id"],
                topic=Topic(name=row["name"], keywords=keywords),
                sites=tuple(row["sites"]),
                draw=name,
                seeds=tuple(seeds),
                relevant=frozenset(reachable & set(all_relevant)),
                unclear=graph.unclear - set(all_relevant),
            )


class Bench:
    """Runs crawls, with the stored pages of the latest sites at hand."""

    def __init__(self, folder: Path, options: Options, *, mode: str = "simulate") -> None:
        self.folder = folder
        self.options = options
        self.mode = mode
        self._pages: dict[str, dict[str, StoredPage]] = {}
        self._feeds: dict[str, dict[str, list[ListedEntry]]] = {}
        self._graphs: dict[tuple[str, ...], LinkGraph] = {}

    def figures(self, task: Task, strategy: str) -> Figures:
        if self.mode == "crawl":
            warcs = [self.folder / f"{site}.warc.gz" for site in task.sites]
            return _figures(task, strategy, crawl(warcs, task.topic, strategy, task.seeds, 2 * len(task.relevant)))
        focus = Focus(task.topic, "learned" if strategy in ABLATIONS else strategy, seeds=task.seeds)
        if strategy in ABLATIONS:
            focus.scorer = AblatedScorer(focus.model, strategy)
        return self.simulated(task, focus, strategy)

    def simulated(self, task: Task, focus: Focus, strategy: str, *, order: int = 0) -> Figures:
        """Return what a crawl by a topic, judge and scorer gives that are at hand."""
        judges = strategy == "learned" or strategy in ABLATIONS or ":" in strategy
        pages = self._pages_of(task.sites)
        budget = 2 * len(task.relevant)
        feeds = {url: entries for site in task.sites for url, entries in self._feeds[site].items()}
        crawled = simulate(pages, focus, task.seeds, budget, judges=judges, order=order, feeds=feeds)
        return _figures(task, strategy, crawled)

    def bounds(self, task: Task) -> Iterator[Figures]:
        """Yield what the graph alone gives: random choice, and a crawler that knows everything."""
        graph = self._graphs.get(task.sites) or read_graph(self.folder, task.sites)
        self._graphs = {task.sites: graph}
        seeds, relevant = graph.numbers(task.seeds), graph.numbers(sorted(task.relevant))
        budget = 2 * len(relevant)
        for number in range(N_RANDOM):
            yield _of_graph(task, "random", graph, at_random(graph, seeds, budget, self.options.seed + number))
        yield _of_graph(task, "oracle", graph, oracle(graph, seeds, relevant, budget))

    def _pages_of(self, sites: tuple[str, ...]) -> dict[str, StoredPage]:
        for site in [site for site in self._pages if site not in sites]:
            del self._pages[site]
        for site in sites:
            if site not in self._pages:
                cache = None if self.options.cache is None else self.options.cache / f"{site}.jsonl.gz"
                warc = self.folder / f"{site}.warc.gz"
                self._pages[site] = stored_pages(warc, cache, advance=self.options.advance)
                self._feeds[site] = stored_feeds(warc) if warc.exists() else {}
        return {url: page for site in sites for url, page in self._pages[site].items()}


def _figures(task: Task, strategy: str, crawled: Crawled) -> Figures:
    relevant = tuple(url in task.relevant for url in crawled.urls)
    judged = zip(crawled.urls, crawled.judged, relevant, strict=True)
    pairs = [(own, true) for url, own, true in judged if own is not None and url not in task.unclear]
    both = sum(own and true for own, true in pairs)
    either = sum(own for own, _ in pairs) + sum(true for _, true in pairs)
    f1 = 2 * both / either if either else None
    return Figures(task=task, strategy=strategy, curve=HarvestCurve(relevant, crawled.requests), f1=f1)


def _of_graph(task: Task, strategy: str, graph: LinkGraph, order: Sequence[int]) -> Figures:
    relevant = tuple(graph.urls[page] in task.relevant for page in order)
    return Figures(task=task, strategy=strategy, curve=HarvestCurve(relevant), f1=None)


# --- tables ----------------------------------------------------------------------------------------------


def kind_of(figures: Figures) -> str:
    return HOME if figures.task.draw == HOME else "relevant"


def _per_topic(found: Iterable[Figures], value: str) -> dict[tuple[str, str], dict[str, float]]:
    """Return (strategy, kind of seeds) → topic → mean over draws."""
    sums: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for figures in found:
        number = getattr(figures, value)
        if number is not None:
            sums[figures.strategy, kind_of(figures)][figures.task.id].append(float(number))
    return {key: {topic: mean(numbers) for topic, numbers in topics.items()} for key, topics in sums.items()}


def _means(found: Sequence[Figures]) -> ResultTable:
    hr, recall = _per_topic(found, "hr"), _per_topic(found, "recall")
    rows: list[tuple[str | float, ...]] = []
    for strategy, kind in hr:
        crawls = [figures for figures in found if (figures.strategy, kind_of(figures)) == (strategy, kind)]
        best = hr.get(("oracle", kind), {})
        share = mean([min(1.0, rate / best[topic]) for topic, rate in hr[strategy, kind].items() if best.get(topic)])
        at = [mean([figures.curve.harvest_rate(n) for figures in crawls]) for n in (100, 200, 500)]
        requests, per_request = (mean([getattr(f, name) for f in crawls]) for name in ("requests", "per_request"))
        values = (mean(list(hr[strategy, kind].values())), mean(list(recall[strategy, kind].values())), share)
        worst = min(hr[strategy, kind].values())
        rows.append((strategy, kind, *at, *values, requests, per_request, worst, len(crawls)))
    rows.sort(key=lambda row: (row[1] != HOME, -float(row[5])))
    note = (
        "Mean over single-site topics, each the mean of its draws. hr@N: harvest rate after N HTML pages (hubs count); "
        "R: relevant pages that can be reached. Share: hr@R over the oracle's, which reads no feeds, at most 1. "
        "Requests: a page, dead links included; "
        "hr/request: after R requests. Worst: hr@R of the worst topic. "
        f"The paper's fig. 7, on its own pages: ATA {PAPER['ata']}, with block order {PAPER['ata+blocks']}."
    )
    columns = (
        "strategy", "seeds", "hr@100", "hr@200", "hr@500", "hr@R", "recall@2R", "share", "requests", "hr/request",
        "worst", "crawls",
    )  # fmt: skip
    return ResultTable(title="Strategies", columns=columns, rows=tuple(rows), note=note)


def _by_site(found: Sequence[Figures]) -> ResultTable:
    """Show the learned strategy site by site: parts of one site, and variants of it, are one."""
    learned = [figures for figures in found if figures.strategy == "learned"]
    rows: list[tuple[Cell, ...]] = []
    names = dict.fromkeys(figures.task.sites[0].partition("-")[0] for figures in learned)
    for name, kind in itertools.product(names, (HOME, "relevant")):
        own = [f for f in learned if f.task.sites[0].partition("-")[0] == name and kind_of(f) == kind]
        if own:
            hr, f1 = [f.hr for f in own], [f.f1 or 0.0 for f in own]
            sums = (mean([f.per_request for f in own]), mean([f.recall for f in own]), mean([f.requests for f in own]))
            rows.append(
                (name, kind, mean(hr), min(hr), *sums, max(f.requests for f in own), mean(f1), min(f1), len(own))
            )
    columns = (
        "site", "seeds", "hr@R", "worst", "hr/request", "recall@2R", "requests", "most", "F1", "worst F1", "crawls",
    )  # fmt: skip
    note = "Learned strategy. A change is chosen by what it gives on the sites it was not made for."
    return ResultTable(title="Site by site", columns=columns, rows=tuple(rows), note=note)


def _pair(found: Sequence[Figures]) -> ResultTable:
    hr, recall = _per_topic(found, "hr"), _per_topic(found, "recall")
    rows = []
    for strategy, kind in hr:
        base = ("learned", kind)
        if strategy == "learned" or base not in hr:
            continue
        for name, values in (("hr@R", hr), ("recall@2R", recall)):
            gains = [values[base][topic] - other for topic, other in values[strategy, kind].items()]
            rows.append((strategy, kind, name, mean(gains), min(gains), max(gains), sign_flip_p(gains), len(gains)))
    note = "Gain of learned over the strategy, topic by topic; p: exact sign-flip permutation test, two-sided."
    columns = ("against", "seeds", "measure", "mean gain", "least", "most", "p", "topics")
    return ResultTable(title="Learned against each, paired over topics", columns=columns, rows=tuple(rows), note=note)


def sign_flip_p(gains: Sequence[float]) -> float:
    """Return the share of sign patterns whose mean is at least as far from 0: 1 where all gains are 0.

    Of more than ``MAX_EXACT`` gains, as many patterns as so many have are drawn.

    >>> sign_flip_p([1.0, 2.0, 3.0])
    0.25
    """
    total = abs(sum(gains)) - 1e-12
    draw = random.Random(0)  # noqa: S311
    patterns: Iterable[Sequence[int]] = itertools.product((1, -1), repeat=len(gains))
    if len(gains) > MAX_EXACT:
        patterns = [draw.choices((1, -1), k=len(gains)) for _ in range(2**MAX_EXACT)]
    sums = [abs(sum(sign * gain for sign, gain in zip(signs, gains, strict=True))) for signs in patterns]
    return sum(value >= total for value in sums) / len(sums)


def _by_topic(found: Sequence[Figures]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for key, group in itertools.groupby(found, key=lambda figures: (figures.task.id, figures.task.draw)):
        crawls = list(group)
        hr = {name: mean([f.hr for f in crawls if f.strategy == name]) for name in {f.strategy for f in crawls}}
        recall = {name: mean([f.recall for f in crawls if f.strategy == name]) for name in hr}
        names = ("learned", "ata+blocks", "ata", "breadth", "oracle")
        share = hr["learned"] / hr["oracle"] if hr.get("learned") is not None and hr.get("oracle") else None
        rows.append((*key, crawls[0].n_relevant, *(hr.get(name) for name in names), recall.get("learned"), share))
    rows.sort(key=lambda row: float(row[-1]) if isinstance(row[-1], float) else 1.0)
    columns = ("topic", "seeds", "R", "learned", "ata+blocks", "ata", "breadth", "oracle", "learned recall@2R", "share")
    note = (
        "hr@R, the worst topic first; share: learned's of the oracle's; seeds: home page, the given three relevant "
        "pages, and further draws of three."
    )
    return ResultTable(title="Topic by topic", columns=columns, rows=tuple(rows), note=note)


def _judge(found: Sequence[Figures]) -> ResultTable:
    topics = _per_topic([figures for figures in found if figures.strategy == "learned"], "f1")
    kinds = [topics.get(("learned", kind), {}) for kind in (HOME, "relevant")]
    single = {figures.task.id for figures in found if len(figures.task.sites) == 1}
    names = dict.fromkeys(topic for values in kinds for topic in values)
    rows: list[tuple[Cell, ...]] = [(topic, *(values.get(topic) for values in kinds)) for topic in names]
    means = [mean([value for topic, value in values.items() if topic in single]) for values in kinds]
    if rows:
        rows.append(("mean, single-site", *means))
    note = "F1 of the crawler's own judgement against the labels, over all articles that learned fetched."
    return ResultTable(
        title="The crawler's own judge", columns=("topic", HOME, "relevant"), rows=tuple(rows), note=note
    )


# --- pictures --------------------------------------------------------------------------------------------


def _pictures(found: Sequence[Figures]) -> Iterator[tuple[str, Drawing]]:
    for kind in (HOME, "relevant"):
        crawls = [figures for figures in found if kind_of(figures) == kind and figures.strategy not in ABLATIONS]
        if crawls:
            seeds = "the home page" if kind == HOME else "three relevant pages"
            title = f"Harvest rate after a share of R pages, mean over topics, from {seeds}"
            yield kind, chart(title, list(_curves(crawls)), x_label="pages / R", y_label="harvest rate")


def _curves(crawls: Sequence[Figures]) -> Iterator[Curve]:
    for strategy in dict.fromkeys(figures.strategy for figures in crawls):
        own = [figures for figures in crawls if figures.strategy == strategy]
        points = []
        for place in range(1, CURVE_POINTS + 1):
            share = 2 * place / CURVE_POINTS
            rates = [f.curve.harvest_rate(max(1, round(share * f.n_relevant))) for f in own]
            points.append((share, mean(rates)))
        yield Curve(label=strategy, points=tuple(points))
