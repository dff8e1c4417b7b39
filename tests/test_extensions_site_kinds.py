"""Crawls of made sites judge pages by their sites: early pages are judged again, and a stop changes nothing."""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, update

from newscrawl.items import PageType
from newscrawl.sites.kinds import probe_address
from newscrawl.sites.shown import KindEvidence, address_key, title_key
from newscrawl.store.engine import make_engine
from newscrawl.store.kinds import KnownPage, article_of_plain, plain_article, site_evidence
from newscrawl.store.schema import articles, frontier, held_pages, pages, site_kinds
from tests.archives import write_warc
from tests.crawling import Crawl, crawl
from tests.kind_sites import HOST, SENTENCES, MadeSite, flash, framed, made, photo, video
from tests.kind_sites import article as article_page
from tests.records import article
from tests.test_fields import FULL, URL

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine


@pytest.fixture
def site() -> MadeSite:
    return made("zh", flash, dead=3)


class KilledWhenIdle:
    """Scrapy extension: the process ends when all pages are read, before they are judged again."""

    def __init__(self, crawler: Any) -> None:
        from scrapy import signals  # noqa: PLC0415 (as tests.crawling.StatsToFile)

        crawler.signals.connect(self.end, signals.spider_idle)

    @classmethod
    def from_crawler(cls, crawler: Any) -> KilledWhenIdle:
        return cls(crawler)

    def end(self) -> None:
        os._exit(9)


def harvest(folder: Path, site: MadeSite, *, status: int = 0, home: str = f"{HOST}/", **settings: object) -> Crawl:
    archive = folder / "site.warc.gz"
    if not archive.exists():
        write_warc(archive, *({"url": url, "body": page.encode()} for url, page in site.pages.items()))
    given = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": f"sqlite:///{folder / 'site.sqlite'}"}
    given |= {"NEWSCRAWL_SITE_KINDS": True, **settings}
    done = crawl(folder, "crawl", "site", "-a", f"url={home}", settings=given)
    assert done.status == status, done.log
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
        ends = connection.execute(select(pages.c.outcome, pages.c.reason, pages.c.detail).where(dead)).all()
        n_held = connection.execute(select(func.count()).select_from(held_pages)).scalar_one()
        n_rows = connection.execute(select(func.count()).select_from(site_kinds)).scalar_one()
    assert len(ends) == 3
    assert {outcome for outcome, _, _ in ends} == {"rejected"}
    assert {reason for _, reason, _ in ends} <= {"soft_404", "notice"}
    assert all(detail.startswith("by itself ") and "; by its site other: " in detail for _, _, detail in ends)
    assert (n_held, n_rows) == (0, 1), "what is evidence of the site is kept, and no page"


@pytest.mark.slow
def test_a_crawl_that_is_stopped_goes_on_with_what_its_site_has_shown(tmp_path: Path, site: MadeSite) -> None:
    for _ in range(3):
        harvest(tmp_path, site, CLOSESPIDER_PAGECOUNT=8)
    harvest(tmp_path, site)
    assert stored(tmp_path) == site.stories


@pytest.mark.slow
def test_a_crawl_that_is_killed_before_its_site_has_spoken_lets_it_speak_when_it_goes_on(
    tmp_path: Path,
) -> None:
    site = made("de", photo)
    extensions = json.dumps({"tests.test_extensions_site_kinds.KilledWhenIdle": 1})
    harvest(tmp_path, site, status=9, EXTENSIONS=extensions)
    assert stored(tmp_path) < site.stories
    harvest(tmp_path, site)
    assert stored(tmp_path) == site.stories


@pytest.mark.slow
def test_the_order_of_a_crawl_decides_nothing(tmp_path: Path, site: MadeSite) -> None:
    """Nor do pages end otherwise that want not to be kept, and are articles by themselves or by their site alone."""
    for number in (1, 3):
        url = next(url for url in site.stories if url.endswith(f"/{number + 31}.html"))
        site.pages[url] = site.pages[url].replace("<head>", '<head><meta name="robots" content="noindex">')
    ends = []
    for order, at_once in (("fair", 16), ("strict", 1), ("fair", 2)):
        folder = tmp_path / f"{order}{at_once}"
        folder.mkdir()
        run = harvest(folder, site, NEWSCRAWL_FRONTIER_ORDER=order, CONCURRENT_REQUESTS=at_once)
        with make_engine(f"sqlite:///{folder / 'site.sqlite'}").connect() as connection:
            rows = connection.execute(select(pages.c.url, pages.c.outcome, pages.c.reason).order_by(pages.c.url))
            ends.append([tuple(row) for row in rows])
        assert run.stats["newscrawl/outcome/stored"] == len(site.stories) - 2
        assert run.stats["newscrawl/rejected/noindex"] == 2
    assert ends[0] == ends[1] == ends[2]


def test_a_page_that_is_held_is_stored_with_the_pages_that_follow(tmp_path: Path) -> None:
    site = made("de", video)
    first, second = f"{HOST}/2024/02/32.html", f"{HOST}/2024/02/32_2.html"
    pager = f'<div class="pager"><a href="{first}">1</a> <a href="{second}">2</a> <a href="{second}">Weiter</a></div>'
    end = '</div><div class="side">'
    site.pages[second] = site.pages[first].replace(end, f"<p>{SENTENCES['de']}</p>{end}")
    site.pages[first] = site.pages[first].replace(end, f"{pager}{end}")
    home = f"{HOST}/2024/05/35.html"  # before any list is seen
    done = harvest(tmp_path, site, home=home, NEWSCRAWL_FRONTIER_ORDER="strict", CONCURRENT_REQUESTS=1)
    assert {item["url"]: item["pages"] for item in done.items}[first] == [first, second]
    assert stored(tmp_path) == site.stories - {home}
    assert done.stats["newscrawl/kinds/stored_later"]
    with make_engine(f"sqlite:///{tmp_path / 'site.sqlite'}").connect() as connection:
        ended = connection.execute(select(frontier.c.url, frontier.c.reason, frontier.c.kind)).all()
    visits = {url: (reason, kind) for url, reason, kind in ended if url in stored(tmp_path)}
    stories = dict.fromkeys(stored(tmp_path), ("stored", "article"))
    assert visits == stories, "the next run does not visit them as lists"


def test_a_host_that_answers_whatever_it_is_asked_for_stores_none_of_it(tmp_path: Path) -> None:
    site = made("de", article_page)
    dead = [f"{HOST}/2024/05/{number}.html" for number in range(91, 95)]
    text = f"<h1>Das Wetter von heute</h1><p>3. Mai 2024, von Anna Berg</p><p>{SENTENCES['de'] * 4}</p>"
    page = framed("de", "Das Wetter von heute", text)
    site.pages |= dict.fromkeys((*dead, probe_address(dead[0])), page)
    links = "".join(f'<li><a href="{url}">Das Wetter von heute ({url[-7:-5]})</a></li>' for url in dead)
    site.pages[f"{HOST}/"] = site.pages[f"{HOST}/"].replace('<div class="side">', f"<ul>{links}</ul><div class='side'>")
    done = harvest(tmp_path, site)
    assert stored(tmp_path) == site.stories
    assert done.stats["newscrawl/kinds/probed"] == 1
    assert done.stats["newscrawl/rejected/soft_404"] == len(dead) + 1


def test_pages_noted_before_evidence_had_its_last_field_are_read(engine: Engine) -> None:
    noted = KindEvidence(page_type=PageType.ARTICLE, confidence=0.9, odds=2.0, titles=(7,), instead=PageType.HUB)
    with engine.begin() as connection:
        KnownPage.write_all(connection, [KnownPage(site="town", url=f"{HOST}/1.html", evidence=noted)])
        packed = connection.execute(select(site_kinds.c.packed)).scalar_one()
        (*head, told) = json.loads(zlib.decompress(packed[1:]))[0]
        older = packed[:1] + zlib.compress(json.dumps([[*head, told[:-1]]]).encode())
        connection.execute(update(site_kinds).values(packed=older))
        (page,) = site_evidence(connection, "town")[1]
    assert page.evidence == replace(noted, instead=None)


def test_what_a_feed_calls_a_story_is_evidence_of_the_site(tmp_path: Path, site: MadeSite) -> None:
    url = max(site.stories)
    entry = f"<item><title>Wolken</title><link>{url}</link></item>"
    feed = f"<rss version='2.0'><channel><title>x</title>{entry}</channel></rss>"
    site.pages[f"{HOST}/feed.xml"] = feed
    link = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    site.pages[f"{HOST}/"] = site.pages[f"{HOST}/"].replace("<head>", f"<head>{link}")
    harvest(tmp_path, site)
    with make_engine(f"sqlite:///{tmp_path / 'site.sqlite'}").connect() as connection:
        evidence, _ = site_evidence(connection, "made-example.org")
    assert title_key("Wolken") in evidence.announced[address_key(url)]
    assert address_key(f"{HOST}/feed.xml") not in evidence.pages


def test_without_a_database_early_pages_are_judged_again_too(tmp_path: Path, site: MadeSite) -> None:
    done = harvest(tmp_path, site, NEWSCRAWL_DATABASE="", NEWSCRAWL_FRONTIER="memory")
    assert {item["url"] for item in done.items} == site.stories


def test_a_user_turns_it_off(tmp_path: Path, site: MadeSite) -> None:
    done = harvest(tmp_path, site, NEWSCRAWL_SITE_KINDS=False)
    assert not done.counts("newscrawl/kinds/")


def test_an_article_that_is_held_comes_back_as_it_was() -> None:
    full = article(URL, "一。", **FULL)
    assert article_of_plain(json.loads(json.dumps(plain_article(full)))) == full
