from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import UserError
from newscrawl.outcomes import Outcome
from newscrawl.storage import PageRecord
from newscrawl.storage.batch import write_batch
from newscrawl.storage.changes import Changes, changes_since
from newscrawl.storage.engine import make_engine, writing
from newscrawl.storage.export import Selection
from newscrawl.storage.migrations import migrate
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    """Three articles."""
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored(f"https://e.org/{i}", chinese(i)) for i in range(3)])
        yield connection
    engine.dispose()


def names(changes: Changes) -> str:
    return "".join(article["url"][-1] for article in changes.articles)


def test_that_answers_join(connection: Connection) -> None:
    first = changes_since(connection, limit=2)
    assert (names(first), first.has_more) == ("01", True)
    second = changes_since(connection, first.cursor, limit=2)
    assert (names(second), second.has_more) == ("2", False)
    last = changes_since(connection, second.cursor)
    assert (last.articles, last.cursor, last.has_more) == ((), second.cursor, False)


def test_that_what_changed_and_what_vanished_comes_again(connection: Connection) -> None:
    cursor = changes_since(connection).cursor
    later = NOW + timedelta(days=1)
    gone = PageRecord(url="https://e.org/2", outcome=Outcome.HTTP_ERROR, status=404, fetched_at=later)
    same = stored("https://e.org/0", chinese(0), fetched_at=later)
    write_batch(connection, [same, stored("https://e.org/1", chinese(9), fetched_at=later), gone])
    found = changes_since(connection, cursor)
    assert names(found) == "12"
    assert [(one["revision"], one["goneAt"]) for one in found.articles] == [(2, None), (1, later)]


def test_that_a_selection_narrows_it(connection: Connection) -> None:
    write_batch(connection, [stored("https://o.org/4", chinese(0), site="other")])
    assert names(changes_since(connection)) == "0124"
    assert names(changes_since(connection, selection=Selection())) == "012"
    assert names(changes_since(connection, "1", selection=Selection(site="other", duplicates=True))) == "4"


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "９", "9" * 30])
def test_that_another_cursor_is_refused(connection: Connection, cursor: str) -> None:
    with pytest.raises(UserError, match="is not accepted"):
        changes_since(connection, cursor)
