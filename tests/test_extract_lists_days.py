"""What a list says of its stories' days spares a harvest ``since=`` their fetches."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from newscrawl.extract.lists.read import last_days, read_stories
from newscrawl.items import PageType
from newscrawl.page.document import Document
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import PageReader
from tests.archives import write_warc
from tests.crawling import crawl

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://news.example.org/"
FETCHED = datetime(2024, 3, 5, 2, 20, tzinfo=UTC)
DAYS = ("2024-03-04", "2024-03-03", "2024-02-28", "2024-01-09", "2024-01-03", "2024-01-02")
TITLES = (
    "渡口的老船夫退休了",
    "旧城区菜市场将重新开放",
    "今年春天雨水比往年多",
    "一家面馆开了九十年",
    "合唱团在海边演出",
    "夜班火车又晚点了",
)
TEXT = "雾散以后，船夫把缆绳收好，在石阶上坐了很久很久，才慢慢地走回家去，这里的人都认识他。" * 3


def items(days: tuple[str, ...] = DAYS) -> str:
    return "".join(
        f'<li><a href="/news/{10007 + n}.html">{TITLES[n]}</a> <span>{day}</span></li>' for n, day in enumerate(days)
    )


def test_a_story_can_have_been_published_a_day_later_in_another_zone() -> None:
    document = Document.from_html(f"<ul>{items()}</ul>", HOME)
    found = last_days(read_stories(document, HOME, FETCHED)[0])
    assert found[f"{HOME}news/10007.html"] == date(2024, 3, 5)
    assert found[f"{HOME}news/10012.html"] == date(2024, 1, 3)


def test_a_list_with_few_dates_says_nothing() -> None:
    document = Document.from_html(f"<ul>{items(('', '', '2024-02-28', '', '', '2024-01-02'))}</ul>", HOME)
    assert last_days(read_stories(document, HOME, FETCHED)[0]) == {}


def test_a_reading_has_the_days_where_asked_for() -> None:
    page = RawPage(body=f"<html><body><ul>{items()}</ul></body></html>", url=HOME, fetched_at=FETCHED)
    asked = PageReader(Wants(listed=True)).read(page)
    assert asked.page_type is not PageType.ARTICLE
    assert len(asked.listed) == len(DAYS)
    assert PageReader(Wants()).read(page).listed == {}


def test_a_harvest_asks_for_no_story_that_a_list_dates_before(tmp_path: Path) -> None:
    records = [
        {
            "url": f"{HOME}news/{10007 + n}.html",
            "body": f"<html><head><meta property='article:published_time' content='{DAYS[n]}T08:00:00+08:00'></head>"
            f"<body><h1>{title}</h1><p>{n}{TEXT}</p><p>{title}{TEXT}</p></body></html>".encode(),
        }
        for n, title in enumerate(TITLES)
    ]
    archive = write_warc(tmp_path / "a.warc.gz", {"url": HOME, "body": f"<ul>{items()}</ul>".encode()}, *records)
    settings = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": ""}
    run = crawl(tmp_path, "crawl", "site", "-a", f"url={HOME}", "-a", "since=2024-02-01", settings=settings)
    assert run.status == 0, run.log
    assert {item["url"] for item in run.items} == {f"{HOME}news/{10007 + n}.html" for n in range(3)}
    assert run.counts("newscrawl/rejected/")["before_since"] == 3
    assert run.stats["newscrawl/links/followed"] == 3
