"""What a killed and resumed crawl must have in common with one that ran through."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from newscrawl.store.engine import make_engine
from newscrawl.store.schema import article_revisions, articles, frontier, frontier_hosts, frontier_workers, pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a database holds at the end."""

    bodies: dict[str, str]
    """URL of an article → hash of its text."""
    outcomes: dict[str, str]
    n_twice: int
    """Texts stored as new more than once, and articles with a second revision of an unchanged text."""
    n_remembered: int
    """Texts that site memory has changed."""
    n_stuck: int
    """Requests queued or leased, hosts leased, workers on the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    lost: int
    changed: int
    """Articles with another text than in the crawl that ran through, e.g. without a part."""
    wrong: int
    """Addresses with another outcome, or none."""
    twice: int
    stuck: int

    @property
    def is_none(self) -> bool:
        return not (self.lost or self.changed or self.wrong or self.twice or self.stuck)


def result(database: str) -> Result:
    engine = make_engine(database)
    with engine.connect() as connection:
        kept = articles.c.duplicate_of.is_(None)
        columns = (articles.c[name] for name in ("url", "content_hash", "field_sources"))
        rows = connection.execute(select(*columns).where(kept)).all()
        n_revisions = connection.execute(select(func.count()).select_from(article_revisions)).scalar_one()
        ended = connection.execute(select(pages.c.url, pages.c.outcome)).all()
        open_rows = select(func.count()).select_from(frontier).where(frontier.c.state.in_(["queued", "leased"]))
        leased = select(func.count()).select_from(frontier_hosts).where(frontier_hosts.c.worker_id.is_not(None))
        workers = select(func.count()).select_from(frontier_workers)
        n_stuck = sum(connection.execute(query).scalar_one() for query in (open_rows, leased, workers))
    engine.dispose()
    bodies = {row.url: row.content_hash for row in rows}
    return Result(
        bodies=bodies,
        outcomes={row.url: row.outcome for row in ended},
        n_twice=len(rows) - len(set(bodies.values())) + n_revisions,
        n_remembered=sum("site memory" in row.field_sources.get("articleBody", "") for row in rows),
        n_stuck=n_stuck,
    )


def compare(found: Result, expected: Result) -> Difference:
    urls = expected.outcomes.keys() | found.outcomes.keys()
    return Difference(
        lost=len(expected.bodies.keys() - found.bodies.keys()),
        changed=sum(found.bodies.get(url, body) != body for url, body in expected.bodies.items()),
        wrong=sum(expected.outcomes.get(url) != found.outcomes.get(url) for url in urls),
        twice=found.n_twice,
        stuck=found.n_stuck,
    )
