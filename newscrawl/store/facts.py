"""Everything the database knows about one URL: why it was or was not fetched, judged an article, stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.utils.request import fingerprint
from sqlalchemy import and_, func, or_, select

from newscrawl.exceptions import UserError
from newscrawl.links.rules import Wanted, judge_url
from newscrawl.outcomes import Outcome
from newscrawl.sites.model import NewsSite
from newscrawl.sites.rules import NO_RULES, stands
from newscrawl.store.columns import FINGERPRINT_BYTES, State, stored_url
from newscrawl.store.focused import judgements
from newscrawl.store.resemble import changes
from newscrawl.store.schema import article_revisions, articles, frontier, frontier_crawls, links, pages, runs, sites
from newscrawl.store.site_memory import site_drifts, site_memories
from newscrawl.urls.canonical import canonicalize, without_index
from newscrawl.urls.parameters import is_idle, random_places
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Select

#: Files that stand for a folder.
_INDEX_FILES = ("index.html", "index.htm", "index.shtml", "index.php", "default.html", "default.aspx")
#: Duplicates listed by name.
MAX_LISTED = 20
MAX_DRIFTS = 3
#: States of the frontier's rows that are still to be fetched.
WAITING = frozenset({State.QUEUED, State.LEASED})

_ARTICLE_COLUMNS = (
    "url", "canonical_url", "headline", "date_published", "source", "authors", "method", "confidence", "revision",
    "duplicate_of", "duplicate_kind", "cluster_id", "field_sources", "first_fetched_at", "fetched_at", "content_hash",
    "gone_at",
)  # fmt: skip


_VISIT_COLUMNS = (
    "url", "state", "reason", "kind", "priority", "ended_at", "next_fetch_at", "interval_seconds", "n_failures", "etag",
    "last_modified",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Rows as mappings of column to value; None where there is none."""

    page: dict[str, Any] | None = None
    article: dict[str, Any] | None = None  # without its text; ``n_chars`` is its length
    n_revisions: int = 0  # earlier texts kept
    changes: tuple[str, ...] = ()
    """What the last revision changed, paragraph by paragraph (``newscrawl.store.resemble``)."""
    visit: dict[str, Any] | None = None
    """Its row in the frontier: when it is due again, and what it is asked for with."""
    duplicates: tuple[str, ...] = ()  # URLs of articles linked to this one, the first ``MAX_LISTED``
    link: dict[str, Any] | None = None
    """Where a link to it was found, and why it was refused; None if a later run asked for it all the same."""
    twin: str | None = None
    """Where the story is stored, if the address itself is unknown: another scheme or host, an index file, a session."""
    topics: tuple[dict[str, Any], ...] = ()  # how focused crawls judged the page, one row for each topic
    memory: dict[str, Any] | None = None  # what is remembered of the articles of its host: how many there were
    drifts: tuple[dict[str, Any], ...] = ()
    """Changes of the host's template, the newest first, at most ``MAX_DRIFTS``."""
    run: dict[str, Any] | None = None  # the run that asked for the URL last


_OF_RUN = [runs.c[name] for name in ("id", "spider", "site", "arguments", "started_at", "finished_at", "finish_reason")]


def read_facts(connection: Connection, urls: Sequence[str]) -> Facts:
    """Look the URL up under each of its spellings, the first found counts."""
    spellings = [stored_url(url) for url in urls]
    page = _first(connection, select(pages), pages.c.url, spellings)
    if page is None:
        page = _first(connection, select(pages), pages.c.requested_url, spellings)
    article_urls = [*([page["url"]] if page else []), *spellings]
    columns = [articles.c[name] for name in _ARTICLE_COLUMNS]
    query = select(articles.c.id, *columns, func.length(articles.c.article_body).label("n_chars"))
    article = _first(connection, query, articles.c.url, article_urls)
    n_revisions = 0
    duplicates: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    if article is not None:
        article_id, url = article["id"], article["url"]
        revisions = select(func.count()).where(article_revisions.c.article_id == article_id)
        n_revisions = connection.execute(revisions).scalar_one()
        changed = _last_changes(connection, article_id) if n_revisions else ()
        same = select(articles.c.url).where(articles.c.duplicate_of == url).order_by(articles.c.id).limit(MAX_LISTED)
        duplicates = tuple(connection.execute(same).scalars())
    visit = _visit(connection, urls)
    link = _first(connection, select(links), links.c.url, spellings)
    if link is not None and link["reason"] and _is_overruled(link, page, visit):
        link = None
    twin = None if page or article or (visit and visit["state"] in WAITING) else _twin(connection, urls[0])
    run_id = (page or link or {}).get("run_id")
    return Facts(
        page=page,
        article=article,
        n_revisions=n_revisions,
        changes=changed,
        duplicates=duplicates,
        link=link,
        twin=twin,
        topics=tuple(judgements(connection, article_urls)),
        run=None if run_id is None else _first(connection, select(*_OF_RUN), runs.c.id, [run_id]),
        visit=visit,
        memory=_first(
            connection, select(site_memories.c.host, site_memories.c.n_pages), site_memories.c.host, _hosts(urls)
        ),
        drifts=_drifts(connection, urls),
    )


def _twin(connection: Connection, url: str) -> str | None:
    """Return the address of the article that an address is another spelling of; of several one that is no copy."""
    head, question, query = url.partition("://")[2].partition("?")
    bare = without_index(head.removeprefix("www.")).rstrip("/")
    paths = [bare, f"{bare}/", *(f"{bare}/{name}" for name in _INDEX_FILES)]
    ends = {question + query, "" if all(is_idle(pair) for pair in query.split("&")) else question + query}
    origins = [f"{scheme}://{www}" for scheme in ("https", "http") for www in ("", "www.")]
    named = [origin + path + end for origin in origins for path in paths for end in ends]
    alike: list[ColumnElement[bool]] = [articles.c.url.in_(named), articles.c.canonical_url.in_(named)]
    more = (";", "?") if "" in ends else ()  # what may follow the address where its story is stored
    for end in (*more, f"?{query}&") if query else more:
        alike += [articles.c.url.startswith(origin + bare + end, autoescape=True) for origin in origins]
    if places := random_places(url):
        before, behind = url[: min(place[1] for place in places)], url[max(place[2] for place in places) :]
        of_session = (
            articles.c.url.startswith(before, autoescape=True),
            articles.c.url.endswith(behind, autoescape=True),
        )
        alike += [and_(*of_session), articles.c.url == before.removesuffix("/") + behind]
    order = articles.c.duplicate_of.is_not(None), articles.c.id
    rows = connection.execute(select(articles.c.url).where(or_(*alike)).order_by(*order).limit(MAX_LISTED))
    return next((row.url for row in rows if row.url in named or _is_twin(row.url, url)), None)


def _is_twin(stored: str, url: str) -> bool:
    """Tell whether a stored address says no more than another one, but where its reader came from, and a session."""
    pairs = [pair for pair in stored.partition("?")[2].split("&") if pair not in url]
    return all(is_idle(pair) for pair in pairs)


def _is_overruled(link: dict[str, Any], page: dict[str, Any] | None, visit: dict[str, Any] | None) -> bool:
    """Whether the refusal of a link is not the last that was decided: another run, or link, led to its address."""
    if page is not None:
        return (page["run_id"] or 0) >= (link["run_id"] or 0)
    return visit is not None and visit["state"] in WAITING


def _visit(connection: Connection, urls: Sequence[str]) -> dict[str, Any] | None:
    """Look the addresses up by fingerprint, which has an index; of several crawls, the last that was there."""
    fingerprints = [fingerprint(Request(url))[:FINGERPRINT_BYTES] for url in urls]
    in_a_crawl = frontier.c.crawl_id.in_(select(frontier_crawls.c.id)), frontier.c.fingerprint.in_(fingerprints)
    query = select(*(frontier.c[name] for name in _VISIT_COLUMNS)).where(*in_a_crawl)
    row = connection.execute(query.order_by(frontier.c.queued_at.desc()).limit(1)).mappings().first()
    return dict(row) if row else None


def _hosts(urls: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(urlsplit(url).hostname or "" for url in urls))


def _drifts(connection: Connection, urls: Sequence[str]) -> tuple[dict[str, Any], ...]:
    query = select(site_drifts).where(site_drifts.c.host.in_(_hosts(urls))).order_by(site_drifts.c.id.desc())
    return tuple(dict(row) for row in connection.execute(query.limit(MAX_DRIFTS)).mappings())


def _last_changes(connection: Connection, article_id: int) -> tuple[str, ...]:
    of_article = article_revisions.c.article_id == article_id
    r, a = article_revisions.c, articles.c
    before = select(r.headline, r.article_body).where(of_article).order_by(r.revision.desc()).limit(1)
    after = select(a.headline, a.article_body).where(a.id == article_id)
    texts = ["\n".join(filter(None, connection.execute(query).one_or_none() or ())) for query in (before, after)]
    return changes(texts[0], texts[1])


def harvested_sites(connection: Connection) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(select(sites).order_by(sites.c.name)).mappings()]


def _first(connection: Connection, query: Select[Any], column: Any, values: Sequence[Any]) -> dict[str, Any] | None:
    found = connection.execute(query.where(or_(*(column == value for value in values)))).mappings().all()
    rows = sorted(found, key=lambda row: values.index(row[column.name]))
    return dict(rows[0]) if rows else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesVerdict:
    """What the site's rules say about the address alone, without the wishes of a particular run."""

    site: str | None  # None: no known site has this host
    follow: bool | None
    kind: str
    why: str
    rejection: str | None = None
    selectors: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Rules of the site's file by field, where its pages hold what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    url: str
    summary: str
    facts: Facts
    rules: RulesVerdict

    def as_json(self) -> dict[str, Any]:
        return {"url": self.url, "summary": self.summary, **asdict(self.facts), "rules": asdict(self.rules)}


def spellings(url: str) -> list[str]:
    """Return the canonical URL and the others it may be stored under; the scheme makes no difference.

    :raises UserError: for what is not an http or https URL.
    """
    url = url.strip()
    canonical = canonicalize(url) if url.lower().startswith(("http://", "https://")) else None
    if canonical is None or not urlsplit(canonical).hostname:
        raise UserError(f"{url!r} is not a URL; accepted: http://… or https://…")
    found: dict[str, None] = {}
    for known in (canonical, url, url.partition("#")[0]):
        bare = known.partition("://")[2]
        other = bare.rstrip("/") if bare.endswith("/") else bare + "/"
        for scheme in (known.partition("://")[0].lower(), "https", "http"):
            found[f"{scheme}://{bare}"] = None
            found[f"{scheme}://{other}"] = None
    return list(found)


def explain(url: str, facts: Facts, sites: Iterable[NewsSite]) -> Explanation:
    """Put the facts into one sentence and add the verdict of the rules.

    :param sites: the first one that covers the URL's host is asked; none: the shape of the address.
    """
    canonical = spellings(url)[0]
    site = next((site for site in sites if site.covers(canonical)), None)
    drifts = tuple(drift for drift in facts.drifts if stands(drift, site.rules if site else NO_RULES))
    facts = replace(facts, drifts=drifts)
    return Explanation(url=canonical, summary=summary(facts), facts=facts, rules=ask_rules(canonical, site))


def ask_rules(url: str, site: NewsSite | None) -> RulesVerdict:
    """Ask the rules of the site."""
    if site is None:
        why = "no known site has this host; kind by the address's shape"
        return RulesVerdict(site=None, follow=None, kind=str(url_shape(url)), why=why)
    said = judge_url(url, site, Wanted())
    rejection = str(said.rejection) if said.rejection else None
    return RulesVerdict(
        site=site.name,
        follow=said.follow,
        kind=str(said.kind),
        why=said.why,
        rejection=rejection,
        selectors={name: one for name, one in site.rules._asdict().items() if one},
    )


def summary(facts: Facts) -> str:
    """Return one sentence: what became of the URL."""
    if facts.page is not None:
        return _page_summary(facts)
    if facts.visit is not None and facts.visit["state"] in WAITING:
        return "Not fetched yet: it waits in the frontier."
    if facts.twin is not None:
        return f"Not asked for by this address: its story is stored as {facts.twin}."
    if facts.link is not None and facts.link["reason"]:
        return f"Not fetched: a link to it was seen and refused ({facts.link['reason']})."
    if facts.link is not None:
        return "Not fetched, or not yet: a link to it was seen and not refused."
    return "Unknown: never asked for, and no stored link leads to it."


#: Outcome → sentence; names in braces are columns of ``pages``.
_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        Outcome.STORED: "Fetched, judged an article, and stored.",
        Outcome.NOT_ARTICLE: "Fetched, but not stored: judged {reason}, page type {page_type}.",
        Outcome.DUPLICATE: "Not stored again: {reason}.",
        Outcome.PART: "Fetched, and joined into the first page of its article.",
        Outcome.REDIRECTED: "Asked for; it leads elsewhere: {detail}.",
        Outcome.ROBOTS: "Not fetched: the site's robots.txt forbids it.",
        Outcome.HTTP_ERROR: "Asked for; the server answered {status}.",
        Outcome.REJECTED: "Asked for, but refused: {reason}.",
        Outcome.REFUSED: "Not asked for: refused ({reason}).",
        Outcome.FAILED: "Asked for, but no usable answer came: {reason}.",
    }
)


def _page_summary(facts: Facts) -> str:
    page = {name: "unknown" if value is None else value for name, value in (facts.page or {}).items()}
    is_sure = isinstance(page["page_type_confidence"], float)
    if page["outcome"] == Outcome.NOT_ARTICLE and page["reason"] == page["page_type"] and is_sure:
        return f"Fetched, but not stored: judged {page['reason']} (confidence {page['page_type_confidence']:.2f})."
    if page["outcome"] == Outcome.DUPLICATE and facts.article is not None and facts.article["duplicate_of"]:
        return f"Fetched, judged an article; it repeats {facts.article['duplicate_of']} ({page['reason']})."
    return _SENTENCES.get(page["outcome"], "Asked for; it ended as {outcome}, which is not known here.").format(**page)


def site_of_row(row: dict[str, Any]) -> NewsSite:
    """Return a harvested site as far as the database knows it: its hosts, without patterns."""
    return NewsSite(
        name=row["name"],
        title=row["title"] or row["name"],
        hosts=tuple(row["hosts"]),
        seeds=tuple(row["seeds"]),
        timezone=row["timezone"] or "UTC",
        language=row["language"],
    )
