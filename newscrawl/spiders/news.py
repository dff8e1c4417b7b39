"""The spider all news spiders are: seeds, sitemaps and feeds in, pages out. A site is data, not code."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.utils.defer import deferred_from_coro

from newscrawl.links.copies import copy_of
from newscrawl.links.feed import parse_feed
from newscrawl.links.model import LinkPosition, RefusedLink
from newscrawl.links.rules import PlannedUrl, UrlDecision, in_channels, judge_url, outside_dates
from newscrawl.links.sitemap import parse_sitemap, sitemaps_of_robots
from newscrawl.links.traps import RecentUrls, TrapGuard
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.read.model import Page, RawPage, site_facts
from newscrawl.read.pool import UnreadableError
from newscrawl.read.readers import readers_of
from newscrawl.signals import links_rejected, source_read, url_outcome
from newscrawl.spiders.options import ACCEPTED, Options, parse_options, refuse_unknown
from newscrawl.spiders.responses import (
    content_type,
    fetched_at,
    found_by,
    kind_of,
    requested_url,
    robots_headers,
    speaks_for,
)
from newscrawl.store.articles import urls_of_site
from newscrawl.store.crawl import storage_of
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.domains import same_site
from newscrawl.urls.parameters import ParameterWatch, SchemeWatch
from newscrawl.urls.patterns import AddressForms, url_pattern
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from datetime import date

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from newscrawl.links.model import Link
    from newscrawl.read.model import Reading
    from newscrawl.sites.model import NewsSite

logger = logging.getLogger(__name__)

#: What the place of a link adds to its priority: main text, then beside it, then the rest.
POSITION_PRIORITY = {LinkPosition.IN_BODY: 200, LinkPosition.ADJACENT: 100, LinkPosition.ELSEWHERE: 0}
#: Sitemaps and feeds come before pages: what they say about dates saves requests.
DISCOVERY_PRIORITY = 1_000
#: Sitemap indexes within sitemap indexes.
MAX_SITEMAP_DEPTH = 3
#: Answers to the request for robots.txt that the spider reads itself: all but redirects, which are followed.
ROBOTS_STATUSES = [304, *range(400, 600)]
#: Entries of feeds and sitemaps remembered for pages that a link had asked for before.
MAX_TOLD = 5_000
#: Feeds of one address pattern that no page may offer any more, where all of them were dead.
MAX_DEAD_FEEDS = 5


class NewsSpider(Spider):
    """Harvest one ``NewsSite``.

    Arguments: ``newscrawl.spiders.options.ACCEPTED``. Settings ``NEWSCRAWL_HOST_BUDGET``,
    ``NEWSCRAWL_PATTERN_BUDGET``, ``NEWSCRAWL_SITEMAP_ENTRIES``, ``NEWSCRAWL_SITEMAP_FILES``,
    ``NEWSCRAWL_FEEDS``. Stats ``newscrawl/rejected/<reason>``, ``newscrawl/discovery/<source>``,
    ``newscrawl/seeds/asked``: pages to start from, ``newscrawl/tried/feeds_asked``, ``feeds_read``, ``feeds_spared``
    (of address patterns whose feeds were all dead), ``sitemaps_asked`` and ``sitemaps_read``. Each page asked for
    carries ``meta["newscrawl"]``: how it was found. Stats
    ``newscrawl/discovery/https_hosts``: hosts whose http links are asked for as https;
    ``newscrawl/discovery/referrer_parameters``: parameters left out of links as canonical addresses leave them out.
    """

    site: NewsSite
    #: Whether pages are read with what surrounds their links.
    needs_contexts: ClassVar[bool] = False
    #: Arguments the class takes beside those of all news spiders, with what they accept.
    also_accepted: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **arguments: str) -> None:
        """:raises UserError: an argument is unknown or its value is not accepted."""
        super().__init__()
        given = {name: value for name, value in arguments.items() if not name.startswith("_")}  # scrapyd adds _job
        #: What the run was asked for; kept with the run.
        self.arguments: dict[str, str] = dict(given)
        refuse_unknown(given, {**ACCEPTED, **self.also_accepted})
        self.site = self.make_site(given)
        self.options: Options = parse_options(given, self.site, now=datetime.now(UTC))
        self.allowed_domains = [host.lstrip(".") for host in self.site.hosts]
        self.recent = RecentUrls()
        self._nofollow = RecentUrls()
        self.traps = TrapGuard()
        self._told: dict[str, dict[str, str]] = {}
        self._schemes = SchemeWatch()
        self.forms = AddressForms()
        """How hosts spell their addresses."""
        self._parameters = ParameterWatch()
        self.stopping = False
        self.n_stored = 0
        self._sitemaps_left = 0
        self._feeds_left = 0
        self._asked_feeds: dict[str, str] = {}
        """Address → its pattern, until it is answered."""
        self._dead_feeds: Counter[str] = Counter()
        """By pattern."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        settings = crawler.settings
        if spider.options.dry_run:
            settings.set("NEWSCRAWL_DRY_RUN", value=True, priority="cmdline")
        crawler.signals.connect(spider.feed_ended, url_outcome)
        return spider

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        """Return the site to harvest; a class without a ``site`` of its own makes it from the arguments."""
        return self.site

    @property
    def most_under_way(self) -> int | None:
        """How many requests may be under way: no more than articles are still wanted; None for any number."""
        return None if self.options.limit is None else max(1, self.options.limit - self.n_stored)

    def stop(self, reason: str) -> None:
        """Close the spider; what is being downloaded is still stored, nothing more is asked for."""
        if not self.stopping:
            self.stopping = True
            deferred_from_coro(self.crawler.engine.close_spider_async(reason=reason))

    # --- start -------------------------------------------------------------------------------------------

    async def start(self) -> AsyncIterator[Any]:
        self.configure(self.crawler.settings)
        readers_of(self.crawler).start()
        for request in self._start_requests():
            yield request
        for url in await self._stored():
            if self.site.covers(url) and self.recent.add(url):
                yield self.make_request(url)

    async def _stored(self) -> Sequence[str]:
        """Return what to read again beside what this crawl has asked for: ``crawl site`` has a queue of its own."""
        storage = storage_of(self.crawler)
        if self.options.mode != "again" or self.options.wanted.channels or storage is None:
            return ()
        return await storage.read(partial(urls_of_site, name=self.site.name, covers=self.site.covers))

    def configure(self, settings: BaseSettings) -> None:
        """Read the settings; when the spider is made, add-ons have not yet set theirs."""
        self.traps = TrapGuard(
            host_budget=settings.getint("NEWSCRAWL_HOST_BUDGET"),
            pattern_budget=settings.getint("NEWSCRAWL_PATTERN_BUDGET"),
            max_depth=settings.getint("DEPTH_LIMIT"),
        )
        self._sitemaps_left = settings.getint("NEWSCRAWL_SITEMAP_FILES")
        self._feeds_left = settings.getint("NEWSCRAWL_FEEDS")
        self._sitemap_entries = settings.getint("NEWSCRAWL_SITEMAP_ENTRIES")

    def _start_requests(self) -> Iterator[Request]:
        if not self.options.wanted.channels:
            for url in self.site.feeds:
                yield from self._feed_request(url, found="site")
            for url in self.site.sitemaps:
                yield from self._sitemap_request(url, found="site")
            for origin in dict.fromkeys(_origin(url) for url in self.site.seeds):
                meta = {"dont_obey_robotstxt": True, "handle_httpstatus_list": ROBOTS_STATUSES}
                yield self._discovery_request(f"{origin}/robots.txt", self.parse_robots, {"found": "site"}, **meta)
        for url in self.seeds():
            self.recent.add(url)
            self.crawler.stats.inc_value("newscrawl/seeds/asked")
            yield self.make_request(url, found="seed", allow_offsite=True)

    def seeds(self) -> tuple[str, ...]:
        """Canonical addresses of the hubs to start from: those of the channels asked for, else all."""
        wanted = self.options.wanted.channels
        hubs = [url for name, urls in self.site.channels.items() if not wanted or name in wanted for url in urls]
        urls = hubs if wanted else [*self.site.seeds, *hubs]
        return tuple(dict.fromkeys(url for url in map(canonicalize, urls) if url))

    # --- requests ----------------------------------------------------------------------------------------

    def make_request(
        self,
        url: str,
        *,
        page: Page | None = None,
        link: Link | None = None,
        priority: int = 0,
        hints: dict[str, str] | None = None,
        found: str = "link",
        allow_offsite: bool = False,
    ) -> Request:
        """Return the request for a page.

        :param page: the page the link stands on; gives depth and referer.
        :param hints: what a feed or sitemap said: ``title``, ``date``, ``from``.
        :param found: ``seed``, ``sitemap``, ``feed`` or ``link``.
        """
        info: dict[str, Any] = {"found": found}
        meta: dict[str, Any] = {"newscrawl": info}
        headers: dict[str, str] = {}
        if hints:
            info["hints"] = hints
        if allow_offsite:
            meta["allow_offsite"] = True
        if page is not None:
            meta["depth"] = page.depth + 1
            info["parent"] = page.url
            if not (page.url.startswith("https:") and url.startswith("http:")):
                headers["Referer"] = page.url
        if link is not None:
            info |= {"position": str(link.position), "block": link.block, "anchor": link.anchor[:200]}
        return Request(
            self.site.clean_url(url), callback=self.parse_page, headers=headers, priority=priority, meta=meta
        )

    def judge_link(self, link: Link, page: Page) -> UrlDecision:
        """Judge a link of a page; an address judged before in this run is a duplicate, whatever came of it."""
        url = self.site.clean_url(link.url)
        if url in self.recent:  # most links of a page: nothing else is asked of them
            self.recent.add(url)
            return _JUDGED_BEFORE
        copied = copy_of(link, page.url) if self.site.covers(url) else None
        if copied is not None:
            return _refused(UrlKind.OTHER, Rejection.PATTERN, copied)
        decision = self.admit(url, depth=page.depth + 1, modified=page.reading.listed.get(link.url))
        channels = self.options.wanted.channels
        if (
            decision.follow
            and channels
            and decision.kind is UrlKind.ARTICLE
            and not in_channels(url, self.site, channels)
            and not in_channels(page.url, self.site, channels)
        ):
            return _refused(decision.kind, Rejection.CHANNEL, "an article of another channel")
        if not decision.follow:
            return decision
        return UrlDecision(
            kind=decision.kind,
            why=decision.why,
            priority=decision.priority + POSITION_PRIORITY[link.position] + link.priority,
        )

    def admit(
        self, url: str, *, depth: int = 0, published: date | None = None, modified: date | None = None
    ) -> UrlDecision:
        """Judge an address by the rules, the user's wishes and the budgets; counts it against the budgets."""
        if not self.recent.add(url):
            return _JUDGED_BEFORE
        decision = judge_url(url, self.site, self.options.wanted, published=published, modified=modified)
        if decision.follow and (refusal := self.traps.judge(url, decision.kind, depth)):
            if refusal[0] is Rejection.DEPTH:
                self.recent.forget(url)  # another page may lead there in fewer steps
            return _refused(decision.kind, *refusal)
        return decision

    def reject(self, refused: Sequence[RefusedLink], page_url: str | None = None) -> None:
        """Count links that are not followed, and tell who listens to ``links_rejected``."""
        for reason, n in Counter(link.reason for link in refused).items():
            self.crawler.stats.inc_value(f"newscrawl/rejected/{reason}", n)
        told = [link for link in refused if link.reason is not Rejection.DUPLICATE]
        if told:
            self.crawler.signals.send_catch_log(links_rejected, refused=told, page_url=page_url)

    # --- callbacks ---------------------------------------------------------------------------------------

    async def parse_page(self, response: Response) -> AsyncIterator[Any]:
        """Yield requests for the feeds the page offers, then the ``Page``: with it, its request has ended."""
        self._adopt_host(response)
        self._learn_scheme(response)
        self.forms.note(requested_url(response), response.url)
        kind = kind_of(response)
        if isinstance(kind, Rejection):
            self._finish(response, Outcome.REJECTED, str(kind), detail=content_type(response)[:100])
        elif kind == "html":
            try:
                reading = await readers_of(self.crawler).read(self._raw(response))
            except UnreadableError as error:
                self._finish(response, Outcome.REJECTED, str(error.reason), detail=error.detail)
                return
            page = self._page(response, reading)
            self._learn_parameters(response, reading.canonical)
            for url in reading.feeds:
                for request in self._feed_request(url, found="page"):
                    yield request
            for item in self._plan(page) if self.options.dry_run else (page,):
                yield item
        else:
            for item in self.parse_sitemap(response) if kind == "sitemap" else self.parse_feed(response):
                yield item

    def parse_robots(self, response: Response) -> Iterator[Any]:
        """Ask for the sitemaps that robots.txt names, else for the usual one, if the site's data name none."""
        if response.status == 304:  # what it names is known
            self._finish(response, Outcome.DUPLICATE, "not_modified")
            return
        self._finish(response, Outcome.NOT_ARTICLE, "robots.txt")
        urls = sitemaps_of_robots(response.body) if response.status == 200 else []
        for url in urls or ([] if self.site.sitemaps else ["/sitemap.xml"]):
            yield from self._sitemap_request(canonicalize(url, response.url), found="robots.txt", named_by=response.url)

    def parse_sitemap(self, response: Response) -> Iterator[Any]:
        self._finish(response, Outcome.NOT_ARTICLE, "sitemap")
        self.crawler.stats.inc_value("newscrawl/tried/sitemaps_read")
        info = found_by(response)
        level = info.get("level", 0)
        told: list[tuple[str, date | None]] = []
        for entry in parse_sitemap(response.body, response.url, max_entries=self._sitemap_entries):
            if entry.is_sitemap:
                old = outside_dates(entry.lastmod, self.options.wanted, self.site.timezone)
                if level < MAX_SITEMAP_DEPTH and (old is None or old[0] is not Rejection.BEFORE_SINCE):
                    same = info if _origin(entry.url) == _origin(response.url) else {}
                    found, named_by = same.get("found", "sitemap"), same.get("named_by")
                    yield from self._sitemap_request(entry.url, found=found, level=level + 1, named_by=named_by)
                continue
            told.append((entry.url, entry.published or entry.lastmod))
            hints = {"from": response.url, "title": entry.title, "date": _iso(entry.published)}
            yield from self._found(
                response, entry.url, "sitemap", hints, published=entry.published, modified=entry.lastmod
            )
        self._tell_stories(response, "sitemap", told)

    def parse_feed(self, response: Response) -> Iterator[Any]:
        self._finish(response, Outcome.NOT_ARTICLE, "feed")
        self.crawler.stats.inc_value("newscrawl/tried/feeds_read")
        told: list[tuple[str, date | None]] = []
        for entry in parse_feed(response.body, response.url, {"content-type": content_type(response)}):
            told.append((entry.url, entry.published or entry.updated))
            hints = {"from": response.url, "title": entry.title, "date": _iso(entry.published or entry.updated)}
            yield from self._found(
                response, entry.url, "feed", hints, published=entry.published, modified=entry.updated
            )
        self._tell_stories(response, "feed", told)

    # --- helpers -----------------------------------------------------------------------------------------

    def _tell_stories(self, response: Response, door: str, told: Sequence[tuple[str, date | None]]) -> None:
        stories = [(self.site.clean_url(url), moment) for url, moment in told]
        self.crawler.signals.send_catch_log(source_read, url=requested_url(response), door=door, stories=stories)

    def _found(
        self,
        response: Response,
        url: str,
        source: str,
        hints: Mapping[str, str | None],
        *,
        published: date | None,
        modified: date | None,
    ) -> Iterator[Request | PlannedUrl]:
        """Judge an address a feed or sitemap lists; ask for it, plan it, or count why not."""
        if not speaks_for(response, url):
            hints, published, modified = {"from": response.url}, None, None
        url = self.site.clean_url(url)
        self.crawler.stats.inc_value(f"newscrawl/discovery/{source}")
        decision = self.admit(url, published=published, modified=modified)
        known = {name: value for name, value in hints.items() if value}
        if decision.rejection is Rejection.DUPLICATE and known.keys() & {"title", "date"}:
            self._told[url] = known
            if len(self._told) > MAX_TOLD:
                del self._told[next(iter(self._told))]
        if decision.rejection is not None:
            self.reject([RefusedLink(url, decision.rejection)])
        elif self.options.dry_run:
            yield PlannedUrl.of(url, decision, source=source, found_on=hints["from"], date=hints.get("date"))
        else:
            yield self.make_request(url, priority=decision.priority, hints=known, found=source)

    def _plan(self, page: Page) -> Iterator[PlannedUrl]:
        for link, decision in self.follow(page):
            yield PlannedUrl.of(self.site.clean_url(link.url), decision, source="link", found_on=page.url)

    def follow(self, page: Page) -> Iterator[tuple[Link, UrlDecision]]:
        """Judge the links of a page; yield those to ask for, count the others."""
        settings = self.crawler.settings
        obeys_page = settings.getbool("NEWSCRAWL_OBEY_META_ROBOTS")
        obeys_rel = settings.getbool("NEWSCRAWL_OBEY_REL_NOFOLLOW")
        nofollow = obeys_page and "nofollow" in page.reading.robots
        refused: list[RefusedLink] = []
        if page.article is None:
            stories = [(self.site.clean_url(link.url), None) for link in page.links]
            self.crawler.signals.send_catch_log(source_read, url=page.requested_url, door="hub", stories=stories)
        for link in page.links:
            if nofollow or (link.nofollow and obeys_rel):
                if self._nofollow.add(link.url):  # told once; another page may still lead there
                    refused.append(RefusedLink(link.url, Rejection.NOFOLLOW, link.anchor, link.position))
                continue
            decision = self.judge_link(link, page)
            if decision.rejection is None:
                yield link, decision
            else:
                refused.append(RefusedLink(link.url, decision.rejection, link.anchor, link.position))
        self.reject(refused, page.url)

    def _raw(self, response: Response) -> RawPage:
        """Return the answer with what is known of it beforehand."""
        info = found_by(response)
        requested = requested_url(response)
        told = self._told.pop(self.site.clean_url(canonicalize(requested) or requested), {})
        is_own = same_site(requested, response.url)  # what was said of an address is not said of another site's page
        return RawPage(
            body=response.body,
            url=response.url,
            fetched_at=fetched_at(response),
            content_type=content_type(response),
            robots=tuple(robots_headers(response)),
            charset=response.meta.get("newscrawl_encoding"),
            site=site_facts(self.site, response.url),
            told=told | dict(info.get("hints", {})) if is_own else None,
            is_part=is_own and info.get("found") == "part",
        )

    def _page(self, response: Response, reading: Reading) -> Page:
        return Page(
            url=response.url,
            requested_url=requested_url(response),
            reading=reading,
            status=response.status,
            site=self.site.name,
            depth=response.meta.get("depth", 0),
            referer=found_by(response).get("parent"),
            article=reading.article,
            page_type=reading.page_type,
            links=reading.links,
            validators=_validators(response),
            body_hash=blake2b(response.body, digest_size=16).hexdigest(),
        )

    def _adopt_host(self, response: Response) -> None:
        """A seed that redirects to another host says where the site lives now."""
        asked, host = requested_url(response), urlsplit(response.url).hostname or ""
        if found_by(response).get("found") == "seed" and self.site.covers(asked) and not self.site.covers_host(host):
            logger.info("%s redirects to %s, which is harvested too", asked, host)
            self.site = replace(self.site, hosts=(*self.site.hosts, host))
            self.allowed_domains.append(host)

    def _learn_scheme(self, response: Response) -> None:
        """From now on http links to a host are asked for as https, if it only sends them there."""
        asked = response.meta.get("redirect_urls") or [response.url]
        policy = (response.headers.get("Strict-Transport-Security") or b"").decode("latin-1")
        host = self._schemes.sees(asked[-1], response.url, policy)
        if host is not None and host not in self.site.https_hosts:
            self.site = replace(self.site, https_hosts=self.site.https_hosts | {host})
            self.crawler.stats.inc_value("newscrawl/discovery/https_hosts")

    def _learn_parameters(self, response: Response, canonical: str | None) -> None:
        """From now on links are asked for without the parameters that the host's pages leave out of their addresses."""
        asked = canonicalize((response.meta.get("redirect_urls") or [response.url])[-1])
        if asked is None or "?" not in asked:
            return
        own = canonicalize(response.url)
        if own == asked:
            own = canonical
        if own is not None:
            self._leave_out(self._parameters.sees(asked, own))

    def learn_article(self, page: Page) -> None:
        """Take note of an article: the same text at two addresses says which of their parameters change nothing."""
        if page.article is not None:
            article = page.article
            self._leave_out(self._parameters.reads(page.url, article.headline or "", article.articleBody or ""))
            if wrong := self._parameters.cleared(self.site.referrers):
                self.site = replace(self.site, referrers=self.site.referrers - wrong)

    def _leave_out(self, found: frozenset[tuple[str, str]]) -> None:
        if found:
            self.site = replace(self.site, referrers=self.site.referrers | found)
            self.crawler.stats.inc_value("newscrawl/discovery/referrer_parameters", len(found))

    def _sitemap_request(
        self, url: str | None, *, found: str, level: int = 0, named_by: str | None = None
    ) -> Iterator[Request]:
        named = found in ("site", "robots.txt")  # by the site itself: it may be on another host
        if url and self._sitemaps_left > 0 and (named or self.site.covers(url)) and self.recent.add(url):
            self._sitemaps_left -= 1
            self.crawler.stats.inc_value("newscrawl/tried/sitemaps_asked")
            yield self._discovery_request(
                url, self.parse_sitemap, {"found": found, "level": level, "named_by": named_by}
            )

    def _feed_request(self, url: str, *, found: str) -> Iterator[Request]:
        if self._feeds_left <= 0 or not (found == "site" or self.site.covers(url)) or not self.recent.add(url):
            return
        pattern, count = url_pattern(url), self.crawler.stats.inc_value
        if found == "page" and self._dead_feeds[pattern] >= MAX_DEAD_FEEDS:
            count("newscrawl/tried/feeds_spared")
            return
        self._feeds_left -= 1
        self._asked_feeds[url] = pattern
        count("newscrawl/tried/feeds_asked")
        yield self._discovery_request(url, self.parse_feed, {"found": found})

    def feed_ended(self, url: str, outcome: Outcome) -> None:
        """Learn which patterns are of dead feeds: each tag's page may offer one that nobody made."""
        pattern = self._asked_feeds.pop(url, None)
        if pattern is not None and outcome is Outcome.HTTP_ERROR:
            self._dead_feeds[pattern] += 1
        elif pattern is not None and outcome is Outcome.NOT_ARTICLE:  # it was read
            self._dead_feeds[pattern] = -self._feeds_left

    @staticmethod
    def _discovery_request(url: str, callback: Any, info: dict[str, Any], **meta: Any) -> Request:
        meta |= {"newscrawl": info | {"discovery": True}, "allow_offsite": True}
        return Request(url, callback=callback, priority=DISCOVERY_PRIORITY, meta=meta)

    def _finish(self, response: Response, outcome: Outcome, reason: str, *, detail: str = "") -> None:
        """Report an answer that becomes no ``Page``."""
        if outcome is Outcome.REJECTED:
            self.crawler.stats.inc_value(f"newscrawl/rejected/{reason}")
        self.crawler.signals.send_catch_log(
            url_outcome,
            url=response.url,
            outcome=outcome,
            reason=reason,
            status=response.status,
            detail=detail,
            validators=_validators(response),
        )


def _refused(kind: UrlKind, rejection: Rejection, why: str) -> UrlDecision:
    return UrlDecision(kind=kind, why=why, rejection=rejection)


_JUDGED_BEFORE = _refused(UrlKind.UNKNOWN, Rejection.DUPLICATE, "judged before in this run")


def _validators(response: Response) -> dict[str, str]:
    """Return what a later conditional request can ask with."""
    names = {"etag": b"ETag", "last_modified": b"Last-Modified"}
    headers = {hint: response.headers.get(name) for hint, name in names.items()}
    return {hint: value.decode("latin-1") for hint, value in headers.items() if value}


def _iso(moment: date | None) -> str | None:
    return moment.isoformat() if moment else None


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
