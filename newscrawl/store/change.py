"""What a visit changed of an article: nothing, its facts, or its text."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum, auto
from math import isclose
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sqlalchemy import Row

    from newscrawl.store.records import PageRecord

#: Columns that tell of a visit, not of the article.
OF_VISIT: Final = frozenset({"fetched_at", "first_fetched_at", "run_id", "body_hash"})
_TICK: Final = timedelta(milliseconds=1)
#: Confidence depends on the pages that a model judges together, by so much.
_NOISE: Final = 1e-6


class Change(Enum):
    """What is written of an article."""

    NEW = auto()
    REVISED = auto()  # its text or headline is another: the one before is kept as a revision
    CORRECTED = auto()  # its facts are others: they are replaced
    UNCHANGED = auto()


def judge_change(record: PageRecord, row: dict[str, Any], before: Row[Any] | None) -> Change:
    """Tell whether the article is new, or its text or headline another.

    Another reading of the same bytes by the same method tells of a newer model, not of the site.
    """
    if before is None:
        return Change.NEW
    if _is_shortened(record, row, before):
        return Change.UNCHANGED
    is_same_body = row["body_hash"] is not None and row["body_hash"] == before.body_hash
    if is_same_body and row["method"] == before.method:
        return Change.UNCHANGED
    return Change.REVISED if has_other_text(row, before) else Change.UNCHANGED


def _is_shortened(record: PageRecord, row: dict[str, Any], before: Row[Any]) -> bool:
    """Tell whether the article has fewer pages than before only because a part is missing: what is stored stays."""
    return record.is_incomplete and len(row["pages"]) < len(before.pages)


def has_other_text(row: dict[str, Any], before: Row[Any]) -> bool:
    has_other_headline = row["headline"] is not None and row["headline"] != before.headline
    return row["content_hash"] != before.content_hash or has_other_headline


def is_read_anew(record: PageRecord, row: dict[str, Any], before: Row[Any] | None) -> bool:
    """Tell whether what is read now replaces what is stored, though the page be the same.

    A crawl of an address or a topic goes by the name of a host, which no named site has: the site takes its articles
    over as it reads them.
    """
    if before is None or _is_shortened(record, row, before):
        return False
    return record.anew or ("." in (before.site or "") and "." not in (row["site"] or "."))


def is_same_fact(value: Any, stored: Any) -> bool:
    """Compare a value with what came back from its column: SQLite keeps milliseconds."""
    if isinstance(value, datetime) and isinstance(stored, datetime):
        return abs(value - stored) <= _TICK
    if isinstance(value, float) and isinstance(stored, float):
        return isclose(value, stored, abs_tol=_NOISE)
    return bool(value == stored)
