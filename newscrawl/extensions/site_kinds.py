"""What a page is by its site too; pages that came before the site had spoken are judged again at the end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.items import Page, PageType
from newscrawl.read.model import Reading, is_kept
from newscrawl.signals import Component
from newscrawl.sites.kinds.evidence import Said, address_key
from newscrawl.sites.kinds.judge import expects_story, judge_kind
from newscrawl.sites.kinds.site import SiteEvidence
from newscrawl.store.crawl import storage_of
from newscrawl.store.kinds import (
    KnownPage,
    article_of_plain,
    held_page,
    known_pages,
    let_go,
    plain_article,
    take_out,
)
from newscrawl.urls.domains import site_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.crawler import Crawler

    from newscrawl.read.model import RawPage
    from newscrawl.sites.kinds.evidence import KindEvidence
    from newscrawl.sites.kinds.judge import PageKind
    from newscrawl.store.storage import Storage

logger = logging.getLogger(__name__)

#: Score below which a page is not held for the site to speak again.
HOPELESS: Final = -4.0
#: Pages held without a database.
MAX_HELD: Final = 1_000


class SiteKindsExtension(Component):
    """Judge pages by what their site has shown. ``ReadPipeline`` asks; the pages before are judged again when idle.

    A page that looks like no article, and may turn out to be one, is held with its article; one stored before is
    taken out where the site says so: its outcome is ``not_article``, the article's row stays, with ``gone_at``.

    Setting ``NEWSCRAWL_SITE_KINDS``; without ``NEWSCRAWL_DATABASE`` sites are forgotten with the run, and no article
    is taken back. Stats ``newscrawl/kinds/overruled`` (pages that the site judged otherwise than the page alone),
    ``newscrawl/kinds/held``, ``newscrawl/kinds/stored_later``, ``newscrawl/kinds/taken_out``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_SITE_KINDS"):
            raise NotConfigured  # off by default: Scrapy would warn of a reason
        super().__init__(crawler)
        self.stats = crawler.stats
        self.pages = "pages" in crawler.settings["NEWSCRAWL_KEEP"]
        self._sites: dict[str, asyncio.Task[SiteEvidence]] = {}
        self._known: dict[str, KnownPage] = {}
        """Address → page, where nothing is stored."""
        self._settling: asyncio.Task[None] | None = None
        self._held: set[str] = set()
        """Addresses held in this run, as long as it has counted them as none."""
        self._n_seen = self._n_settled = 0
        crawler.signals.connect(self.idle, signals.spider_idle)

    @property
    def storage(self) -> Storage | None:
        return storage_of(self.crawler)

    # --- as pages come -----------------------------------------------------------------------------------

    async def expects(self, url: str) -> bool:
        """Tell whether an address is likely to be an article's."""
        return expects_story(await self._site(site_of(url)), url)

    async def judge(self, page: Page, raw: RawPage, reading: Reading) -> PageKind | None:
        """Take note of a page that was read, and tell what it is; None for one that others have told."""
        evidence = reading.kind
        if evidence is None or raw.is_part:
            return None
        told = raw.site.told
        if told is not None:
            evidence = told_evidence(evidence, is_article=told is UrlKind.ARTICLE)
        name = site_of(page.url)
        site = await self._site(name)
        asked = page.requested_url if page.requested_url != page.url else None
        key = address_key(page.url)
        links = tuple({address_key(link.url) for link in reading.links}) if site.samples(key) else ()
        is_kept = site.observe(page.url, evidence, links, asked=asked)
        kind = judge_kind(site, page.url, evidence, asked=asked)
        self._n_seen += 1
        known = KnownPage(site=name, url=page.url, asked=asked, evidence=evidence, links=links)
        if told is not None:
            self._note(known, is_kept=is_kept)
            return None
        is_article = kind.page_type is PageType.ARTICLE
        if (kind.page_type is PageType.ARTICLE) != (reading.page_type is PageType.ARTICLE):
            self.stats.inc_value("newscrawl/kinds/overruled")
        may_be = not is_article and reading.article is not None and kind.score >= HOPELESS
        self._note(known, is_kept=is_kept, held=held_of(page, reading) if may_be else None, is_stored=is_article)
        return kind

    def _note(
        self, page: KnownPage, *, is_kept: bool, held: Mapping[str, Any] | None = None, is_stored: bool = False
    ) -> None:
        """Keep a page in the database, before its outcome; else in memory."""
        if held is not None:
            self.stats.inc_value("newscrawl/kinds/held")
            self._held.add(page.url)
        if not is_kept and held is None:
            return
        known = replace(page, held=held, is_stored=is_stored)
        if self.storage is not None:
            self.storage.note(known)
        elif held is None or len(self._known) < MAX_HELD:
            self._known[page.url] = known

    async def _site(self, name: str) -> SiteEvidence:
        if name not in self._sites:
            self._sites[name] = asyncio.ensure_future(self._load(name))
        return await asyncio.shield(self._sites[name])

    async def _load(self, name: str) -> SiteEvidence:
        return evidence_of(await self._pages(name))

    async def _pages(self, name: str) -> list[KnownPage]:
        storage = self.storage
        if storage is None:
            return [page for page in self._known.values() if page.site == name]
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            return await storage.read(lambda connection: list(known_pages(connection, name)))
        return []

    # --- when the site has spoken ------------------------------------------------------------------------

    def idle(self) -> None:
        """Judge all pages again before the crawl ends.

        :raises DontCloseSpider: while it does.
        """
        if self._settling is not None and not self._settling.done():
            raise DontCloseSpider
        if self._n_seen > self._n_settled:
            self._n_settled = self._n_seen
            self._settling = asyncio.ensure_future(self._settle())
            raise DontCloseSpider

    async def _settle(self) -> None:
        storage = self.storage
        if storage is not None:
            if storage.error is not None:
                return
            await storage.flush()
        for name in list(self._sites):
            pages = await self._pages(name)
            site = evidence_of(pages)
            self._sites[name] = asyncio.ensure_future(_ready(site))
            await self._settle_site(site, pages)

    async def _settle_site(self, site: SiteEvidence, pages: Iterable[KnownPage]) -> None:
        none: dict[str, PageKind] = {}
        others: list[str] = []
        for page in pages:
            if page.evidence.is_told:
                continue
            kind = judge_kind(site, page.url, page.evidence, asked=page.asked, anew=True)
            if page.held is not None and kind.page_type is PageType.ARTICLE and not page.is_stored:
                await self._send(page, kind)
            elif page.held is not None:
                others.append(page.url)
            elif page.is_stored and (kind.absence is not None or not is_kept(kind.page_type, pages=self.pages)):
                none[page.url] = kind
        if none:
            await self._take_out(none)
        if others and self.storage is not None:
            self.storage.post(partial(let_go, urls=others))

    async def _take_out(self, kinds: Mapping[str, PageKind]) -> None:
        for url, kind in kinds.items():
            logger.info("%s is no article: %s", url, kind.reason)
        storage = self.storage
        if storage is None:
            return
        with suppress(StorageError):
            await storage.call(partial(take_out, kinds=kinds))
            self.stats.inc_value("newscrawl/kinds/taken_out", len(kinds))
            self.stats.inc_value("newscrawl/outcome/stored", -len(kinds))
            self.stats.inc_value("newscrawl/outcome/not_article", len(kinds))

    async def _send(self, known: KnownPage, kind: PageKind) -> None:
        """Send a page that was held through the pipelines: it is an article."""
        held, storage = known.held, self.storage
        if storage is not None:
            held = await storage.read(partial(held_page, url=known.url))
        if not held:
            return
        self.stats.inc_value("newscrawl/kinds/stored_later")
        if known.url in self._held:
            self._held.discard(known.url)
            self.stats.inc_value("newscrawl/outcome/not_article", -1)
        page = page_of_held(held, kind)
        await self.crawler.engine.scraper.start_itemproc_async(page, response=None)
        if storage is not None:
            storage.post(partial(let_go, urls=[known.url]))
        else:
            del self._known[known.url]


async def _ready(site: SiteEvidence) -> SiteEvidence:
    return site


def told_evidence(evidence: KindEvidence, *, is_article: bool) -> KindEvidence:
    """Return the evidence of a page whose kind its user or the site's description tells."""
    return replace(evidence, said=Said.ARTICLE if is_article else Said.LIST, is_told=True)


def evidence_of(pages: Iterable[KnownPage]) -> SiteEvidence:
    """Return what the pages of one site have shown."""
    site = SiteEvidence()
    for page in pages:
        site.observe(page.url, page.evidence, page.links, asked=page.asked)
    return site


def held_of(page: Page, reading: Reading) -> dict[str, Any]:
    """Return a page and the article that it may be, as JSON holds them."""
    assert reading.article is not None  # noqa: S101
    return {
        "url": page.url,
        "requested_url": page.requested_url,
        "fetched_at": page.fetched_at.isoformat(),
        "status": page.status,
        "depth": page.depth,
        "parent": page.referer,
        "site": page.site,
        "validators": page.validators,
        "body_hash": page.body_hash,
        "robots": sorted(reading.robots),
        "encoding": reading.encoding,
        "encoding_source": reading.encoding_source,
        "article": plain_article(reading.article),
    }


def page_of_held(held: Mapping[str, Any], kind: PageKind) -> Page:
    """Return the page that :func:`held_of` wrote, as the article that its site says it is."""
    page = Page(
        url=held["url"],
        requested_url=held["requested_url"],
        fetched_at=datetime.fromisoformat(held["fetched_at"]),
        status=held["status"],
        depth=held["depth"],
        found={"found": "held", "parent": held["parent"]},
        site=held["site"],
        validators=held["validators"],
        body_hash=held["body_hash"],
        page_type=PageType.ARTICLE,
        article=article_of_plain(held["article"]),
    )
    page.reading = Reading(
        url=page.url,
        fetched_at=page.fetched_at,
        page_type=PageType.ARTICLE,
        page_type_confidence=kind.confidence,
        robots=frozenset(held["robots"]),
        encoding=held["encoding"],
        encoding_source=held["encoding_source"],
        article=page.article,
    )
    return page
