"""Judgement of pages by topic, and scores of their links, before the links become requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.focus.crawl import FetchedPage
from newscrawl.items import Page
from newscrawl.outcomes import Outcome
from newscrawl.signals import Component, hears, page_judged, url_outcome
from newscrawl.spiders.focused import FocusedSpider, need_focused
from newscrawl.urls.patterns import folded

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_PAGE_FOLLOWS: Final = frozenset({Outcome.REDIRECTED, Outcome.STORED, Outcome.NOT_ARTICLE, Outcome.PART})
_NO_PAGE: Final = frozenset({Outcome.HTTP_ERROR, Outcome.FAILED, Outcome.DUPLICATE, Outcome.REJECTED, Outcome.REFUSED})


class RelevancePipeline(Component):
    """Judge the pages of a focused crawl, score their links, and put queued links in their new order.

    Runs between extraction and links; off for other spiders. Sends the signal ``page_judged``. Stats
    ``newscrawl/relevance/pages``, ``…/articles``, ``…/relevant``, ``…/reordered``.
    """

    def __init__(self, crawler: Crawler) -> None:
        need_focused(crawler)
        super().__init__(crawler)

    def process_item(self, item: Any) -> Any:
        spider = self.crawler.spider
        if isinstance(item, Page) and isinstance(spider, FocusedSpider):
            self._judge(item, spider)
        return item

    def _judge(self, page: Page, spider: FocusedSpider) -> None:
        stats = self.crawler.stats
        page.links = spider.focus.respell(page.links)
        fetched = FetchedPage(
            requested_url=page.requested_url,
            url=page.url,
            canonical=_own_canonical(page),
            is_article=page.article is not None,
            headline=(page.article.headline if page.article else page.reading.title) or "",
            text=page.article.articleBody if page.article else "",
            language=page.article.inLanguage if page.article else None,
            keywords=tuple(filter(None, (page.article.section, *page.article.keywords))) if page.article else (),
            terms=page.reading.terms,
            depth=page.depth,
            links=page.links,
            contexts=page.reading.contexts,
            labels=dict(enumerate(page.reading.labels)),
        )
        relevance = spider.focus.judge(fetched)
        fetched = spider.focus.explore(fetched)
        page.links = tuple(fetched.links)
        scores = spider.focus.score(fetched, relevance, spider.is_wanted, spider.is_new)
        paths = {link.url: context.path for link, context in zip(fetched.links, fetched.contexts, strict=True)}
        spider.scores = {
            url: (score, paths[url]) for url, score in scores.items() if url in paths and spider.is_new(url)
        }
        spider.reorder({url: score for url, score in scores.items() if url not in spider.scores})
        stats.inc_value("newscrawl/relevance/pages")
        if relevance is not None:
            stats.inc_value("newscrawl/relevance/articles")
            stats.inc_value("newscrawl/relevance/relevant", int(relevance.is_relevant))
            page.relevance = relevance.probability
        self.crawler.signals.send_catch_log(page_judged, page=page, fetched=fetched, relevance=relevance)
        if spider.max_pages is not None and stats.get_value("newscrawl/relevance/pages") >= spider.max_pages:
            spider.stop("limit")

    @hears(url_outcome)
    def url_ended(self, url: str, outcome: Outcome) -> None:
        spider = self.crawler.spider
        if not isinstance(spider, FocusedSpider) or outcome in _PAGE_FOLLOWS:
            return
        if outcome in _NO_PAGE:
            spider.reorder(spider.focus.note_dead_end(url))
        else:
            spider.focus.drop(url)


def _own_canonical(page: Page) -> str | None:
    """Return the canonical address of a page, if it is a spelling of the page's own, with the origin that answered."""
    canonical = page.reading.canonical
    if canonical is None or folded(canonical) != folded(page.url):
        return None
    return urlsplit(canonical)._replace(scheme=urlsplit(page.url).scheme, netloc=urlsplit(page.url).netloc).geturl()
