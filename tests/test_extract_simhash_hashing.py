from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.simhash import content_hash, url_key
from newscrawl.languages.text import squeeze


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("新华社 北京\n3月5日电", "新华社北京3月5日电"),
        ("ＡＢＣ１２３", "ABC123"),
        ("a\u3000b\xa0c", "abc"),
        ("\ufeffa", "\ufeffa "),
    ],
)
def test_white_space_and_width_do_not_matter(a: str, b: str) -> None:
    assert content_hash(a) == content_hash(b)


@pytest.mark.parametrize(("a", "b"), [("沪指报3000点", "沪指报3001点"), ("He won.", "he won."), ("a,b", "ab")])
def test_everything_else_does(a: str, b: str) -> None:
    assert content_hash(a) != content_hash(b)


@pytest.mark.parametrize("blank", ["", " ", "\n\u3000\t"])
def test_blank_text_has_no_hash(blank: str) -> None:
    assert content_hash(blank) == ""


@given(st.text())
def test_any_text_has_a_hash_unless_it_is_blank(text: str) -> None:
    assert len(content_hash(text)) == (32 if squeeze(text) else 0)
    assert content_hash(f"\n {text}\u3000") == content_hash(text)


def test_lone_surrogate_is_hashed() -> None:
    assert content_hash("a\ud800") != content_hash("a\ud801")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("https://www.e.org/a/", "http://e.org/a", True),
        ("https://E.org:443/a#x", "https://e.org/a", True),
        ("https://e.org/a?id=1", "https://e.org/a?id=2", False),
        ("https://e.org/a?id=1", "https://e.org/a/?id=1", True),
        ("https://m.e.org/a", "https://e.org/a", False),
        ("https://e.org:8080/a", "https://e.org/a", False),
        ("http://[broken", "http://[broken", True),
    ],
)
def test_url_key(a: str, b: str, same: bool) -> None:
    assert (url_key(a) == url_key(b)) is same
