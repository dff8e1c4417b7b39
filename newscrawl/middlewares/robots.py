"""Scrapy's robots.txt, remembered from one run to the next: a host is asked for it once a day (RFC 9309, §2.4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

from newscrawl.exceptions import StorageError
from newscrawl.storage.crawl import storage_of
from newscrawl.storage.site_memory import read_robots, save_robots

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

#: A file that is older is asked for again.
AGE: Final = timedelta(days=1)
#: So much of a file is read (RFC 9309, §2.5, has crawlers read this much at least). 5.7 MB of rules took 7 s to parse.
MAX_BYTES: Final = 500 * 1024


class RememberedRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Stat ``newscrawl/robots/remembered``: hosts not asked. Without a database, each run asks anew."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.storage = storage_of(crawler)

    async def robot_parser(self, request: Request) -> RobotParser | None:
        url = urlparse_cached(request)
        known = self._parsers.get(url.netloc)
        if isinstance(known, Deferred):  # Scrapy lets all wait for one, of which the first alone gets the rules
            return await maybe_deferred_to_future(_branch(known))
        if self.storage is None or url.netloc in self._parsers:
            return await super().robot_parser(request)
        waiting: Deferred[RobotParser | None] = Deferred()
        self._parsers[url.netloc] = waiting  # other requests to the host wait for it
        text = await self._remembered(f"{url.scheme}://{url.netloc}")
        if text is not None:
            self.crawler.stats.inc_value("newscrawl/robots/remembered")
            response = Response(f"{url.scheme}://{url.netloc}/robots.txt", body=text.encode())
            await super()._parse_robots(response, url.netloc, request)
            return await super().robot_parser(request)
        del self._parsers[url.netloc]
        parser = await super().robot_parser(request)
        waiting.callback(parser)
        return parser

    async def _remembered(self, origin: str) -> str | None:
        if self.storage is None:
            return None
        try:
            return await self.storage.read(partial(read_robots, origin=origin, since=datetime.now(UTC) - AGE))
        except StorageError:
            return None

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        """Remember what was read, but for errors of the server, which pass."""
        response = response.replace(body=worth_reading(response.body))
        if self.storage is not None and response.status < 500:
            origin = f"{urlparse_cached(request).scheme}://{netloc}"
            body = response.body.decode("utf-8", "replace") if response.status == 200 else ""
            self.storage.post(partial(save_robots, origin=origin, body=body, now=datetime.now(UTC)))
        await super()._parse_robots(response, netloc, request)


def worth_reading(body: bytes) -> bytes:
    """Return the whole lines among the first ``MAX_BYTES``: a rule cut short would forbid more than it says."""
    return body if len(body) <= MAX_BYTES else body[: body.rfind(b"\n", 0, MAX_BYTES) + 1]


def _branch(waiting: Deferred[RobotParser | None]) -> Deferred[RobotParser | None]:
    """Return a result of one's own: who awaits a ``Deferred`` leaves None to whoever awaits it next."""
    own: Deferred[RobotParser | None] = Deferred()

    def pass_on(result: RobotParser | None) -> RobotParser | None:
        own.callback(result)
        return result

    waiting.addCallback(pass_on)
    return own
