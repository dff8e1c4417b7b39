"""Topic files: what is read, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from newscrawl.exceptions import MistakesError, UserError
from newscrawl.focus import Keyword, load_topic, parse_topic

EXAMPLE = Path(__file__).parent.parent / "data" / "topics" / "phones.toml"
ACCEPTED = "counterexamples, example_pages, examples, exclusions, keywords, languages, name, threshold"


def test_a_word_and_a_table_are_keywords() -> None:
    topic = parse_topic('name = "x"\nkeywords = ["phone", {term = "手机", weight = 2, synonyms = ["智能机"]}]')
    assert topic.keywords == (Keyword(term="phone"), Keyword(term="手机", weight=2.0, synonyms=("智能机",)))
    assert topic.threshold == 0.5


def test_the_example_file_is_good() -> None:
    assert load_topic(EXAMPLE).keywords


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('keywords = ["a"]', ["f: name is missing; accepted: a name for people, such as 'Mobile phones'"]),
        ('name = "x"', ["f: keywords is missing; give keywords, examples (texts) or example_pages (addresses)"]),
        (
            'name = "x"\nkeywords = ["a", "A"]\nthreshold = 2\nlanguages = ["english"]\ncolour = 1',
            [
                "f: threshold = 2; accepted: a number between 0 and 1",
                "f: languages, entry 1 = 'english'; accepted: a code such as 'zh' or 'en'",
                f"f: colour is not a key; accepted: {ACCEPTED}",
                "f: keywords, entry 2: 'A' stands there twice",
            ],
        ),
        (
            'name = "x"\nkeywords = [{term = "a", weight = 9}, {synonyms = ["b"]}, 3]',
            [
                "f: keywords, entry 1: weight = 9; accepted: a number above 0, at most 3",
                "f: keywords, entry 2: term is missing; accepted: a word or phrase",
                "f: keywords, entry 3 = 3; accepted: a word, or {term, weight, synonyms}",
            ],
        ),
        (
            'name = "x"\nexample_pages = ["ftp://e.org/a"]',
            ["f: example_pages, entry 1 = 'ftp://e.org/a'; accepted: an http(s) address"],
        ),
    ],
)
def test_each_mistake_has_its_line(text: str, lines: list[str]) -> None:
    with pytest.raises(MistakesError) as caught:
        parse_topic(text, origin="f")
    assert list(caught.value.lines) == lines


def test_what_is_no_toml_and_what_is_no_file() -> None:
    for value in ("", "[" * 5_000, "9" * 5_000):
        with pytest.raises(UserError, match="f: not TOML"):
            parse_topic(f"name = {value}", origin="f")
    with pytest.raises(UserError, match="no such file"):
        load_topic(Path("nowhere.toml"))
