from __future__ import annotations

import pytest
from hypothesis import given

from newscrawl.blocks.body import find_body
from newscrawl.dom.document import Document
from newscrawl.items import PageType
from newscrawl.metadata.gather import gather
from newscrawl.page_type.features import FEATURES, page_features
from newscrawl.page_type.judge import judge
from newscrawl.page_type.links import LINK_FEATURES, link_values
from newscrawl.readers.alarm import page_alarm
from tests.page_strategies import PAGES

URL = "http://example.org/lamps/desk"


def links(*hrefs: str, url: str | None = URL) -> dict[str, float]:
    items = "".join(f"<li><a href='{href}'>The name of entry {n}</a></li>" for n, href in enumerate(hrefs))
    document = Document.from_html(f"<body><ul>{items}</ul>", url)
    found = link_values(document, document.once(find_body), document.once(gather))
    return dict(zip(LINK_FEATURES, found, strict=True))


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("/threads/wobbly-lamp.17/", "to_thread_share"),
        ("/viewtopic.php?f=2&t=17", "to_thread_share"),
        ("/products/lamp-17", "to_product_share"),
        ("/2014/03/flood", "to_story_share"),
        ("/news/flood-wall-17.html", "to_story_share"),
        ("/category/lamps/", "to_list_share"),
        ("/lamps/desk/17", "to_child"),
        ("/lamps/floor", "to_sibling"),
        ("http://other.example.com/17", "to_foreign"),
    ],
)
def test_the_address_of_a_link_tells_what_it_leads_to(href: str, name: str) -> None:
    assert links(href)[name] == pytest.approx(1 / 4)
    assert links("/x")[name] == 0.0


def test_links_of_one_shape_are_alike() -> None:
    assert links("/a/1", "/a/2", "/a/3", "/b/1/2")["to_alike_share"] == pytest.approx(3 / 7)


def test_the_same_address_counts_once_and_scripts_not_at_all() -> None:
    assert links("/a/1", "/a/1", "javascript:void(0)", "#top")["named_share"] == links("/a/1")["named_share"] * 4 / 7


@given(PAGES)
def test_any_page_has_numbers(html: str) -> None:
    values = page_features(Document.from_html(html, URL))
    assert values.shape == (len(FEATURES),)
    assert bool((abs(values) < 1e6).all())


def test_addresses_without_end_take_no_time_without_end() -> None:
    links = "".join(
        f"<p><a href='{'/news/' * (60_000 + n)}'>A headline that is long enough for it</a></p>" for n in range(20)
    )
    document = Document.from_html(f"<title>News</title><body>{links}</body>", "https://e.org/x")
    with page_alarm(20):
        assert judge(document, url_kind="hub").page_type is PageType.HUB
