"""Home page, channels, tags, roll, feeds, sitemaps, robots.txt: everything that leads to articles."""

from __future__ import annotations

import gzip
from email.utils import format_datetime
from typing import Any
from xml.sax.saxutils import escape

from demosite.model import DemoArticle, Record
from demosite.newsroom import CHANNELS, Channel
from demosite.oddities import NEWS
from demosite.pages import CHANNEL, Item, Press, article_item, channel_items, hub_url, pages_of, tag_url

SITEMAP = f"{NEWS}/sitemap_index.xml.gz"
#: Feed → the channels it carries.
FEEDS = {
    "http://rss.sina.com.cn/news/marquee/ddt.xml": tuple(CHANNEL),
    "http://rss.sina.com.cn/news/china/focus15.xml": ("china", "society"),
    "http://rss.sina.com.cn/news/world/focus15.xml": ("world", "military"),
    "http://rss.sina.com.cn/tech/rollnews.xml": ("tech",),
    "http://rss.sina.com.cn/roll/finance/hot_roll.xml": ("finance", "stock"),
}
_UTF8 = [("Content-Type", "text/html; charset=utf-8")]
_XML = [("Content-Type", "application/xml")]
_PER_FEED = 15
_NEWS_SITEMAP_DAYS = 3
_ROBOTS = """User-agent: *
Disallow: /preview/
Disallow: /cgi-bin/
Crawl-delay: 2
"""


def lists(press: Press, odd: list[Item]) -> list[Record]:
    """Return every hub, feed, sitemap and robots.txt; ``odd`` are links to the oddities."""
    articles = sorted(press.articles, key=lambda article: article.published, reverse=True)
    shown = [article for article in articles if not article.options.get("unlinked")]
    hubs = [_home(press, shown), _portal(press), *_channels(press, shown), *_roll(press, shown)]
    hubs += _tags(press, shown)
    hubs.append(_hub(f"{NEWS}/zt/odd/index.shtml", press.hub("编辑部的抽屉", [{"title": "", "items": odd}])))
    return [*hubs, *_feeds(articles), *_sitemaps(articles), *_robots(articles)]


def front_lists(press: Press) -> list[Record]:
    """Return what shows the newest articles: home page, first page of each channel and of the roll, feeds, sitemaps."""
    articles = sorted(press.articles, key=lambda article: article.published, reverse=True)
    shown = [article for article in articles if not article.options.get("unlinked")]
    channels = [record for record in _channels(press, shown) if record.url in {hub_url(c) for c in CHANNELS}]
    return [_home(press, shown), *channels, _roll(press, shown)[0], *_feeds(articles), *_sitemaps(articles)]


def _hub(url: str, html: str) -> Record:
    truth = {"url": url, "kind": "hub", "outcome": ["not_article"]}
    return Record(url=url, body=html.encode(), headers=list(_UTF8), truth=truth)


def _home(press: Press, articles: list[DemoArticle]) -> Record:
    sections: list[dict[str, Any]] = [{"title": "要闻", "items": [article_item(a) for a in articles[:12]]}]
    for channel in CHANNELS:
        own = [a for a in articles if a.channel == channel.name][:8]
        section = {"title": channel.title, "url": hub_url(channel), "items": [article_item(a) for a in own]}
        sections.append(section)
    more = [
        Item(title="编辑部的抽屉", url=f"{NEWS}/zt/odd/index.shtml"),
        Item(title="浪花门户", url="https://www.sina.com.cn/"),
        Item(title="滚动新闻", url=f"{NEWS}/roll/"),
    ]
    sections.append({"title": "更多", "items": more})
    tags = [Item(title=tag, url=tag_url(tag)) for tag in _tagged(articles)]
    return _hub(f"{NEWS}/", press.hub("新闻中心", sections, tags=tags, feed=next(iter(FEEDS))))


def _portal(press: Press) -> Record:
    return _hub("https://www.sina.com.cn/", press.hub("浪花网首页", [{"title": "频道", "items": channel_items()}]))


def _channels(press: Press, articles: list[DemoArticle]) -> list[Record]:
    records = []
    for channel in CHANNELS:
        own = [a for a in articles if a.channel == channel.name]
        records += _paged(press, f"{channel.title}新闻", own, channel)
    return records


def _paged(press: Press, title: str, articles: list[DemoArticle], channel: Channel) -> list[Record]:
    items = [article_item(a, summary=i % 3 == 0) for i, a in enumerate(articles)]
    pages = pages_of(title, items, lambda n: hub_url(channel, n))
    return [_hub(url, press.hub(title, [{"title": "", "items": shown}], pager=pager)) for url, shown, pager in pages]


def _roll(press: Press, articles: list[DemoArticle]) -> list[Record]:
    recent = [article_item(a) for a in articles[:110]]
    pages = pages_of("滚动", recent, lambda n: f"{NEWS}/roll/" + (f"index_{n}.shtml" if n > 1 else ""))
    return [
        _hub(url, press.hub("滚动新闻", [{"title": "", "items": shown}], pager=pager)) for url, shown, pager in pages
    ]


def _tagged(articles: list[DemoArticle]) -> dict[str, list[DemoArticle]]:
    tags: dict[str, list[DemoArticle]] = {}
    for article in articles:
        for tag in article.keywords[1:]:
            tags.setdefault(tag, []).append(article)
    return tags


def _tags(press: Press, articles: list[DemoArticle]) -> list[Record]:
    return [
        _hub(tag_url(tag), press.hub(f"标签：{tag}", [{"title": "", "items": [article_item(a) for a in own]}]))
        for tag, own in _tagged(articles).items()
    ]


def _feeds(articles: list[DemoArticle]) -> list[Record]:
    records = []
    for url, channels in FEEDS.items():
        own = [a for a in articles if a.channel in channels and a.options.get("unlinked") != "sitemap"][:_PER_FEED]
        own += [a for a in articles if a.options.get("unlinked") == "feed" and a.channel in channels and a not in own]
        items = "".join(
            f"<item><title>{escape(a.headline)}</title><link>{escape(a.url)}</link>"
            f"<pubDate>{format_datetime(a.published)}</pubDate><description>{escape(a.text[:80])}</description></item>\n"
            for a in own
        )
        body = (
            '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>浪花网</title>'
            f"<link>{NEWS}/</link><description>演示</description>\n{items}</channel></rss>"
        )
        truth = {"url": url, "kind": "feed", "outcome": ["not_article"]}
        records.append(Record(url=url, body=body.encode(), headers=list(_XML), truth=truth))
    return records


def _sitemaps(articles: list[DemoArticle]) -> list[Record]:
    newest = articles[0].published.date()
    recent = [a for a in articles if (newest - a.published.date()).days < _NEWS_SITEMAP_DAYS and not a.duplicate_of]
    hidden = [a for a in articles if a.options.get("unlinked") == "sitemap" and a not in recent]
    news, archive = f"{NEWS}/sitemaps/news.xml.gz", f"{NEWS}/sitemaps/archive.xml"
    index = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in (news, archive))
    entries = "".join(
        f"<url><loc>{escape(a.url)}</loc><news:news><news:publication><news:name>浪花网</news:name>"
        f"<news:language>zh-cn</news:language></news:publication><news:publication_date>{a.published.isoformat()}"
        f"</news:publication_date><news:title>{escape(a.headline)}</news:title></news:news></url>\n"
        for a in recent
    )
    old = "".join(
        f"<url><loc>{escape(a.url)}</loc><lastmod>{a.published.date()}</lastmod></url>\n"
        for a in [*hidden, *articles[-40:]]
    )
    ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    news_ns = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    return [
        _sitemap(SITEMAP, f"<sitemapindex {ns}>{index}</sitemapindex>", compressed=True),
        _sitemap(news, f"<urlset {ns} {news_ns}>{entries}</urlset>", compressed=True),
        _sitemap(archive, f"<urlset {ns}>{old}</urlset>", compressed=False),
    ]


def _sitemap(url: str, xml: str, *, compressed: bool) -> Record:
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n{xml}'.encode()
    headers = [("Content-Type", "application/x-gzip" if compressed else "application/xml")]
    truth = {"url": url, "kind": "sitemap", "outcome": ["not_article"]}
    return Record(url=url, body=gzip.compress(body, mtime=0) if compressed else body, headers=headers, truth=truth)


def _robots(articles: list[DemoArticle]) -> list[Record]:
    hosts = {a.url.split("/")[2]: None for a in articles}
    hosts.update({channel.host: None for channel in CHANNELS})
    records = []
    for host in [*hosts, "www.sina.com.cn", "tags.sina.com.cn", "rss.sina.com.cn"]:
        text = _ROBOTS + (f"Sitemap: {SITEMAP}\n" if host == "news.sina.com.cn" else "")
        truth = {"url": f"https://{host}/robots.txt", "kind": "robots_txt", "outcome": []}
        record = Record(
            url=f"https://{host}/robots.txt", body=text.encode(), headers=[("Content-Type", "text/plain")], truth=truth
        )
        records.append(record)
    return records
