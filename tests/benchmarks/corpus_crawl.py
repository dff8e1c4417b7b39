"""The corpus's pages as one site that can be crawled by replay: every page is a seed, no link leads anywhere."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from lab.evaluation.corpus import CorpusPage, load
from newscrawl.links.rules import UrlDecision
from newscrawl.outcomes import Rejection
from newscrawl.sites.model import NewsSite
from newscrawl.spiders.news import NewsSpider
from newscrawl.urls.canonical import canonicalize
from tests.archives import write_warc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.items import Page
    from newscrawl.links.model import Link

DOMAIN = "corpus.example"
SEED = 0
_NO_LABEL = re.compile(r"[^a-z0-9]+")


def write_archive(folder: Path, n_pages: int, path: Path) -> list[str]:
    """Write a sample of the corpus as a WARC file; return the addresses.

    A page keeps the path of its address, on a host for each site below ``DOMAIN``. No answer names a charset.
    """
    pages = load(folder)
    chosen = random.Random(SEED).sample(pages, min(n_pages, len(pages)))
    records = {url: page for page in chosen if (url := _address(page))}
    headers = [("Content-Type", "text/html")]
    write_warc(path, *({"url": url, "body": page.read(), "headers": headers} for url, page in records.items()))
    return list(records)


def _address(page: CorpusPage) -> str | None:
    parts = urlsplit(page.url or f"http://host/{page.set}/{page.id}.html")
    host = _NO_LABEL.sub("-", page.group.lower())[-60:].strip("-")
    query = f"?{parts.query}" if parts.query else ""
    return canonicalize(f"http://{host}.{DOMAIN}{parts.path or '/'}{query}")


class CorpusSpider(NewsSpider):
    """Fetches the pages and judges their links, but follows none: what they lead to is not in the corpus."""

    name = "corpus"
    site = NewsSite(name=name, title="Corpus", hosts=(f".{DOMAIN}",), seeds=())
    also_accepted: ClassVar[Mapping[str, str]] = {"urls": "a JSON file with a list of addresses"}

    def seeds(self) -> tuple[str, ...]:
        return tuple(json.loads(Path(self.arguments["urls"]).read_text()))

    def judge_link(self, link: Link, page: Page) -> UrlDecision:
        decision = super().judge_link(link, page)
        if not decision.follow:
            return decision
        return UrlDecision(kind=decision.kind, why="not in the corpus", rejection=Rejection.DEPTH)
