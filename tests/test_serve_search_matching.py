from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.serve.search.matching import SNIPPET_CHARS, matches, needs_text, score, snippet
from newscrawl.serve.search.query import parse_query


@pytest.mark.parametrize(
    ("query", "body", "expected"),
    [
        ("习近平", "近平习近", False),
        ("习近平", "会见习近平主席", True),
        ('"climate change"', "change of climate", False),
        ('"climate change"', "Climate\nchange!", True),
        ('"he art"', "the art", False),
        ("-习近平 会见", "会见习近", True),
        ("-习近平 会见", "会见习近平", False),
        ("Mate60", "华为Mate60手机", True),
        ('"华为 Mate60"', "华为Mate60手机", True),
    ],
)
def test_what_matches(query: str, body: str, expected: bool) -> None:
    assert matches(parse_query(query), "标题", ["张三"], body) is expected


def test_that_an_author_of_three_characters_is_read() -> None:
    query = parse_query("author:欧阳娜娜")
    assert needs_text(query)
    assert matches(query, None, ["欧阳娜娜"], "")
    assert not matches(query, None, ["娜娜欧阳"], "欧阳娜娜")


def test_that_headline_and_author_weigh_more_than_the_text() -> None:
    query = parse_query("手机")
    inside = score(query, "新闻", [], "手机" * 20)
    assert score(query, "手机", [], "") > score(query, "新闻", ["手机"], "") > inside > score(query, "", [], "手机") > 0


@pytest.mark.parametrize(
    ("query", "body", "expected"),
    [
        ("手机", "华为手机。", (("华为", False), ("手机", True), ("。", False))),
        ("CAFE", "Un café\nnoir", (("Un ", False), ("café", True), (" noir", False))),
        ("strasse", "die Straße", (("die ", False), ("Straße", True))),
        ("cat", "concat cat", (("concat ", False), ("cat", True))),
        ("mate", "华为Mate", (("华为", False), ("Mate", True))),
        ("zzz", "text", (("text", False),)),
        ("a", "", ()),
        ("b", "<b>", (("<", False), ("b", True), (">", False))),
    ],
)
def test_what_a_snippet_shows(query: str, body: str, expected: tuple[tuple[str, bool], ...]) -> None:
    assert snippet(parse_query(query), body) == expected


def test_that_a_snippet_is_cut_around_the_match() -> None:
    pieces = snippet(parse_query("针"), "海" * 1000 + "针" + "海" * 1000)
    assert pieces == (("…" + "海" * 40, False), ("针", True), ("海" * 119 + "…", False))


@given(st.text(st.sampled_from("手机aÉß ﷺé，\n"), max_size=400), st.sampled_from(["手机", "e", "ss", '"a e"', ""]))
def test_a_snippet_is_of_the_text(body: str, query: str) -> None:
    pieces = snippet(parse_query(query), body)
    shown = "".join(text for text, _ in pieces).strip("…")
    assert shown in body.replace("\n", " ")
    assert len(shown) <= SNIPPET_CHARS + 10
