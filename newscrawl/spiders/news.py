"""The base of all news spiders: seeds, sitemaps and feeds in, pages out. A site is data, not code."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro

from newscrawl.frontier.model import HarvestSpider
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.frontier.waiting import is_stopping
from newscrawl.items import Page
from newscrawl.links.feed import parse_feed
from newscrawl.links.gate import Gate, Limits
from newscrawl.links.model import ListedEntry, RefusedLink
from newscrawl.links.rules import PlannedUrl, lists_wanted
from newscrawl.links.sitemap import (
    MAX_DEPTH,
    lastmod_text,
    parse_captures,
    parse_sitemap,
    replay_address,
    sitemaps_of_robots,
)
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.signals import ARCHIVED, end_url, links_rejected, source_read, url_outcome
from newscrawl.spiders.options import ACCEPTED, Options, parse_options, refuse_unknown
from newscrawl.spiders.responses import (
    content_type,
    fetched_at,
    found_by,
    kind_of,
    origin_of,
    raw_page,
    redirected_from,
    referer_header,
    requested_url,
    speaks_for,
    validators_of,
)
from newscrawl.store.crawl import storage_of
from newscrawl.store.harvests import read_before, read_empty, urls_of_site
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from newscrawl.links.model import Link
    from newscrawl.links.rules import UrlDecision
    from newscrawl.sites.model import NewsSite

logger = logging.getLogger(__name__)

#: Priority of sitemaps and feeds before pages: their dates save requests.
DISCOVERY_PRIORITY = 1_000
#: Statuses of robots.txt that the spider reads itself. Redirects are followed instead.
ROBOTS_STATUSES = [304, *range(400, 600)]


class NewsSpider(HarvestSpider):
    """Harvest one ``NewsSite``.

    Arguments: ``newscrawl.spiders.options.ACCEPTED``. Settings ``NEWSCRAWL_HOST_BUDGET``, ``NEWSCRAWL_PATTERN_BUDGET``,
    ``NEWSCRAWL_SITEMAP_ENTRIES``, ``NEWSCRAWL_SITEMAP_FILES``, ``NEWSCRAWL_FEEDS``. Stats
    ``newscrawl/rejected/<reason>``, ``newscrawl/discovery/<source>``, ``newscrawl/seeds/asked``,
    ``newscrawl/tried/feeds_asked``, ``feeds_read``, ``feeds_spared`` (of patterns whose feeds were dead),
    ``sitemaps_asked`` and ``sitemaps_read``, ``newscrawl/discovery/https_hosts`` (asked by https for http links) and
    ``…/referrer_parameters`` (left out of links). Each page asked for carries ``meta["newscrawl"]``: how it was found.
    """

    #: Whether links come with the text around them.
    needs_contexts: ClassVar[bool] = False
    #: Arguments the class takes beside those of all news spiders, with what they accept.
    also_accepted: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **arguments: str) -> None:
        """:raises UserError: an argument is unknown or its value is not accepted."""
        super().__init__()
        given = {name: value for name, value in arguments.items() if not name.startswith("_")}  # scrapyd adds _job
        #: Arguments of the run, stored with it.
        self.arguments: dict[str, str] = dict(given)
        refuse_unknown(given, {**ACCEPTED, **self.also_accepted})
        self.site = self.make_site(given)
        self.options: Options = parse_options(given, self.site, now=datetime.now(UTC))
        self.wanted, self.mode = self.options.wanted, self.options.mode
        self.gate = Gate(self.site, self.wanted)
        """Everything the crawl has learnt about addresses. ``gate.site`` is the site as known so far."""
        self.allowed_domains = [host.lstrip(".") for host in self.site.hosts]
        self.stopping = False
        self.n_stored = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        if spider.options.dry_run:
            crawler.settings.set("NEWSCRAWL_DRY_RUN", value=True, priority="cmdline")
        crawler.signals.connect(spider.feed_ended, url_outcome)
        return spider

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        """Return the site to harvest. A class without a ``site`` of its own makes it from the arguments."""
        return self.site

    @property
    def most_under_way(self) -> int | None:
        """Most requests in progress at once: the number of articles still wanted; None for no bound."""
        return None if self.options.limit is None else max(1, self.options.limit - self.n_stored)

    def stop(self, reason: str) -> None:
        """Close the spider. Downloads in progress are stored; nothing more is requested."""
        if not self.stopping:
            self.stopping = True
            deferred_from_coro(self.crawler.engine.close_spider_async(reason=reason))

    async def start(self) -> AsyncIterator[Any]:
        """Yield the first requests: feeds, sitemaps, robots.txt, seeds, and what ``-a mode=again`` reads anew."""
        if self.crawler.settings["NEWSCRAWL_READERS"] is None:
            logger.error("No page would be read: ADDONS lacks 'newscrawl.addon.NewscrawlAddon' in the settings")
            raise CloseSpider("newscrawl_addon")
        self.configure(self.crawler.settings)
        if (storage := storage_of(self.crawler)) is not None:
            name, covers = self.site.name, self.site.covers
            stored = await storage.read(partial(read_before, name=name, covers=covers))
            self.gate.recall(stored, await storage.read(partial(read_empty, name=name, covers=covers)))
        for request in self._start_requests():
            yield request
        for url in await self._stored():
            if self.site.covers(url) and self.gate.recent.add(url):
                yield self.make_request(url)

    async def _stored(self) -> Sequence[str]:
        """Return stored addresses to read again that are not in this crawl's queue, such as those of ``crawl site``."""
        storage = storage_of(self.crawler)
        if self.mode != "again" or self.wanted.channels or storage is None:
            return ()
        return await storage.read(partial(urls_of_site, name=self.site.name, covers=self.site.covers))

    def configure(self, settings: BaseSettings) -> None:
        """Read the settings. The constructor cannot, because add-ons set theirs later."""
        self.gate = Gate(self.site, self.wanted, self.limits(settings))
        self._sitemap_entries = settings.getint("NEWSCRAWL_SITEMAP_ENTRIES")

    def limits(self, settings: BaseSettings) -> Limits:
        """Return the limits of the crawl's requests."""
        return Limits(
            per_host=settings.getint("NEWSCRAWL_HOST_BUDGET"),
            per_pattern=settings.getint("NEWSCRAWL_PATTERN_BUDGET"),
            depth=settings.getint("DEPTH_LIMIT"),
            sitemaps=settings.getint("NEWSCRAWL_SITEMAP_FILES"),
            feeds=settings.getint("NEWSCRAWL_FEEDS"),
        )

    def _start_requests(self) -> Iterator[Request]:
        for url in self.options.captures:
            yield self._discovery_request(url, self.parse_captures, {"found": "captures"})
        if not self.wanted.channels:
            for url in self.site.feeds:
                yield from self._feed_request(url, found="site")
            for url in self.site.sitemaps:
                yield from self._sitemap_request(url, found="site")
            for origin in dict.fromkeys(origin_of(url) for url in self.site.seeds):
                meta = {"dont_obey_robotstxt": True, "handle_httpstatus_list": ROBOTS_STATUSES}
                yield self._discovery_request(f"{origin}/robots.txt", self.parse_robots, {"found": "site"}, **meta)
        for url in self.seeds():
            self.gate.recent.add(url)
            self.crawler.stats.inc_value("newscrawl/seeds/asked")
            yield self.make_request(url, found="seed", allow_offsite=True)

    def seeds(self) -> tuple[str, ...]:
        """Canonical addresses of the hubs to start from: those of the requested channels, else all."""
        wanted = self.wanted.channels
        hubs = [url for name, urls in self.site.channels.items() if not wanted or name in wanted for url in urls]
        urls = hubs if wanted else [*self.site.seeds, *hubs]
        return tuple(dict.fromkeys(url for url in map(canonicalize, urls) if url))

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
        :param found: ``seed``, ``sitemap``, ``feed``, ``link`` or ``part``.
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
            headers = referer_header(page.url, url)
        if link is not None:
            info |= {"position": str(link.position), "block": link.block, "anchor": link.anchor[:200]}
        return Request(
            self.gate.site.clean_url(url), callback=self.parse_page, headers=headers, priority=priority, meta=meta
        )

    def judge_link(self, link: Link, page: Page) -> UrlDecision:
        """Judge a link of a page. Subclasses may override this."""
        return self.gate.judge_link(link, page.url, depth=page.depth + 1, modified=page.reading.listed.get(link.url))

    def reject(self, refused: Sequence[RefusedLink], page_url: str | None = None) -> None:
        """Count links that are not followed, and send ``links_rejected``."""
        for reason, n in Counter(link.reason for link in refused).items():
            self.crawler.stats.inc_value(f"newscrawl/rejected/{reason}", n)
        told = [link for link in refused if link.reason is not Rejection.DUPLICATE]
        if told:
            self.crawler.signals.send_catch_log(links_rejected, refused=told, page_url=page_url)

    async def parse_page(self, response: Response) -> AsyncIterator[Any]:
        """Yield the ``Page`` that the pipelines read; for a feed or sitemap, requests for what it lists."""
        self._learn(response)
        kind = kind_of(response)
        if isinstance(kind, Rejection):
            self._finish(response, Outcome.REJECTED, str(kind), detail=content_type(response)[:100])
        elif kind == "html":
            yield self.page_of(response)
        else:
            for item in self.parse_sitemap(response) if kind == "sitemap" else self.parse_feed(response):
                yield item

    #: Callback of Scrapy's own commands that get an address only.
    parse = parse_page

    def page_of(self, response: Response) -> Page:
        """Return the page of an answer, not read yet, with what the crawl already knows about it."""
        page = Page(
            url=response.url,
            requested_url=requested_url(response),
            redirected_from=redirected_from(response),
            fetched_at=fetched_at(response),
            status=response.status,
            headers={
                # names in lower case; several values of one name are joined by commas
                name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
                for name, values in response.headers.items()
            },
            body=response.body,
            body_hash=blake2b(response.body, digest_size=16).hexdigest(),
            found=found_by(response),
            site=self.site.name,
            depth=response.meta.get("depth", 0),
            validators=validators_of(response),
            archived=dict(response.meta.get(ARCHIVED) or {}),
        )
        page.raw = raw_page(response, self.gate.site, hints=self.gate.take_hints(page.requested_url))
        return page

    def parse_robots(self, response: Response) -> Iterator[Any]:
        """Request the sitemaps named by robots.txt, else the usual one, if the site file names none."""
        if response.status == 304:  # its content is already known
            self._finish(response, Outcome.DUPLICATE, "not_modified")
            return
        self._finish(response, Outcome.NOT_ARTICLE, "robots.txt")
        urls = sitemaps_of_robots(response.body) if response.status == 200 else []
        for url in urls or ([] if self.site.sitemaps else ["/sitemap.xml"]):
            yield from self._sitemap_request(canonicalize(url, response.url), found="robots.txt", named_by=response.url)

    def parse_sitemap(self, response: Response) -> Iterator[Any]:
        """Request the addresses of a sitemap. The next run reads a sitemap again that a stop cut short."""
        info = found_by(response)
        level = info.get("level", 0)
        told: list[ListedEntry] = []
        for entry in parse_sitemap(response.body, response.url, max_entries=self._sitemap_entries):
            if is_stopping(self.crawler) and (frontier := frontier_of(self.crawler)) is not None:
                frontier.put_back(response.url)
                return
            self.gate.n_entries += 1
            if entry.is_sitemap:
                if level < MAX_DEPTH and lists_wanted(entry, self.wanted, self.site.timezone):
                    same = info if origin_of(entry.url) == origin_of(response.url) else {}
                    found, named_by = same.get("found", "sitemap"), same.get("named_by")
                    yield from self._sitemap_request(entry.url, found=found, level=level + 1, named_by=named_by)
                continue
            told.append(entry)
            yield from self._found(response, entry, "sitemap", entry.published)
        self._finish(response, Outcome.NOT_ARTICLE, "sitemap")
        self.crawler.stats.inc_value("newscrawl/tried/sitemaps_read")
        self._tell_stories(response, "sitemap", told)

    def parse_feed(self, response: Response) -> Iterator[Any]:
        self._finish(response, Outcome.NOT_ARTICLE, "feed")
        self.crawler.stats.inc_value("newscrawl/tried/feeds_read")
        told: list[ListedEntry] = []
        for entry in parse_feed(response.body, response.url, {"content-type": content_type(response)}):
            told.append(entry)
            yield from self._found(response, entry, "feed", entry.moment)
        self._tell_stories(response, "feed", told)

    def parse_captures(self, response: Response) -> Iterator[Any]:
        """Request the addresses of an index of captures. No page was published after its capture."""
        self._finish(response, Outcome.NOT_ARTICLE, "captures")
        replay = self.options.replay
        for url, moment in parse_captures(response.body):
            for one in self._found(response, ListedEntry(url=url, changed=moment), "captures"):
                if replay is not None and isinstance(one, Request):
                    found_by(one)["capture"] = replay_address(replay, one.url, moment)
                yield one

    def _tell_stories(self, response: Response, door: str, told: Sequence[ListedEntry]) -> None:
        clean, asked = self.gate.site.clean_url, requested_url(response)
        stories = [(clean(entry.url), entry.moment) for entry in told]
        called = {clean(one.url): one.title for one in told if one.title and speaks_for(response, one.url)}
        self.crawler.signals.send_catch_log(source_read, url=asked, door=door, stories=stories, titles=called)

    def _found(
        self, response: Response, entry: ListedEntry, source: str, stated: date | None = None
    ) -> Iterator[Request | PlannedUrl]:
        """Judge an address a feed or sitemap lists; ask for it, plan it, or count why not.

        :param stated: the day or time that is kept for the article, whose page may state none.
        """
        if not speaks_for(response, entry.url):
            entry, stated = ListedEntry(url=entry.url), None
        hints = {"from": response.url, "title": entry.title, "date": lastmod_text(stated)}
        url = self.gate.site.clean_url(entry.url)
        self.crawler.stats.inc_value(f"newscrawl/discovery/{source}")
        decision = self.gate.admit(url, published=entry.published, modified=entry.changed)
        known = {name: value for name, value in hints.items() if value}
        if decision.rejection is Rejection.DUPLICATE and known.keys() & {"title", "date"}:
            self.gate.keep_hints(url, known)
        if decision.rejection is not None:
            self.reject([RefusedLink(url, decision.rejection)])
        elif self.options.dry_run:
            yield PlannedUrl.from_decision(url, decision, source=source, found_on=response.url, date=known.get("date"))
        else:
            yield self.make_request(url, priority=decision.priority, hints=known, found=source)

    def _learn(self, response: Response) -> None:
        """Learn from an answer the hosts of the site and how they spell addresses."""
        asked, host = requested_url(response), urlsplit(response.url).hostname or ""
        if found_by(response).get("found") == "seed" and self.gate.adopt(asked, response.url):
            logger.info("%s redirects to %s, which is harvested too", asked, host)
            self.allowed_domains.append(host)
        policy = (response.headers.get("Strict-Transport-Security") or b"").decode("latin-1")
        if self.gate.note_answer(asked, redirected_from(response), response.url, policy):
            self.crawler.stats.inc_value("newscrawl/discovery/https_hosts")

    def _sitemap_request(
        self, url: str | None, *, found: str, level: int = 0, named_by: str | None = None
    ) -> Iterator[Request]:
        if url and self.gate.opens_sitemap(url, is_named=found in {"site", "robots.txt"}):
            self.crawler.stats.inc_value("newscrawl/tried/sitemaps_asked")
            info = {"found": found, "level": level, "named_by": named_by}
            request = self._discovery_request(url, self.parse_sitemap, info)
            yield request if self.gate.is_sitemap_ahead else request.replace(priority=-DISCOVERY_PRIORITY)

    def feed_requests(self, page: Page) -> Iterator[Request]:
        """Yield requests for the feeds that a page offers."""
        for url in page.reading.feeds:
            for request in self._feed_request(url, found="page"):
                request.meta["depth"] = page.depth + 1
                request.headers.update(referer_header(page.url, url))
                yield request

    def _feed_request(self, url: str, *, found: str) -> Iterator[Request]:
        state = self.gate.opens_feed(url, is_named=found == "site")
        if state:
            self.crawler.stats.inc_value(f"newscrawl/tried/feeds_{state}")
        if state == "asked":
            yield self._discovery_request(url, self.parse_feed, {"found": found})

    def feed_ended(self, url: str, outcome: Outcome) -> None:
        self.gate.note_feed(url, is_dead=outcome is Outcome.HTTP_ERROR, is_read=outcome is Outcome.NOT_ARTICLE)

    @staticmethod
    def _discovery_request(url: str, callback: Any, info: dict[str, Any], **meta: Any) -> Request:
        meta |= {"newscrawl": info | {"discovery": True}, "allow_offsite": True}
        return Request(url, callback=callback, priority=DISCOVERY_PRIORITY, meta=meta)

    def _finish(self, response: Response, outcome: Outcome, reason: str, *, detail: str = "") -> None:
        """Report an answer that becomes no ``Page``."""
        known = validators_of(response)
        end_url(self.crawler, response.url, outcome, reason, status=response.status, detail=detail, validators=known)
