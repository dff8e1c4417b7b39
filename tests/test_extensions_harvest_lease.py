from __future__ import annotations

from typing import TYPE_CHECKING

from tests.archives import write_warc
from tests.crawling import crawl

if TYPE_CHECKING:
    from pathlib import Path


def test_a_crawl_whose_harvest_was_taken_over_ends(tmp_path: Path) -> None:
    """The task that closed the spider was cancelled by the closing: the crawl stood until its time limit."""
    home = "http://news.example.org/"
    settings: dict[str, object] = {
        "NEWSCRAWL_REPLAY": write_warc(tmp_path / "a.warc.gz", {"url": home, "body": b"<p>Hello</p>"}),
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/news.sqlite",
        "NEWSCRAWL_HARVEST": "front",
        "NEWSCRAWL_HARVEST_HOLDER": "nobody",
    }
    done = crawl(tmp_path, "crawl", "site", "-a", f"url={home}", settings=settings, seconds=30)
    assert "the harvest front was taken over by another process" in done.log
    assert done.stats["finish_reason"] == "lease_lost"
