"""Hand-made articles, with log odds as an extractor might give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from newscrawl.page.document import Document
from newscrawl.read.memory import page_keys
from newscrawl.sites.memory import SiteMemory

if TYPE_CHECKING:
    from newscrawl.sites.memory import Refined

HOST = "news.example.org"
NOTICE = "Subscribe to our newsletter and never miss a story."
SURE, LIKELY, DOUBTFUL, UNLIKELY, NO = 6.0, 1.5, -0.5, -3.0, -6.0

Line = tuple[str, str, float]
"""Tag and class, text, log odds."""


def paragraphs(number: int, n: int = 6) -> list[Line]:
    return [("p.text", f"In story {number} this is sentence {k}, and it ends here.", SURE) for k in range(n)]


def article(lines: list[Line], url: str | None = None) -> tuple[Document, np.ndarray]:
    marked = ((*place.split("."), text) for place, text, _ in lines)
    body = "".join(f"<{tag} class='{css}'>{text}</{tag}>" for tag, css, text in marked)
    return Document.from_html(f"<body><div class=story>{body}</div>", url), np.array([odds for *_, odds in lines])


def observe(memory: SiteMemory, lines: list[Line], url: str | None = None) -> None:
    document, odds = article(lines, url)
    memory.observe(HOST, page_keys(document), odds > 0, odds)


def refine(memory: SiteMemory, lines: list[Line], url: str | None = None) -> Refined:
    document, odds = article(lines, url)
    return memory.refine(HOST, page_keys(document), odds > 0, odds)


def kept(memory: SiteMemory, lines: list[Line], url: str | None = None) -> list[str]:
    chosen = refine(memory, lines, url).chosen
    return [text for (_, text, _), is_kept in zip(lines, chosen, strict=True) if is_kept]


def with_notice(number: int, at: int, place: str = "p.text") -> list[Line]:
    lines = paragraphs(number)
    lines.insert(at, (place, NOTICE, SURE))
    return lines


END, MIDDLE, START = 6, 3, 0


@pytest.mark.parametrize(("at", "first"), [(END, 1), (START, 2), (MIDDLE, 3)], ids=["end", "start", "middle"])
def test_a_notice_goes_after_so_many_articles(at: int, first: int) -> None:
    memory = SiteMemory()
    for number in range(6):
        lines = with_notice(number, at)
        assert (NOTICE in kept(memory, lines)) == (number < first)
        observe(memory, lines)


def test_one_article_among_many_is_not_enough_at_the_end_either() -> None:
    memory = SiteMemory()
    for number in range(5):
        observe(memory, paragraphs(number) if number else with_notice(number, END))
    assert NOTICE in kept(memory, with_notice(9, END))


def test_a_notice_wanted_at_another_place_goes_too() -> None:
    memory = SiteMemory()
    for number in range(3):
        observe(memory, with_notice(number, END))
    assert NOTICE not in kept(memory, with_notice(9, END, place="div.note"))


def test_a_teaser_beside_other_articles_stays_where_it_is_the_article() -> None:
    memory = SiteMemory()
    lead = paragraphs(9)[0][1]
    for number in range(8):
        observe(memory, [*paragraphs(number), ("p.teaser", lead, UNLIKELY)])
    assert lead in kept(memory, paragraphs(9))


def test_a_paragraph_of_one_story_in_two_articles_stays_in_the_third() -> None:
    memory = SiteMemory()
    for number in range(2):
        observe(memory, with_notice(number, MIDDLE))
    for number in range(2, 30):
        observe(memory, paragraphs(number))
    assert NOTICE in kept(memory, with_notice(99, MIDDLE))
    observe(memory, with_notice(99, MIDDLE))
    assert NOTICE in kept(memory, with_notice(100, MIDDLE)), "three of 31"


@pytest.mark.parametrize(
    ("place", "text"), [("h2.part", NOTICE), ("p.text", "The editor says:"), ("p.text", "小编点评：")]
)
def test_headings_and_labels_inside_recur_and_stay(place: str, text: str) -> None:
    memory = SiteMemory()
    for number in range(9):
        lines = paragraphs(number)
        lines.insert(MIDDLE, (place, text, SURE))
        assert text in kept(memory, lines)
        observe(memory, lines)


@pytest.mark.parametrize("n_own", [1, 3])
def test_the_sites_own_lines_go_where_they_are_more_than_a_short_story(n_own: int) -> None:
    memory = SiteMemory()
    for number in range(5):
        notices: list[Line] = [("p.text", f"{NOTICE} ({k})", SURE) for k in "abcd"]
        observe(memory, [*paragraphs(number), *notices])
    story = paragraphs(99, n_own)
    assert kept(memory, [*story, *notices]) == [text for _, text, _ in story]


def test_links_to_other_stories_go_with_the_label_above_them() -> None:
    memory = SiteMemory()
    for number in range(6):
        link = f"<a href=/{number}>Story {number} of another day is told here</a>"
        lines = [*paragraphs(number, 2), ("h3.more", "More of the same section", SURE), ("p.more", link, SURE)]
        if number >= 2:
            assert len(kept(memory, lines)) == 2
        observe(memory, lines)


def test_a_label_goes_with_any_number() -> None:
    memory = SiteMemory()
    for number in range(6):
        lines = [*paragraphs(number), ("p.seen", f"{number}28 people read this", SURE)]
        assert (lines[-1][1] in kept(memory, lines)) == (number < 5)
        observe(memory, lines)


def test_reports_that_differ_by_their_numbers_are_no_notices() -> None:
    memory = SiteMemory()
    for number in range(6):
        lines = [*paragraphs(number), ("p.text", f"The index closed at 30{number}1.2 points, up 0.{number} %.", SURE)]
        assert kept(memory, lines) == [text for _, text, _ in lines]
        observe(memory, lines)


def test_parts_of_an_article_do_not_lose_what_they_repeat() -> None:
    """Each part begins as the one before it ends; a second harvest finds all of them known."""
    memory = SiteMemory()
    address = f"http://{HOST}/2024/story"
    first = paragraphs(1)
    parts = [first, [first[-1], *paragraphs(2)], [*paragraphs(3), first[0]]]
    for _ in range(3):
        for part, ending in zip(parts, ("", "_2", "_3"), strict=True):
            assert len(kept(memory, part, f"{address}{ending}.html")) == len(part)
            observe(memory, part, f"{address}{ending}.html")
    assert memory.hosts[HOST].n_pages == 1


def test_an_article_fetched_again_reads_the_same() -> None:
    memory = SiteMemory()
    for number in range(4):
        observe(memory, paragraphs(number))
    lines = with_notice(99, MIDDLE)
    lines.insert(2, ("p.text", "So it was.", DOUBTFUL))
    once = kept(memory, lines, f"http://{HOST}/a")
    assert once == [text for _, text, _ in lines]
    observe(memory, lines, f"http://{HOST}/a")
    assert kept(memory, lines, f"http://{HOST}/a") == once


def test_an_article_at_another_address_stays_whole() -> None:
    memory = SiteMemory()
    observe(memory, paragraphs(1), f"http://{HOST}/a")
    assert len(kept(memory, paragraphs(1), f"http://{HOST}/b")) == 6


@pytest.mark.parametrize(
    ("earlier", "n", "own", "is_kept"),
    [
        (NO, 3, LIKELY, False),
        (NO, 9, SURE, True),
        (NO, 1, LIKELY, False),
        (UNLIKELY, 3, SURE, True),
        (LIKELY, 3, LIKELY, True),
        (NO, 0, LIKELY, True),
    ],
    ids=["out everywhere", "sure", "likely against one", "doubtful place", "in", "unknown place"],
)
def test_doubtful_lines_go_by_their_place(earlier: float, n: int, own: float, is_kept: bool) -> None:
    memory = SiteMemory()
    observe(memory, paragraphs(0))
    for number in range(1, n + 1):
        observe(memory, [("p.caption", f"Picture {number} shows this.", earlier), *paragraphs(number)])
    caption = "Picture 99 shows that."
    refined = refine(memory, [("p.caption", caption, own), *paragraphs(99)])
    assert refined.chosen[0] == is_kept
    assert ("articles have no text" in "".join(refined.evidence)) != is_kept
    assert refined.chosen[1:].all()


def test_a_page_of_another_kind_is_left_as_it_is() -> None:
    memory = SiteMemory()
    for number in range(4):
        comments: list[Line] = [("p.comment", f"Reader {number}-{k} says so.", NO) for k in range(4)]
        observe(memory, [*paragraphs(number), *comments])
    lines: list[Line] = [("p.comment", f"Only a paragraph of this class, {k}.", LIKELY) for k in range(5)]
    assert kept(memory, lines) == [text for _, text, _ in lines]


@pytest.mark.parametrize(
    ("n", "own", "is_added"),
    [(3, DOUBTFUL, True), (1, DOUBTFUL, False), (3, UNLIKELY, False)],
    ids=["doubtful", "too few articles", "unlikely"],
)
def test_doubtful_lines_come_in_where_articles_stand(n: int, own: float, is_added: bool) -> None:
    memory = SiteMemory()
    for number in range(n):
        observe(memory, paragraphs(number))
    lines = paragraphs(99)
    lines.insert(MIDDLE, ("p.text", "So it was.", own))
    refined = refine(memory, lines)
    assert refined.chosen[MIDDLE] == is_added
    assert bool(refined.evidence) == is_added


@pytest.mark.parametrize(
    ("at", "text"),
    [(START, "By our correspondent, 3 May 2024."), (END, "Written by a colleague."), (MIDDLE, "— — —")],
    ids=["above", "below", "rule"],
)
def test_neither_bylines_nor_rules_come_in(at: int, text: str) -> None:
    memory = SiteMemory()
    for number in range(4):
        observe(memory, paragraphs(number))
    lines = paragraphs(99)
    lines.insert(at, ("p.text", text, DOUBTFUL))
    assert text not in kept(memory, lines)


def test_cells_of_tables_may_name_the_same_things_again() -> None:
    memory = SiteMemory()
    for number in range(9):
        observe(memory, [*paragraphs(number)[:2], ("td.cell", "Kubernetes", LIKELY), *paragraphs(number)[2:]])
    lines = [*paragraphs(99)[:2], ("td.cell", "Kubernetes", LIKELY), *paragraphs(99)[2:]]
    assert "Kubernetes" in kept(memory, lines)


def test_what_recurs_does_not_come_in() -> None:
    memory = SiteMemory()
    doubtful: Line = ("p.text", NOTICE, DOUBTFUL)
    for number in range(5):
        observe(memory, [*paragraphs(number), doubtful])
    assert NOTICE not in kept(memory, [*paragraphs(99)[:3], doubtful, *paragraphs(99)[3:]])


def test_evidence_says_what_was_changed() -> None:
    memory = SiteMemory()
    for number in range(4):
        observe(memory, [("p.caption", f"Picture {number} shows this.", NO), *with_notice(number, END)])
    lines = [("p.caption", "Picture 99 shows that.", LIKELY), *with_notice(99, END)]
    lines.insert(3, ("p.text", "So it was.", DOUBTFUL))
    assert refine(memory, lines).evidence == (
        "site memory: 1 line recurs on this host's articles",
        "site memory: 1 line stands where this host's articles have no text",
        "site memory: 1 line stands where this host's articles do",
    )
