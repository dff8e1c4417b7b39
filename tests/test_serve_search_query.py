from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.exceptions import UserError
from newscrawl.serve.search.query import Phrase, Query, Sort, parse_query


def phrases(*given: str) -> tuple[Phrase, ...]:
    return tuple(Phrase(tuple(one.split())) for one in given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("  !!! ", {}),
        ("手机 Apple", {"phrases": phrases("手机", "apple")}),
        ("手机 -华为", {"phrases": phrases("手机"), "excluded": phrases("华为")}),
        ('"climate change" -"fake news"', {"phrases": phrases("climate change"), "excluded": phrases("fake news")}),
        ("“气候 变化”", {"phrases": phrases("气候 变化")}),
        ("covid-19", {"phrases": phrases("covid 19")}),
        ("site:Sina -site:e.org", {"sites": ("sina",), "excluded_sites": ("e.org",)}),
        ('author:"John Smith" -author:张三', {"authors": phrases("john smith"), "excluded_authors": phrases("张三")}),
        ("SOURCE：新华网", {"source": Phrase(("新华网",))}),
        ("lang:ZH", {"language": "zh"}),
        ("after:2024", {"first_day": date(2024, 1, 1)}),
        ("before:2024-03", {"last_day": date(2024, 2, 29)}),
        ("before:2024-03-05", {"last_day": date(2024, 3, 4)}),
        ("after:2023 after:2024-2", {"first_day": date(2024, 2, 1)}),
        ('topic:Phones -topic:"used cars"', {"topics": ("Phones",), "excluded_topics": ("used cars",)}),
        ("confidence:<0.6", {"confidence_below": 0.6}),
        ("confidence：＞.25 confidence:<1", {"confidence_above": 0.25, "confidence_below": 1.0}),
        ('"open quote', {"phrases": phrases("open quote")}),
        ("other:thing", {"phrases": phrases("other thing"), "not_fields": ("other",)}),
        ("- a", {"phrases": phrases("a")}),
    ],
)
def test_what_a_query_asks_for(text: str, expected: dict[str, Any]) -> None:
    assert parse_query(text) == Query(**expected)


def test_what_a_form_adds() -> None:
    query = parse_query(
        "手机", site="sina", source="新华网", author="张三", language="zh", day_from="2024-03-01", day_to="2024-03",
        duplicates=True, sort="rank",
    )  # fmt: skip
    assert query == Query(
        phrases=phrases("手机"),
        sites=("sina",),
        source=Phrase(("新华网",)),
        authors=phrases("张三"),
        language="zh",
        first_day=date(2024, 3, 1),
        last_day=date(2024, 3, 31),
        duplicates=True,
        sort=Sort.RANK,
    )
    assert parse_query("a", site="", day_from="", sort="") == parse_query("a")


@pytest.mark.parametrize(
    ("text", "filters", "says"),
    [
        ("before:yesterday", {}, "before:yesterday is not a day; accepted: 2024, 2024-03 or 2024-03-05"),
        ("after:2024-13", {}, "after:2024-13 is not a day"),
        ("after:0000", {}, "after:0000 is not a day"),
        ("site: a", {}, "site: has no value"),
        ("confidence:0.6", {}, "confidence:0.6 is no limit; accepted: confidence:<0.6, confidence:>0.9, from 0 to 1"),
        ("confidence:<1.5", {}, "confidence:<1.5 is no limit"),
        ("a", {"confidence": "high"}, "confidence:high is no limit"),
        ("-lang:en", {}, "-lang: cannot be left out; words, site:, author: and topic: can"),
        ("a", {"sort": "size"}, "unknown order 'size'; accepted: date, rank"),
        ("x" * 501, {}, "501 characters; at most 500"),
        ("a " * 33, {}, "more than 32 words"),
    ],
)
def test_what_is_refused_in_one_line(text: str, filters: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as refusal:
        parse_query(text, **filters)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


@given(st.text(max_size=80))
def test_any_text_is_a_query_or_refused(text: str) -> None:
    try:
        query = parse_query(text)
    except UserError:
        return
    assert all(phrase.runs for phrase in (*query.phrases, *query.excluded, *query.authors))
