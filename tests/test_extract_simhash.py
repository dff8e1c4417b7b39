from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.simhash import MIN_CHARS, band_keys, hamming, shingles, simhash
from tests.records import chinese

hashes = st.integers(0, 2**64 - 1)
WORDS = "the of and to in is was said on that for with as it at by he from have a".split()


def english(seed: int, n: int = 200) -> str:
    rng = random.Random(seed)
    return " ".join("".join(rng.choices("abcdefghij", k=5)) if i % 2 else rng.choice(WORDS) for i in range(n))


def test_same_on_every_machine() -> None:
    """Values in people's databases: a change here is a migration."""
    assert simhash("新华社北京三月五日电国务院总理今天在人民大会堂作政府工作报告" * 4) == 0x71B21ADED312279A
    assert simhash("The quick brown fox jumps over the lazy dog and runs away. " * 3) == 0x6D8DD96F0A5F848E


@pytest.mark.parametrize("text", ["", " ", "短", "字" * (MIN_CHARS - 1), "！？" * 100, " ".join("a" * 79)])
def test_short_and_wordless_texts_have_none(text: str) -> None:
    assert simhash(text) is None


@pytest.mark.parametrize("make", [chinese, english])
def test_texts_without_relation_are_far_apart(make: object) -> None:
    values = [simhash(make(seed)) for seed in range(60)]  # type: ignore[operator]
    distances = [hamming(a, b) for i, a in enumerate(values) for b in values[:i] if a is not None and b is not None]
    assert min(distances) > 7


@given(st.text(min_size=MIN_CHARS))
def test_white_space_case_and_punctuation_do_not_matter(text: str) -> None:
    value = simhash(text)
    if value is not None:
        assert simhash("\n " + text + "！ ") == value


def test_shingles_are_pairs_of_characters_or_words_and_pairs_of_words() -> None:
    assert len(shingles("新华社北京")) == 4
    assert len(shingles("New York Times")) == 3 + 2
    assert len(shingles("")) == 0
    assert len(shingles("新")) == 0


def test_shingles_depend_on_order() -> None:
    assert set(shingles("甲乙").tolist()) != set(shingles("乙甲").tolist())


@given(hashes, st.lists(st.integers(0, 63), max_size=3))
def test_values_within_three_bits_share_a_key(value: int, flaws: list[int]) -> None:
    other = value
    for bit in flaws:
        other ^= 1 << bit
    shared = set(band_keys(value)) & set(band_keys(other))
    assert any(key < 4 << 16 for key in shared)
    assert any(key >= 4 << 16 for key in shared)


@given(hashes)
def test_keys_name_their_table(value: int) -> None:
    assert [key >> 16 for key in band_keys(value)] == list(range(8))


@given(hashes, hashes)
def test_hamming_counts_bits(a: int, b: int) -> None:
    assert hamming(a, b) == hamming(b, a) == sum(a >> i & 1 != b >> i & 1 for i in range(64))
    assert hamming(a, a) == 0


def test_a_long_text_takes_about_a_millisecond() -> None:
    """Measured 0.3 ms for 3,000 characters; the bound leaves room for a busy machine."""
    text = chinese(1, 3000)
    simhash(text)
    fastest = min(_seconds(text) for _ in range(20))
    assert fastest < 0.005


def _seconds(text: str) -> float:
    started = time.perf_counter()
    simhash(text)
    return time.perf_counter() - started
