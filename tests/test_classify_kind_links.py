from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from newscrawl.classify.kind.features import FEATURES, page_features
from newscrawl.classify.kind.judge import page_kind
from newscrawl.classify.kind.links import LINK_FEATURES, LIST_FEATURES, link_values, list_values, named_links
from newscrawl.classify.lines.model import judge_lines
from newscrawl.items import PageType
from newscrawl.page.document import Document
from newscrawl.page.statements import gather
from newscrawl.read.worker import page_alarm
from tests.page_strategies import PAGES

URL = "http://example.org/lamps/desk"


def links(*hrefs: str, url: str | None = URL) -> dict[str, float]:
    items = "".join(f"<li><a href='{href}'>The name of entry {n}</a></li>" for n, href in enumerate(hrefs))
    document = Document.from_html(f"<body><ul>{items}</ul>", url)
    body = document.once(judge_lines)
    found = link_values(named_links(document), int(body.features.is_links.sum()), url, document.once(gather))
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
    document = Document.from_html(html, URL)
    values = page_features(document, document.once(judge_lines))
    assert values.shape == (len(FEATURES),)
    assert bool((abs(values) < 1e6).all())


def test_addresses_without_end_take_no_time_without_end() -> None:
    links = "".join(
        f"<p><a href='{'/news/' * (60_000 + n)}'>A headline that is long enough for it</a></p>" for n in range(20)
    )
    document = Document.from_html(f"<title>News</title><body>{links}</body>", "https://e.org/x")
    with page_alarm(20):
        assert page_kind(document, document.once(judge_lines), url_kind="hub").page_type is PageType.HUB


ITEM = """<div class=item><h2><a href=/2024/05/{n}/>Council votes on flood wall number {n}</a></h2>
<p>May {n}, 2024</p><p>The wall is two metres high, and it was asked for by all beside the river.</p>{more}</div>"""
MENU = "".join(f"<li><a href=/s/{n}>Section {n}</a>" for n in range(20))


def list_of(html: str, url: str = URL) -> dict[str, float]:
    document = Document.from_html(html, url)
    body = document.once(judge_lines)
    dated = document.once(gather).lines.years(40)
    return dict(zip(LIST_FEATURES, list_values(body, named_links(document), dated), strict=True))


def stories(n: int, more: str = "") -> str:
    return (
        "<title>News</title><body><ul>" + MENU + "</ul>" + "".join(ITEM.format(n=k, more=more) for k in range(1, n + 1))
    )


def test_the_main_list_is_that_of_the_longest_titles_with_what_stands_beside_each() -> None:
    found = list_of(stories(6))
    assert found["records"] == pytest.approx(np.log1p(6))
    assert found["title_heading"] == found["record_summary"] == found["record_year"] == 1.0
    assert found["record_image"] == found["record_price"] == found["record_foreign"] == 0.0
    assert found["record_one_link"] == 1.0
    assert found["record_lines"] == pytest.approx(np.log1p(3))
    assert found["record_story"] == pytest.approx(6 / 7)


def test_records_have_pictures_and_prices_of_their_own() -> None:
    found = list_of(stories(5, more="<img src=/x.jpg><span>€ 19.95</span>"))
    assert found["record_image"] == found["record_price"] == 1.0
    assert found["record_images"] == found["record_prices"] == 0.0


def test_flat_records_go_on_to_the_next() -> None:
    flat = "".join(
        f"<dt><a href=/lamps/{n}>The long name of lamp {n}</a></dt><dd>€ {n}5.00</dd><dd><img src=/{n}.png></dd>"
        for n in range(1, 6)
    )
    found = list_of(f"<title>Lamps</title><body><dl>{flat}</dl>")
    assert found["records"] == pytest.approx(np.log1p(5))
    assert found["record_price"] == pytest.approx(4 / 5)  # nothing says where the last one ends


def test_a_page_without_a_list_has_all_its_text_outside() -> None:
    found = list_of("<title>Rain</title><body><h1>Rain</h1><p>" + "It rained all day, and all night, too. " * 20)
    assert found["records"] == 0.0
    assert found["own_outside"] > 5
    assert found["outside_share"] > 0.9
