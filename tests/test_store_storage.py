from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, event, func, make_url, select, text

from newscrawl.exceptions import StorageError
from newscrawl.outcomes import Outcome
from newscrawl.store import PageRecord, RecordEnd, Storage
from newscrawl.store import storage as storage_module
from newscrawl.store.engine import make_engine
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import save_site
from newscrawl.store.schema import articles, pages
from tests import postgres as postgres_server
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    storage = Storage.open(database, batch_size=50, seconds=0.02)
    yield storage
    storage.close()


def missed(i: int) -> PageRecord:
    return PageRecord(url=f"https://e.org/{i}", outcome=Outcome.HTTP_ERROR, status=404, fetched_at=NOW)


def count(engine: Engine, table: Any = pages) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def test_verdict_comes_after_the_commit(storage: Storage) -> None:
    async def one() -> tuple[RecordEnd, int]:
        verdict = await storage.submit(stored("https://e.org/1", chinese(1)))
        return verdict, count(storage.engine)

    assert asyncio.run(one()) == (RecordEnd(outcome=Outcome.STORED, revision=1), 1)


def test_many_records_share_transactions(storage: Storage) -> None:
    async def many() -> list[RecordEnd]:
        return await asyncio.gather(*(storage.submit(missed(i)) for i in range(500)))

    commits: list[object] = []
    event.listen(storage.engine, "commit", commits.append)
    verdicts = asyncio.run(many())
    assert {verdict.outcome for verdict in verdicts} == {Outcome.HTTP_ERROR}
    assert count(storage.engine) == 500
    assert 0 < len(commits) < 100


def test_submitting_waits_where_the_writer_is_behind(database: str) -> None:
    storage = Storage.open(database, batch_size=5, seconds=0)
    held = threading.Event()
    storage.post(missed(0))
    asyncio.run(storage.flush())
    most: list[int] = []

    async def crowd() -> None:
        blocked = asyncio.ensure_future(storage.call(lambda _connection: held.wait(10)))
        rest = [asyncio.ensure_future(storage.submit(missed(i))) for i in range(1, 101)]
        await asyncio.sleep(0.2)
        most.append(len(storage))
        held.set()
        await asyncio.gather(blocked, *rest)

    asyncio.run(crowd())
    assert 0 < most[0] <= 20
    assert count(storage.engine) == 101
    storage.close()


def test_close_writes_what_waits(database: str) -> None:
    storage = Storage.open(database, batch_size=1000, seconds=60)
    futures = [storage.post(missed(i)) for i in range(10)]
    storage.close()
    assert [future.result(timeout=0).outcome for future in futures] == [Outcome.HTTP_ERROR] * 10


def test_flush_does_not_wait_for_the_batch_to_fill(database: str) -> None:
    storage = Storage.open(database, batch_size=1000, seconds=60)
    storage.post(missed(1))
    started = time.monotonic()
    asyncio.run(storage.flush())
    assert time.monotonic() - started < 10
    assert count(storage.engine) == 1
    storage.close()


def test_after_close_nothing_is_taken(database: str) -> None:
    storage = Storage.open(database)
    storage.close()
    with pytest.raises(StorageError, match="closed"):
        storage.post(missed(1)).result(timeout=1)


@pytest.mark.postgres
def test_what_is_too_large_for_an_index_fails_alone(postgres_database: str, caplog: pytest.LogCaptureFixture) -> None:
    storage = Storage.open(postgres_database)
    large = "".join(map(chr, range(0x4E00, 0x5E00)))
    refused = storage.post(partial(save_site, row={"name": large, "hosts": [], "seeds": []}))
    verdict = asyncio.run(storage.submit(missed(1)))
    assert (verdict.outcome, count(storage.engine)) == (Outcome.HTTP_ERROR, 1)
    storage.close()
    with pytest.raises(StorageError, match="cannot be stored: index row"):
        refused.result()
    assert "Cannot be stored: index row" in caplog.text


def test_record_the_database_refuses_fails_alone(storage: Storage) -> None:
    bad = replace(stored("https://e.org/bad", chinese(50)), run_id=999)  # no such run

    async def all_of_them() -> list[RecordEnd | BaseException]:
        records = [stored(f"https://e.org/{i}", chinese(i)) for i in range(8)]
        records.insert(3, bad)
        return await asyncio.gather(*(storage.submit(record) for record in records), return_exceptions=True)

    answers = asyncio.run(all_of_them())
    assert [i for i, answer in enumerate(answers) if isinstance(answer, StorageError)] == [3]
    assert count(storage.engine, articles) == 8


def test_full_disk_ends_everything_in_one_line(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'news.sqlite'}")
    migrate(engine)
    engine.dispose()
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count = 200"))
    failures: list[StorageError] = []
    storage = Storage(engine, batch_size=20, seconds=0.01)
    storage.on_failure = failures.append
    futures = [storage.post(stored(f"https://e.org/{i}", chinese(i, 2000))) for i in range(200)]
    errors = [future.exception(timeout=30) for future in futures]
    kept = [error for error in errors if error is None]
    assert len(failures) == 1
    assert str(failures[0]).endswith("database or disk is full")
    assert all(error is failures[0] for error in errors if error is not None)
    assert isinstance(storage.post(missed(1)).exception(timeout=1), StorageError)
    storage.close()
    assert 0 < len(kept) < 200
    assert count(engine) == count(engine, articles) == len(kept)  # nothing half-written
    engine.dispose()


@pytest.mark.postgres
def test_two_workers_agree_on_what_was_first(postgres_database: str) -> None:
    """The same 40 texts, written by two workers at once under different URLs, in opposite orders.

    Which of two is kept their addresses say: one that was stored first becomes the other's duplicate.
    """
    workers = [Storage.open(postgres_database, batch_size=3, seconds=0) for _ in range(2)]

    async def both() -> list[RecordEnd]:
        left = [workers[0].submit(stored(f"https://a.org/{i}", chinese(i))) for i in range(40)]
        right = [workers[1].submit(stored(f"https://b.org/{i}", chinese(i))) for i in reversed(range(40))]
        return await asyncio.gather(*left, *right)

    verdicts = asyncio.run(both())
    assert {verdict.outcome for verdict in verdicts} == {Outcome.STORED, Outcome.DUPLICATE}
    with workers[0].engine.connect() as connection:
        rows = connection.execute(select(articles.c.url, articles.c.duplicate_of))
        firsts = {row.url: row.duplicate_of for row in rows}
    assert firsts == {
        f"https://{host}.org/{i}": None if host == "a" else f"https://a.org/{i}" for host in "ab" for i in range(40)
    }
    for worker in workers:
        worker.close()


@pytest.mark.postgres
def test_broken_connection_is_tried_again(postgres_database: str) -> None:
    storage = Storage.open(postgres_database, seconds=0)
    asyncio.run(storage.submit(missed(1)))
    killer = make_engine(postgres_database)
    with killer.connect() as connection:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        connection.execute(text(f"{others} AND pid <> pg_backend_pid()"))
    killer.dispose()
    asyncio.run(storage.submit(missed(2)))
    assert count(storage.engine) == 2
    storage.close()


@pytest.mark.postgres
def test_database_gone_ends_everything_in_one_line(postgres: str, postgres_database: str) -> None:
    storage = Storage.open(postgres_database, seconds=0)
    failures: list[StorageError] = []
    storage.on_failure = failures.append
    asyncio.run(storage.submit(missed(1)))
    engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f'DROP DATABASE "{make_url(postgres_database).database}" WITH (FORCE)')
    engine.dispose()
    with pytest.raises(StorageError, match="does not exist"):
        asyncio.run(storage.submit(missed(2)))
    storage.close()  # the writer tells of it after the records have failed
    assert [str(failure).count("\n") for failure in failures] == [0]


@pytest.mark.postgres
def test_a_server_that_is_killed_and_started_again_is_waited_for(postgres: str) -> None:
    """Records handed over meanwhile are written when it is back, none twice, in their order."""
    with postgres_server.running("-c fsync=off") as server:
        storage = Storage.open(server.url, batch_size=5, seconds=0)
        failures: list[StorageError] = []
        storage.on_failure = failures.append

        async def crawl_on() -> list[RecordEnd]:
            before = [asyncio.ensure_future(storage.submit(missed(i))) for i in range(10)]
            await asyncio.gather(*before)
            server.stop()
            after = [asyncio.ensure_future(storage.submit(missed(i))) for i in range(10, 30)]
            await asyncio.sleep(0.5)
            assert not any(task.done() for task in after)
            await asyncio.to_thread(server.start)
            return await asyncio.gather(*before, *after)

        assert len(asyncio.run(crawl_on())) == 30
        assert count(storage.engine) == 30
        assert failures == []
        storage.close()


@pytest.mark.postgres
def test_patience_with_a_server_that_stays_away_ends(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_module, "PATIENCE_SECONDS", 0.3)
    with postgres_server.running("-c fsync=off") as server:
        engine = make_engine(server.url)
        migrate(engine)
        storage = Storage(engine, batch_size=5, seconds=0)
        server.stop()
        error = storage.post(missed(1)).exception(timeout=30)
        assert isinstance(error, StorageError)
        assert str(error).count("\n") == 0
        storage.close()
        server.start()
