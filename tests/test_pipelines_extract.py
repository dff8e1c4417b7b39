from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from scrapy import Spider
from scrapy.exceptions import NotConfigured
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from newscrawl import default_settings
from newscrawl.dom.document import Document
from newscrawl.exceptions import UserError
from newscrawl.items import Page, PageType
from newscrawl.links.model import LinkPosition
from newscrawl.methods.base import PageExtractor
from newscrawl.pipelines.classify import ClassifyPipeline
from newscrawl.pipelines.extract import ExtractPipeline
from newscrawl.pipelines.segment import SegmentPipeline
from newscrawl.storage.records import page_record
from tests.newspages import article

if TYPE_CHECKING:
    from newscrawl.extractors import Extraction

SETTINGS = {name: value for name, value in vars(default_settings).items() if name.startswith("NEWSCRAWL_")}
FETCHED = datetime(2024, 4, 1, tzinfo=UTC)


def page(html: str, url: str = "http://news.example/2024/0301/1.html") -> Page:
    made = Page(url=url, requested_url=url, fetched_at=FETCHED, site="example")
    made.document = Document.from_html(html, url)
    return made


def run(item: Any, **settings: object) -> tuple[Any, dict[str, Any]]:
    crawler = get_crawler(Spider, {**SETTINGS, **settings})
    for pipeline in (SegmentPipeline, ClassifyPipeline, ExtractPipeline):
        component: Any = build_from_crawler(pipeline, crawler)
        item = component.process_item(item)
    assert crawler.stats is not None
    return item, crawler.stats.get_stats()


def test_an_article_is_made_of_a_page() -> None:
    done, stats = run(page(article(1)))
    assert done.page_type is PageType.ARTICLE
    assert done.page_type_confidence > 0.5
    assert done.article.headline == "沿海养殖业取得新进展"
    assert done.article.articleBody.count("\n") == 7
    assert done.article.datePublished is not None
    assert done.article.pages == (done.url,)
    assert (done.article.method, done.article.site) == ("news", "example")
    assert {link.url for link in done.links} == {"http://news.example/", "http://news.example/gone.html"}
    assert all(link.position is LinkPosition.ELSEWHERE for link in done.links)
    assert stats["newscrawl/segment/pages"] == 1
    assert stats["newscrawl/segment/blocks"] == len(done.blocks)
    assert stats["newscrawl/classify/main"] >= 1
    assert stats["newscrawl/extract/article"] == 1
    assert stats["newscrawl/extract/links"] == 2


def test_an_article_has_the_formats_that_the_setting_names() -> None:
    done, _ = run(page(article(1)), NEWSCRAWL_BODY_FORMATS="html")
    assert done.article.articleBodyHtml.count("<p>") == 8
    assert done.article.articleBodyMarkdown is None


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UserError, match="unknown format 'pdf'"):
        run(page(article(1)), NEWSCRAWL_BODY_FORMATS="pdf")


def test_a_hub_has_links_and_no_article() -> None:
    done, stats = run(
        page("<ul>" + "".join(f"<li><a href=/{n}>A headline of a story {n}</a>" for n in range(9)) + "</ul>")
    )
    assert (done.page_type, done.article, len(done.links)) == (PageType.HUB, None, 9)
    assert stats["newscrawl/extract/hub"] == 1


SENTENCES = [f"The river rose by {n} metres over night, and the lower bridge was closed at six." for n in range(2, 12)]


def test_body_in_the_data_of_a_page_that_scripts_fill() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    data = json.dumps({"story": {"title": "River rises", "body": body}}).replace("</", "<\\/")
    shell = f"<title>River rises</title><body><div id=app></div><script>window.__STATE__ = {data};</script></body>"
    done, stats = run(page(shell))
    assert done.page_type is PageType.ARTICLE
    assert done.article.articleBody == "\n".join(SENTENCES)
    assert stats["newscrawl/extract/script_data"] == 1


def test_page_that_only_scripts_fill_is_no_silent_empty_article() -> None:
    shell = "<title>River rises</title><body><div id=app></div><script src=/app.js></script></body>"
    done, stats = run(page(shell))
    assert done.article is None
    assert page_record(done).reason == "script_only"
    assert stats["newscrawl/extract/script_only"] == 1


@pytest.mark.parametrize("html", ["", "<html>", "\x00\x00", "<div>" * 20_000 + "x", "<a href='http://[x'>y</a>"])
def test_broken_pages_pass(html: str) -> None:
    done, stats = run(page(html))
    assert done.page_type is not None
    assert done.article is None
    assert "newscrawl/rejected/broken" not in stats


def test_other_items_pass_untouched() -> None:
    item = {"any": "item"}
    assert run(item)[0] is item


def test_a_page_without_a_document_passes_untouched() -> None:
    bare = Page(url="http://news.example/", requested_url="http://news.example/", fetched_at=FETCHED)
    assert run(bare)[0].page_type is None


class Stumbling(PageExtractor):
    name: ClassVar[str] = "stumbling"

    def extract(self, document: Document) -> Extraction:
        raise IndexError(f"nothing in {document.url}")


def test_a_page_our_code_stumbles_over_is_counted_logged_and_kept(caplog: pytest.LogCaptureFixture) -> None:
    crawler = get_crawler(Spider, SETTINGS)
    item = page(article(2))
    with caplog.at_level(logging.ERROR):
        done = ExtractPipeline(Stumbling(), crawler).process_item(item)
    assert done is item
    assert (done.page_type, done.article) == (PageType.OTHER, None)
    assert done.links
    assert crawler.stats is not None
    assert crawler.stats.get_value("newscrawl/rejected/broken") == 1
    assert item.url in caplog.text


def test_pipelines_can_be_turned_off() -> None:
    for pipeline, setting in (
        (SegmentPipeline, "NEWSCRAWL_SEGMENT_ENABLED"),
        (ClassifyPipeline, "NEWSCRAWL_CLASSIFY_ENABLED"),
    ):
        with pytest.raises(NotConfigured, match=setting):
            build_from_crawler(pipeline, get_crawler(Spider, {**SETTINGS, setting: False}))


def test_an_unknown_extractor_is_refused() -> None:
    with pytest.raises(UserError, match="unknown extraction method 'best'"):
        run(page(""), NEWSCRAWL_EXTRACTOR="best")
