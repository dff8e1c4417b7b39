"""One small site from an archive, crawled as a user would: what is asked for, what is not, and why."""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, XmlResponse
from scrapy.utils.test import get_crawler

from newscrawl import default_settings
from newscrawl.commands.plan import show_neighbours
from newscrawl.links.sitemap import capture_queries
from newscrawl.sites.model import site_from_url
from newscrawl.spiders.loader import SiteSpider
from tests.archives import HTML, write_warc
from tests.crawling import Crawl, crawl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HOME = "http://news.example.org/"
TEXT = "这是一篇关于新能源汽车产业发展的报道，记者走访了多家企业，了解到行业正在发生深刻变化。" * 3


def page(url: str, title: str, body: str, *, head: str = "", **record: Any) -> dict[str, Any]:
    html = f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return {"url": url, "body": html.encode(), **record}


def article(path: str, title: str, day: str, number: int, *, head: str = "", links: str = "", **record: Any) -> Any:
    own = "".join(f"<p>第{number}篇第{i}段：{TEXT}{number * 7 + i}</p>" for i in range(4))
    meta = f"<meta property='article:published_time' content='{day}T08:00:00+08:00'>"
    body = f"<h1>{title}</h1><div class='content'>{own}</div>{links}"
    return page(HOME + path, title, body, head=meta + head, **record)


NOINDEX = "<meta name=robots content=noindex>"
LINKS = [
    "/2024/0305/1.html", "/2024/0305/2.html", "/2024/0101/3.html", "/2024/0305/plain.txt.html", "/doc/report.pdf",
    "/a.jpg", "http://other.example.com/", "/private/1.html", "/2024/0305/nofollow.html", "/file.html", "/tech/",
    "javascript:void(0)", "/2024/0305/hidden.html",
]  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    anchors = "".join(f"<li><a href='{url}'>第{i}条新闻标题的链接文字</a></li>" for i, url in enumerate(LINKS))
    feed = "<rss><channel><item><title>Feed</title><link>/2024/0305/feed.html</link></item></channel></rss>"
    sitemap = "".join(
        f"<url><loc>{HOME}2024/{day}/map.html</loc><lastmod>2024-{day[:2]}-{day[2:]}</lastmod></url>"
        for day in ("0305", "0101")
    )
    return write_warc(
        tmp_path / "site.warc.gz",
        page(
            HOME,
            "首页",
            f"<ul>{anchors}</ul>",
            head="<link rel=alternate type='application/rss+xml' href='/rss.xml'>",
        ),
        {
            "url": HOME + "robots.txt",
            "body": f"User-agent: *\nDisallow: /private/\nSitemap: {HOME}map.xml.gz\n".encode(),
            "headers": [("Content-Type", "text/plain")],
        },
        {
            "url": HOME + "map.xml.gz",
            "body": gzip.compress(f"<urlset>{sitemap}</urlset>".encode()),
            "headers": [("Content-Type", "application/x-gzip")],
        },
        {"url": HOME + "rss.xml", "body": feed.encode(), "headers": [("Content-Type", "text/xml")]},
        article("2024/0305/1.html", "第一篇报道的标题在这里", "2024-03-05", 1),
        article(
            "2024/0305/2.html", "第二篇报道的标题在这里", "2024-03-05", 2, head="<meta name=robots content=noindex>"
        ),
        article("2024/0101/3.html", "第三篇报道的标题在这里", "2024-01-01", 3),
        article(
            "2024/0305/plain.txt.html",
            "第四篇报道的标题在这里",
            "2024-03-05",
            4,
            headers=[("Content-Type", "text/plain")],
        ),
        article("2024/0305/feed.html", "第五篇报道的标题在这里", "2024-03-05", 5),
        article("2024/0305/map.html", "第六篇报道的标题在这里", "2024-03-05", 6),
        article("2024/0101/map.html", "第七篇报道的标题在这里", "2024-01-01", 7),
        article("private/1.html", "第八篇报道的标题在这里", "2024-03-05", 8),
        article(
            "2024/0305/nofollow.html",
            "第九篇报道的标题在这里",
            "2024-03-05",
            9,
            head="<meta name=robots content=nofollow>",
            links="<p><a href='/2024/0305/behind.html'>不应当被抓取的文章链接</a></p>",
        ),
        article(
            "2024/0305/hidden.html",
            "第十篇报道的标题在这里",
            "2024-03-05",
            10,
            headers=[*HTML, ("X-Robots-Tag", "noindex")],
        ),
        article("2024/0305/behind.html", "第十一篇报道的标题在这里", "2024-03-05", 11),
        {"url": HOME + "file.html", "body": b"%PDF-1.4 \x00\x01", "headers": HTML},
        page(HOME + "tech/", "科技", "<ul><li><a href='/2024/0305/1.html'>第一篇报道的标题</a></li></ul>"),
    )


def harvest(archive: Path, *arguments: str, **settings: object) -> Crawl:
    words = [word for argument in arguments for word in ("-a", argument)]
    return crawl(
        archive.parent,
        "crawl",
        "site",
        "-a",
        f"url={HOME}",
        *words,
        settings={"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": "", **settings},
    )


def paths(run: Crawl) -> set[str]:
    return {item["url"].removeprefix(HOME) for item in run.items}


def test_a_harvest(archive: Path) -> None:
    run = harvest(archive)
    assert run.status == 0, run.log
    assert paths(run) >= {
        "2024/0305/1.html",
        "2024/0101/3.html",
        "2024/0305/plain.txt.html",
        "2024/0305/feed.html",
        "2024/0305/map.html",
        "2024/0101/map.html",
        "2024/0305/nofollow.html",
    }
    assert not paths(run) & {"2024/0305/2.html", "2024/0305/hidden.html", "private/1.html", "2024/0305/behind.html"}
    rejected = run.counts("newscrawl/rejected/")
    assert rejected["noindex"] == 2
    assert rejected["nofollow"] == 1
    assert rejected["file_type"] == 2
    assert rejected["offsite"] == 1
    assert rejected["not_html"] == 1
    assert run.counts("newscrawl/discovery/") == {"feed": 1, "sitemap": 2}
    assert run.stats["finish_reason"] == "finished"


def test_since_filters_before_fetching(archive: Path) -> None:
    run = harvest(archive, "since=2024-02-01")
    assert not any(path.startswith("2024/0101") for path in paths(run))
    assert "2024/0305/map.html" in paths(run)
    assert run.counts("newscrawl/rejected/")["before_since"] == 2
    assert run.stats["downloader/response_status_count/200"] < 17


def test_limit_is_kept_exactly(archive: Path) -> None:
    run = harvest(archive, "limit=2")
    assert len(run.items) == 2
    assert run.stats["finish_reason"] == "limit"


def test_no_page_is_asked_for_that_the_limit_would_refuse(archive: Path, tmp_path: Path) -> None:
    run = harvest(archive, "limit=2", NEWSCRAWL_DATABASE=f"sqlite:///{tmp_path}/limit.sqlite")
    assert len(run.items) == 2
    assert "limit" not in run.counts("newscrawl/rejected/")


def test_a_dry_run_fetches_no_article(archive: Path) -> None:
    run = harvest(archive, "dry_run=1")
    assert run.status == 0, run.log
    assert " WARNING: " not in run.log
    planned = {item["url"].removeprefix(HOME): item for item in run.items}
    assert planned["2024/0305/map.html"]["source"] == "sitemap"
    assert planned["2024/0305/feed.html"]["source"] == "feed"
    assert planned["2024/0305/1.html"]["source"] == "link"
    assert planned["2024/0305/1.html"]["kind"] == "article"
    assert planned["tech/"]["kind"] == "hub"
    assert "doc/report.pdf" not in planned
    # robots.txt (twice: for us and for Scrapy's obedience), sitemap, feed, seed
    assert run.stats["downloader/response_count"] <= 5


def test_a_dry_run_names_other_hosts_of_the_site(capsys: pytest.CaptureFixture[str]) -> None:
    site = replace(site_from_url(HOME), hosts=("www.town.co.uk",))
    show_neighbours(Counter({"blog.town.co.uk": 1_200, "elsewhere.co.uk": 4_000, "m.town.co.uk": 3}), site)
    assert "other hosts of the site: blog.town.co.uk (1,200), m.town.co.uk (3); `hosts`" in capsys.readouterr().out
    show_neighbours(Counter({"elsewhere.co.uk": 4_000}), site)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"NEWSCRAWL_SITEMAP_ENTRIES": 1, "NEWSCRAWL_FEEDS": 0}, {"sitemap": 1}),
        ({"NEWSCRAWL_SITEMAP_FILES": 0}, {"feed": 1}),
    ],
    ids=["entries", "files"],
)
def test_discovery_has_bounds(archive: Path, settings: dict[str, int], found: dict[str, int]) -> None:
    run = harvest(archive, "dry_run=1", **settings)
    assert run.counts("newscrawl/discovery/") == found


@pytest.mark.parametrize(("living", "asked"), [(None, range(5, 9)), (10, [12])], ids=["all dead", "one of them read"])
def test_feeds_of_a_pattern_that_are_all_dead_are_not_asked_for(
    tmp_path: Path, living: int | None, asked: Sequence[int]
) -> None:
    names = [f"topic-{chr(97 + number)}" for number in range(12)]
    head = "<link rel='alternate' type='application/rss+xml' href='/tags/{}/index.xml'>"
    records = [page(HOME, "首页", "".join(f"<p><a href='/tags/{name}/'>{name}</a></p>" for name in names))]
    records += [page(f"{HOME}tags/{name}/", name, f"<h1>{name}</h1>", head=head.format(name)) for name in names]
    feed = b"<rss><channel><item><title>Feed</title><link>/2024/0305/feed.html</link></item></channel></rss>"
    if living is not None:
        url = f"{HOME}tags/{names[living]}/index.xml"
        records.append({"url": url, "body": feed, "headers": [("Content-Type", "text/xml")]})
    archive = write_warc(tmp_path / "tags.warc", *records)
    run = harvest(archive, CONCURRENT_REQUESTS=1, NEWSCRAWL_READERS=0)  # pages are read in their order
    tried = run.counts("newscrawl/tried/")
    assert tried["feeds_asked"] + tried.get("feeds_spared", 0) == 12
    assert tried["feeds_asked"] in asked


def test_a_wrong_argument_is_one_line(tmp_path: Path) -> None:
    run = crawl(tmp_path, "crawl", "sina", "-a", "since=tomorrow", settings={"LOG_LEVEL": "ERROR"})
    assert run.status == 2
    assert run.log.startswith("scrapy crawl: since = 'tomorrow'; accepted: a day 2024-03-05")
    assert len(run.log.strip().splitlines()) == 1


def test_a_site_file_is_a_spider(archive: Path) -> None:
    folder = archive.parent / "sites"
    folder.mkdir()
    (folder / "mysite.toml").write_text(
        f"title = 'My'\nhosts = ['news.example.org']\nseeds = ['{HOME}']\n"
        "article_patterns = ['/(?P<y>20\\d\\d)/(?P<m>\\d\\d)(?P<d>\\d\\d)/[.\\w]+\\.html$']\n",
        encoding="utf-8",
    )
    settings = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": "", "NEWSCRAWL_SITES_DIR": folder}
    run = crawl(archive.parent, "crawl", "mysite", "-a", "until=2024-03-05", settings=settings)
    assert run.status == 0, run.log
    assert paths(run) == {"2024/0101/3.html", "2024/0101/map.html"}  # that day itself is left out
    assert {item["site"] for item in run.items} == {"mysite"}
    (folder / "broken.toml").write_text("title = 1", encoding="utf-8")
    run = crawl(archive.parent, "crawl", "broken", settings=settings | {"LOG_LEVEL": "ERROR"})
    assert run.status == 2
    assert "title = 1; accepted: a string" in run.log
    assert "Traceback" not in run.log


SETTINGS = {name: value for name, value in vars(default_settings).items() if name.startswith("NEWSCRAWL_")}


def pages_of(spider: SiteSpider, response: HtmlResponse) -> list[Any]:
    async def collected() -> list[Any]:
        return [item async for item in spider.parse_page(response)]

    return asyncio.run(collected())


def asked_for(spider: SiteSpider, asked: str, *, policy: str = "") -> str:
    """Have the spider see an answer to ``asked`` that came over https; return how it asks for another page now."""
    request = Request("https://" + asked.partition("://")[2], meta={"redirect_urls": [asked]})
    headers = {"Content-Type": "text/html"} | ({"Strict-Transport-Security": policy} if policy else {})
    pages_of(spider, HtmlResponse(request.url, body=b"<p>...</p>", headers=headers, request=request))
    return spider.make_request(HOME + "tech/9.html").url


@pytest.mark.parametrize(
    ("policy", "schemes"),
    [("", ["http", "http", "https"]), ("max-age=600", ["https"])],
    ids=["by redirects", "by header"],
)
def test_links_that_still_say_http(policy: str, schemes: list[str]) -> None:
    crawler = get_crawler(SiteSpider, SETTINGS)
    spider = SiteSpider.from_crawler(crawler, url=HOME)
    urls = [asked_for(spider, f"{HOME}tech/{number}.html", policy=policy) for number in range(len(schemes))]
    assert urls == [f"{scheme}://news.example.org/tech/9.html" for scheme in schemes]
    assert crawler.stats.get_value("newscrawl/discovery/https_hosts") == 1


def test_what_a_feed_says_of_a_page_that_a_link_had_asked_for() -> None:
    spider = SiteSpider.from_crawler(get_crawler(SiteSpider, SETTINGS), url=HOME)
    spider.configure(spider.crawler.settings)
    url = f"{HOME}a/1.html"
    assert spider.gate.admit(url).follow
    feed = (
        f"<rss><channel><item><link>{url}</link><pubDate>Tue, 05 Mar 2024 08:00:00 GMT</pubDate></item></channel></rss>"
    )
    source = Request(f"{HOME}rss.xml")
    assert list(spider.parse_feed(XmlResponse(source.url, body=feed.encode(), request=source))) == []
    request = spider.make_request(url)
    answer = HtmlResponse(url, body=b"<p>...</p>", headers={"Content-Type": "text/html"}, request=request)
    (found,) = pages_of(spider, answer)
    assert found.raw.told == {"from": f"{HOME}rss.xml", "date": "2024-03-05T08:00:00+00:00"}
    assert spider.gate.take_hints(url) == {}, "it is said once"


SPAN = datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)


def test_a_time_of_the_past_is_walked_by_sitemaps_lists_and_captures(tmp_path: Path) -> None:
    """Stories without a day in their address: those of 2019 are found, and of other years next to nothing is asked."""
    xml, server = [("Content-Type", "text/xml")], "https://index.example/cdx"
    months = ("2018-12", "2019-05", "2020-02")
    stories = {f"{HOME}story/{door}-{month}.html": month for door in ("map", "list", "shot") for month in months}
    maps = "".join(f"<sitemap><loc>{HOME}maps/{month}.xml</loc></sitemap>" for month in months)
    archives = "".join(f"<li><a href='/archive/{month.replace('-', '/')}/'>{month}</a></li>" for month in months)
    shots = "".join(f"k 20190601000000 {url} text/html 200 X 9\n" for url in stories if "shot-2019" in url)
    asked = capture_queries(server, ("news.example.org", ".news.example.org"), *SPAN)
    records: list[dict[str, Any]] = [
        page(HOME, "首页", f"<ul>{archives}</ul>"),
        {
            "url": f"{HOME}robots.txt",
            "body": f"Sitemap: {HOME}maps/all.xml".encode(),
            "headers": [("Content-Type", "text/plain")],
        },
        {"url": f"{HOME}maps/all.xml", "body": f"<sitemapindex>{maps}</sitemapindex>".encode(), "headers": xml},
        *({"url": url, "body": shots.encode(), "headers": [("Content-Type", "text/plain")]} for url in asked),
    ]
    for month in months:
        locs = "".join(f"<url><loc>{url}</loc></url>" for url in stories if f"map-{month}" in url)
        records.append({"url": f"{HOME}maps/{month}.xml", "body": f"<urlset>{locs}</urlset>".encode(), "headers": xml})
        links = "".join(
            f"<li><a href='{url}'>{month} 的一篇报道的标题</a></li>" for url in stories if f"list-{month}" in url
        )
        records.append(page(f"{HOME}archive/{month.replace('-', '/')}/", "存档", f"<ul>{links}</ul>"))
    records += [
        article(url.removeprefix(HOME), f"第{n}篇报道的标题在这里", f"{month}-07", n)
        for n, (url, month) in enumerate(stories.items())
    ]
    archive = write_warc(tmp_path / "a.warc.gz", *records)
    run = harvest(archive, "from=2019", "to=2019", f"history=cdx:{server}")
    assert paths(run) == {f"story/{door}-2019-05.html" for door in ("map", "list", "shot")}
    assert run.stats["newscrawl/tried/sitemaps_asked"] == 2
    assert run.counts("newscrawl/discovery/")["captures"] == 1
    assert run.stats["newscrawl/rejected/before_since"] == run.stats["newscrawl/rejected/after_until"] == 1
    # robots.txt twice, home, two sitemaps, a list, the index, three stories
    assert run.stats["downloader/response_status_count/200"] == 10


def test_captures_are_taken_from_the_archive_that_replays_them(tmp_path: Path) -> None:
    """A site that is gone: two captures of 2019, one of them moved to another moment, one page never captured."""
    server, replay = "https://index.example/cdx", "https://web.example/web"
    stories = {name: f"{HOME}story/{name}.html" for name in ("one", "two", "none")}
    index = "".join(f"k 20190601000000 {url} text/html 200 X 9\n" for url in stories.values())
    said = [f"第{n}篇报道的标题在这里" for n in range(2)]
    bodies = [article(url, title, "", n)["body"] for n, (url, title) in enumerate(zip(stories, said, strict=False))]
    late, memento = f"{replay}/20190604000000id_/{stories['two']}", "Tue, 04 Jun 2019 08:00:00 GMT"
    html = [("Content-Type", "text/html"), ("ETag", '"archive"')]
    archive = write_warc(
        tmp_path / "a.warc.gz",
        *(
            {"url": url, "body": index.encode(), "headers": [("Content-Type", "text/plain")]}
            for url in capture_queries(server, ("news.example.org", ".news.example.org"), *SPAN)
        ),
        {"url": f"{replay}/20190601000000id_/{stories['one']}", "body": bodies[0], "headers": html},
        {"url": f"{replay}/20190601000000id_/{stories['two']}", "status": 302, "headers": [("Location", late)]},
        {"url": late, "body": bodies[1], "headers": [*html, ("Memento-Datetime", memento)]},
    )
    run = harvest(archive, "from=2019", "to=2019", f"history=cdx:{server}", f"captures={replay}")
    assert paths(run) == {"story/one.html", "story/two.html"}
    assert sorted(item["fetchedAt"][:13] for item in run.items) == ["2019-06-01T00", "2019-06-04T08"]
    assert run.stats["newscrawl/discovery/captures_replayed"] == 3
    assert run.stats["newscrawl/http_error/404"] >= 1


def test_a_robots_txt_that_moved_still_names_the_sitemaps(tmp_path: Path) -> None:
    moved, text = "https://www.news.example/", [("Content-Type", "text/plain")]
    site_map = f"<urlset><url><loc>{moved}2024/03/05/story.html</loc></url></urlset>".encode()
    archive = write_warc(
        tmp_path / "a.warc.gz",
        {"url": "http://news.example/robots.txt", "status": 301, "headers": [("Location", f"{moved}robots.txt")]},
        {"url": "http://news.example/", "status": 301, "headers": [("Location", moved)]},
        {"url": f"{moved}robots.txt", "body": f"Sitemap: {moved}stories.xml".encode(), "headers": text},
        {"url": moved, "body": b"<p>No link.</p>"},
        {"url": f"{moved}stories.xml", "body": site_map, "headers": [("Content-Type", "text/xml")]},
    )
    settings: dict[str, object] = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/n.sqlite"}
    run = crawl(tmp_path, "crawl", "site", "-a", "url=http://news.example/", settings=settings)
    assert run.counts("newscrawl/discovery/")["sitemap"] == 1


def test_sitemaps_that_the_site_names_may_be_on_another_host(tmp_path: Path) -> None:
    """An index on a host for files, named in robots.txt, with a sitemap beside it and one of a third host."""
    files, xml = "http://files.example/", [("Content-Type", "text/xml")]
    story = f"{HOME}2024/0305/story.html"
    index = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in (f"{files}a.xml", "http://third.example/b.xml"))
    pages = "".join(f"<url><loc>{url}</loc></url>" for url in (story, f"{files}2024/0305/strange.html"))
    archive = write_warc(
        tmp_path / "a.warc.gz",
        {"url": HOME, "body": b"<p>No link.</p>"},
        {
            "url": f"{HOME}robots.txt",
            "body": f"Sitemap: {files}i.xml".encode(),
            "headers": [("Content-Type", "text/plain")],
        },
        {"url": f"{files}i.xml", "body": f"<sitemapindex>{index}</sitemapindex>".encode(), "headers": xml},
        {"url": f"{files}a.xml", "body": f"<urlset>{pages}</urlset>".encode(), "headers": xml},
        {"url": "http://third.example/b.xml", "body": f"<urlset>{pages}</urlset>".encode(), "headers": xml},
    )
    run = harvest(archive, "dry_run=1")
    assert [item["url"] for item in run.items if item["source"] == "sitemap"] == [story]
    assert run.counts("newscrawl/discovery/")["sitemap"] == 2
    assert run.counts("newscrawl/rejected/")["offsite"] == 1


def test_page_beyond_the_depth_limit_is_asked_for_when_a_shorter_way_is_found() -> None:
    spider = SiteSpider.from_crawler(get_crawler(SiteSpider, {**SETTINGS, "DEPTH_LIMIT": 3}), url=HOME)
    spider.configure(spider.crawler.settings)
    url = f"{HOME}a/1.html"
    assert [spider.gate.admit(url, depth=depth).rejection for depth in (4, 3, 2)] == ["depth", None, "duplicate"]
