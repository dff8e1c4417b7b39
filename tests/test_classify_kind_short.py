from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from newscrawl.items import PageType
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import reader_for
from tests.absent_pages import ABSENT, STORIES, absent_page, story_page
from tests.records import NOW

if TYPE_CHECKING:
    from newscrawl.read.model import Reading

UNKNOWN_WORDS = frozenset({40})
"""Pages whose title is their own heading, in words that no list has: nothing tells them from a short story."""


@cache
def readings(of: str) -> list[Reading]:
    """Read each page in one frame; the frames take turns."""
    make, n = (absent_page, len(ABSENT)) if of == "absent" else (story_page, len(STORIES))
    read = reader_for(Wants()).read
    return [read(RawPage(body=markup, url=url, fetched_at=NOW)) for url, markup in map(make, range(n))]


@pytest.mark.parametrize("number", [number for number in range(len(ABSENT)) if number not in UNKNOWN_WORDS])
def test_a_page_without_a_story_is_none(number: int) -> None:
    reading = readings("absent")[number]
    assert (reading.page_type, reading.absence, reading.article) == (PageType.OTHER, ABSENT[number][0], None)


@pytest.mark.parametrize("number", range(len(STORIES)))
def test_a_story_is_one_however_short(number: int) -> None:
    reading = readings("stories")[number]
    assert (reading.page_type, reading.absence) == (PageType.ARTICLE, None)
    assert reading.article is not None
    assert reading.text
