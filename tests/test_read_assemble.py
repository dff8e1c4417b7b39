from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.simhash import content_hash
from newscrawl.items import Article, Author
from newscrawl.links.next_page import Continuation
from newscrawl.read.assemble import PartAssembler, Step
from newscrawl.read.parts import is_other_article, join_articles, join_bodies

BASE = "http://news.example.com/a/123456"


def url(number: int) -> str:
    return f"{BASE}.html" if number == 1 else f"{BASE}_{number}.html"


def paragraph(number: int, index: int) -> str:
    return f"Paragraph {index} of page {number} says that the new library is open to all."


def part(number: int, headline: str | None = "New library") -> Article:
    body = "\n".join(paragraph(number, index) for index in range(3))
    return Article(url=url(number), headline=headline, articleBody=body, pages=(url(number),))


def add(assembler: PartAssembler, number: int, of: int, *, now: float = 0.0, **links: str) -> Step:
    others = Continuation(next_url=url(number + 1) if number < of else None, earlier_url=url(1) if number > 1 else None)
    return assembler.add(part(number), others._replace(**links), now=now)


def test_single_page_goes_on_at_once() -> None:
    assembler = PartAssembler()
    article = part(1)
    assert assembler.add(article) == Step(joined=(article,))
    assert len(assembler) == 0


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_parts_in_any_order_make_one_article(order: tuple[int, ...]) -> None:
    assembler = PartAssembler()
    steps = [add(assembler, number, 3) for number in order]
    assert [len(step.joined) for step in steps] == [0, 0, 1]
    (joined,) = steps[-1].joined
    assert joined.pages == (url(1), url(2), url(3))
    assert joined.articleBody.split("\n") == [paragraph(page, index) for page in (1, 2, 3) for index in range(3)]
    assert not steps[-1].incomplete
    asked = [address for step in steps for address in step.fetch]
    assert len(asked) == len(set(asked))
    assert len(assembler) == 0


def test_what_is_missing_is_asked_for_once() -> None:
    assembler = PartAssembler()
    assert add(assembler, 1, 3).fetch == (url(2),)
    assert assembler.is_expected(url(2))
    assert add(assembler, 3, 3).fetch == ()
    assert not assembler.is_expected(url(3))


def test_repeated_and_late_parts_are_known() -> None:
    assembler = PartAssembler()
    add(assembler, 1, 2)
    assert add(assembler, 1, 2).is_repeated
    assert add(assembler, 2, 2).joined
    assert add(assembler, 2, 2).is_repeated


def test_lost_part_ends_the_article() -> None:
    assembler = PartAssembler()
    add(assembler, 1, 3)
    step = assembler.lost(url(2))
    assert step.joined == step.incomplete
    assert step.joined[0].pages == (url(1),)
    assert assembler.lost(url(2)) == Step()
    assert assembler.lost("http://elsewhere.example.com/") == Step()


def test_flush_and_time_out_give_up_in_page_order() -> None:
    assembler = PartAssembler(seconds=60)
    add(assembler, 3, 9, now=0.0)
    add(assembler, 1, 9, now=1.0)
    other = Article(url="http://news.example.com/b/9.html", articleBody="x")
    step = assembler.add(other, now=61.0)
    assert [article.pages for article in step.incomplete] == [(url(1), url(3))]
    assert step.joined[0] is other
    add(PartAssembler(), 1, 2)
    assert assembler.flush() == ()


def test_loops_and_too_many_parts_end() -> None:
    assembler = PartAssembler()
    add(assembler, 1, 2)
    step = add(assembler, 2, 2, next_url=url(1))
    assert step.joined[0].pages == (url(1), url(2))
    short = PartAssembler(max_parts=2)
    add(short, 1, 9)
    assert add(short, 2, 9).joined[0].pages == (url(1), url(2))


def test_open_articles_are_bounded() -> None:
    assembler = PartAssembler(max_open=2)
    steps = []
    for number in range(4):
        address = f"http://news.example.com/x/{number}000000.html"
        article = Article(url=address, articleBody="text", pages=(address,))
        steps.append(assembler.add(article, Continuation(address.replace(".html", "_2.html"))))
    assert len(assembler) == 2
    assert [len(step.incomplete) for step in steps] == [0, 0, 1, 1]


def test_whole_text_replaces_the_parts() -> None:
    assembler = PartAssembler()
    whole_url = f"{BASE}_all.html"
    assert add(assembler, 1, 3, whole_url=whole_url).fetch == (whole_url,)
    body = "\n".join(paragraph(page, index) for page in (1, 2, 3) for index in range(3))
    step = assembler.add(Article(url=whole_url, articleBody=body, pages=(whole_url,)))
    (joined,) = step.joined
    assert (joined.url, joined.articleBody, joined.headline) == (url(1), body, "New library")
    assert joined.pages == (url(1), whole_url)
    assert joined.contentHash == content_hash(body)
    assert add(assembler, 2, 3).is_repeated


def test_without_the_whole_text_the_parts_are_fetched() -> None:
    assembler = PartAssembler()
    whole_url = f"{BASE}_all.html"
    add(assembler, 1, 3, whole_url=whole_url)
    assert assembler.lost(whole_url).fetch == (url(2),)
    add(assembler, 2, 3)
    step = add(assembler, 3, 3)
    assert [article.pages for article in step.joined] == [(url(1), url(2), url(3))]
    assert not step.incomplete, "its parts have all of it"


def test_address_that_leads_to_another_article_is_no_part() -> None:
    assembler = PartAssembler()
    add(assembler, 1, 2)
    other = part(2, headline="Completely different story about football")
    step = assembler.add(other)
    assert other in step.joined
    assert {article.pages for article in step.joined} == {(url(1),), (url(2),)}


def test_redirected_part_is_still_the_part() -> None:
    assembler = PartAssembler()
    add(assembler, 1, 2)
    moved = Article(url="http://m.example.com/moved", headline="New library", articleBody="The end of the story.")
    (joined,) = assembler.add(moved, requested_url=url(2)).joined
    assert joined.pages == (url(1), "http://m.example.com/moved")


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


def test_an_article_forgotten_begins_anew() -> None:
    """Its parts were given back: when they come again, they are not taken for repeated."""
    assembler = PartAssembler()
    first = Article(url="http://e.org/a.html", articleBody="One.", pages=("http://e.org/a.html",))
    second = Article(url="http://e.org/a_2.html", articleBody="Two.", pages=("http://e.org/a_2.html",))
    assert assembler.add(first, Continuation(second.url)).fetch == (second.url,)
    assembler.forget(first.url)
    assert len(assembler) == 0
    assert not assembler.is_expected(second.url)
    again = assembler.add(first, Continuation(second.url))
    assert again.fetch == (second.url,)
    assert not again.is_repeated
    assert assembler.add(second).joined[0].pages == (first.url, second.url)


def test_no_article_waits_for_ever() -> None:
    assembler = PartAssembler(seconds=60)
    first = Article(url="http://e.org/a.html", articleBody="One.", pages=("http://e.org/a.html",))
    assembler.add(first, Continuation("http://e.org/a_2.html"), now=100)
    assert not assembler.expire(159).joined
    step = assembler.expire(160)
    assert [article.articleBody for article in step.incomplete] == ["One."]
    assert len(assembler) == 0


def test_a_number_of_the_articles_own_is_no_page() -> None:
    first, second = "http://example.com/top-10/", "http://example.com/top-10/2/"
    for order in (True, False):
        assembler = PartAssembler()
        parts = [(replace(part(1), url=first, pages=(first,)), Continuation(next_url=second))]
        parts.append((replace(part(2), url=second, pages=(second,)), Continuation(earlier_url=first)))
        for article, others in parts if order else reversed(parts):
            step = assembler.add(article, others)
        assert [joined.pages for joined in step.joined] == [(first, second)]
