"""The row of a run: what was asked, what came of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, insert, select, update

from newscrawl.storage.batch import upsert
from newscrawl.storage.columns import storable_row
from newscrawl.storage.figures import COMPLETE_REASONS, Figures
from newscrawl.storage.schema import articles, frontier, pages, runs, sites

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

HEARD_SECONDS: Final = 5.0
"""Between two times that a crawl says it lives, and looks whether it is to stop."""
SILENCE: Final = timedelta(seconds=60)
"""A crawl that was not heard of for so long is dead. Clocks of machines that share a database agree to some seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    spider: str
    site: str | None
    arguments: dict[str, str]
    started_at: datetime
    versions: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    finished_at: datetime
    finish_reason: str
    outcomes: dict[str, int]
    rejections: dict[str, int]
    stats: dict[str, Any]
    """JSON values only."""
    rate: dict[str, Any] = field(default_factory=dict)


def begin_run(connection: Connection, run: RunStart) -> int:
    """Insert the run and return its id."""
    row = storable_row(asdict(run) | {"heard_at": run.started_at})
    return int(connection.execute(insert(runs).values(row).returning(runs.c.id)).scalar_one())


def note_alive(connection: Connection, run_id: int, now: datetime) -> bool:
    """Note that the run's crawl lives; return whether it was asked to stop."""
    told = update(runs).where(runs.c.id == run_id).values(heard_at=now).returning(runs.c.stop_asked_at)
    return connection.execute(told).scalar() is not None


def ask_to_stop(connection: Connection, run_id: int, now: datetime) -> bool:
    """Ask the run's crawl to stop, wherever it runs; False for a run that has ended, or is not there."""
    going = runs.c.id == run_id, runs.c.finished_at.is_(None)
    return connection.execute(update(runs).where(*going).values(stop_asked_at=now)).rowcount == 1


def running(connection: Connection, name: str, now: datetime) -> int | None:
    """Return a run of the site, or spider, whose crawl lives; None where there is none."""
    named = (runs.c.site == name) | (runs.c.spider == name)
    alive = runs.c.finished_at.is_(None), runs.c.heard_at > now - SILENCE
    return connection.execute(select(runs.c.id).where(named, *alive).order_by(runs.c.id.desc()).limit(1)).scalar()


def end_run(connection: Connection, run_id: int, run: RunEnd) -> None:
    """Fill in how the run ended."""
    connection.execute(update(runs).where(runs.c.id == run_id).values(storable_row(asdict(run))))


def loose_ends(connection: Connection, run_id: int, crawl_id: int | None) -> tuple[int | None, int]:
    """Return how many addresses of the frontier's crawl wait still, and how many articles the run found gone.

    :param crawl_id: None where requests are kept in memory, which is also the answer then.
    """
    left = None
    if crawl_id is not None:
        waiting = frontier.c.crawl_id == crawl_id, frontier.c.state.in_(["queued", "leased"])
        left = connection.execute(select(func.count()).select_from(frontier).where(*waiting)).scalar_one()
    of_run = pages.c.run_id == run_id, pages.c.status.in_([404, 410])
    query = select(func.count()).select_from(pages.join(articles, articles.c.url == pages.c.url)).where(*of_run)
    return left, connection.execute(query).scalar_one()


def earlier_figures(connection: Connection, run_id: int, *, most: int = 10) -> list[Figures]:
    """Return the figures of the last runs before this one that were asked the same and ended, newest first."""
    mine = connection.execute(select(runs.c.spider, runs.c.site, runs.c.arguments).where(runs.c.id == run_id)).one()
    site = runs.c.site.is_(None) if mine.site is None else runs.c.site == mine.site
    ended = runs.c.id < run_id, runs.c.spider == mine.spider, site, runs.c.finish_reason.in_(COMPLETE_REASONS)
    query = select(runs.c.arguments, runs.c.stats).where(*ended).order_by(runs.c.id.desc()).limit(5 * most)
    alike = [row.stats for row in connection.execute(query) if row.arguments == mine.arguments and row.stats]
    return [Figures.of(stats) for stats in alike[:most]]


def save_site(connection: Connection, row: dict[str, Any]) -> None:
    """Insert or replace a row of ``sites``."""
    upsert(connection, sites, [storable_row(row)], "name")
