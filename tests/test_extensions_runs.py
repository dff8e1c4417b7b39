from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from newscrawl.extensions.runs import BUCKET_SECONDS, MAX_BUCKETS, Rate
from tests.archives import write_warc
from tests.crawling import crawl
from tests.records import chinese

if TYPE_CHECKING:
    from pathlib import Path


def test_events_are_counted_in_buckets_of_five_seconds() -> None:
    rate = Rate()
    for elapsed in (0, 4.9, 5, 21):
        rate.add(elapsed)
    assert (rate.seconds, rate.counts) == (5, [2, 1, 0, 0, 1])


@given(st.lists(st.floats(0, 40 * MAX_BUCKETS * BUCKET_SECONDS), max_size=50))
def test_a_long_crawl_keeps_a_short_series(elapsed: list[float]) -> None:
    rate = Rate()
    for moment in sorted(elapsed):
        rate.add(moment)
    assert sum(rate.counts) == len(elapsed)
    assert len(rate.counts) <= MAX_BUCKETS
    assert rate.seconds % BUCKET_SECONDS == 0
    for i, count in enumerate(rate.counts):
        assert count == sum(i == int(moment / rate.seconds) for moment in elapsed)


def test_a_run_with_its_requests_in_memory_is_kept_to_its_end(tmp_path: Path) -> None:
    """Scrapy takes any scheduler for an instance of any other; its own was asked for what only the frontier can do."""
    home = "https://news.example/"
    story = f"<h1>{chinese(3, 12)}</h1><p>{chinese(1, 400)}</p><p>{chinese(2, 400)}</p>"
    pages = {
        home: f"<a href='/2024/03/05/story.html'>{chinese(3, 12)}</a><a href='/lost.html'>{chinese(4, 12)}</a>",
        f"{home}2024/03/05/story.html": story,
    }
    warc = write_warc(tmp_path / "a.warc.gz", *({"url": url, "body": html.encode()} for url, html in pages.items()))
    database = f"sqlite:///{tmp_path}/news.sqlite"
    settings = {"NEWSCRAWL_REPLAY": warc, "NEWSCRAWL_DATABASE": database, "NEWSCRAWL_FRONTIER": "memory"}
    done = crawl(tmp_path, "crawl", "site", "-a", f"url={home}", settings={"LOG_LEVEL": "WARNING", **settings})
    assert "Traceback" not in done.log
    engine = create_engine(database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT finish_reason FROM runs")).scalars().all() == ["finished"]
        outcomes = connection.execute(text("SELECT url, outcome FROM pages")).all()
    engine.dispose()
    assert (f"{home}lost.html", "http_error") in {tuple(row) for row in outcomes}
