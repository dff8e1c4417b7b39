"""One page with a base address: everything that reads a reference of it reads it against that."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.links.extract import extract_links
from newscrawl.links.feed import feed_links
from newscrawl.links.next_page import continuation, earlier_page
from newscrawl.page.document import Document
from newscrawl.urls.canonical import base_address, stated_canonicals

URL = "http://news.example.org/2024/03/story_2.html"
MARKUP = """<html><head>{base}
<link rel="canonical" href="{to}story_2.html"><link rel="alternate" type="application/rss+xml" href="{to}feed.xml">
<script type="application/ld+json">{{"@type": "NewsArticle", "image": "{to}picture.jpg"}}</script>
</head><body><h1>A story</h1><p>It goes on for a while, and then over to another page of the same story.</p>
<a href="{to}story_1.html">1</a> <b>2</b> <a href="{to}story_3.html">next page</a></body>
</html>"""


def page(base: str, to: str = "") -> Document:
    """Return a page whose references begin with ``to``."""
    return Document.from_html(MARKUP.format(base=base, to=to), URL)


@pytest.mark.parametrize(
    ("markup", "base"),
    [
        ("", URL),
        ("<base href='/desk/'>", "http://news.example.org/desk/"),
        ("<base href='//cdn.example.org/x/y'>", "http://cdn.example.org/x/y"),
        ("<base target=_blank><base href='/desk/'><base href='/later/'>", "http://news.example.org/desk/"),
        ("<base href=''>", URL),
        ("<base href='http://[broken/'>", URL),
        ("<base href='mailto:desk@example.org'>", URL),
    ],
)
def test_base_address(markup: str, base: str) -> None:
    assert base_address(page(markup)) == base


def test_a_page_without_address_has_the_base_that_it_states() -> None:
    assert base_address(Document.from_html("<p>text")) is None
    assert base_address(Document.from_html("<base href='http://example.org/a/'><p>text")) == "http://example.org/a/"
    assert base_address(Document(None, url=URL)) == URL


def read(name: str, document: Document) -> Any:
    assert document.root is not None
    facts = extract_metadata(document, fetched_at=datetime(2024, 4, 1, tzinfo=UTC))
    return {
        "canonical address": facts.canonicalUrl,
        "canonical addresses of the crawl": next(stated_canonicals(document), None),
        "main image": facts.mainImage and facts.mainImage.url,
        "feed": feed_links(document.root, URL)[0],
        "next page": continuation(document).next_url,
        "earlier page": earlier_page(document),
        "links": extract_links(document)[0].url,
    }[name]


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("canonical address", "story_2.html"),
        ("canonical addresses of the crawl", "story_2.html"),
        ("main image", "picture.jpg"),
        ("feed", "feed.xml"),
        ("next page", "story_3.html"),
        ("earlier page", "story_1.html"),
        ("links", "story_1.html"),
    ],
)
def test_references_are_read_against_the_base(what: str, name: str) -> None:
    assert read(what, page("")) == f"http://news.example.org/2024/03/{name}"
    assert read(what, page("<base href='/2024/'>", "03/")) == f"http://news.example.org/2024/03/{name}"
