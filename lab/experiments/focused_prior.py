"""The weights that scores of links start from: those believed, against what crawls of other sites have taught.

Every topic is crawled from the weights believed, and what its links turned out to be is kept. For each site, weights
are then fitted to the crawls of the other sites, and its topics are crawled anew from these. The weights of all sites
are the model that comes with the project::

    scrapy experiment focused_cuts --cache build/focused
    scrapy experiment focused_prior --cache build/focused --with model=newscrawl/focus/links.npz
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.evaluation.harvest_curve import mean
from lab.evaluation.result_file import provenance
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.focused import HOME, Bench, kind_of, sign_flip_p, tasks
from lab.experiments.focused_site import sites_folder
from newscrawl.classify.model_file import ModelFile, save_model
from newscrawl.exceptions import UserError
from newscrawl.focus.crawl import Focus
from newscrawl.focus.estimators import ARTICLE, HUB, INPUTS, KIND, PriorLogistic
from newscrawl.focus.learned import LearnedScorer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lab.experiments.base import Cell, Options
    from lab.experiments.focused import Figures, Task
    from newscrawl.classify.model_file import Floats

BELIEVED: Final = tuple(np.array([weight for weight, _ in spec.values()]) for spec in (ARTICLE, HUB))
SPREADS: Final = tuple([spread for _, spread in spec.values()] for spec in (ARTICLE, HUB))
EXAMPLES: Final = 400
"""Examples of a crawl that count, the first ones: the start matters to these."""
ROUNDS: Final = 15
STEPS: Final = 8
"""Steps of Newton's method for the weights of one crawl."""
CASES: Final = 5.0

Weights = tuple["Floats", "Floats"]
"""Weights of articles and of hubs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    figures: Figures
    is_part: bool
    """Whether the crawl is of a part of a site."""
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

    Parts of the sites, where ``focused_cuts`` has made them, count beside the sites. Values: ``draws=`` (of seeds,
    beside the given one), ``share=`` (of the way from the weights believed to those fitted, 0..1; default 0.5),
    ``model=`` (file for the weights of all sites).
    """
    n_draws, share, model = _values(options.values)
    whole, parts = sites_folder(options), options.cache and options.cache / "cuts"
    benches = [Bench(whole, options)]
    if parts and (parts / "topics.json").exists():
        benches.append(Bench(parts, replace(options, cache=parts)))
    found = [
        (bench, task)
        for bench in benches
        for task in tasks(bench.folder, [], n_draws=n_draws, seed=options.seed, limit=options.limit)
        if task.relevant and len(task.sites) == 1
    ]
    before = [crawl(bench, task, (BELIEVED[0], BELIEVED[1]), is_part=bench.folder != whole) for bench, task in found]
    sites = list(dict.fromkeys(one.site for one in before))
    of_others = {site: fit([one for one in before if one.site != site], share) for site in sites}
    after = [crawl(bench, task, of_others[site_of(task)], is_part=bench.folder != whole) for bench, task in found]
    of_all = fit(before, share)
    if model:
        _save(Path(model), of_all, before, share, options.seed)
    return ExperimentResult(
        title="Focused crawling: weights to start from, learnt on other sites",
        source="Zhang, Cao, Li (2015), eq. (16)",
        tables=(_compare(before, after, sites), _weights(of_others, of_all)),
    )


def _values(given: Mapping[str, str]) -> tuple[int, float, str]:
    values = {"draws": "0", "share": "0.5", "model": ""} | dict(given)
    if len(values) > 3 or not values["draws"].isdigit() or not re.fullmatch(r"0?\.\d+|[01]", values["share"]):
        raise UserError("focused_prior accepts draws=, a whole number, share=, a number from 0 to 1, model=, a file")
    return int(values["draws"]), float(values["share"]), values["model"]


def crawl(bench: Bench, task: Task, weights: Weights, *, is_part: bool) -> Crawl:
    """Crawl from the given weights."""
    focus = Focus(task.topic, seeds=task.seeds)
    focus.scorer = scorer = LearnedScorer(focus.model)
    scorer.articles, scorer.hubs = (
        PriorLogistic(prior.tolist(), spread) for prior, spread in zip(weights, SPREADS, strict=True)
    )
    figures = bench.simulated(task, focus, "learned")
    return Crawl(figures=figures, is_part=is_part, examples=(scorer.articles.examples(), scorer.hubs.examples()))


def fit(crawls: Sequence[Crawl], share: float) -> Weights:
    """Return the weights at a share of the way from those believed to the middle of those of the crawls."""
    articles, hubs = (
        believed + share * (middle([one.examples[kind] for one in crawls], believed, SPREADS[kind]) - believed)
        for kind, believed in enumerate(BELIEVED)
    )
    return articles, hubs


def middle(samples: Sequence[tuple[Floats, Floats]], believed: Floats, spread: Sequence[float]) -> Floats:
    """Return the mean of the weights of crawls, each of which learns from its own examples and starts from that mean.

    It is expectation maximisation for mean and deviation of a normal prior (empirical Bayes); a weight of which the
    examples say nothing stays as it was believed.

    :param samples: features ``(n, m)`` and targets in 0..1, ``(n,)``, of each crawl.
    :param spread: deviations that the first round takes, and that count as ``CASES`` crawls in the others.
    """
    weights, first = believed, np.square(spread)
    variance = first
    for _ in range(ROUNDS if samples else 0):
        fits = [_learnt(weights, np.sqrt(variance), *sample) for sample in samples]
        found, unsure = (np.array(part) for part in zip(*fits, strict=True))
        weights = found.mean(axis=0)
        variance = (CASES * first + ((found - weights) ** 2 + unsure).sum(axis=0)) / (CASES + len(samples))
    return weights


def _learnt(prior: Floats, spread: Floats, all_x: Floats, all_y: Floats) -> tuple[Floats, Floats]:
    """Return the weights of one crawl, and the variance of each that its examples leave."""
    x, y = all_x[:EXAMPLES], all_y[:EXAMPLES]
    model = PriorLogistic(prior.tolist(), spread.tolist())
    model.restore({"weights": prior, "x": x, "y": y, "n": len(y)})
    model.fit(STEPS)
    p = model.predict(x)
    curvature = (x * (p * (1 - p))[:, None]).T @ x + np.diag(model.precision)
    return model.weights, np.diag(np.linalg.inv(curvature))


def _save(path: Path, weights: Weights, crawls: Sequence[Crawl], share: float, seed: int) -> None:
    about = provenance((), command="scrapy experiment focused_prior", seed=seed)
    about["counts"] = {
        "sites": len({one.site for one in crawls}),
        "topics": len({one.figures.task.id for one in crawls}),
        "crawls": len(crawls),
    }
    arrays = {"article": weights[0], "hub": weights[1]}
    save_model(path, ModelFile(kind=KIND, features=INPUTS, arrays=arrays, provenance={**about, "share": share}))


def _compare(before: Sequence[Crawl], after: Sequence[Crawl], sites: Sequence[str]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    pairs = list(zip(before, after, strict=True))
    for is_part in (False, True):
        for site in (*sites, "all"):
            for kind in (HOME, "relevant"):
                own = [
                    (old.figures, new.figures)
                    for old, new in pairs
                    if old.is_part == is_part and site in (old.site, "all") and kind_of(old.figures) == kind
                ]
                if own:
                    rows.append(("parts" if is_part else "sites", site, kind, *_row(own)))
    columns = (
        "of", "site", "seeds", "hr@R believed", "of others", "worst gain", "worst hr@R believed", "of others",
        "recall@2R believed", "of others", "F1 believed", "of others", "requests believed", "of others", "p", "crawls",
    )  # fmt: skip
    note = "Means over crawls; p: of the gain in hr@R, two-sided sign-flip permutation test over crawls."
    return ResultTable(title="Weights believed and those of other sites", columns=columns, rows=tuple(rows), note=note)


def _row(pairs: Sequence[tuple[Figures, Figures]]) -> tuple[Cell, ...]:
    gains = [new.hr - old.hr for old, new in pairs]
    both = [[figures[place] for figures in pairs] for place in (0, 1)]
    return (
        *(mean([figures.hr for figures in side]) for side in both),
        min(gains),
        *(min(figures.hr for figures in side) for side in both),
        *(mean([figures.recall for figures in side]) for side in both),
        *(mean([figures.f1 or 0.0 for figures in side]) for side in both),
        *(mean([figures.requests for figures in side]) for side in both),
        sign_flip_p(gains),
        len(pairs),
    )


def _weights(of_others: dict[str, Weights], of_all: Weights) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for kind, spec in enumerate((ARTICLE, HUB)):
        for place, (name, (believed, _)) in enumerate(spec.items()):
            fitted = (float(weights[kind][place]) for weights in of_others.values())
            rows.append((("article", "hub")[kind], name, believed, *fitted, float(of_all[kind][place])))
    columns = ("link to", "feature", "believed", *(f"without {site}" for site in of_others), "all")
    return ResultTable(title="Weights", columns=columns, rows=tuple(rows))
