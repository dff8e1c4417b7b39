"""Asks sites whether their home pages, feeds and sitemaps answer, and what with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

from newscrawl.discovery.feed import feed_links, parse_feed
from newscrawl.discovery.sitemap import parse_sitemap, sitemaps_of_robots
from newscrawl.dom.charset import decode
from newscrawl.dom.document import Document, parse
from newscrawl.hubs.read import read_hub
from newscrawl.sites.check import Door, DoorAnswer, SiteCheck, newest_day
from newscrawl.spiders.options import utc_now
from newscrawl.spiders.responses import content_type, kind_of
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

#: Feeds that a home page offers, and sitemaps that robots.txt names, asked for beyond those of the entry.
MAX_NAMED = 5


class SiteCheckSpider(Spider):
    """Fills the checks it is given, with the project's settings: robots.txt, address guard, delays."""

    name = "site-check"
    custom_settings = {"NEWSCRAWL_DATABASE": "", "NEWSCRAWL_WARC": ""}  # noqa: RUF012

    def __init__(self, checks: list[SiteCheck]) -> None:
        super().__init__()
        self.checks = checks

    async def start(self) -> AsyncIterator[Any]:
        for check in self.checks:
            for seed in check.site.seeds:
                yield self._request(check, Door.HOME, seed, "entry")
                yield self._request(check, Door.ROBOTS, canonicalize("/robots.txt", seed) or seed, "entry")
            for url in check.site.feeds:
                yield self._request(check, Door.FEED, url, "entry")
            for url in check.site.sitemaps:
                yield self._request(check, Door.SITEMAP, url, "entry")

    def _request(self, check: SiteCheck, door: Door, url: str, named_by: str) -> Request:
        meta = {"handle_httpstatus_all": True, "allow_offsite": True, "dont_obey_robotstxt": door is Door.ROBOTS}
        return Request(
            url,
            callback=self.parse,
            errback=self.failed,
            meta=meta,
            cb_kwargs={"check": check, "door": door, "named_by": named_by},
        )

    def parse(self, response: Response, check: SiteCheck, door: Door, named_by: str) -> Iterator[Request]:
        n_records, newest, named = _records(response, door) if response.status == 200 else (0, None, [])
        asked = (response.meta.get("redirect_urls") or [response.url])[0]
        check.answers.append(
            DoorAnswer(
                door=door,
                url=asked,
                named_by=named_by,
                answer=str(response.status),
                n_records=n_records,
                newest=newest,
            )
        )
        further = Door.FEED if door is Door.HOME else Door.SITEMAP
        known = {*check.site.feeds, *check.site.sitemaps}
        for url in [url for url in named if url not in known][:MAX_NAMED]:
            yield self._request(check, further, url, door)

    def failed(self, failure: Failure) -> None:
        request = failure.request  # type: ignore[attr-defined]
        why = (str(failure.value) or type(failure.value).__name__).partition("\n")[0][:200]
        told = {name: request.cb_kwargs[name] for name in ("door", "named_by")}
        request.cb_kwargs["check"].answers.append(DoorAnswer(url=request.url, answer=why, **told))


def _records(response: Response, door: Door) -> tuple[int, str | None, list[str]]:
    """Return how many records an answer has, the latest day among them, and the addresses that it names."""
    body, url = response.body, response.url
    if door is Door.FEED:
        entries = list(parse_feed(body, url, {"content-type": content_type(response)}))
        return len(entries), newest_day(entry.published or entry.updated for entry in entries), []
    if door is Door.SITEMAP:
        listed = list(parse_sitemap(body, url))
        return len(listed), newest_day(entry.published or entry.lastmod for entry in listed), []
    if door is Door.ROBOTS:
        named = [canonical for entry in sitemaps_of_robots(body) if (canonical := canonicalize(entry, url))]
        return len(named), None, named
    root = parse(decode(body, content_type(response))[0]) if kind_of(response) == "html" else None
    if root is None:
        return 0, None, []
    stories = read_hub(Document.from_html(body, url, content_type(response)), url, fetched_at=utc_now()).records
    return (
        len(stories),
        max((story.date[:10] for story in stories if story.date), default=None),
        [*feed_links(root, url)],
    )
