"""What a reader of the harvest looks at: an article with its copies, sites, a run as it goes on, topics.

Each function asks a few queries that an index answers, whatever the size of the database.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer, func, literal_column, or_, select

from newscrawl.outcomes import Outcome
from newscrawl.page.segment import Block, BlockLabel
from newscrawl.store.columns import State
from newscrawl.store.export import Selection, read_revisions
from newscrawl.store.facts import harvested_sites
from newscrawl.store.focused import focused_pages
from newscrawl.store.records import BLOCK_COLUMNS
from newscrawl.store.runs import Figures, state_of
from newscrawl.store.schema import (
    DOUBT,
    articles,
    blocks,
    frontier,
    frontier_crawls,
    frontier_hosts,
    in_state,
    pages,
    runs,
    sites,
)  # fmt: skip
from newscrawl.store.site_memory import site_drifts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ColumnElement, Connection

    from newscrawl.store.export import Revision

LATEST: Final = 2000
"""Articles, the newest of all sites, by which the health of sites is told."""
RUNS_OF_SITES: Final = 500
FEW: Final = 12
MAX_COPIES: Final = 50
MAX_CHANGED: Final = 20_000
MAX_ERRORS: Final = 20
MAX_HOSTS: Final = 20
BEST: Final = 15
"""Words, places and anchors of a topic that are named."""
#: What becomes of a page that was read.
_READ: Final = (Outcome.STORED, Outcome.DUPLICATE, Outcome.NOT_ARTICLE)


def one_article(connection: Connection, number: int) -> dict[str, Any] | None:
    """Return the row of an article, with that of its page as ``page``; None where there is none."""
    row = connection.execute(select(articles).where(articles.c.id == number)).mappings().first()
    if row is None:
        return None
    page = connection.execute(select(pages).where(pages.c.url == row["url"])).mappings().first()
    return dict(row) | {"page": dict(page) if page else None}


def copies_of(connection: Connection, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the other articles of an article's cluster, across sites."""
    names = ("id", "url", "headline", "site", "source", "date_published", "duplicate_of", "duplicate_kind")
    same = articles.c.cluster_id == row["cluster_id"], articles.c.id != row["id"]
    query = select(*(articles.c[name] for name in names)).where(*same).order_by(articles.c.id).limit(MAX_COPIES)
    return [dict(found) for found in connection.execute(query).mappings()]


def blocks_of(connection: Connection, url: str) -> tuple[Block, ...]:
    """Return the stored blocks of a page; none without ``NEWSCRAWL_STORE_BLOCKS``."""
    rows = connection.execute(select(blocks).where(blocks.c.page_url == url).order_by(blocks.c.index)).mappings()
    return tuple(
        Block(**{name: row[name] for name in BLOCK_COLUMNS}, label=BlockLabel(row["label"]) if row["label"] else None)
        for row in rows
    )


def newest_edits(connection: Connection, site: str | None, most: int) -> list[tuple[int, Revision]]:
    """Return what sites changed of their articles, the latest first, each with the article's number.

    The ``MAX_CHANGED`` articles that came or changed last are looked at. Edits that change marks, clocks and counters
    alone are left out.

    :param site: articles of that site only; None for all.
    """
    a = articles.c
    latest = select(a.id, a.revision, a.change_number).where(*[] if site is None else [a.site == site])
    some = latest.order_by(a.change_number.desc()).limit(MAX_CHANGED).subquery()
    numbers = select(some.c.id).where(some.c.revision > 1).order_by(some.c.change_number.desc()).limit(most)
    found: list[tuple[int, Revision]] = []
    for number in connection.execute(numbers).scalars().all():
        edits = reversed(list(read_revisions(connection, Selection(number=number))))
        found += [(number, edit) for edit in edits if edit["changed"]]
        if len(found) >= most:
            break
    return found[:most]


# --- sites -------------------------------------------------------------------------------------------------


def site_health(connection: Connection) -> list[dict[str, Any]]:
    """Return a row for each harvested site: its last run, and what its newest articles lack.

    ``n_latest`` articles are among the ``LATEST`` of all sites, copies left out; ``undated``, ``unsigned`` and
    ``unsure`` count among them. ``n_new`` articles came in the last runs, ``n_runs`` of them.
    """
    found = {
        row["name"]: row | {"runs": [], "n_new": 0, "n_latest": 0, "undated": 0, "unsigned": 0, "confidence": 0.0}
        for row in harvested_sites(connection)
    }
    names = ("id", "site", "started_at", "finished_at", "finish_reason", "stats")
    for run in connection.execute(
        select(*(runs.c[name] for name in names)).order_by(runs.c.id.desc()).limit(RUNS_OF_SITES)
    ):
        if run.site in found:
            figures = Figures.of(run.stats or {})
            found[run.site]["runs"].append((run, figures, *state_of(run.finish_reason, figures)))
            found[run.site]["n_new"] += figures.new
    a = articles.c
    of_article = select(a.site, a.date_published_utc, a.authors, a.confidence).where(a.duplicate_of.is_(None))
    latest = of_article.order_by(a.change_number.desc()).limit(LATEST)
    for row in connection.execute(latest):
        if row.site in found:
            health = found[row.site]
            health["n_latest"] += 1
            health["undated"] += row.date_published_utc is None
            health["unsigned"] += not row.authors
            health["confidence"] += row.confidence or 0.0
    drifts = connection.execute(select(site_drifts).order_by(site_drifts.c.id.desc()).limit(LATEST)).mappings().all()
    for health in found.values():
        hosts = {host.lstrip(".") for host in health["hosts"]}
        health["drifts"] = [row for row in drifts if any(f".{row['host']}".endswith(f".{host}") for host in hosts)]
        health["confidence"] = health["confidence"] / health["n_latest"] if health["n_latest"] else None
    return list(found.values())


def addresses_of_site(connection: Connection, site: str) -> list[str]:
    """Return pages that the last run of a site fetched whole: articles; where there are few, what it took for none."""
    last = select(sites.c.last_run_id).where(sites.c.name == site).scalar_subquery()
    for kinds in ([Outcome.STORED], [Outcome.STORED, Outcome.DUPLICATE, Outcome.NOT_ARTICLE]):
        query = select(pages.c.url).where(pages.c.run_id == last, pages.c.outcome.in_(kinds))
        found = list(connection.execute(query.order_by(pages.c.id.desc()).limit(LATEST)).scalars())
        if len(found) >= FEW:
            break
    return found


def unsure_pages(connection: Connection, site: str, most: int) -> list[dict[str, Any]]:
    """Return the pages of a site whose type was least certain, with the number and headline of their articles."""
    p, a = pages.c, articles.c
    unsure: tuple[ColumnElement[bool], ...] = (
        p.site == site,
        literal_column(f"page_type_confidence < {DOUBT}"),
        p.page_type.is_not(None),
    )
    found = select(p.url, p.page_type, p.page_type_confidence).where(*unsure, p.outcome.in_(_READ))
    some = found.order_by(p.page_type_confidence, p.id).limit(most).subquery()
    query = select(some, a.id, a.headline).join(articles, a.url == some.c.url, isouter=True)
    return [dict(row) for row in connection.execute(query.order_by(some.c.page_type_confidence)).mappings()]


def is_page_of(connection: Connection, url: str, site: str) -> bool:
    return connection.execute(select(pages.c.id).where(pages.c.url == url, pages.c.site == site)).first() is not None


# --- a run while it goes on ----------------------------------------------------------------------------------


def run_progress(connection: Connection, run_id: int, site: str | None) -> dict[str, Any]:
    """Return what a run has done so far, and what waits: counts by outcome, hosts with a queue, errors, headlines."""
    of_run = pages.c.run_id == run_id
    counted = connection.execute(select(pages.c.outcome, func.count()).where(of_run).group_by(pages.c.outcome))
    outcomes = {outcome: int(n) for outcome, n in counted}
    lost = of_run, pages.c.outcome.in_([Outcome.FAILED, Outcome.HTTP_ERROR])
    shown = (pages.c.url, pages.c.outcome, pages.c.reason, pages.c.status, pages.c.fetched_at)
    errors = select(*shown).where(*lost).order_by(pages.c.fetched_at.desc()).limit(MAX_ERRORS)
    heads = select(articles.c.id, articles.c.headline, articles.c.run_id).order_by(articles.c.change_number.desc())
    return {
        "outcomes": dict(sorted(outcomes.items(), key=lambda pair: -pair[1])),
        "answered": sum(outcomes.values()),
        "errors": [dict(row) for row in connection.execute(errors).mappings()],
        "queue": queue_by_host(connection, site),
        "headlines": [
            dict(row) for row in connection.execute(heads.limit(MAX_ERRORS)).mappings() if row["run_id"] == run_id
        ],
    }


def queue_by_host(connection: Connection, crawl: str | None) -> dict[str, int]:
    """Return the hosts with most requests waiting; of one crawl, or of all."""
    # by number first: so the index of the queue is enough
    queued = select(frontier.c.host_id, func.count().label("n")).where(in_state(State.QUEUED))
    if crawl is not None:
        name = frontier_crawls.c.name
        crawls = select(frontier_crawls.c.id).where(or_(name == crawl, name.startswith(f"{crawl}:", autoescape=True)))
        queued = queued.where(
            frontier.c.host_id.in_(select(frontier_hosts.c.id).where(frontier_hosts.c.crawl_id.in_(crawls)))
        )
    counted = queued.group_by(frontier.c.host_id).subquery()
    total = func.sum(counted.c.n)
    query = select(frontier_hosts.c.host, total).join(counted, counted.c.host_id == frontier_hosts.c.id)
    query = query.group_by(frontier_hosts.c.host).order_by(total.desc(), frontier_hosts.c.host).limit(MAX_HOSTS)
    return {host: int(n) for host, n in connection.execute(query)}


def failures_by_reason(connection: Connection) -> list[dict[str, Any]]:
    """Return how many requests of each crawl failed, by reason."""
    query = (
        select(frontier_crawls.c.name.label("crawl"), frontier.c.reason, func.count().label("n"))
        .join(frontier_crawls, frontier_crawls.c.id == frontier.c.crawl_id)
        .where(in_state(State.FAILED))
        .group_by(frontier_crawls.c.name, frontier.c.reason)
        .order_by(func.count().desc())
    )
    return [dict(row) for row in connection.execute(query).mappings()]


# --- topics --------------------------------------------------------------------------------------------------


def topics(connection: Connection) -> list[dict[str, Any]]:
    """Return the topics of focused crawls with their pages, articles and relevant ones."""
    f = focused_pages.c
    is_relevant = f.probability.is_not(None) & (f.probability >= f.threshold)
    columns = (
        f.topic,
        func.count().label("n_pages"),
        func.sum(is_relevant.cast(Integer)).label("n_relevant"),
        func.count(f.probability).label("n"),
    )
    return [dict(row) for row in connection.execute(select(*columns).group_by(f.topic).order_by(f.topic)).mappings()]


def topic_pages(connection: Connection, topic: str, *, most: int = 20_000) -> list[dict[str, Any]]:
    """Return the pages of a topic in the order they were fetched, at most the first ``most``."""
    f = focused_pages.c
    query = select(focused_pages).where(f.topic == topic).order_by(f.number).limit(most)
    return [dict(row) for row in connection.execute(query).mappings()]


def topic_figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the curve (page, share relevant so far) and what led to relevant pages: words, places, anchors."""
    curve: list[tuple[float, float]] = []
    n_relevant = 0
    words: defaultdict[str, float] = defaultdict(float)
    ways: dict[str, defaultdict[str, list[int]]] = {
        name: defaultdict(lambda: [0, 0]) for name in ("found_on", "anchor")
    }
    for number, row in enumerate(rows, start=1):
        is_relevant = row["probability"] is not None and row["probability"] >= row["threshold"]
        n_relevant += is_relevant
        curve.append((float(number), n_relevant / number))
        for word, weight in row["words"] if is_relevant else ():
            words[word] += weight
        for name, counts in ways.items():
            if row[name]:
                counts[row[name]][0] += 1
                counts[row[name]][1] += is_relevant
    step = max(1, len(curve) // 400)
    told = {
        name: nsmallest(
            BEST, ((key, n, hits) for key, (n, hits) in counts.items() if hits), key=lambda way: (-way[2], way[1])
        )
        for name, counts in ways.items()
    }
    decisive = sorted(words.items(), key=lambda pair: -abs(pair[1]))[:BEST]
    return {"curve": curve[::step] + curve[-1:], "n_relevant": n_relevant, "words": decisive, **told}
