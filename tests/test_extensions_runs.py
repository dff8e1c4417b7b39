from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extensions.runs import BUCKET_SECONDS, MAX_BUCKETS, Rate


def test_events_are_counted_in_buckets_of_five_seconds() -> None:
    rate = Rate()
    for elapsed in (0, 4.9, 5, 21):
        rate.add(elapsed)
    assert rate.as_json() == {"seconds": 5, "counts": [2, 1, 0, 0, 1]}


@given(st.lists(st.floats(0, 40 * MAX_BUCKETS * BUCKET_SECONDS), max_size=50))
def test_a_long_crawl_keeps_a_short_series(elapsed: list[float]) -> None:
    rate = Rate()
    for moment in sorted(elapsed):
        rate.add(moment)
    assert sum(rate.counts) == len(elapsed)
    assert len(rate.counts) <= MAX_BUCKETS
    assert rate.seconds % BUCKET_SECONDS == 0
    for i, count in enumerate(rate.counts):
        assert count == sum(i == int(moment / rate.seconds) for moment in elapsed)
