"""Made sites are harvested whole, and nothing else of them, in any order of crawling."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.items import PageType
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import reader_for
from newscrawl.sites.kinds import judge_kind
from newscrawl.sites.shown import KindEvidence, SiteEvidence, address_key, title_key
from tests.absent_pages import HOST
from tests.instead_pages import GONE, OTHERS, page_of, titles
from tests.instead_pages import STORIES as SHORT
from tests.kind_sites import MadeSite, article, flash, made, photo, video
from tests.records import NOW

if TYPE_CHECKING:
    from newscrawl.read.model import Reading

SITES: dict[str, dict[str, Any]] = {
    "flashes of one sentence": {"story": flash},
    "pictures with a caption": {"story": photo},
    "players with a line": {"story": video},
    "lists in the template of stories": {"story": article, "texts": True},
    "excerpts that lead nowhere": {"story": article, "excerpts": True},
    "dead addresses that answer": {"story": article, "dead": 5},
    "sections that head boxes of stories": {"story": article, "boxes": True},
    "flashes, and dead addresses": {"story": flash, "dead": 4},
}


@cache
def read_site(name: str, language: str) -> tuple[MadeSite, dict[str, Reading]]:
    site = made(language, **SITES[name])
    reader = reader_for(Wants(kinds=True))
    readings = {
        url: reader.read(
            RawPage(
                body=page,
                url=url,
                fetched_at=datetime(2024, 6, 7, tzinfo=UTC),
                called=site.called.get(url),
                is_expected=True,
            )
        )
        for url, page in site.pages.items()
    }
    return site, readings


def stored(readings: dict[str, Reading], order: int) -> set[str]:
    """Return what a crawl in some order holds for articles at its end."""
    urls = sorted(readings)
    random.Random(order).shuffle(urls)
    evidence = SiteEvidence()
    for url in urls:
        kind, links = readings[url].kind, [address_key(link.url) for link in readings[url].links]
        assert kind is not None
        evidence.observe(url, kind, links)
        judge_kind(evidence, url, kind)
    return {
        url
        for url in urls
        if (kind := readings[url].kind) is not None
        and judge_kind(evidence, url, kind, anew=True).page_type is PageType.ARTICLE
        and readings[url].article is not None
    }


@pytest.mark.parametrize("language", ["en", "de", "zh"])
@pytest.mark.parametrize("name", SITES)
def test_every_story_is_stored_and_nothing_else(name: str, language: str) -> None:
    site, readings = read_site(name, language)
    for order in range(3):
        assert stored(readings, order) == site.stories


@cache
def dated_site(n: int) -> SiteEvidence:
    """Return what a site with ``n`` articles has shown, all of them dated."""
    site = SiteEvidence()
    for number in range(n):
        story = KindEvidence(page_type=PageType.ARTICLE, confidence=0.9, odds=2.5, is_signed=True)
        site.observe(f"{HOST}/2024/05/0{number + 1}/s-{number}.html", story)
    return site


@pytest.mark.parametrize(
    ("pages", "number"),
    [(pages, number) for pages in (OTHERS, GONE, SHORT) for number in range(len(pages))],
)
def test_where_stories_are_dated_a_page_without_date_needs_a_text(pages: Any, number: int) -> None:
    """A list announces a story at its address, by the page's own heading unless a story was there."""
    language, _, heading, _ = pages[number]
    called = titles(language)[0] if pages is GONE else heading
    url, markup = page_of(number, pages)
    raw = RawPage(body=markup, url=url, fetched_at=NOW, called=called, is_expected=True)
    kind = reader_for(Wants(kinds=True)).read(raw).kind
    assert kind is not None
    site = dated_site(5)
    site.announce(address_key(url), title_key(called))
    assert (judge_kind(site, url, kind, anew=True).page_type is PageType.ARTICLE) is (pages is SHORT)
