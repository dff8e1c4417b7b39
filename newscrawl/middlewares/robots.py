"""What a host's robots.txt allows and reserves: asked for once a day, and read before anything else of the host."""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from protego import Protego
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

from newscrawl.exceptions import StorageError
from newscrawl.frontier.model import PostponedError
from newscrawl.items import Reservation
from newscrawl.middlewares.outcome import RobotsUnreachableError
from newscrawl.store.crawl import storage_of
from newscrawl.store.site_memory import read_robots, save_robots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

    from newscrawl.store.storage import Storage


AGENTS: Final = (
    "GPTBot ChatGPT-User OAI-SearchBot CCBot ClaudeBot Claude-Web anthropic-ai Google-Extended Applebot-Extended "
    "PerplexityBot Bytespider Amazonbot Meta-ExternalAgent FacebookBot cohere-ai Diffbot omgili omgilibot ImagesiftBot "
    "YouBot AI2Bot Timpibot img2dataset DeepSeekBot MistralAI-User xAI-Bot"
).split()
"""Crawlers that gather texts for models, by the name their operators state."""
_AGENT_LINE: Final = re.compile(r"^[ \t]*user-agent[ \t]*:[ \t]*([\w.-]+)", re.IGNORECASE | re.MULTILINE)
_RULE_LINE: Final = re.compile(r"^[ \t]*disallow[ \t]*:", re.IGNORECASE | re.MULTILINE)
_SIGNAL: Final = re.compile(r"^[ \t]*content-signal[ \t]*:[ \t]*([^\n#]{1,200})", re.IGNORECASE | re.MULTILINE)
_LICENSE: Final = re.compile(r"^[ \t]*license[ \t]*:[ \t]*(https?://\S{1,1000})", re.IGNORECASE | re.MULTILINE)
_REFUSED: Final = re.compile(r"\bai-(?:train|input)\s*=\s*no\b", re.IGNORECASE)


class HostReservations:
    r"""What a robots.txt says of mining.

    >>> told = HostReservations("User-agent: GPTBot\nDisallow: /news/")
    >>> [one.value for one in told.of("http://example.org/news/1")], told.of("http://example.org/")
    (['GPTBot'], ())
    """

    def __init__(self, robots: str) -> None:
        text = robots.replace("\r", "\n")
        known = {agent.lower(): agent for agent in AGENTS}
        named = dict.fromkeys(known.get(name.lower()) for name in _AGENT_LINE.findall(text))
        self._agents = [agent for agent in named if agent]
        self._rules = Protego.parse(text) if self._agents else None
        signals = [" ".join(signal.split()) for signal in _SIGNAL.findall(text) if _REFUSED.search(signal)]
        self._of_all = tuple(
            Reservation(source=source, value=", ".join(dict.fromkeys(values)))
            for source, values in (("content-signal", signals), ("rsl", _LICENSE.findall(text)))
            if values
        )

    def of(self, url: str) -> tuple[Reservation, ...]:
        """Return what is reserved of a page."""
        rules = self._rules
        refused = [agent for agent in self._agents if rules is not None and not rules.can_fetch(url, agent)]
        by_name = (Reservation(source="robots.txt", value=", ".join(refused)),) if refused else ()
        return (*by_name, *self._of_all)


TDM_FILE: Final = "/.well-known/tdmrep.json"
AI_FILE: Final = "/ai.txt"
#: Files beside robots.txt that reserve rights.
RIGHTS_FILES: Final = (TDM_FILE, AI_FILE)
_MOST_RULES: Final = 200
_OF_TEXTS: Final = ("/a.txt", "/a.html")


class DeclaredRights:
    r"""What a host's ``/.well-known/tdmrep.json`` and ``/ai.txt`` reserve.

    Of the places that tdmrep.json names the longest that holds the page counts, as in robots.txt. An ai.txt names kinds
    of files: it counts where texts are refused.

    >>> told = DeclaredRights('[{"location": "/news/*", "tdm-reservation": 1}]', "User-Agent: *\nDisallow: *.txt")
    >>> [(one.source, one.value) for one in told.of("http://example.org/news/1")]
    [('tdmrep', '/.well-known/tdmrep.json'), ('ai.txt', 'Disallow')]
    """

    def __init__(self, tdm: str, ai: str) -> None:
        self._places = list(_tdm_places(tdm))
        lines = ai.replace("\r", "\n")
        self._ai = Protego.parse(lines) if _RULE_LINE.search(lines) else None

    def of(self, url: str) -> tuple[Reservation, ...]:
        """Return what is reserved of a page."""
        own = (place for place in self._places if not place[3].can_fetch(url, "*"))
        _, is_reserved, policy, _ = max(own, key=lambda place: place[0], default=(0, False, "", None))
        by_place = (Reservation(source="tdmrep", value=policy or TDM_FILE),) if is_reserved else ()
        rules, origin = self._ai, "/".join(url.split("/", 3)[:3])
        asked = (url, *(origin + path for path in _OF_TEXTS))
        is_refused = rules is not None and not all(rules.can_fetch(one, "*") for one in asked)
        return (*by_place, *((Reservation(source="ai.txt", value="Disallow"),) if is_refused else ()))


def _tdm_places(text: str) -> Iterator[tuple[int, bool, str, Protego]]:
    """Yield the length of each place, whether it is reserved, its policy, and rules that forbid what it holds."""
    try:
        told = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return
    for rule in (told if isinstance(told, list) else [])[:_MOST_RULES]:
        location = rule.get("location") if isinstance(rule, dict) else None
        if isinstance(location, str) and "\n" not in location and "\r" not in location:
            place = location if location.startswith(("/", "*")) else f"/{location}"
            is_reserved, policy = str(rule.get("tdm-reservation")) == "1", rule.get("tdm-policy")
            rules = Protego.parse(f"User-agent: *\nDisallow: {place}")
            yield len(place), is_reserved, policy if isinstance(policy, str) else "", rules


#: A robots.txt that is older is asked for again.
ROBOTS_AGE: Final = timedelta(days=1)
#: Seconds until a host is asked again whose server could not give its robots.txt.
ROBOTS_RETRY_SECONDS: Final = 1_800.0
#: Bytes of a robots.txt that are read. RFC 9309, §2.5, asks for at least as many; 5.7 MB of rules took 7 s to parse.
MAX_ROBOTS_BYTES: Final = 500 * 1024


class RememberedRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Scrapy's robots.txt, remembered from one run to the next: a host is asked for it once a day (RFC 9309, §2.4).

    A server's own error forbids all of the host until it is asked again (RFC 9309, §2.3.1.4). Stats
    ``newscrawl/robots/remembered``: hosts not asked; ``newscrawl/robots/unreachable``: those of such errors. Without a
    database, each run asks anew.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.storage = storage_of(crawler)
        self._rules: dict[str, asyncio.Future[RobotParser | None]] = {}
        self._put_off: set[str] = set()
        self._unreachable: dict[str, float] = {}
        self.reserved: dict[str, HostReservations] = {}
        """Host → what its robots.txt reserves."""

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """Return the rules: all requests to a host wait for one task, as Scrapy gives them to the first alone.

        :raises PostponedError: the host asks to wait, or the crawl stops: no page is fetched by unknown rules.
        """
        netloc = urlparse_cached(request).netloc
        if time.monotonic() > self._unreachable.get(netloc, math.inf):
            for known in (self._unreachable, self._rules, self._parsers):
                known.pop(netloc, None)
        if netloc not in self._rules:
            self._rules[netloc] = asyncio.ensure_future(self._read_rules(request))
        return await asyncio.shield(self._rules[netloc])

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        """Refuse a request to a host whose rules its server cannot give, for now; others as Scrapy does."""
        if urlparse_cached(request).netloc in self._unreachable:
            raise RobotsUnreachableError
        super().process_request_2(rp, request)

    async def _read_rules(self, request: Request) -> RobotParser | None:
        url = urlparse_cached(request)
        origin = f"{url.scheme}://{url.netloc}"
        text = await read_remembered(self.storage, origin)
        if text is not None:
            self.crawler.stats.inc_value("newscrawl/robots/remembered")
            self._parsers[url.netloc] = Deferred()
            response = Response(f"{origin}/robots.txt", body=text.encode())
            self.reserved[url.netloc] = HostReservations(text)
            await super()._parse_robots(response, url.netloc, request)
        rules = await super().robot_parser(request)
        if url.netloc in self._put_off:
            self._put_off.remove(url.netloc)
            del self._rules[url.netloc], self._parsers[url.netloc]  # it is asked for again
            raise PostponedError
        return rules

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, PostponedError):
            self._put_off.add(netloc)
        super()._robots_error(exc, netloc)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        """Remember what was read, but for errors of the server, which pass."""
        response = response.replace(body=worth_reading(response.body) if response.status < 500 else b"")
        if response.status >= 500:
            self.crawler.stats.inc_value("newscrawl/robots/unreachable")
            self._unreachable[netloc] = time.monotonic() + ROBOTS_RETRY_SECONDS
        text = remember(self.storage, f"{urlparse_cached(request).scheme}://{netloc}", response)
        if response.status == 200:
            self.reserved[netloc] = HostReservations(text)
        await super()._parse_robots(response, netloc, request)


async def read_remembered(storage: Storage | None, address: str) -> str | None:
    """Return what a host's robots.txt (by its origin), or a file beside it, said within ``ROBOTS_AGE``, if known."""
    if storage is not None:
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            return await storage.read(partial(read_robots, origin=address, since=datetime.now(UTC) - ROBOTS_AGE))
    return None


def remember(storage: Storage | None, address: str, response: Response) -> str:
    """Return the text of such a file, ``""`` where there is none; keep it, but for errors of the server, which pass."""
    text = response.body.decode("utf-8", "replace") if response.status == 200 else ""
    if storage is not None and response.status < 500:
        storage.post(partial(save_robots, origin=address, body=text, now=datetime.now(UTC)))
    return text


def worth_reading(body: bytes) -> bytes:
    """Return the whole lines among the first ``MAX_ROBOTS_BYTES``: a rule cut short would forbid more than it says."""
    return (
        body
        if len(body) <= MAX_ROBOTS_BYTES
        else body[: max(body.rfind(end, 0, MAX_ROBOTS_BYTES) for end in (b"\n", b"\r")) + 1]
    )
