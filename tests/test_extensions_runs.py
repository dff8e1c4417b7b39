from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from newscrawl.extensions.runs import BUCKET_SECONDS, MAX_BUCKETS, Rate
from tests.archives import write_warc
from tests.commands_run import scrapy
from tests.crawling import crawl
from tests.hostile import answer, serving
from tests.records import chinese
from tests.served import client

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


def story(seed: int, day: int) -> bytes:
    head, body = chinese(seed, 12), "".join(f"<p>{chinese(seed + n, 300)}</p>" for n in (20, 40))
    return answer(f"<html lang=zh><title>{head}</title><article><h1>{head}</h1><p>2024-03-{day:02}</p>{body}</article>")


def test_the_last_lines_the_report_and_the_page_of_a_run_count_alike(tmp_path: Path) -> None:
    """Addresses are refused before they are asked for, and when they have answered; an earlier copy comes last."""
    stories = {f"/2024/03/05/s{number}.html": story(number % 3, 9 - number) for number in range(4)}
    others = ["/no/2024/03/05/x.html", "/2024/03/05/lost.html", "/2024/03/05/moved.html", "/2024/03/05/pic.html"]
    links = "".join(f"<li><a href={path}>{chinese(5, 12)}</a>" for path in (*stories, *others, "/a.zip"))
    pages = {
        "/robots.txt": answer("User-agent: *\nDisallow: /no/", content_type="text/plain"),
        "/": answer(f"<html lang=zh><title>Mill Town</title><ul>{links}</ul>"),
        "/2024/03/05/moved.html": answer(status=302, Location="http://10.0.0.1/2024/03/05/y.html"),
        "/2024/03/05/pic.html": answer("GIF89a", content_type="image/gif"),
        **stories,
    }
    database = f"sqlite:///{tmp_path}/news.sqlite"
    settings = {"NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8", "NEWSCRAWL_DATABASE": database, "NEWSCRAWL_READERS": 0}
    quick = {"AUTOTHROTTLE_ENABLED": False, "DOWNLOAD_DELAY": 0, "RETRY_TIMES": 0, "LOG_LEVEL": "WARNING"}
    with serving({**pages}) as site:
        done = crawl(tmp_path, "crawl", "site", "-a", f"url={site.url}", settings=settings | quick)
        asked = Counter(site.asked)
        again = crawl(tmp_path, "crawl", "site", "-a", f"url={site.url}", settings=settings | quick)
    assert (done.status, again.status) == (0, 0), done.log
    assert "came: 0 new articles, 0 changed" in again.log, "nothing new is no failure"
    assert "no article" not in again.log
    report = json.loads(scrapy("report", "--json", "--database", database).stdout)
    run = json.loads(scrapy("report", "--run", "1", "--json", "--database", database).stdout)
    shown = client(database).get("/runs/1").text
    # robots.txt, asked for to be obeyed, has a second life as a list of sitemaps
    assert report["n_pages"] == run["figures"]["addresses"] == asked.total() - (asked["/robots.txt"] - 1)
    assert (
        (report["n_fetched"], report["n_articles"]) == (run["figures"]["fetched"], run["figures"]["stored"]) == (7, 3)
    )
    assert run["figures"]["new"] == 3
    assert run["figures"]["duplicates"] == report["n_duplicates"] == 1
    assert run["rejections"] == report["rejections"] == {"file_type": 1, "not_html": 1, "offsite": 1, "robots": 1}
    assert run["outcomes"] == report["outcomes"]
    for name, count in (("addresses asked for", 10), ("of them fetched", 7), ("addresses refused", 4)):
        assert f"<b>{count}</b><span>{name}</span>" in shown
    (came,) = [line for line in done.log.splitlines() if "came:" in line]
    assert "3 new articles, 0 changed, 0 pages unchanged, 1 copy set aside; 10 addresses asked for, 7 fetched;" in came
