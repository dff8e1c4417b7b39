"""Runs of a database: their figures, whether they are complete, pictures of one and of many."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from newscrawl.outcomes import OUTCOMES, REJECTIONS, Rejection
from newscrawl.serve.reports.charts import Slice, area, columns, rows, stacked
from newscrawl.serve.reports.page import render
from newscrawl.store.runs import SILENCE, Figures, RunState, counts_below, state_of
from newscrawl.store.schema import runs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from newscrawl.serve.reports.charts import Drawing

#: Runs shown, newest first.
LATEST: Final = 30

#: Figures by which runs are compared, and what they are called for people.
NAMES: Final[Mapping[str, str]] = {
    "addresses": "addresses asked for",
    "fetched": "of them fetched",
    "stored": "articles stored",
    "new": "new articles",
    "refused": "addresses refused",
    "asked": "requests sent",
    "answered": "answers",
    "bodies": "answers 200 with a body",
    "not_modified": "answers 304",
    "changed": "changed articles",
    "unchanged": "unchanged pages",
    "gone": "articles gone",
    "duplicates": "duplicates",
    "robots": "disallowed by robots.txt",
    "slowed": "times asked to wait",
    "slowed_seconds": "seconds waited so",
    "blocked": "blocked answers",
    "traps": "refused as traps",
    "undecodable": "undecodable pages",
    "low_confidence": "articles of low confidence",
    "http_errors": "HTTP errors",
    "failed": "failed addresses",
    "pages_left": "addresses left",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    id: int
    spider: str
    site: str | None
    arguments: Mapping[str, str]
    started_at: datetime
    finished_at: datetime | None
    finish_reason: str | None
    state: RunState
    why: str
    figures: Figures
    outcomes: Mapping[str, int]
    rejections: Mapping[str, int]
    statuses: Mapping[str, int]
    """HTTP status → answers."""
    rate: tuple[int, ...]
    rate_seconds: float
    heard_at: datetime | None = None
    stop_asked_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether it has not ended and its crawl was heard of lately."""
        silent_since = self.heard_at or self.started_at
        return self.finished_at is None and datetime.now(UTC) - silent_since < SILENCE

    @property
    def seconds(self) -> float | None:
        return (self.finished_at - self.started_at).total_seconds() if self.finished_at else None

    @property
    def pages_per_second(self) -> float | None:
        """Answers over the whole time of the run; None while it is running."""
        return sum(self.rate) / self.seconds if self.seconds else None

    @property
    def name(self) -> str:
        return self.site or self.spider

    def as_json(self) -> dict[str, Any]:
        names = ("id", "spider", "site", "arguments", "started_at", "finished_at", "finish_reason", "why", "is_running")
        row = {name: getattr(self, name) for name in names}
        counts = {name: dict(getattr(self, name)) for name in ("outcomes", "rejections", "statuses")}
        return row | {"state": str(self.state), "seconds": self.seconds, "figures": self.figures.as_json()} | counts


def runs_of(
    connection: Connection,
    *,
    site: str | None = None,
    since: datetime | None = None,
    run_id: int | None = None,
    most: int = LATEST,
) -> list[RunView]:
    """Return the newest runs, the newest first; with ``since`` those that began then or later."""
    query = select(runs).order_by(runs.c.id.desc()).limit(most)
    if site is not None:
        query = query.where((runs.c.site == site) | (runs.c.spider == site))
    if since is not None:
        query = query.where(runs.c.started_at >= since)
    if run_id is not None:
        query = query.where(runs.c.id == run_id)
    return [view(row) for row in connection.execute(query).mappings()]


def view(row: Mapping[Any, Any]) -> RunView:
    stats = row["stats"] or {}
    figures = Figures.of(stats)
    state, why = state_of(row["finish_reason"], figures)
    rate = row["rate"] or {}
    names = ("id", "spider", "site", "started_at", "finished_at", "finish_reason", "heard_at", "stop_asked_at")
    return RunView(
        **{name: row[name] for name in names},
        arguments=row["arguments"] or {},
        state=state,
        why=why,
        figures=figures,
        outcomes=row["outcomes"] or {},
        rejections={why: n for why, n in (row["rejections"] or {}).items() if why != Rejection.DUPLICATE},
        statuses=counts_below(stats, "downloader/response_status_count/"),
        rate=tuple(rate.get("counts", ())),
        rate_seconds=float(rate.get("seconds", 0.0)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A picture of a report, with its title and what explains it."""

    title: str
    svg: Drawing
    note: str = ""
    legend: tuple[Slice, ...] = ()
    wide: bool = False


def rate_plots(run: RunView | None) -> list[Plot]:
    """Return the picture of a run's answers a second; none where the run kept no rate."""
    if run is None or not (run.rate and run.rate_seconds):
        return []
    rate = [count / run.rate_seconds for count in run.rate]
    note = f"answers a second; minutes and seconds since the start, mean of {run.rate_seconds:g} s"
    return [Plot(title="Crawl rate", svg=area("answers a second", rate, seconds=run.rate_seconds), note=note)]


def runs_page(found: Sequence[RunView]) -> str:
    return render("runs.html.jinja", runs=found, plots=plots_of_many(found), names=NAMES)


def run_page(run: RunView) -> str:
    return render("run.html.jinja", run=run, plots=plots_of_one(run), names=NAMES)


def plots_of_many(found: Sequence[RunView]) -> list[Plot]:
    """Return the pictures that compare runs; none without a run."""
    series = list(reversed(found))
    if not series:
        return []
    labels = [f"{run.started_at:%m-%d %H:%M}" for run in series]
    plots = [
        Plot(title=NAMES[name].capitalize(), svg=columns(NAMES[name], _values(labels, series, name)))
        for name in ("answered", "new", "changed", "blocked", "failed")
        if any(run.figures.as_json()[name] for run in found)
    ]
    bars = {
        f"{run.id} {run.name}": {
            "200 with a body": run.figures.bodies,
            "304": run.figures.not_modified,
            "other": max(0, run.figures.answered - run.figures.bodies - run.figures.not_modified),
        }
        for run in found
    }
    svg, legend = stacked("answers of each run", bars)
    return [*plots, Plot(title="What the servers answered", svg=svg, legend=legend)]


def _values(labels: Sequence[str], series: Sequence[RunView], name: str) -> list[tuple[str, float]]:
    return [(label, getattr(run.figures, name)) for label, run in zip(labels, series, strict=True)]


def plots_of_one(run: RunView) -> list[Plot]:
    plots = rate_plots(run)
    for title, counts, meanings in (
        ("How addresses ended", run.outcomes, OUTCOMES),
        ("What the servers answered", run.statuses, {}),
        ("Addresses refused, by reason", run.rejections, REJECTIONS),
    ):
        if counts:
            plots.append(counts_plot(title, counts, meanings))
    return plots


def counts_plot(title: str, counts: Mapping[str, int], meanings: Mapping[str, str]) -> Plot:
    """Return the picture of counts, the highest first, with what their names mean."""
    ordered = dict(sorted(counts.items(), key=lambda pair: -pair[1]))
    note = "\n".join(f"{name}: {meanings[name]}" for name in ordered if name in meanings)
    return Plot(title=title, svg=rows(title.lower(), ordered), note=note)
