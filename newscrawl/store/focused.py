"""What focused crawls keep: how each page was judged, and what a crawl has learnt, to go on with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Boolean, Column, Float, Index, Integer, LargeBinary, Table, Text, func, select

from newscrawl.focus.progress import SAMPLE, Estimate, in_sample_order
from newscrawl.store.columns import Json, UtcTime, storable_row, stored_url
from newscrawl.store.engine import upsert
from newscrawl.store.records import SideRecord
from newscrawl.store.schema import articles, metadata

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from sqlalchemy import Connection

MAX_TOPICS: Final = 200

focused_pages = Table(
    "focused_pages",
    metadata,
    Column("url", Text, primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("number", Integer, nullable=False),  # of the page in its crawl, from 1
    Column("is_article", Boolean, nullable=False),
    Column("probability", Float),  # NULL: no article
    Column("threshold", Float),
    Column("words", Json, nullable=False),  # [[word, log-odds], …], the weightiest first
    Column("score", Float),  # of the link when it was followed; NULL: a seed
    Column("found_on", Text),
    Column("anchor", Text),
    Column("run_id", Integer),
    Index(None, "topic", "number"),
)

focused_states = Table(
    "focused_states",
    metadata,
    Column("crawl", Text, primary_key=True),
    Column("saved_at", UtcTime, nullable=False),
    Column("n_pages", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),  # newscrawl.focus.crawl
)

topic_decisions = Table(
    "topic_decisions",
    metadata,
    Column("crawl", Text, primary_key=True),
    Column("kind", Text, primary_key=True),  # word: a label or word; page: an address
    Column("name", Text, primary_key=True),
    Column("belongs", Boolean, nullable=False),  # to the topic, by the user
    Column("decided_at", UtcTime, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusedPageRecord(SideRecord):
    """How a focused crawl judged a page."""

    url: str
    topic: str
    number: int
    is_article: bool
    probability: float | None = None
    threshold: float | None = None
    words: tuple[tuple[str, float], ...] = ()
    score: float | None = None
    found_on: str | None = None
    anchor: str | None = None
    run_id: int | None = None

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[Any]:
        rows = {(stored_url(record.url), record.topic): record for record in records}
        written = [
            storable_row(asdict(record) | {"url": url, "words": [list(pair) for pair in record.words]})
            for (url, _), record in rows.items()
        ]
        upsert(connection, focused_pages, written, "url", "topic")
        return [None] * len(records)


def save_state(connection: Connection, crawl: str, n_pages: int, state: bytes) -> None:
    row = {"crawl": crawl, "saved_at": datetime.now(UTC), "n_pages": n_pages, "state": state}
    upsert(connection, focused_states, [row], "crawl")


def load_state(connection: Connection, crawl: str) -> tuple[int, bytes] | None:
    """Return the pages judged so far and the packed state; None for a crawl that was never saved."""
    query = select(focused_states.c.n_pages, focused_states.c.state).where(focused_states.c.crawl == crawl)
    row = connection.execute(query).first()
    return None if row is None else (int(row.n_pages), bytes(row.state))


def judgements(connection: Connection, urls: Sequence[str]) -> list[dict[str, Any]]:
    """Return how focused crawls judged a page, one row for each topic; none where there was no such crawl."""
    query = select(focused_pages).where(focused_pages.c.url.in_([stored_url(url) for url in urls]))
    return [dict(row) for row in connection.execute(query.order_by(focused_pages.c.topic)).mappings()]


def save_decisions(connection: Connection, crawl: str, kind: str, names: Sequence[str], *, belongs: bool) -> None:
    """Keep what a user says of words or pages; what was said before of the same is replaced."""
    now = datetime.now(UTC)
    rows = [
        {"crawl": crawl, "kind": kind, "name": name, "belongs": belongs, "decided_at": now}
        for name in dict.fromkeys(names)
    ]
    upsert(connection, topic_decisions, rows, "crawl", "kind", "name")


def forget_decisions(connection: Connection, crawl: str, kind: str, names: Sequence[str]) -> int:
    """Forget what a user has said; return of how many."""
    one = topic_decisions.c
    mine = (one.crawl == crawl) & (one.kind == kind) & one.name.in_(names)
    return connection.execute(topic_decisions.delete().where(mine)).rowcount


def known_decisions(connection: Connection, crawl: str) -> tuple[dict[str, bool], dict[str, bool]]:
    """Return whether words, and pages by address, belong to the topic, as a user has decided."""
    one = topic_decisions.c
    query = select(one.kind, one.name, one.belongs).where(one.crawl == crawl).order_by(one.kind, one.name)
    rows = list(connection.execute(query))
    words, pages = ({row.name: row.belongs for row in rows if row.kind == kind} for kind in ("word", "page"))
    return words, pages


def page_texts(connection: Connection, urls: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return headline, text and labels of stored articles by address."""
    one = articles.c
    query = select(one.url, one.headline, one.article_body, one.keywords, one.section).where(one.url.in_(urls))
    return {
        row.url: {
            "headline": row.headline or "",
            "text": row.article_body,
            "labels": tuple(filter(None, (row.section, *(row.keywords or ())))),
        }
        for row in connection.execute(query)
    }


def doubtful(connection: Connection, crawl: str, n: int) -> list[dict[str, Any]]:
    """Return the articles about whose relevance a crawl is least sure: a user's verdict helps most with them."""
    one = focused_pages.c
    topic = _topic_of(connection, crawl)
    distance = func.abs(one.probability - one.threshold)
    query = (
        select(one.url, one.probability, one.threshold, one.words, articles.c.headline)
        .join(articles, articles.c.url == one.url)
        .where((one.topic == topic) & one.probability.is_not(None))
        .order_by(distance, one.url)
        .limit(n)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def draw_sample(connection: Connection, crawl: str, n: int = SAMPLE) -> list[dict[str, Any]]:
    """Return articles that a crawl calls relevant, drawn whatever their probability; always the same ones."""
    one = focused_pages.c
    is_relevant = (one.topic == _topic_of(connection, crawl)) & (one.probability >= one.threshold)
    urls = in_sample_order(connection.execute(select(one.url).where(is_relevant)).scalars())[:n]
    query = (
        select(one.url, one.probability, one.threshold, one.words, articles.c.headline)
        .join(articles, articles.c.url == one.url, isouter=True)
        .where(is_relevant & one.url.in_(urls))
    )
    rows = {row["url"]: dict(row) for row in connection.execute(query).mappings()}
    return [rows[url] for url in urls if url in rows]


def read_estimate(connection: Connection, crawl: str) -> Estimate:
    """Return what a user's verdicts on the sample say of the articles called relevant."""
    verdicts = known_decisions(connection, crawl)[1]
    return Estimate.from_verdicts(
        [verdicts[row["url"]] for row in draw_sample(connection, crawl) if row["url"] in verdicts]
    )


def crawls_of(connection: Connection, topic: str) -> list[str]:
    """Return the crawls for a topic."""
    return [name for name in crawls(connection) if f" {topic} " in name]


def _topic_of(connection: Connection, crawl: str) -> str:
    return max((name for name in topic_names(connection) if f" {name} " in crawl), key=len, default="")


def topic_names(connection: Connection) -> list[str]:
    """Return the topics that focused crawls have judged articles for, by one step in the index for each."""
    names: list[str] = []
    while len(names) < MAX_TOPICS:
        following = select(func.min(focused_pages.c.topic)).where(focused_pages.c.topic > (names or [""])[-1])
        name = connection.execute(following).scalar()
        if name is None:
            break
        names.append(name)
    return names


def crawls(connection: Connection) -> list[str]:
    return list(connection.execute(select(focused_states.c.crawl).order_by(focused_states.c.crawl)).scalars())
