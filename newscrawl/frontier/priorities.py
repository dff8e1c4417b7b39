"""New priorities for what is queued."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, update

from newscrawl.storage.schema import frontier
from newscrawl.storage.states import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection


def change_priorities(connection: Connection, crawl_id: int, priorities: Mapping[bytes, int]) -> int:
    """Change the queued rows of these fingerprints; return how many there were."""
    if not priorities:
        return 0
    where = (
        frontier.c.crawl_id == crawl_id,
        frontier.c.fingerprint == bindparam("b_fingerprint"),
        frontier.c.state == State.QUEUED,
    )
    change = update(frontier).where(*where).values(priority=bindparam("b_priority"))
    rows = [{"b_fingerprint": key, "b_priority": value} for key, value in priorities.items()]
    return connection.execute(change, rows).rowcount
