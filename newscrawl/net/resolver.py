"""Name resolver that refuses private addresses: no link, redirect or DNS answer leads into a local network.

A crawl without it is refused.
"""

from __future__ import annotations

import logging
from collections import deque
from ipaddress import ip_address
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import CloseSpider, NotConfigured
from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.reactor import is_reactor_installed
from twisted.internet.error import DNSLookupError

from newscrawl.exceptions import UserError
from newscrawl.net.addresses import NOT_PUBLIC, may_connect, parse_networks
from newscrawl.signals import Component

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from twisted.internet.base import ReactorBase
    from twisted.internet.defer import Deferred

    from newscrawl.net.addresses import Network

logger = logging.getLogger(__name__)

#: Refused names that are remembered: the outcomes of their URLs say why.
MAX_REFUSED = 10_000
# What a project's settings.py names.
RESOLVER = "newscrawl.net.resolver.SafeResolver"
COMMANDS = "newscrawl.commands"


class SafeResolver(CachingThreadedResolver):
    """The value of the project's setting ``TWISTED_DNS_RESOLVER``, which Scrapy reads before it asks add-ons.

    Every connection asks it, even to a literal address and after a redirect, and connects to the address it gives:
    a name cannot change its address in between. Setting ``NEWSCRAWL_ALLOW_NETS``.
    """

    def __init__(
        self, reactor: ReactorBase, cache_size: int, timeout: float, allowed: tuple[Network, ...] = ()
    ) -> None:
        super().__init__(reactor, cache_size, timeout)
        self.allowed = allowed
        self.refused: deque[str] = deque(maxlen=MAX_REFUSED)

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        resolver = super().from_crawler(crawler, reactor)
        resolver.allowed = parse_networks(crawler.settings.get("NEWSCRAWL_ALLOW_NETS", ""))
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 (Twisted's name)
        return super().getHostByName(name, timeout).addCallback(self._check, name)

    def _check(self, address: str, name: str) -> str:
        if may_connect(ip_address(address), self.allowed):
            return address
        logger.debug("Refused %s: %s is not a public address", name, address)
        if name not in self.refused:
            self.refused.append(name)
        raise DNSLookupError(f"{name} is at {address}, which {NOT_PUBLIC}")


def installed_resolver() -> SafeResolver | None:
    """Return the resolver in use, if it is ours."""
    if not is_reactor_installed():
        return None
    from twisted.internet import reactor  # noqa: PLC0415 (importing it installs one)

    resolver = getattr(reactor, "resolver", None)
    return resolver if isinstance(resolver, SafeResolver) else None


def is_resolver_due() -> bool:
    """Tell whether Scrapy has installed its resolver: it does so just before the reactor runs."""
    if not is_reactor_installed():
        return False
    from twisted.internet import reactor  # noqa: PLC0415 (importing it installs one)

    return bool(getattr(reactor, "running", False))


class WiringCheckExtension(Component):
    """Refuses a crawl whose name look-ups are not guarded, and tells the guard what the crawl's spider allows.

    Scrapy reads ``TWISTED_DNS_RESOLVER`` and ``COMMANDS_MODULE`` before add-ons and spiders are asked, and ignores
    them there without a word. Setting ``NEWSCRAWL_WIRING_CHECK_ENABLED``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCRAWL_WIRING_CHECK_ENABLED"):
            raise NotConfigured
        self.settings = settings
        if not str(settings["COMMANDS_MODULE"]).startswith(COMMANDS):
            logger.warning(
                "COMMANDS_MODULE is not %r in the project's settings.py: the commands of newscrawl are missing",
                COMMANDS,
            )
        if settings["NEWSCRAWL_REPLAY"]:
            return  # no names are looked up
        if is_resolver_due():
            if problem := self._problem():
                raise UserError(problem)
            self._allow()
        else:
            crawler.signals.connect(self._opened, signals.spider_opened)

    def _opened(self) -> None:
        if problem := self._problem():
            logger.error(problem)
            raise CloseSpider("newscrawl_wiring")
        self._allow()

    def _allow(self) -> None:
        """Add the crawl's networks: Scrapy gives the resolver the settings of the process, not those of a spider.

        They stay until the process ends, for its other spiders, too.
        """
        if (resolver := installed_resolver()) is not None:
            resolver.allowed += parse_networks(self.settings["NEWSCRAWL_ALLOW_NETS"])

    def _problem(self) -> str | None:
        if self.settings.getbool("TWISTED_REACTOR_ENABLED") and installed_resolver() is not None:
            return None
        return (
            f"TWISTED_DNS_RESOLVER is not {RESOLVER!r} in the project's settings.py or on the command line: "
            "links into private networks would be fetched; set it, or NEWSCRAWL_WIRING_CHECK_ENABLED=False"
        )
