"""A made-up site with three topics: home, tag pages of ten articles each with next pages, articles with tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.archives import write_warc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOST = "http://news.example.org"
TOPIC = 'name = "Phones"\nkeywords = ["phone", "手机"]\n'
N_ARTICLES = 120
N_LISTED = 10
FEED = f"{HOST}/feed/"
IN_FEED = range(N_ARTICLES - 12, N_ARTICLES)
"""The newest articles."""
TAGS = {
    "phone": ["phone", "display", "battery"],
    "garden": ["rose", "soil", "tree"],
    "music": ["piano", "concert", "singer"],
}
#: Other tags, which are on articles of every topic.
MIXED = ["opinion", "archive"]
FILLER = (
    "The report was published on Monday and describes what readers asked for most in the past year. "
    "It lists several examples, explains how they were chosen, and ends with a short outlook on what may come next. "
)


def is_relevant(url: str) -> bool:
    """Whether an address is an article about phones."""
    return "/2024/" in url and _tag(int(url.rstrip("/").rpartition("-")[2])) == "phone"


def relevant_urls() -> list[str]:
    return [article_url(n) for n in range(N_ARTICLES) if _tag(n) == "phone"]


def article_url(number: int) -> str:
    return f"{HOST}/2024/03/a-story-of-{_tag(number)}s-{number}"


def write_site(path: Path) -> Path:
    records = [{"url": url, "body": page.encode()} for url, page in _pages()]
    feed = {"url": FEED, "body": _feed().encode(), "headers": [("Content-Type", "application/rss+xml")]}
    return write_warc(path, *records, feed)


def _tag(number: int) -> str:
    return list(TAGS)[number * 7 % 3]


def _pages() -> Iterator[tuple[str, str]]:
    yield f"{HOST}/", _page("Example News", _listing(range(0, N_ARTICLES, 13)))
    for number in range(N_ARTICLES):
        yield article_url(number), _article(number)
    for tag in [*TAGS, *MIXED]:
        numbers = [n for n in range(N_ARTICLES) if tag in _tags(n)]
        chunks = [numbers[i : i + N_LISTED] for i in range(0, len(numbers), N_LISTED)]
        for place, chunk in enumerate(chunks, 1):
            links = "".join(f'<a href="{_list_url(tag, n)}">{n}</a> ' for n in range(1, len(chunks) + 1))
            yield _list_url(tag, place), _page(tag, _listing(chunk) + f'<nav class="pages">{links}</nav>')


def _list_url(tag: str, place: int) -> str:
    return f"{HOST}/tag/{tag}/" + (f"page/{place}/" if place > 1 else "")


def _tags(number: int) -> list[str]:
    return [_tag(number), MIXED[number % 2]]


def _title(number: int) -> str:
    words = TAGS[_tag(number)]
    return f"Story {number} about a {words[number % 3]} and a {words[(number + 1) % 3]}"


def _article(number: int) -> str:
    words = TAGS[_tag(number)]
    sentence = f"This {words[0]} has a {words[1]} and a {words[2]}, and the {words[0]} of last year had none. "
    body = "".join(f"<p>{sentence}{FILLER}{sentence}</p>" for _ in range(4))
    tags = "".join(f'<a rel="tag" href="{_list_url(tag, 1)}">{tag}</a> ' for tag in _tags(number))
    return _page(_title(number), f'<article><h1>{_title(number)}</h1>{body}<p class="tags">{tags}</p></article>')


def _feed() -> str:
    items = "".join(
        f"<item><title>News {n}</title><link>{article_url(n)}</link>"
        f"{''.join(f'<category>{tag}</category>' for tag in _tags(n))}"
        f"<description>&lt;p&gt;One more {TAGS[_tag(n)][0]}, and a {TAGS[_tag(n)][1]}.&lt;/p&gt;</description></item>"
        for n in IN_FEED
    )
    return f'<rss version="2.0"><channel><title>Example News</title>{items}</channel></rss>'


def _listing(numbers: range | list[int]) -> str:
    items = (f'<li><h2><a href="{article_url(n)}">{_title(n)}</a></h2></li>' for n in numbers)
    return f'<ul class="list">{"".join(items)}</ul>'


def _page(title: str, body: str) -> str:
    menu = f'<nav class="menu"><a href="{HOST}/">Home</a> <a href="{_list_url("archive", 1)}">Archive</a></nav>'
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}</title>"
        f'<link rel="alternate" type="application/rss+xml" href="{FEED}"></head>'
        f'<body>{menu}<div class="content">{body}</div><footer>Example News</footer></body></html>'
    )
