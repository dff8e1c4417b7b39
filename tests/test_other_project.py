"""The add-on in somebody else's Scrapy project, wired as the README says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.archives import write_warc
from tests.crawling import PROJECT
from tests.newspages import article

HOME: Final = "http://news.example.org/"
SITE: Final = f'title = "News"\nhosts = ["news.example.org"]\nseeds = ["{HOME}"]\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose settings are the lines of docs/scale-out.md alone."""
    lines = (
        Path(PROJECT / "docs" / "scale-out.md")
        .read_text(encoding="utf-8")
        .partition("# settings.py\n")[2]
        .partition("```")[0]
    )
    (tmp_path / "yourproject" / "spiders").mkdir(parents=True)
    for folder in ("yourproject", "yourproject/spiders"):
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "yourproject" / "settings.py").write_text(lines, encoding="utf-8")
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = yourproject.settings\n", encoding="utf-8")
    (tmp_path / "data" / "sites").mkdir(parents=True)
    (tmp_path / "data" / "sites" / "mine.toml").write_text(SITE, encoding="utf-8")
    (tmp_path / "schedule.toml").write_text('[harvest.mine]\nevery = "1h"\n', encoding="utf-8")
    story = {"url": f"{HOME}2024/03/01/story.html", "body": article(0).encode()}
    home = {"url": HOME, "body": "<p><a href='/2024/03/01/story.html'>城市轨道交通取得新进展</a></p>".encode()}
    write_warc(tmp_path / "a.warc.gz", home, story)
    return tmp_path


def scrapy(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 (our own words)
        [sys.executable, "-m", "scrapy", *words, "-s", f"NEWSCRAWL_REPLAY={project}/a.warc.gz"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "SCRAPY_SETTINGS_MODULE": "yourproject.settings"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def test_its_sites_are_crawled_and_pages_that_are_no_articles_fill_no_log(project: Path) -> None:
    done = scrapy(project, "crawl", "mine", "-s", "LOG_LEVEL=WARNING", "-O", "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert len((project / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    assert "Dropped" not in done.stderr


@pytest.mark.slow
def test_a_tick_there_shares_its_database_with_its_crawls(project: Path) -> None:
    done = scrapy(project, "tick", "--json", "-s", "NEWSCRAWL_DATABASE=sqlite:///ticks.sqlite")
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"status": "finished"' in done.stdout
    assert not (project / "newscrawl.sqlite").exists()


def test_a_spider_without_the_add_on_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "lone.py").write_text(
        "from newscrawl.sites import site_from_url\n"
        "from newscrawl.spiders.news import NewsSpider\n"
        "class LoneSpider(NewsSpider):\n"
        f"    name, site = 'lone', site_from_url({HOME!r})\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "runspider", "lone.py", "-s", "LOG_LEVEL=WARNING"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"}
        | {"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    (line,) = done.stderr.splitlines()
    assert line.endswith("No page would be read: ADDONS lacks 'newscrawl.addon.NewscrawlAddon' in the settings")
