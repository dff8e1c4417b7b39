"""Crawls of made sites judge pages by their sites: early pages are judged again, and a stop changes nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from newscrawl.store.engine import make_engine
from newscrawl.store.kinds import article_of_plain, page_kinds, plain_article
from newscrawl.store.schema import articles, pages
from tests.archives import write_warc
from tests.crawling import Crawl, crawl
from tests.kind_sites import HOST, MadeSite, flash, made
from tests.records import article
from tests.test_fields import FULL, URL

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def site() -> MadeSite:
    return made("zh", flash, dead=3)


def harvest(folder: Path, site: MadeSite, **settings: object) -> Crawl:
    archive = folder / "site.warc.gz"
    if not archive.exists():
        write_warc(archive, *({"url": url, "body": page.encode()} for url, page in site.pages.items()))
    given = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": f"sqlite:///{folder / 'site.sqlite'}"}
    given |= {"NEWSCRAWL_SITE_KINDS": True, **settings}
    done = crawl(folder, "crawl", "site", "-a", f"url={HOST}/", settings=given)
    assert done.status == 0, done.log
    return done


def stored(folder: Path) -> set[str]:
    with make_engine(f"sqlite:///{folder / 'site.sqlite'}").connect() as connection:
        return set(connection.execute(select(articles.c.url).where(articles.c.gone_at.is_(None))).scalars())


def test_flashes_are_stored_and_nothing_else(tmp_path: Path, site: MadeSite) -> None:
    done = harvest(tmp_path, site)
    assert stored(tmp_path) == site.stories
    assert {item["url"] for item in done.items} == site.stories
    assert done.stats["newscrawl/outcome/stored"] == len(site.stories)
    with make_engine(f"sqlite:///{tmp_path / 'site.sqlite'}").connect() as connection:
        dead = pages.c.url.like("%/2023/07/%")
        ends = connection.execute(select(pages.c.outcome, pages.c.reason).where(dead)).all()
        held = connection.execute(select(page_kinds.c.url).where(page_kinds.c.held.is_not(None))).all()
    assert len(ends) == 3
    assert {outcome for outcome, _ in ends} == {"rejected"}
    assert {reason for _, reason in ends} <= {"soft_404", "notice"}
    assert {url for (url,) in held}.isdisjoint(site.stories)


def test_a_crawl_that_is_stopped_goes_on_with_what_its_site_has_shown(tmp_path: Path, site: MadeSite) -> None:
    for _ in range(3):
        harvest(tmp_path, site, CLOSESPIDER_PAGECOUNT=8)
    harvest(tmp_path, site)
    assert stored(tmp_path) == site.stories


def test_without_a_database_early_pages_are_judged_again_too(tmp_path: Path, site: MadeSite) -> None:
    done = harvest(tmp_path, site, NEWSCRAWL_DATABASE="", NEWSCRAWL_FRONTIER="memory")
    assert {item["url"] for item in done.items} == site.stories


def test_a_user_turns_it_off(tmp_path: Path, site: MadeSite) -> None:
    done = harvest(tmp_path, site, NEWSCRAWL_SITE_KINDS=False)
    assert not done.counts("newscrawl/kinds/")


def test_an_article_that_is_held_comes_back_as_it_was() -> None:
    full = article(URL, "一。", **FULL)
    assert article_of_plain(json.loads(json.dumps(plain_article(full)))) == full
