"""The pipeline on a crawler that collects the requests it is handed instead of downloading them."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.exceptions import DropItem
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from lab.experiments.url_rules import portals
from newscrawl.items import Article, Page
from newscrawl.links.model import Link, LinkPosition, RefusedLink
from newscrawl.pipelines.links import LinksPipeline
from newscrawl.pipelines.wanted import WantedPipeline
from newscrawl.read.model import Reading
from newscrawl.signals import links_rejected, url_outcome
from newscrawl.spiders.loader import SiteSpider, site_spider

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from newscrawl.spiders.news import NewsSpider

HOME = "http://example.org/"
SETTINGS = {"NEWSCRAWL_OBEY_META_ROBOTS": True, "NEWSCRAWL_OBEY_REL_NOFOLLOW": True}


def crawler_of(spider: type[NewsSpider], settings: dict[str, Any] | None = None, **arguments: str) -> Any:
    crawler: Any = get_crawler(spider, {**SETTINGS, **(settings or {})})
    crawler.spider = spider.from_crawler(crawler, **arguments)
    crawler.spider.configure(crawler.settings)
    crawler.stats = MemoryStatsCollector(crawler)
    requests: list[Request] = []
    crawler.engine = SimpleNamespace(crawl=requests.append, requests=requests)
    return crawler


def link(url: str, position: LinkPosition = LinkPosition.ELSEWHERE, **values: Any) -> Link:
    return Link(url=url, anchor="text", position=position, **values)


def page(*links: Link, url: str = HOME, **values: Any) -> Page:
    robots = values.pop("robots", frozenset())
    reading = Reading(url=url, fetched_at=datetime(2024, 3, 5, tzinfo=UTC), links=links, robots=robots)
    made = Page(url=url, requested_url=url, fetched_at=reading.fetched_at, **values)
    made.reading, made.links = reading, links
    return made


def follow(crawler: Crawler, item: Page) -> list[Request]:
    engine: Any = crawler.engine
    engine.requests.clear()
    assert asyncio.run(LinksPipeline.from_crawler(crawler).process_item(item)) is item
    return list(engine.requests)


def test_a_request_carries_what_spider_middlewares_would_add() -> None:
    crawler = crawler_of(SiteSpider, url=HOME)
    (request,) = follow(crawler, page(link(HOME + "article-1-1.html", LinkPosition.IN_BODY, block=3), depth=4))
    assert request.meta["depth"] == 5
    assert request.headers["Referer"] == HOME.encode()
    assert request.meta["newscrawl"] == {
        "found": "link",
        "parent": HOME,
        "position": "in-body",
        "block": 3,
        "anchor": "text",
    }
    assert json.dumps(request.meta)
    assert request.callback == crawler.spider.parse_page
    assert crawler.stats.get_value("newscrawl/links/followed/in-body") == 1


def test_no_referer_from_https_to_http() -> None:
    crawler = crawler_of(SiteSpider, url=HOME)
    (request,) = follow(crawler, page(link(HOME + "a/"), url="https://example.org/"))
    assert "Referer" not in request.headers


def test_order_is_position_then_kind() -> None:
    crawler = crawler_of(SiteSpider, url=HOME)
    requests = follow(
        crawler,
        page(
            link(HOME + "tag/a/"),
            link(HOME + "article-1-1.html"),
            link(HOME + "article-2-1.html", LinkPosition.ADJACENT),
            link(HOME + "tag/b/", LinkPosition.IN_BODY),
            link(HOME + "article-3-1.html", LinkPosition.IN_BODY),
        ),
    )
    ordered = [request.url.removeprefix(HOME) for request in sorted(requests, key=lambda r: -r.priority)]
    assert ordered == ["article-3-1.html", "tag/b/", "article-2-1.html", "article-1-1.html", "tag/a/"]


def test_refusals_are_counted_and_told_once() -> None:
    crawler = crawler_of(SiteSpider, {"DEPTH_LIMIT": 2}, url=HOME)
    told: list[tuple[str, str]] = []

    def listen(refused: list[RefusedLink], page_url: str) -> None:
        assert page_url == HOME
        told.extend((link.url, str(link.reason)) for link in refused)

    crawler.signals.connect(listen, signal=links_rejected)
    links = (link("http://other.org/"), link(HOME + "a.pdf"), link(HOME + "x/", nofollow=True), link(HOME + "b/"))
    assert [request.url for request in follow(crawler, page(*links))] == [HOME + "b/"]
    pipeline = LinksPipeline.from_crawler(crawler)
    for _ in range(2):
        asyncio.run(pipeline.process_item(page(*links)))
    assert crawler.stats.get_value("newscrawl/rejected/nofollow") == 1
    assert told[:3] == [("http://other.org/", "offsite"), (HOME + "a.pdf", "file_type"), (HOME + "x/", "nofollow")]
    assert crawler.stats.get_value("newscrawl/rejected/offsite") == 1
    assert crawler.stats.get_value("newscrawl/rejected/duplicate") == 6


def test_depth_limit() -> None:
    crawler = crawler_of(SiteSpider, {"DEPTH_LIMIT": 2}, url=HOME)
    assert follow(crawler, page(link(HOME + "a/"), depth=1))
    assert not follow(crawler, page(link(HOME + "b/"), depth=2))
    assert crawler.stats.get_value("newscrawl/rejected/depth") == 1


def test_nofollow_pages_and_the_setting() -> None:
    nofollow = frozenset({"nofollow", "noindex"})
    assert not follow(crawler_of(SiteSpider, url=HOME), page(link(HOME + "a/"), robots=nofollow))
    loose = crawler_of(SiteSpider, {"NEWSCRAWL_OBEY_META_ROBOTS": False}, url=HOME)
    assert follow(loose, page(link(HOME + "a/"), robots=nofollow))


def test_channels_are_left_only_by_articles_of_their_hubs() -> None:
    crawler = crawler_of(site_spider(portals()["sina"]), channels="tech")
    article = "https://k.sina.com.cn/article_6586884461_1889be16d00100juvx.html"
    other = "https://news.sina.com.cn/c/2019-09-07/doc-iicezzrq4076655.shtml"
    hub = page(link(article), link("https://ent.sina.com.cn/"), url="https://tech.sina.com.cn/")
    assert [request.url for request in follow(crawler, hub)] == [article]
    assert not follow(crawler, page(link(other), url=article))
    assert crawler.stats.get_value("newscrawl/rejected/channel") == 2


def test_article_addresses_lose_their_tracking_query() -> None:
    crawler = crawler_of(site_spider(portals()["sina"]))
    url = "https://news.sina.com.cn/c/2019-09-07/doc-iicezzrq4076655.shtml"
    (request,) = follow(crawler, page(link(url + "?mod=pcpager"), link(url), url="https://news.sina.com.cn/"))
    assert request.url == url


def wanted(crawler: Crawler, url: str, published: datetime | None, **values: Any) -> Page:
    item = page(url=url, **values)
    item.article = Article(url=url, datePublished=published)
    result: Page = WantedPipeline.from_crawler(crawler).process_item(item)
    return result


def test_articles_in_another_language_are_rejected() -> None:
    crawler = crawler_of(SiteSpider, url=HOME, language="de, zh")
    pipeline = WantedPipeline.from_crawler(crawler)
    for language in ("zh", "en", None):
        item = page(url=f"{HOME}{language}")
        item.article = Article(url=item.url, inLanguage=language)
        if language == "zh":
            assert pipeline.process_item(item) is item
        else:
            with pytest.raises(DropItem, match="wanted: "):
                pipeline.process_item(item)
    assert crawler.stats.get_value("newscrawl/rejected/language") == 2


def test_articles_outside_the_dates_are_rejected() -> None:
    crawler = crawler_of(SiteSpider, url=HOME, since="2024-03-01", until="2024-03-05")
    outcomes: list[tuple[str, str]] = []

    def listen(url: str, outcome: str, reason: str) -> None:
        outcomes.append((str(outcome), str(reason)))

    crawler.signals.connect(listen, signal=url_outcome)
    assert wanted(crawler, HOME + "1", datetime(2024, 3, 2, tzinfo=UTC))
    assert wanted(crawler, HOME + "2", None)
    with pytest.raises(DropItem, match="before"):
        wanted(crawler, HOME + "3", datetime(2024, 2, 1, tzinfo=UTC))
    with pytest.raises(DropItem, match="not before"):
        wanted(crawler, HOME + "4", datetime(2024, 3, 5, tzinfo=UTC))
    with pytest.raises(DropItem, match="noindex"):
        wanted(crawler, HOME + "5", None, robots=frozenset({"noindex"}))
    assert outcomes == [("rejected", "before_since"), ("rejected", "after_until"), ("rejected", "noindex")]


def test_articles_with_few_letters_are_rejected_where_asked() -> None:
    crawler = crawler_of(SiteSpider, {"NEWSCRAWL_MIN_BODY": 10}, url=HOME)
    item = page(url=f"{HOME}short")
    for text, is_wanted in (("1.234.567.890 (EUR)", False), ("渡轮周一晚在港口外搁浅", True), ("A boat sank.", False)):
        item.article = Article(url=item.url, articleBody=text)
        if is_wanted:
            assert WantedPipeline.from_crawler(crawler).process_item(item) is item
        else:
            with pytest.raises(DropItem, match="NEWSCRAWL_MIN_BODY is 10"):
                WantedPipeline.from_crawler(crawler).process_item(item)
    assert crawler.stats.get_value("newscrawl/rejected/short") == 2
