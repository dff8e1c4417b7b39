"""Asks a browser for the pages that are empty until their scripts run and carry no body in their data."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from newscrawl.net.addresses import is_local_name, literal_address, may_connect
from newscrawl.signals import Component
from newscrawl.spiders.responses import content_type

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newscrawl.net.addresses import Network

NAVIGATION_MILLISECONDS: Final = 30_000
_NEEDED: Final = frozenset(("document", "script", "xhr", "fetch"))
"""What a browser is let fetch: text needs neither pictures nor styles."""


class RenderMiddleware(Component):
    """Ask again, through scrapy-playwright, for a page that only its scripts fill; once for each page.

    Setting ``NEWSCRAWL_RENDER_SCRIPTS``; stats ``newscrawl/render/asked`` and ``newscrawl/render/answered``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_RENDER_SCRIPTS") or crawler.settings["NEWSCRAWL_REPLAY"]:
            raise NotConfigured  # without a word: few crawls have a browser
        super().__init__(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        if request.meta.get("playwright"):
            self.crawler.stats.inc_value("newscrawl/render/answered")
            return response
        if request.method != "GET" or response.status != 200 or not needs_browser(response):
            return response
        self.crawler.stats.inc_value("newscrawl/render/asked")
        meta = {"playwright": True, "playwright_page_goto_kwargs": {"wait_until": "networkidle"}}
        return request.replace(meta={**request.meta, **meta}, dont_filter=True)


def needs_browser(response: Response) -> bool:
    """Tell whether a page shows its text in a browser only."""
    if not isinstance(response, HtmlResponse) or not response.body:
        return False
    from newscrawl.read.script_data import is_script_only  # noqa: PLC0415 (reads pages; few crawls have a browser)

    return is_script_only(response.body, response.url, content_type(response))


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Tells which requests of a page a browser must not make: all but text, and those to private addresses.

    A name is looked up here, and again by the browser: a name server that answers differently each time can deceive
    this check. Where that matters, the browser belongs into a network of its own.
    """

    allowed: tuple[Network, ...] = ()

    async def __call__(self, request: Any) -> bool:
        parts = urlsplit(request.url)
        host = parts.hostname or ""
        if request.resource_type not in _NEEDED or parts.scheme not in {"http", "https"} or not host:
            return True
        literal = literal_address(host)
        if literal is not None:
            return not may_connect(literal, self.allowed)
        if is_local_name(host):
            return not self.allowed
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except OSError:
            return True
        addresses = [literal_address(str(entry[4][0])) for entry in found]
        return not all(address is not None and may_connect(address, self.allowed) for address in addresses)
