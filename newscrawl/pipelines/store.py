"""End of every page: its outcome is stored, and its article goes to the feeds."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from scrapy.exceptions import DropItem

from newscrawl.exceptions import StorageError
from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.frontier.model import HarvestSpider
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Page, PageType
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.read.model import is_kept
from newscrawl.signals import Component, hears, links_rejected, source_read, url_outcome
from newscrawl.store.articles import correct_dates
from newscrawl.store.crawl import storage_of
from newscrawl.store.kinds import HELD
from newscrawl.store.records import LinkRecord, PageRecord, RecordEnd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scrapy.crawler import Crawler

    from newscrawl.links.model import LinkPosition, RefusedLink

#: Change of an article's text → stat.
_CHANGES = {"new": "new", "changed": "revisions", "unchanged": "unchanged"}
#: Most link targets remembered as stored: a portal's header links to the same hosts on every page.
MAX_REMEMBERED = 50_000


class StorePipeline(Component):
    """Store the outcome of every URL. Articles that were stored go on; all other pages are dropped.

    Settings ``NEWSCRAWL_DATABASE`` (empty: nothing is stored, feeds still work), ``NEWSCRAWL_STORE_BLOCKS``,
    ``NEWSCRAWL_STORE_LINKS``, ``NEWSCRAWL_KEEP``. Stats ``newscrawl/outcome/<outcome>`` (of pages; other outcomes are
    counted where they arise), ``newscrawl/duplicate/<kind>``, ``newscrawl/store/new``, ``…/revisions``,
    ``…/unchanged``, ``…/low_confidence`` (below ``NEWSCRAWL_LOW_CONFIDENCE``), ``…/failed``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.stats = crawler.stats
        self.blocks = settings.getbool("NEWSCRAWL_STORE_BLOCKS")
        self.links: str = settings["NEWSCRAWL_STORE_LINKS"]
        self.pages = "pages" in settings["NEWSCRAWL_KEEP"]
        self.low_confidence = settings.getfloat("NEWSCRAWL_LOW_CONFIDENCE")
        self.storage = storage_of(crawler)
        known = crawler.get_extension(SiteMemoryExtension) if self.storage is not None else None
        self.texts = known.texts if known is not None else None
        self._written: OrderedDict[tuple[str, Rejection | None], None] = OrderedDict()
        self._parts: dict[str, list[PageRecord]] = {}

    async def close_spider(self) -> None:
        if self.storage is not None and self.storage.error is None:
            await self.storage.flush()

    async def process_item(self, page: object) -> object:
        """Store and count the outcome of a page, and return its article; drop a page without a new one."""
        if not isinstance(page, Page):
            return page
        run_id = self.storage.run_id if self.storage is not None else None
        spider = self.crawler.spider
        anew = isinstance(spider, HarvestSpider) and spider.mode == "again"
        record = page_record(page, with_blocks=self.blocks, pages=self.pages, run_id=run_id, anew=anew)
        if self.links == "all":
            self._note_links([(link.url, None, link.anchor, link.position) for link in page.links], page.url)
        if self.texts is not None and record.outcome is Outcome.STORED and record.article and page.reading.lines:
            record = replace(record, also=(self.texts.record(record.article.url, page.reading.lines),))
        verdict = await self._verdict(record, page.met_at, is_held=page.found.get("found") == HELD)
        self._count(verdict, record)
        if record.article is None or verdict.outcome is not Outcome.STORED:
            raise DropItem(f"{page.url} is not a new article", log_level="DEBUG")
        return record.article

    async def _verdict(self, record: PageRecord, met_at: str | None, *, is_held: bool) -> RecordEnd:
        """Store the record; its lease, if it has one, ends in the same transaction.

        :param met_at: the address that the next run requests for the article, if its own is not in the frontier.
        :param is_held: whether the lease ended before, with another outcome.
        """
        if self.storage is None:
            return RecordEnd(outcome=record.outcome)
        frontier = frontier_of(self.crawler)
        own = end = frontier.end(record.url) if frontier is not None else None
        if frontier is not None and end is None and met_at is not None:
            end = frontier.end(met_at)
        also = record.also if end is None else (*record.also, end)
        try:
            verdict = await self.storage.submit(replace(record, parts=self._parts_of(record.url), also=also))
        except StorageError as error:
            self.stats.inc_value("newscrawl/store/failed")
            if frontier is not None and end is not None:
                frontier.fail(end, str(error))
            raise DropItem(f"{record.url}: {error}") from error
        if frontier is not None and end is not None:
            # validators belong to the first page only
            visit = record if own is not None else replace(record, etag=None, last_modified=None)
            frontier.visited(end, visit, verdict)
        elif frontier is not None and is_held:
            frontier.visited(frontier.end_anywhere(record.url), record, verdict)
        return verdict

    def _parts_of(self, url: str) -> tuple[PageRecord, ...]:
        """Return the records of the pages joined into this one. Their leases end when it is stored."""
        frontier = frontier_of(self.crawler)
        parts = []
        for part in self._parts.pop(url, ()):
            if frontier is None:
                parts.append(part)
                continue
            end = frontier.end(part.url)
            if end is not None:
                frontier.visited(end, part)
            parts.append(replace(part, also=(end or frontier.end_anywhere(part.url),)))
        return tuple(parts)

    def _count(self, verdict: RecordEnd, record: PageRecord) -> None:
        self.stats.inc_value(f"newscrawl/outcome/{verdict.outcome}")
        if verdict.duplicate_kind:
            self.stats.inc_value(f"newscrawl/duplicate/{verdict.duplicate_kind}")
        is_copy = verdict.change == "new" and verdict.duplicate_kind is not None  # counted as a duplicate instead
        if verdict.change is not None and not is_copy:
            self.stats.inc_value(f"newscrawl/store/{_CHANGES[verdict.change]}")
        if record.article is not None and record.article.confidence < self.low_confidence:
            self.stats.inc_value("newscrawl/store/low_confidence")

    @hears(url_outcome)
    def url_ended(
        self,
        url: str,
        outcome: Outcome,
        reason: str | None = None,
        status: int | None = None,
        detail: str | None = None,
        referer: str | None = None,
        joined_into: str | None = None,
        validators: Mapping[str, str] | None = None,
    ) -> None:
        """Store the outcome of a URL that never became a page; a part's goes with the page it was joined into."""
        if self.storage is None:
            return
        record = PageRecord(
            url=url,
            outcome=Outcome(outcome),
            reason=reason,
            status=status,
            detail=detail,
            referer=referer,
            etag=(validators or {}).get("etag"),
            last_modified=(validators or {}).get("last_modified"),
            fetched_at=datetime.now(UTC),
            run_id=self.storage.run_id,
        )
        if joined_into is not None:
            self._parts.setdefault(joined_into, []).append(record)
            return
        frontier = frontier_of(self.crawler)
        for ended in (*self._parts_of(url), record):
            if ended.also or frontier is None or not frontier.ended(ended):
                self.storage.post(ended)

    @hears(source_read)
    def feed_read(
        self, door: str, stories: Sequence[tuple[str, object]], titles: Mapping[str, str] | None = None
    ) -> None:
        """Correct the dates of articles that were read before the feed or news sitemap that states them."""
        told = {url: at for url, at in stories if url in (titles or {}) and isinstance(at, datetime)}
        if door != "hub" and told and self.storage is not None:
            self.storage.post(partial(correct_dates, told=told))

    @hears(links_rejected)
    def links_refused(self, refused: Sequence[RefusedLink], page_url: str | None = None) -> None:
        """Store why links were not followed, unless the page they lead to is already known."""
        if self.links != "none":
            self._note_links([link for link in refused if link.reason != Rejection.DUPLICATE], page_url)

    def _note_links(
        self, found: Iterable[tuple[str, Rejection | None, str, LinkPosition | None]], page_url: str | None
    ) -> None:
        if self.storage is None:
            return
        new = [link for link in found if link[:2] not in self._written]
        self._written.update(dict.fromkeys(link[:2] for link in new))
        while len(self._written) > MAX_REMEMBERED:
            self._written.popitem(last=False)
        run_id = self.storage.run_id
        records = tuple(
            LinkRecord(url=url, reason=reason, found_on=page_url, anchor=anchor, position=position, run_id=run_id)
            for url, reason, anchor, position in new
        )
        if records:
            self.storage.post(records)


def page_record(
    page: Page, *, with_blocks: bool = False, pages: bool = False, run_id: int | None = None, anew: bool = False
) -> PageRecord:
    """Return the record of a page: an article to store, or another outcome.

    :param pages: whether pages about the site are stored, too.
    :param anew: whether it replaces what is stored, facts too.
    """
    reading = page.reading
    article = page.article if is_kept(page.page_type, pages=pages) and reading.absence is None else None
    if article is not None and article.pageType is not page.page_type:
        article = replace(article, pageType=page.page_type)
    if article is not None and page.archived:
        article = replace(article, fieldSources=article.fieldSources | page.archived)
    outcome, reason = (Outcome.STORED, None) if article else _end_without_article(page)
    return PageRecord(
        url=page.url,
        outcome=outcome,
        reason=reason,
        detail=reading.site_says or None,
        fetched_at=page.fetched_at,
        requested_url=page.requested_url if page.requested_url != page.url else None,
        status=page.status,
        page_type=page.page_type,
        page_type_confidence=reading.page_type_confidence,
        encoding=reading.encoding,
        encoding_source=reading.encoding_source,
        depth=page.depth,
        referer=page.referer,
        site=page.site,
        etag=page.validators.get("etag"),
        last_modified=page.validators.get("last_modified"),
        body_hash=page.body_hash,
        article=article,
        is_incomplete=page.is_incomplete,
        simhash=reading.simhash if article is not None and article.articleBody == reading.text else None,
        n_blocks=len(reading.labels),
        n_links=len(page.links),
        blocks=tuple(reading.blocks) if with_blocks else (),
        run_id=run_id,
        anew=anew,
    )


def _end_without_article(page: Page) -> tuple[Outcome, str]:
    if page.reading.absence is not None:
        return Outcome.REJECTED, page.reading.absence
    if page.reading.script_state == Rejection.SCRIPT_ONLY:
        return Outcome.NOT_ARTICLE, str(Rejection.SCRIPT_ONLY)
    return Outcome.NOT_ARTICLE, "no_text" if page.page_type is PageType.ARTICLE else str(page.page_type)
