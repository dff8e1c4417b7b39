from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.serve.search.facts import UNDATED, day_terms, index_day, indexed_facts

NOW = datetime(2024, 3, 5, 20, tzinfo=UTC)


def test_facts_of_an_article() -> None:
    row = {
        "url": "https://news.sina.com.cn/a", "site": "sina", "source": "新华 网", "in_language": "zh",
        "authors": [{"name": "张三"}, {"name": "Jo Née"}], "date_published": "2024-03-06T01:00:00+08:00",
        "fetched_at": NOW, "first_fetched_at": NOW,
    }  # fmt: skip
    assert indexed_facts(row).split() == [
        "d:20240306", "m:202403", "y:2024", "s:sina", "s:news.sina.com.cn", "s:sina.com.cn", "s:com.cn", "o:新华_网",
        "l:zh", "jo", "nee", "三", "张", "张三", "a:jo", "a:nee", "a:三", "a:张", "a:张三",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ("2024-03-06T01:00:00+08:00", date(2024, 3, 6)),  # still the 5th in UTC
        (None, UNDATED),
        ("soon", UNDATED),
        ("2099-01-01", date(2024, 3, 5)),  # a slip of the page's
        ("0021-01-01", date(1600, 1, 1)),
    ],
)
def test_the_day_an_article_is_found_under(published: str | None, expected: date) -> None:
    assert index_day(published, NOW, NOW) == expected


@given(
    st.dates(date(1990, 1, 1), date(2030, 12, 31)),
    st.integers(-3, 2000),
    st.dates(date(1990, 1, 1), date(2030, 12, 31)),
)
def test_day_terms_cover_the_days_and_no_other(first: date, days: int, other: date) -> None:
    last = first + timedelta(days=days)
    found = set(day_terms(first, last))
    own = {f"d:{other:%Y%m%d}", f"m:{other:%Y%m}", f"y:{other:%Y}"}
    assert len(own & found) == (first <= other <= last)
    assert len(found) <= 31 + 11 + 6 + 11 + 31
