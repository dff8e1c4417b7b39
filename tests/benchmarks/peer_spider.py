"""What a plain Scrapy spider does with a site: all its links, each page's text by trafilatura, a feed, a job directory.

Run by ``tests.benchmarks.site_crawl`` in ``.venv-peers``, which knows nothing of newscrawl:

    scrapy runspider peer_spider.py -a url=http://example.org/ -s JOBDIR=job -O articles.jsonl
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import scrapy
import trafilatura
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

if TYPE_CHECKING:
    from collections.abc import Iterator


class PeerSpider(scrapy.Spider):
    name = "peer"

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls = [url]
        self.links = LinkExtractor(allow_domains=urlsplit(url).hostname or "")

    def parse(self, response: Any) -> Iterator[Any]:
        """Yield the page's text and facts, if trafilatura finds a text, and a request for each link of the host."""
        if not isinstance(response, HtmlResponse):
            return
        document = trafilatura.bare_extraction(response.text, url=response.url, with_metadata=True)
        if document is not None and document.text:
            names = ("title", "author", "date", "sitename", "description", "categories", "tags", "language", "image")
            yield {"url": response.url, "text": document.text} | {name: getattr(document, name) for name in names}
        for link in self.links.extract_links(response):
            yield response.follow(link)
