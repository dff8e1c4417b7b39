"""What a page is by its site too; pages that came before the site had spoken are judged again at the end."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from newscrawl.exceptions import StorageError
from newscrawl.frontier.model import AGAIN
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Page, PageType
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.read.model import Reading, is_kept
from newscrawl.signals import Component, hears, source_read
from newscrawl.sites.kinds import (
    PROBE,
    PageKind,
    both_words,
    expects_story,
    judge_kind,
    probe_address,
    suspects,
)
from newscrawl.sites.settle import PageEnd, Step, end_of, next_step
from newscrawl.sites.shown import KindEvidence, SiteEvidence, address_key, title_key
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.kinds import (
    KnownPage,
    close_site,
    end_otherwise,
    held_of,
    held_page,
    let_go,
    page_of_held,
    show,
    site_evidence,
)
from newscrawl.store.records import PageRecord
from newscrawl.urls.domains import site_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scrapy.crawler import Crawler

    from newscrawl.read.model import RawPage
    from newscrawl.store.storage import Storage

logger = logging.getLogger(__name__)

#: Score below which a page is not held for the site to speak again.
HOPELESS: Final = -4.0
#: What an address is that cannot be, and is answered all the same.
ABSENT: Final = PageKind(
    page_type=PageType.OTHER, confidence=1.0, score=HOPELESS, reason="", absence=Rejection.SOFT_404
)
#: Pages held without a database.
MAX_HELD: Final = 1_000


class SiteKinds(Component):
    """Pages judged by what their site has shown: ``ReadPipeline`` asks; in the end all are judged once more.

    A page that may turn out to be an article is held with its article, until its site has spoken. Then the order in
    which pages came does not matter: what is held is stored, and what was stored is taken out, where the site says so.
    The outcome of a page taken out is ``not_article``, or ``rejected``; the article's row stays, with ``gone_at``. A
    page whose text was not looked for when it came is asked for again. Where several addresses of a host show one
    short text, one that cannot be is asked for: what answers it is no story elsewhere.

    Without ``NEWSCRAWL_DATABASE`` sites are forgotten with the run, and no article is taken back. Stats
    ``newscrawl/kinds/overruled`` (pages that the site judged otherwise than the page alone),
    ``newscrawl/kinds/held``, ``newscrawl/kinds/stored_later``, ``newscrawl/kinds/asked_again``,
    ``newscrawl/kinds/probed`` (hosts), ``newscrawl/kinds/taken_out``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.stats = crawler.stats
        self.storage: Storage | None = None
        """Set when the spider is open."""
        self.obeys_page = crawler.settings.getbool("NEWSCRAWL_OBEY_META_ROBOTS")
        self.pages = "pages" in crawler.settings["NEWSCRAWL_KEEP"]
        self._sites: dict[str, SiteEvidence] = {}
        self._loading = asyncio.Lock()
        self._known: dict[str, KnownPage] = {}
        """Address → page, where nothing is stored."""
        self._announcing: set[asyncio.Task[None]] = set()
        self._here: set[int] = set()
        """Keys of the addresses that this run has counted."""
        self._asked: set[str] = set()
        """Addresses asked for again, and such that cannot be."""
        self._n_seen = 0
        self._n_settled = -1

    # --- as pages come -----------------------------------------------------------------------------------

    async def expects(self, url: str) -> bool:
        """Tell whether an address is likely to be an article's."""
        if self._announcing:
            await asyncio.wait(self._announcing)
        return expects_story(await self._site(site_of(url)), url)

    async def judge(self, page: Page, raw: RawPage, reading: Reading) -> PageKind | None:
        """Take note of a page that was read, and tell what it is; None for one that others have told."""
        evidence = reading.kind
        if evidence is None or raw.is_part:
            return None
        if page.found.get("found") == PROBE and page.url == page.requested_url:
            return await self._learn_absence(page, evidence)
        told = raw.site.told
        if told is not None:
            evidence = evidence.told(is_article=told is UrlKind.ARTICLE)
        name = site_of(page.url)
        site = await self._site(name)
        asked = page.requested_url if page.requested_url != page.url else None
        key = address_key(page.url)
        links = tuple({address_key(link.url) for link in reading.links}) if site.samples(key) else ()
        is_new = site.observe(page.url, evidence, links, asked=asked)
        kind = judge_kind(site, page.url, evidence, asked=asked)
        self._n_seen += 1
        is_bare = raw.is_expected and reading.article is None
        known = KnownPage(site=name, url=page.url, asked=asked, evidence=evidence, links=links, is_bare=is_bare)
        if told is not None:
            self._note(known, is_new=is_new)
            return None
        is_article = kind.page_type is PageType.ARTICLE
        if is_article is not (reading.page_type is PageType.ARTICLE):
            self.stats.inc_value("newscrawl/kinds/overruled")
        # a page that is an article by itself, and wants not to be kept: nothing more is asked of its site
        is_refused = self.obeys_page and "noindex" in reading.robots and reading.page_type is PageType.ARTICLE
        may_be = not is_article and not is_refused and reading.article is not None and kind.score >= HOPELESS
        self._note(known, is_new=is_new, held=held_of(page, reading) if may_be else None)
        return None if is_refused else kind

    async def _learn_absence(self, page: Page, evidence: KindEvidence) -> PageKind:
        """Take note of what a host answers to an address that cannot be."""
        known = KnownPage(site=site_of(page.url), url=page.url, evidence=evidence, is_probe=True)
        show(await self._site(known.site), known)
        self._note(known, is_new=True)
        self._n_seen += 1
        return ABSENT

    @hears(source_read)
    def announced(self, url: str, door: str, titles: Mapping[str, str] | None = None) -> None:
        """Take note of the titles by which a feed or sitemap announces stories."""
        if titles and door != "hub":
            task = asyncio.ensure_future(self._announced(url, titles))
            self._announcing.add(task)
            task.add_done_callback(self._announcing.discard)

    async def _announced(self, url: str, titles: Mapping[str, str]) -> None:
        sites: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for address, title in titles.items():
            sites[site_of(address)].append((address_key(address), title_key(title)))
        for name, of in sites.items():
            evidence = KindEvidence(page_type=PageType.OTHER, confidence=0.0, odds=0.0, announced=tuple(of))
            page = KnownPage(site=name, url=url, evidence=evidence, is_door=True)
            if show(await self._site(name), page):
                self._note(page, is_new=True)

    def _note(self, page: KnownPage, *, is_new: bool, held: Mapping[str, Any] | None = None) -> None:
        """Keep a page in the database, before its outcome; else in memory."""
        if held is not None:
            self.stats.inc_value("newscrawl/kinds/held")
        if not is_new and held is None:
            return
        self._here.add(address_key(page.url))
        known = replace(page, held=held)
        if self.storage is not None:
            self.storage.post(known)
        elif held is None or len(self._known) < MAX_HELD:
            self._known[page.url] = known

    async def _site(self, name: str) -> SiteEvidence:
        if name not in self._sites:
            async with self._loading:  # most ask when it has been read
                if name not in self._sites:
                    self._sites[name], _ = await self._shown(name)
        return self._sites[name]

    async def _shown(self, name: str) -> tuple[SiteEvidence, list[KnownPage]]:
        """Return what a site has shown, and its pages that may be judged again."""
        if self.storage is not None:
            with suppress(StorageError):  # said, and the crawl stopped, by the storage
                return await self.storage.read(partial(site_evidence, site=name))
        site, pages = SiteEvidence(), [page for page in self._known.values() if page.site == name]
        for page in pages:
            show(site, page)
        return site, pages

    # --- when the site has spoken ------------------------------------------------------------------------

    @property
    def is_due(self) -> bool:
        """Whether pages came, in this run or one that was stopped, that have not been judged again."""
        frontier = frontier_of(self.crawler)
        is_first = self._n_settled < 0 and (frontier is None or frontier.worker.member.is_new_pass)
        return self._n_seen > (0 if is_first else self._n_settled)

    async def settle(self) -> None:
        """Judge all pages again."""
        self._n_settled = self._n_seen
        if self.storage is not None:
            await self.storage.flush()
        for name in self._names():
            self._sites[name], pages = await self._shown(name)
            await self._settle_site(self._sites[name], pages)

    def _names(self) -> list[str]:
        """Return the sites of the crawl, those too of which this run has seen nothing yet."""
        spider = self.crawler.spider
        hosts = spider.site.hosts if isinstance(spider, NewsSpider) else ()
        return sorted({*self._sites, *(site_of(f"http://{host.lstrip('.')}/") for host in hosts)})

    async def close(self, storage: Storage) -> None:
        """Keep what the sites have shown, and no more, when the last worker has ended."""
        frontier = frontier_of(self.crawler)
        if frontier is not None and not frontier.worker.is_alone:
            return
        for name in self._names():
            found = await storage.call(partial(close_site, site=name, run_id=storage.run_id))
            if found is not None:
                logger.warning("%s contradicts itself: %s, and %s", name, found.articles, found.others)

    async def _settle_site(self, site: SiteEvidence, pages: Iterable[KnownPage]) -> None:
        others: list[tuple[KnownPage, PageEnd, PageKind]] = []
        judged: list[tuple[str, KindEvidence, PageKind]] = []
        done: list[str] = []
        for page in pages:
            end = page.end or (PageEnd(Outcome.NOT_ARTICLE, PageType.OTHER) if page.held else None)
            is_held = page.is_held or page.held is not None
            if page.evidence.is_told or page.is_door or page.is_probe or end is None:
                continue
            kind = judge_kind(site, page.url, page.evidence, asked=page.asked, anew=True)
            judged.append((page.url, page.evidence, kind))
            step = next_step(end, kind, page.evidence)
            is_wanted = kind.absence is None and is_kept(kind.page_type, pages=self.pages)
            if step is Step.END and not is_wanted:
                others.append((page, end, kind))
            if step is Step.STORE and is_held:
                await self._send(page, kind, end)
            elif step is Step.STORE:
                # it is an article, and its text was not looked for when it came
                if not page.is_bare and self._ask(page.url, AGAIN):
                    self._count(page.url, end, -1)
            elif is_held:
                done.append(page.url)
        if self.storage is not None:
            await self._end_otherwise(self.storage, others)
            self.storage.post(partial(let_go, urls=done))
        for url in suspects(site, judged).values():
            self._ask(probe_address(url), PROBE)

    async def _end_otherwise(self, storage: Storage, others: Sequence[tuple[KnownPage, PageEnd, PageKind]]) -> None:
        for page, end, kind in others:
            logger.info("%s is no article: %s", page.url, kind.reason)
            self._count(page.url, end, -1)
            self._count(page.url, end_of(kind), 1)
            self.stats.inc_value("newscrawl/kinds/taken_out", end.outcome == Outcome.STORED)
        if others:
            kinds = {page.url: (kind, both_words(page.evidence, kind)) for page, _, kind in others}
            await storage.call(partial(end_otherwise, kinds=kinds))
            self._plan_anew([(page.url, kind) for page, _, kind in others])

    def _plan_anew(self, others: Iterable[tuple[str, PageKind]]) -> None:
        """Have the frontier visit pages as what they turned out to be: a list is asked for again, an article is not."""
        frontier = frontier_of(self.crawler)
        if frontier is None:
            return
        for url, kind in others:
            end = end_of(kind)
            page = PageRecord(
                url=url,
                outcome=Outcome(end.outcome),
                reason=end.reason,
                page_type=kind.page_type,
                fetched_at=datetime.now(UTC),
            )
            frontier.visited(frontier.end_anywhere(url), page)

    async def _send(self, known: KnownPage, kind: PageKind, end: PageEnd) -> None:
        """Send a page that was held through the pipelines: it is an article."""
        held, storage = known.held, self.storage
        if storage is not None:
            held = await storage.read(partial(held_page, url=known.url))
        if not held:
            return
        self.stats.inc_value("newscrawl/kinds/stored_later")
        self._count(known.url, end, -1)
        page = page_of_held(held, kind, both_words(known.evidence, kind))
        await self.crawler.engine.scraper.start_itemproc_async(page, response=None)
        if storage is not None:
            storage.post(partial(let_go, urls=[known.url]))
        else:
            del self._known[known.url]

    def _ask(self, url: str, found: str) -> bool:
        """Ask for an address, once a run; tell whether that is so."""
        spider = self.crawler.spider
        if url in self._asked or not isinstance(spider, NewsSpider) or spider.stopping:
            return False
        self._asked.add(url)
        self.stats.inc_value("newscrawl/kinds/asked_again" if found == AGAIN else "newscrawl/kinds/probed")
        self.crawler.engine.crawl(spider.make_request(url, found=found).replace(dont_filter=True))
        return True

    def _count(self, url: str, end: PageEnd, number: int) -> None:
        """Correct how a page ended that this run has counted."""
        if address_key(url) in self._here:
            self.stats.inc_value(f"newscrawl/outcome/{end.outcome}", number)
            if end.outcome == Outcome.REJECTED:
                self.stats.inc_value(f"newscrawl/rejected/{end.reason}", number)
