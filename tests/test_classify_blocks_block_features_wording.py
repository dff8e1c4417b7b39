import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.classify.blocks.block_features import Words, marks_and_wide, related_titles, service_words

MARKS = {**dict.fromkeys("。！？!?؟।…", 1.0), **dict.fromkeys("，、；,;،", 0.5)}
TEXTS = st.lists(st.text(st.sampled_from("。，a.1 \nÉİ好😀;"), max_size=12), min_size=1, max_size=6)


def plain_marks(text: str) -> float:
    stops = sum(text[at] == "." and text[at + 1 : at + 2] <= " " for at in range(len(text)))
    return stops + sum(MARKS.get(letter, 0.0) for letter in text)


def plain_wide(text: str) -> int:
    return sum(2 if ord(letter) > 0xFFFF else ord(letter) >= 0x2E80 for letter in text)


@given(texts=TEXTS)
def test_marks_and_wide_letters_are_those_of_each_text(texts: list[str]) -> None:
    marks, wide = marks_and_wide(texts)
    assert marks.tolist() == [plain_marks(text) for text in texts]
    assert wide.tolist() == [plain_wide(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("It is 3.14 now.", 1.0), ("第一，第二。", 1.5), ("", 0.0), ("e.g. this", 1.0)],
)
def test_sentence_marks(text: str, expected: float) -> None:
    assert marks_and_wide([text])[0].tolist() == [expected]


@given(texts=st.lists(st.text(st.sampled_from("ab İ关联"), max_size=8), max_size=6))
def test_words_are_found_in_the_texts_that_hold_them(texts: list[str]) -> None:
    words = ("ab", "b a", "关联")
    expected = {place for place, text in enumerate(texts) if any(word in text.lower() for word in words)}
    assert set(Words(words).held_by(texts)) == expected


def test_titles_and_furniture() -> None:
    texts = ["相关阅读", "Prose of an article", "MORE FROM The Paper", "© 2024", "Log in"]
    assert set(related_titles().held_by(texts)) == {0, 2}
    assert set(service_words().held_by(texts)) == {3, 4}


def test_huge_text_keeps_its_counts() -> None:
    text = "。" * 400_000
    marks, wide = marks_and_wide([text, "a"])
    assert np.array_equal([marks, wide], [[400_000, 0], [400_000, 0]])
