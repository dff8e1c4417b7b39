"""What ``scrapy report --truth`` adds: the harvest in a database beside the ground truth."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from lab.truth.harvest import StoredArticle, compare, read_truth
from newscrawl.serve.reports.harvest import author_names
from newscrawl.serve.reports.page import percent
from newscrawl.serve.reports.report import Comparison, Fact
from newscrawl.store.schema import articles, pages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sqlalchemy import Connection

    from lab.truth.harvest import Share, TruthReport

LISTED_FAULTS: Final = 20
_GOOD: Final = 0.95
_NAMES: Final = {
    "headline": ("headlines right", " articles found"),
    "date": ("dates right", " articles found"),
    "authors": ("authors right", " articles found"),
    "source": ("sources right", " articles found"),
    "joined": ("multi-page articles whole", " found"),
    "outcomes": ("addresses that ended as they should", " whose end the truth states"),
}


def compare_with_truth(truth: Path, connection: Connection) -> Comparison:
    """Compare what the database holds with the truth.

    :raises UserError: the file cannot be read.
    """
    return comparison(compare(read_truth(truth), *_read_articles(connection)))


def comparison(found: TruthReport) -> Comparison:
    return Comparison(facts=_facts(found), faults=_faults(found), figures=asdict(found))


def _read_articles(connection: Connection) -> tuple[tuple[StoredArticle, ...], dict[str, str]]:
    """Return what is compared with the ground truth: every article, and address → outcome."""
    stored = tuple(_article_of(row) for row in connection.execute(select(articles)).mappings())
    ends: dict[str, str] = {}
    for row in connection.execute(select(pages.c.url, pages.c.requested_url, pages.c.outcome)):
        ends.setdefault(row.requested_url or row.url, row.outcome)
        ends[row.url] = row.outcome
    return stored, ends


def _article_of(row: Mapping[Any, Any]) -> StoredArticle:
    return StoredArticle(
        url=row["url"],
        headline=row["headline"],
        text=row["article_body"],
        date=_moment(row["date_published"]),
        authors=author_names(row),
        source=row["source"],
        pages=tuple(row["pages"]),
        duplicate_of=row["duplicate_of"],
    )


def _moment(text: str | None) -> datetime | None:
    """Read the ISO 8601 text of ``articles.date_published``; a day alone is its midnight, UTC."""
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _facts(truth: TruthReport) -> list[Fact]:
    """Return the comparison with the truth, one row a measure."""
    text = truth.text
    note = f"shared runs of four characters; precision {text.precision:.4f}, recall {text.recall:.4f}"
    found = _share("articles of the truth found", truth.stored)
    kept = truth.stored.right - truth.as_copies
    more = f"; {truth.open:,} more stored of pages that the truth leaves open" if truth.open else ""
    return [
        found._replace(note=f"{found.note}: {kept:,} stored, {truth.as_copies:,} set aside as copies{more}"),
        Fact("stored twice", str(len(truth.stored_twice)), "articles kept at two addresses", not truth.stored_twice),
        Fact("wrongly stored", str(len(truth.wrongly_stored)), "pages that are no articles", not truth.wrongly_stored),
        Fact("text F1", f"{text.f1:.4f}", note, text.f1 >= _GOOD),
        *(_share(name, getattr(truth, field), what) for field, (name, what) in _NAMES.items()),
    ]


def _share(name: str, share: Share, what: str = "") -> Fact:
    return Fact(name, percent(share.ratio), f"{share.right} of {share.of}{what}", share.ratio >= _GOOD)


def _faults(truth: TruthReport) -> dict[str, list[str]]:
    wrong_ends = [f"{url}: {end}" for url, end in truth.wrong_outcomes]
    lists = {
        "Not stored": truth.missing,
        "Stored twice": truth.stored_twice,
        "Wrongly stored": truth.wrongly_stored,
        "Ended otherwise": wrong_ends,
    }
    return {name: list(urls[:LISTED_FAULTS]) for name, urls in lists.items() if urls}
