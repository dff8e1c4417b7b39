from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from lab.evaluation.corpus import load
from newscrawl.links.next_page import Continuation, continuation, earlier_page, next_of_list
from newscrawl.page.document import Document
from newscrawl.urls.series import series_key

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://news.example.com/2024/0305/123456.html"


def next_url(body: str, url: str = URL, *, hub: bool = False) -> str | None:
    document = Document.from_html(f"<html><body>{body}</body></html>", url)
    if hub:
        return next_of_list(document)
    found = continuation(document)
    return found.whole_url or found.next_url


@pytest.mark.parametrize(
    ("url", "key", "number"),
    [
        ("http://news.example.com/a/123456.html", "news.example.com/a/123456", 1),
        ("http://news.example.com/a/123456_2.html", "news.example.com/a/123456", 2),
        ("https://www.example.com/a/123456-3.shtml#top", "example.com/a/123456", 3),
        ("http://example.com/n1/c1001-40001234-2.html", "example.com/n1/c1001-40001234", 2),
        ("http://example.com/story/2/", "example.com/story", 2),
        ("http://example.com/story/page/4", "example.com/story", 4),
        ("http://example.com/story?id=7&page=3", "example.com/story?id=7", 3),
        ("http://example.com/list/index_2.html", "example.com/list", 2),
        ("http://example.com/list/index.html", "example.com/list", 1),
        ("http://example.com/item-40001234.html", "example.com/item-40001234", 1),
        ("http://example.com/story?page=0,1", "example.com/story", 2),
        ("http://example.com/story?page=0%2C0%2C2", "example.com/story", 3),
        ("http://example.com/story?page=2,1", "example.com/story?page=2%2C1", 1),
        ("http://example.com/story?page=%C2%B2", "example.com/story?page=%C2%B2", 1),
        ("http://example.com/a?p=" + 5_000 * "9", "example.com/a?p=" + 5_000 * "9", 1),
        ("http://[broken", "http://[broken", 1),
    ],
)
def test_series_key(url: str, key: str, number: int) -> None:
    assert series_key(url) == (key, number)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<a href=123456_2.html>下一页</a>", "123456_2.html"),
        ("<a href=123456_2.html>[2]</a>", "123456_2.html"),
        ("<a href=123456_1.html>下页 &gt;&gt;</a>", "123456_1.html"),
        ("<a href='?page=2'>Next page</a>", "123456.html?page=2"),
        ("<link rel=next href=123456_2.html>", "123456_2.html"),
        ("<a href=123456_2.html title=下一页><img src=n.gif></a>", "123456_2.html"),
        ("<a href=123456_all.html>阅读全文</a><a href=123456_2.html>下一页</a>", "123456_all.html"),
        ("<a href='?page=all'>View as single page</a>", "123456.html?page=all"),
        ("<a href='?page=2'>Selanjutnya</a><a href='?single=1'>Tampilkan Semua</a>", "123456.html?single=1"),
        ("<a href='?page=2'>Trang sau</a>", "123456.html?page=2"),
        ("<a href='?start=1'>Вперёд &raquo;</a>", "123456.html?start=1"),
        ("<a href=123456_2.html>点击进入下一页</a>", "123456_2.html"),
        ("<a href=123456_2.html>Go on to the next page</a>", "123456_2.html"),
        ("<a href='?page=2'>Halaman 2</a>", "123456.html?page=2"),
        ("<a href='?page=2'>次のページへ</a>", "123456.html?page=2"),
        ("<a href='?page=2'>次ページ：新しい橋の費用</a>", "123456.html?page=2"),
        ("<a href='?sayfa=2'>Sonraki sayfa</a>", "123456.html?sayfa=2"),
        ("<a href='?strona=2'>następna strona</a>", "123456.html?strona=2"),
        ("<a href=123456/seite-2>Auf Seite 2: Wer zahlt</a>", "123456/seite-2"),
        ("<a href=123456/seite-3>Auf Seite 3: Wer zahlt</a>", None),
        ("<a href=123457.html>次ページ：新しい橋の費用</a>", None),
        ("<script>createPageHTML(3, 0, '123456', 'html');</script>", "123456_1.html"),
        ("<script>createPageHTML('pages', 3, 1, '123456', 'html', 20);</script>", "123456_2.html"),
        ("<base href='http://[x/'><a href=123456_2.html>下一页</a>", "123456_2.html"),
        ("<a href=123457.html>下一篇</a>", None),
        ("<a href=123457.html>下一页</a>", None),
        ("<link rel=next href=123457.html>", None),
        ("<a href=123457.html>阅读全文</a>", None),
        ("<a href=http://other.example.org/123456_2.html>下一页</a>", None),
        ("<a href=123456_3.html>下一页</a>", None),
        ("<a href=123456_2.html>2024-03-04 新闻</a>", None),
        ("<a href=123456_2.html rel=next>长春:七十八个老旧小区的改造</a>", None),
        ("<a href=123456_2.html rel=next>What the new bridge means</a>", None),
        ("<link rel=next href=123456_2.html title='What the new bridge means'>", None),
        ("<a href=123456_2.html rel=next>Next: what the new bridge means</a>", "123456_2.html"),
        ("<a href=123456_2.html rel=next>2. What the new bridge means</a>", "123456_2.html"),
        ("<a href=123456_2.html>Page 2</a>", "123456_2.html"),
        ("<a href=123456_2.html>第2页</a>", "123456_2.html"),
        ("<a href='javascript:next()'>下一页</a>", None),
        ("<a href=123456_2.html>»</a>", None),
        ("", None),
    ],
)
def test_next_page_of_an_article(body: str, expected: str | None) -> None:
    assert next_url(body) == (urljoin(URL, expected) if expected else None)


def test_later_pages_count_on() -> None:
    second = URL.replace(".html", "_2.html")
    links = "<a href=123456.html>上一页</a><a href=123456.html>1</a><a href=123456_3.html>3</a>"
    assert next_url(links, second) == URL.replace(".html", "_3.html")
    assert earlier_page(Document.from_html(links, second)) == URL
    assert earlier_page(Document.from_html("<a href=999.html>上一页</a>", second)) is None
    assert earlier_page(Document.from_html(links, URL)) is None


def test_a_number_of_the_articles_own_counts_no_pages() -> None:
    url = "http://example.com/top-10/"
    assert next_url("<a href=/top-10/2/>2</a>", url) == "http://example.com/top-10/2/"
    assert next_url("<a href=/top-11/>Next</a>", url) == "http://example.com/top-11/"  # it may be page 11 of "top"
    assert earlier_page(Document.from_html("<a href=/top-10/>1</a>", "http://example.com/top-10/2/")) == url


def test_the_headline_of_an_earlier_article_leads_to_no_page() -> None:
    document = Document.from_html("<a href=/archive/4>Was die neue Brücke bedeutet</a>", "http://example.com/archive/5")
    assert earlier_page(document) is None


def test_last_page_has_no_next() -> None:
    last = URL.replace(".html", "_3.html")
    assert (
        next_url("<a href=123456.html>1</a><a href=123456_2.html>2</a><a href=123456_4.html>下一篇</a>", last) is None
    )


def test_hub_pages_may_lead_anywhere_on_the_host() -> None:
    hub = "http://news.example.com/list/"
    assert next_url("<a href=/list/p2>Next</a>", hub, hub=True) == "http://news.example.com/list/p2"
    assert next_url("<a href=http://other.example.org/list/p2>Next</a>", hub, hub=True) is None
    assert next_url("<a href=/a/1.html>阅读全文</a>", hub, hub=True) is None


@pytest.mark.shared
def test_next_page_of_labelled_lists(shared: Path) -> None:
    """Labels leave out some of the pages' own rel=next, so precision is bounded from below only."""
    right = named = labelled = 0
    for page in load(shared / "corpus", ["autopager"]):
        document = Document.from_html(page.read(), page.url)
        css = page.extra.get("pagination_css", {}).get("next")
        assert document.root is not None
        links = document.root.cssselect(css) if css else []
        wanted = {urljoin(page.url or "", link.get("href")).partition("#")[0] for link in links if link.get("href")}
        found = next_of_list(document)
        right += found in wanted
        named += found is not None
        labelled += bool(wanted)
    assert right / labelled >= 0.8
    assert right / named >= 0.75


SLIDES = (
    ("/photos/70.html", "/photos/70_2.html", "下一张"),
    ("/photos/70_2.html", "/photos/70_3.html", "下一张"),
    ("/en/desh/story-122072.html", "/en/desh/story-122072/slide-2.html", "Next"),
    ("/photos/7006/", "/photos/7006/slide-2.html", "Next photo"),
    ("/gallery/storm?photo=2", "/gallery/storm?photo=3", "Next picture"),
    ("/fotos/feria-2024.html", "/fotos/feria-2024.html?foto=2", "Siguiente foto"),
    ("/bilder/unwetter-a-123.html", "/bilder/unwetter-a-123-2.html", "Nächstes Bild"),
    ("/diaporama/salon-456/", "/diaporama/salon-456/photo-2", "Photo suivante"),
    ("/pic/2024/t123.htm", "/pic/2024/t123_2.htm", "下一图"),
    ("/foto/12345/", "/foto/12345/2/", "Sonraki fotoğraf"),
    ("/photo/a12/", "/photo/a12/?slide=2", "次の写真"),
    ("/photoreport/77", "/photoreport/77/2", "Следующее фото"),
)


@pytest.mark.parametrize(("url", "following", "label"), SLIDES)
def test_slides_of_a_photo_story_are_its_pages(url: str, following: str, label: str) -> None:
    link = f'<a class="slide-next" href="{following}">{label}</a>'
    assert _slide(url, link, "").next_url == f"https://n.example{following}"


@pytest.mark.parametrize(("url", "following", "label"), SLIDES)
@pytest.mark.parametrize("named", ["→", "Onward", "Vidare till bild", "&gt;"])
def test_a_page_that_counts_itself_leads_on_by_any_name(url: str, following: str, label: str, named: str) -> None:
    del label
    number = 1 if "_2" not in url and "=2" not in url else 2
    link = f'<a href="{following}">{named}</a>'
    assert _slide(url, link, f"<p>{number}/4</p>").next_url == f"https://n.example{following}"
    for counter in ("", f"<p>{number + 1}/4</p>", f"<p>{number}/{number}</p>", f"<p>{number}/4/2024</p>"):
        assert _slide(url, link, counter).next_url is None


def _slide(url: str, link: str, counter: str) -> Continuation:
    head = "<html><body><h1>A storm over the town</h1><figure><img src=/a.jpg><b>Trees fell.</b></figure>"
    return continuation(Document.from_html(f"{head}{counter}{link}</body></html>", url=f"https://n.example{url}"))
