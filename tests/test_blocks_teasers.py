"""Announcements of other pages are told from a page's own text."""

from newscrawl.blocks.body import find_body
from newscrawl.blocks.teasers import find_teasers
from newscrawl.dom.document import Document

LEAD = "The council met on Tuesday to talk about the bridge, which has been closed since the spring..."


def n_items(body: str) -> int:
    document = Document.from_html(f"<html><body>{body}</body></html>", url="http://example.org/day.php?d=7")
    return find_teasers(document, document.once(find_body)).n_items


def test_one_announcement_whose_link_is_repeated_below() -> None:
    link = '<a href="/news.php?id=7">{}</a>'
    bold = (
        f"<table><tr><td><b>{link.format('The bridge will be repaired')}</b><br>{LEAD} {link.format('more')}</td></tr>"
    )
    assert n_items(bold + "</table>") == 1


def test_announcements_with_their_dates_before_the_links() -> None:
    item = '<p>14.03.2024 18:56 <a href="/news/{0}/"><b>The bridge in valley {0} will be repaired</b></a><br>{1}</p>'
    items = "".join(item.format(number, LEAD) for number in range(4))
    assert n_items(f"<h1>News</h1>{items}") == 4


def test_one_box_in_an_article_is_none() -> None:
    box = '<p><a href="/news.php?id=7">The bridge will be repaired</a></p>'
    assert n_items(f"<h1>The birds</h1><p>{LEAD}</p>{box}<p>{LEAD}</p>") == 0
