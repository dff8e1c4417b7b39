"""The hub reader on list pages written by hand: which links are stories, and what the list shows of each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.lists.read import read_hub, read_stories
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from newscrawl.extract.lists.read import HubReading

BASE = "https://news.example.org"
FETCHED = datetime(2024, 5, 20, 12, 0, tzinfo=UTC)

NAVIGATION = """<header><nav><ul>
<li><a href="/politics/">Politics and society</a></li><li><a href="/business/">Business and economy</a></li>
<li><a href="/science/">Science and technology</a></li><li><a href="/about-us/">About our newsroom</a></li></ul></nav>
</header>"""
CLOUD = "".join(
    f'<a href="/tag/{name}/">{name}</a> ' for name in ("parliament", "harbour-bridges", "river-ferries", "weather")
)
FOOTER = """<footer><ul><li><a href="/privacy-policy/">Privacy policy and cookies</a></li>
<li><a href="/terms/">Terms and conditions of use</a></li><li><a href="/contact/">Contact the editors</a></li></ul>
<p>© 2024 The Example Herald. All rights reserved, everywhere and always.</p></footer>"""
TITLES = (
    "Ferry across the lower river runs again after the flood",
    "Council votes to keep the old market hall",
    "Why the night trains are always late in spring",
    "A bakery that has not closed its doors for ninety years",
    "School choir wins the prize of the coastal towns",
)
ZH_TITLES = (
    "渡口的老船夫退休了",
    "旧城区的菜市场将重新开放",
    "今年春天的雨水比往年多",
    "一家面馆开了九十年",
    "合唱团在海边演出",
)


def read(body: str, url: str = f"{BASE}/local/") -> HubReading:
    return read_hub(Document.from_html(f"<html lang=en><body>{body}</body></html>", url), url, fetched_at=FETCHED)


def slug(number: int) -> str:
    return f"/2024/05/{TITLES[number].lower().replace(' ', '-')}"


def card(number: int) -> str:
    return f"""<article class="card post-{number}"><a href="{slug(number)}"><img src="/pictures/{number}.jpg"></a>
<h3><a href="{slug(number)}">{TITLES[number]}</a></h3><a href="/culture/">Culture</a>
<time datetime="2024-05-1{number}T08:30:00+02:00">1{number} May</time>
<p>What happened on the quay that morning, told by those who were there. <a href="{slug(number)}">Read more</a></p>
</article>"""


def test_cards_are_records_and_what_stands_around_them_is_not() -> None:
    cards = "".join(map(card, range(5)))
    box = "".join(f'<li><a href="/2023/01/an-older-story-number-{n}">An older story number {n}</a></li>' for n in "123")
    pager = '<div><a href="/local/">1</a> <a href="/local/?page=2">2</a> <a href="/local/?page=2">Next</a></div>'
    found = read(f"{NAVIGATION}<main>{cards}{pager}</main><div><h4>Most read</h4><ol>{box}</ol>{CLOUD}</div>{FOOTER}")
    assert [record.title for record in found.records] == list(TITLES)
    first = found.records[0]
    assert (first.place, first.group) == (1, 1)
    assert first.url == BASE + slug(0)
    assert first.date == "2024-05-10T08:30:00+02:00"
    assert first.image == f"{BASE}/pictures/0.jpg"
    assert first.section == "Culture"
    assert first.summary == "What happened on the quay that morning, told by those who were there."
    assert found.next_page == f"{BASE}/local/?page=2"


def test_a_chinese_list_with_days_beside_the_titles() -> None:
    menu = "".join(f'<li><a href="/{name}/">{text}</a></li>' for name, text in (("gn", "国内"), ("gj", "国际新闻")))
    items = "".join(
        f'<li><span>2024-05-1{n}</span><a href="/c/2024051{n}/{n}00017.shtml">{title}</a></li>'
        for n, title in enumerate(ZH_TITLES)
    )
    found = read(f'<ul>{menu}</ul><div class="list"><ul>{items}</ul></div><div>版权所有 新闻网</div>')
    assert [record.title for record in found.records] == list(ZH_TITLES)
    assert [record.date for record in found.records] == [f"2024-05-1{n}" for n in range(5)]


def test_a_table() -> None:
    rows = "".join(
        f'<tr class="row{n % 2}"><td>{n}</td><td><a href="{slug(n)}">{TITLES[n]}</a></td><td>1{n}.05.2024</td></tr>'
        for n in range(5)
    )
    found = read(f"{NAVIGATION}<table><tr><th>No</th><th>Title</th><th>Day</th></tr>{rows}</table>{FOOTER}")
    assert [(record.title, record.date) for record in found.records] == [
        (title, f"2024-05-1{n}") for n, title in enumerate(TITLES)
    ]


def test_lists_within_lists() -> None:
    days = "".join(
        f"<section><h2>Page {day}</h2><ul>"
        + "".join(f'<li><div><a href="{slug(n)}-{day}">{TITLES[n]} {day}</a></div></li>' for n in range(3))
        + "</ul></section>"
        for day in ("one", "two")
    )
    found = read(f"{NAVIGATION}<div>{days}</div>{FOOTER}")
    assert len(found.records) == 6
    assert {record.group for record in found.records} == {1}


def test_stories_without_an_element_of_their_own() -> None:
    flat = "".join(
        f'<h3><a href="{slug(n)}">{TITLES[n]}</a></h3><div>{n + 1} May 2024</div>'
        f"<p>A sentence that tells story {n} in so many words, and then another one.</p>"
        for n in range(4)
    )
    found = read(f"<div>{flat}</div>")
    assert [record.date for record in found.records] == [f"2024-05-0{n + 1}" for n in range(4)]
    assert all(f"story {n} in" in (record.summary or "") for n, record in enumerate(found.records))


def test_a_card_that_is_one_link() -> None:
    cards = "".join(
        f'<a href="{slug(n)}"><div>{n + 2} May 2024</div><h4>{TITLES[n]}</h4><p>Some words of it, cut in the …</p></a>'
        for n in range(4)
    )
    found = read(f"<div>{cards}</div>")
    assert [record.title for record in found.records] == list(TITLES[:4])
    assert [record.date for record in found.records] == [f"2024-05-0{n + 2}" for n in range(4)]


@pytest.mark.parametrize(("picture", "n"), [('<img src="/p.jpg">', 4), ("", 0)])
def test_cards_in_one_line_are_links_with_pictures(picture: str, n: int) -> None:
    """Styles set each on a line of its own; words without pictures in a row of links are labels."""
    found = read("<div>" + "".join(f'<a href="{slug(n)}">{picture}<b>{TITLES[n]}</b></a>' for n in range(4)) + "</div>")
    assert [record.title for record in found.records] == list(TITLES[:n])


def test_headings_name_what_links_only_call_read_more() -> None:
    items = "".join(
        f"<div><h3>{TITLES[n]}</h3><p>The story goes on for a while here, as stories do, and then it stops.</p>"
        f'<a href="{slug(n)}">Read the full story</a></div>'
        for n in range(4)
    )
    assert [record.title for record in read(f"<div>{items}</div>").records] == list(TITLES[:4])


def test_a_heading_names_what_another_link_says_more_of() -> None:
    items = "".join(
        f"""<div class="teaser"><h2><a href="/node/{number}">{title}</a></h2>
        <p>What happened on the quay that morning, told by those who were there.</p>
        <ul><li><a href="/node/{number}">Read more<span> about {title}</span></a></li></ul></div>"""
        for number, title in enumerate(TITLES)
    )
    assert tuple(record.title for record in read(f"{NAVIGATION}<main>{items}</main>{FOOTER}").records) == TITLES


def test_one_story_is_a_list_where_it_is_dated() -> None:
    found = read(f"{NAVIGATION}<div>{card(2)}</div>{FOOTER}", f"{BASE}/tag/trains/")
    assert [record.title for record in found.records] == [TITLES[2]]


def test_relative_dates_are_read_against_the_fetch() -> None:
    items = "".join(f'<li><a href="{slug(n)}">{TITLES[n]}</a> <span>{n + 1} hours ago</span></li>' for n in range(4))
    dates = [record.date for record in read(f"<ul>{items}</ul>").records]
    assert dates[0] == "2024-05-20T11:00:00+00:00"


def test_links_to_other_sites_and_within_the_page_are_no_stories() -> None:
    other = "".join(f'<li><a href="https://other.test{slug(n)}">{TITLES[n]}</a></li>' for n in range(4))
    own = "".join(f'<li><a href="#{slug(n)}">{TITLES[n]}</a></li>' for n in range(4))
    assert read(f"<ul>{other}</ul><ol>{own}</ol>").records == ()


@pytest.mark.parametrize("body", ["", "<p>No link at all.</p>", NAVIGATION + FOOTER, f"<div>{CLOUD}</div>"])
def test_a_page_without_a_list(body: str) -> None:
    found = read(body)
    assert (found.records, found.next_page) == ((), None)


LINES = "".join(f'<li><a href="{slug(n)}">{TITLES[n]}</a></li>' for n in range(4))
HEADINGS = "".join(f'<h3><a href="{slug(n)}">{TITLES[n]}</a></h3><p>They met on the quay again.</p>' for n in range(4))
POST = "<p>What happened on the quay that morning, told by those who were there and by those who came later.</p>" * 3


@pytest.mark.parametrize(
    ("body", "announces"),
    [
        (f'<div><h2><a href="/local/river/">{{}}</a></h2><ul>{LINES}</ul></div>', False),
        (f'<ul>{LINES}</ul><div><div><h3><a href="/local/river/">{{}}</a></h3></div><ul>{LINES}</ul></div>', False),
        (f'<section><h2><a href="/local/river/">{{}}</a></h2><div>{HEADINGS}</div></section>', False),
        (f'<div><h2><a href="/local/river/">{{}}</a></h2>{POST}</div><ul>{LINES}</ul>', True),
        (f'<div><h3><a href="/local/river/">{{}}</a></h3><p>A summary.</p>{HEADINGS}</div>', True),
        (f'<div><h3>{{}}</h3><a href="/local/river/">{{}}</a>{HEADINGS}</div>', False),
    ],
    ids=["box of links", "box within boxes", "headings below", "a whole post", "first of a list", "no heading"],
)
@pytest.mark.parametrize("name", ["News of the river and its towns", "沿河两岸城镇新闻报道", "Новости реки и берегов"])
def test_a_heading_announces_a_story_but_not_the_channel_above_its_box(body: str, name: str, announces: bool) -> None:
    document = Document.from_html(f"<html><body>{body.replace('{}', name)}</body></html>", f"{BASE}/")
    assert (f"{BASE}/local/river/" in read_stories(document, f"{BASE}/", FETCHED)[1]) is announces


def test_links_in_sentences_are_no_list() -> None:
    prose = "".join(
        f"<p>On the first day the council met again, and it was <a href='{slug(n)}'>{TITLES[n]}</a> that they spoke "
        "of until late in the evening, when the lights along the harbour went out one after another.</p>"
        for n in range(5)
    )
    assert read(f"<article><h1>What the council did in May</h1>{prose}</article>").records == ()


def test_a_page_without_an_address_gives_its_absolute_links() -> None:
    items = "".join(f'<li><a href="{BASE}{slug(n)}">{TITLES[n]}</a></li>' for n in range(4))
    found = read_hub(Document.from_html(f"<ul>{items}</ul>"), None, fetched_at=FETCHED)
    assert [record.url for record in found.records] == [BASE + slug(n) for n in range(4)]


ITEMS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 9), st.sampled_from(("li", "div", "p", "tr", "h2", "dd", "nav"))),
    max_size=25,
)


@given(ITEMS, st.sampled_from(("", "</div>", "<table>", "<a href='/x'>")))
def test_laws_of_records(items: list[tuple[int, int, str]], noise: str) -> None:
    """Records stand in the page's order, and each address is one of its links, once."""
    parts = [f'<{tag}><a href="{slug(n)}-{m}">{TITLES[n]} {m}</a>{noise}</{tag}>' for n, m, tag in items]
    document = Document.from_html(f"<body><div>{''.join(parts)}</div>", f"{BASE}/")
    found = read_hub(document, f"{BASE}/", fetched_at=FETCHED)
    assert document.root is not None
    hrefs = [BASE + (link.get("href") or "") for link in document.root.iter("a")]
    urls = [record.url for record in found.records]
    assert set(urls) <= set(hrefs)
    assert len(urls) == len(set(urls))
    assert [record.place for record in found.records] == list(range(1, len(urls) + 1))
    positions = [[place for place, href in enumerate(hrefs) if href == url] for url in urls]
    last = -1
    for places in positions:
        last = next((place for place in places if place > last), -2)
        assert last >= 0
