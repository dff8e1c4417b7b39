"""Similarity of addresses, worked out by hand, and its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.methods.reference import split_url, url_similarity


def similarity(one: str, other: str) -> float:
    first, second = split_url(one), split_url(other)
    assert first is not None
    assert second is not None
    return url_similarity(first, second)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # directories news, 2012 and news, 2013: one leading of two equal
        ("http://a.cn/news/2012/1.html", "http://a.cn/news/2013/2.html", 1 / 2),
        ("http://a.cn/news/2012/1.html", "http://a.cn/news/2012/2.html", 1.0),
        # directories 1 of 3 leading equal (what follows a difference does not count), no query
        ("http://a.cn/x/y/z/1", "http://a.cn/x/w/z/1", 1 / 3),
        # directories 1/1, query 1 of 2 pairs: mean 3/4
        ("http://a.cn/view/?id=1&cat=2", "http://a.cn/view/?id=9&cat=2", 3 / 4),
        # one address has a query: 0 of 1 pairs, directories 1/1
        ("http://a.cn/view/p?id=1", "http://a.cn/view/p", 1 / 2),
        # both in the root: 0/0 = 1
        ("http://a.cn/1.html", "http://a.cn/2.html", 1.0),
        ("http://a.cn/1.html", "https://a.cn/1.html", 0.0),
        ("http://a.cn/1.html", "http://b.cn/1.html", 0.0),
        ("http://A.cn/1.html", "http://a.cn/2.html", 1.0),
    ],
)
def test_url_similarity(one: str, other: str, expected: float) -> None:
    assert similarity(one, other) == pytest.approx(expected)


PARTS = st.lists(st.sampled_from(["news", "2012", "a", "b-1"]), max_size=4).map("/".join)
QUERIES = st.dictionaries(st.sampled_from("xyz"), st.sampled_from("123"), max_size=3)
URLS = st.builds(
    lambda host, path, query: f"http://{host}/{path}?" + "&".join(f"{k}={v}" for k, v in query.items()),
    st.sampled_from(["a.cn", "b.cn"]),
    PARTS,
    QUERIES,
)


@given(URLS, URLS)
def test_symmetric_in_range_and_1_on_itself(one: str, other: str) -> None:
    assert 0.0 <= similarity(one, other) <= 1.0
    assert similarity(one, other) == similarity(other, one)
    assert similarity(one, one) == 1.0


def test_what_is_no_address_has_no_parts() -> None:
    assert split_url("") is None
    assert split_url("nonsense") is None
    assert split_url("http://[a.cn/1") is None
    assert split_url("/relative/path") is None
