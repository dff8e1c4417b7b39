from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import Figures, RunState, begin_run, loose_ends, newest_article, shrinkage, state_of
from newscrawl.store.storage import write_batch
from tests.records import NOW, PUBLISHED, chinese, stored

STATS = {
    "downloader/request_count": 110,
    "downloader/response_count": 100,
    "downloader/response_status_count/200": 60,
    "downloader/response_status_count/304": 20,
    "newscrawl/outcome/stored": 30,
    "newscrawl/outcome/duplicate": 25,
    "newscrawl/outcome/robots": 2,
    "newscrawl/seeds/asked": 4,
    "newscrawl/seeds/disallowed": 1,
    "newscrawl/outcome/http_error": 12,
    "newscrawl/outcome/failed": 3,
    "newscrawl/store/new": 20,
    "newscrawl/store/revisions": 4,
    "newscrawl/store/unchanged": 6,
    "newscrawl/recrawl/not_modified": 20,
    "newscrawl/blocked/403": 2,
    "newscrawl/blocked/challenge": 1,
    "newscrawl/rejected/trap": 5,
    "newscrawl/rejected/budget": 6,
    "newscrawl/rejected/offsite": 700,
    "newscrawl/retry_after/answers": 2,
    "newscrawl/retry_after/seconds": 60,
    "finish_reason": "finished",
}


def test_figures_are_read_from_stats() -> None:
    figures = Figures.of(STATS)
    assert (figures.asked, figures.answered, figures.bodies, figures.not_modified) == (110, 100, 60, 20)
    assert (figures.new, figures.changed, figures.unchanged) == (20, 4, 26)
    assert (figures.robots, figures.slowed, figures.slowed_seconds, figures.blocked) == (2, 2, 60, 3)
    assert (figures.seeds, figures.seeds_disallowed) == (4, 1)
    assert (figures.traps, figures.duplicates, figures.failed) == (11, 5, 3)
    assert figures.failed_share == pytest.approx(6 / 110)
    assert Figures.of({}) == Figures()


@pytest.mark.parametrize(
    ("reason", "figures", "state"),
    [
        ("finished", Figures(asked=10, bodies=9), RunState.COMPLETE),
        ("finished", Figures(asked=10, not_modified=9), RunState.COMPLETE),
        ("finished", Figures(asked=10, bodies=9, pages_left=1), RunState.PARTIAL),
        ("closespider_itemcount", Figures(asked=10, bodies=10), RunState.PARTIAL),
        ("closespider_errorcount", Figures(asked=10, bodies=10), RunState.FAILED),
        ("finished", Figures(asked=10, bodies=8, failed=2), RunState.PARTIAL),
        ("finished", Figures(asked=10, bodies=8, blocked=2), RunState.PARTIAL),
        ("finished", Figures(asked=10, bodies=2, failed=8), RunState.FAILED),
        ("finished", Figures(asked=3), RunState.FAILED),
        ("finished", Figures(), RunState.COMPLETE),  # nothing was due
        ("finished", Figures(asked=1, bodies=1, robots=5, seeds=2, seeds_disallowed=2), RunState.FAILED),
        ("finished", Figures(seeds=2, seeds_disallowed=1, seeds_private=1), RunState.FAILED),
        ("finished", Figures(asked=9, bodies=8, robots=5, seeds=2, seeds_disallowed=1), RunState.COMPLETE),
        ("finished", Figures(asked=9, bodies=8, stored=3, seeds=2, seeds_disallowed=2), RunState.COMPLETE),  # a feed
        ("limit", Figures(asked=10, bodies=9), RunState.PARTIAL),
        ("shutdown", Figures(asked=10, bodies=9), RunState.PARTIAL),
        ("shutdown", Figures(asked=1), RunState.PARTIAL),
        ("storage_error", Figures(asked=10, bodies=9), RunState.FAILED),
        ("memusage_exceeded", Figures(asked=10, bodies=9), RunState.FAILED),
        (None, Figures(asked=10, bodies=9), RunState.UNFINISHED),
    ],
)
def test_a_partial_harvest_never_looks_complete(reason: str | None, figures: Figures, state: RunState) -> None:
    found, why = state_of(reason, figures)
    assert found is state
    assert (why == "") == (state is RunState.COMPLETE)


def test_a_run_shrinks_against_the_median_of_earlier_ones() -> None:
    earlier = [Figures(answered=n, stored=10) for n in (90, 100, 900)]
    assert shrinkage(Figures(answered=50, stored=5), earlier, 0.5) is None
    assert "answered 49" in (shrinkage(Figures(answered=49, stored=10), earlier, 0.5) or "")
    assert "stored 4" in (shrinkage(Figures(answered=100, stored=4), earlier, 0.5) or "")
    assert shrinkage(Figures(), earlier[:2], 0.5) is None, "two runs have no usual"
    assert shrinkage(Figures(), earlier, 0) is None


def test_a_run_that_asked_for_little_has_not_shrunk_unless_nothing_is_new() -> None:
    earlier = [Figures(answered=n, stored=10, new=n // 10) for n in (90, 100, 900)]
    assert shrinkage(Figures(answered=1, new=1), earlier, 0.5, is_incremental=True) is None
    assert "new 0" in (shrinkage(Figures(answered=50), earlier, 0.5, is_incremental=True) or "")
    assert shrinkage(Figures(), [Figures(new=4)] * 5, 0.5, is_incremental=True) is None


@pytest.mark.parametrize(
    ("figures", "state"),
    [
        (Figures(asked=2, joined=1), RunState.COMPLETE),  # a worker that came for the last two, which were gone
        (Figures(asked=4, joined=1), RunState.COMPLETE),
        (Figures(asked=2), RunState.FAILED),
        (Figures(asked=50, joined=1), RunState.FAILED),  # a site that is down is told of by whoever asked it
        (Figures(joined=1), RunState.COMPLETE),
    ],
)
def test_a_worker_that_joins_at_the_end_has_not_failed(figures: Figures, state: RunState) -> None:
    assert state_of("finished", figures)[0] is state


def test_what_turns_out_to_be_a_copy_is_no_new_article(database: str) -> None:
    engine = make_engine(database)
    migrate(engine)
    body, later = chinese(1), PUBLISHED + timedelta(hours=2)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://a.org/old", chinese(2))])
        newest = newest_article(connection)
        run_id = begin_run(connection, spider="site", site="a", arguments={}, started_at=NOW, versions={})
        for url, published in (("https://a.org/copy", later), ("https://b.org/first", PUBLISHED)):
            write_batch(connection, [replace(stored(url, body, datePublished=published), run_id=run_id)])
        assert loose_ends(connection, run_id, None, newest)[:4] == (None, 0, 1, 1)
        assert loose_ends(connection, run_id + 1, None, newest)[2] == 0
    engine.dispose()
