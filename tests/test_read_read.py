"""The one door: what a page is read as, and that every way in reads the same."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import pytest

from newscrawl.classify.blocks.classifiers import LearnedClassifier
from newscrawl.classify.blocks.classify import RuleClassifier
from newscrawl.exceptions import UserError
from newscrawl.items import PageType
from newscrawl.links.model import LinkPosition
from newscrawl.methods.base import PageExtractor
from newscrawl.methods.density import DensitySVMExtractor
from newscrawl.page.charset import EncodingDecision
from newscrawl.read.memory import pack_lines, remember_text, unpack_lines, with_remembered
from newscrawl.read.model import RawPage, Reading, Wants
from newscrawl.read.read import PageReader
from newscrawl.sites.memory import SiteMemory
from newscrawl.sites.model import site_from_url
from tests.newspages import article
from tests.reading import read

if TYPE_CHECKING:
    from newscrawl.extractors import Extraction
    from newscrawl.page.document import Document

URL = "http://news.example/2024/0301/1.html"
FETCHED = datetime(2024, 4, 1, tzinfo=UTC)
SENTENCES = [f"The river rose by {n} metres over night, and the lower bridge was closed at six." for n in range(2, 12)]


def reading_of(html: str, wants: Wants | None = None, url: str = URL) -> Reading:
    return read(html, url, fetched_at=FETCHED, site=site_from_url("http://news.example/"), wants=wants)


def test_an_article() -> None:
    reading = reading_of(article(1), Wants(blocks=True))
    assert reading.page_type is PageType.ARTICLE
    assert reading.page_type_confidence > 0.5
    found = reading.article
    assert found is not None
    assert (found.headline, found.articleBody) == ("沿海养殖业取得新进展", reading.text)
    assert found.articleBody.count("\n") == 7
    assert found.datePublished is not None
    assert (found.pages, found.method, found.site) == ((URL,), "news", "news.example")
    assert {link.url for link in reading.links} == {"http://news.example/", "http://news.example/gone.html"}
    assert all(link.position is LinkPosition.ELSEWHERE for link in reading.links)
    assert "main" in reading.labels
    assert [str(block.label) for block in reading.blocks] == list(reading.labels)


def test_a_hub_has_links_and_no_article() -> None:
    reading = reading_of(
        "<ul>" + "".join(f"<li><a href=/{n}>A headline of a story {n}</a>" for n in range(9)) + "</ul>"
    )
    assert (reading.page_type, reading.article, reading.text, len(reading.links)) == (PageType.HUB, None, "", 9)


def test_the_address_that_a_site_names_as_a_hub_is_one() -> None:
    assert reading_of(article(1), url="http://news.example/").page_type is PageType.HUB


def test_formats() -> None:
    found = reading_of(article(1), Wants(formats=("html",))).article
    assert found is not None
    assert found.articleBodyHtml is not None
    assert found.articleBodyHtml.count("<p>") == 8
    assert found.articleBodyMarkdown is None


def test_body_in_the_data_of_a_page_that_scripts_fill() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    data = json.dumps({"story": {"title": "River rises", "body": body}}).replace("</", "<\\/")
    shell = f"<title>River rises</title><body><div id=app></div><script>window.__STATE__ = {data};</script></body>"
    reading = reading_of(shell)
    assert (reading.page_type, reading.script_state) == (PageType.ARTICLE, "script_data")
    assert reading.text == "\n".join(SENTENCES)


def test_page_that_only_scripts_fill_is_no_silent_empty_article() -> None:
    reading = reading_of("<title>River rises</title><body><div id=app></div><script src=/app.js></script></body>")
    assert (reading.article, reading.script_state) == (None, "script_only")


@pytest.mark.parametrize("html", ["", "<html>", "\x00\x00", "<div>" * 20_000 + "x", "<a href='http://[x'>y</a>"])
def test_broken_pages_are_read(html: str) -> None:
    reading = reading_of(html)
    assert (reading.article, reading.failures) == (None, ())


def test_what_the_page_says_of_itself() -> None:
    head = (
        "<title>A  list</title><link rel=canonical href=/list/><meta name=robots content='noindex, nofollow'>"
        "<link rel=alternate type='application/rss+xml' href=/feed.xml>"
    )
    reading = read(f"<head>{head}</head><p>x</p>", "http://news.example/list/?page=2", headers={"X-Robots-Tag": "all"})
    assert reading.title == "A list"
    assert reading.canonical == "http://news.example/list/"
    assert reading.robots >= {"noindex", "nofollow"}
    assert reading.feeds == ("http://news.example/feed.xml",)


def test_a_reading_goes_to_other_processes() -> None:
    wants = Wants(blocks=True, contexts=True, lines=True, formats=("markdown",))
    reading = reading_of(article(1), wants)
    again = pickle.loads(pickle.dumps(reading))  # noqa: S301 (our own bytes)
    assert (again.lines[0].chosen == reading.lines[0].chosen).all()
    assert again.lines[0].keys.lines == reading.lines[0].keys.lines
    for name in ("text", "links", "contexts", "blocks", "article", "labels", "evidence"):
        assert getattr(again, name) == getattr(reading, name), name


class Stumbling(PageExtractor):
    name: ClassVar[str] = "stumbling"

    def extract(self, document: Document) -> Extraction:
        raise IndexError(f"nothing in {document.url}")


def test_a_step_that_stumbles_is_told_and_the_others_go_on() -> None:
    reader = PageReader(Wants())
    reader.method = Stumbling()
    reading = reader.read(RawPage(body=article(2), url=URL, fetched_at=FETCHED))
    assert (reading.page_type, reading.article) == (PageType.OTHER, None)
    assert reading.links
    (failure,) = reading.failures
    assert failure.step == "extract"
    assert f"nothing in {URL}" in failure.traceback


def test_a_page_that_cannot_be_decoded_is_told() -> None:
    wrong = EncodingDecision(encoding="no-such-codec", source="meta")
    reading = PageReader(Wants()).read(RawPage(body=b"<p>x", url=URL, fetched_at=FETCHED, charset=wrong))
    assert reading.article is None
    assert reading.failures[0].step == "decode"


@pytest.mark.parametrize(("name", "expected"), [("rules", RuleClassifier), ("svm", LearnedClassifier)])
def test_the_classifier_labels_the_blocks_of_methods_that_ask(name: str, expected: type) -> None:
    method = PageReader(Wants(method="density_svm", classifier=name)).method
    assert isinstance(method, DensitySVMExtractor)
    assert isinstance(method.classifier, expected)


@pytest.mark.parametrize(
    ("wants", "said"),
    [
        (Wants(method="best"), "unknown extraction method 'best'"),
        (Wants(classifier="no-such-model"), "'no-such-model'"),
        (Wants(method="density_svm", classifier="tea"), "'tea'"),
    ],
)
def test_mistakes_are_named(wants: Wants, said: str) -> None:
    with pytest.raises(UserError, match=said):
        PageReader(wants)


def test_pictures_keep_their_place_when_memory_changes_the_lines() -> None:
    notice = "<p>Follow our page, where we bring you the news of the day, from markets to sports, every morning.</p>"
    memory = SiteMemory()
    for number in range(6):
        body = "".join(f"<p>{number} {sentence}</p>" for sentence in SENTENCES)
        picture = "<figure><img src=/a.jpg width=600 height=400></figure>"
        end = f"<p>{number} That is the end of it, the mayor said today.</p>"
        page = f"<title>River {number}</title><h1>River {number}</h1><div class=t>{notice}{body}{picture}{end}</div>"
        reading = read(page, f"{URL}{number}", fetched_at=FETCHED, wants=Wants(lines=True, any_type=True))
        (lines,) = unpack_lines(pack_lines(reading.lines))
        found = remember_text((lines,), None, partial(memory.refine, "news.example"))
        refined = with_remembered(reading, found)
        memory.see("news.example", lines.seen)
    assert refined.article is not None
    assert notice[3:20] not in refined.text
    assert [image.position for image in refined.article.images] == [len(SENTENCES)]
