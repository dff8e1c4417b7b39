"""Made sites, harvested day after day: what their doors show, and lists that run dry."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.serve.reports.harvest import read_harvest
from newscrawl.store.command import existing_database
from tests.archives import write_warc
from tests.commands_run import scrapy
from tests.crawling import crawl
from tests.records import chinese

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://news.example/"
DAY = datetime.now(UTC).date() - timedelta(days=2)
FETCHED = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
URLS = [f"{HOME}{DAY:%Y/%m/%d}/story-{n}.html" for n in range(24)]


def story(number: int) -> str:
    paragraphs = "".join(f"<p>{chinese(100 * number + place, 200)}</p>" for place in range(4))
    head = f"<title>{chinese(number, 12)}</title><meta property=article:published_time content={DAY}T10:00:00+00:00>"
    return (
        f"<html><head>{head}</head><body><h1>{chinese(number, 12)}</h1><div class=text>{paragraphs}</div></body></html>"
    )


def harvest(folder: Path, listed: range, told: range, *options: str) -> dict[str, Any]:
    """Harvest a site whose home page and feed show these stories; return the stats."""
    links = "".join(f"<li><a href='{URLS[n]}'>{chinese(n, 12)}</a></li>" for n in listed)
    words = "".join(f"<p>{chinese(5000 + n, 40)}</p>" for n in range(3))
    home = (
        f"<html><head><link rel=alternate type=application/rss+xml href=/rss.xml></head><body><ul>{links}</ul>{words}"
    )
    items = "".join(f"<item><title>{chinese(n, 12)}</title><link>{URLS[n]}</link></item>" for n in told)
    feed = f"<rss version='2.0'><channel><title>t</title>{items}</channel></rss>"
    records: list[dict[str, Any]] = [{"url": HOME, "body": home.encode()}]
    records.append(
        {"url": f"{HOME}rss.xml", "body": feed.encode(), "headers": [("Content-Type", "application/rss+xml")]}
    )
    records += [{"url": url, "body": story(n).encode()} for n, url in enumerate(URLS)]
    settings = {
        "NEWSCRAWL_REPLAY": write_warc(folder / "a.warc.gz", *(record | {"date": FETCHED} for record in records)),
        "NEWSCRAWL_DATABASE": f"sqlite:///{folder}/news.sqlite",
        "LOG_LEVEL": "WARNING",
    }
    done = crawl(folder, "crawl", "site", "-a", f"url={HOME}", *options, settings=settings)
    assert "Traceback" not in done.log, done.log
    return done.stats


def test_what_the_doors_showed_is_counted(tmp_path: Path) -> None:
    stats = harvest(tmp_path, range(18), range(6, 22))
    assert stats["newscrawl/outcome/stored"] == 22
    with existing_database(f"sqlite:///{tmp_path}/news.sqlite") as engine, engine.connect() as connection:
        (day,) = read_harvest(connection).coverage
    assert (day.day, day.n_seen) == (DAY.isoformat(), 22)
    assert day.by_door == {"feed": 16, "sitemap": 0, "hub": 18}
    done = scrapy("report", "--json", "--database", f"sqlite:///{tmp_path}/news.sqlite")
    assert json.loads(done.stdout)["coverage"][0]["seen"] == 22


@pytest.mark.slow
def test_a_list_that_runs_dry_is_an_event(tmp_path: Path) -> None:
    for _ in range(2):
        harvest(tmp_path, range(18), range(6, 22), "-a", "mode=all")
    stats = [harvest(tmp_path, range(0), range(6, 22), "-a", "mode=all") for _ in range(2)]
    assert [run.get("newscrawl/memory/lists_dry", 0) for run in stats] == [0, 1]
    with sqlite3.connect(tmp_path / "news.sqlite") as connection:
        events = connection.execute("SELECT host, reason, old, new FROM site_drifts").fetchall()
    assert events == [("news.example", "list", f"18 stories on {HOME}", "0 stories")]
    done = scrapy("report", "--database", f"sqlite:///{tmp_path}/news.sqlite")
    assert f"18 stories on {HOME}" in done.stdout.decode()
