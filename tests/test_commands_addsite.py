from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from newscrawl.commands.addsite import AddSiteCommand
from newscrawl.sites import load_site
from tests.archives import write_warc
from tests.commands_run import refusal
from tests.crawling import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

HOME = "http://news.example.org/"


def addsite(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    return subprocess.run(  # noqa: S603 (our own words)
        [sys.executable, "-m", "scrapy", "addsite", *words, *options],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_site_is_written_and_read(tmp_path: Path) -> None:
    links = "".join(f"<a href='/article-{i}-1.html'>A headline of some length {i}</a>" for i in range(5))
    archive = write_warc(
        tmp_path / "site.warc.gz",
        {"url": HOME, "body": f"<html lang=en><title>Example</title><body>{links}</body></html>".encode()},
        {"url": HOME + "robots.txt", "body": f"Sitemap: {HOME}map.xml".encode()},
    )
    done = addsite("example", HOME, NEWSCRAWL_REPLAY=archive, NEWSCRAWL_SITES_DIR=tmp_path)
    assert done.returncode == 0, done.stderr
    site = load_site("example", tmp_path)
    assert site.title == "Example"
    assert site.sitemaps == (HOME + "map.xml",)
    assert site.article_patterns == ()
    assert site.guessed_patterns == (r"^[^/]+/article-\d+-\d+\.html$",)
    shown = addsite("example", HOME, "--print", NEWSCRAWL_REPLAY=archive, NEWSCRAWL_SITES_DIR=tmp_path)
    assert shown.stdout == (tmp_path / "example.toml").read_text(encoding="utf-8")
    again = addsite("example", HOME, NEWSCRAWL_REPLAY=archive, NEWSCRAWL_SITES_DIR=tmp_path)
    assert again.returncode == 2
    assert "give --force to overwrite it" in again.stderr


def test_a_home_page_that_redirects_is_described_where_it_leads(tmp_path: Path) -> None:
    home = "http://www.example.org/zh/"
    archive = write_warc(
        tmp_path / "site.warc.gz",
        {"url": HOME, "status": 301, "headers": [("Location", home)]},
        {"url": home, "body": b"<html><title>Example</title><body><p>No link.</body></html>"},
        {"url": "http://www.example.org/robots.txt", "body": b"Sitemap: http://www.example.org/map.xml"},
    )
    done = addsite("example", HOME, NEWSCRAWL_REPLAY=archive, NEWSCRAWL_SITES_DIR=tmp_path)
    assert done.returncode == 0, done.stderr
    site = load_site("example", tmp_path)
    assert (site.seeds, site.sitemaps) == ((home,), ("http://www.example.org/map.xml",))


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = addsite("focused", HOME, NEWSCRAWL_SITES_DIR=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "scrapy addsite: 'focused' is a spider of the project; choose another name\n"
    assert not list(tmp_path.iterdir())
    assert "'../evil' is no name for a site" in refusal(AddSiteCommand(), capsys, "../evil", HOME)
