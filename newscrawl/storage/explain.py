"""Why a URL was or was not fetched, judged an article, stored: what the database knows and what the rules say."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newscrawl.exceptions import UserError
from newscrawl.links.rules import Wanted, judge_url
from newscrawl.outcomes import Outcome
from newscrawl.sites.model import NewsSite
from newscrawl.storage.facts import WAITING
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from newscrawl.storage.facts import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesVerdict:
    """What the site's rules say about the address alone, without the wishes of a particular run."""

    site: str | None
    """None: no known site has this host."""
    follow: bool | None
    kind: str
    why: str
    rejection: str | None = None


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
    return Explanation(url=canonical, summary=summary(facts), facts=facts, rules=judge(canonical, sites))


def judge(url: str, sites: Iterable[NewsSite]) -> RulesVerdict:
    """Ask the rules of the first site that covers the URL."""
    site = next((site for site in sites if site.covers(url)), None)
    if site is None:
        why = "no known site has this host; kind by the address's shape"
        return RulesVerdict(site=None, follow=None, kind=str(url_shape(url)), why=why)
    said = judge_url(url, site, Wanted())
    rejection = str(said.rejection) if said.rejection else None
    return RulesVerdict(site=site.name, follow=said.follow, kind=str(said.kind), why=said.why, rejection=rejection)


def summary(facts: Facts) -> str:
    """Return one sentence: what became of the URL."""
    if facts.page is not None:
        return _page_summary(facts)
    if facts.visit is not None and facts.visit["state"] in WAITING:
        return "Not fetched yet: it waits in the frontier."
    if facts.link is not None and facts.link["reason"]:
        return f"Not fetched: a link to it was seen and refused ({facts.link['reason']})."
    if facts.link is not None:
        return "Not fetched, or not yet: a link to it was seen and not refused."
    return "Unknown: never asked for, and no stored link leads to it."


#: Outcome → sentence; names in braces are columns of ``pages``.
_SENTENCES: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.STORED: "Fetched, judged an article, and stored.",
        Outcome.NOT_ARTICLE: "Fetched, but not stored: judged {reason}, page type {page_type}.",
        Outcome.DUPLICATE: "Not stored again: {reason}.",
        Outcome.PART: "Fetched, and joined into the first page of its article.",
        Outcome.REDIRECTED: "Asked for; it leads elsewhere: {detail}.",
        Outcome.ROBOTS: "Not fetched: the site's robots.txt forbids it.",
        Outcome.HTTP_ERROR: "Asked for; the server answered {status}.",
        Outcome.REJECTED: "Asked for, but refused: {reason}.",
        Outcome.FAILED: "Asked for, but no usable answer came: {reason}.",
    }
)


def _page_summary(facts: Facts) -> str:
    page = {name: "unknown" if value is None else value for name, value in (facts.page or {}).items()}
    if page["outcome"] == Outcome.NOT_ARTICLE and page["reason"] == page["page_type"]:
        return f"Fetched, but not stored: judged {page['reason']} (confidence {page['page_type_confidence']:.2f})."
    if page["outcome"] == Outcome.DUPLICATE and facts.article is not None and facts.article["duplicate_of"]:
        return f"Fetched, judged an article; it repeats {facts.article['duplicate_of']} ({page['reason']})."
    return _SENTENCES[Outcome(page["outcome"])].format(**page)


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
