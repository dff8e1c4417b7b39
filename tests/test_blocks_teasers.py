"""Announcements of other pages are told from a page's own text."""

from newscrawl.blocks.body import find_body
from newscrawl.blocks.teasers import find_teasers
from newscrawl.dom.document import Document

HUB = "http://example.org/city/"
LEAD = "The council met on Tuesday to talk about the bridge, which has been closed since the spring..."


def n_items(body: str, url: str = "http://example.org/day.php?d=7") -> int:
    document = Document.from_html(f"<html><body>{body}</body></html>", url=url)
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
    assert n_items(f"<h1>News</h1>{items}", HUB) == 4
    byline = "<p>By <a href=/author/jane-doe/>Jane Doe of the Example</a> in <a href=/rivers/>Rivers</a></p>"
    assert n_items(f"<h1>The birds</h1>{byline}<p>{LEAD}</p>", "http://example.org/2024/03/the-birds/") == 0


def test_announcements_whose_lines_hold_a_day_and_labels() -> None:
    lead = "市政府今天宣布，新图书馆向全体居民开放，藏书超过一百万册，读者可以免费借阅..."
    item = """<li>[<a href="/city/">本地新闻</a>]<a href="/c/{0}.html">新图书馆第{0}次推迟？市政府答复</a>
    <small>日期：</small>2024-03-05 03:35:00<small> 点击：</small>286<small> 好评：</small>0<p>{1}</p></li>"""
    items = "".join(item.format(number, lead) for number in range(4))
    assert n_items(f"<ul>{items}</ul>", HUB) == 4
    assert n_items(f"<ul>{items}</ul>", "http://example.org/city/18300.html") == 0
    told = "<p>市政府在<a href=/a/>去年发布的通知里说过</a>，新图书馆2024年3月5日向全体居民开放，读者可以借阅。</p>"
    assert n_items(f"<h1>图书馆</h1>{told * 4}", HUB) == 0


def test_one_box_in_an_article_is_none() -> None:
    box = '<p><a href="/news.php?id=7">The bridge will be repaired</a></p>'
    assert n_items(f"<h1>The birds</h1><p>{LEAD}</p>{box}<p>{LEAD}</p>") == 0
