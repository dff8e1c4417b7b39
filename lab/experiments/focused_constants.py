"""A constant of focused crawls, chosen without the site that is measured.

Each topic is crawled with each value. For each site the value is taken that is best on the other sites, and the site
is measured with it::

    scrapy experiment focused_constants --sites SITES --cache DIR --with constant=judge:ELSEWHERE --with values=1,2,3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from lab.evaluation.harvest_curve import mean
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.focused import HOME, Bench, kind_of, tasks
from lab.experiments.focused_site import sites_folder
from newscrawl.exceptions import UserError
from newscrawl.focus.crawl import Focus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lab.experiments.base import Cell, Options
    from lab.experiments.focused import Figures

    Crawls = list[tuple[Figures, float]]

DEFAULTS: Final = {"constant": "", "values": "", "topics": "", "orders": "1"}
MEASURES: Final = ("share", "recall", "f1", "requests")


def run(options: Options) -> ExperimentResult:
    """Crawl every topic from its home page and the given draw with each value.

    Values: ``constant=`` (``module:NAME`` below ``newscrawl.focus``), ``values=`` (numbers separated by commas),
    ``topics=`` (names), ``orders=`` (crawls of each topic: all but the first move each score by up to 2 %, which tells
    a gain from luck; default 1).
    """
    constant, numbers, topics, n_orders = _values(options.values)
    folder = sites_folder(options)
    bench = Bench(folder, options)
    found: dict[float, Crawls] = {number: [] for number in numbers}
    module = import_module(f"newscrawl.focus.{constant[0]}")
    shipped = getattr(module, constant[1])
    try:
        for task in tasks(folder, topics, n_draws=0, seed=options.seed, limit=options.limit):
            if not task.relevant or len(task.sites) > 1:
                continue
            best = next(bound.hr for bound in bench.bounds(task) if bound.strategy == "oracle")
            for number in numbers:
                setattr(module, constant[1], type(shipped)(number))
                for order in range(n_orders):
                    crawled = bench.simulated(task, Focus(task.topic, seeds=task.seeds), "learned", order=order)
                    found[number].append((crawled, min(1.0, crawled.hr / best) if best else 0.0))
                options.advance()
    finally:
        setattr(module, constant[1], shipped)
    name = ":".join(constant)
    return ExperimentResult(
        title=f"Focused crawling: {name}, chosen without the site that is measured",
        source="Zhang, Cao, Li (2015), eq. (16)",
        tables=(_means(found, name), _left_out(found, float(shipped), name)),
    )


def _values(given: Mapping[str, str]) -> tuple[tuple[str, str], list[float], list[str], int]:
    values = DEFAULTS | dict(given)
    module, _, name = values["constant"].partition(":")
    try:
        if len(values) > len(DEFAULTS):
            raise ValueError(", ".join(given.keys() - DEFAULTS.keys()))
        known: Any = getattr(import_module(f"newscrawl.focus.{module}"), name)
        numbers = [type(known)(float(number)) for number in values["values"].split(",")]
        n_orders = int(values["orders"])
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise UserError(
            "focused_constants needs constant=module:NAME, a number below newscrawl.focus, and values=, numbers "
            f"separated by commas; it accepts topics= and orders=, a whole number ({error})"
        ) from None
    return (module, name), numbers, [topic for topic in values["topics"].split(",") if topic], n_orders


def _measure(crawls: Crawls, measure: str) -> float:
    """Return the mean of topics, each the mean of its crawls."""
    by_topic: dict[str, list[float]] = {}
    for figures, share in crawls:
        value = share if measure == "share" else float(getattr(figures, measure) or 0.0)
        by_topic.setdefault(figures.task.id, []).append(value)
    return mean([mean(values) for values in by_topic.values()])


def _means(found: Mapping[float, Crawls], name: str) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for number, crawls in found.items():
        for kind in (HOME, "relevant"):
            own = [(figures, share) for figures, share in crawls if kind_of(figures) == kind]
            if own:
                worst = (min(share for _, share in own), min(figures.f1 or 0.0 for figures, _ in own))
                rows.append((number, kind, *(_measure(own, measure) for measure in MEASURES), *worst, len(own)))
    columns = (name, "seeds", "share", "recall@2R", "F1", "requests", "worst share", "worst F1", "crawls")
    return ResultTable(title="Each value", columns=columns, rows=tuple(rows), note="Means of topics.")


def _left_out(found: Mapping[float, Crawls], shipped: float, name: str) -> ResultTable:
    """Show what the value that the other sites choose is worth on each site, beside the one in use."""
    sites = dict.fromkeys(figures.task.sites[0] for crawls in found.values() for figures, _ in crawls)
    rows: list[tuple[Cell, ...]] = []
    for site in sites:
        chosen = max(found, key=lambda number: _worth(found[number], [other for other in sites if other != site]))
        of_site = {number: [one for one in crawls if one[0].task.sites[0] == site] for number, crawls in found.items()}
        in_use = of_site.get(shipped)
        rows.append((
            site, chosen, *(_measure(of_site[chosen], measure) for measure in MEASURES),
            *(_measure(in_use, measure) if in_use else None for measure in MEASURES),
        ))  # fmt: skip
    whole = [[row[place] for row in rows] for place in range(2, 2 + 2 * len(MEASURES))]
    rows.append(
        ("mean of sites", None, *(mean([float(v) for v in column if isinstance(v, float)]) for column in whole))
    )
    columns = ("site left out", name, "share", "recall@2R", "F1", "requests",
               f"with {shipped:g}: share", "recall@2R", "F1", "requests")  # fmt: skip
    note = "The value whose share and F1 together are best on the other sites, and the value in use."
    return ResultTable(title="Chosen by the other sites", columns=columns, rows=tuple(rows), note=note)


def _worth(crawls: Crawls, sites: Sequence[str]) -> float:
    own = [one for one in crawls if one[0].task.sites[0] in sites]
    return _measure(own, "share") + _measure(own, "f1")
