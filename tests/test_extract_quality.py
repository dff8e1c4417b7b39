"""Columns of heuristics: each value worked by hand, in several scripts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.quality import (
    GOPHER,
    QUALITY,
    REPETITION,
    c4,
    language_score,
    quality_of,
    repeated_chars,
    repetition,
    top_chars,
)

STORY = """\
The red ferry left the harbour at five in the morning, and nobody stood on the quay to see it go.
By noon its captain had reached three islands, where the mail was waiting in wet sacks.
A teacher from the second island said that children have to row to school when the wind turns.
Engineers want to build a bridge, but the council of the town will not pay for half of it.
"We shall sail with them until the last day," the captain said, and closed the door of his cabin."""
CHINESE = """\
红色渡轮清晨五点离开港口，码头上没有人送行。
中午以前，船长已经到过三座小岛，邮件装在湿透的麻袋里等着他。
第二座岛上的老师说，一起风，孩子们就得自己划船上学。
工程师想修一座桥，可是镇政府不愿意承担一半的费用。
“我们会和大家一起航行到最后一天。”船长说完便关上了舱门。"""


@pytest.mark.parametrize(
    ("text", "code", "column", "value"),
    [
        (STORY, "en", "gopherWords", 93),
        ("red - blue — green !", "en", "gopherWords", 3),  # marks alone are no words
        (CHINESE, "zh", "gopherWords", 118),
        ("one three", "en", "gopherWordLength", 4.0),
        ("(one) “three”!", "en", "gopherWordLength", 4.0),
        ("раз, три", "ru", "gopherWordLength", 3.0),
        ("يوم كتاب", "ar", "gopherWordLength", 3.5),
        (CHINESE, "zh", "gopherWordLength", None),
        ("渡轮 WHO", "zh", "gopherWordLength", None),
        ("# a # b # c d", "en", "gopherSymbols", 0.75),
        ("wait… for it...", "en", "gopherSymbols", 2 / 3),
        ("渡轮…", "zh", "gopherSymbols", 0.5),
        ("- a\n• b\nc\n* d", "en", "gopherBullets", 0.75),
        ("渡轮…\n开航。", "zh", "gopherEllipses", 0.5),
        ("more ...\nmore …\nall.", "en", "gopherEllipses", 2 / 3),
        ("12 13 x", "en", "gopherAlphabetic", 1 / 3),
        ("12月，船。", "zh", "gopherAlphabetic", 2 / 3),
        ("The ship of the line", "en", "gopherFunctionWords", 2),
        ("渡轮开航", "zh", "gopherFunctionWords", None),
        ("a\nb\na\na", "en", "repeatedLines", 0.5),
        ("aa\nb\naa", "en", "repeatedLineChars", 0.4),
        ("船开了\n船开了", "zh", "repeatedLineChars", 0.5),
        ("a b a b c c", "en", "top2gram", 4 / 6),
        ("上船上船下去", "zh", "top2gram", 4 / 6),
        ("a b c d e", "en", "top2gram", 0.0),
        ("a b c d e f a b c d e f", "en", "repeated5grams", 5 / 12),
        ("a b c d e f a b c d e f", "en", "repeated6grams", 0.5),
        ("a b c d e f a b c d e f", "en", "repeated7grams", 0.0),
        ("", "en", "gopherWords", 0),
        ("", None, "languageScore", None),
        ("12 13", "en", "languageScore", None),
    ],
)
def test_a_column(text: str, code: str | None, column: str, value: float | None) -> None:
    assert quality_of(text, code)[column] == (value if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("lines", "share", "sentences"),
    [
        (["The ferry leaves at five. It is red."], 1, 2),
        (["The ferry leaves at five", "The ferry is red again today."], 0.5, 1),
        (["It is red.", "“The ferry is red again,” she said."], 0.5, 1),
        (["He said: “The ferry is red again.”"], 1, 1),
        (["Please enable Javascript to read this page."], 0, 0),
        (["The ferry leaves at five..."], 0, 0),
        (["渡轮今天开航。旅客很多！"], 1, 2),
        (["“渡轮今天开航。”"], 1, 1),
        (["渡轮今天开航", "更多。"], 0, 0),
        (["Паром ушёл в пять часов утра? Нет!"], 1, 2),
        (["غادرت العبارة الميناء في الخامسة؟"], 1, 1),
        (["नाव सुबह पाँच बजे बंदरगाह से निकली।"], 1, 1),
        ([], 0, 0),
    ],
)
def test_lines_and_sentences_that_c4_keeps(lines: list[str], share: float, sentences: int) -> None:
    found = c4(lines, "\n".join(lines))
    assert (found["c4Lines"], found["c4Sentences"]) == (share, sentences)


@pytest.mark.parametrize(
    ("text", "gopher", "repetition_", "c4_"),
    [
        (STORY, True, True, True),
        (CHINESE, True, True, True),
        ("Short.", False, True, False),
        ("\n".join(["The same line of the ferry, and of nothing else at all, stands here."] * 9), True, False, True),
        (STORY + "\nLorem ipsum dolor sit amet.", True, True, False),
        (STORY + "\nfunction () { return 1; }", True, True, False),
        ("\n".join(f"- {line}" for line in STORY.split("\n")), False, True, True),
        ("\n".join(f"{line[:-1]}..." for line in STORY.split("\n")), False, True, False),
        (" ".join(map(str, range(100, 200))), False, True, False),
    ],
)
def test_what_passes(text: str, gopher: bool, repetition_: bool, c4_: bool) -> None:
    found = quality_of(text, "zh" if text == CHINESE else "en")
    assert (found["gopherPasses"], found["repetitionPasses"], found["c4Passes"]) == (gopher, repetition_, c4_)


def test_languages() -> None:
    assert (language_score(STORY, "en") or 0) > 0.9
    assert (language_score(STORY, "zh") or 0) < 0.01
    assert (language_score(CHINESE, "zh") or 0) > 0.9
    assert language_score(STORY, None) == language_score(STORY, "en")
    assert language_score(STORY, "xx") == 0.0


def test_every_column_is_described_and_every_rule_has_its_column() -> None:
    assert quality_of(STORY, "en").keys() == QUALITY.keys()
    assert {*GOPHER, *REPETITION} <= QUALITY.keys()


@given(st.text(alphabet="ab 船\n.…{#-", max_size=80))
def test_shares_are_shares(text: str) -> None:
    found: dict[str, Any] = quality_of(text, None)
    for name in (*REPETITION, "gopherBullets", "gopherEllipses", "gopherAlphabetic", "c4Lines"):
        assert 0.0 <= found[name] <= 1.0, name


@given(st.lists(st.sampled_from(["a", "bb", "船"]), max_size=40), st.integers(2, 10))
def test_no_character_counts_twice(words: list[str], n: int) -> None:
    whole = sum(map(len, words))
    assert 0 <= top_chars(words, n) <= whole
    assert 0 <= repeated_chars(words, n) <= max(0, whole - sum(map(len, words[:1])))
    assert repetition(words, []).keys() == REPETITION.keys()
