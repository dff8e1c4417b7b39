from __future__ import annotations

import numpy as np
import pytest

from newscrawl.dom.document import Document
from newscrawl.extractors import get_extractor
from newscrawl.methods.news import SETTLED_ODDS
from newscrawl.network.features import page_lines
from newscrawl.network.structure import MIN_CELLS, add_lists
from tests.news_pages import CHINESE

TEXT = "<p>The river rose by two metres over night, and the bridge was closed.</p>"
COLON = "<p>The council wants three things:</p>"
LIST = "<ul><li>lower costs</li><li>more <a href=x>trains</a></li><li>data for everyone at any time</li></ul>"
LINKS = "<ul><li><a href=a>Ferries cut</a></li><li><a href=b>Museum opens</a></li></ul>"
TABLE = "<table>" + "<tr><td>2020<td>17<td>3 %</tr>" * (MIN_CELLS // 3) + "</table>"
SMALL = "<table><tr><td>Jane Miller<td>reporter</tr></table>"


def kept(html: str) -> str:
    """Return a letter for each line after lists were added: ``#`` body from the start, ``+`` added, ``.`` left out."""
    page = page_lines(Document.from_html(f"<body>{html}</body>"))
    assert page is not None
    texts = page.lines.texts(range(len(page.lines)))
    before = np.array([text.endswith(("closed.", ":", "at any time!")) for text in texts])
    after = before.copy()
    add_lists(after, page)
    assert (after | ~before).all()
    return "".join("#" if old else "+" if new else "." for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        pytest.param(TEXT + LIST + TEXT, "#+++#", id="between"),
        pytest.param(f"{TEXT}<div>{LIST}</div>{TEXT}", "#+++#", id="between, wrapped"),
        pytest.param(f"{TEXT}{LIST}<h3>What next</h3>{TEXT}", "#++++#", id="between, with a heading"),
        pytest.param(TEXT + LIST, "#...", id="after the text"),
        pytest.param(COLON + LIST, "#+++", id="after a colon"),
        pytest.param(TEXT + LIST.replace("time", "time!"), "#++#", id="mostly in"),
        pytest.param(f"<div>{TEXT}</div>{LIST}<div>{TEXT}</div>", "#...#", id="beside the text"),
        pytest.param(
            f"{TEXT}<div><table><tr><td>{TEXT * 4}</td></tr></table></div><div><ul><li>Before: none</ul>{LINKS}</div>",
            "#####...",
            id="text in a table, links below it",
        ),
        pytest.param(TEXT + LINKS + TEXT, "#..#", id="links"),
        pytest.param(COLON + LINKS, "#..", id="links after a colon"),
        pytest.param(COLON + LIST + "<hr>" + LINKS, "#+++..", id="list above links"),
        pytest.param(TEXT + TABLE, "#" + "+" * MIN_CELLS, id="table"),
        pytest.param(TEXT + SMALL, "#..", id="small table"),
        pytest.param(LIST + TEXT, "...#", id="before the text"),
        pytest.param(f"{TEXT}<p>Share this</p>{LIST}{TEXT}", "#....#", id="after another line"),
        pytest.param(f"<ul><li>{TEXT}{LIST}{TEXT}</li></ul>", "#+++#", id="in an item"),
    ],
)
def test_lists_of_the_text(html: str, lines: str) -> None:
    assert kept(html) == lines


def test_site_memory_learns_that_lists_are_text() -> None:
    """The networks' own odds would have it take the lists of a template out again."""
    items = ("降低运行成本", "减少等待时间", "公开全部数据")
    before, *after = CHINESE.paragraphs
    listed = "".join(f"<li>{item}</li>" for item in items)
    paragraphs = "".join(f"<p>{text}</p>" for text in after)
    html = f"<h1>{CHINESE.headline}</h1><div><p>{before}</p><ul>{listed}</ul>{paragraphs}</div>"
    document = Document.from_html(f"<body><nav>{CHINESE.sections[0]}</nav>{html}</body>")
    extraction = get_extractor("news").extract(document)
    page = page_lines(document)
    assert page is not None
    texts = page.lines.texts(range(len(page.lines)))
    places = [texts.index(item) for item in items]
    assert extraction.chosen is not None
    assert extraction.chosen[places].all()
    assert extraction.odds is not None
    assert (extraction.odds[places] >= SETTLED_ODDS).all()
