"""What a crawl learns of its site's addresses, without a crawl."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import blake2b

import pytest

from newscrawl.links.gate import MAX_DEAD_FEEDS, Gate, Limits
from newscrawl.links.model import Link, LinkPosition
from newscrawl.links.rules import Wanted
from newscrawl.sites.model import NewsSite

HOME = "http://example.org/"
SITE = NewsSite(name="example", title="Example", hosts=("example.org",), seeds=(HOME,))
STORY = f"{HOME}2024/03/05/the-river-rises.html"


def gate(wanted: Wanted | None = None, **limits: int) -> Gate:
    return Gate(SITE, wanted or Wanted(), Limits(**limits))


def test_an_address_is_judged_once() -> None:
    opened = gate()
    assert opened.admit(STORY).follow
    assert opened.admit(STORY).rejection == "duplicate"
    assert (
        opened.judge_link(Link(STORY, "The river rises", LinkPosition.IN_BODY), HOME, depth=1).rejection == "duplicate"
    )


@pytest.mark.parametrize(
    ("link", "rejection"),
    [
        (Link("http://other.org/a.html", "Other", LinkPosition.IN_BODY), "offsite"),
        (Link(f"{STORY}/print", "Print", LinkPosition.ELSEWHERE), "pattern"),
        (Link(f"{HOME}2024/02/01/old.html", "Old", LinkPosition.IN_BODY), "before_since"),
    ],
)
def test_links_that_are_not_followed(link: Link, rejection: str) -> None:
    since = Wanted(since=datetime(2024, 3, 1, tzinfo=UTC))
    assert gate(since).judge_link(link, HOME, depth=1).rejection == rejection


def test_a_link_in_the_text_is_asked_for_before_one_beside_it() -> None:
    opened = gate()
    places = (LinkPosition.ELSEWHERE, LinkPosition.ADJACENT, LinkPosition.IN_BODY)
    judged = [opened.judge_link(Link(f"{HOME}{place}/", "x", place), HOME, depth=1).priority for place in places]
    assert judged == sorted(judged)
    assert len(set(judged)) == 3


def test_budgets_of_hosts_and_depth() -> None:
    opened = gate(per_host=2, depth=3)
    assert opened.admit(f"{HOME}deep/", depth=4).rejection == "depth"
    assert opened.admit(f"{HOME}deep/", depth=3).follow, "another page leads there in fewer steps"
    assert [opened.admit(f"{HOME}{name}/").rejection for name in "ab"] == [None, "budget"]


def test_a_seed_that_moved_says_where_the_site_lives() -> None:
    opened = gate()
    assert opened.adopt(HOME, "https://www.moved.org/")
    assert not opened.adopt(HOME, "https://www.moved.org/")
    assert opened.site.covers("https://www.moved.org/a")
    assert not opened.adopt("http://stranger.org/", "http://elsewhere.org/")


def test_hosts_that_live_on_https() -> None:
    opened = gate()
    assert opened.note_answer(HOME, HOME, "https://example.org/", "max-age=600")
    assert opened.site.clean_url(STORY) == STORY.replace("http:", "https:")


def test_parameters_that_canonical_addresses_leave_out() -> None:
    opened = gate()
    stories = [STORY.replace("rises", f"rises-{word}") for word in ("fast", "slowly", "again", "twice")]
    n_new = sum(opened.note_canonical(None, f"{url}?stdz=top", url) for url in stories)
    assert n_new == 1
    assert opened.site.clean_url(f"{STORY}?stdz=top") == STORY
    assert opened.same_page(f"{STORY}?stdz=top") is None, "its plain address is asked for from now on"
    assert opened.same_page(f"{STORY}?stdz=list") == STORY


def test_dead_feeds_of_one_pattern() -> None:
    opened = gate(feeds=100)
    for number in range(MAX_DEAD_FEEDS):
        url = f"{HOME}tags/topic-{chr(97 + number)}/index.xml"
        assert opened.opens_feed(url, is_named=False) == "asked"
        opened.note_feed(url, is_dead=True, is_read=False)
    assert opened.opens_feed(f"{HOME}tags/topic-z/index.xml", is_named=False) == "spared"
    assert opened.opens_feed(f"{HOME}tags/topic-y/index.xml", is_named=True) == "asked"
    assert opened.opens_feed(f"{HOME}tags/topic-y/index.xml", is_named=True) == ""


def test_no_more_sitemaps_than_the_limit() -> None:
    opened = gate(sitemaps=1)
    assert not opened.opens_sitemap("http://files.org/a.xml", is_named=False)
    assert opened.opens_sitemap("http://files.org/a.xml", is_named=True)
    assert not opened.opens_sitemap(f"{HOME}b.xml", is_named=True)


def test_hints_are_taken_once() -> None:
    opened = gate()
    opened.keep_hints(STORY, {"title": "The river"})
    assert opened.take_hints(STORY) == {"title": "The river"}
    assert opened.take_hints(STORY) == {}


@pytest.mark.parametrize("by", ["text", "canonical"])
def test_a_host_that_keeps_its_pages_under_two_addresses_is_asked_for_each_once(by: str) -> None:
    opened = gate()
    pairs = [(f"{HOME}2024/03/the-river-{n}/", f"{HOME}2024/03/the-river-{n}") for n in range(5)]
    for pair in pairs:
        assert [opened.admit(url).follow for url in pair] == [True, True]
    assert opened.same_page(pairs[4][1]) is None
    for first, second in pairs[:3]:
        if by == "canonical":
            opened.note_canonical(None, second, first)
        else:
            opened.note_article(first, "The river", f"It rose at {first}.")
            opened.note_article(second, "The river", f"It rose at {first}.")
    assert opened.same_page(pairs[4][1]) == pairs[4][0]
    assert opened.same_page(pairs[4][0]) is None
    assert opened.same_page(f"{HOME}2024/03/nobody-asked") is None, "a page of one address is asked for as it stands"


@pytest.mark.parametrize("form", ["{}s/{}/news/{}.html", "{}news/{}.html?zx={}", "{}view;tok={}?story={}"])
def test_sessions_that_are_new_in_each_answer_are_asked_for_once(form: str) -> None:
    opened = gate()
    asked: list[str] = []
    queue = [form.format(HOME, *_in_order(form, 0, number)) for number in range(20)]
    while queue and len(asked) < 400:
        url = queue.pop(0)
        if opened.same_page(url):
            continue
        asked.append(url)
        number = int(re.sub(r"(?:zx|tok)=\w+|/s/\w+", "", url).translate(_ONLY_DIGITS))
        opened.note_article(url, f"Story {number}", f"The text of story {number}.")
        for other in range(20):
            link = form.format(HOME, *_in_order(form, len(asked) * 20 + other, other))
            if opened.judge_link(Link(link, f"Story {other}", LinkPosition.ELSEWHERE), url, depth=1).follow:
                queue.append(opened.site.clean_url(link))
    assert len(asked) <= 30, asked


_ONLY_DIGITS = {ord(char): None for char in map(chr, range(128)) if not char.isdigit()}


def _in_order(form: str, drawn: int, number: int) -> tuple[str, str]:
    session = blake2b(str(drawn).encode(), digest_size=8).hexdigest()
    return (str(number), session) if "zx" in form else (session, str(number))


def test_a_list_that_shows_nothing_new_is_followed_no_further() -> None:
    opened = gate()
    for page in range(1, 4):
        links = [
            Link(f"{HOME}list?pg={page + 1}", "more", LinkPosition.ELSEWHERE),
            Link(STORY, "The river", LinkPosition.IN_BODY),
        ]
        opened.note_page(f"{HOME}list?pg={page}", "", links, is_article=False)
    assert opened.judge_link(links[0], f"{HOME}list?pg=3", depth=1).rejection == "list_end"
    assert opened.judge_link(links[0], HOME, depth=1).follow, "another page may lead there"
