"""What every page of the server works with: the database, the readers of pages, the folders, the secrets."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sqlalchemy.exc import DataError
from starlette.concurrency import run_in_threadpool

from newscrawl.console.program import as_typed
from newscrawl.console.wording import quantity
from newscrawl.exceptions import StorageError, UserError
from newscrawl.outcomes import Rejection
from newscrawl.page.packed import UnpackError
from newscrawl.read.model import RawPage, Reading, Wants, site_facts
from newscrawl.read.pool import Readers, UnreadableError
from newscrawl.serve.safety import Keys, Rates, RefusedError
from newscrawl.serve.search.index import catch_up, count_unindexed
from newscrawl.serve.search.search import Found, search
from newscrawl.serve.search.tables import has_index, prepare
from newscrawl.serve.stories import catch_up as group_stories
from newscrawl.sites import named_site, site_at
from newscrawl.store.engine import make_engine, parse_url, reported, shown_url, writing
from newscrawl.store.migrations import SCHEMA_VERSION, current_version, is_there, migrate, refuse_other_files
from newscrawl.warc.archive import WarcArchive
from newscrawl.warc.pages import archived_page

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Future

    from sqlalchemy import Connection, Engine
    from starlette.requests import Request

    from newscrawl.serve.search.query import Query
    from newscrawl.sites.model import NewsSite
    from newscrawl.warc.archive import Answer

T = TypeVar("T")

logger = logging.getLogger(__name__)

MAX_PAGE: Final = 16 * 2**20
READ_SECONDS: Final = 20.0
READER_MEGABYTES: Final = 1024
INDEX_SECONDS: Final = 5.0
"""In which a search waits for what was stored since the last one; the rest is indexed beside it."""
MAX_SAID: Final = 400
"""Bytes at the end of a crawl's log in which its last line is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What ``scrapy serve`` was started with."""

    database: str
    allow_changes: bool = False
    token: str | None = None
    names: frozenset[str] = frozenset()
    sites: Path = Path("data/sites")
    """Folder of the user's sites, and of models for sites."""
    labels: Path = Path("data/labels")
    logs: Path = Path("logs")
    """Folder of the logs of crawls that are started here."""
    schedule: Path = Path("schedule.toml")
    archives: tuple[Path, ...] = ()
    """WARC files that hold the pages behind the articles."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Handed on to what is fetched."""
    wants: Wants = field(default_factory=lambda: Wants(blocks=True, any_type=True))


class Collection(NamedTuple):
    """Pages that are fetched to be labelled."""

    task: asyncio.Task[None]
    failures: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A crawl that was started here."""

    name: str
    started_at: datetime
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def status(self) -> int | None:
        """Its exit status; None while it goes on."""
        return self.process.poll()

    @property
    def last_line(self) -> str:
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - MAX_SAID))
                return as_typed((file.read().decode("utf-8", "replace").strip().splitlines() or [""])[-1])
        except OSError:
            return ""  # somebody cleared the logs away


class Desk:
    """Opened when the server starts, closed when it ends.

    :raises UserError: the database or an archive is not there.
    """

    def __init__(self, options: Options) -> None:
        if not is_there(options.database):
            raise UserError(
                f"no database {shown_url(parse_url(options.database))!r}: harvest first, or give --database URL"
            )
        self.options = options
        self.keys = Keys(options.token)
        self.rates = Rates()
        self._readers: dict[tuple[Wants, float], Readers] = {}
        self.started: dict[str, Started] = {}
        self.collections: dict[str, Collection] = {}
        """Pages being fetched for labelling, by site."""
        refuse_other_files(options.database)
        _update(options.database)
        self.engine: Engine = make_engine(options.database, read_only=True)
        self.archive = WarcArchive(options.archives) if options.archives else None
        # What a thread starts has the priority that the thread has: this one keeps what the server was started with.
        self.launcher = ThreadPoolExecutor(1, thread_name_prefix="launcher")
        self.launcher.submit(int).result()
        self.indexer = ThreadPoolExecutor(1, thread_name_prefix="indexer")
        self._indexing: Future[None] | None = None
        self._is_closing = False

    @cached_property
    def writer(self) -> Engine:
        return make_engine(self.options.database)

    async def readers(self, site: str | None) -> Readers:
        """Return a process that reads the pages of a site, by its own model if it has one.

        What a page costs, it costs that process.
        """
        wants = self.options.wants.of_site(site)
        is_own = wants.classifier != self.options.wants.classifier
        changed = Path(wants.classifier).stat().st_mtime if is_own else 0.0  # noqa: ASYNC240 (one small file)
        if (wants, changed) not in self._readers:
            outdated = [self._readers.pop(key) for key in list(self._readers) if key[0] == wants]  # trained anew since
            made = Readers(wants, n=1, seconds=READ_SECONDS, megabytes=READER_MEGABYTES)
            self._readers[wants, changed] = made
            for readers in outdated:
                await readers.close()
        return self._readers[wants, changed]

    async def close(self) -> None:
        self._is_closing = True
        for pool in (self.launcher, self.indexer):
            pool.shutdown()
        self.engine.dispose()
        if "writer" in self.__dict__:
            self.writer.dispose()
        for readers in self._readers.values():
            await readers.close()
        if self.archive is not None:
            self.archive.close()

    async def ask(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Call ``function(connection, …)`` in a thread of its own, on a connection that cannot write.

        :raises RefusedError: what is asked for is no value of the database's: a number too large, a text with NUL.
        """

        def call() -> T:
            with reported(self.engine), self.engine.connect() as connection, _storable():
                return function(connection, *arguments, **named)

        return await run_in_threadpool(call)

    async def search(self, query: Query, *, limit: int, offset: int) -> Found:
        """Return the articles that match, those among them that a crawl has stored meanwhile."""
        if self._indexing is None or self._indexing.done():
            self._indexing = self.indexer.submit(self._catch_up)
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._indexing)), INDEX_SECONDS)
        found: Found = await self.ask(search, query, limit=limit, offset=offset)
        n_left = 0 if self._indexing.done() else await self.ask(count_unindexed)
        if not n_left:
            return found
        note = f"{quantity(n_left, 'article')} not in the index yet: search again in a while"
        return replace(found, notes=(*found.notes, note))

    def _catch_up(self) -> None:
        """Index what changed."""
        try:
            for _ in catch_up(self.writer):
                if self._is_closing:
                    return
        except StorageError as error:  # what is indexed can be searched
            logger.warning("The index is not up to date: %s", error)

    async def group(self) -> None:
        """Group what came since the last time into stories; a database that cannot be written is shown as it is."""

        def call() -> None:
            try:
                group_stories(self.writer)
            except StorageError as error:
                logger.warning("The stories are not up to date: %s", error)

        await run_in_threadpool(call)

    async def change(self, function: Callable[[Connection], T]) -> T:
        """Call the function in a writing transaction.

        :raises RefusedError: the server was started to show only, or what is given is no value of the database's.
        """
        self.check_changes()

        def call() -> T:
            with reported(self.writer), _storable(), writing(self.writer) as connection:
                return function(connection)

        return await run_in_threadpool(call)

    def check_changes(self) -> None:
        """:raises RefusedError: the server was started to show only."""
        if not self.options.allow_changes:
            raise RefusedError("this server only shows: start it with --allow-changes", 403)

    def note(self, request: Request, what: str) -> None:
        """Say in the server's log who changed what."""
        client = request.client.host if request.client else "?"
        logger.info("%s: %s", client, ascii(what)[1:-1])  # one line, whatever a client sent

    async def read(self, page: RawPage) -> Reading:
        """Read a page as the crawl does: an article of it whatever its type, and its blocks.

        :raises RefusedError: the page costs too much.
        """
        try:
            readers = await self.readers(page.site.name)
            return await readers.read(page)
        except UnreadableError as error:
            raise RefusedError(f"the page cannot be read: {error.detail}", 422) from None

    def given(self, body: bytes | str, url: str | None, content_type: str | None = None) -> RawPage:
        """Return a page that a client sent, with what its site says of it."""
        facts = site_facts(None if url is None else self.site_at(url), url)
        return RawPage(body=body, url=url, fetched_at=datetime.now(UTC), content_type=content_type, site=facts)

    def recorded(self, answer: Answer) -> RawPage:
        """Return an archived page.

        :raises RefusedError: it is none.
        """
        try:
            page = archived_page(answer, site_at=self.site_at, max_bytes=MAX_PAGE, now=datetime.now(UTC))
        except UnpackError as error:
            page = Rejection(str(error))
        if not isinstance(page, RawPage):
            raise RefusedError(f"the answer is no page: {page}", 422)
        return page

    def site_at(self, url: str) -> NewsSite | None:
        return site_at(url, self.options.sites)

    def declared_feeds(self, name: str) -> tuple[str, ...]:
        """Return the feeds that a site's file, or the catalogue, names."""
        try:
            site = named_site(name, self.options.sites)
        except UserError:  # its own crawl tells of the mistakes
            return ()
        return site.feeds if site else ()

    def archived(self, url: str) -> Answer | None:
        return None if self.archive is None else self.archive.get(url)


@contextmanager
def _storable() -> Iterator[None]:
    try:
        yield
    except (DataError, OverflowError):
        raise RefusedError("nothing can be stored under that", 404) from None


def _update(database: str) -> None:
    """Give an older database what it lacks, as each command does; one that is current is not written to."""
    engine = make_engine(database, read_only=True)
    with reported(engine), engine.connect() as connection:
        is_current = current_version(connection) == SCHEMA_VERSION
        is_ready = is_current and has_index(connection)
    engine.dispose()
    if is_ready:
        return
    engine = make_engine(database)
    migrate(engine)
    prepare(engine)
    engine.dispose()
