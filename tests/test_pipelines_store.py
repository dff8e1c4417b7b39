"""The end of the pipelines in a real crawl: a process of its own, pages made up by the spider."""

from __future__ import annotations

import codecs
import csv
import json
import marshal
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree
from sqlalchemy import select

from newscrawl.items import Article, Author, Page, PageType
from newscrawl.outcomes import Outcome
from newscrawl.pipelines.store import page_record
from newscrawl.read.model import Wants
from newscrawl.store.engine import make_engine
from newscrawl.store.migrations import SCHEMA_VERSION, migrate
from newscrawl.store.row_files import ArticleMarshalExporter, ArticleXmlExporter
from newscrawl.store.schema import articles, blocks, links, pages, runs, schema_version
from tests.archives import write_warc
from tests.crawling import Crawl, crawl
from tests.reading import read
from tests.records import NOW

if TYPE_CHECKING:
    from pathlib import Path

SPIDER = """
import scrapy

from newscrawl.page.segment import Block
from newscrawl.items import PageType
from newscrawl.links.model import Link, LinkPosition, RefusedLink
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.read.model import Reading
from newscrawl.items import Page
from newscrawl.signals import links_rejected, url_outcome
from tests.records import NOW, article, chinese

BLOCK = Block(index=0, tag="p", xpath="/p", text="x", n_chars=1, n_link_chars=0, n_links=0)


class Pages(scrapy.Spider):
    name = "pages"
    custom_settings = {
        "ITEM_PIPELINES": {
            f"newscrawl.pipelines.{name}Pipeline": None
            for name in ("links.Links", "wanted.Wanted")
        }
    }

    start_urls = ("http://e.org/",)

    def parse(self, response):
        send = self.crawler.signals.send_catch_log
        send(url_outcome, url="https://e.org/gone", outcome=Outcome.HTTP_ERROR, status=404, reason="404")
        for _ in range(3):
            send(
                links_rejected, page_url="https://e.org/1",
                refused=[RefusedLink("https://x.org/", Rejection.OFFSITE, "X", LinkPosition.ELSEWHERE)],
            )
        send(
            links_rejected, page_url="https://e.org/",
            refused=[RefusedLink("https://e.org/1", Rejection.DUPLICATE, "1")],
        )
        for i in range(int(self.n)):
            url = f"https://e.org/{i}"
            page = Page(
                url=url,
                requested_url=url,
                fetched_at=NOW,
                page_type=PageType.HUB if i % 5 == 4 else PageType.ARTICLE,
            )
            page.reading = Reading(url=url, fetched_at=NOW, blocks=(BLOCK,), labels=("other",))
            page.links = (Link(url="https://e.org/next", anchor="next", position=LinkPosition.IN_BODY),)
            if i % 5 != 3:
                page.article = article(url, chinese(0 if i % 5 == 2 else i, int(getattr(self, "size", 400))))
            yield page
        yield {"of another spider": True}
"""


def run(folder: Path, database: str, *arguments: str, env: dict[str, str] | None = None, **settings: object) -> Crawl:
    spider = folder / "pages.py"
    spider.write_text(SPIDER, encoding="utf-8")
    archive = write_warc(folder / "e.warc.gz", {"url": "http://e.org/", "body": b"<p>start"})
    words = [word for argument in arguments or ("n=10",) for word in ("-a", argument)]
    given = {"NEWSCRAWL_DATABASE": database, "NEWSCRAWL_REPLAY": archive, **settings}
    return crawl(folder, "runspider", str(spider), *words, settings=given, env=env)


def rows(database: str, query: Any) -> list[Any]:
    engine = make_engine(database)
    with engine.connect() as connection:
        found = list(connection.execute(query))
    engine.dispose()
    return found


def test_every_url_ends_once_and_new_articles_go_to_the_feeds(tmp_path: Path, database: str) -> None:
    crawled = run(tmp_path, database)
    assert "Traceback" not in crawled.log
    assert {row.url: (row.outcome, row.reason) for row in rows(database, select(pages))} == {
        "https://e.org/gone": ("http_error", "404"),
        "https://e.org/0": ("stored", None),
        "https://e.org/1": ("stored", None),
        "https://e.org/2": ("duplicate", "content"),
        "https://e.org/3": ("not_article", "no_text"),
        "https://e.org/4": ("not_article", "hub"),
        "https://e.org/5": ("stored", None),
        "https://e.org/6": ("stored", None),
        "https://e.org/7": ("duplicate", "content"),
        "https://e.org/8": ("not_article", "no_text"),
        "https://e.org/9": ("not_article", "hub"),
    }
    fed = [item["url"] for item in crawled.items if "url" in item]
    assert sorted(fed) == [f"https://e.org/{i}" for i in (0, 1, 5, 6)]
    assert {"of another spider": True} in crawled.items
    assert len(rows(database, select(articles))) == 6
    assert rows(database, select(blocks)) == []
    counts = {"stored": 4, "duplicate": 2, "not_article": 4}
    assert crawled.counts("newscrawl/outcome/").items() >= counts.items()
    (link,) = rows(database, select(links))
    assert (link.url, link.reason, link.found_on) == ("https://x.org/", "offsite", "https://e.org/1")
    assert (link.anchor, link.position) == ("X", "elsewhere")
    (run_row,) = rows(database, select(runs))
    assert (run_row.spider, run_row.arguments, run_row.finish_reason) == ("pages", {"n": "10"}, "finished")
    assert run_row.started_at < run_row.finished_at
    assert run_row.outcomes.items() >= counts.items()
    assert run_row.rate["seconds"] == 5
    assert sum(run_row.rate["counts"]) == crawled.stats["response_received_count"]
    assert {"python", "scrapy", "lxml"} <= set(run_row.versions)
    assert {row.run_id for row in rows(database, select(pages))} == {run_row.id}


def test_blocks_and_links_on_demand(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'news.sqlite'}"
    run(tmp_path, database, NEWSCRAWL_STORE_BLOCKS="1", NEWSCRAWL_STORE_LINKS="all")
    assert len(rows(database, select(blocks))) == 10
    assert {(row.url, row.reason) for row in rows(database, select(links))} == {
        ("https://x.org/", "offsite"),
        ("https://e.org/next", None),
    }


def test_without_a_database_feeds_still_work(tmp_path: Path) -> None:
    """There is nothing to compare with: copies are fed too. CSV has ISO times and JSON."""
    table = tmp_path / "articles.csv"
    feeds = {str(table): {"format": "csv", "item_classes": ["newscrawl.items.Article"]}}
    crawled = run(tmp_path, "", FEEDS=json.dumps(feeds), NEWSCRAWL_STORE_LINKS="none")
    assert "Traceback" not in crawled.log
    assert list(tmp_path.glob("*.sqlite")) == []
    fed = [item for item in crawled.items if "url" in item]
    assert len(fed) == 6
    assert fed[0]["datePublished"] == "2024-03-05T10:20:00+08:00"
    assert fed[0]["authors"] == [{"name": "张三", "nameRaw": None, "role": "reporter"}]
    assert table.read_bytes().startswith(codecs.BOM_UTF8)
    with table.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["datePublished"] for line in lines] == ["2024-03-05T10:20:00+08:00"] * 6
    assert json.loads(lines[0]["authors"]) == fed[0]["authors"]
    assert json.loads(lines[0]["mainImage"]) == {"url": "https://example.org/a.jpg"}
    assert lines[0]["description"] == ""


def test_feeds_of_other_formats_hold_plain_values() -> None:
    article = Article(
        url="https://example.org/1",
        authors=(Author(name="张三"), Author(name="李四", role="editor")),
        datePublished=datetime(2024, 3, 5, 10, 20, tzinfo=UTC),
        fieldSources={"headline": "json-ld"},
    )
    xml, packed = BytesIO(), BytesIO()
    for exporter in (ArticleXmlExporter(xml), ArticleMarshalExporter(packed)):
        exporter.start_exporting()
        exporter.export_item(article)
        exporter.finish_exporting()
    (item,) = etree.fromstring(xml.getvalue())
    assert [one.text for one in item.iterfind("authors/value/name")] == ["张三", "李四"]
    assert item.findtext("datePublished") == "2024-03-05T10:20:00+00:00"
    assert item.findtext("fieldSources/headline") == "json-ld"
    assert item.findtext("headline") == item.findtext("authors/value/role") == ""
    row = marshal.loads(packed.getvalue())  # noqa: S302 (written above)
    assert row["authors"][1] == {"name": "李四", "nameRaw": None, "role": "editor"}
    assert (row["pageType"], row["headline"], row["keywords"]) == ("article", None, [])


def test_wrong_choice_of_links_is_one_line(tmp_path: Path) -> None:
    assert "NEWSCRAWL_STORE_LINKS is 'some'; accepted: rejected, all, none" in refused(
        tmp_path, NEWSCRAWL_DATABASE=f"sqlite:///{tmp_path / 'news.sqlite'}", NEWSCRAWL_STORE_LINKS="some"
    )


def test_newer_database_is_refused_in_one_line(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'news.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(schema_version.update().values(version=SCHEMA_VERSION + 1))
    engine.dispose()
    assert f"has schema version {SCHEMA_VERSION + 1}" in refused(tmp_path, NEWSCRAWL_DATABASE=database)


def refused(folder: Path, **settings: object) -> str:
    """Start a crawl that must end at once; return the line it says."""
    crawled = crawl(folder, "crawl", "site", "-a", "url=https://example.org/", settings=settings)
    assert crawled.status == 2
    assert "Traceback" not in crawled.log
    (line,) = [line for line in crawled.log.splitlines() if line.startswith("scrapy crawl: ")]
    return line


#: Python runs it before the crawl: no file may grow above a megabyte.
SMALL_DISK = """
import resource
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))
"""


@pytest.mark.slow
def test_full_disk_stops_the_crawl_with_one_line(tmp_path: Path) -> None:
    """The crawl ends by itself, and what it said to be stored is there."""
    database = f"sqlite:///{tmp_path / 'news.sqlite'}"
    (tmp_path / "sitecustomize.py").write_text(SMALL_DISK, encoding="utf-8")
    crawled = run(tmp_path, database, "n=3000", "size=4000", env={"PYTHONPATH": str(tmp_path)})
    assert crawled.stats["finish_reason"] == "storage_error"
    assert crawled.log.count("Stopping: database sqlite:///") == 1
    assert "Traceback" not in crawled.log
    outcomes = [row.outcome for row in rows(database, select(pages.c.outcome))]
    assert outcomes.count("stored") == crawled.counts("newscrawl/outcome/")["stored"] > 0
    assert len(outcomes) < 3000


@pytest.mark.parametrize(
    ("page_type", "absence", "kept", "stored"),
    [
        (PageType.ARTICLE, None, False, PageType.ARTICLE),
        (PageType.OTHER, None, False, None),
        (PageType.OTHER, None, True, PageType.OTHER),
        (PageType.OTHER, "login", True, None),
        (PageType.HUB, None, True, None),
    ],
)
def test_pages_about_the_site_are_stored_where_asked(
    page_type: PageType, absence: str | None, kept: bool, stored: PageType | None
) -> None:
    url = "https://www.e-example.org/jobs/"
    text = (
        "<title>Jobs</title><h1>Jobs</h1>"
        + "<p>We look for an editor who knows the town, its river and its people.</p>" * 5
    )
    reading = read(text, url=url, wants=Wants(pages=kept, any_type=True))
    page = Page(url=url, requested_url=url, fetched_at=NOW, page_type=page_type, article=reading.article)
    page.reading = replace(reading, page_type=page_type, absence=absence)
    record = page_record(page, pages=kept)
    assert (record.article and record.article.pageType) == stored
    assert record.outcome == (Outcome.STORED if stored else Outcome.REJECTED if absence else Outcome.NOT_ARTICLE)
