"""Finds spiders by name: the project's classes, and a spider for each of the user's site files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.spiderloader import SpiderLoader

from newscrawl.readers.crawl import sites_folder
from newscrawl.sites.toml import list_sites, load_site
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.settings import BaseSettings


class SiteSpiderLoader(SpiderLoader):
    """``scrapy crawl NAME`` for ``data/sites/NAME.toml``. Setting ``NEWSCRAWL_SITES_DIR``."""

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self.folder = sites_folder(settings)

    def load(self, spider_name: str) -> type[Spider]:
        """:raises UserError: the site's file has mistakes."""
        if spider_name in self._spiders or spider_name not in list_sites(self.folder):
            return super().load(spider_name)
        attributes: dict[str, Any] = {"name": spider_name, "site": load_site(spider_name, self.folder)}
        return type("TomlSiteSpider", (NewsSpider,), attributes)

    def list(self) -> list[str]:
        return [*self._spiders, *(name for name in list_sites(self.folder) if name not in self._spiders)]
