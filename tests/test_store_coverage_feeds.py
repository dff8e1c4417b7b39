"""Which feeds of a site are of no use any more."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from newscrawl.outcomes import Outcome
from newscrawl.store import PageRecord
from newscrawl.store.coverage import dead_feeds
from newscrawl.store.engine import writing
from newscrawl.store.runs import begin_run
from newscrawl.store.schema import frontier
from newscrawl.store.storage import write_batch
from tests.frontiers import Crawl
from tests.records import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

DAY = timedelta(days=1)
FEEDS: dict[str, dict[str, Any]] = {
    "fresh": {"last_changed_at": NOW - DAY},
    "weekly": {"last_changed_at": NOW - 6 * DAY},
    "silent": {"last_changed_at": NOW - 9 * DAY},
    "never": {"interval_seconds": 6000.0},
    "first-visit": {"interval_seconds": 3600.0},
    "broken": {"state": "failed", "reason": "http_error:500", "n_failures": 4, "last_changed_at": NOW - DAY},
    "waiting": {"state": "queued", "ended_at": None, "n_failures": 1, "reason": None},
}


@pytest.fixture
def crawl(database: str) -> Iterator[Crawl]:
    crawl = Crawl(database, "town")
    for name, values in FEEDS.items():
        url = f"https://town.example/{name}.xml"
        crawl.queue(url)
        row = {
            "kind": "feed",
            "state": "done",
            "reason": "not_article:feed",
            "ended_at": NOW,
            "queued_at": NOW,
        } | values
        with writing(crawl.engine) as connection:
            connection.execute(update(frontier).where(frontier.c.url == url).values(row))
    yield crawl
    crawl.close()


def began(crawl: Crawl, *moments: datetime) -> None:
    with writing(crawl.engine) as connection:
        for moment in moments:
            begin_run(connection, spider="town", site="town", arguments={}, started_at=moment, versions={})


def faults(crawl: Crawl, *declared: str) -> dict[str, str]:
    with crawl.engine.connect() as connection:
        rows = dead_feeds(connection, "town", [f"https://town.example/{name}.xml" for name in declared])
    return {row["url"].rpartition("/")[2].removesuffix(".xml"): f"{row['fault']} {row['why']}".strip() for row in rows}


def test_a_feed_is_dead_when_it_fails_or_brought_nothing_for_long(crawl: Crawl) -> None:
    broken = {"broken": "failed http_error:500", "waiting": "failed"}
    began(crawl, NOW - 8 * DAY, NOW - 2 * DAY)
    assert faults(crawl) == broken, "too few harvests to tell"
    began(crawl, NOW - DAY)
    assert faults(crawl) == broken | {"silent": "silent", "never": "silent"}


def test_a_feed_that_never_was_one_is_told_by_its_page(crawl: Crawl) -> None:
    def page(name: str, outcome: Outcome, **fields: Any) -> PageRecord:
        return PageRecord(url=f"https://town.example/{name}.xml", outcome=outcome, fetched_at=NOW, **fields)

    with writing(crawl.engine) as connection:
        write_batch(connection, [
            page("gone", Outcome.HTTP_ERROR, reason="404", status=404),
            page("page", Outcome.NOT_ARTICLE, reason="hub", status=200),
            page("good", Outcome.NOT_ARTICLE, reason="feed", status=200),
            page("moved", Outcome.REDIRECTED, status=301),
        ])  # fmt: skip
    found = faults(crawl, "gone", "page", "good", "moved", "unknown", "fresh")
    assert found == {
        "broken": "failed http_error:500",
        "gone": "failed http_error:404",
        "page": "no feed not_article:hub",
        "waiting": "failed",
    }
    with crawl.engine.connect() as connection:
        assert dead_feeds(connection, "other") == []
