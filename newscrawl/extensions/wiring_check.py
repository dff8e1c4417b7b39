"""Says at the start of a crawl which settings a project lacks that an add-on cannot set."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import CloseSpider, NotConfigured

from newscrawl.exceptions import UserError
from newscrawl.net.resolver import installed_resolver, is_resolver_due
from newscrawl.signals import Component

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_RESOLVER = "newscrawl.net.resolver.SafeResolver"
_COMMANDS = "newscrawl.commands"


class WiringCheckExtension(Component):
    """Refuses a crawl whose name look-ups are not guarded.

    Scrapy reads ``TWISTED_DNS_RESOLVER`` and ``COMMANDS_MODULE`` before add-ons and spiders are asked, and ignores
    them there without a word. Setting ``NEWSCRAWL_WIRING_CHECK_ENABLED``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCRAWL_WIRING_CHECK_ENABLED"):
            raise NotConfigured
        self.settings = settings
        if not str(settings["COMMANDS_MODULE"]).startswith(_COMMANDS):
            logger.warning(
                "COMMANDS_MODULE is not %r in the project's settings.py: the commands of newscrawl are missing",
                _COMMANDS,
            )
        if settings["NEWSCRAWL_REPLAY"]:
            return  # no names are looked up
        if is_resolver_due():
            if problem := self._problem():
                raise UserError(problem)
        else:
            crawler.signals.connect(self._opened, signals.spider_opened)

    def _opened(self) -> None:
        if problem := self._problem():
            logger.error(problem)
            raise CloseSpider("newscrawl_wiring")

    def _problem(self) -> str | None:
        if self.settings.getbool("TWISTED_REACTOR_ENABLED") and installed_resolver() is not None:
            return None
        return (
            f"TWISTED_DNS_RESOLVER is not {_RESOLVER!r} in the project's settings.py or on the command line: "
            "links into private networks would be fetched; set it, or NEWSCRAWL_WIRING_CHECK_ENABLED=False"
        )
