"""Every way in reads a page alike: crawl, ``extract``, ``extract --warc`` and the library give equal articles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from itemadapter import ItemAdapter
from scrapy.utils.serialize import ScrapyJSONEncoder

from newscrawl.extractors import extract
from newscrawl.items import ARTICLE, values_of
from newscrawl.read.model import Wants
from newscrawl.store.columns import storable_row
from newscrawl.warc.archive import Answer, responses
from newscrawl.warc.pages import AnswerReader as WarcReader
from newscrawl.warc.records import WarcFile
from tests.benchmarks.corpus_crawl import CorpusSpider, write_archive
from tests.crawling import crawl
from tests.reading import read

if TYPE_CHECKING:
    from pathlib import Path

    from newscrawl.items import Article

pytestmark = [pytest.mark.shared, pytest.mark.slow]

N_PAGES = 200
#: What a reading cannot know: the moment, the site that is harvested, and where the page is recorded.
OF_THE_RUN = {"fetchedAt", "site"}


def told(row: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name not in OF_THE_RUN}
    return kept | {"fieldSources": {k: v for k, v in row["fieldSources"].items() if not k.startswith("archive")}}


def stored(article: Article) -> dict[str, Any]:
    return told(storable_row(values_of(article, ARTICLE)))


def fed(article: Article) -> dict[str, Any]:
    return told(json.loads(ScrapyJSONEncoder().encode(ItemAdapter(article).asdict())))


def undated(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out dates: the library knows neither the site's zone nor when the page was fetched."""
    kept = {name: value for name, value in row.items() if not name.startswith("date")}
    return kept | {"fieldSources": {k: v for k, v in row["fieldSources"].items() if not k.startswith("date")}}


def test_equal_articles_by_every_way_in(tmp_path: Path, shared: Path) -> None:
    archive, seeds = tmp_path / "pages.warc.gz", tmp_path / "seeds.json"
    seeds.write_text(json.dumps(write_archive(shared / "corpus", N_PAGES, archive)))
    settings = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_SITE_MEMORY": False, "NEWSCRAWL_JOIN_ENABLED": False}
    settings |= {"NEWSCRAWL_OBEY_META_ROBOTS": False}
    settings |= {"SPIDER_MODULES": "tests.benchmarks.corpus_crawl", "NEWSCRAWL_READERS": 1, "LOG_LEVEL": "ERROR"}
    run = crawl(tmp_path, "crawl", "corpus", "-a", f"urls={seeds}", settings=settings, seconds=400)
    assert run.status == 0, run.log
    crawled = {item["url"]: told(item) for item in run.items}
    warc = WarcReader(wants=Wants(), site_at=lambda _url: CorpusSpider.site, max_bytes=2**24, seconds=0)
    with WarcFile(archive) as file:
        answers = [answer for _, answer in responses(file, limit=2**24) if isinstance(answer, Answer)]
    articles: dict[str, Article] = {}
    for answer in answers:
        headers = {name.lower(): value for name, value in answer.headers}
        reading = read(answer.body, answer.url, headers=headers, fetched_at=answer.fetched_at, site=CorpusSpider.site)
        row = warc.read(answer).row
        assert (row is None) == (reading.article is None)
        if row is None or reading.article is None:
            continue
        articles[answer.url] = reading.article
        assert told(row) == stored(reading.article)
        library = extract(answer.body, answer.url).article
        assert library is not None
        assert undated(stored(library)) == undated(stored(reading.article))
    assert len(articles) > N_PAGES / 2
    assert crawled.keys() == articles.keys()
    for url, article in articles.items():
        assert crawled[url] == fed(article), url
