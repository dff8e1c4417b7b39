"""What the robots.txt of its host reserves is added to each article."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from newscrawl.items import Page
from newscrawl.middlewares.robots import RememberedRobotsTxtMiddleware
from newscrawl.signals import Component


class RightsPipeline(Component):
    """Add to ``reservations`` what robots.txt says of crawlers of models. Stat ``newscrawl/articles/reserved``."""

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.article is None:
            return item
        article = item.article
        robots = self.crawler.get_downloader_middleware(RememberedRobotsTxtMiddleware)
        host = robots.reserved.get(urlsplit(article.url).netloc) if robots is not None else None
        if host is not None:
            article = replace(article, reservations=(*article.reservations, *host.of(article.url)))
            item.article = article
        if article.reservations:
            self.crawler.stats.inc_value("newscrawl/articles/reserved")
        return item
