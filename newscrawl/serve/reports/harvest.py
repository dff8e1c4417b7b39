"""What a report says of a database: counts, series and samples, read in a few queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from sqlalchemy import and_, case, func, select, true

from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.items import PageType
from newscrawl.outcomes import Outcome, count_addresses
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.browse import blocks_of
from newscrawl.serve.reports.runs import view
from newscrawl.sites.forms import ArticleForms, main_forms
from newscrawl.store.coverage import coverage
from newscrawl.store.engine import shown_url
from newscrawl.store.export import has_site
from newscrawl.store.runs import count_copies, count_ends
from newscrawl.store.schema import articles, blocks, links, pages, runs
from newscrawl.store.site_memory import drifts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ColumnElement, Connection, Table

    from newscrawl.page.segment import Block
    from newscrawl.serve.reports.runs import RunView
    from newscrawl.sites.forms import MainForm
    from newscrawl.store.coverage import DayCoverage

LATEST: Final = 40
CLUSTERS: Final = 12
#: Fields whose presence and origin the report shows, as in ``articles.field_sources``.
FACTS: Final = ("headline", "datePublished", "authors", "source", "inLanguage", "mainImage")
_SITES_NAMED: Final = 3
_EXCERPT: Final = 150
_CHUNK: Final = 2000
_FOLDER_LENGTH: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """An article and the copies of it."""

    headline: str
    url: str
    copies: tuple[tuple[str, str], ...]
    """URL and kind of likeness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    url: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    database: str
    run: RunView | None
    """The newest one."""
    n_runs: int
    sites: tuple[str, ...]
    """Names of the sites, or spiders, of the runs, the newest first."""
    n_articles: int
    """Duplicates left out."""
    n_duplicates: int
    n_joined: int
    n_reserved: int
    """Articles whose page or host reserves their use for mining."""
    """Articles of more than one page."""
    outcomes: Mapping[str, int]
    rejections: Mapping[str, int]
    """Reason → addresses, each once."""
    days: Mapping[str, int]
    """Local day, ISO 8601 → articles published; undated ones left out."""
    channels: Mapping[str, int]
    facts: Mapping[str, Mapping[str, int]]
    """Field → origin → articles; the origin is ``"none"`` where the field is missing."""
    latest: tuple[dict[str, Any], ...]
    clusters: tuple[Cluster, ...]
    sample: Sample | None
    coverage: tuple[DayCoverage, ...] = ()
    """Last days of ``covered_site``, the oldest first."""
    covered_site: str = ""
    """The site of the newest run."""
    drifts: tuple[dict[str, Any], ...] = ()
    """What was noticed on the hosts of all sites, the newest first: ``site_drifts``."""
    forms: tuple[MainForm, ...] = ()
    """Sites with articles at addresses of another form than most of theirs."""

    @property
    def name(self) -> str:
        """What was harvested, as a title says it."""
        named = len(self.sites) <= _SITES_NAMED
        return ", ".join(self.sites) or "nothing yet" if named else quantity(len(self.sites), "site")

    @property
    def n_pages(self) -> int:
        """Addresses asked for, each once."""
        return count_addresses(self.outcomes).asked

    @property
    def n_fetched(self) -> int:
        """Addresses whose page came."""
        return count_addresses(self.outcomes).fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a report is of: all runs, or those of one site, those that began since a moment."""

    site: str | None = None
    since: datetime | None = None

    @property
    def runs(self) -> ColumnElement[bool]:
        site = func.coalesce(runs.c.site, runs.c.spider) == self.site if self.site is not None else true()
        return and_(site, runs.c.started_at >= self.since if self.since is not None else true())

    def of(self, table: Table) -> ColumnElement[bool]:
        """Return the condition on the rows of pages or articles: a run of these brought them, or saw them last."""
        return true() if self == ALL else table.c.run_id.in_(select(runs.c.id).where(self.runs))


ALL: Final = Scope()


def author_names(row: Mapping[Any, Any]) -> tuple[str, ...]:
    """Return who wrote the article of a row; editors are left out."""
    return tuple(author["name"] for author in row["authors"] if author.get("role") != "editor")


def read_harvest(connection: Connection, scope: Scope = ALL) -> Harvest:
    """Read what the report shows.

    :raises UserError: a site that was never harvested.
    """
    if scope.site is not None and not has_site(connection, scope.site):
        raise UserError(f"no harvest of site {scope.site!r}; `scrapy report --runs` lists all")
    outcomes, refused = count_ends(connection, scope.of(pages), scope.of(links))
    newest = connection.execute(select(runs).where(scope.runs).order_by(runs.c.id.desc()).limit(1)).mappings().first()
    covered = str(newest["site"] or "") if newest is not None else ""
    return Harvest(
        database=shown_url(connection.engine.url),
        run=view(newest) if newest is not None else None,
        n_runs=connection.execute(select(func.count()).select_from(runs).where(scope.runs)).scalar_one(),
        sites=_names(connection, scope),
        n_duplicates=count_copies(connection, scope.of(articles)),
        outcomes=outcomes,
        rejections=refused,
        latest=_latest(connection, scope),
        clusters=_clusters(connection, scope),
        sample=_sample(connection, scope),
        coverage=coverage(connection, covered, datetime.now(UTC)) if covered else (),
        covered_site=covered,
        drifts=drifts_of(connection, scope.site, since=scope.since),
        **_of_articles(connection, scope),
    )


def _of_articles(connection: Connection, scope: Scope) -> dict[str, Any]:
    """Return the fields of a harvest that all its articles are gone through for."""
    days: Counter[str] = Counter()
    channels: Counter[str] = Counter()
    facts: dict[str, Counter[str]] = {name: Counter() for name in FACTS}
    forms: defaultdict[str, ArticleForms] = defaultdict(ArticleForms)
    n_articles = n_joined = n_reserved = 0
    names = ("url", "section", "date_published", "field_sources", "pages", "reservations", "site", "gone_at")
    query = (
        select(*(articles.c[name] for name in names))
        .where(articles.c.duplicate_of.is_(None), scope.of(articles))
        .execution_options(yield_per=_CHUNK)
    )
    for url, section, published, origins, parts, reserved, site, gone_at in connection.execute(query):
        n_articles += 1
        if gone_at is None and site is not None:
            forms[site].add(url)
        n_joined += len(parts) > 1
        n_reserved += bool(reserved)
        channels[section or channel_of(url)] += 1
        if published:
            days[published[:10]] += 1
        for name, counts in facts.items():
            counts[str(origins.get(name) or "none")] += 1
    return {
        "n_articles": n_articles,
        "n_joined": n_joined,
        "n_reserved": n_reserved,
        "days": dict(sorted(days.items())),
        "channels": dict(channels.most_common()),
        "facts": {name: dict(counts.most_common()) for name, counts in facts.items()},
        "forms": main_forms(forms),
    }


def _names(connection: Connection, scope: Scope) -> tuple[str, ...]:
    name = func.coalesce(runs.c.site, runs.c.spider)
    query = select(name).where(scope.runs).group_by(name).order_by(func.max(runs.c.id).desc())
    return tuple(connection.execute(query).scalars())


def channel_of(url: str) -> str:
    """Return the host and, where articles stand below a named folder, that folder.

    >>> channel_of("https://news.example.org/world/2025/a.html"), channel_of("https://example.org/2025/a.html")
    ('news.example.org/world', 'example.org')
    """
    parts = urlsplit(url)
    folders = parts.path.split("/")[1:-1]
    named = folders and folders[0].isalpha() and len(folders[0]) <= _FOLDER_LENGTH
    return f"{parts.hostname}/{folders[0]}" if named else parts.hostname or ""


def _latest(connection: Connection, scope: Scope) -> tuple[dict[str, Any], ...]:
    query = (
        select(articles)
        .where(articles.c.duplicate_of.is_(None), scope.of(articles))
        .order_by(articles.c.date_published_utc.desc().nulls_last(), articles.c.id.desc())
        .limit(LATEST)
    )
    return tuple(_listed(row) for row in connection.execute(query).mappings())


def _listed(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what the table of latest articles shows of one."""
    body = row["article_body"]
    excerpt = body[:_EXCERPT].replace("\n", " ")
    return {
        "url": row["url"],
        "headline": row["headline"] or "(no headline)",
        "excerpt": excerpt + ("…" if len(body) > _EXCERPT else ""),
        "date": (row["date_published"] or "")[:16].replace("T", " "),
        "source": row["source"] or "",
        "authors": "、".join(author_names(row)),
        "n_chars": len("".join(body.split())),
        "n_pages": len(row["pages"]) or 1,
    }


def _clusters(connection: Connection, scope: Scope) -> tuple[Cluster, ...]:
    copies = select(articles.c.cluster_id).where(articles.c.duplicate_of.is_not(None), scope.of(articles))
    order = func.count().desc(), articles.c.cluster_id
    largest = copies.group_by(articles.c.cluster_id).order_by(*order).limit(CLUSTERS)
    ids = list(connection.execute(largest).scalars())
    columns = [articles.c[name] for name in ("cluster_id", "url", "headline", "duplicate_of", "duplicate_kind")]
    rows = connection.execute(select(*columns).where(articles.c.cluster_id.in_(ids)).order_by(articles.c.id)).all()
    clusters = []
    for cluster_id in ids:
        members = [row for row in rows if row.cluster_id == cluster_id]
        kept = next((row for row in members if row.duplicate_of is None), members[0])
        others = tuple((row.url, row.duplicate_kind or "") for row in members if row is not kept)
        clusters.append(Cluster(headline=kept.headline or "(no headline)", url=kept.url, copies=others))
    return tuple(clusters)


def _sample(connection: Connection, scope: Scope) -> Sample | None:
    """Return the article page whose blocks are the most telling: many labels, then many blocks of main text."""
    n_labels = func.count(blocks.c.label.distinct())
    n_main = func.sum(case((blocks.c.label == BlockLabel.MAIN, 1), else_=0))
    query = (
        select(blocks.c.page_url)
        .join(pages, pages.c.url == blocks.c.page_url)
        .where(pages.c.outcome == Outcome.STORED, pages.c.page_type == PageType.ARTICLE, scope.of(pages))
        .group_by(blocks.c.page_url)
        .order_by(n_labels.desc(), n_main.desc(), blocks.c.page_url)
        .limit(1)
    )
    url = connection.execute(query).scalar()
    if url is None:
        return None
    title = connection.execute(select(articles.c.headline).where(articles.c.url == url)).scalar()
    return Sample(url=url, title=title or url, blocks=blocks_of(connection, url))
