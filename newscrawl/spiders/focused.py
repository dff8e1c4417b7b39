"""Crawls for a topic: most promising links first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured

from newscrawl.console.check import ValueKind, read_values
from newscrawl.console.files import USER_TEXT
from newscrawl.console.wording import separated
from newscrawl.exceptions import UserError
from newscrawl.focus.crawl import FEED, Focus
from newscrawl.focus.strategies import STRATEGIES
from newscrawl.focus.topic import load_topic
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.links.feed import parse_feed
from newscrawl.links.rules import UrlDecision
from newscrawl.outcomes import Rejection
from newscrawl.sites.model import NewsSite
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.options import at_least
from newscrawl.spiders.responses import content_type, speaks_for
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.domains import zone_of_host
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from newscrawl.items import Page
    from newscrawl.links.gate import Limits
    from newscrawl.links.model import Link

#: A score of 1 as a request's priority; seeds come before all links.
TOP_PRIORITY: Final = 1_000_000
#: Addresses of one host asked for in the open web, where ``host_budget`` is not given.
OPEN_WEB_BUDGET: Final = 200
OPEN_WEB: Final = "*"
_HOST: Final = re.compile(r"\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?")


class FocusedSpider(NewsSpider):
    """``scrapy crawl focused -a topic=topics/phones.toml -a seeds=https://example.org/``.

    ``spider.focus`` judges pages and scores links in ``pipelines/relevance.py``. A score becomes the request's
    priority. One feed of each host is read for what it says of the newest articles. Sitemaps are not read, because
    they do not say what pages are about.
    """

    name = "focused"
    needs_contexts = True
    also_accepted: ClassVar[Mapping[str, str]] = {
        "topic": "a topic file; `newscrawl init NEWS` writes an example, topics/phones.toml",
        "seeds": "http(s) addresses separated by commas or spaces, or @FILE with one a line",
        "allowed": "hosts separated by commas (.example.org: and all below it), or * for the open web",
        "strategy": f"one of {', '.join(STRATEGIES)}, or module:Class of your own; default: learned",
        "pages": "a whole number above 0: stop after that many fetched HTML pages",
        "host_budget": f"a whole number above 0: addresses of one host; default: the setting, {OPEN_WEB_BUDGET} for *",
        "seed": "a whole number: seed of the strategy random, the only one that draws; default: 1",
        "threshold": "a number between 0 and 1: pages of at least this probability are relevant",
    }

    def __init__(self, **arguments: str) -> None:
        """:raises UserError: an argument is unknown or its value is not accepted, or the topic file has mistakes."""
        super().__init__(**arguments)
        for name, value in (("dry_run", self.options.dry_run), ("history", self.options.captures)):
            if value:
                why = "what it fetches depends on what it finds"
                raise UserError(f"{name}={arguments[name]} is not accepted by the spider 'focused': {why}")
        given = self.arguments
        strategy = given.get("strategy", "learned")
        read = {"seed": at_least(0), "pages": at_least(), "host_budget": at_least(), "threshold": _share}
        values = read_values(given, {name: ValueKind(self.also_accepted[name], one) for name, one in read.items()})
        self.max_pages, self.host_budget = values.get("pages"), values.get("host_budget")
        topic = load_topic(Path(given["topic"]))
        topic = replace(topic, threshold=values.get("threshold", topic.threshold))
        self.focus = Focus(topic, strategy, seeds=self.seeds(), seed=values.get("seed", 1))
        self.is_open_web = isinstance(self.site, FocusedSite) and self.site.open_web
        if self.is_open_web:
            self.allowed_domains = []
        #: Address → score and tag path, of the links of the page that is being followed.
        self.scores: dict[str, tuple[float, str]] = {}
        self._followed: dict[str, tuple[float, str]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        settings = crawler.settings
        if not settings["NEWSCRAWL_FRONTIER_CRAWL"]:
            settings.set("NEWSCRAWL_FRONTIER_CRAWL", spider.crawl_name, priority="cmdline")
        settings.set("NEWSCRAWL_FRONTIER_ORDER", "strict", priority="spider")
        settings.set("SCRAPER_SLOT_MAX_ACTIVE_SIZE", 1, priority="spider")  # links of a page first, then the next page
        return spider

    @property
    def crawl_name(self) -> str:
        return f"{self.name} {self.site.name} {self.focus.topic.name} {self.focus.strategy}"

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        for name in ("topic", "seeds"):
            if not arguments.get(name):
                raise UserError(f"the spider 'focused' needs -a {name}=…: {self.also_accepted[name]}")
        seeds = _seeds(arguments["seeds"])
        own_hosts = tuple(dict.fromkeys(urlsplit(url).hostname or "" for url in seeds))
        allowed = arguments.get("allowed", "").strip()
        hosts = _hosts(allowed) if allowed and allowed != OPEN_WEB else own_hosts
        name = hosts[0].lstrip(".") + (f" and {len(hosts) - 1} more" if len(hosts) > 1 else "")
        zone = zone_of_host(hosts[0])
        return FocusedSite(
            name=name,
            title=name,
            hosts=hosts,
            seeds=seeds,
            timezone=zone or "UTC",
            timezone_known=zone is not None,
            open_web=allowed == OPEN_WEB,
        )

    def limits(self, settings: BaseSettings) -> Limits:
        limits = super().limits(settings)
        limits = replace(limits, feeds=0) if self.is_open_web else limits
        budget = self.host_budget or (OPEN_WEB_BUDGET if self.is_open_web else None)
        return limits if budget is None else replace(limits, per_host=budget)

    def _start_requests(self) -> Iterator[Request]:
        for url in dict.fromkeys((*self.seeds(), *self.focus.topic.example_pages)):
            self.gate.recent.add(url)
            self.crawler.stats.inc_value("newscrawl/seeds/asked")
            yield self.make_request(url, found="seed", allow_offsite=True, priority=2 * TOP_PRIORITY)

    def feed_requests(self, page: Page) -> Iterator[Request]:
        feed = self.focus.choose_feed(page.reading.feeds) if self.gate.limits.feeds else None
        if feed is not None:
            for request in self._feed_request(feed, found="page"):
                yield request.replace(priority=2 * TOP_PRIORITY)

    def parse_feed(self, response: Response) -> Iterator[Any]:
        """Score the entries of a feed before they are asked for."""
        found = parse_feed(response.body, response.url, {"content-type": content_type(response)})
        entries = [entry for entry in found if speaks_for(response, entry.url)]
        scores = self.focus.read_feed(response.url, entries, self.is_wanted, self.is_new)
        self.reorder({url: score for url, score in scores.items() if not self.is_new(url)})
        self._followed = {self.gate.site.clean_url(url): (score, FEED) for url, score in scores.items()}
        priorities = {url: priority_of(score) for url, (score, _) in self._followed.items()}
        for request in super().parse_feed(response):
            yield request.replace(priority=priorities.get(request.url, 0))

    def reorder(self, scores: Mapping[str, float]) -> None:
        """Give queued addresses their new scores."""
        frontier = frontier_of(self.crawler)
        if scores and frontier is not None:
            frontier.reprioritise({url: priority_of(score) for url, score in scores.items()})
            self.crawler.stats.inc_value("newscrawl/relevance/reordered", len(scores))

    def is_wanted(self, link: Link) -> bool:
        """Tell whether the crawl may follow a link. Only such links are scored."""
        return self.gate.site.covers(link.url)

    def is_new(self, url: str) -> bool:
        """Tell whether an address was never queued in this run."""
        return self.gate.site.clean_url(url) not in self.gate.recent

    def judge_link(self, link: Link, page: Page) -> UrlDecision:
        url = self.gate.site.clean_url(link.url)
        found = self.scores.pop(url, None)
        if found is None:
            return UrlDecision(kind=UrlKind.UNKNOWN, why="queued before", rejection=Rejection.DUPLICATE)
        decision = super().judge_link(link, page)
        if not decision.follow:
            self.focus.drop(link.url)
            return decision
        self._followed = {url: found}
        return UrlDecision(kind=decision.kind, why=f"score {found[0]:.3f}", priority=priority_of(found[0]))

    def make_request(self, url: str, **facts: Any) -> Request:
        request = super().make_request(url, **facts)
        score, path = self._followed.pop(request.url, (None, ""))
        if score is not None:
            request.meta["newscrawl"] |= {"score": round(score, 4), "path": path}
        return request


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusedSite(NewsSite):
    """Hosts that a focused crawl may visit. Its seeds may be articles."""

    open_web: bool = False

    def covers(self, url: str) -> bool:
        return self.open_web or NewsSite.covers(self, url)

    def covers_host(self, host: str) -> bool:
        return self.open_web or NewsSite.covers_host(self, host)

    def names_hub(self, url: str) -> bool:
        return False


def need_focused(crawler: Crawler) -> None:
    """Raise ``NotConfigured`` without a message if the crawl has no topic."""
    if not issubclass(crawler.spidercls, FocusedSpider):
        raise NotConfigured


def priority_of(score: float) -> int:
    return round(score * TOP_PRIORITY)


def _seeds(text: str) -> tuple[str, ...]:
    """Read ``seeds=``: canonical addresses."""
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding=USER_TEXT)
        except (OSError, UnicodeError) as error:
            raise UserError(f"seeds={text!r} cannot be read: {error}") from None
    words = [word for word in re.split(r"[,\s]+", text) if word]
    found = [(word, canonicalize(word) if "://" in word else None) for word in words]
    bad = next((word for word, url in found if url is None), None)
    if bad is not None or not found:
        raise UserError(f"seeds={bad or text!r} is not an http(s) address such as https://example.org/")
    return tuple(dict.fromkeys(url for _, url in found if url))


def _hosts(text: str) -> tuple[str, ...]:
    hosts = separated(text.lower())
    for host in hosts or (text,):
        if not _HOST.fullmatch(host):
            raise UserError(f"allowed = {host!r}; accepted: {FocusedSpider.also_accepted['allowed']}")
    return hosts


def _share(text: str) -> float | None:
    """Read a number between 0 and 1, neither of them."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < 1 else None
