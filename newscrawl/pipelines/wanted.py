"""Filter of articles by what the user asked for (dates, languages, number) and what the page allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DropItem

from newscrawl.items import Article, Page
from newscrawl.links.rules import outside_dates
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.signals import Component, end_url, hears
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class WantedPipeline(Component):
    """Drop articles that say noindex, lie outside ``since``/``until``, are in another language, are too short, or
    exceed ``limit``; stop at the limit.

    Their outcome is *rejected*, sent by ``url_outcome``. Settings ``NEWSCRAWL_OBEY_META_ROBOTS``,
    ``NEWSCRAWL_MIN_BODY``; stats ``newscrawl/rejected/<reason>``. Pages that are not articles pass.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.obey_meta_robots = crawler.settings.getbool("NEWSCRAWL_OBEY_META_ROBOTS")
        self.min_body = crawler.settings.getint("NEWSCRAWL_MIN_BODY")
        self._passed: set[str] = set()

    def process_item(self, item: Any) -> Any:
        """Drop a page and report its outcome if the user did not ask for its article."""
        spider = self.crawler.spider
        if not isinstance(item, Page) or item.article is None or not isinstance(spider, NewsSpider):
            return item
        refusal = self._refusal(item, item.article, spider)
        if refusal is not None:
            reason, why = refusal
            end_url(self.crawler, item.url, Outcome.REJECTED, str(reason), status=item.status, detail=why)
            raise DropItem(f"{item.url}: {why}", log_level="DEBUG")
        self._passed.add(item.url)
        return item

    def _refusal(self, page: Page, article: Article, spider: NewsSpider) -> tuple[Rejection, str] | None:
        if self.obey_meta_robots and "noindex" in page.reading.robots:
            return Rejection.NOINDEX, "the page says noindex"
        outside = outside_dates(article.datePublished, spider.options.wanted, spider.site.timezone)
        if outside is not None:
            return outside
        languages = spider.options.languages
        if languages and article.inLanguage not in languages:
            return Rejection.LANGUAGE, f"in {article.inLanguage or 'no known language'}, wanted: {', '.join(languages)}"
        n_letters = sum(map(str.isalpha, article.articleBody)) if self.min_body else 0
        if n_letters < self.min_body:
            return Rejection.SHORT, f"{n_letters} letters, NEWSCRAWL_MIN_BODY is {self.min_body}"
        limit = spider.options.limit
        if limit is not None and spider.n_stored + len(self._passed) >= limit:
            return Rejection.LIMIT, f"limit of {limit} articles"
        return None

    @hears(signals.item_scraped)
    def _scraped(self, item: Any) -> None:
        """Close the spider once the last wanted article is stored."""
        if not isinstance(item, Article | Page) or item.url not in self._passed:
            return
        self._passed.discard(item.url)
        spider = self.crawler.spider
        if isinstance(spider, NewsSpider):
            spider.n_stored += 1
            if spider.n_stored == spider.options.limit:
                spider.stop("limit")

    @hears(signals.item_dropped, signals.item_error)
    def _lost(self, item: Any) -> None:
        """Count back an article that was let through and then not stored: another one may come in its place."""
        self._passed.discard(getattr(item, "url", ""))
