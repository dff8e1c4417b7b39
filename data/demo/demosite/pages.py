"""Turns articles and lists of links into bytes: templates, bylines, charsets, what stands around the text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from demosite.grammar import Grammar, Teller
from demosite.model import CRAWL_START, DemoArticle, Node, Record, part_url
from demosite.newsroom import CHANNELS, PHRASES, Channel

if TYPE_CHECKING:
    from random import Random

CHANNEL = {channel.name: channel for channel in CHANNELS}
TAG_HOST = "https://tags.sina.com.cn"
_HUB_SIZE = 22


@dataclass(frozen=True, kw_only=True)
class Item:
    """A line of a list of links, or a button of a pager (``url`` None: the current page)."""

    title: str
    url: str | None = None
    when: str = ""
    summary: str = ""
    nofollow: bool = False


@dataclass(kw_only=True)
class Press:
    """Prints pages; knows every article, for the lists beside them."""

    articles: list[DemoArticle]
    random: Random
    _environment: Environment = field(init=False)
    _small_talk: Grammar = field(init=False)

    def __post_init__(self) -> None:
        folder = Path(__file__).parent / "templates"
        self._environment = Environment(loader=FileSystemLoader(folder), autoescape=True, trim_blocks=False)
        self._small_talk = Grammar.read(PHRASES / "names.txt", PHRASES / "comments.txt")
        self._tags = {tag for article in self.articles for tag in article.keywords[1:]}

    def article_records(self, article: DemoArticle, fetched_at: datetime) -> list[Record]:
        """Return the page of an article and its later pages; truth on the first."""
        bodies = [article.nodes, *article.parts]
        urls = article.pages if article.paging != "full" else [article.url]
        records = []
        for i, nodes in enumerate(bodies if article.paging != "full" else [article.nodes]):
            extra = self._paging(article, urls, i)
            html = self._article_html(article, nodes, fetched_at + timedelta(seconds=i), extra)
            records.append(self._record(article, urls[i], html))
        if article.paging == "full":
            everything = [node for nodes in bodies for node in nodes]
            html = self._article_html(article, everything, fetched_at, {})
            records.append(self._record(article, article.pages[1], html))
        records[0].truth = article.truth()
        for record in records[1:]:
            outcome = ["part", "stored", "duplicate"] if article.paging == "full" else ["part"]
            record.truth = {"url": record.url, "kind": "part", "outcome": outcome, "part_of": article.url}
        return records

    def hub(self, title: str, sections: list[dict[str, Any]], **extra: Any) -> str:
        """Print a page of links. Extra: ``pager``, ``tags``, ``feed``, ``robots``."""
        template = self._environment.get_template("hub.html")
        adverts = self._adverts()
        return template.render(title=title, sections=sections, channels=channel_items(), adverts=adverts, **extra)

    def _record(self, article: DemoArticle, url: str, html: str) -> Record:
        charset = article.options.get("charset", "utf-8")
        declared = article.options.get("header_charset")
        content_type = f"text/html; charset={declared}" if declared else "text/html"
        headers = [("Content-Type", content_type), *article.options.get("headers", [])]
        return Record(url=url, body=html.encode(charset, "xmlcharrefreplace"), headers=headers)

    def _paging(self, article: DemoArticle, urls: list[str], i: int) -> dict[str, Any]:
        if not article.paging:
            return {}
        if article.paging == "full":
            return {"pager": [Item(title="全文阅读", url=part_url(article.url, "all"))]}
        following = urls[i + 1] if i + 1 < len(urls) else None
        previous = urls[i - 1] if i else None
        if article.paging == "rel":
            return {"rel_next": following, "rel_prev": previous}
        pager = [Item(title="上一页", url=previous)] if previous else []
        pager += [Item(title=str(n + 1), url=None if n == i else url) for n, url in enumerate(urls)]
        pager += [Item(title="下一页", url=following)] if following else []
        return {"pager": pager}

    def _article_html(
        self, article: DemoArticle, nodes: list[Node], fetched_at: datetime, extra: dict[str, Any]
    ) -> str:
        channel = CHANNEL[article.channel]
        values = {
            "a": article,
            "nodes": nodes,
            "channel": channel,
            "channel_url": hub_url(channel),
            "channels": channel_items(),
            "description": article.text[:60],
            "charset_meta": article.options.get("meta_charset", "utf-8"),
            "date_text": article.options.get("date_text") or date_text(article, fetched_at),
            "media_id": self.random.randint(1000, 99999),
            "editors_visible": bool(article.editors) and article.template != "old",
            "json_ld": self._json_ld(article),
            "tag_links": {tag: tag_url(tag) for tag in article.keywords[1:]},
            "tags": [Item(title=tag, url=tag_url(tag)) for tag in article.keywords[1:]],
            "related": self._some(6, lambda other: other.channel == article.channel and other is not article),
            "hot": self._some(10),
            "latest": self._some(14),
            "comments": self._comments(self.random.randint(0, 5)),
            "adverts": self._adverts(),
            **extra,
        }
        return self._environment.get_template(f"{article.template}.html").render(**values)

    def _json_ld(self, article: DemoArticle) -> Markup | None:
        """The article as schema.org data, its time with a zone, in UTC, or without any zone."""
        zone = article.options.get("json_ld")
        if not zone:
            return None
        published = article.published
        stamp = published.isoformat()
        if zone == "utc":
            stamp = published.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: UP017
        elif zone == "naive":
            stamp = published.strftime("%Y-%m-%dT%H:%M:%S")
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.headline,
            "datePublished": stamp,
            "mainEntityOfPage": article.canonical or article.url,
            "publisher": {"@type": "Organization", "name": "浪花网"},
        }
        if article.authors:
            data["author"] = [{"@type": "Person", "name": name} for name in article.authors]
        return Markup(json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"))  # noqa: S704

    def _some(self, n: int, keep: Any = lambda _article: True) -> list[Item]:
        visible = [article for article in self.articles if keep(article) and not article.options.get("unlinked")]
        return [article_item(article) for article in self.random.sample(visible, min(n, len(visible)))]

    def _comments(self, n: int) -> list[str]:
        teller = Teller(self._small_talk, self.random)
        return [teller.tell(self.random.choice(self._small_talk.sections["body"])) for _ in range(n)]

    def _adverts(self) -> list[str]:
        teller = Teller(self._small_talk, self.random)
        return [teller.tell(template) for template in self._small_talk.sections["advert"][:2]]


def date_text(article: DemoArticle, fetched_at: datetime) -> str:
    """Return the time as the template prints it."""
    published = article.published
    if article.template in {"modern", "short"}:
        return published.strftime("%Y年%m月%d日 %H:%M")
    if article.template == "mid":
        return published.strftime("%Y年%m月%d日%H:%M")
    if article.template == "old":
        return published.strftime("%Y年%m月%d日 %H:%M")
    hours = int((fetched_at - published).total_seconds() // 3600)
    if hours < 12:
        article.date_tolerance_seconds = 3700
        return f"{hours}小时前"
    if published.date() == (fetched_at - timedelta(days=1)).date():
        return published.strftime("昨天 %H:%M")
    return published.strftime("%Y-%m-%d %H:%M")


def hub_url(channel: Channel, page: int = 1) -> str:
    return f"https://{channel.host}{channel.hub}" + (f"index_{page}.shtml" if page > 1 else "")


def tag_url(tag: str) -> str:
    return f"{TAG_HOST}/{quote(tag)}/"


def channel_items() -> list[Item]:
    return [Item(title=channel.title, url=hub_url(channel)) for channel in CHANNELS]


def article_item(article: DemoArticle, *, summary: bool = False) -> Item:
    when = article.published.strftime("%m-%d %H:%M" if article.published.year == CRAWL_START.year else "%Y/%m/%d")
    teaser = article.nodes[0].text[:50] + "…" if summary else ""
    return Item(title=article.headline, url=article.url, when=when, summary=teaser)


def pages_of(title: str, items: list[Item], url_of_page: Any) -> list[tuple[str, list[Item], list[Item]]]:
    """Cut a list into hub pages: ``(url, items, pager)`` each."""
    n_pages = max(1, -(-len(items) // _HUB_SIZE))
    result = []
    for page in range(1, n_pages + 1):
        pager = [Item(title=str(n), url=None if n == page else url_of_page(n)) for n in range(1, n_pages + 1)]
        if page < n_pages:
            pager.append(Item(title="下一页", url=url_of_page(page + 1)))
        shown = items[(page - 1) * _HUB_SIZE : page * _HUB_SIZE]
        result.append((url_of_page(page), shown, pager if n_pages > 1 else []))
    return result
