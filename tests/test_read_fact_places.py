"""Where pages show their facts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from lxml import html

from newscrawl.extract.facts.extract import date_context, extract_metadata
from newscrawl.page.document import Document
from newscrawl.read.fact_places import fact_places, selector_of
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import reader_for
from newscrawl.sites.memory.site import ASKED_EVERY, ASKED_PAGES, HostMemory, SiteMemory
from newscrawl.sites.rules import SiteRules, matches, rule_mistakes
from tests.records import chinese

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.read.model import Reading

FETCHED_AT = datetime(2024, 6, 1, tzinfo=UTC)
HOST = "news.example"
TEXT = "".join(
    f"<p>Paragraph {n} says that the old bridge was opened again, and that many came to see it.</p>" for n in "123"
)
HEAD = (
    "<title>The old bridge is open again - News</title>"
    "<body><div class=menu><a href=/>Home</a></div><h1 class='title t17'>The old bridge is open again</h1>"
)
BYLINE = "<p class=byline>By <a class=who href=/a>Ann Archer</a></p>"
STAMP = "<div><span class='when small'>5 March 2024, 10:20</span></div>"


def places(markup: str, known: Mapping[str, tuple[str, ...]] | None = None) -> dict[tuple[str, str], bool]:
    document = Document.from_html(f"<html lang=en>{markup}", f"https://{HOST}/a.html")
    article = extract_metadata(document, fetched_at=FETCHED_AT)
    context = date_context(document, FETCHED_AT, None, article.inLanguage)
    return {
        (field, selector): agrees for field, selector, agrees in fact_places(document, article, context, known or {})
    }


def test_the_innermost_named_elements_are_the_places() -> None:
    assert places(HEAD + BYLINE + STAMP + TEXT) == {
        ("headline", "h1.title"): True,
        ("authors", "a.who"): True,
        ("date_published", "span.when.small"): True,
    }


def test_what_shows_more_than_the_fact_is_no_place() -> None:
    others = "<div class=also>" + "".join(f"<a class=who href=/{n}>Bob Barker</a>" for n in "12") + "</div>"
    found = places(HEAD + BYLINE + STAMP + TEXT + others)
    assert ("authors", "a.who") not in found, "a rule would take all of them"


def test_a_known_place_is_asked_whether_it_agrees() -> None:
    known = {"headline": ("h2.old", "div.menu", "h1.title"), "authors": ("p.byline", "a.who")}
    found = places(HEAD + BYLINE + TEXT, known)
    assert found["headline", "div.menu"] is False
    assert found["headline", "h1.title"] is True
    assert found["authors", "p.byline"] is True
    assert ("headline", "h2.old") not in found, "the page has no such element"
    assert ("authors", "a.who") not in found, "an earlier place agreed"


def test_a_time_counts_by_what_it_states_for_machines() -> None:
    stamp = "<time datetime='2024-03-05T10:20:31Z'>some weeks ago</time>"
    assert places(HEAD + stamp + TEXT)["date_published", "time"] is True


def test_what_is_long_is_no_place_also_where_it_is_hidden() -> None:
    hidden = f"<span hidden>{'and a lot more ' * 20}</span>"
    found = places(HEAD + f"<p class=byline>By Ann Archer{hidden}</p>" + TEXT, {"authors": ("p.byline", "body")})
    assert found["authors", "p.byline"] is False
    assert found["authors", "body"] is False


def test_a_page_without_facts_or_elements_has_no_places() -> None:
    assert places("") == {}
    assert places("<p>Nothing.</p>", {"authors": ("no selector of ours >",)}) == {}


@pytest.mark.parametrize(
    ("markup", "selector"),
    [
        ("<p class='a b2 c d e'>", "p.a.c.d"),
        ("<p class='a b c d'>", "p.a.b.c"),
        ("<p id=when>", "p#when"),
        ("<h1 id=the-bridge-is-open>", None),
        ("<span itemprop=author class=x1>", 'span[itemprop="author"]'),
        ("<a rel=author>", 'a[rel="author"]'),
        ("<time>", "time"),
        ("<span class='1 2'>", None),
        (f"<span class={'a' * 51}>", None),
        (f"<span rel={'a' * 51}>", None),
        ("<x-y class=a>", None),
    ],
)
def test_names_without_digits_make_a_selector(markup: str, selector: str | None) -> None:
    element = html.fragment_fromstring(markup)
    assert selector_of(element) == selector
    if selector is not None:
        assert rule_mistakes({"headline": selector}) == []
        assert matches(selector, html.document_fromstring(f"<body>{markup}"))


def read(number: int, memory: SiteMemory, *, rules: SiteRules | None = None, shape: str = "title") -> Reading:
    markup = f"<title>{chinese(number, 12)}</title><body><h1 class={shape}>{chinese(number, 12)}</h1>" + "".join(
        f"<p>{chinese(10 * number + place, 200)}</p>" for place in range(4)
    )
    page = RawPage(
        markup.encode(), f"https://{HOST}/2024/05/0{number}/story.html", FETCHED_AT, places=memory.places_to_ask(HOST)
    )
    if rules is not None:
        page = page._replace(site=page.site._replace(rules=rules))
    return reader_for(Wants(lines=True)).read(page)


def test_a_harvest_learns_the_places() -> None:
    memory = SiteMemory()
    for number in range(1, 4):
        reading = read(number, memory)
        assert reading.lines is not None
        memory.observe(HOST, *reading.lines)
    [(selector, support)] = memory.hosts[HOST].facts.best("headline")
    assert (selector, support.n_agreed, support.n_found, support.day) == ("h1.title", 3, 3, "2024-06-01")
    assert memory.news[HOST].facts == memory.hosts[HOST].facts


def test_of_a_well_known_host_one_article_of_several_is_asked() -> None:
    memory = SiteMemory()
    memory.hosts[HOST] = HostMemory()
    asked = []
    for memory.hosts[HOST].n_pages in range(2 * ASKED_PAGES):
        asked.append(memory.places_to_ask(HOST) is not None)
    assert all(asked[:ASKED_PAGES])
    assert sum(asked[ASKED_PAGES:]) == ASKED_PAGES // ASKED_EVERY
    reading = read(1, memory)
    assert reading.lines is not None
    assert reading.lines.facts == ()


def test_what_a_rule_found_teaches_nothing() -> None:
    reading = read(1, SiteMemory(), rules=SiteRules(headline=("h1",)))
    assert reading.lines is not None
    assert reading.lines.facts == ()
