"""The end of a lease: done or failed. Written in the transaction of what the page stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from sqlalchemy import bindparam, or_, update

from newscrawl.outcomes import Outcome
from newscrawl.store.columns import State
from newscrawl.store.engine import began, execute_many
from newscrawl.store.records import SideRecord
from newscrawl.store.schema import frontier

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from sqlalchemy import Connection

    from newscrawl.store.records import RecordEnd

#: Endings after which asking again may help.
_FAILED = frozenset({Outcome.FAILED, Outcome.HTTP_ERROR})


_END: Final = (
    update(frontier)
    .where(frontier.c.id == bindparam("b_id"), frontier.c.worker_id == bindparam("b_worker"))
    .values(worker_id=None, state=bindparam("state"), reason=bindparam("reason"), ended_at=bindparam("ended_at"))
)
_SETTLE: Final = (
    update(frontier)
    .where(
        frontier.c.crawl_id == bindparam("b_crawl"),
        frontier.c.fingerprint == bindparam("b_fingerprint"),
        or_(frontier.c.state == State.QUEUED, frontier.c.state == State.LEASED),
    )
    .values(worker_id=None, state=State.DONE, reason=str(Outcome.PART), ended_at=bindparam("b_ended_at"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement(SideRecord):
    """The end of a leased row. Without a reason of its own, it gets the outcome of its page.

    It changes nothing once the row is another worker's: this worker was silent for too long.
    """

    row_id: int
    worker_id: int
    state: State = State.DONE
    reason: str | None = None

    def judged(self, verdict: RecordEnd) -> Self:
        return self if self.reason else replace(self, reason=str(verdict.outcome))

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[None]:
        moment = began(connection)
        first = {record.row_id: record for record in reversed(records)}  # which ends the lease
        rows = [
            {
                "b_id": row_id,
                "b_worker": record.worker_id,
                "state": record.state,
                "reason": record.reason,
                "ended_at": moment,
            }
            for row_id, record in sorted(first.items())  # in one order: no deadlocks
        ]
        execute_many(connection, _END, rows)
        return [None] * len(records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement(SideRecord):
    """The end of an address, whoever leases it, if the frontier knows it: its page is stored with another one."""

    rank: ClassVar[int] = 1  # after the ends of leases: what one of them says of the address counts

    crawl_id: int
    fingerprint: bytes

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[None]:
        moment = began(connection)
        keys = sorted({(record.crawl_id, record.fingerprint) for record in records})  # in one order: no deadlocks
        rows = [{"b_crawl": crawl, "b_fingerprint": key, "b_ended_at": moment} for crawl, key in keys]
        execute_many(connection, _SETTLE, rows)
        return [None] * len(records)


def acknowledgement(row_id: int, worker_id: int, outcome: Outcome, reason: str | None = None) -> Acknowledgement:
    state = State.FAILED if outcome in _FAILED else State.DONE
    said = ":".join(filter(None, (str(outcome), reason)))[:200]
    return Acknowledgement(row_id=row_id, worker_id=worker_id, state=state, reason=said)
