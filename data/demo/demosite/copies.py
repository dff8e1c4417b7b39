"""Articles in several pages, at several addresses, or almost the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from demosite.model import SHANGHAI, DemoArticle, Node
from demosite.newsroom import CHANNELS, Newsroom

_PAGING = ("link", "link", "link", "link", "rel", "rel", "rel", "full")
_SYNDICATED = 5
_MIRRORED = 6
_EDITED = 4


def long_articles(room: Newsroom) -> list[DemoArticle]:
    """Return eight articles of two or three pages."""
    articles = []
    for i, paging in enumerate(_PAGING):
        template = "modern" if paging == "rel" else ("mid", "plain", "modern", "old")[i % 4]
        channel = CHANNELS[i % len(CHANNELS)]
        article = room.write(channel, template)
        for _ in range(1 + i % 2):
            article.parts.append([Node(text=text) for text in room.more(channel)])
        article.paging = paging
        articles.append(article)
    return articles


def copies(articles: list[DemoArticle]) -> list[DemoArticle]:
    """Return exact copies with ``rel=canonical``, syndicated copies without, and edited later versions."""
    whole = [a for a in articles if a.template in {"modern", "plain"} and len(a.text) > 250 and not a.paging]
    whole = [article for article in whole if not article.options.get("unlinked")]
    n_copies = _MIRRORED + _SYNDICATED + _EDITED
    result = []
    for i, original in enumerate(whole[:: len(whole) // n_copies][:n_copies]):
        n = 6_000_000 + 7919 * i
        if i < _MIRRORED:
            url = f"https://k.sina.com.cn/article_{n}_{n * 31:x}.html"
            copy = replace(original, url=url, canonical=original.url, duplicate_of=original.url)
        elif i < _MIRRORED + _SYNDICATED:
            day = original.published.astimezone(SHANGHAI).strftime("%Y-%m-%d")
            url = f"https://news.sina.com.cn/zx/{day}/doc-incopyzz{n}.shtml"
            copy = replace(original, url=url, duplicate_of=original.url, template="plain")
        else:
            copy = _edited(original, n)
        copy.options = dict(original.options)
        result.append(copy)
    return result


def _edited(original: DemoArticle, number: int) -> DemoArticle:
    """A later version: one sentence more, another headline, half an hour later."""
    day = original.published.strftime("%Y-%m-%d")
    nodes = [*original.nodes, Node(text="本网将继续关注事情的进展。")]
    return replace(
        original,
        url=f"https://news.sina.com.cn/zx/{day}/doc-ineditzz{number}.shtml",
        headline=original.headline + "（更新）",
        nodes=nodes,
        published=original.published + timedelta(minutes=30),
        near_duplicate_of=original.url,
    )
