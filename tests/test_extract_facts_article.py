from __future__ import annotations

import json

import pytest

from newscrawl.extractors import extract, names

URL = "https://www.example.org/2024/03/05/bridge.html"
PARAGRAPHS = [f"The council met on day {n} and agreed to mend the bridge over the river at last." for n in range(6)]
HEAD = """<title>Bridge to be mended - Example</title><meta property="og:title" content="Bridge to be mended">
<meta name="author" content="Jane Smith"><meta property="article:published_time" content="2024-03-05T10:20:00+01:00">"""
BODY = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)


@pytest.mark.parametrize("method", names())
def test_the_library_gives_text_and_facts_together(method: str) -> None:
    extraction = extract(f"<html><head>{HEAD}</head><body><h1>Bridge to be mended</h1>{BODY}</body>", URL, method)
    article = extraction.article
    assert article is not None
    assert (article.url, article.pages) == (URL, (URL,))
    assert article.headline == "Bridge to be mended"
    assert [author.name for author in article.authors] == ["Jane Smith"]
    assert article.datePublished is not None
    assert article.datePublished.isoformat() == "2024-03-05T10:20:00+01:00"
    assert (article.articleBody, article.method, article.confidence) == (extraction.text, method, extraction.confidence)


def test_facts_of_a_page_that_scripts_fill_are_its_own() -> None:
    data = json.dumps({"story": {"title": "Bridge to be mended", "body": PARAGRAPHS}})
    page = f'<html><head>{HEAD}</head><body><div id="root"></div><script type="application/json">{data}</script></body>'
    article = extract(page, URL).article
    assert article is not None
    assert article.headline == "Bridge to be mended"
    assert PARAGRAPHS[0] in article.articleBody


def test_a_page_without_an_address_has_an_article_without_one() -> None:
    article = extract("<p>Text.</p>").article
    assert article is not None
    assert (article.url, article.pages) == ("", ())
