"""Layout similarity on pages of one hand-made template."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.methods.layout import CleanPage, LayoutExtractor, refine_rows, subtract
from newscrawl.page import Document, visible_text
from tests.page_strategies import PAGES

MENU = "<ul class=nav><li><a href=/>Home page of the site</a></li><li><a href=/c>Contact the editors</a></li></ul>"
FOOT = "<div class=foot>Copyright of the site, all rights reserved.</div>"


def page(text: str, url: str = "http://a.cn/news/1.html") -> Document:
    return Document.from_html(f"<body>{MENU}<div class=text>{text}</div>{FOOT}</body>", url)


def hashes(html: str) -> list[int]:
    return CleanPage(Document.from_html(html)).hashes


def plain(**constants: object) -> LayoutExtractor:
    return LayoutExtractor(max_link_share=1.0, min_plain_chars=0, **constants)  # type: ignore[arg-type]


def test_what_the_reference_has_too_goes_out() -> None:
    extractor = LayoutExtractor()
    extractor.observe(page("<p>Another article of the same template.</p>", "http://a.cn/news/2.html"))
    answer = extractor.extract(page("<p>First paragraph of the text.</p><p>Second paragraph of it.</p>"))
    assert answer.text == "First paragraph of the text.\nSecond paragraph of it."
    assert answer.evidence == ("reference: http://a.cn/news/2.html",)


def test_a_page_is_no_reference_of_itself() -> None:
    extractor = plain()
    extractor.observe(page("<p>The text.</p>"))
    answer = extractor.extract(page("<p>The text.</p>"))
    assert "The text." in answer.text
    assert answer.evidence == ("no reference page",)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("<p class=a id=b>x</p>", "<p id=b class=a>x</p>", True),  # attributes are sorted
        ("<p>x  y</p>", "<p>x\ny</p>", True),  # white space is folded
        ("<p>x<!-- c --><img src=i></p>", "<p>x<script>1</script></p>", True),  # cleaned out, empty nodes too
        ("<p>x<span hidden>y</span></p>", "<p>x</p>", True),
        ("<p>x<button>y</button></p>", "<p>x</p>", True),
        ("<p>x</p>", "<p>y</p>", False),
        ("<p>x</p>", "<div>x</div>", False),
        ("<p class=a>x</p>", "<p class=b>x</p>", False),
        ("<p><b>x</b>y</p>", "<p>x<b>y</b></p>", False),
        ("<p><b>x</b><i>y</i></p>", "<p><i>y</i><b>x</b></p>", False),
    ],
)
def test_node_hashes(one: str, other: str, *, equal: bool) -> None:
    pages = [hashes(f"<body>{markup}</body>") for markup in (one, other)]
    assert (pages[0][0] == pages[1][0]) is equal


def test_subtraction_by_hand() -> None:
    """The reference has <p>a</p> twice and <div><p>b</p></div> once.

    Target: p a and p a go out (2 of 2), the third stays (0 left). The div goes out with its p; the p b after it stays,
    as the count of the only p b was taken off with the div.
    """
    reference = CleanPage(Document.from_html("<body><p>a</p><div><p>b</p></div><p>a</p></body>"))
    target = Document.from_html("<body><p>a</p><p>a</p><p>a</p><div><p>b</p></div><p>b</p></body>")
    shared = subtract(CleanPage(target), reference.counts())
    assert [visible_text(target.measures, row, int(target.measures.end[row])) for row in shared] == ["a", "a", "b"]
    assert [target.measures.tags[row] for row in shared] == ["p", "p", "div"]


@given(PAGES)
@settings(deadline=None)
def test_a_page_subtracted_from_itself_leaves_only_the_bodys_own_text(html: str) -> None:
    clean = CleanPage(Document.from_html(html))
    if not clean.hashes or not clean.kept[0]:
        return
    extractor = plain()
    rows = extractor.text_rows(clean, subtract(clean, clean.counts()))
    assert all(clean.measures.parent[row] == 0 for row in rows)


@given(st.lists(st.sampled_from("abcde"), max_size=12), st.lists(st.sampled_from("abcde"), max_size=12))
@settings(deadline=None)
def test_a_paragraph_comes_out_as_often_as_the_page_has_it_more_than_the_reference(
    target: list[str], reference: list[str]
) -> None:
    def paragraphs(texts: list[str], url: str) -> Document:
        return Document.from_html("<body>" + "".join(f"<p>{text}</p>" for text in [*texts, url]) + "</body>", url)

    extractor = plain()
    extractor.observe(paragraphs(reference, "http://a.cn/1"))
    found = Counter(extractor.extract(paragraphs(target, "http://a.cn/2")).text.split())
    found.pop("http://a.cn/2")
    assert found == Counter(target) - Counter(reference)


LINK = "<a href=x>twenty characters xxx</a>"


def test_rule_1_takes_links_over_the_text_of_their_parent() -> None:
    """A link of 19 characters: with 44 others its share is 0.302, with 45 it is 0.297."""
    link = f"<a href=x>{'l' * 19}</a>"
    for others, stays in ((44, False), (45, True)):
        text = "t" * others
        answer = LayoutExtractor(min_plain_chars=0).extract(Document.from_html(f"<body><p>{text}{link}</p></body>"))
        assert bool(answer.text) is stays, others


def test_rule_1_leaves_a_container_whose_lists_are_links() -> None:
    html = f"<body><div><p>{'text of the page ' * 3}</p><ul><li>{LINK}</li><li>{LINK}</li></ul></div></body>"
    document = Document.from_html(html)
    assert LayoutExtractor().extract(document).text == ("text of the page " * 3).strip()
    assert LayoutExtractor(nested_links=True).extract(document).text == ""


def test_rule_2_drops_links_with_little_between_them() -> None:
    off = LayoutExtractor(max_link_share=1.0)
    for between, stays in (("123456789", False), ("1234567890", True)):
        html = f"<body><div><a href=x>one</a>{between}<a href=y>two</a></div><div>{'z' * 50}</div></body>"
        assert (between in off.extract(Document.from_html(html)).text) is stays


def test_inline_elements_are_not_judged_by_themselves() -> None:
    html = f"<body><p>{'text ' * 30}<span><a href=x>link</a></span></p></body>"
    assert LayoutExtractor().extract(Document.from_html(html)).text.endswith("link")


def test_forms_and_hidden_text_are_cleaned_out() -> None:
    html = f"<body><form><p>{'a form ' * 9}</p></form><p hidden>{'hidden ' * 9}</p><p>{'text ' * 9}</p></body>"
    assert LayoutExtractor().extract(Document.from_html(html)).text == ("text " * 9).strip()


def test_refinement_keeps_what_stands_between_rises_and_falls() -> None:
    html = f"<body><p>lone line</p>{'<div>' * 8}{'</div>' * 8}" + f"<p>{'long text ' * 9}</p>" * 3 + "</body>"
    assert "lone line" in LayoutExtractor().extract(Document.from_html(html)).text
    answer = LayoutExtractor(refine=True).extract(Document.from_html(html))
    assert answer.text.splitlines() == [("long text " * 9).strip()] * 3
    assert refine_rows(Document.from_html(html).measures, []) == []


def test_clusters_choose_the_reference_by_option() -> None:
    gallery = Document.from_html(
        f"<body>{MENU}<table><tr><td>picture</td></tr></table></body>", "http://a.cn/news/9.html"
    )
    extractor = LayoutExtractor(use_clusters=True)
    extractor.observe(page("<p>An article elsewhere.</p>", "http://a.cn/other/2.html"))
    extractor.observe(gallery)
    assert extractor.extract(page("<p>Text of the article.</p>")).evidence == ("reference: http://a.cn/other/2.html",)
    by_address = LayoutExtractor()
    by_address.observe(page("<p>An article elsewhere.</p>", "http://a.cn/other/2.html"))
    by_address.observe(gallery)
    assert by_address.extract(page("<p>Text of it.</p>")).evidence == ("reference: http://a.cn/news/9.html",)


def test_the_tree_stays_as_it_is() -> None:
    document = page("<p>Text of the article.</p>")
    before = visible_text(Document(document.root).measures)
    extractor = LayoutExtractor()
    extractor.observe(page("<p>Another.</p>", "http://a.cn/news/2.html"))
    extractor.extract(document)
    assert visible_text(Document(document.root).measures) == before


def test_time_is_linear_in_the_size_of_the_page() -> None:
    """Four times the page in at most eight times the time: quadratic work would take sixteen."""

    def seconds(n: int) -> float:
        items = "".join(f"<div class=c{k % 7}><p>text {k}</p><p><a href={k}>link</a></p></div>" for k in range(n))
        documents = [Document.from_html(f"<body>{items}{tail}</body>", f"http://a.cn/{tail}") for tail in "xy"]
        for document in documents:
            assert len(document.measures) > n
        best = 1e9
        for _ in range(3):
            extractor = LayoutExtractor()
            start = time.process_time()
            extractor.observe(documents[0])
            extractor.extract(documents[1])
            best = min(best, time.process_time() - start)
        return best

    assert seconds(4000) < 8 * seconds(1000)


@pytest.mark.parametrize("html", ["", "<body></body>", "<p hidden>x", "<form>x</form>"])
def test_a_page_without_text(html: str) -> None:
    extractor = LayoutExtractor()
    document = Document.from_html(html, "http://a.cn/1")
    extractor.observe(document)
    assert extractor.extract(document).text in {"", "x"}
