"""Runs: what was asked of each, its figures as read from its stats, and whether it may be called complete."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from datetime import timedelta
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, exists, func, insert, or_, select, update

from newscrawl.console.wording import quantity
from newscrawl.outcomes import FETCHED, UNASKED, Outcome, count_addresses
from newscrawl.store.columns import storable_row
from newscrawl.store.engine import upsert
from newscrawl.store.schema import articles, frontier, links, pages, runs, sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Self

    from sqlalchemy import ColumnElement, Connection

HEARD_SECONDS: Final = 5.0
"""Between two times that a crawl says it lives, and looks whether it is to stop."""
SILENCE: Final = timedelta(seconds=60)
"""A crawl that was not heard of for so long is dead. Clocks of machines that share a database agree to some seconds."""


def begin_run(
    connection: Connection,
    *,
    spider: str,
    site: str | None,
    started_at: datetime,
    arguments: Mapping[str, str],
    versions: Mapping[str, str],
) -> int:
    row: dict[str, Any] = {"spider": spider, "site": site, "arguments": dict(arguments), "versions": dict(versions)}
    row |= {"started_at": started_at, "heard_at": started_at}
    return int(connection.execute(insert(runs).values(storable_row(row)).returning(runs.c.id)).scalar_one())


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


def end_run(connection: Connection, run_id: int, row: dict[str, Any]) -> None:
    connection.execute(update(runs).where(runs.c.id == run_id).values(storable_row(row)))


def newest_article(connection: Connection) -> int:
    """Return the number of the article that was stored last; 0 where there is none."""
    return connection.execute(select(func.max(articles.c.id))).scalar() or 0


def count_copies(connection: Connection, *of: ColumnElement[bool]) -> int:
    """Return how many of some articles repeat others: what reports and the last lines of a crawl call copies."""
    query = select(func.count()).select_from(articles).where(*of, articles.c.duplicate_of.is_not(None))
    return connection.execute(query).scalar_one()


def count_ends(
    connection: Connection, of_pages: ColumnElement[bool], of_links: ColumnElement[bool]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return outcome → addresses, and reason → addresses refused, each address once.

    Refused are links that nothing else led to, and addresses refused when they were to be asked for, or had answered.
    """
    counts = select(pages.c.outcome, func.count()).where(of_pages).group_by(pages.c.outcome)
    ends = {outcome: int(n) for outcome, n in connection.execute(counts)}
    is_asked = exists().where(pages.c.url == links.c.url)
    is_refused = pages.c.outcome.in_([Outcome.REJECTED, *UNASKED])
    reasons: Counter[str] = Counter()
    for reason, of in (
        (links.c.reason, (links.c.reason.is_not(None), ~is_asked, of_links)),
        (pages.c.reason, (is_refused, of_pages)),
    ):
        query = select(reason, func.count()).where(*of).group_by(reason)
        reasons.update({name or "none": n for name, n in connection.execute(query)})
    return {outcome: ends[outcome] for outcome in Outcome if outcome in ends}, dict(reasons.most_common())


class RunEnd(NamedTuple):
    """What the database says of a run when it ends."""

    left: int | None
    """Addresses of the frontier's crawl that wait still; None where requests are kept in memory."""
    gone: int
    new: int
    copies: int
    outcomes: dict[str, int]
    refused: dict[str, int]

    def counts(self, in_memory: int) -> Iterator[tuple[str, int]]:
        """Yield the stats, without ``newscrawl/``, that hold these counts.

        :param in_memory: addresses that wait where requests are kept in memory.
        """
        yield "run/pages_left", in_memory if self.left is None else self.left
        yield from (("store/gone", self.gone), ("store/new", self.new), ("store/copies", self.copies))
        yield from ((f"run/{name}", n) for name, n in count_addresses(self.outcomes)._asdict().items())
        yield "run/refused", sum(self.refused.values())
        yield from ((f"run/refused/{reason}", n) for reason, n in self.refused.items())


def loose_ends(connection: Connection, run_id: int, crawl_id: int | None, newest: int) -> RunEnd:
    """Return what is left of the frontier's crawl, and what the run brought.

    Which articles are copies is told last of all, so that new ones are counted when the run has ended.

    :param crawl_id: None where requests are kept in memory.
    :param newest: number of the article that was stored last when the run began.
    """
    left = None
    if crawl_id is not None:
        waiting = frontier.c.crawl_id == crawl_id, frontier.c.state.in_(["queued", "leased"])
        left = connection.execute(select(func.count()).select_from(frontier).where(*waiting)).scalar_one()
    is_other = and_(pages.c.outcome == Outcome.NOT_ARTICLE, articles.c.gone_at.is_not(None))
    of_run = pages.c.run_id == run_id, or_(pages.c.status.in_([404, 410]), is_other)
    query = select(func.count()).select_from(pages.join(articles, articles.c.url == pages.c.url)).where(*of_run)
    came = articles.c.run_id == run_id, articles.c.id > newest
    new = select(func.count()).select_from(articles).where(*came, articles.c.duplicate_of.is_(None))
    gone = connection.execute(query).scalar_one()
    n_new, copies = connection.execute(new).scalar_one(), count_copies(connection, *came)
    return RunEnd(
        left, gone, n_new, copies, *count_ends(connection, pages.c.run_id == run_id, links.c.run_id == run_id)
    )


def earlier_figures(connection: Connection, run_id: int, *, most: int = 10) -> list[Figures]:
    """Return the figures of the last runs before this one that were asked the same and ended, newest first."""
    mine = connection.execute(select(runs.c.spider, runs.c.site, runs.c.arguments).where(runs.c.id == run_id)).one()
    site = runs.c.site.is_(None) if mine.site is None else runs.c.site == mine.site
    ended = runs.c.id < run_id, runs.c.spider == mine.spider, site, runs.c.finish_reason.in_(COMPLETE_REASONS)
    query = select(runs.c.arguments, runs.c.stats).where(*ended).order_by(runs.c.id.desc()).limit(5 * most)
    alike = [row.stats for row in connection.execute(query) if row.arguments == mine.arguments and row.stats]
    return [Figures.of(stats) for stats in alike[:most]]


def save_site(connection: Connection, row: dict[str, Any]) -> None:
    upsert(connection, sites, [storable_row(row)], "name")


#: Why a run failed whose pages to start from are none of the public web's.
PRIVATE: Final = "no page to start from is on the public web (NEWSCRAWL_ALLOW_NETS allows others)"
#: Requests of a worker that joined others at the end.
LATE_REQUESTS: Final = 4
#: A run that loses more answers than this is not complete. Share of the addresses asked for.
MAX_FAILED: Final = 0.1
#: A run that loses more than this has failed.
MOSTLY_FAILED: Final = 0.5
#: Finish reasons of runs that ended because there was nothing more to do.
COMPLETE_REASONS: Final = frozenset({"finished"})
#: Finish reasons of runs that ended because their user said when.
ASKED_REASONS: Final = frozenset(
    {
        "limit",
        "shutdown",
        "asked_to_stop",
        "cancelled",
        "closespider_timeout",
        "closespider_timeout_no_item",
        "closespider_pagecount",
        "closespider_pagecount_no_item",
        "closespider_itemcount",
    }
)
#: Earlier runs that must be there before one is called shrunken.
MIN_EARLIER: Final = 3
#: New articles that are usual where a run without any is suspicious.
MIN_NEW: Final = 5


class RunState(StrEnum):
    COMPLETE = "complete"
    PARTIAL = "partial"  # something is left, or some of the answers were lost
    FAILED = "failed"
    UNFINISHED = "unfinished"  # running still, or killed


def _sum(*names: str, counted: str = "") -> Any:
    """Declare a figure by the stats it is the sum of: ``a/`` stands for all below it, ``-a`` is taken away.

    :param counted: stat that takes the place of the sum, where a run has it.
    """
    return field(default=0, metadata={"stats": names, "counted": counted})


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Counts of one run."""

    asked: int = _sum("downloader/request_count")  # requests sent, retries and robots.txt included
    answered: int = _sum("downloader/response_count")
    bodies: int = _sum("downloader/response_status_count/200")  # answers 200 with a body
    not_modified: int = _sum("downloader/response_status_count/304")  # answers 304
    addresses: int = _sum(
        *(f"newscrawl/outcome/{outcome}" for outcome in Outcome if outcome not in UNASKED),
        counted="newscrawl/run/asked",
    )
    """Addresses asked for, each once."""
    fetched: int = _sum(*(f"newscrawl/outcome/{outcome}" for outcome in FETCHED), counted="newscrawl/run/fetched")
    """Addresses whose page came."""
    stored: int = _sum("newscrawl/outcome/stored", counted="newscrawl/run/stored")
    """Addresses whose page is a kept article, new or not."""
    refused: int = _sum("newscrawl/rejected/", "-newscrawl/rejected/duplicate", counted="newscrawl/run/refused")
    """Addresses refused: links, and answers."""
    new: int = _sum("newscrawl/store/new")
    """Articles that the database did not have, copies of others left out: rows of a feed, and of an export."""
    changed: int = _sum("newscrawl/store/revisions")
    unchanged: int = _sum("newscrawl/store/unchanged", "newscrawl/recrawl/not_modified")
    """Pages that were as before: answered 304, or with the same text."""
    gone: int = _sum("newscrawl/store/gone")
    """Articles kept whose page is 404 or 410 now, or read anew as of another type."""
    duplicates: int = _sum(
        "newscrawl/outcome/duplicate", "-newscrawl/recrawl/not_modified", counted="newscrawl/store/copies"
    )
    """Copies of articles that came; of runs that counted none at their end, pages that ended as copies."""
    robots: int = _sum("newscrawl/outcome/robots")  # addresses that robots.txt disallows
    seeds: int = _sum("newscrawl/seeds/asked")  # pages to start from
    seeds_disallowed: int = _sum("newscrawl/seeds/disallowed")  # those of them that robots.txt disallows
    seeds_private: int = _sum("newscrawl/seeds/private")  # those of them that have no public address
    joined: int = _sum("newscrawl/frontier/joined")  # 1 for a worker beside others
    slowed: int = _sum("newscrawl/retry_after/answers")  # times a host asked to wait (429, 503)
    slowed_seconds: int = _sum("newscrawl/retry_after/seconds")
    blocked: int = _sum("newscrawl/blocked/")
    """Answers 401, 403, 429, 451, and pages that test whether a person reads them."""
    traps: int = _sum("newscrawl/rejected/trap", "newscrawl/rejected/budget")
    """Addresses refused as traps or over a budget."""
    undecodable: int = _sum("newscrawl/decode/undecodable")  # pages whose bytes fit no charset well
    low_confidence: int = _sum("newscrawl/store/low_confidence")
    """Articles stored with a confidence below ``NEWSCRAWL_LOW_CONFIDENCE``."""
    http_errors: int = _sum("newscrawl/outcome/http_error")
    failed: int = _sum("newscrawl/outcome/failed")  # addresses without a usable answer
    pages_left: int = _sum("newscrawl/run/pages_left")  # addresses still waiting when the run ended

    @classmethod
    def of(cls, stats: Mapping[str, Any]) -> Self:
        """Read Scrapy's stats of a crawl."""

        def count(name: str) -> int:
            if name.startswith("-"):
                return -count(name[1:])
            if name.endswith("/"):
                return sum(int(n or 0) for known, n in stats.items() if known.startswith(name))
            return int(stats.get(name) or 0)

        named = {figure.name: figure.metadata for figure in fields(cls)}
        names = {name: [of["counted"]] if of["counted"] in stats else of["stats"] for name, of in named.items()}
        return cls(**{name: sum(map(count, of)) for name, of in names.items()})

    @property
    def failed_share(self) -> float:
        """Addresses lost to failures and refusals over those asked for; a dead link is not lost."""
        asked = self.asked or 1
        return min((self.failed + self.blocked) / asked, 1.0)

    @property
    def has_no_answer(self) -> bool:
        """Whether nothing came; a worker that found others at work, and little left, proves nothing."""
        is_late = self.joined > 0 and self.asked <= LATE_REQUESTS
        return self.asked > 0 and not self.bodies and not self.not_modified and not is_late

    @property
    def is_shut_out(self) -> bool:
        """Whether no page to start from may be asked for, and nothing came from elsewhere."""
        refused = self.seeds_disallowed + self.seeds_private
        return 0 < self.seeds <= refused and not (self.stored or self.unchanged)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"failed_share": round(self.failed_share, 4)}


def state_of(finish_reason: str | None, figures: Figures) -> tuple[RunState, str]:
    """Return the state of a run and why, in a few words; complete only where nothing speaks against it."""
    if finish_reason is None:
        return RunState.UNFINISHED, "still running, or killed"
    lost = f"{figures.failed_share:.0%} of the requests lost"
    is_early = finish_reason == "shutdown" and not figures.failed_share  # stopped before the first answer
    doubts = (
        (finish_reason not in COMPLETE_REASONS | ASKED_REASONS, RunState.FAILED, f"ended by {finish_reason}"),
        (figures.is_shut_out and figures.seeds_private > 0, RunState.FAILED, PRIVATE),
        (figures.has_no_answer and not is_early, RunState.FAILED, "no usable answer"),
        (figures.is_shut_out, RunState.FAILED, "robots.txt disallows every page to start from"),
        (figures.failed_share > MOSTLY_FAILED, RunState.FAILED, lost),
        (finish_reason in ASKED_REASONS, RunState.PARTIAL, f"ended by {finish_reason}"),
        (figures.pages_left > 0, RunState.PARTIAL, quantity(figures.pages_left, "address", "addresses") + " left"),
        (figures.failed_share > MAX_FAILED, RunState.PARTIAL, lost),
    )
    return next(((state, why) for holds, state, why in doubts if holds), (RunState.COMPLETE, ""))


def shrinkage(now: Figures, earlier: Sequence[Figures], ratio: float, *, is_incremental: bool = False) -> str | None:
    """Return in which respect a run fell short of ``ratio`` times the median of earlier ones, or None.

    :param earlier: runs of the same site and arguments that ended; fewer than ``MIN_EARLIER`` say nothing.
    :param is_incremental: the run asked only for what was due. How much that is says nothing; but where there always
        was something new, nothing new is a sign.
    """
    if len(earlier) < MIN_EARLIER or ratio <= 0:
        return None
    for name in ("new",) if is_incremental else ("answered", "stored"):
        usual = median(getattr(figures, name) for figures in earlier)
        value = getattr(now, name)
        if value < ratio * usual and (not is_incremental or (value == 0 and usual >= MIN_NEW)):
            return f"{name} {value}, median of {len(earlier)} earlier runs {usual:g}"
    return None


def counts_below(stats: Mapping[str, Any], prefix: str) -> dict[str, int]:
    """Return the counts whose names begin with ``prefix``, without it."""
    return {name.removeprefix(prefix): n for name, n in sorted(stats.items()) if name.startswith(prefix)}
