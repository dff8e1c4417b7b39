from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.languages.characters import CURRENCY, PAUSE, STOP, UNMARKED, WIDE, character_classes, codes_of
from newscrawl.languages.text import fold_width, visible_text
from newscrawl.page.document import Document
from newscrawl.page.lines import lines
from tests.page_strategies import PAGES


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>one<br>two</p>", ["one", "two"]),
        ("<p>o<b>n</b>e <i>two</i></p>", ["one two"]),
        ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
        ("<p>one\n   line</p>", ["one line"]),
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<table><tr><td>a</td><td>b</td></tr></table>", ["a", "b"]),
        ("<p>a li&shy;bra&#173;ry <b>o\u00adpens</b></p><p>&shy;</p>", ["a library opens"]),
    ],
)
def test_lines_end_at_block_level_tags(html: str, expected: list[str]) -> None:
    assert visible_text(Document.from_html(html).measures).splitlines() == expected


@given(PAGES)
def test_lines_as_columns_are_the_visible_text(html: str) -> None:
    measures = Document.from_html(html).measures
    columns = lines(measures)
    assert columns.texts(range(len(columns))) == visible_text(measures).split("\n") or not len(columns)
    assert columns.chars.sum() == (measures.chars[0] if len(measures) else 0)
    assert columns.link_chars.sum() == (measures.link_chars[0] if len(measures) else 0)


@pytest.mark.parametrize(
    ("text", "flag", "count"),
    [
        ("三点。两点！吗？", STOP, 3),
        ("One. Two? 3.5 end.", STOP, 3),
        ('He said "no." Then www.example.org', STOP, 1),
        ("هل؟ نعم۔", STOP, 2),
        ("यह है।", STOP, 1),
        ("一，二、三；", PAUSE, 3),
        ("สวัสดี", UNMARKED, 6),
        ("汉字かなカナ한글ab", WIDE, 8),
        ("€ 5, ￥7, 3$", CURRENCY, 3),
        ("", STOP, 0),
    ],
)
def test_characters_of_every_script_are_classed(text: str, flag: int, count: int) -> None:
    assert int(((character_classes(codes_of(text)) & flag) != 0).sum()) == count


@given(st.text(), st.sampled_from(["", "，新闻 ", "가", "\u1100", "e", "か"]))
def test_a_long_text_is_folded_as_unicode_says(text: str, before: str) -> None:
    long = (before + text) * (1 + 200 // max(1, len(before + text)))
    assert fold_width(long) == unicodedata.normalize("NFKC", long)


@pytest.mark.parametrize("mark", ["\u0301", "\u3099", "\u1161", "\u11a8", "\uff9e", "\u09be", "\ufe0f"])
def test_a_mark_in_a_long_text_joins_the_letter_before_it(mark: str) -> None:
    text = f"{'新闻，' * 100}e{mark}가{mark}か{mark}\u1100{mark}\u09c7{mark}"
    assert fold_width(text) == unicodedata.normalize("NFKC", text)
