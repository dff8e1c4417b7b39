from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from newscrawl.sites.memory.site import Drift, HostMemory, SiteMemory
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.site_memory import add_drift, load_memories, merge_memories, site_drifts, site_memories
from tests.test_sites_memory_site import HOST, NOTICE, harvest, page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = make_engine(database)
    yield engine
    engine.dispose()


def seen(*numbers: int) -> SiteMemory:
    memory = SiteMemory()
    for number in numbers:
        harvest(memory, page(number))
    return memory


def test_two_workers_know_what_both_have_seen(engine: Engine) -> None:
    migrate(engine)
    one, other = seen(1), seen(2)
    for worker in (one, other):
        with writing(engine) as connection:
            merged = merge_memories(connection, *worker.take_news())
        for host, memory in merged.items():
            worker.put(host, memory)
    assert (one.hosts[HOST].n_pages, other.hosts[HOST].n_pages) == (1, 2)
    assert NOTICE not in harvest(other, page(3)).text
    with engine.connect() as connection:
        found = load_memories(connection)
    assert found[HOST].n_pages == 2


def test_news_seen_while_merging_are_kept(engine: Engine) -> None:
    migrate(engine)
    worker = seen(1, 2)
    news = worker.take_news()
    harvest(worker, page(3))
    with writing(engine) as connection:
        merged = merge_memories(connection, *news)
    worker.put(HOST, merged[HOST])
    assert worker.hosts[HOST].n_pages == 3
    assert worker.news[HOST].n_pages == 1


def test_what_drifted_counts_no_longer(engine: Engine) -> None:
    migrate(engine)
    with writing(engine) as connection:
        merge_memories(connection, *seen(1, 2, 3).take_news())
        merged = merge_memories(connection, *seen(4).take_news()[:1], void=frozenset({HOST}))
    assert merged[HOST].n_pages == 1


def test_a_state_of_another_version_is_begun_anew(engine: Engine) -> None:
    migrate(engine)
    with writing(engine) as connection:
        merge_memories(connection, *seen(1).take_news())
        connection.execute(site_memories.update().values(state={"what": "ever"}))
        assert load_memories(connection) == {}
        assert merge_memories(connection, *seen(2).take_news())[HOST].n_pages == 1
        assert connection.execute(select(func.count()).select_from(site_memories)).scalar() == 1


def test_drifts_are_kept_with_old_and_new_rule(engine: Engine) -> None:
    migrate(engine)
    drift = Drift(host=HOST, reason="places", old="div.story > p", new="div.relaunch > p\0", n_pages=40)
    with writing(engine) as connection:
        add_drift(connection, drift, None)
        row = connection.execute(select(site_drifts)).one()
    assert (row.host, row.old, row.new, row.n_pages) == (HOST, "div.story > p", "div.relaunch > p", 40)
    assert "runs" in {key.column.table.name for key in site_drifts.c.run_id.foreign_keys}


def test_an_empty_memory_adds_nothing() -> None:
    memory = HostMemory()
    memory.add(HostMemory())
    assert memory == HostMemory()
