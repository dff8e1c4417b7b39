from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from newscrawl.exceptions import StorageError
from newscrawl.frontier.leasing import give_back
from newscrawl.frontier.membership import beat, is_dead, this_process
from newscrawl.frontier.records import RequestEnd
from newscrawl.outcomes import Outcome
from newscrawl.store import PageRecord, Storage
from newscrawl.store.columns import State
from newscrawl.store.engine import writing
from newscrawl.store.records import RecordEnd
from newscrawl.store.schema import articles, frontier, frontier_workers, pages
from tests.frontiers import Crawl, fingerprint, urls_of
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Table

    from newscrawl.frontier.model import Membership

URL = "http://a.org/1"


@pytest.fixture
def crawl(database: str) -> Iterator[Crawl]:
    crawl = Crawl(database)
    yield crawl
    crawl.close()


def count(crawl: Crawl, table: Table) -> int:
    with crawl.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def test_a_lease_ends_with_its_page_or_not_at_all(crawl: Crawl, database: str) -> None:
    crawl.queue(URL, "http://a.org/2")
    rows = crawl.lease().rows
    storage = Storage.open(database, seconds=0)
    good, bad = (
        replace(stored(row.url, chinese(row.id)), also=(crawl.ended(row),), run_id=run_id)
        for row, run_id in zip(rows, (None, 999), strict=True)  # there is no such run
    )
    with pytest.raises(StorageError):
        asyncio.run(storage.submit(bad))
    asyncio.run(storage.submit(good))
    storage.close()
    assert crawl.states() == {URL: "done", "http://a.org/2": "leased"}
    assert count(crawl, articles) == 1


def test_the_reason_is_what_became_of_the_page(crawl: Crawl, database: str) -> None:
    """A page that proves to be a copy is known as one in the frontier too."""
    crawl.queue(URL, "http://a.org/2")
    rows = crawl.lease().rows
    storage = Storage.open(database, seconds=0)
    for row in rows:
        asyncio.run(storage.submit(replace(stored(row.url, chinese(1)), also=(crawl.ended(row),))))
    storage.close()
    with crawl.engine.connect() as connection:
        assert connection.execute(select(frontier.c.reason).order_by(frontier.c.id)).scalars().all() == [
            "stored",
            "duplicate",
        ]


def test_parts_end_with_the_page_they_are_joined_into(crawl: Crawl, database: str) -> None:
    crawl.queue(URL, "http://a.org/1_2")
    first, second = crawl.lease().rows
    storage = Storage.open(database, seconds=0)
    part = replace(stored(second.url, ""), outcome=Outcome.PART, article=None, also=(crawl.ended(second),))
    whole = replace(stored(first.url, chinese(1)), also=(crawl.ended(first),), parts=(part,))
    with pytest.raises(StorageError):
        asyncio.run(storage.submit(replace(whole, run_id=999)))
    assert count(crawl, pages) == 0
    verdict = asyncio.run(storage.submit(whole))
    storage.close()
    assert verdict.outcome is Outcome.STORED
    assert crawl.states() == {first.url: "done", second.url: "done"}
    assert count(crawl, pages) == 2


@pytest.mark.parametrize(
    ("outcome", "reason", "state", "said"),
    [
        (Outcome.HTTP_ERROR, "503", State.FAILED, "http_error:503"),
        (Outcome.FAILED, "timeout", State.FAILED, "failed:timeout"),
        (Outcome.ROBOTS, None, State.DONE, "robots"),
        (Outcome.REJECTED, "too_large", State.DONE, "rejected:too_large"),
    ],
)
def test_what_may_come_right_is_failed_the_rest_done(
    outcome: Outcome, reason: str | None, state: State, said: str
) -> None:
    record = PageRecord(url=URL, outcome=outcome, reason=reason, fetched_at=NOW)
    end = RequestEnd(row_id=1, worker_id=2)
    assert end.judged(record, RecordEnd(outcome=outcome)) == replace(end, state=state, reason=said)


def test_only_own_leases_are_given_back(crawl: Crawl) -> None:
    crawl.queue(URL, "http://b.org/1")
    other = crawl.join()
    mine, theirs = crawl.lease(max_hosts=1), crawl.lease(other)
    with writing(crawl.engine) as connection:
        give_back(connection, crawl.member.worker_id, [row.id for row in (*mine.rows, *theirs.rows)])
    assert sorted(crawl.states().values()) == ["leased", "queued"]


def test_a_worker_taken_for_dead_ends_nothing(crawl: Crawl) -> None:
    """Another worker has its lease, and may wait for the page."""
    crawl.queue(URL)
    (row,) = crawl.lease().rows
    kill(crawl, crawl.member)
    other = crawl.join()
    assert urls_of(crawl.lease(other)) == [URL]
    crawl.end([row])
    assert crawl.states() == {URL: "leased"}


def test_a_worker_taken_for_dead_begins_anew(crawl: Crawl) -> None:
    """It gets nothing of hosts that are not its own any more, and what it leased is queued again."""
    crawl.queue(URL, f"{URL}_2")
    (host,) = crawl.lease(batch=1).hosts
    kill(crawl, crawl.member)
    crawl.join()
    assert not crawl.lease(per_host={host: 0}, max_hosts=1).rows
    with writing(crawl.engine) as connection:
        pulse = beat(connection, crawl.member, 60)
    assert (pulse.was_buried, pulse.hosts) == (True, frozenset())
    assert set(crawl.states().values()) == {"queued"}


def kill(crawl: Crawl, member: Membership) -> None:
    """Have the worker be silent for too long."""
    with writing(crawl.engine) as connection:
        long_ago = datetime(2024, 1, 1, tzinfo=UTC)
        workers = update(frontier_workers).where(frontier_workers.c.id == member.worker_id)
        connection.execute(workers.values(leased_until=long_ago))


@pytest.mark.parametrize("is_leased", [True, False], ids=["leased by another", "queued"])
def test_an_address_whose_page_is_stored_with_another_has_ended(crawl: Crawl, *, is_leased: bool) -> None:
    crawl.queue(URL, "http://a.org/2")
    if is_leased:
        crawl.lease(batch=2)
    keys = [fingerprint(url) for url in (URL, "http://a.org/9")]
    ends = [RequestEnd(key=(crawl.member.crawl_id, key), reason="part") for key in keys]
    with writing(crawl.engine) as connection:
        RequestEnd.write_all(connection, ends)
    assert crawl.states() == {URL: "done", "http://a.org/2": "leased" if is_leased else "queued"}


def test_a_process_is_dead_only_where_that_can_be_known() -> None:
    machine, pid, started = this_process().rsplit(" ", 2)
    assert not is_dead(this_process())
    assert is_dead(f"{machine} {2**22 + 1} {started}")  # no process has such a number
    assert not is_dead(f"elsewhere {2**22 + 1} {started}")
    assert not started or is_dead(f"{machine} {pid} 1")  # the number was given again
