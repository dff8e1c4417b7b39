"""What is remembered of each host, shared by all workers: its articles' lines, changes of template, robots.txt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    delete,
    false,
    insert,
    or_,
    select,
    update,
)

from newscrawl.sites.memory import MAX_HOSTS, HostMemory, settle_host
from newscrawl.sites.shown import address_key
from newscrawl.store.columns import Json, UtcTime, among, storable, storable_row, stored_url
from newscrawl.store.engine import execute_many, upsert, write_alone
from newscrawl.store.records import SideRecord
from newscrawl.store.schema import articles, frontier_workers, id_column, metadata, sites
from newscrawl.urls.domains import site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Connection, Row, Select

    from newscrawl.sites.memory import Drift
    from newscrawl.sites.sightings import Sighting
    from newscrawl.store.records import PageRecord, RecordEnd

    Seen = Callable[[bytes], Iterable[Sighting]]

#: Articles of a host that its memory learns from in a harvest: those with the smallest keys, which are the same in any
#: order.
MAX_LEARNT: Final = 4096
#: Articles that are looked at together.
CHUNK: Final = 200
MAX_DRIFTS = 10

article_lines = Table(  # while a harvest goes on: what its articles' texts are judged by once more at its end
    "article_lines",
    metadata,
    id_column(),
    Column("crawl_id", Integer, nullable=False),  # 0: of no frontier
    Column("host", Text, nullable=False),
    Column("key", BigInteger, nullable=False),
    Column("url", Text, nullable=False),
    Column("packed", LargeBinary, nullable=False),
    Column("is_settled", Boolean, nullable=False, server_default=false()),
    Index(None, "key"),
    Index(None, "crawl_id", "host", "key"),
)

site_memories = Table(
    "site_memories",
    metadata,
    Column("host", Text, primary_key=True),
    Column("n_pages", Integer, nullable=False),
    Column("state", Json, nullable=False),  # newscrawl.sites.memory.HostMemory
    Column("updated_at", UtcTime, nullable=False),
)

site_drifts = Table(
    "site_drifts",
    metadata,
    id_column(),
    Column("host", Text, nullable=False),
    Column("reason", Text, nullable=False),  # "places", "length", "list", "rule", "kinds"
    Column("old", Text, nullable=False),  # the rule that no longer holds
    Column("new", Text, nullable=False),
    Column("n_pages", Integer, nullable=False),  # articles, visits or stories behind the old rule
    Column("noticed_at", UtcTime, nullable=False),
    Column("run_id", ForeignKey("runs.id")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesRecord(SideRecord):
    """The lines of an article, written with it: a crawl that is killed knows of its hosts what it knew."""

    crawl_id: int
    host: str
    url: str
    packed: bytes
    """By :func:`newscrawl.read.memory.pack_lines`."""
    is_wanted: bool = False

    def judged(self, record: PageRecord, verdict: RecordEnd) -> LinesRecord:
        """Leave out articles whose text is not written: what is stored of them comes from another visit."""
        return replace(self, is_wanted=verdict.change in {"new", "changed"})

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[LinesRecord]) -> Sequence[Any]:
        last = {address_key(record.url): record for record in records if record.is_wanted}
        rows = [
            {"crawl_id": one.crawl_id, "host": storable(one.host), "key": key, "url": stored_url(one.url)}
            | {"packed": one.packed}
            for key, one in sorted(last.items())
        ]
        if rows:
            connection.execute(_FORGET, {"b_keys": list(last)})
            execute_many(connection, _NEW, rows)
        return [None] * len(records)


def load_memories(connection: Connection) -> dict[str, HostMemory]:
    """Return the memories changed last, at most ``MAX_HOSTS``; a state of another version is left out."""
    return _read(connection, select(site_memories).order_by(site_memories.c.updated_at.desc()).limit(MAX_HOSTS))


def _read(connection: Connection, query: Select[Any]) -> dict[str, HostMemory]:
    found = {}
    for row in connection.execute(query):
        try:
            found[row.host] = HostMemory.from_state(row.state)
        except ValueError:
            continue
    return found


def unsettled_hosts(connection: Connection, crawl_id: int) -> list[str]:
    """Return the hosts of a crawl with articles that came since their texts were settled."""
    return sorted(
        connection.execute(
            _there(crawl_id, article_lines.c.host).where(~article_lines.c.is_settled).distinct()
        ).scalars()
    )


def host_memory(
    connection: Connection, crawl_id: int, host: str, seen: Seen
) -> tuple[HostMemory, frozenset[int | None]]:
    """Return what is known of a host when the articles of the crawl are counted, and which addresses are counted.

    :param seen: returns what the packed lines of an article say about its host.
    """
    memory = _read(connection, select(site_memories).where(site_memories.c.host == host)).get(host, HostMemory())
    query = _there(crawl_id, article_lines.c.packed).where(article_lines.c.host == host).order_by(article_lines.c.key)
    packed = connection.execute(query.limit(MAX_LEARNT)).scalars()
    return memory, settle_host(host, memory, chain.from_iterable(map(seen, packed)))


def lines_after(connection: Connection, crawl_id: int, host: str, key: int) -> list[Row[Any]]:
    """Return the next articles of a host in the order of their keys, with their lines and what is stored of them."""
    lines, columns = article_lines.c, ("headline", "content_hash", "field_sources", "duplicate_of")
    wanted = lines.id, lines.key, lines.packed, lines.url, *(articles.c[name] for name in columns)
    query = _there(crawl_id, *wanted).where(lines.host == host, lines.key > key)
    return list(connection.execute(query.order_by(lines.key).limit(CHUNK)))


def _there(crawl_id: int, *columns: Any) -> Select[Any]:
    """Return the query for columns of the lines of a crawl's articles that are there: others teach nothing."""
    lines = select(*columns).join(articles, articles.c.url == article_lines.c.url)
    return lines.where(article_lines.c.crawl_id == crawl_id, articles.c.gone_at.is_(None))


def note_settled(connection: Connection, ids: Sequence[int]) -> None:
    """Note that the texts of these articles are as their host's memory has them."""
    connection.execute(_SETTLED, {"b_ids": list(ids)})


def unsettle(connection: Connection, urls: Sequence[str]) -> None:
    """Note that articles are none any more: what is known of their hosts is another."""
    hosts = select(article_lines.c.host).where(among(article_lines.c.url, "b_urls"))
    texts = update(article_lines).where(article_lines.c.host.in_(hosts)).values(is_settled=False)
    connection.execute(texts, {"b_urls": list(urls)})


def close_memory(connection: Connection, crawl_id: int, seen: Seen) -> None:
    """Keep what is known of the crawl's hosts, and no more, when its last worker has left."""
    write_alone(connection)
    workers = select(frontier_workers.c.id).where(frontier_workers.c.crawl_id == crawl_id)
    if connection.execute(workers).first() is not None:
        return
    of_crawl = article_lines.c.crawl_id == crawl_id
    hosts = sorted(connection.execute(select(article_lines.c.host).where(of_crawl).distinct()).scalars())
    now = datetime.now(UTC)
    rows = []
    for host in hosts:
        memory, _ = host_memory(connection, crawl_id, host, seen)
        rows.append({"host": host, "n_pages": memory.n_pages, "state": memory.to_state(), "updated_at": now})
    upsert(connection, site_memories, rows, "host")
    connection.execute(delete(article_lines).where(of_crawl))


_NEW: Final = insert(article_lines)
_FORGET: Final = delete(article_lines).where(among(article_lines.c.key, "b_keys"))
_SETTLED: Final = update(article_lines).where(among(article_lines.c.id, "b_ids")).values(is_settled=True)


def add_drift(connection: Connection, drift: Drift, run_id: int | None) -> None:
    values = {name: storable(getattr(drift, name)) for name in ("host", "reason", "old", "new")}
    connection.execute(
        site_drifts.insert().values(**values, n_pages=drift.n_pages, noticed_at=datetime.now(UTC), run_id=run_id)
    )


def drifts_of(
    connection: Connection, site: str | None = None, *, since: datetime | None = None, most: int = MAX_DRIFTS
) -> tuple[dict[str, Any], ...]:
    """Return what was noticed of hosts, the newest first.

    :param site: the site whose hosts are meant; None: all.
    """
    noticed = select(site_drifts).order_by(site_drifts.c.id.desc())
    if since is not None:
        noticed = noticed.where(site_drifts.c.noticed_at >= since)
    if site is not None:
        hosts = connection.execute(select(sites.c.hosts).where(sites.c.name == site)).scalar() or []
        below = [site_drifts.c.host.endswith(host, autoescape=True) for host in hosts if host.startswith(".")]
        names = {host.lstrip(".") for host in hosts}
        owned = {site_of(f"https://{name}/") for name in names}  # what a site's evidence is kept under
        noticed = noticed.where(or_(site_drifts.c.host.in_(sorted(names | owned)), *below))
    return tuple(map(dict, connection.execute(noticed.limit(most)).mappings()))


robots = Table(  # asked for once a day
    "robots",
    metadata,
    Column("origin", Text, primary_key=True),
    Column("body", Text, nullable=False),  # empty: there is none
    Column("fetched_at", UtcTime, nullable=False),
)


def read_robots(connection: Connection, origin: str, since: datetime) -> str | None:
    """Return the text if it was read since then, ``""`` where there is none; else None."""
    row = robots.c.origin == origin, robots.c.fetched_at >= since
    text: str | None = connection.execute(select(robots.c.body).where(*row)).scalar()
    return text


def save_robots(connection: Connection, origin: str, body: str, now: datetime) -> None:
    upsert(connection, robots, [storable_row({"origin": origin, "body": body, "fetched_at": now})], "origin")
