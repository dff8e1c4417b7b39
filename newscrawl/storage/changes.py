"""Articles that came, changed or vanished since a cursor: for those who keep a copy of what was harvested."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from newscrawl.exceptions import UserError
from newscrawl.fields import KEPT_ARTICLE
from newscrawl.storage.export import Selection
from newscrawl.storage.rows import field_value
from newscrawl.storage.schema import articles

if TYPE_CHECKING:
    from sqlalchemy import Connection

#: Articles of one answer, at most.
MOST: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    articles: tuple[dict[str, Any], ...]
    """By field name, as they are now, in the order of their last change; ``goneAt`` says which vanished."""
    cursor: str
    """What to ask for next. Nothing comes before it later: writers of articles commit one after another."""
    has_more: bool


def changes_since(
    connection: Connection, cursor: str = "", *, limit: int = 100, selection: Selection | None = None
) -> Changes:
    """Return the articles whose last change came after the cursor; from the first one on, where it is empty.

    :param selection: which articles; its ``after`` is the cursor's.
    :raises UserError: for a cursor that none of these gave.
    """
    if cursor and not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 18):
        raise UserError(f"cursor {cursor[:40]!r} is not accepted; give the one of the answer before, or none")
    chosen = replace(selection or Selection(duplicates=True), after=int(cursor or 0))
    n = max(1, min(limit, MOST))
    columns = [articles.c[field.column].label(name) for name, field in KEPT_ARTICLE.items()]
    number = articles.c.change_number
    query = select(*columns, number.label("number")).where(chosen.condition()).order_by(number).limit(n + 1)
    rows = connection.execute(query).mappings().all()
    found = tuple({name: field_value(field, row[name]) for name, field in KEPT_ARTICLE.items()} for row in rows[:n])
    return Changes(
        articles=found,
        cursor=str(rows[:n][-1]["number"]) if rows else cursor,
        has_more=len(rows) > n,
    )
