from __future__ import annotations

from datetime import date, timedelta

import pytest
from lxml.cssselect import CSSSelector

from lab.evaluation.hub_labels import DATE_LABELS, HUB_LABELS
from lab.experiments.hub_records import COLUMNS, Counts
from newscrawl.extract.lists.read import HubReading, HubRecord


def test_links_are_counted_by_hand() -> None:
    counts = Counts(is_seen=False)
    counts.add_links({"a", "b", "x", "box"}, {"a", "b", "c"}, {"box"})
    counts.add_links(set(), {"d"}, set())
    counts.add_links({"box"}, set(), {"box"})
    assert (counts.pages, counts.right, counts.wrong, counts.missed, counts.missed_pages) == (3, 2, 1, 2, 1)
    row = dict(zip(COLUMNS, counts.row("site"), strict=True))
    assert row["precision"] == pytest.approx(2 / 3)
    assert row["recall"] == pytest.approx(1 / 2)


def test_dates_are_compared_where_they_are_known() -> None:
    days = ("2024-05-01T23:30:00+02:00", "2024-05-03", None, "2024-05-05")
    records = tuple(
        HubRecord(place=number, group=1, title="A title", url=f"https://example.org/{number}", date=day)
        for number, day in enumerate(days, 1)
    )
    known = {f"https://example.org/{number}": date(2024, 5, number) for number in (1, 2, 3)}
    strict, loose = Counts(is_seen=False), Counts(is_seen=False)
    strict.add_dates(HubReading(records=records), known)
    loose.add_dates(HubReading(records=records), known, slack=timedelta(days=1))
    assert (strict.dates_shown, strict.dates_found, strict.dates_right) == (3, 2, 1)
    assert loose.dates_right == 2


def test_labels_are_selectors() -> None:
    for label in HUB_LABELS.values():
        assert label.stories
        for selector in filter(None, (label.stories, label.boxes)):
            CSSSelector(selector)
    for dates in DATE_LABELS.values():
        for selector in (dates.item, dates.link, dates.date):
            CSSSelector(selector)
