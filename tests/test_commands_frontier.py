from __future__ import annotations

import json
import os
import re
from argparse import ArgumentParser
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.project import get_project_settings
from scrapy.utils.request import fingerprint as fingerprint_of
from sqlalchemy import event, select, update

from newscrawl.commands.frontier import FrontierCommand
from newscrawl.frontier.leasing import is_worth_asking
from newscrawl.frontier.manage import AddressFilter
from newscrawl.frontier.manage import counts as counted
from newscrawl.frontier.membership import beat, leave
from newscrawl.frontier.records import RequestEnd
from newscrawl.serve.browse import failures_by_reason, queue_by_host
from newscrawl.store.columns import State
from newscrawl.store.coverage import dead_feeds
from newscrawl.store.engine import writing
from newscrawl.store.runs import begin_run, note_alive
from newscrawl.store.schema import frontier, frontier_hosts, frontier_workers, runs
from newscrawl.store.storage import write_batch
from tests.commands_run import refusal
from tests.frontiers import Crawl
from tests.records import stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URLS = [f"http://{host}.org/{i}" for host in "ab" for i in range(3)]


@pytest.fixture
def crawl(database: str) -> Iterator[Crawl]:
    """Six requests: two done, one failed, one leased, two queued."""
    crawl = Crawl(database)
    with writing(crawl.engine) as connection:
        records = [crawl.record(url, fingerprint=fingerprint_of(Request(url))[:16]) for url in URLS]
        type(records[0]).write_all(connection, records)
    rows = crawl.lease(batch=4).rows
    with writing(crawl.engine) as connection:
        ends = [replace(crawl.ended(row), reason="stored") for row in rows[:2]]
        failed = replace(crawl.ended(rows[2]), state=State.FAILED, reason="http_error:503")
        RequestEnd.write_all(connection, [*ends, failed])
    yield crawl
    crawl.close()


def run(capsys: pytest.CaptureFixture[str], database: str, *arguments: str) -> Any:
    command = FrontierCommand()
    command.settings = get_project_settings()
    parser = ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args([*arguments, "--database", database, "--json"])
    command.process_options(rest, options)
    command.run(rest, options)
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def counts(found: Any) -> dict[str, int]:
    return {state: found[0][state] for state in map(str, State)}


@pytest.mark.parametrize("words", [["--host", "none.org"], ["http://none.org/1"]])
def test_a_host_or_address_of_no_request_is_one_line(
    crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    line = refusal(FrontierCommand(), capsys, "list", *words, "--database", database)
    assert "no request is kept of" in line


def test_counts_by_crawl_and_state(crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, database)
    assert [(row["name"], row["pass_number"], row["workers"]) for row in found] == [("test", 1, 1)]
    assert counts(found) == {"queued": 2, "leased": 1, "done": 2, "failed": 1}
    assert counts(run(capsys, database, "--crawl", "test")) == {"queued": 2, "leased": 1, "done": 2, "failed": 1}
    assert counts(run(capsys, database, "--host", "b.org"))["queued"] == 1


def test_what_the_browser_shows_of_a_frontier_is_read_from_indexes(tmp_path: Path) -> None:
    crawl = Crawl(f"sqlite:///{tmp_path}/f.sqlite")
    crawl.queue(*URLS)
    asked: list[tuple[str, Any]] = []
    event.listen(crawl.engine, "before_cursor_execute", lambda *given: asked.append(given[2:4]))
    with crawl.engine.connect() as connection:
        counted(connection, AddressFilter())
        assert queue_by_host(connection, "test") == {"a.org": 3, "b.org": 3}
        failures_by_reason(connection)
        dead_feeds(connection, "test")
        for statement, values in asked:
            if statement.startswith("SELECT"):
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
                assert [row.detail for row in plan if re.match(r"SCAN frontier\b(?!.*INDEX)", row.detail)] == []
    assert len(asked) > 8
    crawl.close()


def test_lists_what_leaves_first(crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    with writing(crawl.engine) as connection:
        connection.execute(update(frontier).where(frontier.c.url == URLS[5]).values(priority=9))
    queued = run(capsys, database, "list", "--state", "queued")
    assert [row["url"] for row in queued] == [URLS[5], URLS[2]]
    failed = run(capsys, database, "list", "--reason", "http_error:5")
    assert [(row["state"], row["reason"]) for row in failed] == [("failed", "http_error:503")]
    assert len(run(capsys, database, "list", "--limit", "4")) == 4


def test_requeues_what_failed(crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    with writing(crawl.engine) as connection:
        leave(connection, crawl.member, {}, is_finished=True)
    assert run(capsys, database, "requeue", "--reason", "failed") == {"requeued": 0}
    assert run(capsys, database, "requeue", "--crawl", "test") == {"requeued": 1}
    assert counts(run(capsys, database)) == {"queued": 4, "leased": 0, "done": 2, "failed": 0}
    assert run(capsys, database, "requeue", URLS[0]) == {"requeued": 1}
    assert len(crawl.lease(crawl.join()).rows) == 5


def test_forgets_addresses_hosts_and_crawls(crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, database, "forget", URLS[0], URLS[1]) == {"forgotten": 2}
    assert run(capsys, database, "forget", "--ended-before", "2000-01-01") == {"forgotten": 0}
    assert run(capsys, database, "forget", "--host", "b.org") == {"forgotten": 3}
    assert run(capsys, database, "forget", "--crawl", "test") == {"forgotten": 1}
    assert run(capsys, database) == []
    assert crawl.join().pass_number == 1


def test_hosts_without_addresses_are_forgotten_once_nobody_works_on_the_crawl(
    crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def hosts() -> list[str]:
        with writing(crawl.engine) as connection:
            return list(connection.execute(select(frontier_hosts.c.host).order_by(frontier_hosts.c.host)).scalars())

    names = hosts()
    assert len(names) == 2
    assert run(capsys, database, "forget", "--host", names[1]) == {"forgotten": 3}
    assert hosts() == names  # a worker may queue some more of it
    with writing(crawl.engine) as connection:
        leave(connection, crawl.member, {}, is_finished=False)
    assert run(capsys, database, "forget", "--host", "none.org") == {"forgotten": 0}
    assert hosts() == names[:1]
    assert counts(run(capsys, database))["done"] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eat"], "count, list, requeue, forget"),
        (["forget"], "--crawl"),
        (["list", "--state", "lost"], "queued, leased, done, failed"),
        (["list", "--limit", "-1"], "a whole number of at least 1"),
        (["list", "--crawl", "nope"], "test"),
        (["forget", "--ended-before", "yesterday"], "2024-03-05"),
        (["forget", "no url"], "http"),
        (["raise"], "raise what?"),
        (["raise", "--crawl", "test"], "raise what?"),
        (["drain"], "worker's process"),
        (["resume", "0"], "no worker '0'; there are: "),
    ],
)
def test_mistakes_are_one_line(
    crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in refusal(FrontierCommand(), capsys, *arguments, "--database", database)


def test_without_a_database_nothing_is_made(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.sqlite"
    assert "none.sqlite" in refusal(FrontierCommand(), capsys, "--database", f"sqlite:///{file}")
    assert not file.exists()


@pytest.mark.parametrize(
    ("form", "n"),
    [
        ("*/1", 2),
        ("http://a.org/*", 3),
        ("*b.org*", 3),
        ("http://_.org/*", 0),
        ("%", 0),
        ("*", 6),
        ("*/1\\\\", 0),
        ("1", 0),
    ],
)
def test_addresses_of_a_form(
    crawl: Crawl, database: str, form: str, n: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(run(capsys, database, "list", "--address", form)) == n
    queued = len(run(capsys, database, "list", "--address", form, "--state", "queued"))
    assert run(capsys, database, "forget", "--address", form, "--state", "queued") == {"forgotten": queued}
    assert len(run(capsys, database, "list", "--address", form)) == n - queued


def test_what_is_raised_comes_before_all_else_in_its_own_order(
    crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    late = [f"http://z.org/{n}" for n in range(3)]
    crawl.queue(("http://a.org/best", 900), *((url, n) for n, url in enumerate(late)))
    assert run(capsys, database, "raise", "--host", "z.org") == {"raised": 3}
    waiting = [row["url"] for row in run(capsys, database, "list", "--state", "queued")]
    assert waiting[:4] == [*late[::-1], "http://a.org/best"]
    assert run(capsys, database, "raise", "--address", "*/best") == {"raised": 1}
    assert run(capsys, database, "list", "--state", "queued")[0]["url"] == "http://a.org/best"
    assert run(capsys, database, "raise", "--host", "none.org") == {"raised": 0}
    assert len(crawl.lease(crawl.join(), is_alone=False, is_strict=True, batch=1).rows) == 1


def test_a_worker_that_drains_is_given_nothing_and_others_share_all(
    crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = crawl.member
    other = crawl.join()
    crawl.queue(*(f"http://{host}.org/9" for host in "cdef"))
    assert run(capsys, database, "drain", str(os.getpid())) == {"drained": 2}  # both are of this process
    assert [worker["drains"] for worker in run(capsys, database, "workers")["workers"]] == [True, True]
    assert not crawl.lease(mine).rows
    with crawl.engine.connect() as connection:
        assert is_worth_asking(connection, mine, is_strict=False) == (False, True)
    with writing(crawl.engine) as connection:
        pulse = beat(connection, mine, 60, n_ended=90)
        assert (pulse.is_to_drain, pulse.n_workers) == (True, 0)
        of_other = update(frontier_workers).where(frontier_workers.c.id == other.worker_id)
        connection.execute(of_other.values(drain_asked_at=None))
    assert len(crawl.lease(other, is_alone=False).hosts) == 4  # not half of them
    named = ("resume", str(os.getpid()), "--machine", "elsewhere", "--database", database)
    assert "no worker" in refusal(FrontierCommand(), capsys, *named)
    assert run(capsys, database, "resume", str(os.getpid())) == {"resumed": 2}
    with writing(crawl.engine) as connection:
        assert not beat(connection, mine, 60, n_ended=90).is_to_drain
    assert run(capsys, database, "workers")["workers"][0]["pages_a_minute"] > 0


def test_workers_are_named_with_what_they_hold(crawl: Crawl, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    crawl.join(lease_seconds=-5)
    begun = datetime.now(UTC) - timedelta(minutes=2)
    with writing(crawl.engine) as connection:
        ids = [
            begin_run(connection, spider="site", site=site, arguments={}, started_at=begun, versions={})
            for site in ("town", "silent")
        ]
        connection.execute(update(runs).where(runs.c.id == ids[1]).values(heard_at=begun - timedelta(hours=1)))
        note_alive(connection, ids[0], datetime.now(UTC))
        write_batch(connection, [replace(stored(f"https://e.org/{n}", f"Text {n}."), run_id=ids[0]) for n in range(6)])
    found = run(capsys, database, "workers")
    held, silent = found["workers"]
    assert (held["crawl"], held["hosts"], held["requests"]) == ("test", 2, 1)
    assert 0 < held["lease_seconds"] <= 60
    assert (silent["hosts"], silent["requests"], silent["lease_seconds"] < 0) == (0, 0, True)
    assert held["process"] == str(os.getpid())
    (rate,) = found["runs"]
    assert (rate["site"], rate["pages"]) == ("town", 6)
    assert 2 < rate["pages_a_minute"] <= 3
