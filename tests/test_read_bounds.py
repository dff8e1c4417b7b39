"""No page costs more than its length is worth: attributes, endless tags, patterns, white space, folded letters."""

from __future__ import annotations

import time

import pytest

from newscrawl.classify.kind.features import _BUTTONS
from newscrawl.links.feed import MAX_ENTRIES, parse_feed
from newscrawl.links.sitemap import parse_sitemap
from newscrawl.page.document import MAX_ATTRIBUTES, without_endless_tags
from newscrawl.read.model import Wants
from tests.reading import read

URL = "https://example.com/2026/11/22/story.html"
TEXT = "".join(
    f"<p>Paragraph {i} tells the reader more of what happened, and of those who saw it.</p>" for i in range(9)
)
EVERYTHING = Wants(formats=("markdown", "html"), blocks=True, contexts=True, lines=True, any_type=True)
SECONDS = 5.0
"""Processor time that no page may need."""


def attributes(form: str, n: int = 80_000) -> str:
    return f"<div {' '.join(form.format(i) for i in range(n))}>{TEXT}</div>"


PAGES = {
    "attributes": attributes('a{}="1"'),
    "attributes without values": attributes("a{}"),
    "attributes without quotes": attributes("a{}=1"),
    "attributes that a slash ends": f"<div {'/'.join(f'a{i}' for i in range(80_000))}>{TEXT}</div>",
    "attributes of a tag that never ends": TEXT + "<div " + " ".join(f"a{i}=1" for i in range(80_000)),
    "attributes of two tags": attributes("a{}=1", 40_000) + attributes("b{}=1", 40_000),
    "tags that never end": "<div>" * 3_000 + "<a" * 30_000 + TEXT,
    "tags never closed": "<div>" * 3_000 + "<a>" * 30_000 + TEXT,
    "comments never closed": "<div>" * 3_000 + TEXT + "<!-- " * 30_000,
    "scripts never closed": "<div>" * 3_000 + TEXT + "<script> " * 30_000,
    "JSON-LD comments": '<script type="application/ld+json">{"@type":"NewsArticle","headline":'
    + "/*1" * 70_000
    + f"</script>{TEXT}",
    "letters that fold to 18": "<p>" + "\ufdfa" * 100 + "</p>" + ("<p>" + "\ufdfa" * 100 + "</p>") * 5_000 + TEXT,
    "digits": f"<p>{'1' * 200_000}</p>{TEXT}",
    "srcset": f"{TEXT}<figure><img src='a.jpg' srcset='{',' * 200_000}'></figure>",
    "pictures, each deeper than the one before": TEXT
    + "".join(f"<div class='a'><a href='/{i}'><img src='/{i}.jpg' width=300>" for i in range(4_500)),
    "a name without end": f"<meta name='{'issue' * 10_000}' content='2024-03-05'>{TEXT}",
    "links of one heading": TEXT + "<h2>" + "<b><a href='/1'></a></b>" * 20_000 + "<b><a href='/1'>one</a></b></h2>",
    "buttons, each deeper than the one before": TEXT + "<div><button>More</button><br>" * 2_000,
    "code in code": TEXT + "<pre>code <b>of</b> " * 1_800 + "</pre> code" * 1_800,
    "comments, each deeper than the one before": TEXT
    + "<div id=comments><h3>Comments</h3>"
    + "<div class=comment><b>Anna</b><i>12 May 2024</i><p>I like it.</p>" * 1_500,
    "noscript in noscript": "<noscript>some <b>words</b> " * 6_000,
    "linked headlines of boxes deep between paragraphs": TEXT
    + "<div>" * 250
    + "".join(f"<div class='b{i}'><a href='/{i}'>A headline of some length</a><br></div>" for i in range(2_000))
    + "</div>" * 250
    + "".join(f"<p>Later, part {i} of what the council said went on, and people left the hall.</p>" for i in range(12)),
    "a logo whose address has a host of points": TEXT
    + f"<h1><a href='http://{'example.' * 25_000}/a/b'>Example</a></h1>",
    "names without capitals elsewhere": TEXT * 200
    + "".join(f"<h2>Notes</h2><p class=author>By Anna{i % 99}x Blom{i}</p>" for i in range(2_500)),
    "an author's element of dashes": f"<div class=byline>By {'-' * 200_000}</div>{TEXT}",
    "an author's link that is never closed": f"{TEXT}<a href='/authors/anna-blom'>" + "<p>word by word</p> " * 12_000,
    "a base of more folders than any site has": f"<base href='http://example.com/{'a/' * 20_000}'>"
    + "".join(f"<a href='../x{i}'>Story {i}</a> <a href='a b{i}'>Story {i}</a>" for i in range(9_000))
    + TEXT,
    "copies of one paragraph": f"<p>{'The council met and spoke about the road. ' * 2}</p>" * 12_000,
    "copies in boxes of their own": "".join(
        f"<div class=c{i % 7}><p>{'The council met and spoke about the road. ' * 2}</p></div>" for i in range(7_000)
    ),
    "ways in ways": "<nav class=breadcrumb><a href='/x'>Town news " * 4_000 + TEXT,
    "words of one block, each again and again": TEXT + "<div>" + "bridge<br>river<br>council<br>" * 20_000,
    "lines of a letter": TEXT + "<p>x" * 220_000,
    "links with numbers that name no page": TEXT
    + "".join(f"<a href='?a={i}&b={i % 7}'>x{i}</a>" for i in range(30_000)),
    "lines that are cut": "".join(
        f"<p>The council met and spoke of road {i} and of {'x' * (i % 99)} …" for i in range(9_000)
    ),
    "joiners between marks": "<p>a" + "\u0301\u200d\u0316\u034f" * 90_000 + TEXT,
    "hidden texts beside what opens them": "".join(
        f"<label for=r{i}>More</label><div style='display:none'>The council met and spoke of road {i} that day.</div>"
        for i in range(9_000)
    ),
    "marks in a host": TEXT + "<a href='http://a" + "\u0301\u0316" * 90_000 + ".com/'>x</a>",
    "srcset of odd widths": f"{TEXT}<figure><img src='a.jpg' srcset='a.jpg 1.2.3w, b.jpg .w, c.jpg 2x'></figure>",
}


@pytest.mark.parametrize("name", PAGES)
def test_page_costs_no_more_than_its_length_is_worth(name: str) -> None:
    page = f"<html><head><title>A story</title></head><body><h1>A story of the day</h1>{PAGES[name]}</body></html>"
    before = time.process_time()
    reading = read(page.encode(), URL, wants=EVERYTHING)
    assert time.process_time() - before < SECONDS
    assert reading.url == URL


def test_digits_are_looked_at_once() -> None:
    before = time.process_time()
    assert [len(pattern.findall("1" * 50_000)) for pattern in _BUTTONS.values()] == [0] * len(_BUTTONS)
    assert time.process_time() - before < SECONDS


def test_attributes_are_cut_and_the_text_is_kept() -> None:
    reading = read(f"<html><body><h1>A story of the day</h1>{PAGES['attributes']}</body></html>".encode(), URL)
    assert reading.article is not None
    assert "Paragraph 8 tells" in reading.article.articleBody


def test_few_attributes_and_scripts_stay_as_they_are() -> None:
    few = attributes("a{}='" + "x" * 50 + "'", MAX_ATTRIBUTES - 1).encode()
    script = b"<script>" + b"if (i <a) { b = 1 } " * 2_000 + b"</script><p>text</p>"
    assert without_endless_tags(few) == few
    assert without_endless_tags(script) == script


@pytest.mark.parametrize("blank", ["\n" * 300_000, " \n" * 100_000])
def test_feed_behind_white_space(blank: str) -> None:
    feed = f"{blank}<rss version='2.0'><channel>{blank}<item><link>http://example.com/1</link></item></channel></rss>"
    before = time.process_time()
    assert [entry.url for entry in parse_feed(feed.encode(), "http://example.com/feed")] == ["http://example.com/1"]
    assert time.process_time() - before < SECONDS


def test_feed_of_more_entries_than_are_read() -> None:
    entries = "".join(f"<item><link>http://example.com/{i}</link></item>" for i in range(60_000))
    before = time.process_time()
    found = list(parse_feed(f"<rss><channel>{entries}</channel></rss>".encode(), "http://example.com/feed"))
    assert len(found) == MAX_ENTRIES
    assert time.process_time() - before < SECONDS


#: Found by ``tests/fuzz.py`` and made small: each raised, or took more than two seconds.
FUZZED = {
    "a reference to no character": b"<p>&#x110000;&#99999999999;</p>",
    "a reference to half a character": b"<p>&#xD800;&#0057343;</p>",
    "tags of a page": b"<html>" + b"<b>" * 130_000,
    "attributes of a feed": b"<rss " + b" ".join(b"a%d='1'" % i for i in range(40_000)) + b">",
    "attributes with brackets": b"<rss " + b" ".join(b'a%d=">"' % i for i in range(30_000)) + b">",
    "attributes without values": b"<rss " + b" ".join(b"a%d" % i for i in range(40_000)) + b">",
    "tags of many attributes": (b"<rss " + b" ".join(b"a%d=1" % i for i in range(90)) + b">") * 300,
    "tags that others begin in": b"<html>" + b"\n\t\t<script" * 20_000,
}


@pytest.mark.parametrize("name", FUZZED)
def test_page_that_is_no_feed_or_sitemap(name: str) -> None:
    before = time.process_time()
    assert list(parse_feed(FUZZED[name], "http://example.com/feed")) == []
    assert list(parse_sitemap(FUZZED[name], "http://example.com/map.xml")) == []
    assert time.process_time() - before < SECONDS


def test_impossible_references_cost_a_feed_nothing_else() -> None:
    item = "<item><title>A&#xD800;B &#8217; &#x1F600;</title><link>http://example.com/1</link></item>"
    (entry,) = parse_feed(f"<rss><channel>{item}</channel></rss>".encode(), "http://example.com/feed")
    assert entry.title == "A\ufffdB \u2019 \U0001f600"
