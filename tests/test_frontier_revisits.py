from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, select

from lab.experiments.url_rules import portals
from newscrawl.frontier.membership import join
from newscrawl.frontier.records import QueueRecord
from newscrawl.frontier.revisits import RevisitRecord, began_again, is_wider, next_due, note_sources, wake
from newscrawl.items import PageType
from newscrawl.links.rules import Wanted
from newscrawl.outcomes import Outcome
from newscrawl.sites.model import site_from_url
from newscrawl.store.columns import State
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.records import PageRecord, RecordEnd
from newscrawl.store.schema import NEVER, frontier, runs
from tests.records import NOW, PUBLISHED, stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from newscrawl.frontier.model import Membership

HUB = PageRecord(
    url="https://e.org/", outcome=Outcome.NOT_ARTICLE, reason="hub", status=200, page_type=PageType.HUB, fetched_at=NOW
)
FRESH = stored("https://e.org/1", "text", fetched_at=PUBLISHED + timedelta(minutes=5))
SITE = site_from_url("https://e.org/")
CHANGED = RecordEnd(outcome=Outcome.STORED, revision=2, change="changed")
NEW = RecordEnd(outcome=Outcome.STORED, revision=1, change="new")


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        yield connection
    engine.dispose()


def member(connection: Connection) -> Membership:
    joined: Any = join(connection, "test", 60)
    found: Membership = joined[0] if isinstance(joined, tuple) else joined
    return found


def queue(connection: Connection, crawl: Membership, name: str = "a", **values: Any) -> int:
    record = QueueRecord(
        crawl_id=crawl.crawl_id,
        pass_number=values.pop("pass_number", crawl.pass_number),
        host="e.org",
        fingerprint=name.encode().ljust(16),
        url=f"https://e.org/{name}",
        priority=0,
        request="{}",
        **values,
    )
    QueueRecord.write_all(connection, [record])
    return int(row(connection, name).id)


def row(connection: Connection, name: str = "a") -> Any:
    return connection.execute(select(frontier).where(frontier.c.url == f"https://e.org/{name}")).one()


def visit(connection: Connection, row_id: int, record: PageRecord, verdict: RecordEnd | None = None) -> Any:
    connection.execute(frontier.update().where(frontier.c.id == row_id).values(state=State.DONE))
    made = RevisitRecord(row_id=row_id, page=record, verdict=verdict)
    (retired,) = type(made).write_all(connection, [made])
    assert retired in (True, False)
    return connection.execute(select(frontier).where(frontier.c.id == row_id)).one()


def hours(found: Any) -> float:
    gap: float = (found.next_fetch_at - datetime.now(UTC)).total_seconds() / 3600
    return round(gap, 1)


def test_a_hub_comes_back_sooner_after_news_and_later_without(connection: Connection) -> None:
    crawl = member(connection)
    first = visit(connection, queue(connection, crawl), HUB)
    assert (first.kind, hours(first)) == ("hub", 1.0)
    again: dict[str, Any] = {"again": True, "pass_number": crawl.pass_number + 1}
    quiet = visit(connection, queue(connection, crawl, **again), HUB)
    assert hours(quiet) == 1.6
    queue(connection, crawl, **again)
    queue(connection, crawl, "story", parent=b"a".ljust(16))
    assert hours(visit(connection, first.id, HUB)) == 1.0, "1.6 h × 0.6"


def test_an_article_keeps_validators_and_comes_back_while_it_is_young(connection: Connection) -> None:
    crawl = member(connection)
    record = replace(FRESH, etag='"x"', last_modified="yesterday")
    found = visit(connection, queue(connection, crawl), record, NEW)
    assert (found.kind, found.etag, found.last_modified, hours(found)) == ("article", '"x"', "yesterday", 1.0)
    unchanged = PageRecord(url=FRESH.url, outcome=Outcome.DUPLICATE, reason="not_modified", status=304, fetched_at=NOW)
    found = visit(connection, found.id, unchanged)
    assert (found.kind, found.etag, hours(found)) == ("article", '"x"', 6.0)
    changed = visit(connection, found.id, replace(FRESH, etag='"y"'), CHANGED)
    assert (changed.etag, changed.last_changed_at is not None, hours(changed)) == ('"y"', True, 6.0)
    old = replace(FRESH, fetched_at=PUBLISHED + timedelta(days=900))
    assert visit(connection, found.id, old, NEW).next_fetch_at == NEVER


def test_a_page_that_was_gone_is_asked_for_whole(connection: Connection) -> None:
    row_id = queue(connection, member(connection))
    assert visit(connection, row_id, replace(FRESH, etag='"x"', last_modified="yesterday"), NEW).etag == '"x"'
    gone = PageRecord(url=FRESH.url, outcome=Outcome.HTTP_ERROR, reason="404", status=404, fetched_at=NOW)
    found = visit(connection, row_id, gone)
    assert (found.etag, found.last_modified) == (None, None)


def test_when_the_next_of_the_known_is_due(connection: Connection) -> None:
    crawl = member(connection)
    assert next_due(connection, crawl) is None
    visit(connection, queue(connection, crawl), FRESH, NEW)
    found = next_due(connection, crawl)
    assert found is not None
    assert timedelta(minutes=50) < found - datetime.now(UTC) < timedelta(minutes=61)


def test_what_a_clock_that_ran_ahead_planned_is_due(connection: Connection) -> None:
    crawl = member(connection)
    row_id = queue(connection, crawl)
    visit(connection, row_id, FRESH, NEW)
    later = replace(crawl, pass_number=crawl.pass_number + 1)
    for days, n_woken in ((3, 0), (400, 1)):
        ahead = {"state": State.DONE, "next_fetch_at": datetime.now(UTC) + timedelta(days=days)}
        connection.execute(frontier.update().where(frontier.c.id == row_id).values(ahead))
        assert wake(connection, later, "due") == n_woken
    connection.execute(frontier.update().where(frontier.c.id == row_id).values(state=State.DONE, next_fetch_at=NEVER))
    assert wake(connection, later, "due") == 0


@pytest.mark.parametrize(
    ("outcome", "reason", "due"),
    [
        (Outcome.REJECTED, "before_since", None),
        (Outcome.REJECTED, "address", None),
        (Outcome.REJECTED, "not_html", NEVER),
        (Outcome.REDIRECTED, None, NEVER),
        (Outcome.PART, None, NEVER),
    ],
)
def test_what_no_visit_is_planned_for(
    connection: Connection, outcome: Outcome, reason: str | None, due: datetime | None
) -> None:
    record = PageRecord(url="https://e.org/a", outcome=outcome, reason=reason, status=200, fetched_at=NOW)
    assert visit(connection, queue(connection, member(connection)), record).next_fetch_at == due


def test_an_article_over_the_limit_is_due_at_once(connection: Connection) -> None:
    crawl = member(connection)
    row_id = queue(connection, crawl)
    record = PageRecord(url="https://e.org/a", outcome=Outcome.REJECTED, reason="limit", status=200, fetched_at=NOW)
    visit(connection, row_id, record)
    connection.execute(frontier.update().where(frontier.c.id == row_id).values(state=State.DONE))
    assert wake(connection, replace(crawl, pass_number=crawl.pass_number + 1), "new") == 1


def test_a_hub_that_moves_or_fails_is_asked_again_until_it_is_retired(connection: Connection) -> None:
    row_id = queue(connection, member(connection))
    visit(connection, row_id, HUB)
    moved = PageRecord(url="https://e.org/a", outcome=Outcome.REDIRECTED, status=302, fetched_at=NOW)
    assert hours(visit(connection, row_id, moved)) == 2.0
    lost = PageRecord(url="https://e.org/a", outcome=Outcome.FAILED, reason="timeout", fetched_at=NOW)
    assert [visit(connection, row_id, lost).n_failures for _ in range(3)] == [2, 3, 4]
    (retired,) = RevisitRecord.write_all(connection, [RevisitRecord(row_id=row_id, page=lost)])
    assert retired
    assert row(connection).next_fetch_at == NEVER


@pytest.mark.parametrize(
    ("mode", "names"), [("due", {"hub", "due"}), ("new", {"hub"}), ("all", {"hub", "due", "later", "never"})]
)
def test_what_a_new_pass_begins_with(connection: Connection, mode: str, names: set[str]) -> None:
    crawl = member(connection)
    times = {"hub": -1, "due": -1, "later": 1, "part": 1, "never": None}
    for name, hour in times.items():
        row_id = queue(connection, crawl, name)
        due = NEVER if hour is None else datetime.now(UTC) + timedelta(hours=hour)
        kind = "hub" if name == "hub" else "article"
        values = {"state": State.DONE, "next_fetch_at": due, "kind": kind, "reason": "part" if name == "part" else "x"}
        connection.execute(frontier.update().where(frontier.c.id == row_id).values(values))
    following = replace(crawl, pass_number=crawl.pass_number + 1)
    assert wake(connection, following, mode) == len(names)
    queued = select(frontier.c.url).where(frontier.c.state == State.QUEUED)
    assert {url.rpartition("/")[2] for url in connection.execute(queued).scalars()} == names


def test_links_to_known_articles_are_left_alone_where_only_the_new_is_wanted(connection: Connection) -> None:
    crawl = member(connection)
    row_id = queue(connection, crawl)
    past = datetime.now(UTC) - timedelta(hours=1)
    done = frontier.update().where(frontier.c.id == row_id)
    connection.execute(done.values(state=State.DONE, next_fetch_at=past, kind="article"))
    later = crawl.pass_number + 1
    queue(connection, crawl, pass_number=later, only_new=True)
    assert row(connection).state == State.DONE
    queue(connection, crawl, pass_number=later)
    assert row(connection).state == State.QUEUED


def test_sources_are_noted_by_their_fingerprint(connection: Connection) -> None:
    crawl = member(connection)
    queue(connection, crawl)
    note_sources(connection, crawl.crawl_id, [b"a".ljust(16), b"unknown".ljust(16)], NOW)
    assert row(connection).last_changed_at == NOW


def test_more_is_wanted_than_any_earlier_run_wanted(connection: Connection) -> None:
    sina = portals()["sina"]
    day = datetime(2025, 11, 10, tzinfo=UTC)

    def wider(since: datetime | None) -> bool:
        return is_wider(connection, sina, Wanted(since=since))

    def ran(**arguments: str) -> None:
        values = {"spider": "sina", "site": "sina", "arguments": arguments, "started_at": day, "versions": {}}
        connection.execute(insert(runs).values(values | {"finish_reason": "finished"}))

    assert not wider(None), "the first run asks for all anyway"
    ran(since="1d")
    assert wider(None)
    assert wider(day - timedelta(days=2))
    assert not wider(day)
    ran(since="2025-11-01", until="2025-11-05")
    assert wider(day - timedelta(days=2))
    ran()
    assert not wider(None)


def test_to_read_again_goes_on_where_it_was_stopped(connection: Connection) -> None:
    crawl = member(connection)
    visit(connection, queue(connection, crawl), FRESH, NEW)
    moment = datetime.now(UTC)
    ended = frontier.update().values(state=State.DONE, ended_at=moment - timedelta(hours=2))
    connection.execute(ended)
    assert wake(connection, crawl, "all") == 0, "it was asked for in this pass"

    def began() -> float:
        return round((moment - began_again(connection, SITE, ())).total_seconds() / 3600)

    def run(hours_ago: int, mode: str, reason: str | None) -> None:
        row = {"spider": "e", "site": SITE.name, "arguments": {"mode": mode}, "versions": {}, "finish_reason": reason}
        connection.execute(runs.insert().values(row | {"started_at": moment - timedelta(hours=hours_ago)}))

    for hours_ago, mode, reason, since in (
        (9, "again", "finished", 0),
        (7, "again", None, 7),
        (5, "due", "finished", 0),
        (3, "again", "shutdown", 3),
        (1, "again", None, 3),
    ):
        run(hours_ago, mode, reason)
        assert began() == since
    assert wake(connection, crawl, "again", before=began_again(connection, SITE, ())) == 0, "read again by now"
    run(0, "again", "finished")
    assert wake(connection, crawl, "again", before=began_again(connection, SITE, ())) == 1


@pytest.mark.parametrize(
    ("reason", "kind", "mode", "n_woken"),
    [
        ("http_error:404", None, "again", 0),
        ("http_error:410", None, "again", 0),
        ("http_error:404", "article", "again", 1),  # it gave an article: is it gone still?
        ("http_error:503", None, "again", 1),
        ("rejected:before_since", None, "again", 1),
        (None, None, "again", 1),
        ("http_error:404", None, "all", 1),
    ],
)
def test_to_read_again_asks_for_no_page_that_never_was(
    connection: Connection, reason: str | None, kind: str | None, mode: str, n_woken: int
) -> None:
    crawl = member(connection)
    queue(connection, crawl)
    ended = {"state": State.FAILED, "reason": reason, "kind": kind, "pass_number": crawl.pass_number - 1}
    connection.execute(frontier.update().values(**ended, ended_at=NOW))
    assert wake(connection, crawl, mode) == n_woken
