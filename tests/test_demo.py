"""The demo portal: reproducible, true to what the spider expects, and hard where it says it is."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from lab.experiments.url_rules import portals
from newscrawl.sites import UrlKind
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

DEMO = PROJECT / "data" / "demo"
SINA = portals()["sina"]


@pytest.fixture(scope="module")
def truth() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / "truth.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def urls() -> set[str]:
    """URLs of the archive without their scheme: a replay takes http and https as one."""
    with (DEMO / "demo.warc.gz").open("rb") as stream:
        records = ArchiveIterator(stream)
        return {_bare(r.rec_headers["WARC-Target-URI"]) for r in records if r.rec_type == "response"}


def _bare(url: str) -> str:
    return url.partition("://")[2]


def test_the_committed_files_are_what_the_generator_makes(tmp_path: Path) -> None:
    command = [sys.executable, str(DEMO / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    for name in ("truth.jsonl", "truth2.jsonl"):
        assert (tmp_path / name).read_bytes() == (DEMO / name).read_bytes()
    for name in ("demo.warc.gz", "demo2.warc.gz"):
        # compressed bytes may differ between builds of zlib, what is in them may not
        made, kept = (gzip.decompress((folder / name).read_bytes()) for folder in (tmp_path, DEMO))
        assert made == kept


def test_it_stays_small() -> None:
    size = sum(file.stat().st_size for file in DEMO.rglob("*") if file.is_file() and file.suffix != ".pyc")
    assert size <= 3_000_000


def test_every_address_the_spider_begins_with_is_there(urls: set[str]) -> None:
    begins = {*SINA.seeds, *SINA.feeds, *(url for hubs in SINA.channels.values() for url in hubs)}
    assert {url for url in begins if _bare(url) not in urls} == set()


def test_article_addresses_are_shaped_like_articles(truth: list[dict[str, Any]]) -> None:
    wrong = [
        row["url"] for row in truth if row["kind"] == "article" and SINA.url_kind(row["url"]) is not UrlKind.ARTICLE
    ]
    assert wrong == []


def test_truth_has_what_a_harvest_must_face(truth: list[dict[str, Any]]) -> None:
    kinds = Counter(row["kind"] for row in truth)
    assert 300 <= kinds["article"] <= 400
    assert kinds["duplicate"] >= 10
    for kind in (
        "trap",
        "noindex",
        "nofollow",
        "robots",
        "redirect",
        "redirect_loop",
        "pdf",
        "empty",
        "nested",
        "broken",
    ):
        assert kinds[kind], kind
    articles = [row for row in truth if row["kind"] == "article"]
    assert {row["template"] for row in articles} == {"modern", "plain", "mid", "old", "short"}
    assert sum(len(row["pages"]) > 1 for row in articles) == 8
    assert sum(80 <= len(row["text"].replace("\n", "")) <= 150 for row in articles) >= 20


def test_the_second_edition_has_new_changed_and_vanished_articles(truth: list[dict[str, Any]]) -> None:
    rows = [json.loads(line) for line in (DEMO / "truth2.jsonl").read_text(encoding="utf-8").splitlines()]
    before = {row["url"]: row for row in truth}
    changes = {change: {row["url"] for row in rows if row["change"] == change} for change in ("new", "changed", "gone")}
    assert {change: len(urls) for change, urls in changes.items()} == {"new": 12, "changed": 10, "gone": 4}
    assert not changes["new"] & before.keys()
    assert all(before[url]["outcome"] == ["stored"] for url in changes["changed"] | changes["gone"])
    assert all(row["text"] != before[row["url"]]["text"] for row in rows if row["change"] == "changed")


def test_nearly_all_pages_can_be_asked_for_conditionally() -> None:
    with (DEMO / "demo.warc.gz").open("rb") as stream:
        answers = [r.http_headers for r in ArchiveIterator(stream) if r.rec_type == "response"]
    good = [headers for headers in answers if headers.get_statuscode() == "200"]
    bare = [headers for headers in good if not headers.get_header("ETag") and not headers.get_header("Last-Modified")]
    assert 0 < len(bare) < 0.05 * len(good)


def test_articles_differ(truth: list[dict[str, Any]]) -> None:
    """No two articles that are not copies could be taken for near-duplicates."""
    texts = [row["text"] for row in truth if row["kind"] == "article" and not row["near_duplicate_of"]]
    shingles = [{text[i : i + 4] for i in range(len(text) - 3)} for text in texts]
    likeness = max(
        len(a & b) / len(a | b) for i, a in enumerate(shingles) for b in shingles[i + 1 :] if len(a) * 3 > len(b)
    )
    assert likeness < 0.5
