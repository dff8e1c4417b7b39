from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.commands.tick import TickCommand
from newscrawl.sites.schedule import Harvest, parse_schedule
from newscrawl.store.engine import writing
from newscrawl.store.harvests import MAX_START, claim, end_harvest, note_run, obstacle, read_states, run_of
from newscrawl.store.runs import SILENCE, begin_run, end_run, note_alive
from tests.archives import write_warc
from tests.commands_run import refusal
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine

pytestmark = pytest.mark.slow

NOW = datetime(2025, 11, 20, 12, tzinfo=UTC)
SCHEDULE = """
[harvest.front]
spider = "site"
every = "1h"
arguments = {{ url = "http://news.example.org/" }}
settings = {{ NEWSCRAWL_REPLAY = "{archive}", {more} }}
[harvest.deep]
spider = "site"
every = "1d"
arguments = {{ url = "http://www.news.example.org/" }}
settings = {{ NEWSCRAWL_REPLAY = "{archive}" }}
"""


def harvest(name: str, **values: Any) -> Harvest:
    return Harvest(name=name, spider=values.pop("spider", name), every=timedelta(hours=1), **values)


def take(engine: Engine, what: Harvest, now: datetime) -> str | None:
    with writing(engine) as connection:
        return claim(connection, what, now)


def begin(engine: Engine, name: str, now: datetime) -> int:
    """Begin the run of a harvest's crawl, as the crawl does."""
    with writing(engine) as connection:
        run_id = begin_run(connection, spider=name, site=name, started_at=now, arguments={}, versions={})
        note_run(connection, name, run_id)
    return run_id


def test_a_site_is_claimed_once_until_its_harvest_ends_and_is_due(engine: Engine) -> None:
    hourly, weekly = harvest("sina"), harvest("sina-week", spider="sina")
    assert take(engine, hourly, NOW) is None
    assert take(engine, hourly, NOW) == "running"
    assert take(engine, weekly, NOW) == "running", "another harvest of the same site"
    assert take(engine, harvest("people"), NOW) is None
    with writing(engine) as connection:
        end_harvest(connection, "sina", NOW, status="finished", now=NOW + timedelta(minutes=1))
    assert take(engine, hourly, NOW + timedelta(minutes=59)) == "not due"
    assert take(engine, hourly, NOW + timedelta(hours=1)) is None


def test_a_crawl_that_is_not_heard_of_frees_its_site(engine: Engine) -> None:
    sina, weekly = harvest("sina"), harvest("sina-week", spider="sina")
    take(engine, sina, NOW)
    assert take(engine, weekly, NOW + MAX_START / 2) == "running", "its crawl is about to begin"
    run_id = begin(engine, "sina", NOW + MAX_START / 2)
    later = NOW + timedelta(hours=2)
    with writing(engine) as connection:
        note_alive(connection, run_id, later)
        states = read_states(connection)
    assert obstacle(sina, states, later + SILENCE / 2) == "running"
    assert obstacle(sina, states, later - timedelta(days=30)) is None, "the clock was wrong, and is set back"
    assert take(engine, weekly, later + SILENCE / 2) == "running"
    assert take(engine, sina, later + SILENCE) is None, "it is dead"
    assert begin(engine, "sina", later + SILENCE) > run_id
    with writing(engine) as connection:
        end_harvest(connection, "sina", NOW, status="killed", now=later + SILENCE)  # by the tick of the first
        assert run_of(connection, "sina", NOW) is None
        assert obstacle(sina, read_states(connection), later + SILENCE) == "running"


def test_a_crawl_that_has_ended_frees_its_site_though_its_tick_was_killed(engine: Engine) -> None:
    take(engine, harvest("sina"), NOW)
    run_id = begin(engine, "sina", NOW)
    with writing(engine) as connection:
        end_run(connection, run_id, {"finished_at": NOW, "finish_reason": "finished"})
    assert take(engine, harvest("sina-week", spider="sina"), NOW) is None


def test_a_crawl_that_never_began_frees_its_site(engine: Engine) -> None:
    take(engine, harvest("sina"), NOW)
    assert take(engine, harvest("sina-week", spider="sina"), NOW + MAX_START) is None


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    links = "".join(f"<li><a href='/2025/11/{i:02}/story-number-{i}.html'>Headline {i}</a>" for i in range(1, 9))
    home = {"url": "http://news.example.org/", "body": f"<html><body><ul>{links}</ul></body></html>".encode()}
    text = "<p>" + "A sentence of a story that is long enough to count as one. " * 12
    pages = [
        {
            "url": f"http://news.example.org/2025/11/{i:02}/story-number-{i}.html",
            "body": f"<h1>H{i}</h1>{text}".encode(),
        }
        for i in range(1, 9)
    ]
    return write_warc(tmp_path / "site.warc.gz", home, *pages)


@contextmanager
def ticking(tmp_path: Path, schedule: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "schedule.toml").write_text(schedule, encoding="utf-8")
    command = [sys.executable, "-m", "scrapy", "tick", "--schedule", str(tmp_path / "schedule.toml"), "--json"]
    command += ["--logs", str(tmp_path / "logs"), *options]
    environment = {**os.environ, "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/news.sqlite"}
    process = subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, env=environment
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def answer(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    output, error = process.communicate(timeout=180)
    assert output, error.decode()
    return {row["name"]: row for row in json.loads(output)}


def test_two_ticks_at_once_harvest_a_site_once(tmp_path: Path, archive: Path) -> None:
    text = SCHEDULE.format(archive=archive, more="DOWNLOAD_TIMEOUT = 9")
    with ticking(tmp_path, text) as one, ticking(tmp_path, text) as other:
        answers = [answer(one), answer(other)]
    statuses = sorted(row["status"] for rows in answers for row in rows.values())
    assert statuses == ["finished", "running", "running", "running"], answers
    log = next(row["log"] for rows in answers for row in rows.values() if row["log"])
    assert "Spider closed (finished)" in (PROJECT / log).read_text(encoding="utf-8")
    with ticking(tmp_path, text) as third:
        rows = answer(third)
    statuses = sorted(row["status"] for row in rows.values())
    assert statuses == ["failed", "not due"], "the archive does not hold the home page of the second"
    with ticking(tmp_path, text, "--dry-run") as plan:
        assert [row["now"] for row in json.loads(plan.communicate(timeout=60)[0])] == ["not due", "not due"]
    with ticking(tmp_path, text, "--dry-run", "--now", "--only", "deep") as plan:
        assert [row["now"] for row in json.loads(plan.communicate(timeout=60)[0])] == ["due"]


def test_a_failed_harvest_is_said_and_told(tmp_path: Path) -> None:
    text = SCHEDULE.format(archive=tmp_path / "none.warc.gz", more="DOWNLOAD_TIMEOUT = 9")
    program = tmp_path / "tell.py"
    program.write_text("import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read())", encoding="utf-8")
    tell = f"NEWSCRAWL_ALERT_COMMAND={sys.executable} {program} {tmp_path}/alert.json"
    with ticking(tmp_path, text, "--only", "front", "-s", tell) as process:
        rows = answer(process)
        assert process.returncode == 1
    assert rows["front"]["status"] == "failed"
    alert = json.loads((tmp_path / "alert.json").read_bytes())
    assert (alert["event"], alert["name"]) == ("harvest_failed", "front")
    assert "none.warc.gz" in alert["log_tail"]


def test_a_site_that_shuts_crawlers_out_is_said_and_told_once(tmp_path: Path) -> None:
    home = "http://news.example.org/"
    robots = {
        "url": f"{home}robots.txt",
        "body": b"User-agent: *\nDisallow: /",
        "headers": [("Content-Type", "text/plain")],
    }
    archive = write_warc(tmp_path / "a.warc.gz", robots, {"url": home, "body": b"<p>Not to be read.</p>"})
    program = tmp_path / "tell.py"
    program.write_text("import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read() + b'\\n')", encoding="utf-8")
    tell = f"NEWSCRAWL_ALERT_COMMAND={sys.executable} {program} {tmp_path}/alert.json"
    text = SCHEDULE.format(archive=archive, more="DOWNLOAD_TIMEOUT = 9")
    with ticking(tmp_path, text, "--only", "front", "-s", tell) as process:
        rows = answer(process)
        assert process.returncode == 1
    assert rows["front"]["status"] == "failed"
    alerts = (tmp_path / "alert.json").read_text(encoding="utf-8").splitlines()
    assert [json.loads(alert)["why"] for alert in alerts] == ["robots.txt disallows every page to start from"]


def test_a_tick_that_is_stopped_stops_its_crawls_in_order(tmp_path: Path, archive: Path) -> None:
    slow = 'CONCURRENT_REQUESTS = 1, EXTENSIONS = "{\\"tests.slow.Slow\\": 1}"'
    text = SCHEDULE.format(archive=archive, more=slow)
    with ticking(tmp_path, text, "--only", "front") as process:
        log = tmp_path / "logs" / "front.log"
        until = time.monotonic() + 60
        while time.monotonic() < until and not (log.exists() and b"Spider opened" in log.read_bytes()):
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        rows = answer(process)
    assert rows["front"]["status"] in {"shutdown", "stopped"}
    assert "Received SIGTERM, shutting down gracefully" in log.read_text(encoding="utf-8")
    with ticking(tmp_path, text, "--dry-run") as plan:
        assert json.loads(plan.communicate(timeout=60)[0])[1]["now"] == "due", "its site is free at once"


def test_a_tick_in_a_folder_of_the_project_shares_its_database_with_its_crawls(tmp_path: Path, archive: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = newscrawl.settings\n", encoding="utf-8")
    folder = tmp_path / "below"
    folder.mkdir()
    (folder / "schedule.toml").write_text(SCHEDULE.format(archive=archive, more="DOWNLOAD_TIMEOUT = 9"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "tick", "--schedule", "schedule.toml", "--only", "front"],
        cwd=folder,
        env={**os.environ, "NEWSCRAWL_DATABASE": "sqlite:///news.sqlite", "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "news.sqlite").exists()
    assert not (tmp_path / "news.sqlite").exists()


def test_mistakes_have_a_line_each(tmp_path: Path) -> None:
    text = '[harvest.a]\nspider = "nobody"\nevery = "1h"\n[harvest.sina]\nevery = "1h"\narguments = { lmit = 3 }\n'
    text += "settings = { NEWSCRAWL_FEED = 3 }\n"
    with ticking(tmp_path, text) as process:
        _, error = process.communicate(timeout=60)
    lines = error.decode().splitlines()
    assert process.returncode == 2
    assert len(lines) == 3
    assert "harvest.a: unknown spider 'nobody'; " in lines[0]
    assert "harvest.sina.settings: unknown setting NEWSCRAWL_FEED; did you mean NEWSCRAWL_FEEDS?" in lines[1]
    assert "harvest.sina: unknown option 'lmit'" in lines[2]


def test_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text('[harvest.sina]\nevery = "1h"\n', encoding="utf-8")
    schedule = ("--schedule", str(tmp_path / "s.toml"))
    for words, expected in (
        (("--schedule", "none.toml"), "data/schedule.toml is an example"),
        ((*schedule, "--only", "people"), "accepted: sina"),
        ((*schedule, "--jobs", "0"), "at least 1"),
        ((*schedule, "now"), "--only NAME"),
    ):
        assert expected in refusal(TickCommand(), capsys, *words)


def test_the_command_line_of_a_crawl_holds_no_database(engine: Engine, tmp_path: Path) -> None:
    from newscrawl.commands.tick import Harvester  # noqa: PLC0415

    (sina,) = parse_schedule('[harvest.sina]\nevery = "1h"\narguments = { mode = "new" }')
    words = Harvester(engine, logs=tmp_path, given={"DOWNLOAD_DELAY": "2"}).command(sina)
    assert words[1:7] == ["-m", "scrapy", "crawl", "sina", "-a", "mode=new"]
    assert "DOWNLOAD_DELAY=2" in words
    assert not any("://" in word for word in words)
