"""What the add-on wires of network safety and manners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.misc import load_object

from newscrawl.extensions.crawl_delay import CrawlDelayExtension
from newscrawl.extensions.retry_after import RetryAfterExtension
from newscrawl.extensions.wiring_check import WiringCheckExtension
from newscrawl.middlewares.address import AddressMiddleware
from newscrawl.middlewares.blocked import BlockedMiddleware
from newscrawl.middlewares.charset import CharsetMiddleware
from newscrawl.middlewares.compression import ReportedCompressionMiddleware
from newscrawl.middlewares.conditional import ConditionalMiddleware
from newscrawl.middlewares.known import KnownPageMiddleware
from newscrawl.middlewares.outcome import OutcomeMiddleware
from newscrawl.middlewares.redirect import ReportedMetaRefreshMiddleware, ReportedRedirectMiddleware
from newscrawl.middlewares.robots import RememberedRobotsTxtMiddleware
from newscrawl.net.addresses import parse_networks

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

#: Where each stands among Scrapy's own: engine side low, downloader side high.
DOWNLOADER_MIDDLEWARES: dict[type, int] = {
    OutcomeMiddleware: 40,  # before all others on the way out, after all others on the way back
    BlockedMiddleware: 50,  # after all retries, before the outcome is told
    KnownPageMiddleware: 55,
    AddressMiddleware: 60,  # before robots.txt (100) is asked for
    ConditionalMiddleware: 595,  # below redirects (600) on the way back, on their way out too
    CharsetMiddleware: 585,  # after decompression (590), before meta refresh (580)
}
#: Scrapy's own, what stands in for it, and its place.
REPLACED: tuple[tuple[type, type, int], ...] = (
    (RobotsTxtMiddleware, RememberedRobotsTxtMiddleware, 100),
    (MetaRefreshMiddleware, ReportedMetaRefreshMiddleware, 580),
    (HttpCompressionMiddleware, ReportedCompressionMiddleware, 590),
    (RedirectMiddleware, ReportedRedirectMiddleware, 600),
)
EXTENSIONS: dict[type, int] = {WiringCheckExtension: 0, CrawlDelayExtension: 100, RetryAfterExtension: 100}


def configure_network(settings: BaseSettings) -> None:
    """Called by the add-on. What the project or the user put into these settings stays."""
    parse_networks(settings["NEWSCRAWL_ALLOW_NETS"])
    for middleware, order in DOWNLOADER_MIDDLEWARES.items():
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", middleware, order)
    chosen = {load_object(known) for known in settings.getdict("DOWNLOADER_MIDDLEWARES")}
    for scrapys, ours, order in REPLACED:
        if scrapys not in chosen:
            settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", scrapys, None)
            settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", ours, order)
    for extension, order in EXTENSIONS.items():
        settings.setdefault_in_component_priority_dict("EXTENSIONS", extension, order)
