"""The database's time."""

from __future__ import annotations

import time

from newscrawl.store.engine import began, make_engine, now, writing


def test_one_time_for_what_a_transaction_notes_and_the_clock_for_what_it_waits_for(database: str) -> None:
    engine = make_engine(database)
    with writing(engine) as connection:
        first, before = began(connection), now(connection)
        time.sleep(0.01)
        assert began(connection) == first <= before < now(connection)
    with writing(engine) as connection:
        assert began(connection) > before
    engine.dispose()
