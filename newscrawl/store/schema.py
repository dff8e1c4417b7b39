"""Tables of a harvest, the same in SQLite and PostgreSQL. Names are an interface: people query them with SQL.

Times: every ``…_at`` and ``…_utc`` column is a moment in UTC. ``articles.date_published`` and ``date_modified``
are ISO 8601 *text* with the offset the page stated (``2024-03-05T10:20:00+08:00``): the local day of a news is
part of the news. Sort and select by ``date_published_utc``.

Duplicates are rows of ``articles`` whose ``duplicate_of`` names the article kept; ``WHERE duplicate_of IS NULL``
leaves each text once.
"""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    literal_column,
    text,
)

from newscrawl.items import ARTICLE, FieldKind
from newscrawl.store.columns import Json, UtcTime

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import ColumnElement

    from newscrawl.items import Field
    from newscrawl.store.columns import State

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

RowId = BigInteger().with_variant(Integer(), "sqlite")  # SQLite numbers rows only in an INTEGER column


#: ``frontier.next_fetch_at`` of what is not due again by itself. NULL: due in the next pass.
NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
#: Confidence below which a user is asked what a page is.
DOUBT: Final = 0.8


def id_column() -> Column[int]:
    return Column("id", RowId, Identity(), primary_key=True)


def _where(condition: str, name: str | None, *columns: str | TextClause) -> Index:
    return Index(name, *columns, postgresql_where=text(condition), sqlite_where=text(condition))


_COLUMN_TYPES: Mapping[FieldKind, Any] = MappingProxyType(
    {
        FieldKind.TEXT: Text,
        FieldKind.NUMBER: Float,
        FieldKind.COUNT: Integer,
        FieldKind.TRUTH: Boolean,
        FieldKind.MOMENT: UtcTime,
        FieldKind.ZONED_MOMENT: Text,
        FieldKind.TEXTS: Json,
        FieldKind.FACTS: Json,
        FieldKind.RECORD: Text,  # its address alone
        FieldKind.RECORDS: Json,
    }
)
#: Fields that every row has, though not every article: the page's are taken.
_FILLED = frozenset({"fetchedAt"})


def _columns(field: Field) -> Iterator[Column[Any]]:
    is_optional = field.is_optional and field.name not in _FILLED
    yield Column(field.column, _COLUMN_TYPES[field.kind], nullable=is_optional)
    if field.kind is FieldKind.ZONED_MOMENT:
        yield Column(f"{field.column}_utc", UtcTime)


schema_version = Table(
    "schema_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("applied_at", UtcTime, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    id_column(),
    Column("spider", Text, nullable=False),
    Column("site", Text),
    Column("arguments", Json, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("finished_at", UtcTime),  # NULL: running, or killed
    Column("finish_reason", Text),
    Column("outcomes", Json),  # outcome → URLs
    Column("rejections", Json),  # reason → links
    Column("stats", Json),
    Column("versions", Json, nullable=False),
    Column("rate", Json),  # {"seconds": width of a bucket, "counts": answers in each}
    Column("heard_at", UtcTime),  # when its crawl was last heard of
    Column("stop_asked_at", UtcTime),  # NULL: nobody has asked it to stop
)

sites = Table(
    "sites",
    metadata,
    Column("name", Text, primary_key=True),
    Column("title", Text),
    Column("hosts", Json, nullable=False),
    Column("seeds", Json, nullable=False),
    Column("language", Text),
    Column("timezone", Text),
    Column("last_run_id", ForeignKey("runs.id")),
)

pages = Table(
    "pages",
    metadata,
    id_column(),
    Column("url", Text, nullable=False),
    Column("requested_url", Text),  # where it differs from the URL
    Column("outcome", Text, nullable=False),  # newscrawl.outcomes.Outcome
    Column("reason", Text),
    Column("detail", Text),
    Column("status", Integer),
    Column("page_type", Text),
    Column("page_type_confidence", Float),
    Column("fetched_at", UtcTime, nullable=False),
    Column("encoding", Text),
    Column("encoding_source", Text),
    Column("depth", Integer),
    Column("referer", Text),
    Column("site", Text),
    Column("run_id", ForeignKey("runs.id")),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("content_hash", Text),
    Column("n_blocks", Integer),
    Column("n_links", Integer),
    UniqueConstraint("url"),
    Index(None, "run_id"),
    _where("requested_url IS NOT NULL", "ix_pages_requested_url", "requested_url"),
    _where(f"page_type_confidence < {DOUBT}", "ix_pages_unsure", "site", "page_type_confidence"),
)

articles = Table(
    "articles",
    metadata,
    id_column(),
    *(column for field in ARTICLE.values() for column in _columns(field)),
    Column("first_fetched_at", UtcTime, nullable=False),
    Column("revision", Integer, nullable=False),  # 1 at first, one more with each changed text
    Column("duplicate_of", ForeignKey("articles.url")),
    Column("duplicate_kind", Text),  # "content", "canonical_url", "near"
    Column("cluster_id", Text, nullable=False),  # one for an article and its duplicates
    Column("simhash", BigInteger),  # two's complement; NULL for a short text
    Column("url_key", Text, nullable=False),
    Column("run_id", ForeignKey("runs.id")),
    Column("change_number", BigInteger),  # rises as articles come, change, vanish: exports and the index go by it
    Column("gone_at", UtcTime),  # when its page was first 404 or 410, or read as no article; NULL: it is there
    Column("body_hash", Text),  # of the answer's bytes; NULL: joined of several pages, or not known
    Column("story", BigInteger),  # id of the first article stored of those that tell of one event; NULL: it is alone
    UniqueConstraint("url"),
    Index(None, "change_number"),
    _where("story IS NOT NULL", "ix_articles_story", "story"),
    Index(None, "date_published_utc"),
    Index(None, "cluster_id"),
    # Duplicates are looked for among the kept alone. A full index of duplicate_of would be taken for a short cut
    # to "IS NULL", which is most of the table.
    _where("duplicate_of IS NULL", None, "content_hash"),
    _where("duplicate_of IS NULL", None, "url_key"),
    _where("duplicate_of IS NOT NULL", None, "duplicate_of"),
)

article_revisions = Table(
    "article_revisions",
    metadata,
    Column("article_id", ForeignKey("articles.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("headline", Text),
    Column("article_body", Text, nullable=False),
    Column("date_published", Text),
    Column("date_modified", Text),
    Column("authors", Json, nullable=False),
    Column("description", Text),
    Column("content_hash", Text, nullable=False),
    Column("fetched_at", UtcTime, nullable=False),
    Column("run_id", ForeignKey("runs.id")),
    Column("is_reread", Boolean),  # the next text is another reading by ``mode=again``, no change of the site's
)

simhash_bands = Table(  # of the articles kept: the index behind near-duplicates (newscrawl.store.kept)
    "simhash_bands",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=False),
    Column("article_id", ForeignKey("articles.id", ondelete="CASCADE"), primary_key=True),
    Column("simhash", BigInteger, nullable=False),
    Index(None, "article_id"),
    sqlite_with_rowid=False,
)

story_marks = Table(  # what articles are told by when they are grouped (newscrawl.serve.stories)
    "story_marks",
    metadata,
    Column("article_id", ForeignKey("articles.id", ondelete="CASCADE"), primary_key=True),
    Column("change_number", BigInteger, nullable=False),  # the article's when it was marked
    Column("day", Integer),  # of its publication, since 1970; NULL: not known, it is in no story
    Column("packed", LargeBinary, nullable=False),  # hashes of terms, four bytes each
    Column("is_new", Boolean, nullable=False),  # not grouped since it was marked
    Index(None, "change_number"),
    Index(None, "day"),
    _where("is_new", "ix_story_marks_new", "day"),
)

blocks = Table(  # NEWSCRAWL_STORE_BLOCKS
    "blocks",
    metadata,
    Column("page_url", ForeignKey("pages.url", ondelete="CASCADE"), primary_key=True),
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("tag", Text, nullable=False),
    Column("xpath", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("n_chars", Integer, nullable=False),
    Column("n_link_chars", Integer, nullable=False),
    Column("n_links", Integer, nullable=False),
    Column("label", Text),
    Column("confidence", Float, nullable=False),
)

links = Table(  # NEWSCRAWL_STORE_LINKS; one row for a target, as last seen
    "links",
    metadata,
    Column("url", Text, primary_key=True),
    Column("reason", Text),  # newscrawl.outcomes.Rejection; NULL: not refused
    Column("found_on", Text),
    Column("anchor", Text),
    Column("position", Text),  # newscrawl.links.model.LinkPosition
    Column("run_id", ForeignKey("runs.id")),
)

# --- what pages of a site have turned out to be: newscrawl.store.kinds ---------------------------------------

site_kinds = Table(
    "site_kinds",
    metadata,
    id_column(),
    Column("site", Text, nullable=False),  # registrable domain
    Column("packed", LargeBinary, nullable=False),  # of known pages, or of the site
    Index(None, "site"),
)
held_pages = Table(
    "held_pages",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("packed", LargeBinary, nullable=False),  # the page and its article, until its site tells whether it is one
)

# --- frontier: what is to be fetched, by whom, and what became of it -------------------------------------

frontier_crawls = Table(  # requests of different harvests do not mix
    "frontier_crawls",
    metadata,
    id_column(),
    Column("name", Text, nullable=False, unique=True),
    Column("pass_number", Integer, nullable=False),  # one more each time a finished harvest begins again
    Column("started_at", UtcTime, nullable=False),  # of the pass
    Column("finished_at", UtcTime),  # NULL: there may be more to fetch
)

frontier_workers = Table(  # one row for each running process; a lease holds as long as its worker is heard of
    "frontier_workers",
    metadata,
    id_column(),
    Column("crawl_id", ForeignKey("frontier_crawls.id", ondelete="CASCADE"), nullable=False),
    Column("process", Text, nullable=False),  # newscrawl.frontier.membership: machine, process id, start
    Column("started_at", UtcTime, nullable=False),
    Column("leased_until", UtcTime, nullable=False),
    Column("drain_asked_at", UtcTime),  # it gives back all it holds and leases nothing; NULL: it works
    Column("n_ended", Integer),  # requests that it has ended
)

frontier_hosts = Table(  # a host is fetched from by one worker at a time: its delay holds across workers
    "frontier_hosts",
    metadata,
    id_column(),
    Column("crawl_id", ForeignKey("frontier_crawls.id", ondelete="CASCADE"), nullable=False),
    Column("host", Text, nullable=False),
    Column("worker_id", ForeignKey("frontier_workers.id", ondelete="SET NULL")),  # who leases it
    Column("has_work", Boolean, nullable=False),  # false: nothing is queued; true: something may be
    Column("free_at", UtcTime),  # not to be asked before: the delay after the last worker's last request
    UniqueConstraint("crawl_id", "host"),
    Index("ix_frontier_hosts_worker_id", "worker_id"),
    _where("has_work AND worker_id IS NULL", "ix_frontier_hosts_to_lease", "crawl_id", "free_at"),
)

frontier = Table(  # one row for each address ever asked for in a crawl
    "frontier",
    metadata,
    id_column(),
    Column("crawl_id", ForeignKey("frontier_crawls.id", ondelete="CASCADE"), nullable=False),
    Column("host_id", RowId, nullable=False),  # frontier_hosts.id
    Column("fingerprint", LargeBinary, nullable=False),  # first 16 bytes of Scrapy's
    Column("url", Text, nullable=False),
    Column("state", Text, nullable=False),  # newscrawl.frontier.model.State
    Column("reason", Text),  # of done and failed: outcome, status, or error
    Column("priority", BigInteger, nullable=False),
    Column("kind", Text),  # hub, feed, sitemap, article; NULL: not known
    Column("pass_number", Integer, nullable=False),  # the pass it was asked for last
    Column("request", Text, nullable=False),  # JSON, newscrawl.frontier.records
    Column("worker_id", RowId),  # of leased
    Column("n_returned", Integer, nullable=False),  # times its worker died
    Column("queued_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("next_fetch_at", UtcTime),  # recrawl: due again; NULL: in the next pass
    Column("interval_seconds", Float),
    Column("n_failures", Integer),  # in a row
    Column("last_changed_at", UtcTime),  # of hubs, feeds, sitemaps: when one last led to something new
    Column("etag", Text),
    Column("last_modified", Text),
    Column("content_hash", Text),
    UniqueConstraint("crawl_id", "fingerprint"),
    _where("state = 'queued'", "ix_frontier_host_queue", "host_id", text("priority DESC"), "id"),
    _where("state = 'queued'", "ix_frontier_queue", "crawl_id", text("priority DESC"), "id"),
    _where("state = 'leased'", "ix_frontier_leased", "worker_id"),
    _where("next_fetch_at IS NOT NULL", "ix_frontier_due", "crawl_id", "next_fetch_at"),
    _where("state = 'failed'", "ix_frontier_failed", "crawl_id", "reason"),
    _where("kind = 'feed'", "ix_frontier_feeds", "crawl_id"),
)


def in_state(state: State) -> ColumnElement[bool]:
    """Return what holds of requests in a state, as SQLite needs it to see that an index of theirs is enough."""
    return frontier.c.state == literal_column(f"'{state.value}'")
