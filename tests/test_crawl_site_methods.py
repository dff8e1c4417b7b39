"""Methods that learn from a site's pages, run over the demo's articles by the reader of a crawl."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from newscrawl.methods.cluster import ClusterExtractor
from newscrawl.methods.layout import LayoutExtractor
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import PageReader
from newscrawl.serve.training.metrics import summarise, text_score
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

DEMO = PROJECT / "data" / "demo"
N_PAGES = 100


@pytest.fixture(scope="module")
def articles() -> list[tuple[str, bytes, str]]:
    """Address, bytes and text of articles on one page, in the archive's order."""
    rows = [json.loads(line) for line in (DEMO / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    texts = {row["url"]: row["text"] for row in rows if row["kind"] == "article" and len(row["pages"]) == 1}
    found = [(url, body, texts[url]) for url, body in _responses() if url in texts]
    return found[:N_PAGES]


def _responses() -> Iterator[tuple[str, bytes]]:
    with (DEMO / "demo.warc.gz").open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                yield record.rec_headers["WARC-Target-URI"], record.content_stream().read()


def _harvest(method: str, articles: list[tuple[str, bytes, str]]) -> tuple[Any, list[str]]:
    """Return the extractor after its harvest, and the text of each article as it was extracted."""
    reader = PageReader(Wants(method=method))
    fetched_at = datetime(2025, 12, 1, tzinfo=UTC)
    readings = [reader.read(RawPage(body=body, url=url, fetched_at=fetched_at)) for url, body, _ in articles]
    return reader.method, [reading.article.articleBody if reading.article else "" for reading in readings]


@pytest.mark.parametrize(("method", "least_f1", "least_recall"), [("cluster", 0.97, 0.97), ("layout", 0.85, 0.97)])
def test_a_harvest_teaches_its_extractor(
    method: str, least_f1: float, least_recall: float, articles: list[tuple[str, bytes, str]]
) -> None:
    extractor, texts = _harvest(method, articles)
    scores = summarise([text_score(truth, text) for (_, _, truth), text in zip(articles, texts, strict=True) if text])
    assert scores.n >= 0.9 * N_PAGES
    assert scores.f1 is not None
    assert scores.recall is not None
    assert scores.f1 >= least_f1
    assert scores.recall >= least_recall
    if isinstance(extractor, ClusterExtractor):
        assert len(extractor.clusters) < N_PAGES / 3
    else:
        assert isinstance(extractor, LayoutExtractor)
        assert len(list(extractor.store.candidates())) < N_PAGES


@pytest.mark.parametrize("method", ["cluster", "layout"])
def test_memory_grows_with_templates_only(method: str, articles: list[tuple[str, bytes, str]]) -> None:
    """The same articles at twice as many addresses: twice the pages, no more to remember."""
    again = [(url.replace("doc-", "doc-x"), body + b"<!-- again -->", text) for url, body, text in articles]
    once, twice = (_harvest(method, pages)[0] for pages in (articles, articles + again))
    assert _size(twice) <= _size(once)


def _size(extractor: Any) -> int:
    if isinstance(extractor, ClusterExtractor):
        return sum(len(cluster.mark) + len(cluster.scores) for cluster in extractor.clusters)
    return len(list(extractor.store.candidates()))
