"""Figures of harvests for Prometheus, under ``/metrics``: one server tells of all crawls that share its database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.responses import Response

from newscrawl.frontier.manage import AddressFilter, counts
from newscrawl.serve.reports.runs import runs_of
from newscrawl.store.columns import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from newscrawl.serve.desk import Desk
    from newscrawl.serve.reports.runs import RunView

OF_RUN: Final[dict[str, tuple[str, Callable[[RunView], float]]]] = {
    "started_timestamp_seconds": ("start of the newest run", lambda run: run.started_at.timestamp()),
    "running": ("1 while the newest run goes on", lambda run: run.is_running),
    "asked": ("addresses asked for in the newest run", lambda run: run.figures.addresses),
    "new_articles": ("articles that were new in the newest run", lambda run: run.figures.new),
    "stored_articles": ("articles stored in the newest run", lambda run: run.figures.stored),
    "blocked": ("answers of the newest run that refuse crawlers", lambda run: run.figures.blocked),
    "failed_share": ("share of the newest run's addresses that were lost", lambda run: run.figures.failed_share),
    "low_confidence_articles": (
        "articles of the newest run stored with little confidence",
        lambda run: run.figures.low_confidence,
    ),
}


async def metrics(request: Request) -> Response:
    """Tell each site's newest run, and the requests of each crawl by state."""
    desk: Desk = request.app.state.desk
    text = exposition(await desk.ask(runs_of), await desk.ask(counts, AddressFilter()))
    return Response(text, media_type=CONTENT_TYPE_LATEST)


def exposition(runs: Sequence[RunView], queues: Sequence[dict[str, Any]]) -> bytes:
    """Return the figures in Prometheus' text format.

    :param runs: the newest first.
    :param queues: rows of :func:`newscrawl.frontier.manage.counts`.
    """
    registry = CollectorRegistry()
    newest = {run.name: run for run in reversed(runs)}
    for name, (said, value) in OF_RUN.items():
        gauge = Gauge(f"newscrawl_run_{name}", said, ["site"], registry=registry)
        for site, run in newest.items():
            gauge.labels(site).set(value(run))
    ended = Gauge("newscrawl_run_state", "1 for the state of the newest run", ["site", "state"], registry=registry)
    for site, run in newest.items():
        ended.labels(site, str(run.state)).set(1)
    waiting = Gauge("newscrawl_requests", "requests of a crawl by state", ["crawl", "state"], registry=registry)
    for row in queues:
        for state in State:
            waiting.labels(row["name"], str(state)).set(row[state])
    return generate_latest(registry)
