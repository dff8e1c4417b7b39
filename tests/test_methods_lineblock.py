"""Line-block distribution: curves worked out by hand, and the longest common subsequence against a naive version."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from newscrawl.methods.lineblock import (
    LineBlockExtractor,
    OriginalLineBlockExtractor,
    SourceLines,
    TitleMatcher,
    block_lengths,
    core_title,
    source_lines,
    text_spans,
)
from newscrawl.page import Document, fold_space


def lines_of(html: str) -> list[str]:
    return texts_of(source_lines(Document.from_html(html).root))


def texts_of(lines: SourceLines) -> list[str]:
    return [fold_space(lines[n]) for n in range(len(lines))]


def naive_common(one: str, other: str) -> int:
    @cache
    def common(i: int, j: int) -> int:
        if i == len(one) or j == len(other):
            return 0
        if one[i] == other[j]:
            return 1 + common(i + 1, j + 1)
        return max(common(i + 1, j), common(i, j + 1))

    return common(0, 0)


@given(st.text("网页abc", max_size=12), st.text("网页abc", max_size=12))
def test_longest_common_subsequence_against_the_naive_one(one: str, other: str) -> None:
    expected = naive_common(one, other)
    assert TitleMatcher(one, 0.0).common(other) == expected
    assert TitleMatcher(other, 0.0).common(one) == expected
    if one:
        assert TitleMatcher(one, 0.6).matches(other) == (expected >= 0.6 * len(one))


@given(st.text("abc", min_size=1, max_size=30), st.text("abcd", min_size=30, max_size=120))
def test_a_line_matches_by_its_beginning_as_by_its_whole(title: str, line: str) -> None:
    common = TitleMatcher(title, 0.0).common(line)
    assert TitleMatcher(title, 0.6).matches(line) == (common >= 0.6 * len(title))


def test_no_line_matches_an_empty_title() -> None:
    assert not TitleMatcher("", 0.6).matches("anything")


@pytest.mark.parametrize(
    ("title", "core"),
    [
        ("车企年报：44家“上涨”_新浪财经_新浪网", "车企年报44家上涨"),
        ("A storm, again - The Daily", "Astormagain"),
        ("T-shirt prices", "Tshirtprices"),
        ("", ""),
        ("_|", ""),
    ],
)
def test_core_title(title: str, core: str) -> None:
    assert core_title(title) == core


def test_lines_end_at_newlines_and_block_level_tags() -> None:
    # body begins, a | b c | p begins: d | br: e | p ends: f | body ends
    found = lines_of("<body>a\nb<i>c</i><p>d<br>e</p>f<script>x</script><!-- y --></body>")
    assert found == ["", "a", "bc", "d", "e", "f", ""]


def test_a_newline_after_a_tag_ends_no_second_line() -> None:
    assert lines_of("<body><p>a</p><p>b</p></body>") == ["", "", "a", "", "b", "", ""]
    assert lines_of("<body>\r\n<p>a</p>\n<p>b</p>\n\n</body>") == ["", "", "a", "", "b", "", "", ""]


def test_no_page_is_one_blank_line() -> None:
    assert texts_of(source_lines(None)) == [""]


@given(st.lists(st.sampled_from(["a b", "\n", "\u2028", "\r", "\u2029", "\u3000", "\u2000\u2001"]), max_size=12))
def test_lines_are_those_of_a_split(parts: list[str]) -> None:
    text = "".join(parts)
    lines = SourceLines(text)
    expected = text.replace("\r", "").replace("\u2028\n", "\n").replace("\u2028", "\n").split("\n")
    assert [lines[n] for n in range(len(lines))] == expected
    assert lines.lengths.tolist() == [len("".join(line.split())) for line in expected]


def test_the_container_of_a_line() -> None:
    document = Document.from_html("<body>a<div>b<p>c</p>d</div>e</body>")
    source = source_lines(document.root)
    lines = texts_of(source)
    assert [source.container(lines.index(letter)) for letter in "abcde"] == ["body", "div", "p", "div", "body"]
    assert source.container(0) == ""


def test_lines_of_a_tree_deeper_than_any_parser_builds() -> None:
    root = html.fromstring("<html><body></body></html>")
    node = root[0]
    for _ in range(5_000):
        node = etree.SubElement(node, "div")
    node.text = "deep"
    assert "deep" in texts_of(source_lines(root))


def test_block_lengths_by_hand() -> None:
    # lengths 40 50 0 0 0 0 10: blocks 40+50+0, 50+0+0, 0, 0, 0+0+10, 0+10, 10
    assert block_lengths([40, 50, 0, 0, 0, 0, 10]).tolist() == [90, 50, 0, 0, 10, 10, 10]


@pytest.mark.parametrize(
    ("lengths", "spans"),
    [
        ([0, 90, 50, 9, 0, 0, 10], [(1, 4)]),  # rise at 1 (90 > 86, 50 and 9 follow), fall at 4
        ([90, 50, 0, 0, 0], []),  # the second block after the rise is empty
        ([90, 50, 9], [(0, 3)]),  # no fall: to the end
        ([86, 50, 9, 0, 0], []),  # 86 is not above the threshold
        ([87, 50, 9, 0, 5, 0, 0, 99, 99, 99], [(0, 5), (7, 10)]),  # one empty block is no fall; no fall: to the end
        ([], []),
    ],
)
def test_rises_and_falls(lengths: list[int], spans: list[tuple[int, int]]) -> None:
    assert text_spans(np.array(lengths, dtype=np.int32), 86) == spans


@given(st.lists(st.integers(0, 200), max_size=40))
def test_spans_are_ordered_apart_and_begin_with_a_rise(line_lengths: list[int]) -> None:
    lengths = block_lengths(line_lengths)
    spans = text_spans(lengths)
    assert all(start < end <= len(line_lengths) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert all(lengths[start] > 86 for start, _ in spans)


HEAD = "<title>Storm over the bay - Daily</title>"
MENU = f"<p>{'菜单' * 25}</p>\n" * 8
TEXT = "\n".join(f"<p>Sentence {n}, as long as news sentences are, with marks.</p>" for n in range(5))
GAP = "\n" * 6
PAGE = f"<html><head>{HEAD}</head><body>{MENU}{GAP}<h1>Storm over the bay</h1>{TEXT}{GAP}<p>{'尾巴没有标点' * 20}"
SENTENCES = [f"Sentence {n}, as long as news sentences are, with marks." for n in range(5)]


def test_the_improved_method_begins_at_the_title_and_ends_at_the_last_sentence() -> None:
    document = Document.from_html(PAGE)
    improved = LineBlockExtractor().extract(document).text.splitlines()
    # The headline's block, 15 + 0 + 47 characters, is not above 86; that of two sentences is.
    assert improved == SENTENCES
    original = OriginalLineBlockExtractor().extract(document).text.splitlines()
    assert original[0].startswith("菜单")
    assert original[-1].startswith("尾巴")


def test_the_curve_is_zero_outside_first_and_last() -> None:
    curve = LineBlockExtractor().curve(Document.from_html(PAGE))
    assert curve.lines[curve.first] == "Storm over the bay"
    assert curve.lines[curve.last] == SENTENCES[-1]
    assert not any(curve.lengths[: curve.first])
    assert not any(curve.lengths[curve.last + 1 :])
    assert len(curve.lengths) == len(curve.lines)


def test_a_last_line_of_another_tag_is_dropped() -> None:
    page = f"<body>{TEXT}<div>Copyright, all rights reserved.</div></body>"
    assert LineBlockExtractor().extract(Document.from_html(page)).text.splitlines() == SENTENCES
    kept = LineBlockExtractor(check_last_line=False).extract(Document.from_html(page)).text.splitlines()
    assert kept == [*SENTENCES, "Copyright, all rights reserved."]


@pytest.mark.parametrize(
    ("title", "lines", "expected"),
    [
        ("", ["ab", "cd", "ef"], (0, 2)),
        ("", [], (0, 0)),
        # no line with marks, so the last line is the page's last
        ("title", ["a", "title", "x"], (1, 1)),
        ("", ["a", "b, c.", "x"], (0, 1)),
        # the only line like the title comes after the only one with marks: 5 of 5 characters against 2 marks
        ("title", ["a, b. c", "", "title"], (2, 2)),
        # 3 of 5 characters, 0.6 of the title
        ("title", ["", "tit", "a, b.", "x"], (1, 2)),
        ("title", ["", "tix", "a, b.", "x"], (0, 2)),
    ],
)
def test_the_range_of_the_text(title: str, lines: list[str], expected: tuple[int, int]) -> None:
    document, source = Document.from_html(f"<title>{title}</title>"), SourceLines("\n".join(lines))
    assert LineBlockExtractor().text_range(document, source) == expected
    assert OriginalLineBlockExtractor().text_range(document, source) == (0, len(source) - 1)


@pytest.mark.parametrize("page", ["", "<body></body>", "<title>only</title>", "<p>short"])
def test_pages_without_a_rise_give_no_text(page: str) -> None:
    assert LineBlockExtractor().extract(Document.from_html(page)).text == ""
    assert OriginalLineBlockExtractor().extract(Document.from_html(page)).text == ""
