from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from lxml import html

from newscrawl.serve.reports.runs import RunView, run_page, runs_of, runs_page
from newscrawl.store.command import existing_database
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import RunState, begin_run, earlier_figures, end_run

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "<script>alert('标题')</script>"
STARTED = datetime(2025, 11, 20, 2, tzinfo=UTC)
GOOD = {"downloader/request_count": 9, "downloader/response_count": 9, "downloader/response_status_count/200": 9}


def add_run(database: str, site: str, stats: dict[str, int], reason: str | None = "finished", **arguments: str) -> int:
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        run_id = begin_run(connection, spider=site, site=site, arguments=arguments, started_at=STARTED, versions={})
        if reason is not None:
            end = {"finished_at": STARTED + timedelta(minutes=5), "finish_reason": reason, "stats": stats}
            end |= {"outcomes": {"stored": 3, HOSTILE: 1}, "rejections": {"offsite": 4}}
            end_run(connection, run_id, end | {"rate": {"seconds": 5, "counts": [1, 2, 3]}})
    engine.dispose()
    return run_id


def read_runs(database: str, **chosen: Any) -> list[RunView]:
    with existing_database(database) as engine, engine.connect() as connection:
        return runs_of(connection, **chosen)


def test_runs_are_read_newest_first_with_their_state(database: str) -> None:
    ids = [
        add_run(database, "sina", GOOD),
        add_run(database, "people", GOOD | {"newscrawl/run/pages_left": 3}),
        add_run(database, "sina", GOOD, reason=None),
    ]
    found = read_runs(database)
    assert [run.id for run in found] == ids[::-1]
    assert [run.state for run in found] == [RunState.UNFINISHED, RunState.PARTIAL, RunState.COMPLETE]
    assert [run.id for run in read_runs(database, site="sina")] == [ids[2], ids[0]]
    assert read_runs(database, run_id=ids[1])[0].why == "3 addresses left"
    assert found[2].as_json()["figures"]["answered"] == 9
    assert found[2].statuses == {"200": 9}


def test_pages_are_escaped_and_have_pictures(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/runs.sqlite"
    add_run(database, HOSTILE, GOOD, url=HOSTILE)
    found = read_runs(database)
    for page in (runs_page(found), run_page(found[0])):
        tree = html.fromstring(page)
        assert not tree.xpath("//script")
        assert len(tree.xpath("//svg")) >= 2
        assert HOSTILE in tree.text_content()


def test_no_runs_no_page_breaks(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/none.sqlite"
    engine = make_engine(database)
    migrate(engine)
    engine.dispose()
    assert read_runs(database) == []
    assert "<table>" in runs_page([])
    assert read_runs(database, run_id=7) == []


def test_earlier_runs_are_those_asked_the_same(database: str) -> None:
    add_run(database, "sina", GOOD, mode="new")
    add_run(database, "sina", GOOD, mode="all")
    add_run(database, "sina", GOOD, reason="storage_error", mode="new")
    add_run(database, "people", GOOD, mode="new")
    newest = add_run(database, "sina", {}, mode="new")
    engine = make_engine(database)
    with engine.connect() as connection:
        assert [figures.answered for figures in earlier_figures(connection, newest)] == [9]
    engine.dispose()
