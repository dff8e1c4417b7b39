"""The frontier's settings, read and checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.settings import BaseSettings

FRONTIERS = ("database", "memory")
ORDERS = ("fair", "strict")
#: A worker says that it lives four times in a lease; shorter leases end for every long garbage collection.
MIN_LEASE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierOptions:
    is_strict: bool
    lease_seconds: float
    concurrency: int
    """Requests under way at once, all hosts together."""
    host_concurrency: int
    """The most of one host."""
    delay_seconds: float

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> FrontierOptions:
        """:raises UserError: a value is not accepted."""
        concurrency = settings.getint("CONCURRENT_REQUESTS") or 1_000  # Scrapy's 0: no limit
        slots = [int(slot.get("concurrency", 0)) for slot in settings.getdict("DOWNLOAD_SLOTS").values()]
        return cls(
            is_strict=one_of(settings, "NEWSCRAWL_FRONTIER_ORDER", ORDERS) == "strict",
            lease_seconds=_number(settings, "NEWSCRAWL_LEASE_SECONDS", MIN_LEASE_SECONDS),
            concurrency=concurrency,
            host_concurrency=max(settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") or concurrency, *slots, 1),
            delay_seconds=settings.getfloat("DOWNLOAD_DELAY"),
        )


def one_of(settings: BaseSettings, name: str, accepted: tuple[str, ...]) -> str:
    value = str(settings[name])
    if value not in accepted:
        raise UserError(f"{name} is {value!r}; accepted: {', '.join(accepted)}")
    return value


def _number(settings: BaseSettings, name: str, least: float) -> float:
    try:
        value = settings.getfloat(name)
    except (TypeError, ValueError):
        value = least - 1
    if value < least:
        raise UserError(f"{name} is {settings[name]!r}; accepted: a number from {least:g} up")
    return value


def crawl_name(spider: Spider) -> str:
    """Return the name under which a spider's requests are kept: ``NEWSCRAWL_FRONTIER_CRAWL``, if it is set.

    Otherwise it is the spider's name, with its site's where that is another, and the channels asked for.
    """
    given = str(spider.settings["NEWSCRAWL_FRONTIER_CRAWL"] or "").strip()
    if given:
        return given
    site = getattr(getattr(spider, "site", None), "name", None)
    name = spider.name if site in (None, spider.name) else f"{spider.name} {site}"
    wanted = getattr(getattr(spider, "options", None), "wanted", None)
    channels = ",".join(sorted(getattr(wanted, "channels", ()) or ()))
    return f"{name} {channels}" if channels else name
