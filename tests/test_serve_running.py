"""Crawls started, watched and stopped from the server's pages and API, and the schedule."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html
from sqlalchemy import select

from newscrawl.serve.desk import Started
from newscrawl.sites.schedule import load_schedule
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.harvests import claim
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import ask_to_stop, begin_run, end_run, note_alive, running
from newscrawl.store.schema import articles, frontier, runs
from tests.logged_server import LoggedServer
from tests.served import client, form_token

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine
    from starlette.testclient import TestClient

N_PAGES = 24
TEXT = "<p>The council met on Monday and spoke about the bridge, story {n}. Nobody was hurt, it said.</p>" * 6
SITE = """
title = "Town"
hosts = ["127.0.0.1"]
seeds = ["http://127.0.0.1:{port}/"]
article_patterns = ['/story/\\d+']
"""
SCHEDULE = """
[harvest.town]
every = "1h"
"""
SETTINGS = {
    "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
    "AUTOTHROTTLE_ENABLED": "0",
    "DOWNLOAD_DELAY": "0",
    "CONCURRENT_REQUESTS": "1",
    "ROBOTSTXT_OBEY": "0",
    "NEWSCRAWL_READERS": "1",
}
JSON = {"content-type": "application/json"}


def page(_host: str, path: str) -> str | None:
    if path == "/":
        return "".join(f"<p><a href='/story/{n}'>Story {n} of the town</a></p>" for n in range(N_PAGES))
    number = path.rpartition("/")[2]
    return f"<title>Story {number}</title><h1>Story {number}</h1>{TEXT.format(n=number)}"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = make_engine(f"sqlite:///{tmp_path}/n.sqlite")
    migrate(made)
    yield made
    made.dispose()


def serve(folder: Path, **options: Any) -> TestClient:
    settings = SETTINGS | {"NEWSCRAWL_SITES_DIR": str(folder)}
    given = {"sites": folder, "logs": folder / "logs", "schedule": folder / "schedule.toml", "settings": settings}
    return client(f"sqlite:///{folder}/n.sqlite", **given | options)


def begin(engine: Engine, site: str, started_at: datetime) -> int:
    with writing(engine) as connection:
        return begin_run(connection, spider=site, site=site, arguments={}, started_at=started_at, versions={})


def shown(server: TestClient, path: str) -> Any:
    return html.fromstring(server.get(path).text)


def waited(found: Any, seconds: float = 30) -> Any:
    """Return the first true answer."""
    until = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return answer


@pytest.mark.slow
def test_a_crawl_is_stopped_from_its_page_and_goes_on_when_it_is_started_again(tmp_path: Path, engine: Engine) -> None:
    def asked(query: Any) -> list[Any]:
        with engine.connect() as connection:
            return list(connection.execute(query))

    def press(path: str, **fields: str) -> str:
        return str(server.post(path, data={"form_token": form_token(server.get(path).text), **fields}).text)

    with LoggedServer(page, seconds=0.4).running() as site, serve(tmp_path, allow_changes=True) as server:
        (tmp_path / "town.toml").write_text(SITE.format(port=site.port), encoding="utf-8")
        assert "goes on" in press("/sites", name="town")
        process = server.app.state.desk.started["town"].process  # type: ignore[attr-defined]
        waited(lambda: asked(select(articles.c.id)))
        assert "run 1 of this site goes on" in press("/sites", name="town")
        assert "asked to stop" in press("/runs/1")
        assert waited(lambda: process.poll() is not None)
        (first,) = asked(select(runs.c.finish_reason, runs.c.stats))
        left = asked(select(frontier.c.id).where(frontier.c.state == "queued"))
        assert first.finish_reason == "asked_to_stop"
        assert 0 < len(left) < N_PAGES
        assert "partial" in server.get("/runs/1").text
        log = (tmp_path / "logs" / "town.log").read_text(encoding="utf-8")
        assert "Stopping: its user asked for it" in log

        site.seconds = 0.0
        press("/sites", name="town")
        waited(lambda: len(asked(select(runs.c.id).where(runs.c.finished_at.is_not(None)))) == 2)
        server.app.state.desk.started["town"].process.wait(30)  # type: ignore[attr-defined]
        assert asked(select(runs.c.finish_reason).where(runs.c.id == 2))[0].finish_reason == "finished"

        (tmp_path / "schedule.toml").write_text(SCHEDULE, encoding="utf-8")
        assert "tick-town" in press("/runs", harvest="town")
        assert server.app.state.desk.started["tick-town"].process.wait(60) is not None  # type: ignore[attr-defined]
        assert len(asked(select(runs.c.id).where(runs.c.finished_at.is_not(None)))) == 3
        assert shown(server, "/runs").xpath("//td[.='town ' or .='town']/following-sibling::td[4]/text()") != ["due"]
        asked_for = [path for path in site.asked() if path.startswith("/story/")]
        probes = [path for path in asked_for if path.startswith("/story/nothing-")]  # of an address that is none
        stories = sorted({*asked_for} - {*probes}) if len(asked_for) == N_PAGES + len(probes) else asked_for
        assert len(probes) <= 1
        assert stories == sorted(f"/story/{n}" for n in range(N_PAGES)), "all, and none twice"


def test_a_run_may_be_stopped_only_while_its_crawl_lives(tmp_path: Path, engine: Engine) -> None:
    now = datetime.now(UTC)
    alive, killed = begin(engine, "town", now), begin(engine, "lost", now.replace(year=2020))
    with serve(tmp_path, allow_changes=True) as server:
        assert shown(server, f"/runs/{alive}").xpath("//form//button/text()") == ["Stop"]
        assert not shown(server, f"/runs/{killed}").xpath("//form")
        assert server.get(f"/api/v1/runs/{alive}").json()["is_running"]
        assert server.post(f"/api/v1/runs/{alive}/stop").status_code == 415, "a form of another site"
        with writing(engine) as connection:
            assert not note_alive(connection, alive, now)
        assert server.post(f"/api/v1/runs/{alive}/stop", headers=JSON).status_code == 202
        assert server.post("/api/v1/runs/99/stop", headers=JSON).status_code == 409
        assert "asked to stop" in server.get(f"/runs/{alive}").text
    with writing(engine) as connection:
        assert note_alive(connection, alive, now)
        assert not note_alive(connection, killed, now)


def test_both_databases_tell_a_crawl_to_stop(database: str) -> None:
    engine = make_engine(database)
    migrate(engine)
    now = datetime.now(UTC)
    run_id = begin(engine, "town", now)
    with writing(engine) as connection:
        assert running(connection, "town", now) == run_id
        assert running(connection, "other", now) is None
        assert running(connection, "town", now + timedelta(minutes=2)) is None, "it was not heard of"
        assert not note_alive(connection, run_id, now + timedelta(minutes=2))
        assert running(connection, "town", now + timedelta(minutes=2)) == run_id
        assert ask_to_stop(connection, run_id, now)
        assert note_alive(connection, run_id, now)
        end_run(connection, run_id, {"finished_at": now, "finish_reason": "x"})
        assert not ask_to_stop(connection, run_id, now)
        assert running(connection, "town", now) is None
    engine.dispose()


def test_a_failed_crawl_is_shown_whose_log_is_gone(tmp_path: Path, engine: Engine) -> None:
    with serve(tmp_path) as server, subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"]) as process:
        gone = Started(name="town", started_at=datetime.now(UTC), log=tmp_path / "gone.log", process=process)
        server.app.state.desk.started["town"] = gone  # type: ignore[attr-defined]
        process.wait()
        assert server.get("/runs").status_code == 200


def test_what_is_started_is_known_and_not_running(
    tmp_path: Path, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "schedule.toml").write_text(SCHEDULE, encoding="utf-8")
    begin(engine, "sina", datetime.now(UTC))
    with writing(engine) as connection:
        claim(connection, load_schedule(tmp_path / "schedule.toml")[0], datetime.now(UTC))
    caplog.set_level(logging.INFO, "newscrawl.serve")
    with serve(tmp_path, allow_changes=True) as server:
        for path, status, why in (
            ("/sites/none/start", 404, "no site of this name"),
            ("/sites/sina%20-a%20limit=1/start", 404, "no site of this name"),
            ("/sites/sina/start", 409, "run 1 of this site goes on"),
            ("/schedule/none/start", 404, "no such harvest"),
            ("/schedule/town/start", 409, "goes on"),
        ):
            answer = server.post(f"/api/v1{path}", headers=JSON)
            assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text
        assert server.post("/sites", data={"name": "people"}).status_code == 403
        assert not server.app.state.desk.started  # type: ignore[attr-defined]
        server.post("/api/v1/runs/1/stop", headers=JSON)
    told = [record.getMessage() for record in caplog.records if record.name.startswith("newscrawl")]
    assert told == ["testclient: run 1 is asked to stop"]
    with serve(tmp_path) as server:
        assert server.post("/api/v1/sites/people/start", headers=JSON).status_code == 403
        assert server.post("/api/v1/runs/1/stop", headers=JSON).status_code == 403
        assert not shown(server, "/runs").xpath("//form")


def test_the_schedule_is_shown_with_its_next_times(tmp_path: Path, engine: Engine) -> None:
    with serve(tmp_path, allow_changes=True) as server:
        assert server.get("/api/v1/schedule").json() == []
        assert "Schedule" not in server.get("/runs").text
        (tmp_path / "schedule.toml").write_text(SCHEDULE, encoding="utf-8")
        (row,) = shown(server, "/runs").xpath("//tr[td='town ' or td='town']")
        assert [cell.text_content().strip() for cell in row] == ["town", "1h", "", "", "due", "Start now"]
        started = datetime(2030, 5, 1, 6, tzinfo=UTC)
        with writing(engine) as connection:
            harvest = load_schedule(tmp_path / "schedule.toml")[0]
            claim(connection, harvest, started)
        now = server.get("/api/v1/schedule").json()[0]
        assert now["last start"] == "2030-05-01T06:00:00+00:00"
        (tmp_path / "schedule.toml").write_text("[harvest.town]\nevery = 'often'", encoding="utf-8")
        assert "harvest.town.every" in server.get("/runs").text
        assert "harvest.town.every" in server.get("/api/v1/schedule").json()["error"]


def test_a_site_is_added_corrected_and_there_to_be_started(tmp_path: Path, engine: Engine) -> None:
    with serve(tmp_path, allow_changes=True) as server:
        form = {"form_token": form_token(server.get("/add-site").text), "name": "town", "url": "https://town.example/"}
        text = 'title = "Mine"\n'
        for changed, says in (
            ({"name": "My Town"}, "'My Town' is no name: a lower-case letter"),
            ({"url": "nonsense"}, "expected an address"),
            ({"text": text}, "town.toml: hosts is missing; accepted: a list of strings"),
        ):
            answer = server.post("/add-site", data=form | changed)
            page_shown = html.fromstring(answer.text).text_content()
            assert (answer.status_code, says in page_shown) == (400, True), says
            assert changed.get("text", "") in page_shown  # it is not to be written again
        text += 'hosts = ["town.example"]\nseeds = ["https://town.example/"]\n'
        sites = html.fromstring(server.post("/add-site", data=form | {"text": text}).text)
        assert sites.xpath("//h2[.='Not harvested yet']/following::td[1]/text()") == ["town"]
        assert "there is a site 'town' already" in server.post("/add-site", data=form).text.replace("&#39;", "'")
        answer = server.post("/sites", data=form | {"name": "twon"})
        assert "did you mean town?" in answer.text
