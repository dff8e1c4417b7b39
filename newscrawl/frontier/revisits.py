"""Revisits: after a visit, when an address is due again; at the beginning of a pass, what is due."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final
from zoneinfo import ZoneInfo

from sqlalchemy import and_, bindparam, exists, func, or_, select, text, update

from newscrawl.console.wording import parse_moment
from newscrawl.items import PageType
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.sites.revisit import SOURCES, Finding, plan_visit
from newscrawl.store.columns import Kind, State, among
from newscrawl.store.engine import began, execute_many, now
from newscrawl.store.records import SideRecord
from newscrawl.store.schema import NEVER, frontier, frontier_hosts, runs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from sqlalchemy import Connection, Row

    from newscrawl.frontier.model import Membership
    from newscrawl.links.rules import Wanted
    from newscrawl.sites import NewsSite
    from newscrawl.store.records import PageRecord, RecordEnd

_LAST: Final = NEVER - timedelta(days=1)
#: A plan further ahead counts as due: a clock that ran ahead made it.
FAR: Final = timedelta(days=60)
#: Modes that ask for every address.
EVERYTHING: Final = frozenset({"all", "again"})
#: Earlier runs looked at.
MAX_EARLIER: Final = 100
#: Refusals by what one run wants: the next run may want the page.
_WISHES: Final = frozenset(
    {
        Rejection.BEFORE_SINCE,
        Rejection.AFTER_UNTIL,
        Rejection.LIMIT,
        Rejection.CHANNEL,
        Rejection.LANGUAGE,
        Rejection.BUDGET,
        Rejection.ADDRESS,
    }
)
_GONE: Final = frozenset({404, 410})
_DEAD: Final = [f"{Outcome.HTTP_ERROR}:{status}" for status in sorted(_GONE)]
_REFUSALS: Final = frozenset({Outcome.REJECTED, Outcome.REFUSED})
_LOST: Final = _REFUSALS | {Outcome.HTTP_ERROR, Outcome.FAILED, Outcome.ROBOTS, Outcome.REDIRECTED}
_KEPT: Final = frozenset({Outcome.STORED, Outcome.DUPLICATE, Outcome.NOT_ARTICLE})
_CHANGES: Final = {"new": Finding.NEW, "changed": Finding.CHANGED, "unchanged": Finding.UNCHANGED}


# Statements are built once: that takes longer than to carry them out for a few rows.

_VISIT: Final = (
    "id", "kind", "interval_seconds", "n_failures", "last_changed_at", "queued_at", "etag", "last_modified",
    "content_hash",
)  # fmt: skip
_VISITED: Final = select(*(frontier.c[name] for name in _VISIT)).where(among(frontier.c.id, "b_ids"))
_PLANNED: Final = (
    "kind", "interval_seconds", "n_failures", "next_fetch_at", "last_changed_at", "etag", "last_modified",
    "content_hash",
)  # fmt: skip
_PLAN: Final = (
    update(frontier).where(frontier.c.id == bindparam("b_id")).values({name: bindparam(name) for name in _PLANNED})
)
_RULED: Final = (
    update(frontier)
    .where(
        frontier.c.crawl_id == bindparam("b_crawl"),
        frontier.c.fingerprint == bindparam("b_fingerprint"),
        frontier.c.state == State.DONE,
    )
    .values(reason=bindparam("b_reason"), kind=None, interval_seconds=None, n_failures=0)
    .returning(frontier.c.id)
)
_LED_ON: Final = (
    update(frontier)
    .where(frontier.c.crawl_id == bindparam("b_crawl"), among(frontier.c.fingerprint, "b_fingerprints"))
    .values(last_changed_at=bindparam("b_moment"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisitRecord(SideRecord):
    """A visit. ``write_all`` answers True where its address is retired, after repeated failures.

    A visit by its key, not by its row, changes the end and the plan of an address whose page its site judged otherwise
    later. One that is queued again meanwhile, or unknown, stays as it is.
    """

    rank: ClassVar[int] = 2  # after the requests that the page led to

    row_id: int = 0
    key: tuple[int, bytes] | None = None
    """Crawl and fingerprint of an address."""
    page: PageRecord
    verdict: RecordEnd | None = None  # what the storage decided about an article

    @property
    def outcome(self) -> Outcome:
        return self.page.outcome if self.verdict is None else self.verdict.outcome

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[bool]:
        """Plan the next visits: one query and one statement a batch."""
        last = {record.row_id: record for record in records if record.key is None}
        found = connection.execute(_VISITED, {"b_ids": list(last)})
        moment = began(connection)
        changes = [_change(last[row.id], row, moment) for row in found]
        execute_many(connection, _PLAN, changes)
        for record in records:
            if record.key is not None:
                crawl_id, fingerprint = record.key
                said = ":".join(filter(None, (record.outcome, record.page.reason)))[:200]
                values = {"b_crawl": crawl_id, "b_fingerprint": fingerprint, "b_reason": said}
                row_id = connection.execute(_RULED, values).scalar()
                if row_id is not None:
                    cls.write_all(connection, [replace(record, row_id=row_id, key=None)])
        retired = {change["b_id"] for change in changes if change["n_failures"] and change["next_fetch_at"] == NEVER}
        return [record.row_id in retired for record in records]


def _kind(record: PageRecord) -> Kind | None:
    if record.article is not None or record.outcome is Outcome.PART:
        return Kind.ARTICLE
    if record.outcome is not Outcome.NOT_ARTICLE:
        return None
    if record.reason == "feed":
        return Kind.FEED
    if record.reason in ("sitemap", "robots.txt"):
        return Kind.SITEMAP
    return Kind.ARTICLE if record.page_type is PageType.ARTICLE else Kind.HUB


def _change(record: RevisitRecord, row: Row[Any], moment: datetime) -> dict[str, Any]:
    page = record.page
    reason = (page.reason or "") if record.outcome in _REFUSALS else None  # why the address was refused
    has_body = record.outcome in _KEPT and page.status == 200
    is_unwanted = reason in _WISHES  # by this run: the next pass asks for it again
    is_left = reason == Rejection.LIMIT  # due at once, as no hub may name it again
    # a redirect, or a file, is not to be visited again; for an address that was a page before, it is a failure
    is_settled = record.outcome is Outcome.REDIRECTED or reason not in (None, Rejection.BLOCKED)
    change = {
        "b_id": row.id,
        "kind": _kind(page) or (Kind(row.kind) if row.kind else None),
        "interval_seconds": row.interval_seconds,
        "n_failures": 0,
        "next_fetch_at": moment if is_left else None if is_unwanted else NEVER,
        "last_changed_at": row.last_changed_at,
        "etag": page.etag if has_body else row.etag,
        "last_modified": page.last_modified if has_body else row.last_modified,
        "content_hash": (page.article.contentHash if page.article else None) or row.content_hash,
    }
    # a part is asked for by the page before it
    if is_unwanted or record.outcome is Outcome.PART or (is_settled and row.kind is None):
        return change | {"etag": None, "last_modified": None}
    return change | _planned(record, row, change["kind"], moment)


def _planned(record: RevisitRecord, row: Row[Any], kind: Kind | None, moment: datetime) -> dict[str, Any]:
    """Return the values that say when the address is due again."""
    page, change = record.page, dict[str, Any]()
    if page.status == 304:
        finding = Finding.UNCHANGED
    elif record.outcome in _LOST:
        finding = Finding.GONE if page.status in _GONE else Finding.FAILED
    else:
        finding = _CHANGES.get((record.verdict.change if record.verdict else None) or "", Finding.NEW)
    if kind in SOURCES and finding in (Finding.NEW, Finding.CHANGED, Finding.UNCHANGED):
        led_on = row.last_changed_at is not None and row.last_changed_at >= row.queued_at
        finding = Finding.NEW if led_on else Finding.UNCHANGED
    elif finding is Finding.CHANGED:
        change["last_changed_at"] = moment
    published = page.article.datePublished if page.article else None
    plan = plan_visit(
        kind,
        finding,
        at=moment,
        interval=timedelta(seconds=row.interval_seconds) if row.interval_seconds else None,
        n_failures=row.n_failures or 0,
        age=page.fetched_at - published if published else None,
        depth=page.depth or 0,
    )
    if finding is Finding.GONE:  # asked with what the page had, the server would say that it is as it was
        change |= {"etag": None, "last_modified": None}
    return change | {
        "interval_seconds": plan.interval.total_seconds() if plan.interval else None,
        "n_failures": plan.n_failures,
        "next_fetch_at": plan.next_at or NEVER,
    }


def note_sources(connection: Connection, crawl_id: int, fingerprints: Sequence[bytes], moment: datetime) -> None:
    """Note that these addresses led to something new."""
    if fingerprints:
        values = {"b_crawl": crawl_id, "b_fingerprints": sorted(set(fingerprints)), "b_moment": moment}
        connection.execute(_LED_ON, values)


def is_wider(connection: Connection, site: NewsSite, wanted: Wanted) -> bool:
    """Tell whether this run wants articles of days that no earlier run on the site wanted."""
    of_site = runs.c.site == site.name, runs.c.finish_reason.is_not(None)
    query = select(runs.c.arguments, runs.c.started_at).where(*of_site).order_by(runs.c.id.desc()).limit(MAX_EARLIER)
    earlier = connection.execute(query).all()
    return bool(earlier) and not any(_covers(row.arguments, row.started_at, wanted, site.timezone) for row in earlier)


def _covers(arguments: dict[str, str], at: datetime, wanted: Wanted, zone: str) -> bool:
    """Tell whether an earlier run with these arguments wanted all that is wanted now."""
    since, until = (
        parse_moment(arguments[name], at, ZoneInfo(zone)) if name in arguments else None for name in ("since", "until")
    )
    later = since is not None and (wanted.since is None or wanted.since < since)
    return not later and (until is None or (wanted.until is not None and wanted.until <= until))


def next_due(connection: Connection, member: Membership) -> datetime | None:
    """Return when the next known address is due; None if none will be."""
    due_at = frontier.c.next_fetch_at
    later = due_at > now(connection), due_at < _LAST
    query = select(func.min(due_at)).where(frontier.c.crawl_id == member.crawl_id, *later)
    found: datetime | None = connection.execute(query).scalar_one()
    return found


def began_again(connection: Connection, site: NewsSite, channels: Sequence[str]) -> datetime:
    """Return since when all is read again (``-a mode=again``): now, or since such a run began that did not end.

    What was killed, or has other workers, reads nothing twice.
    """
    moment = now(connection)
    columns = runs.c.arguments, runs.c.started_at, runs.c.finish_reason
    query = select(*columns).where(runs.c.site == site.name).order_by(runs.c.id.desc()).limit(MAX_EARLIER)
    for run in connection.execute(query):
        names = map(str.strip, run.arguments.get("channels", "").split(","))
        if set(filter(None, names)) != set(channels):
            continue
        if run.arguments.get("mode") != "again" or run.finish_reason == "finished":
            break
        moment = min(moment, run.started_at)
    return moment


def wake(
    connection: Connection,
    member: Membership,
    mode: str,
    *,
    all_sources: bool = False,
    before: datetime | None = None,
) -> int:
    """Queue what is due again; return how many addresses.

    :param mode: ``due``: all that is due. ``new``: hubs, feeds and sitemaps that are due. ``all``: every address.
        ``again``: every address that ever gave a page, or may still.
    :param all_sources: queue every hub, feed and sitemap, due or not.
    :param before: with ``again``: what ended before this moment counts as old, though it be of this pass.
    """
    ended = frontier.c.state.in_([State.DONE, State.FAILED])
    is_whole = frontier.c.reason.is_distinct_from(Outcome.PART.value)  # a part is asked for by the page before it
    rows = update(frontier).where(frontier.c.crawl_id == member.crawl_id, ended, is_whole)
    moment = now(connection)
    due_at = frontier.c.next_fetch_at
    is_source, is_due = frontier.c.kind.in_(sorted(SOURCES)), or_(due_at <= moment, due_at.between(moment + FAR, _LAST))
    is_old = frontier.c.pass_number < member.pass_number
    if mode in EVERYTHING:
        rows = rows.where(is_old if before is None else or_(is_old, frontier.c.ended_at < before))
    elif all_sources:
        rows = rows.where(or_(is_due, and_(is_source, is_old)))
    else:
        rows = rows.where(is_due)
    if mode == "again":
        rows = rows.where(or_(frontier.c.kind.is_not(None), ~func.coalesce(frontier.c.reason, "").in_(_DEAD)))
    if mode == "new":
        rows = rows.where(or_(is_source, frontier.c.kind.is_(None)))
    values = {"state": State.QUEUED, "pass_number": member.pass_number, "n_returned": 0, "queued_at": moment}
    nothing = dict.fromkeys(("reason", "worker_id", "ended_at"))
    n_woken = connection.execute(rows.values(values | nothing)).rowcount
    if n_woken:
        hosts = frontier_hosts.c  # host by host: the whole queue may be a thousand times longer
        queued = exists().where(frontier.c.host_id == hosts.id, text("frontier.state = 'queued'"))
        with_work = update(frontier_hosts).where(hosts.crawl_id == member.crawl_id, queued)
        connection.execute(with_work.values(has_work=True))
    return n_woken
