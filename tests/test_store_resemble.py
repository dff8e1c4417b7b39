from __future__ import annotations

import random
import time
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.experiments.near_duplicates import EDITS, FORMS, gold_texts
from newscrawl.extract.simhash import hamming, simhash
from newscrawl.store.resemble import (
    MAX_DISTANCE,
    changes,
    is_near_duplicate,
    is_same_document,
    resemblance,
    same_headline,
)
from tests.records import chinese

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("n", [300, 800, 2000])
def test_lightly_edited_copy_is_found(name: str, n: int) -> None:
    text = "。".join(chinese(seed, 40) for seed in range(n // 40)) + "。"
    copy = EDITS[name](text, random.Random(1))
    assert copy != text
    assert is_near_duplicate(text, copy)
    assert is_near_duplicate(copy, text)


@pytest.mark.parametrize("name", FORMS)
def test_bulletins_of_one_form_are_different_news(name: str) -> None:
    rng = random.Random(2)
    bulletins = [FORMS[name](rng) for _ in range(30)]
    for (head_a, a), (head_b, b) in combinations(bulletins, 2):
        if head_a != head_b:
            assert not is_near_duplicate(a, b, head_a, head_b)


def test_short_texts_never_are() -> None:
    assert not is_near_duplicate("快讯：沪指涨百分之一。", "快讯：沪指涨百分之一。")


def test_one_paragraph_quoted_in_a_long_article_is_not() -> None:
    assert not is_near_duplicate(chinese(1, 300), chinese(1, 300) + chinese(2, 900))


def test_other_numbers_are_other_news() -> None:
    text = "截至{}日，全省新增病例{}例，累计{}例，出院{}例。" + chinese(1, 300)
    assert not is_near_duplicate(text.format(1, 20, 300, 41), text.format(2, 25, 325, 60))
    assert is_near_duplicate(text.format(1, 20, 300, 41), text.format(1, 20, 300, 41) + "完")


def test_resemblance_of_equal_and_of_empty_texts() -> None:
    same = resemblance("甲乙丙 1", "甲乙丙 1")
    assert (same.new, same.added, same.new_numbers) == (0, 0, 0)
    assert resemblance("", "").added == 0
    assert (resemblance("", "甲乙丙").new, resemblance("", "甲乙丙").added) == (1, 1)


@given(st.text(max_size=300), st.text(max_size=300))
def test_resemblance_is_symmetric_and_a_share(a: str, b: str) -> None:
    found = resemblance(a, b)
    assert found == resemblance(b, a)
    assert 0 <= found.new <= found.added <= 1
    assert 0 <= found.new_numbers <= 1


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("国务院部署稳外贸", "国务院部署稳外贸 - 新浪新闻", True),
        ("国务院部署稳外贸", "（快讯）国务院 部署稳外贸", True),
        ("国务院部署稳外贸", "国足主场迎战韩国队", False),
        (None, "国足主场迎战韩国队", True),
        ("Fed raises rates", "Fed raises rates again", True),
    ],
)
def test_same_headline(a: str | None, b: str | None, same: bool) -> None:
    assert same_headline(a, b) is same
    assert same_headline(b, a) is same


def test_canonical_claims_need_agreement() -> None:
    assert is_same_document(chinese(1, 600), chinese(1, 300))
    assert not is_same_document(chinese(1, 600), chinese(2, 600))


def test_no_two_labelled_articles_are_merged(shared: Path) -> None:
    """Of 1,258 labelled texts three pairs are near-duplicates, each one agency report on two sites."""
    texts = gold_texts(shared / "corpus")
    values = [(value, text) for text in texts if (value := simhash(text)) is not None]
    near = [(a, b) for (x, a), (y, b) in combinations(values, 2) if hamming(x, y) <= MAX_DISTANCE]
    merged = [(a, b) for a, b in near if is_near_duplicate(a, b)]
    assert len(merged) <= 3
    assert all(resemblance(a, b).added < 0.2 for a, b in merged)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["a", "b"] * 500, ["b", "c", "a"] * 333),
        (["a"] * 1_000, ["a", "b"] * 500),
        (["a"] * 999, ["b"] + ["a"] * 990 + ["c"]),
        ([str(n % 30) for n in range(1_000)], [str(n % 31) for n in range(1_000)]),
        ([str(n) for n in range(1_000)], [str(n) for n in reversed(range(1_000))]),
    ],
)
def test_paragraphs_that_repeat_cost_no_more_than_their_number(old: list[str], new: list[str]) -> None:
    before = time.process_time()
    changes("\n".join(old), "\n".join(new))
    assert time.process_time() - before < 2.0
