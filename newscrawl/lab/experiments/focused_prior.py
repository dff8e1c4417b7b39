"""The weights that scores of links start from, against weights learnt from crawls of other sites.

Every topic is crawled from today's weights, and what its links turned out to be is kept. For each site, weights are
then fitted to the crawls of the other sites, and its topics are crawled anew from these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.exceptions import UserError
from newscrawl.focus.crawl import Focus
from newscrawl.focus.score.features import ARTICLE, HUB
from newscrawl.focus.score.learned import LearnedScorer
from newscrawl.focus.score.logistic import PriorLogistic, sigmoid
from newscrawl.lab.evaluation.harvest_curve import mean
from newscrawl.lab.experiments.base import ExperimentResult, ResultTable
from newscrawl.lab.experiments.focused import HOME, Bench, kind_of, sign_flip_p, tasks
from newscrawl.lab.experiments.focused_site import sites_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newscrawl.lab.experiments.base import Cell, Options
    from newscrawl.lab.experiments.focused import Figures, Task
    from newscrawl.learn.samples import Floats

NAMES: Final = tuple(tuple(spec) for spec in (ARTICLE, HUB))
TODAY: Final = tuple(tuple(weight for weight, _ in spec.values()) for spec in (ARTICLE, HUB))
SPREADS: Final = tuple(tuple(spread for _, spread in spec.values()) for spec in (ARTICLE, HUB))
LOOSER: Final = 2.0
"""How many times further than one crawl's own examples those of many may take a weight."""
EXAMPLES: Final = 400
"""Of a crawl the first so many count ..."""
COUNTED: Final = 100.0
"""... as so many: no crawl counts more for being long."""

Weights = tuple["Floats", "Floats"]
"""Of articles and of hubs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    figures: Figures
    examples: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]
    """Features and targets, of articles and of hubs."""

    @property
    def site(self) -> str:
        return site_of(self.figures.task)


def site_of(task: Task) -> str:
    """Return the site: parts of one site, and variants of it, are one."""
    return task.sites[0].partition("-")[0]


def run(options: Options) -> ExperimentResult:
    """Crawl, fit, and crawl again with what the other sites taught.

    Values: ``draws=`` (of seeds, beside the given one), ``share=`` (of the way from today's weights to the fitted
    ones, 0..1; default 0.5).
    """
    n_draws, share = _values(options.values)
    folder = sites_folder(options)
    bench = Bench(folder, options)
    found = tasks(folder, [], n_draws=n_draws, seed=options.seed, limit=options.limit)
    single = [task for task in found if task.relevant and len(task.sites) == 1]
    today = (np.array(TODAY[0]), np.array(TODAY[1]))
    before = [crawl(bench, task, today) for task in single]
    sites = list(dict.fromkeys(site_of(task) for task in single))
    of_others = {site: fit([one for one in before if one.site != site]) for site in sites}
    after = [crawl(bench, task, between(today, of_others[site_of(task)], share)) for task in single]
    return ExperimentResult(
        title="Focused crawling: weights to start from, learnt on other sites",
        source="Zhang, Cao, Li (2015), eq. (16)",
        tables=(_compared(before, after, sites), _weights(of_others, fit(before))),
    )


def _values(given: Mapping[str, str]) -> tuple[int, float]:
    draws, share = given.get("draws", "0"), given.get("share", "0.5")
    if set(given) - {"draws", "share"} or not draws.isdigit() or not re.fullmatch(r"0?\.\d+|[01]", share):
        raise UserError("focused_prior accepts draws=, a whole number, and share=, a number from 0 to 1")
    return int(draws), float(share)


def between(first: Weights, second: Weights, share: float) -> Weights:
    """Return the weights at a share of the way from the first to the second."""
    articles, hubs = (a + share * (b - a) for a, b in zip(first, second, strict=True))
    return articles, hubs


def crawl(bench: Bench, task: Task, weights: Weights) -> Crawl:
    """Crawl from the given weights."""
    focus = Focus(task.topic, seeds=task.seeds)
    focus.scorer = scorer = LearnedScorer(focus.model)
    scorer.articles, scorer.hubs = (
        PriorLogistic(prior.tolist(), spread) for prior, spread in zip(weights, SPREADS, strict=True)
    )
    figures = bench.simulated(task, focus, "learned")
    return Crawl(figures=figures, examples=(scorer.articles.examples(), scorer.hubs.examples()))


def fit(crawls: Sequence[Crawl]) -> Weights:
    """Return the weights under which the crawls' examples, and today's weights, are likeliest."""
    articles, hubs = (
        pooled([one.examples[kind] for one in crawls], np.array(TODAY[kind]), LOOSER * np.array(SPREADS[kind]))
        for kind in (0, 1)
    )
    return articles, hubs


def pooled(samples: Sequence[tuple[Floats, Floats]], today: Floats, spread: Floats) -> Floats:
    """Return logistic weights for all samples, each of which counts as ``COUNTED`` examples; without any, today's.

    :param samples: features ``(n, m)`` and targets in 0..1, ``(n,)``.
    """
    precision = 1.0 / spread**2
    weights = today.copy()
    for _ in range(50):
        gradient = -precision * (weights - today)
        curvature = np.diag(precision)
        for all_x, all_y in samples:
            x, y = all_x[:EXAMPLES], all_y[:EXAMPLES]
            if not len(y):
                continue
            p = sigmoid(x @ weights)
            gradient += COUNTED / len(y) * (x.T @ (y - p))
            curvature += COUNTED / len(y) * (x * (p * (1 - p))[:, None]).T @ x
        step = np.linalg.solve(curvature, gradient)
        weights += step / max(1.0, float(np.abs(step).max()))
    return weights


def _compared(before: Sequence[Crawl], after: Sequence[Crawl], sites: Sequence[str]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for site in (*sites, "all"):
        for kind in (HOME, "relevant"):
            pairs = [
                (old.figures, new.figures)
                for old, new in zip(before, after, strict=True)
                if site in (old.site, "all") and kind_of(old.figures) == kind
            ]
            if pairs:
                rows.append((site, kind, *_row(pairs)))
    columns = (
        "site", "seeds", "hr@R today", "of others", "worst gain", "worst hr@R", "recall@2R today", "of others",
        "F1 today", "of others", "p", "crawls",
    )  # fmt: skip
    note = "Means over crawls; p: of the gain in hr@R, two-sided sign-flip permutation test over crawls."
    return ResultTable(title="Today's weights and those of other sites", columns=columns, rows=tuple(rows), note=note)


def _row(pairs: Sequence[tuple[Figures, Figures]]) -> tuple[Cell, ...]:
    gains = [new.hr - old.hr for old, new in pairs]
    return (
        mean([old.hr for old, _ in pairs]),
        mean([new.hr for _, new in pairs]),
        min(gains),
        min(new.hr for _, new in pairs),
        mean([old.recall for old, _ in pairs]),
        mean([new.recall for _, new in pairs]),
        mean([old.f1 or 0.0 for old, _ in pairs]),
        mean([new.f1 or 0.0 for _, new in pairs]),
        sign_flip_p(gains),
        len(pairs),
    )


def _weights(of_others: dict[str, Weights], of_all: Weights) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for kind, name_of_kind in enumerate(("article", "hub")):
        for place, name in enumerate(NAMES[kind]):
            fitted = (float(weights[kind][place]) for weights in of_others.values())
            rows.append((name_of_kind, name, TODAY[kind][place], *fitted, float(of_all[kind][place])))
    columns = ("link to", "feature", "today", *(f"without {site}" for site in of_others), "all")
    return ResultTable(title="Weights", columns=columns, rows=tuple(rows))
