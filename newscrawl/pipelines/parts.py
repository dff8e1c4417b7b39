"""Articles over several pages: the other pages are requested while the first one is in the pipeline."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import DropItem, IgnoreRequest

from newscrawl.extract.simhash import with_text
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Article, Page, PageType
from newscrawl.links.traps import RecentUrls
from newscrawl.outcomes import Outcome
from newscrawl.read.parts import ArticleParts, JoinedArticles, Lateness, series_of
from newscrawl.signals import Component, end_url, hears
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from scrapy.crawler import Crawler

    from newscrawl.spiders.news import NewsSpider

logger = logging.getLogger(__name__)

#: Time after which no further page of an article is requested. Seconds.
ARTICLE_SECONDS: Final = 1_800.0
#: Least confidence of a list: its next pages are then no parts of an article.
SURE_LIST: Final = 0.95


class Joining(Component):
    """Joins the pages of an article into one; each page but the first ends as ``part``.

    The others are downloaded past the frontier, through all downloader middlewares. The page that led to them keeps its
    lease meanwhile. If the process ends, that page is requested again, and the others with it.

    Settings ``NEWSCRAWL_JOIN_ENABLED``, ``NEWSCRAWL_JOIN_MAX_PARTS``. Stats ``newscrawl/join/asked``,
    ``newscrawl/join/articles``, ``newscrawl/join/parts``, ``newscrawl/join/incomplete``, ``newscrawl/join/repeated``,
    ``newscrawl/join/beyond`` (of an article that has more parts than are joined).

    :param read: reads a fetched page.
    """

    def __init__(self, crawler: Crawler, read: Callable[[Page], Awaitable[None]]) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.is_on = settings.getbool("NEWSCRAWL_JOIN_ENABLED") and not settings.getbool("NEWSCRAWL_DRY_RUN")
        self.max_parts = settings.getint("NEWSCRAWL_JOIN_MAX_PARTS")
        self.read = read
        self.joined = JoinedArticles()
        self._lists = RecentUrls()
        """Series that turned out to be lists."""
        self._under_way: dict[str, asyncio.Event] = {}
        """Series → set when the article has ended."""
        self._ends: dict[str, str] = {}
        """Address of an article's first page → its series."""

    async def join(self, page: Page, spider: NewsSpider) -> None:
        """Replace the page by the page of the whole article, if it is one of several.

        :raises DropItem: the page ends with another one, or waits for the next run.
        """
        key, number = series_of(page.requested_url, page.reading.continuation.next_url)
        has_waited = False
        while (other := self._under_way.get(key)) is not None:
            has_waited = True
            await other.wait()
        self._refuse_late(page, key, number, has_waited=has_waited)
        if page.article is None or not any(page.reading.continuation) or key in self._lists:
            return
        self._under_way[key] = asyncio.Event()
        try:
            await self._whole(page, page.article, spider, key)
        except BaseException:
            self._under_way.pop(key).set()
            raise
        self._ends[page.url] = key

    @hears(signals.item_scraped, signals.item_dropped, signals.item_error)
    def _ended(self, item: Any) -> None:
        """Let waiting pages of the same series go on: the article is stored."""
        key = self._ends.pop(item.url, None) if isinstance(item, Page | Article) else None
        if key is not None:
            self._under_way.pop(key).set()

    def _refuse_late(self, page: Page, key: str, number: int, *, has_waited: bool) -> None:
        """:raises DropItem: the page belongs to an article that was joined before."""
        late = self.joined.judge(key, number, (page.url, page.requested_url), page.article)
        if late is Lateness.REPEATED:
            frontier = frontier_of(self.crawler)
            has_ended = not frontier.leases(page.url) if frontier is not None else has_waited or number > 1
            if number == 1 and not has_ended:
                return  # a repeated visit brings its article again
            self.crawler.stats.inc_value("newscrawl/join/repeated")
            why = "" if has_ended else "joined before"
        elif late is Lateness.BEYOND:
            self.crawler.stats.inc_value("newscrawl/join/beyond")
            why = f"an article has at most {self.max_parts} parts (NEWSCRAWL_JOIN_MAX_PARTS)"
        else:
            return
        if why:
            end_url(self.crawler, page.url, Outcome.PART, status=page.status, detail=why)
        raise DropItem(f"{page.url} is a part of an article", log_level="DEBUG")

    async def _whole(self, page: Page, article: Article, spider: NewsSpider, key: str) -> None:
        parts = ArticleParts(
            article, page.reading.continuation, requested_url=page.requested_url, max_parts=self.max_parts
        )
        pages = {page.url: page}
        for part in await self._others(parts, page, spider):
            pages[part.url] = part
        article, is_complete = parts.join()
        if not is_complete:
            self._leave_for_later(page)
        first, *others = [pages[url] for url in article.pages if url in pages]
        is_apart = _is_list(first) or not parts.follows(page.url)
        if first is not page and is_apart:  # excerpts or pages of a list: each is judged by itself
            self._lists.add(key)
            return
        self.joined.note(key, parts, article)
        read = [pages[article.pages[-1]]] if parts.whole else [first, *others]
        for one in (first, *others):  # their links are not followed
            spider.gate.recent.add(spider.gate.site.clean_url(one.requested_url))
        for other in others:
            why = f"joined into {first.url}"
            end_url(self.crawler, other.url, Outcome.PART, status=other.status, detail=why, joined_into=first.url)
        count = self.crawler.stats.inc_value
        if len(article.pages) > 1:
            count("newscrawl/join/articles")
            count("newscrawl/join/parts", len(article.pages))
        lines = tuple(page for one in read for page in one.reading.lines)
        has_all = all(one.reading.lines for one in read) and len(read) in {1, len(article.pages)}
        first.reading = replace(first.reading, **_links_of([first, *others]), lines=lines if has_all else ())
        first.links, first.article, first.page_type = first.reading.links, article, PageType.ARTICLE
        if others:  # a hash of the bytes of all pages; none if one page has none
            hashes = [one.body_hash or "" for one in (first, *others)]
            first.body_hash = blake2b(" ".join(hashes).encode(), digest_size=16).hexdigest() if all(hashes) else None
        if not is_complete:
            count("newscrawl/join/incomplete")
            first.is_incomplete = True
            first.validators, first.body_hash = {}, None  # it comes whole the next time
        if first is not page:
            vars(page).update(vars(first) | {"found": page.found, "met_at": page.url})

    async def _others(self, parts: ArticleParts, page: Page, spider: NewsSpider) -> list[Page]:
        """Return the other pages of an article that arrive.

        :raises DropItem: the crawl stops; the next run joins the article.
        """
        found: list[Page] = []
        until = time.monotonic() + ARTICLE_SECONDS
        n_left = 2 * self.max_parts  # the first one may have to be looked for
        while n_left and time.monotonic() < until and (url := parts.missing()) is not None:
            self._leave_for_later(page)
            n_left -= 1
            part = await self._part(url, page, spider)
            if part is None or part.article is None:
                parts.lose(url)
                spider.gate.recent.add(spider.gate.site.clean_url(url))  # an address that ended is not requested again
            elif parts.add(part.article, part.reading.continuation, requested_url=url):
                found.append(part)
            elif part.redirected_from is not None:
                self._follow_redirect(part, page, spider)
        return found

    def _follow_redirect(self, other: Page, page: Page, spider: NewsSpider) -> None:
        """Request the article to which a part's address redirects; the address itself has ended."""
        spider.gate.recent.add(spider.gate.site.clean_url(other.requested_url))
        decision = spider.gate.admit(other.url, depth=page.depth + 1)
        if decision.follow:
            self.crawler.engine.crawl(spider.make_request(other.url, page=page, priority=decision.priority))

    def _leave_for_later(self, page: Page) -> None:
        """:raises DropItem: the crawl stops or the host asks to wait; the frontier keeps the page."""
        frontier = frontier_of(self.crawler)
        if frontier is not None and frontier.puts_off(host_of(page.url)):
            frontier.put_back(page.requested_url)
            frontier.put_back(page.url)
            raise DropItem(f"{page.url}: its article is left for the next run", log_level="DEBUG")

    async def _part(self, url: str, page: Page, spider: NewsSpider) -> Page | None:
        """Request and read a page of an article, whatever its type. None if it cannot be had."""
        self.crawler.stats.inc_value("newscrawl/join/asked")
        request = spider.make_request(url, page=page, found="part")
        request.meta["depth"] = page.depth  # it is no deeper in the site
        try:
            response = await self.crawler.engine.download_async(request)
        except IgnoreRequest:
            return None  # the middlewares reported the reason
        except Exception:
            logger.exception("%s: a part of an article cannot be had", url)
            return None
        if not 200 <= response.status < 300:
            return None
        came = [item async for item in spider.parse_page(response) if isinstance(item, Page)]
        if not came:
            return None
        part = came[0]
        try:
            await self.read(part)
        except DropItem:
            return None
        if part.article is None:
            bare = Article(url=part.url, pages=(part.url,), site=part.site, fetchedAt=part.fetched_at)
            part.article = with_text(bare, part.reading.text)
        return part


def _is_list(page: Page) -> bool:
    """Tell whether a page is a list: surely, or without a second page."""
    reading = page.reading
    is_sure = reading.page_type_confidence >= SURE_LIST or reading.continuation.next_url is None
    return reading.page_type in {PageType.HUB, PageType.LISTING} and is_sure


def _links_of(pages: Sequence[Page]) -> dict[str, Any]:
    """Return the links of all pages of an article, with their contexts; block numbers are counted on."""
    labels: list[str] = []
    links = []
    for page in pages:
        offset = len(labels)
        links += [link._replace(block=link.block + offset) if link.block >= 0 else link for link in page.links]
        labels += page.reading.labels
    contexts = [context for page in pages for context in page.reading.contexts]
    return {"links": tuple(links), "contexts": tuple(contexts), "labels": tuple(labels)}
