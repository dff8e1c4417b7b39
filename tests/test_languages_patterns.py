"""Patterns of words, which are compiled only for a text that may begin with one of them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from newscrawl.classify.lines import pointers, structure
from newscrawl.extract.facts import bylines, names
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words

LED = [
    pattern
    for module in (bylines, names, pointers, structure)
    for pattern in vars(module).values()
    if isinstance(pattern, WordPattern) and pattern.is_led
]
SAID = [*words("people.by"), *words("people.label_colon"), *words("lines.pointer"), *words("lines.advertising")]
LINES = st.tuples(
    st.sampled_from(("", " ", "— ", "„", "_", "x")),
    st.sampled_from([*SAID, *map(str.upper, SAID), *(word[:4] for word in SAID)]),
    st.sampled_from(("", " ", ": ", "-", "s", "版", ": Ada Fenn", " Ada Fenn", "  Ada Fenn")),
).map("".join)
COMPILED = {pattern.template: re.compile(pattern.filled(), pattern.flags) for pattern in LED}


def test_the_patterns_that_begin_with_a_word_are_found() -> None:
    assert len(LED) >= 10


@given(LINES)
def test_what_a_pattern_matches_begins_with_one_of_its_words(line: str) -> None:
    for pattern in LED:
        if COMPILED[pattern.template].match(line) is not None:
            assert pattern.may_begin(line), pattern.template


def test_a_text_that_begins_otherwise_leaves_the_pattern_uncompiled() -> None:
    pattern = WordPattern(r"\W*{people.by}\s", re.IGNORECASE, is_led=True)
    assert pattern.match("Xylophones by Ada Fenn") is None
    assert "search" not in vars(pattern)
    found = pattern.match("- BY Ada Fenn")
    assert found is not None
    assert found[0] == "- BY "
    assert "search" in vars(pattern)
    assert pattern.match("Xylophones") is None
