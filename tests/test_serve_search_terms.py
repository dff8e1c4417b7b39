from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.serve.search.query import Phrase
from newscrawl.serve.search.terms import fold, is_spaceless, needed_terms, runs, stands, terms

SCRIPTS = st.text(st.sampled_from("手机习近平かなガ가각ไทยaÉßБё7 ，。-·々〇𠮷"), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Ünïcödé CAFÉ", "unicode cafe"),
        ("Straße STRASSE", "strasse strasse"),
        ("ＡＢＣ１２３", "abc123"),
        ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
        ("İstanbul", "istanbul"),
        ("ガ", "ガ"),  # half-width kana and its mark are one letter, another than without the mark
        ("각", "각"),
        ("Чёрный", "черныи"),
    ],
)
def test_what_folds(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("……！？", []),
        ("don't stop-gap", ["don", "t", "stop", "gap"]),
        ("华为Mate60Pro手机", ["华为", "mate60pro", "手机"]),
        ("「東京」タワー", ["東京", "タワー"]),
        ("习近平·普京", ["习近平", "普京"]),
        ("대통령은 말했다", ["대통령은", "말했다"]),
        ("news 🚀 now", ["news", "now"]),
        ("हिन्दी समाचार।", ["हिन्दी", "समाचार"]),
        ("a_b", ["a", "b"]),
    ],
)
def test_what_the_runs_of_a_text_are(text: str, expected: list[str]) -> None:
    assert runs(text) == expected


def test_that_a_run_of_a_spaceless_script_gives_characters_and_pairs() -> None:
    assert terms("手机好 OK") == {"手", "机", "好", "手机", "机好", "ok"}
    assert needed_terms(["手机好"]) == ("手机", "机好")
    assert needed_terms(["习"]) == ("习",)


def test_that_only_the_start_of_a_word_counts() -> None:
    assert terms("x" * 100) == {"x" * 40}


@given(SCRIPTS)
def test_every_run_of_one_or_two_characters_is_a_term(text: str) -> None:
    found = terms(text)
    for run in runs(text):
        if is_spaceless(run):
            assert {run[i : i + n] for n in (1, 2) for i in range(len(run) - n + 1)} <= found
        else:
            assert run in found


@given(SCRIPTS, SCRIPTS, SCRIPTS)
def test_a_phrase_is_found_in_a_text_that_has_it(before: str, words: str, after: str) -> None:
    phrase = Phrase(tuple(runs(words)))
    text = f"{before} {words} {after}"
    if phrase.runs:
        assert set(phrase.terms) <= terms(text)
        assert list(stands(phrase.runs, fold(text)))


def written_out(phrase: Phrase) -> str:
    """What a text of the characters of ``NEAR`` with the phrase has, as a regular expression."""
    word = "(?<![ab\0])", "(?![ab\0])"
    found = "" if is_spaceless(phrase.runs[0]) else word[0]
    found += re.escape(phrase.runs[0])
    for before, after in pairwise(phrase.runs):
        apart = "+" if is_spaceless(before) == is_spaceless(after) else "*"
        found += f"[ ,]{apart}{re.escape(after)}"
    return found if is_spaceless(phrase.runs[-1]) else found + word[1]


NEAR = st.text(st.sampled_from("手机ab ,\0"), max_size=12)


@settings(deadline=None)
@given(st.text(st.sampled_from("手机ab ,"), min_size=1, max_size=5), NEAR)
def test_a_phrase_stands_where_its_expression_is_found(words: str, text: str) -> None:
    phrase = Phrase(tuple(runs(words)))
    if phrase.runs:
        assert list(stands(phrase.runs, text)) == [found.span() for found in re.finditer(written_out(phrase), text)]


@given(SCRIPTS)
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
