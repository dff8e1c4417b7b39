from __future__ import annotations

import pytest
from hypothesis import given

from newscrawl.classify.blocks.classifiers import NewsClassifier
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.model import judge_lines
from newscrawl.links.extract import extract_links
from newscrawl.links.model import Link, LinkPosition
from newscrawl.page.document import Document
from tests.page_strategies import PAGES

URL = "http://example.org/news/1.html"
SENTENCE = "The river rose by two metres over night, and the lower bridge was closed at six. "


def links(html: str, url: str | None = URL) -> tuple[Link, ...]:
    document = Document.from_html(html, url)
    blocks = NewsClassifier().classify(crawl_blocks(document), document)
    return extract_links(document, blocks, document.once(judge_lines))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href='2.html'>two</a>", [("http://example.org/news/2.html", "two")]),
        ("<base href='http://other.org/x/'><a href='2.html'>two</a>", [("http://other.org/x/2.html", "two")]),
        ("<base href='/x/'><a href='2.html'>two</a>", [("http://example.org/x/2.html", "two")]),
        ("<a href=/a><b>in</b> bold</a>", [("http://example.org/a", "in bold")]),
        ("<a href=/a title='from title'><img src=x></a>", [("http://example.org/a", "from title")]),
        ("<a href=/a><img src=x alt='from image'></a>", [("http://example.org/a", "from image")]),
        ("<map><area href=/a alt='a region'></map>", [("http://example.org/a", "a region")]),
        ("<marquee><a href=/a>news</a></marquee>", [("http://example.org/a", "news")]),
        ("<noscript><a href=/a>older</a></noscript>", [("http://example.org/a", "older")]),
        (
            "<noscript><a href=/a>a</a><noscript><a href=/b>b</a></noscript></noscript>",
            [("http://example.org/a", "a"), ("http://example.org/b", "b")],
        ),
        ("<a href=/a></a><a href='/a#part'>twice</a>", [("http://example.org/a", "twice")]),
        ("<a href='#top'>top</a><a>none</a><a href=''>self</a>", []),
        ("<div id=p7><a href='?post=7#p7'>¶</a></div>", []),
        ("<div id=p2><a href='?page=2#top'>2</a></div>", [(f"{URL}?page=2", "2")]),
        ("<div id=p7><a href='/topic?post=7#p7'>¶</a></div>", [("http://example.org/topic?post=7", "¶")]),
        ("<a href='?post=7#p7'>last</a><div id=p7></div>", [(f"{URL}?post=7", "last")]),
        ("<a href='javascript:x()'>js</a><a href='mailto:a@b.org'>mail</a><a href='http://[x'>bad</a>", []),
        ("<!-- <a href=/a>a</a> --><script>'<a href=/b>'</script>", []),
        ("", []),
    ],
)
def test_addresses_and_anchor_texts(html: str, expected: list[tuple[str, str]]) -> None:
    assert [(link.url, link.anchor) for link in links(html)] == expected


def test_links_of_elements_that_stand_in_one_another_are_read_once() -> None:
    [link] = links("<noscript>" * 100 + "<a href=/a>a</a>")
    assert link.again == ()  # no second place


def test_an_address_is_nofollow_only_if_all_its_links_are() -> None:
    found = links("<a rel='nofollow' href=/a>a</a><a href=/a>a</a><a rel='ugc NOFOLLOW' href=/b>b</a>")
    assert {link.url[-1]: link.nofollow for link in found} == {"a": False, "b": True}


def test_the_best_position_wins() -> None:
    html = f"""<title>t</title><body><ul><li><a href=/a>Section</a><li><a href=/n>News</a></ul>
    <div><p>{SENTENCE} <a href=/a>See there</a>, he said. {SENTENCE}</p><p>{SENTENCE}</p></div></body>"""
    found = {link.url.rpartition("/")[2]: link for link in links(html)}
    assert found["a"].position is LinkPosition.IN_BODY
    assert found["a"].anchor == "See there"
    assert found["a"].block >= 0
    assert found["n"].position is LinkPosition.ELSEWHERE


def test_without_an_address_only_absolute_links_are_known() -> None:
    found = links("<a href=/a>a</a><a href='https://example.org/b'>b</a>", url=None)
    assert [link.url for link in found] == ["https://example.org/b"]


def test_without_blocks_every_link_is_elsewhere() -> None:
    (link,) = extract_links(Document.from_html("<p><a href=/a>a</a></p>", URL))
    assert (link.position, link.block) == (LinkPosition.ELSEWHERE, -1)


@given(PAGES)
def test_links_are_unique_and_inside_known_blocks(html: str) -> None:
    document = Document.from_html(html, URL)
    blocks = NewsClassifier().classify(crawl_blocks(document), document)
    found = extract_links(document, blocks, document.once(judge_lines))
    assert len({link.url for link in found}) == len(found)
    assert {link.block for link in found} <= {-1, *(block.index for block in blocks)}


COLUMN = "http://example.org/col/col12"
HUB = f"{COLUMN}/index.html"
STORE = """<script type="text/xml"><datastore><recordset><record><![CDATA[<li><a href='/art/2024/3/5/art_12_77.html'
 class=x title='A new bridge'>A new…</a></li>]]></record></recordset></datastore></script>"""
DATA = """<script type="application/json">{"items": [{"url": "/2024/03/05/a-new-bridge/", "api": "/2024/03/05/x-y-z"},
 {"url": "/static/app"}, {"link": "http://other.org/news/1234567.html"}]}</script>"""
OLD_PAGER = """<script>var currentPage = 0;//from 0
 var prevPage = currentPage-1; var nextPage = currentPage+1; var countPage = 3//pages
 document.write("<a href=\\"index"+"_" + nextPage + "."+"htm\\">next</a>");</script>"""
JOINED = """<script>e.innerHTML = '<a href="' + url + '">' + `<a href="${url}">` + '<a href="/{{id}}">'</script>"""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (STORE, [("http://example.org/art/2024/3/5/art_12_77.html", "A new…")]),
        (
            r"""<script>document.write("<a class=\"t\" href=\"/a\/77.html\"><b>bold</b></a>")</script>""",
            [("http://example.org/a/77.html", "")],
        ),
        (
            r"""<script>var x = "\u003ca href=\"\/77.html\"\u003eseven\u003c/a\u003e"</script>""",
            [("http://example.org/77.html", "seven")],
        ),
        (DATA, [("http://example.org/2024/03/05/a-new-bridge/", ""), ("http://other.org/news/1234567.html", "")]),
        ("<div><![CDATA[<a href='/list?page=2&amp;n=9'>]]></div>", [("http://example.org/list?page=2&n=9", "")]),
        ("<script>createPageHTML(9, 0, 'index', 'html');</script>", [(f"{COLUMN}/index_1.html", "")]),
        ("<script>createPageHTML(9, 8, 'index', 'html');</script>", []),
        ("<script>createPageHTML('pages', 9, 8, 'list', 'shtml', 88)</script>", [(f"{COLUMN}/list_9.shtml", "")]),
        ("<script>createPageHTML('pages', 9, 9, 'list', 'shtml', 88)</script>", []),
        (OLD_PAGER, [(f"{COLUMN}/index_1.htm", "")]),
        (OLD_PAGER.replace("countPage = 3", "countPage = 1"), []),
        (JOINED, []),
        ("<script>'<a href=\"#top\">' + '<a href=\"javascript:x()\">'</script>", []),
        ("<a href=/a>shown</a><script>'<a href=\"/a\">again</a>'</script>", [("http://example.org/a", "shown")]),
        ("<div onclick=\"location.href='/n/7'\"><h3>A card</h3></div>", [("http://example.org/n/7", "A card")]),
        ("<a href='javascript:;' onclick=\"window.open('./a/t7.html')\">A</a>", [(f"{COLUMN}/a/t7.html", "A")]),
        ("<a href=\"javascript:openNews('/n/7.html')\">A</a>", [("http://example.org/n/7.html", "A")]),
        ("<li data-href=/2024/03/05/a-new-bridge/>A</li>", [("http://example.org/2024/03/05/a-new-bridge/", "A")]),
        ("<li data-url=/api/x>A</li><b onclick='go()'>B</b><i onclick=\"track('a')\">C</i>", []),
        ("<iframe src=/latest title=New></iframe><iframe src=//ads.net/x>", [("http://example.org/latest", "New")]),
    ],
    ids=["data store", "written", "escaped", "data", "character data", "pager", "last page",
         "pager from 1", "last page from 1", "old pager", "only page", "put together", "no address", "shown too",
         "card", "opened", "called", "stated", "no way", "frame"],
)  # fmt: skip
def test_links_of_lists_in_scripts(html: str, expected: list[tuple[str, str]]) -> None:
    assert [(link.url, link.anchor) for link in links(html, HUB)] == expected
    assert not [link for link in links(html) if link.anchor != "shown"]  # an article's scripts are not read
