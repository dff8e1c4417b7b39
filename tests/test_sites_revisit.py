from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.sites import revisit
from newscrawl.sites.revisit import SOURCES, Finding, Plan, plan_visit

NOW = datetime(2025, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def after(kind: str, *findings: Finding, age: timedelta | None = None) -> list[Plan]:
    """Plans after visits that each came when they were due."""
    plans: list[Plan] = []
    at, interval, failures = NOW, None, 0
    for finding in findings:
        older = None if age is None else age + (at - NOW)
        plan = plan_visit(kind, finding, at=at, interval=interval, n_failures=failures, age=older)
        plans.append(plan)
        if plan.next_at is None:
            break
        at, interval, failures = plan.next_at, plan.interval, plan.n_failures
    return plans


@pytest.mark.parametrize("kind", sorted(SOURCES))
def test_a_source_is_visited_as_often_as_it_brings_something(kind: str) -> None:
    busy = after(kind, *[Finding.NEW] * 20)
    assert busy[0].interval == revisit.FIRST
    assert busy[-1].interval == revisit.LEAST
    quiet = after(kind, *[Finding.UNCHANGED] * 30)
    assert quiet[-1].interval == revisit.MOST
    assert quiet[-1].next_at is not None


def test_deep_hubs_begin_with_longer_intervals() -> None:
    spans = [plan_visit("hub", Finding.NEW, at=NOW, depth=depth).interval for depth in range(6)]
    assert spans == [HOUR, HOUR, 4 * HOUR, 16 * HOUR, 24 * HOUR, 24 * HOUR]
    assert {plan_visit("hub", Finding.NEW, at=NOW, depth=depth).interval for depth in (19, 1_000)} == {24 * HOUR}


def test_a_source_that_changes_each_second_visit_keeps_its_interval() -> None:
    plans = after("hub", *[Finding.NEW, Finding.UNCHANGED] * 10)
    spans = {plan.interval for plan in plans[1::2]}
    assert all(span is not None and HOUR <= span <= 2 * HOUR for span in spans)


def test_an_article_is_visited_a_few_times_with_growing_gaps() -> None:
    plans = after("article", Finding.NEW, *[Finding.UNCHANGED] * 9, age=timedelta())
    assert [plan.interval for plan in plans[:-1]] == list(revisit.ARTICLE_GAPS)
    assert plans[-1].next_at is None


def test_a_changed_article_is_looked_at_again_after_the_same_gap() -> None:
    plans = after("article", Finding.NEW, Finding.CHANGED, Finding.UNCHANGED, age=timedelta())
    assert [plan.interval for plan in plans] == [HOUR, HOUR, 6 * HOUR]


@pytest.mark.parametrize(
    ("age", "first"), [(timedelta(hours=9), HOUR), (timedelta(days=5), timedelta(days=1)), (timedelta(days=99), None)]
)
def test_an_old_article_has_settled(age: timedelta, first: timedelta | None) -> None:
    (plan,) = after("article", Finding.NEW, age=age)
    assert (plan.next_at is None) == (first is None)
    assert first is None or plan.interval == first


def test_dead_sources_are_retired_after_repeated_failures() -> None:
    plans = after("feed", *[Finding.FAILED] * 9)
    assert len(plans) == revisit.MAX_FAILURES
    assert plans[-1].next_at is None
    one_success = after("sitemap", *[Finding.FAILED] * 4, Finding.UNCHANGED, *[Finding.FAILED] * 4)
    assert one_success[-1].next_at is not None


def test_a_vanished_article_is_asked_for_once_more() -> None:
    assert [plan.next_at is None for plan in after("article", Finding.GONE, Finding.GONE)] == [False, True]


def test_what_is_neither_hub_nor_article_is_not_visited_again() -> None:
    assert plan_visit(None, Finding.NEW, at=NOW).next_at is None


@given(st.sampled_from(["hub", "feed", "sitemap", "article"]), st.lists(st.sampled_from(Finding), max_size=30))
def test_intervals_stay_within_their_bounds(kind: str, findings: list[Finding]) -> None:
    for plan in after(kind, *findings):
        if plan.next_at is not None:
            assert plan.interval is not None
            assert revisit.LEAST <= plan.interval <= revisit.MOST
