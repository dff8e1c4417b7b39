"""Frontiers for tests: a crawl in a database, queued into and leased from without Scrapy."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from newscrawl.frontier.leasing import Order, Supply, lease
from newscrawl.frontier.membership import join
from newscrawl.frontier.records import QueueRecord, RequestEnd
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.schema import frontier
from newscrawl.store.storage import write_batch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.frontier.model import Membership


def fingerprint(url: str) -> bytes:
    return hashlib.sha1(url.encode(), usedforsecurity=False).digest()[:16]


class Crawl:
    """One crawl of a database."""

    def __init__(self, database: str, name: str = "test") -> None:
        self.engine = make_engine(database)
        migrate(self.engine)
        self.name = name
        self.member = self.join()

    def join(self, *, lease_seconds: float = 60) -> Membership:
        """Add a worker."""
        with writing(self.engine) as connection:
            return join(connection, self.name, lease_seconds)[0]

    def record(self, url: str, priority: int = 0, **fields: Any) -> QueueRecord:
        given: dict[str, Any] = {
            "crawl_id": self.member.crawl_id,
            "pass_number": self.member.pass_number,
            "host": url.split("/")[2],
            "fingerprint": fingerprint(url),
            "url": url,
            "priority": priority,
            "request": "{}",
        }
        return QueueRecord(**(given | fields))

    def queue(self, *urls: str | tuple[str, int], **fields: Any) -> list[bool]:
        pairs = [(url, 0) if isinstance(url, str) else url for url in urls]
        with writing(self.engine) as connection:
            answers: list[bool] = write_batch(connection, [self.record(url, n, **fields) for url, n in pairs])
        return answers

    def lease(self, member: Membership | None = None, *, batch: int = 100, **fields: Any) -> Supply:
        given: dict[str, Any] = {"member": member or self.member, "batch": batch, "max_hosts": 100}
        with writing(self.engine) as connection:
            return lease(connection, Order(**(given | fields)))

    def ended(self, row: Any) -> RequestEnd:
        return RequestEnd(row_id=row.id, worker_id=self.member.worker_id)

    def end(self, rows: Iterable[Any]) -> None:
        with writing(self.engine) as connection:
            write_batch(connection, [self.ended(row) for row in rows])

    def states(self) -> dict[str, str]:
        with self.engine.connect() as connection:
            rows = connection.execute(select(frontier.c.url, frontier.c.state).order_by(frontier.c.id))
            return {row.url: row.state for row in rows}

    def close(self) -> None:
        self.engine.dispose()


def urls_of(supply: Supply) -> list[str]:
    return [row.url for row in supply.rows]
