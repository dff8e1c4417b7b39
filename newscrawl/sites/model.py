"""A news site as data, also one of which only the address is known."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawl.exceptions import UserError
from newscrawl.sites.rules import NO_RULES, SiteRules
from newscrawl.urls.canonical import canonicalize, host_of
from newscrawl.urls.domains import registered_domain, zone_of_host
from newscrawl.urls.parameters import without, without_session
from newscrawl.urls.shape import UrlKind, url_date, url_form, url_shape

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsSite:
    """Where a site's news is found, and what its article addresses look like.

    Patterns are regular expressions searched in ``host/path?query`` (no scheme). An article pattern may name
    the groups ``y``, ``m`` and ``d``, which then give the day of publication; a two-digit year is 20yy.
    """

    name: str
    title: str
    hosts: tuple[str, ...]
    """``example.org`` is that host alone, ``.example.org`` also every host below it."""
    seeds: tuple[str, ...]
    channels: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Channel name → addresses of its hub pages."""
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    article_patterns: tuple[str, ...] = ()
    """Addresses of articles. If a site has any pattern, only addresses that match one are stored."""
    guessed_patterns: tuple[str, ...] = ()
    """Patterns guessed from a home page: hints that raise an address, and refuse none."""
    hub_patterns: tuple[str, ...] = ()
    deny_patterns: tuple[str, ...] = ()
    timezone: str = "UTC"
    """IANA name; for times printed without a zone."""
    timezone_known: bool = True
    """False: ``timezone`` stands in for one that nobody stated; a page's language says more."""
    language: str | None = None
    """ISO 639-1 code."""
    country: str | None = None
    """ISO 3166 code, in lower case."""
    source: str = ""
    """Source of these facts."""
    checked: str = ""
    """The day on which the site was last asked whether they are so; ``never``."""
    site_names: tuple[str, ...] = ()
    """How the site calls itself: cut from titles, never an author."""
    article_query: bool = True
    """False: the query of an article's address never changes the page, and is dropped."""
    https_hosts: frozenset[str] = frozenset()
    """Hosts that send every http address to its https form: learnt in a crawl."""
    referrers: frozenset[tuple[str, str]] = frozenset()
    """Host and name of parameters that only say where the reader came from: learnt in a crawl."""
    sessions: Mapping[tuple[str, str], str] = field(default_factory=lambda: MappingProxyType({}))
    """Host and place of random values that change nothing → the value that pages are asked by: learnt in a crawl."""
    rules: SiteRules = NO_RULES
    """Selectors of the text and of facts (:mod:`newscrawl.sites.rules`)."""
    page_verdicts: Mapping[str, UrlKind] = field(default_factory=lambda: MappingProxyType({}))
    """Address without its scheme → what the user says that its page is (:mod:`newscrawl.sites.files`)."""
    form_verdicts: Mapping[str, UrlKind] = field(default_factory=lambda: MappingProxyType({}))
    """Form of addresses → what the user's verdicts make of it."""

    def covers(self, url: str) -> bool:
        return self.covers_host(host_of(url))

    def covers_host(self, host: str) -> bool:
        return _covers(self.hosts, host)

    def url_kind(self, url: str) -> UrlKind:
        """Return what the address promises. The user decides, then the site's patterns; without these, the shape."""
        target = _target(url)
        if (stated := self.page_verdicts.get(target)) is not None:
            return stated
        for patterns, kind in (
            (self.deny_patterns, UrlKind.OTHER),
            (self.article_patterns, UrlKind.ARTICLE),
            (self.hub_patterns, UrlKind.HUB),
        ):
            if _first_match(patterns, target):
                return kind
        if self.form_verdicts and (stated := self.form_verdicts.get(url_form(target))) is not None:
            return stated
        kind = url_shape(url)
        if self.article_patterns:  # no other address is an article's
            return UrlKind.UNKNOWN if kind is UrlKind.ARTICLE else kind
        is_guessed = kind is UrlKind.UNKNOWN and _first_match(self.guessed_patterns, target) is not None
        return UrlKind.ARTICLE if is_guessed else kind

    def names_hub(self, url: str) -> bool:
        """Tell whether the site's own description names the address as a hub: a seed, or a page of a channel."""
        target = _target(url)  # a seed may say http where the page came over https
        return any(_target(hub) == target for hubs in (self.seeds, *self.channels.values()) for hub in hubs)

    def stated_kind(self, url: str) -> UrlKind | None:
        """Return what the page at the address is, where somebody has said so: the user, or the site's description.

        Where that has article patterns, no page at another address is an article.
        """
        stated = self.page_verdicts.get(_target(url))
        if stated is not None:
            return stated
        if self.names_hub(url):
            return UrlKind.HUB
        kind = self.url_kind(url) if self.article_patterns else UrlKind.ARTICLE
        if kind is UrlKind.ARTICLE:
            return None
        return kind if kind is UrlKind.HUB else UrlKind.OTHER

    def denied_by(self, url: str) -> str | None:
        """The deny pattern that matches the address, or None."""
        match = _first_match(self.deny_patterns, _target(url))
        return None if match is None else match.re.pattern

    def url_date(self, url: str) -> date | None:
        target = _target(url)
        for pattern in _compile(self.article_patterns):
            if pattern.groupindex.keys() >= {"y", "m", "d"} and (match := pattern.search(target)):
                return _date(match["y"], match["m"], match["d"])
        return url_date(url)

    def clean_url(self, url: str) -> str:
        """Return the form of the address that is asked for.

        Https on hosts known to live there, without parameters known to change nothing, by one session where the path
        has one; without the query of articles, on sites where it only says where the reader came from.
        """
        if self.https_hosts and url.startswith("http://") and url[7:].partition("/")[0] in self.https_hosts:
            url = f"https://{url[7:]}"
        if self.referrers and "?" in url:
            url = without(url, self.referrers)
        if self.sessions:
            url = without_session(url, self.sessions)
        if not self.article_query and "?" in url:
            bare = url.partition("?")[0]
            if _first_match(self.article_patterns, _target(bare)):
                return bare
        return url


@lru_cache(maxsize=8192)
def _covers(hosts: tuple[str, ...], host: str) -> bool:
    return any(host == known.lstrip(".") or (known[:1] == "." and host.endswith(known)) for known in hosts)


def _target(url: str) -> str:
    return url.partition("://")[2] or url


def _first_match(patterns: tuple[str, ...], target: str) -> re.Match[str] | None:
    if patterns:
        for pattern in _compile(patterns):
            if match := pattern.search(target):
                return match
    return None


@lru_cache(maxsize=512)
def _compile(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def site_from_url(url: str, *, subdomains: bool = False, timezone: str | None = None) -> NewsSite:
    """Make a site of the host and its ``www.`` twin, or of all hosts below the registered domain.

    :raises UserError: no http(s) address, or no such time zone.
    """
    canonical = canonicalize(url if "://" in url else "about:blank")
    if canonical is None:
        raise UserError(f"url={url!r} is not an http(s) address such as https://example.org/")
    host = urlsplit(canonical).hostname or ""
    twin = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    domain = registered_domain(host)
    return NewsSite(
        name=host,
        title=host,
        hosts=(f".{domain}",) if subdomains and domain else (host, twin) if domain else (host,),
        seeds=(canonical,),
        timezone=_zone(timezone) if timezone else zone_of_host(host) or "UTC",
        timezone_known=bool(timezone or zone_of_host(host)),
    )


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UserError(f"timezone={name!r} is not an IANA name such as Asia/Shanghai") from None
