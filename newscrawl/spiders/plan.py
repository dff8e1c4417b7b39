"""What a dry run answers: the addresses a harvest would ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from newscrawl.links.rules import UrlDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedUrl:
    """One address that would be asked for; an item, so that ``-O plan.jsonl`` writes it."""

    url: str
    kind: str
    why: str
    source: str
    """``sitemap``, ``feed`` or ``link``."""
    found_on: str | None = None
    date: str | None = None
    priority: int = 0

    @classmethod
    def of(cls, url: str, decision: UrlDecision, *, source: str, found_on: str | None, date: str | None = None) -> Self:
        return cls(
            url=url,
            kind=str(decision.kind),
            why=decision.why,
            source=source,
            found_on=found_on,
            date=date,
            priority=decision.priority,
        )
