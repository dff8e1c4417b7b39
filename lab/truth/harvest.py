"""A harvest against the ground truth of the site it came from.

A truth file has one JSON object for each URL of the site: ``url``, ``kind``, ``outcome`` (the acceptable ends,
``null`` for "never fetched", empty for "not judged"), and for articles ``headline``, ``text``, ``date``
(ISO 8601), ``date_tolerance_seconds``, ``authors``, ``source``, ``pages``, ``duplicate_of`` (see data/demo/README.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from newscrawl.exceptions import UserError
from newscrawl.serve.training.metrics import TextSummary, comparable, summarise, text_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

ARTICLE: Final = "article"
COPY: Final = "duplicate"
_PART: Final = "part"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredArticle:
    """An article as the harvest has it."""

    url: str
    headline: str | None = None
    text: str = ""
    date: datetime | None = None
    authors: tuple[str, ...] = ()
    """Editors left out."""
    source: str | None = None
    pages: tuple[str, ...] = ()
    duplicate_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthRow(StoredArticle):
    """What should become of an address; the article's facts where it is one."""

    kind: str
    outcomes: tuple[str | None, ...] = ()
    """Acceptable ends of a fetch; None: never fetched; empty: not judged."""
    date_tolerance_seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of a number are right."""

    right: int
    of: int

    @property
    def ratio(self) -> float:
        """0..1; 1.0 of nothing."""
        return self.right / self.of if self.of else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthReport:
    """How a harvest compares with the truth. Shares of fields are over the articles stored."""

    stored: Share
    as_copies: int
    """Articles found as a copy that is linked to another article alone."""
    open: int
    """Kept where the truth takes an article and none."""
    missing: tuple[str, ...]
    stored_twice: tuple[str, ...]
    wrongly_stored: tuple[str, ...]
    """Kept as articles although the truth has none there."""
    text: TextSummary
    headline: Share
    date: Share
    authors: Share
    source: Share
    joined: Share
    """Articles of several pages whose pages are all in it, in order."""
    outcomes: Share
    wrong_outcomes: tuple[tuple[str, str], ...]
    """URL and what became of it (``"never fetched"``), where the truth has another end."""


def read_truth(path: Path) -> tuple[TruthRow, ...]:
    """Read a truth file.

    :raises UserError: if it cannot be read or a line is not such an object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read truth file {str(path)!r}: {error}") from error
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(_row(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            message = f"{path}, line {number}: expected an object with url, kind and outcome ({error!r})"
            raise UserError(message) from error
    return tuple(rows)


def _row(data: dict[str, Any]) -> TruthRow:
    date = data.get("date")
    return TruthRow(
        url=data["url"],
        kind=data["kind"],
        outcomes=tuple(data["outcome"]),
        headline=data.get("headline"),
        text=data.get("text") or "",
        date=datetime.fromisoformat(date) if date else None,
        date_tolerance_seconds=float(data.get("date_tolerance_seconds", 60)),
        authors=tuple(data.get("authors") or ()),
        source=data.get("source"),
        pages=tuple(data.get("pages") or ()),
        duplicate_of=data.get("duplicate_of"),
    )


def compare(truth: Sequence[TruthRow], stored: Iterable[StoredArticle], outcomes: Mapping[str, str]) -> TruthReport:
    """Compare a harvest with the truth.

    An article counts as stored when it, or a copy of it, is among the stored ones; twice when two of them are
    kept, neither marked as the duplicate of the other. Schemes and final slashes of URLs make no difference.

    :param outcomes: requested URL → its end.
    """
    by_url = {_key(article.url): article for article in stored}
    articles = [row for row in truth if row.kind == ARTICLE]
    families = _families(truth)
    chosen = {row.url: _choose(families[_key(row.url)], by_url) for row in articles}
    found = [(row, article) for row in articles if (article := chosen[row.url]) is not None]
    known = {key for family in families.values() for key in family}
    open_keys = {_key(row.url) for row in truth if "stored" in row.outcomes} - known
    known |= open_keys
    ends, wrong_ends = _judge_outcomes(truth, {_key(url): end for url, end in outcomes.items()})
    joined = [(row, article) for row, article in found if len(row.pages) > 1]
    return TruthReport(
        stored=Share(right=len(found), of=len(articles)),
        as_copies=sum(article.duplicate_of is not None for _, article in found),
        open=sum(a.duplicate_of is None and key in open_keys for key, a in by_url.items()),
        missing=tuple(row.url for row in articles if chosen[row.url] is None),
        stored_twice=tuple(row.url for row in articles if _n_kept(families[_key(row.url)], by_url) > 1),
        wrongly_stored=tuple(a.url for key, a in by_url.items() if key not in known and a.duplicate_of is None),
        text=summarise([text_score(row.text, article.text) for row, article in found]),
        headline=_share(comparable(row.headline or "") == comparable(article.headline or "") for row, article in found),
        date=_share(_same_time(row, article.date) for row, article in found),
        authors=_share(_names(row.authors) == _names(article.authors) for row, article in found),
        source=_share(comparable(row.source or "") == comparable(article.source or "") for row, article in found),
        joined=_share(_keys(row.pages) == _keys(article.pages) for row, article in joined),
        outcomes=ends,
        wrong_outcomes=wrong_ends,
    )


def _families(truth: Sequence[TruthRow]) -> dict[str, list[str]]:
    """Return for each article the URLs where it may be stored: its own, its copies', and its one-page form."""
    families = {_key(row.url): [_key(row.url)] for row in truth if row.kind == ARTICLE}
    may_be_stored = {_key(row.url) for row in truth if row.kind == _PART and "stored" in row.outcomes}
    for row in truth:
        if row.kind == COPY and row.duplicate_of and _key(row.duplicate_of) in families:
            families[_key(row.duplicate_of)].append(_key(row.url))
        elif row.kind == ARTICLE:
            families[_key(row.url)] += [key for key in _keys(row.pages) if key in may_be_stored]
    return families


def _choose(family: Sequence[str], by_url: Mapping[str, StoredArticle]) -> StoredArticle | None:
    """The kept one of a family; of several, the first."""
    present = [by_url[key] for key in family if key in by_url]
    return min(present, key=lambda article: article.duplicate_of is not None, default=None)


def _n_kept(family: Sequence[str], by_url: Mapping[str, StoredArticle]) -> int:
    return sum(key in by_url and by_url[key].duplicate_of is None for key in family)


def _judge_outcomes(
    truth: Sequence[TruthRow], outcomes: Mapping[str, str]
) -> tuple[Share, tuple[tuple[str, str], ...]]:
    judged = [row for row in truth if row.outcomes]
    wrong = [
        (row.url, outcomes.get(_key(row.url), "never fetched"))
        for row in judged
        if outcomes.get(_key(row.url)) not in row.outcomes
    ]
    return Share(right=len(judged) - len(wrong), of=len(judged)), tuple(wrong)


def _key(url: str) -> str:
    return url.partition("://")[2].rstrip("/")


def _keys(urls: Iterable[str]) -> list[str]:
    return [_key(url) for url in urls]


def _names(names: Iterable[str]) -> set[str]:
    return {comparable(name) for name in names}


def _same_time(row: TruthRow, found: datetime | None) -> bool:
    if row.date is None or found is None:
        return row.date is found
    return abs((found - row.date).total_seconds()) <= row.date_tolerance_seconds


def _share(values: Iterable[bool]) -> Share:
    judged = list(values)
    return Share(right=sum(judged), of=len(judged))
