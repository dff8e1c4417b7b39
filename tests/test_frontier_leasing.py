from __future__ import annotations

import heapq
import random
from datetime import UTC, datetime, timedelta
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select, text, update

from newscrawl.frontier.leasing import LeaseAttempt, Order, is_worth_asking, release
from newscrawl.frontier.membership import bury_dead, has_open, join, leave, seconds_late
from newscrawl.frontier.records import change_priorities, mark_hosts
from newscrawl.store.engine import writing
from newscrawl.store.schema import frontier_crawls, frontier_hosts, frontier_workers
from tests.frontiers import Crawl, fingerprint, urls_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

A, B, C = "http://a.org/", "http://b.org/", "http://c.org/"


@pytest.fixture
def crawl(database: str) -> Iterator[Crawl]:
    crawl = Crawl(database)
    yield crawl
    crawl.close()


def test_each_address_is_queued_once(crawl: Crawl) -> None:
    assert crawl.queue(f"{A}1", f"{A}2", f"{A}1") == [True, True, False]
    assert crawl.queue(f"{A}2", f"{A}3") == [False, True]
    assert len(crawl.states()) == 3


def test_a_redirect_to_a_host_too_long_for_an_index_ends_no_crawl(crawl: Crawl) -> None:
    host = "".join(random.Random(1).choices(ascii_lowercase, k=3_000))
    assert crawl.queue(f"http://{host}/1", f"http://{host}/2", f"http://{host[1:]}/", A) == [True] * 4
    assert len(crawl.lease().rows) == 4


def test_an_address_that_ended_is_not_asked_for_again_in_its_pass(crawl: Crawl) -> None:
    crawl.queue(f"{A}1", f"{A}2")
    crawl.end(crawl.lease().rows)
    assert crawl.queue(f"{A}1", f"{A}2") == [False, False]
    assert crawl.queue(f"{A}1", f"{A}2", again=True) == [True, True]
    assert crawl.states() == {f"{A}1": "queued", f"{A}2": "queued"}


def test_a_finished_crawl_begins_a_new_pass_an_open_one_goes_on(crawl: Crawl) -> None:
    crawl.queue(f"{A}1")
    assert not crawl.join().is_new_pass
    crawl.end(crawl.lease().rows)
    for finished, new_pass in ((False, 1), (True, 2)):
        with writing(crawl.engine) as connection:
            leave(connection, crawl.member, {}, is_finished=finished)
        crawl.member = crawl.join()
        assert crawl.member.pass_number == new_pass
    assert crawl.queue(f"{A}1") == [True]


def test_a_worker_that_comes_when_the_others_have_just_finished_begins_no_new_pass(crawl: Crawl) -> None:
    crawl.queue(f"{A}1")
    crawl.end(crawl.lease().rows)
    with writing(crawl.engine) as connection:
        leave(connection, crawl.member, {}, is_finished=True)
    with writing(crawl.engine) as connection:
        late, _ = join(connection, crawl.name, 60, late_seconds=30)
    assert (late.pass_number, late.is_new_pass) == (1, False)
    assert not crawl.lease(late).is_open
    assert (crawl.join().pass_number, crawl.member.pass_number) == (2, 1)


def test_a_pass_that_ended_by_a_clock_that_ran_ahead_is_followed_by_a_new_one(crawl: Crawl) -> None:
    with writing(crawl.engine) as connection:
        leave(connection, crawl.member, {}, is_finished=True)
        ahead = datetime.now(UTC) + timedelta(days=400)
        connection.execute(update(frontier_crawls).values(finished_at=ahead))
    assert crawl.join().pass_number == 2


def test_a_process_knows_for_how_long_it_has_run() -> None:
    assert 0.0 <= seconds_late("a crawl") < 120.0
    assert seconds_late("a crawl") == 0.0, "it has taken part before"


def test_hosts_share_a_batch_and_the_best_of_each_comes_first(crawl: Crawl) -> None:
    crawl.queue(*((f"{A}{i}", i % 3) for i in range(9)), (f"{B}1", 0), (f"{B}2", 5))
    assert urls_of(crawl.lease(batch=4)) == [f"{A}2", f"{A}5", f"{B}2", f"{B}1"]


def test_what_waits_in_the_worker_counts_as_leased(crawl: Crawl) -> None:
    crawl.queue(*(f"{A}{i}" for i in range(9)))
    first = crawl.lease(batch=4)
    host = min(first.hosts)
    assert urls_of(crawl.lease(batch=4, per_host={host: 3})) == [f"{A}4"]


def test_a_host_with_nothing_more_queued_leaves_its_share_to_others(crawl: Crawl) -> None:
    crawl.queue(*(f"{A}{i}" for i in range(9)), f"{B}1")
    first = crawl.lease(batch=4)
    ids = {name: host_id for host_id, name in first.hosts.items()}
    assert first.dry == {ids["b.org"]}
    waiting = dict.fromkeys(ids.values(), 0)
    assert len(crawl.lease(batch=4, per_host=waiting).rows) == 2
    assert len(crawl.lease(batch=4, per_host=waiting, dry=first.dry).rows) == 4
    last = crawl.lease(batch=4, per_host=waiting, dry=first.dry)
    assert len(last.rows) == 1
    assert last.dry == {ids["a.org"]}


def test_two_workers_never_lease_one_host(crawl: Crawl) -> None:
    crawl.queue(*(f"{host}{i}" for host in (A, B, C) for i in range(5)))
    other = crawl.join()
    mine = crawl.lease(is_alone=False)  # an equal share: two of three
    theirs = crawl.lease(other, is_alone=False)
    assert len(mine.hosts) == 2
    assert len(theirs.hosts) == 1
    assert {row.host_id for row in mine.rows}.isdisjoint(row.host_id for row in theirs.rows)
    assert len(mine.rows) + len(theirs.rows) == 15


def test_a_host_given_back_rests_before_it_is_leased_again(crawl: Crawl) -> None:
    crawl.queue(f"{A}1", f"{A}2")
    host = min(crawl.lease(batch=1).hosts)
    other = crawl.join()
    assert not crawl.lease(batch=0, released={host: 60.0}).kept
    assert not crawl.lease(other).rows
    assert crawl.lease(other).is_open
    with writing(crawl.engine) as connection:
        connection.execute(update(frontier_hosts).values(free_at=None))
    assert urls_of(crawl.lease(other)) == [f"{A}2"]


def test_rests_and_leases_by_a_clock_that_ran_ahead_count_as_over(crawl: Crawl) -> None:
    crawl.queue(f"{A}1")
    silent = crawl.join(lease_seconds=400 * 86400.0)
    crawl.lease(silent)
    with writing(crawl.engine) as connection:
        connection.execute(
            update(frontier_workers).where(frontier_workers.c.id == silent.worker_id).values(process="x 1 1")
        )
    other = crawl.join()
    with writing(crawl.engine) as connection:
        ahead = datetime.now(UTC) + timedelta(days=400)
        connection.execute(update(frontier_hosts).values(free_at=ahead))
    assert not crawl.lease(other).rows
    assert urls_of(crawl.lease(crawl.join())) == [f"{A}1"]


def test_a_host_without_work_is_found_again_when_something_is_queued(crawl: Crawl) -> None:
    crawl.queue(f"{A}1")
    supply = crawl.lease()
    crawl.end(supply.rows)
    crawl.lease(released={min(supply.hosts): 0.0})
    other = crawl.join()
    with crawl.engine.connect() as connection:
        assert connection.execute(select(frontier_hosts.c.has_work)).scalar_one() in (False, 0)
        assert is_worth_asking(connection, other, is_strict=False) == (False, False)
    crawl.queue(f"{A}2")
    with crawl.engine.connect() as connection:
        assert is_worth_asking(connection, other, is_strict=False) == (True, True)
    assert urls_of(crawl.lease(other)) == [f"{A}2"]


def test_a_host_that_has_the_mark_of_work_is_not_written_anew(crawl: Crawl) -> None:
    marked, written = [], []
    for _ in range(2):
        with writing(crawl.engine) as connection:
            before = _n_written(connection)
            marked.append(mark_hosts(connection, crawl.member.crawl_id, ["a.org", "b.org"]))
            written.append(_n_written(connection) - before)
    assert marked[0] == marked[1]
    assert written == [2, 0]


def _n_written(connection: Connection) -> int:
    if connection.dialect.name == "postgresql":
        query = text("SELECT sum(n_tup_ins + n_tup_upd) FROM pg_stat_xact_user_tables WHERE relname = 'frontier_hosts'")
        return int(connection.execute(query).scalar_one())
    driver: Any = connection.connection.driver_connection
    n: int = driver.total_changes
    return n


def test_whether_a_crawl_is_open_is_told_without_reading_the_queue_of_a_host_that_rests(tmp_path: Path) -> None:
    crawl = Crawl(f"sqlite:///{tmp_path / 'news.sqlite'}")
    crawl.queue(*(f"{A}{n}" for n in range(3_000)))
    n_steps = []
    for rest in (0, 500):
        with writing(crawl.engine) as connection:
            later = datetime.now(UTC) + timedelta(seconds=rest)
            connection.execute(update(frontier_hosts).values(free_at=later))
            driver: Any = connection.connection.driver_connection
            driver.set_progress_handler(lambda: n_steps.append(rest), 100)  # noqa: B023 (called in this round)
            assert has_open(connection, crawl.member.crawl_id, patience_seconds=60) == (rest == 0)
            driver.set_progress_handler(None, 0)
    assert len(n_steps) < 20, "hundreds of steps of SQLite's machine"
    crawl.close()


def test_the_leases_of_a_silent_worker_are_returned(crawl: Crawl) -> None:
    crawl.queue(f"{A}1", f"{A}2")
    silent = crawl.join(lease_seconds=0.0)
    crawl.lease(silent, batch=1)
    with writing(crawl.engine) as connection:
        connection.execute(update(frontier_workers).values(process="elsewhere 1 1"))
        assert bury_dead(connection) == 1
        assert connection.execute(select(frontier_workers.c.id)).scalars().all() == [crawl.member.worker_id]
    assert urls_of(crawl.lease()) == [f"{A}1", f"{A}2"]


@pytest.mark.parametrize("n_before", range(6))
def test_a_crawl_is_open_while_the_leases_of_a_dead_worker_are_returned(crawl: Crawl, n_before: int) -> None:
    """Whoever asks meanwhile sees them leased or queued: one that sees neither takes the crawl for done."""
    crawl.queue(f"{A}1", f"{B}1")
    crawl.lease(crawl.join(lease_seconds=0.0))
    statements: list[int] = []

    def bury(*_: object) -> None:
        statements.append(len(statements))
        if len(statements) == n_before + 1:
            with writing(crawl.engine) as other:
                assert bury_dead(other, but=crawl.member.worker_id) == 2

    with crawl.engine.connect() as connection:
        event.listen(connection, "before_cursor_execute", bury)
        _, is_open = is_worth_asking(connection, crawl.member, is_strict=False)
    assert is_open
    assert statements


def test_leaving_returns_leases_at_once(crawl: Crawl) -> None:
    crawl.queue(*(f"{A}{i}" for i in range(5)))
    crawl.lease()
    with writing(crawl.engine) as connection:
        assert leave(connection, crawl.member, {}, is_finished=False) == 5
    assert len(crawl.lease(crawl.join()).rows) == 5


def test_a_lease_tried_again_returns_what_the_first_try_took(crawl: Crawl) -> None:
    """The connection broke while the first was committed: nobody knows its rows."""
    crawl.queue(*(f"{A}{i}" for i in range(5)))
    known = crawl.lease(batch=1)
    attempt = LeaseAttempt(
        Order(
            member=crawl.member,
            batch=2,
            per_host={min(known.hosts): 0},
            max_hosts=9,
            known=frozenset(row.id for row in known.rows),
        )
    )
    supplies = []
    for _ in range(2):
        with writing(crawl.engine) as connection:
            supplies.append(attempt(connection))
    assert urls_of(supplies[0]) == urls_of(supplies[1]) == [f"{A}1", f"{A}2"]
    assert list(crawl.states().values()).count("leased") == 3


def test_new_priorities_reach_what_is_queued_only(crawl: Crawl) -> None:
    crawl.queue((f"{A}1", 5), (f"{A}2", 4), (f"{A}3", 3))
    host = min(crawl.lease(batch=1).hosts)
    with writing(crawl.engine) as connection:
        new = {fingerprint(f"{A}{i}"): 10 * i for i in (1, 3, 7)}
        assert change_priorities(connection, crawl.member.crawl_id, new) == 1
    assert urls_of(crawl.lease(batch=2, per_host={host: 0})) == [f"{A}3", f"{A}2"]


def test_crawls_do_not_mix(crawl: Crawl, database: str) -> None:
    other = Crawl(database, "other")
    crawl.queue(f"{A}1")
    other.queue(f"{A}1", f"{A}2")
    assert urls_of(crawl.lease()) == [f"{A}1"]
    assert urls_of(other.lease()) == [f"{A}1", f"{A}2"]
    other.close()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("queue"), st.integers(0, 40), st.integers(-3, 3)),
        st.tuples(st.just("lease"), st.integers(1, 3), st.just(0)),
    ),
    max_size=60,
)


@given(steps=STEPS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_strict_order_is_that_of_one_queue_for_all_hosts(steps: list[tuple[str, int, int]], tmp_path: Path) -> None:
    """Highest priority first, then oldest, whatever the hosts are; as a heap in memory does it."""
    file = tmp_path / "strict.sqlite"
    for old in tmp_path.glob("strict.sqlite*"):
        old.unlink()
    crawl = Crawl(f"sqlite:///{file}")
    heap: list[tuple[int, int, str]] = []
    seen: set[str] = set()
    for what, n, priority in steps:
        if what == "queue":
            url = f"http://h{n % 4}.org/{n}"
            crawl.queue((url, priority))
            if url not in seen:
                heapq.heappush(heap, (-priority, len(seen), url))
                seen.add(url)
        else:
            expected = [heapq.heappop(heap)[2] for _ in range(min(n, len(heap)))]
            assert urls_of(crawl.lease(batch=n, is_strict=True)) == expected
    crawl.close()


@pytest.mark.postgres
def test_a_lease_does_not_wait_for_who_is_queueing(postgres_database: str) -> None:
    """A host that is just written to is skipped, not waited for; and it has work afterwards."""
    crawl = Crawl(postgres_database)
    crawl.queue(f"{A}1", f"{B}1")
    supply = crawl.lease()
    crawl.end(supply.rows)
    ids = {name: host_id for host_id, name in supply.hosts.items()}
    with writing(crawl.engine, alone=False) as writer:
        crawl.record(f"{A}2").write_all(writer, [crawl.record(f"{A}2")])
        with writing(crawl.engine, alone=False) as connection:
            connection.execute(text("SET LOCAL lock_timeout = '2s'"))
            released = release(connection, crawl.member.worker_id, {ids["a.org"]: 0.0, ids["b.org"]: 0.0})
            assert released == {ids["b.org"]}
    assert urls_of(crawl.lease(per_host={ids["a.org"]: 0})) == [f"{A}2"]
    crawl.close()


@pytest.mark.postgres
def test_no_lease_outlives_a_worker_that_was_taken_off_the_list(postgres_database: str) -> None:
    """The server still commits what a killed worker asked for last: until then the worker stays on the list."""
    crawl = Crawl(postgres_database)
    crawl.queue(f"{A}1", f"{A}2")
    dead = crawl.join(lease_seconds=0.0)
    first = crawl.lease(dead, batch=1)
    with writing(crawl.engine, alone=False) as connection:
        order = Order(member=dead, batch=100, per_host=dict.fromkeys(first.hosts, 0))
        assert len(LeaseAttempt(order)(connection).rows) == 1
        with writing(crawl.engine, alone=False) as other:
            other.execute(text("SET LOCAL lock_timeout = '2s'"))
            assert bury_dead(other, but=crawl.member.worker_id) == 0
    with writing(crawl.engine) as connection:
        assert bury_dead(connection, but=crawl.member.worker_id) == 2
    assert len(crawl.lease().rows) == 2
    crawl.close()
