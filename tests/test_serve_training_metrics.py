from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.languages.text import tokens
from newscrawl.serve.training.metrics import TextScore, comparable, summarise, text_score, word_shingles


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  ,. \n", []),
        ("The U.S. economy", ["the", "u", "s", "economy"]),
        ("２０１２年1月", ["2012", "年", "1", "月"]),
        ("snake_case", ["snake", "case"]),
        ("서울 시", ["서", "울", "시"]),
        ("カタカナとABC", ["カ", "タ", "カ", "ナ", "と", "abc"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("Größe", ["größe"]),
        ("li\u00adbra\u00adry", ["library"]),
        ("𠀀字", ["𠀀", "字"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_squeeze_forgets_spacing_width_and_case() -> None:
    assert comparable("Ａ b\n\u3000C") == "abc"


def test_shingles_are_a_multiset() -> None:
    # a b a b a b has 6 - 4 + 1 = 3 grams: abab, baba, abab
    assert word_shingles(list("ababab")) == {tuple("abab"): 2, tuple("baba"): 1}


def test_shingles_of_short_texts() -> None:
    assert word_shingles([]) == {}
    assert word_shingles(["a"]) == {("a",): 1}
    assert word_shingles(list("abc")) == {tuple("abc"): 1}


def test_text_score_worked_by_hand() -> None:
    # gold a b c d e f: abcd bcde cdef. output x a b c d e: xabc abcd bcde.
    # Two of three output grams are in the gold, two of three gold grams in the output.
    score = text_score("a b c d e f", "x a b c d e")
    assert [score.precision, score.recall, score.f1] == pytest.approx([2 / 3] * 3)


def test_repeated_text_is_wrong_the_second_time() -> None:
    # The output says the only gram twice, plus three that span the seam: 1 of 5 right.
    score = text_score("a b c d", "a b c d a b c d")
    assert score.precision == pytest.approx(1 / 5)
    assert score.recall == 1.0


@pytest.mark.parametrize(
    ("gold", "output", "precision", "recall", "f1"),
    [
        ("a b c d e", "", None, 0.0, 0.0),
        ("", "a b c d e", 0.0, None, 0.0),
        ("", "", None, None, 1.0),
        ("a b", "a b", 1.0, 1.0, 1.0),
        ("a b", "a b c", 0.0, 0.0, 0.0),
    ],
)
def test_text_score_edges(gold: str, output: str, precision: float | None, recall: float | None, f1: float) -> None:
    assert text_score(gold, output) == TextScore(precision=precision, recall=recall, f1=f1)


def test_neutral_text_is_neither_rewarded_nor_punished() -> None:
    # Output grams: the gold's abcd, the neutral wxyz, and three over the seam that are in neither.
    plain = text_score("a b c d", "a b c d w x y z")
    lenient = text_score("a b c d", "a b c d w x y z", neutral=["w x y z"])
    assert [plain.precision, lenient.precision] == pytest.approx([1 / 5, 1 / 4])
    assert plain.recall == lenient.recall == 1.0
    assert text_score("a b c d", "w x y z", neutral=["w x y z"]).precision is None


def test_summary_takes_f1_of_the_means() -> None:
    # Precision over the two pages with output: (1 + .5) / 2; recall over all three: (.5 + 1 + 0) / 3.
    summary = summarise(
        [
            TextScore(precision=1.0, recall=0.5, f1=2 / 3),
            TextScore(precision=0.5, recall=1.0, f1=2 / 3),
            TextScore(precision=None, recall=0.0, f1=0.0),
        ]
    )
    assert (summary.precision, summary.recall) == (0.75, 0.5)
    assert summary.f1 == pytest.approx(0.6)
    assert summary.page_f1 == pytest.approx(4 / 9)
    assert summary.right == 0.0


def test_summary_of_nothing() -> None:
    assert summarise([]).f1 == 0.0


TEXTS = st.text(alphabet="ab cd中文 \n。", max_size=60)


@given(TEXTS, TEXTS)
def test_scores_are_ratios_and_swap(gold: str, output: str) -> None:
    score, swapped = text_score(gold, output), text_score(output, gold)
    assert 0.0 <= score.f1 <= 1.0
    assert score.precision == swapped.recall
    assert score.f1 == pytest.approx(swapped.f1)


@given(TEXTS)
def test_a_text_agrees_with_itself(text: str) -> None:
    assert text_score(text, text.upper()).f1 == 1.0
