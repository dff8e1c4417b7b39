"""When an address is fetched again: a hub as often as it brings something new, an article a few times.

The rules are pure: they read only what the frontier keeps of an address. The interval of a hub, feed or sitemap shrinks
after each visit that brought something new, and grows after each that brought nothing, within bounds. So does Nutch's
``AdaptiveFetchSchedule``; Cho and Garcia-Molina (2003, "Effective page refresh policies for web crawlers") give the
optimum.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

#: Kinds of address, as in ``frontier.kind``.
SOURCES: Final = frozenset({"hub", "feed", "sitemap"})


class Finding(StrEnum):
    NEW = "new"  # fetched for the first time; of a hub, feed or sitemap: it led to something new
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    GONE = "gone"  # 404 or 410
    FAILED = "failed"  # no usable answer: it may come back


# Bounds and factors that suit a news site.

#: First wait of a hub, feed or sitemap at most one link from the seeds …
FIRST: Final = timedelta(hours=1)
#: … this many times longer with each link more, up to ``FIRST_MOST``.
DEEPER: Final = 4.0
FIRST_MOST: Final = timedelta(days=1)
LEAST: Final = timedelta(minutes=10)
MOST: Final = timedelta(days=7)
#: Factor after a visit that brought something new, and after one that did not.
SOONER, LATER = 0.6, 1.6
#: Between visits to an article; after the last one it is left alone.
ARTICLE_GAPS: Final = (timedelta(hours=1), timedelta(hours=6), timedelta(days=1), timedelta(days=7))
#: An article this many times older than a gap is not visited again after that gap: it has settled.
SETTLED: Final = 10.0
#: Failures in a row after which a feed, sitemap or hub is retired.
MAX_FAILURES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """When an address is due again."""

    interval: timedelta | None
    next_at: datetime | None
    """None: never again by itself."""
    n_failures: int = 0
    """Visits in a row."""


def plan_visit(
    kind: str | None,
    finding: Finding,
    *,
    at: datetime,
    interval: timedelta | None = None,
    n_failures: int = 0,
    age: timedelta | None = None,
    depth: int = 0,
) -> Plan:
    """Return when the address is due again after a visit.

    :param kind: ``hub``, ``feed``, ``sitemap`` or ``article``; others are visited like articles that have settled:
        not again.
    :param at: of this visit, aware.
    :param interval: that led to this visit; None for the first.
    :param n_failures: in a row, before this visit.
    :param age: of an article; None: as if published now.
    :param depth: links from the seeds; what lies deep changes less, and begins with a longer interval.
    """
    if finding in (Finding.GONE, Finding.FAILED):
        return _after_failure(kind, finding, at, interval, n_failures + 1)
    if kind in SOURCES:
        if interval is None:
            links = min(max(0, depth - 1), 9)  # no timedelta holds an hour for each of a thousand pages of a list
            new = min(FIRST * DEEPER**links, FIRST_MOST)
        else:
            new = interval * (LATER if finding is Finding.UNCHANGED else SOONER)
        new = min(max(new, LEAST), MOST)
        return Plan(interval=new, next_at=at + new)
    # An article has the next longer gap; a changed one is looked at again after the same gap, as more may come.
    for gap in ARTICLE_GAPS if kind == "article" else ():
        longer = interval is None or gap > interval or (gap == interval and finding is Finding.CHANGED)
        if longer and max(age or timedelta(), timedelta()) <= gap * SETTLED:
            return Plan(interval=gap, next_at=at + gap)
    return Plan(interval=interval if kind == "article" else None, next_at=None)


def _after_failure(
    kind: str | None, finding: Finding, at: datetime, interval: timedelta | None, n_failures: int
) -> Plan:
    """Twice the interval each time. What is gone for good is asked for once more, a source a few times."""
    limit = MAX_FAILURES if kind in SOURCES else (2 if finding is Finding.GONE else 3)
    if n_failures >= limit:
        return Plan(interval=interval, next_at=None, n_failures=n_failures)
    new = min(max(interval or FIRST, LEAST) * 2, MOST)
    return Plan(interval=new, next_at=at + new, n_failures=n_failures)
