from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.evaluation.corpus import CorpusPage, Gold
from lab.evaluation.leniency import expect


def make_page(name: str, text: str, *, title: str | None = None, extra: dict[str, Any] | None = None) -> CorpusPage:
    return CorpusPage(id="1", set=name, path=Path("unused"), gold=Gold(text=text, title=title), extra=extra or {})


def test_the_headline_goes_from_both_sides() -> None:
    page = make_page("l3s", "First paragraph.", title="A headline of words")
    expected = expect(page, b"")
    assert expected.text == "First paragraph."
    assert expected.comparable("A Headline of Words\nFirst paragraph.") == "First paragraph."
    assert expected.comparable("A headline of words first paragraph.") == "first paragraph"


def test_h1_and_title_are_headlines_where_a_line_equals_them() -> None:
    page = make_page("dragnet", "Storm hits the coast\nIt rained.")
    markup = b"<title>Storm hits the coast - Daily Paper</title><h1>Storm <b>hits the</b> coast</h1>"
    assert expect(page, markup).text == "It rained."
    # A line that only begins with a part of the title is text.
    assert expect(page, markup).comparable("Storm hits the coast again.") == "Storm hits the coast again."


def test_a_headline_far_down_is_text() -> None:
    lines = "\n".join(f"Line {n}." for n in range(6))
    page = make_page("l3s", "x", title="A headline of words")
    assert expect(page, b"").comparable(f"{lines}\nA headline of words").endswith("A headline of words")


def test_daniel_begins_with_the_headline_and_datelines_do_not_count() -> None:
    page = make_page("daniel", "标题在此\n2012-01-13 10:20 来源：新华网\n正文第一段，2012年1月13日开始。")
    expected = expect(page, b"")
    assert expected.text == "正文第一段，2012年1月13日开始。"
    assert expected.comparable("标题在此\n正文第一段。\n我要评论（0）") == "正文第一段。"


@pytest.mark.parametrize("line", ["责任编辑：王某", "（责任编辑：王某）", "本文来源：某报 ", "来源:某网"])
def test_credits_of_gne_pages(line: str) -> None:
    page = make_page("gne", "正文。")
    assert expect(page, b"").comparable(f"正文。\n{line}").strip() == "正文。"


def test_other_sets_keep_credits() -> None:
    assert "责任编辑" in expect(make_page("zhwced", "正文。"), b"").comparable("正文。\n责任编辑：王某")


def test_supplemental_blocks_of_l3s_are_neutral() -> None:
    page = make_page("l3s", "Body.", extra={"blocks": [["supplemental", "A caption."], ["fulltext", "Body."]]})
    assert expect(page, b"").neutral == ("A caption.",)
    assert expect(make_page("gne", "x", extra={"blocks": [["supplemental", "A caption."]]}), b"").neutral == ()


def test_markup_left_in_gold() -> None:
    assert expect(make_page("cleanportal", "Head\nit&rsquo;s"), b"").text == "it’s"
    assert expect(make_page("webmain", "see [this page](http://x.org/a_b)"), b"").text == "see this page"


def test_the_collectors_line_before_a_cleaneval_page_is_no_text() -> None:
    page = make_page("cleaneval", "Body text here.")
    markup = b'<text id="http://x.org/" title="Body text here." encoding="unset"><html><body><p>Body text here.</p>'
    assert expect(page, markup).text == "Body text here."


@pytest.mark.parametrize("markup", [b"", b"\x00\x00", b"<", b"<title></title>", b"\xff\xfe<h1>"])
def test_any_markup_will_do(markup: bytes) -> None:
    assert expect(make_page("dragnet", "Body text here."), markup).text == "Body text here."


def test_no_gold_text() -> None:
    page = CorpusPage(id="1", set="daniel", path=Path("unused"))
    assert expect(page, b"<title>x</title>").text == ""
