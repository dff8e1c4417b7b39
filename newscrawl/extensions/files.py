"""One file an article, written while a crawl runs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.console.files import make_folder
from newscrawl.exceptions import UserError
from newscrawl.items import ARTICLE, Article
from newscrawl.signals import Component, hears
from newscrawl.store.article_files import FORMATS, write_article
from newscrawl.store.row_files import plain_value

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class FilesExtension(Component):
    """Writes each article of the crawl as a file below ``NEWSCRAWL_FILES``; off where that is empty.

    Setting ``NEWSCRAWL_FILES_FORMAT``. An article whose text changed keeps its earlier file under a number. Stats
    ``newscrawl/files/written``, ``newscrawl/files/failed``.
    """

    def __init__(self, crawler: Crawler) -> None:
        folder, form = crawler.settings["NEWSCRAWL_FILES"], str(crawler.settings["NEWSCRAWL_FILES_FORMAT"])
        if not folder or crawler.settings.getbool("NEWSCRAWL_DRY_RUN"):
            raise NotConfigured  # without a word: nobody asked for files
        if form not in FORMATS:
            raise UserError(f"NEWSCRAWL_FILES_FORMAT is {form!r}; accepted: {', '.join(FORMATS)}")
        super().__init__(crawler)
        self.folder, self.form = Path(folder), form
        self.stats = crawler.stats
        make_folder(self.folder)

    @hears(signals.item_scraped)
    def scraped(self, item: Any) -> None:
        if not isinstance(item, Article):
            return
        try:
            write_article({name: plain_value(getattr(item, name)) for name in ARTICLE}, self.folder, self.form)
        except UserError as error:
            level = logging.DEBUG if self.stats.get_value("newscrawl/files/failed") else logging.ERROR
            logger.log(level, "No file of %s, nor perhaps of others: %s", item.url, error)
            self.stats.inc_value("newscrawl/files/failed")
        else:
            self.stats.inc_value("newscrawl/files/written")
