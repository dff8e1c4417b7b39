"""The days of a list's stories, where a harvest asks for those since some day."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from newscrawl.hubs.read import read_records
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from datetime import datetime

    from newscrawl.dom.document import Document

DATED_SHARE: Final = 0.8
"""Where fewer stories of a list have a date, those there are may be days that the stories tell of."""
SLACK: Final = timedelta(days=1)
"""The list's clock may be in another time zone."""


def last_days(document: Document, url: str | None, fetched_at: datetime) -> dict[str, date]:
    """Return canonical address → the last day on which a story that the page lists can have been published."""
    records = read_records(document, url, fetched_at)
    sizes = Counter(record.group for record in records)
    dated = Counter(record.group for record in records if record.date)
    return {
        address: date.fromisoformat(record.date[:10]) + SLACK
        for record in records
        if record.date
        and dated[record.group] >= DATED_SHARE * sizes[record.group]
        and (address := canonicalize(record.url))
    }
