from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.simhash import content_hash
from newscrawl.items import Article, Author
from newscrawl.links.next_page import Continuation
from newscrawl.read.parts import (
    ArticleParts,
    JoinedArticles,
    Lateness,
    is_other_article,
    join_articles,
    join_bodies,
    series_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection

BASE = "http://news.example.com/a/123456"


def url(number: int) -> str:
    return f"{BASE}.html" if number == 1 else f"{BASE}_{number}.html"


def paragraph(number: int, index: int) -> str:
    return f"Paragraph {index} of page {number} says that the new library is open to all."


def part(number: int, headline: str | None = "New library") -> Article:
    body = "\n".join(paragraph(number, index) for index in range(3))
    return Article(url=url(number), headline=headline, articleBody=body, pages=(url(number),))


def links(number: int, of: int, **links: str) -> Continuation:
    others = Continuation(next_url=url(number + 1) if number < of else None, earlier_url=url(1) if number > 1 else None)
    return others._replace(**links)


def met(number: int, of: int, *, max_parts: int = 50, **more: str) -> ArticleParts:
    """Return the parts of an article that was met by this page."""
    return ArticleParts(part(number), links(number, of, **more), max_parts=max_parts)


def fetch(parts: ArticleParts, of: int, absent: Collection[int] = ()) -> list[int]:
    """Give what is missing, until nothing is; return the numbers of the pages asked for."""
    asked = []
    while (address := parts.missing()) is not None:
        number = next(number for number in range(1, of + 1) if url(number) == address)
        asked.append(number)
        if number in absent:
            parts.lose(address)
        else:
            assert parts.add(part(number), links(number, of))
    return asked


def test_an_article_on_one_page_misses_nothing() -> None:
    parts = met(1, 1)
    assert parts.missing() is None
    article, is_complete = parts.join()
    assert (article.pages, is_complete) == ((url(1),), True)


@pytest.mark.parametrize(("entry", "asked"), [(1, [2, 3]), (2, [1, 3]), (3, [1, 2])])
def test_parts_make_one_article_whichever_page_is_met_first(entry: int, asked: list[int]) -> None:
    parts = met(entry, 3)
    assert fetch(parts, 3) == asked
    article, is_complete = parts.join()
    assert is_complete
    assert article.pages == (url(1), url(2), url(3))
    assert article.articleBody.split("\n") == [paragraph(page, index) for page in (1, 2, 3) for index in range(3)]


@pytest.mark.parametrize(("absent", "pages"), [((2,), (1,)), ((3,), (1, 2))])
def test_a_lost_part_ends_the_article(absent: tuple[int, ...], pages: tuple[int, ...]) -> None:
    parts = met(1, 4)
    fetch(parts, 4, absent)
    article, is_complete = parts.join()
    assert not is_complete
    assert article.pages == tuple(map(url, pages))


@pytest.mark.parametrize(
    ("number", "of", "follows"), [(2, 2, True), (3, 2, True), (4, 2, False), (170, 2, False), (170, 1, False)]
)
def test_a_page_behind_those_that_the_first_one_leads_to_is_none_of_them(number: int, of: int, follows: bool) -> None:
    """A letter stands at ``/letters/170/``; their list, with two pages, at ``/letters/``."""
    parts = ArticleParts(part(number), Continuation(earlier_url=url(1)))
    fetch(parts, of)
    assert parts.follows(url(number)) is follows
    assert parts.follows(url(1))


@pytest.mark.parametrize("most", [50, 2])
def test_pages_of_an_article_follow_each_other_though_more_than_are_joined(most: int) -> None:
    parts = met(4, 4, max_parts=most)
    fetch(parts, 4)
    assert parts.follows(url(4))


def test_what_came_is_joined_in_page_order_where_the_first_page_is_lost() -> None:
    parts = met(3, 4)
    parts.lose(url(1))
    assert parts.missing() is None
    article, is_complete = parts.join()
    assert not is_complete
    assert article.pages == (url(3),)


def test_loops_and_too_many_parts_end() -> None:
    parts = met(1, 2)
    assert parts.add(part(2), links(2, 2, next_url=url(1)))
    assert parts.missing() is None
    assert parts.join()[0].pages == (url(1), url(2))
    short = met(1, 9, max_parts=2)
    assert fetch(short, 9) == [2]
    assert short.is_cut
    article, is_complete = short.join()
    assert article.pages == (url(1), url(2))
    assert not is_complete


def test_a_part_that_leads_back_to_a_page_that_came_ends_the_article() -> None:
    parts = met(1, 3)
    assert parts.add(part(1), links(1, 3), requested_url=url(2))
    assert parts.missing() is None
    assert parts.join()[0].pages == (url(1),)


def test_whole_text_replaces_the_parts() -> None:
    whole_url = f"{BASE}_all.html"
    parts = met(1, 3, whole_url=whole_url)
    assert parts.missing() == whole_url
    body = "\n".join(paragraph(page, index) for page in (1, 2, 3) for index in range(3))
    assert parts.add(Article(url=whole_url, headline="New library", articleBody=body, pages=(whole_url,)))
    assert parts.missing() is None
    joined, is_complete = parts.join()
    assert is_complete
    assert (joined.url, joined.articleBody, joined.headline) == (url(1), body, "New library")
    assert joined.pages == (url(1), whole_url)
    assert joined.contentHash == content_hash(body)


@pytest.mark.parametrize("body", [None, "A teaser."])
def test_without_the_whole_text_the_parts_are_fetched(body: str | None) -> None:
    whole_url = f"{BASE}_all.html"
    parts = met(1, 3, whole_url=whole_url)
    if body is None:
        parts.lose(whole_url)
    else:
        assert not parts.add(Article(url=whole_url, articleBody=body, pages=(whole_url,)))
    assert fetch(parts, 3) == [2, 3]
    article, is_complete = parts.join()
    assert article.pages == (url(1), url(2), url(3))
    assert is_complete, "its parts have all of it"


def test_address_that_leads_to_another_article_is_no_part() -> None:
    parts = met(1, 2)
    assert not parts.add(part(2, headline="Completely different story about football"))
    assert parts.missing() is None
    assert parts.join()[0].pages == (url(1),)


def test_redirected_part_is_still_the_part() -> None:
    parts = met(1, 2)
    moved = Article(url="http://m.example.com/moved", headline="New library", articleBody="The end of the story.")
    assert parts.add(moved, requested_url=url(2))
    assert parts.join()[0].pages == (url(1), "http://m.example.com/moved")
    assert not met(1, 2).add(moved.__class__(url="http://other.org/a", articleBody="x"), requested_url=url(2))


def judged(joined: JoinedArticles, number: int, article: Article | None = None) -> Lateness | None:
    key, place = series_of(url(number), None)
    return joined.judge(key, place, (url(number),), article or part(number))


def test_pages_of_joined_articles_are_known() -> None:
    joined, parts = JoinedArticles(), met(1, 9, max_parts=2)
    fetch(parts, 9)
    joined.note(series_of(url(1), url(2))[0], parts, parts.join()[0])
    assert [judged(joined, number) for number in (1, 2, 3)] == ["repeated", "repeated", "beyond"]
    other = part(3, headline="Completely different story about football")
    assert judged(joined, 3, other) is None
    assert JoinedArticles().judge("x", 2, (url(2),), None) is None


def test_facts_of_the_first_page_and_people_of_all() -> None:
    first = Article(url=url(1), headline="A", authors=(Author(name="Jane Doe"),), articleBody="x")
    second = Article(url=url(2), headline="A (2)", source="Example", authors=(Author(name="Ed", role="editor"),))
    joined = join_articles([first, second])
    assert (joined.url, joined.headline, joined.source) == (url(1), "A", "Example")
    assert [author.name for author in joined.authors] == ["Jane Doe", "Ed"]
    with pytest.raises(ValueError, match="no part"):
        join_articles([])


LINES = [f"Paragraph number {index} of the long story about the library." for index in range(6)]


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ([LINES[:3], LINES[3:]], LINES),
        ([LINES[:4], LINES[3:]], LINES),
        ([LINES[:3], ["New library", *LINES[3:]]], LINES),
        ([LINES[:3], ["New library (2)", "第2页", *LINES[3:]]], LINES),
        ([[*LINES[:3], "Editor: Ed"], [*LINES[3:], "Editor: Ed"]], [*LINES, "Editor: Ed"]),
        ([[*LINES[:3], "下一页"], LINES[3:]], LINES),
        ([["Yes.", *LINES[:2]], ["Yes.", *LINES[2:]]], ["Yes.", *LINES[:2], "Yes.", *LINES[2:]]),
        ([[], LINES], LINES),
    ],
)
def test_join_bodies(bodies: list[list[str]], expected: list[str]) -> None:
    assert join_bodies(["\n".join(body) for body in bodies], headline="New library").split("\n") == expected


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=1, max_size=5), min_size=1, max_size=5))
def test_joining_loses_no_paragraph(numbers: list[list[int]]) -> None:
    bodies = ["\n".join(f"Paragraph {number} of a story." for number in body) for body in numbers]
    joined = set(join_bodies(bodies).split("\n"))
    assert joined == {line for body in bodies for line in body.split("\n")}


@pytest.mark.parametrize(
    ("headlines", "days", "expected"),
    [
        (("Reading list 2016-6-4", "Reading list 2016-6-5"), (None, None), True),
        (("每日阅读 2016年6月4日", "每日阅读 2016年6月5日"), (None, None), True),
        (("New library", "New library"), (4, 5), True),
        (("New library", "New library (2)"), (4, 4), False),
        (("新图书馆开馆", "新图书馆开馆（2）"), (None, 4), False),
        (("新图书馆开馆", "新图书馆开馆 第2页"), (None, None), False),
        (("iPhone 12 arrives", "iPhone 12 arrives 2/3"), (None, None), False),
        (("iPhone 12 arrives", "iPhone 13 arrives"), (None, None), True),
        (("New library", None), (None, None), False),
    ],
)
def test_daily_posts_are_not_parts_of_one_article(
    headlines: tuple[str, str | None], days: tuple[int | None, int | None], expected: bool
) -> None:
    first, second = (
        Article(
            url=url(number),
            headline=headline,
            datePublished=datetime(2016, 6, day, 8, tzinfo=UTC) if day else None,
        )
        for number, (headline, day) in enumerate(zip(headlines, days, strict=True), start=1)
    )
    assert is_other_article(first, second) is expected


@pytest.mark.parametrize("is_first", [True, False])
def test_a_number_of_the_articles_own_is_no_page(*, is_first: bool) -> None:
    first, second = "http://example.com/top-10/", "http://example.com/top-10/2/"
    pages = [(replace(part(1), url=first, pages=(first,)), Continuation(next_url=second))]
    pages.append((replace(part(2), url=second, pages=(second,)), Continuation(earlier_url=first)))
    (article, others), other = pages if is_first else pages[::-1]
    parts = ArticleParts(article, others)
    assert parts.missing() == other[0].url
    assert parts.add(*other)
    assert parts.join()[0].pages == (first, second)
