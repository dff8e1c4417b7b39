"""Development sites cut from a made-up stored site."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from lab.experiments import focused
from lab.experiments.base import Options
from lab.experiments.focused_cuts import run
from lab.experiments.focused_site import read_topics, stored_pages
from newscrawl.exceptions import UserError
from tests.focused_site import HOST, is_relevant, relevant_urls, write_site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Options:
    folder = tmp_path_factory.mktemp("sites")
    pages = stored_pages(write_site(folder / "made.warc.gz"), None, advance=lambda: None)
    with gzip.open(folder / "made.pages.jsonl.gz", "wt") as file:
        for url in pages:
            tags = [url.rsplit("-", 1)[0].rpartition("-")[2].rstrip("s")] if "/2024/" in url else []
            kind = "article" if tags else "list"
            file.write(json.dumps({"url": url, "kind": kind, "tags": tags, "categories": [], "links": []}) + "\n")
    (folder / "topics.json").write_text(json.dumps({"topics": [{"sites": ["made"]}]}), encoding="utf-8")
    cache = folder / "cache"
    run(Options(corpus=folder, sites=folder, cache=cache))
    return Options(corpus=folder, sites=cache / "cuts", cache=cache / "cuts", limit=1)


def test_a_site_becomes_three_with_topics_whose_names_their_articles_mention(options: Options) -> None:
    assert options.sites is not None
    topics = {topic["id"]: topic for topic in read_topics(options.sites)}
    assert len(topics) == 3  # its other tags are named by no text
    assert topics["made-1-plain tag phone"]["relevant"] == sorted(relevant_urls())
    assert topics["made-1-plain tag phone"]["keywords"] == ["phone"]


def test_variants_differ_in_addresses_and_tags(options: Options) -> None:
    assert options.sites is not None
    sites = {
        name: stored_pages(options.sites / "x", options.sites / f"made-1-{name}.jsonl.gz", advance=lambda: None)
        for name in ("plain", "index", "untagged")
    }
    assert f"{HOST}/tag/phone/" in sites["plain"]
    assert f"{HOST}/tag/phone/index.html" in sites["index"]
    assert not any("/tag/" in link.url for page in sites["untagged"].values() for link in page.links)
    assert any(is_relevant(url) for url in sites["untagged"])


def test_they_are_crawled_like_any_folder_of_sites(options: Options) -> None:
    found = focused.run(
        Options(**{**vars_of(options), "values": {"strategies": "learned", "draws": "0", "topics": TOPIC}})  # type: ignore[arg-type]
    )
    by_site = next(table for table in found.tables if table.title == "Site by site")
    row = dict(zip(by_site.columns, by_site.rows[0], strict=True))
    assert row["site"] == "made"
    assert float(row["hr@R"] or 0) > 0.5


TOPIC = "made-1-plain tag phone"


def vars_of(options: Options) -> dict[str, object]:
    return {name: getattr(options, name) for name in ("corpus", "sites", "cache")}


def test_a_cache_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--cache DIR"):
        run(Options(corpus=tmp_path, sites=tmp_path))
