"""Patterns of words that a text begins with: only the words that begin as it does are compiled."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from newscrawl.classify.lines import controls, pointers, structure
from newscrawl.extract.facts import bylines, names
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words

LED = [
    pattern
    for module in (bylines, controls, names, pointers, structure)
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
def test_the_words_that_begin_as_a_text_match_what_all_words_match(line: str) -> None:
    for pattern in LED:
        compiled = COMPILED[pattern.template]
        for found, told in (
            (compiled.match(line), pattern.match(line)),
            (compiled.fullmatch(line), pattern.fullmatch(line)),
        ):
            assert (found and (found[0], found.groups())) == (told and (told[0], told.groups())), pattern.template


def test_a_text_that_begins_otherwise_leaves_the_pattern_uncompiled() -> None:
    pattern = WordPattern(r"\W*{people.by}\s", re.IGNORECASE, is_led=True)
    assert pattern.match("Xylophones by Ada Fenn") is None
    found = pattern.match("- BY Ada Fenn")
    assert found is not None
    assert found[0] == "- BY "
    assert pattern.match("Xylophones") is None
    assert "search" not in vars(pattern)
    assert pattern.search("Xylophones by Ada Fenn") is not None
