"""What the modules of the frontier hand each other: its settings, memberships, leased rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scrapy import Spider
from scrapy.exceptions import IgnoreRequest

from newscrawl.store.columns import MAX_PRIORITY

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from newscrawl.links.rules import Wanted
    from newscrawl.sites.model import NewsSite

#: How a spider found an address whose page it has read, and reads once more as an article.
AGAIN = "again"
#: A crawl waits so long for a host that rests, beside the delay between two requests. Seconds.
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A worker's place in a crawl."""

    crawl_id: int
    worker_id: int
    pass_number: int
    is_new_pass: bool  # the harvest before was finished, or there was none
    patience_seconds: float = PATIENCE_SECONDS
    """A crawl does not stay open for hosts that rest for longer: what waits there is left for the next run."""


class LeasedRow(NamedTuple):
    """A row of ``frontier`` as a worker gets it."""

    id: int
    host_id: int
    fingerprint: bytes
    url: str
    priority: int
    request: str
    kind: str | None
    etag: str | None
    last_modified: str | None


def clamp(priority: int) -> int:
    """Return the priority as the database can hold it."""
    return max(-MAX_PRIORITY, min(MAX_PRIORITY, priority))


class PostponedError(IgnoreRequest):
    """The request has left the downloader unsent, as its host asked to be left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierOptions:
    is_strict: bool
    is_serial: bool
    """One request at a time, and leases only between two requests: then clocks and threads decide no order."""
    lease_seconds: float
    concurrency: int  # requests under way at once, all hosts together
    host_concurrency: int  # the most of one host
    delay_seconds: float

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> FrontierOptions:
        concurrency = settings.getint("CONCURRENT_REQUESTS") or 1_000  # Scrapy's 0: no limit
        slots = [int(slot.get("concurrency", 0)) for slot in settings.getdict("DOWNLOAD_SLOTS").values()]
        return cls(
            is_strict=settings["NEWSCRAWL_FRONTIER_ORDER"] == "strict",
            is_serial=bool(settings["NEWSCRAWL_REPLAY"]),
            lease_seconds=settings.getfloat("NEWSCRAWL_LEASE_SECONDS"),
            concurrency=concurrency,
            host_concurrency=max(settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") or concurrency, *slots, 1),
            delay_seconds=settings.getfloat("DOWNLOAD_DELAY"),
        )


class HarvestSpider(Spider):
    """A spider that comes back: the frontier plans when its addresses are asked for again. Others have them queued."""

    site: NewsSite
    wanted: Wanted
    mode: str
    """What is fetched of addresses known from earlier harvests: ``-a mode=``."""

    @property
    def most_under_way(self) -> int | None:
        """How many requests may be under way; None for any number."""
        return None


def crawl_name(spider: Spider) -> str:
    """Return the name under which a spider's requests are kept: ``NEWSCRAWL_FRONTIER_CRAWL``, if it is set.

    Otherwise it is the spider's name, with its site's where that is another, and the channels asked for.
    """
    given = str(spider.settings["NEWSCRAWL_FRONTIER_CRAWL"] or "").strip()
    if given:
        return given
    if not isinstance(spider, HarvestSpider):
        return spider.name
    site = spider.site.name
    name = spider.name if site == spider.name else f"{spider.name} {site}"
    channels = ",".join(sorted(spider.wanted.channels))
    return f"{name} {channels}" if channels else name
