"""Bringing the index up to date before a search, with a line that says how far it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from newscrawl.console.command import make_console
from newscrawl.console.wording import quantity
from newscrawl.exceptions import StorageError
from newscrawl.serve.search.index import catch_up, count_unindexed
from newscrawl.serve.search.tables import prepare

if TYPE_CHECKING:
    from sqlalchemy import Engine

#: Articles whose indexing takes so long that its progress is shown.
_MANY: Final = 1000


def bring_up_to_date(engine: Engine) -> int:
    """Index what changed; return how many articles that were. A database that cannot be written is searched as it is.

    :raises StorageError: the database has no index, and none can be made.
    """
    prepare(engine)
    with engine.connect() as connection:
        n_all = count_unindexed(connection)
    try:
        return _index_all(engine, n_all)
    except StorageError as error:
        sys.stderr.write(f"{quantity(n_all, 'article is', 'articles are')} not in the index yet: {error}\n")
        return 0


def _index_all(engine: Engine, n_all: int) -> int:
    if n_all < _MANY:
        return sum(catch_up(engine))
    n_done = 0
    with make_console(stderr=True).status("") as status:
        for n in catch_up(engine):
            n_done += n
            status.update(f"{n_done:,} of {quantity(n_all, 'article')} indexed")
    return n_done
