"""Puts the portal together: articles, copies, lists, oddities, in the order of a crawl."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Any

from demosite.copies import copies, long_articles
from demosite.lists import lists
from demosite.model import CRAWL_START, DemoArticle, Record
from demosite.newsroom import CHANNELS, Newsroom
from demosite.oddities import DEAD, links_to_oddities, oddities, unrequested
from demosite.pages import Press
from demosite.second import second_edition
from demosite.specials import hand_made


@dataclass(frozen=True, kw_only=True)
class Edition:
    """Every record of the portal on a day, and every row of its truth."""

    records: list[Record]
    truth: list[dict[str, Any]]


def build(seed: int, per_channel: int) -> tuple[Edition, Edition]:
    """Return the portal, and what is other on it the day after."""
    room = Newsroom(seed)
    articles = [room.write(channel) for channel in CHANNELS for _ in range(per_channel)]
    for i, article in enumerate(articles):
        _dress(article, i)
    _hide_some(articles)
    articles += [_dressed(article) for article in long_articles(room)]
    articles += hand_made()
    articles += copies(articles)
    press = Press(articles=articles, random=Random(seed))  # noqa: S311
    records: list[Record] = []
    for article in articles:
        fetched_at = CRAWL_START + timedelta(seconds=len(records) + 1)
        records += press.article_records(article, fetched_at)
    records.append(_cut_short(press, room))
    odd = oddities(press)
    records += odd + lists(press, links_to_oddities([*odd, records[-1]]))
    truth = [record.truth for record in records if record.truth]
    _mark_originals(truth)
    truth += unrequested() + [{"url": url, "kind": "dead", "outcome": ["http_error"]} for url in DEAD]
    later, changes = second_edition(press, room)
    return Edition(records=records, truth=truth), Edition(records=later, truth=changes)


def _mark_originals(truth: list[dict[str, Any]]) -> None:
    """Whichever of an article and its copies comes first is kept: the original may be the duplicate."""
    copied = {row[name] for row in truth for name in ("duplicate_of", "near_duplicate_of") if row.get(name)}
    for row in truth:
        if row["url"] in copied:
            row["outcome"] = ["stored", "duplicate"]


def _dressed(article: DemoArticle) -> DemoArticle:
    _dress(article, len(article.headline))
    return article


def _dress(article: DemoArticle, i: int) -> None:
    """Charset and machine-readable facts, by template and turn."""
    options = article.options
    if article.template in {"mid", "old"}:
        options.update(charset="gb18030", meta_charset="gb2312" if i % 3 else "gbk")
        if i % 4 == 0:
            options["header_charset"] = "GBK"
        elif i % 11 == 0:  # the header lies
            options["header_charset"] = "iso-8859-1" if i % 2 else "utf-8"
    elif article.template == "modern":
        options["json_ld"] = ("zone", "utc", "naive", None, None)[i % 5]
        options["og"] = i % 5 in {0, 1, 3}
        options["lang"] = "zh-CN" if i % 2 else None
    elif article.template == "plain":
        options["header_charset"] = "utf-8"
        options["meta_charset"] = None if i % 2 else "utf-8"


def _hide_some(articles: list[DemoArticle]) -> None:
    """Some articles are found only in a feed, some only in a sitemap."""
    feed = [a for a in articles if a.channel in {"china", "tech", "finance"} and a.template == "modern"]
    sitemap = [a for a in articles if a.channel in {"ent", "auto", "edu"} and a.template == "modern"]
    for article in feed[::9][:3]:
        article.options["unlinked"] = "feed"
    for article in sitemap[::9][:3]:
        article.options["unlinked"] = "sitemap"


def _cut_short(press: Press, room: Newsroom) -> Record:
    """A page whose transfer ended in the middle of its text; what came is what counts."""
    article = room.write(CHANNELS[0], "plain")
    article.options.update(header_charset="utf-8")
    record = press.article_records(article, CRAWL_START + timedelta(minutes=10))[0]
    last = article.nodes[-1].text
    half = last[: len(last) // 2]
    end = record.body.index(half.encode()) + len(half.encode())
    record.body = record.body[:end]
    kept = replace(article, nodes=[*article.nodes[:-1], replace(article.nodes[-1], text=half)])
    record.truth = {**kept.truth(), "linked": True, "title": article.headline}
    record.fetched_at = CRAWL_START + timedelta(minutes=10)
    return record
