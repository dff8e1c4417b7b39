"""The layout in outline against a browser's. Skipped where playwright or chromium is missing; required in CI."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lab.css import lay_out
from lab.evaluation.browser import executable, open_browser
from newscrawl.console.files import CHROMIUM_VARIABLE
from newscrawl.exceptions import UserError
from newscrawl.page.document import Document
from tests.conftest import unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab.evaluation.browser import BoxBrowser

SENTENCE = "The council met on Monday and agreed to repair the old bridge over the river before winter. "
PORTAL = f"""<!DOCTYPE html><style>
body {{ margin: 0; font: 14px/24px Arial }} .wrap {{ width: 1000px; margin: 0 auto }}
.nav li {{ float: left; width: 100px; list-style: none }} .nav ul {{ margin: 0; padding: 0 }}
.nav:after {{ content: ""; display: block; clear: both }}
.main {{ float: left; width: 66% }} .side {{ float: right; width: 300px; padding: 10px; border: 1px solid }}
.foot {{ clear: both; text-align: center }} .gone {{ display: none }}
</style><body><div class=wrap><div class=nav><ul>{"<li><a href=/>channel</a>" * 12}</ul></div>
<div class=main><h1>Bridge</h1>{f"<p>{SENTENCE * 6}</p>" * 5}</div>
<div class=side><table width=100%><tr><td width=30%>one</td><td>two</td></tr></table>
<ul>{f"<li><a href=/>{SENTENCE}</a></li>" * 6}</ul></div>
<div class=gone>never</div><div class=foot>imprint</div></div>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[BoxBrowser]:
    if find_spec("playwright") is None:
        unavailable("no playwright: pip install -r requirements-js.txt")
    try:
        executable()
    except UserError as error:
        unavailable(str(error))
    with open_browser() as opened:
        yield opened


@pytest.mark.browser
def test_boxes_of_a_portal(browser: BoxBrowser) -> None:
    document = Document.from_html(PORTAL)
    exact, found = browser.lay_out(document), lay_out(document)
    assert (exact.is_shown == found.is_shown).all()
    is_block = np.array([tag in ("div", "ul", "li", "td", "table", "h1") for tag in document.measures.tags])
    rows = is_block & exact.is_shown
    assert np.abs(exact.width - found.width)[rows].max() < 3
    assert np.abs(exact.x - found.x)[rows].max() < 3
    assert np.abs(exact.height - found.height)[rows].max() / exact.height.max() < 0.1


@pytest.mark.browser
def test_the_browser_fetches_nothing_and_runs_no_script(browser: BoxBrowser) -> None:
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    markup = (
        f"<link rel=stylesheet href={address}/sheet><style>@import url({address}/import);"
        f"p{{background:url({address}/background)}}</style><p id=p onload='x()'>text</p><img src={address}/image>"
        f"<img src=x onerror=\"document.getElementById('p').style.width='7px'\"><video poster={address}/poster></video>"
    )
    try:
        rows = browser.lay_out(Document.from_html(markup))
    finally:
        server.shutdown()
        server.server_close()
    assert hits == []
    assert rows.width[1] > 1000


@pytest.mark.browser
def test_odd_trees_are_built_as_they_were_parsed(browser: BoxBrowser) -> None:
    document = Document.from_html(
        "<p>a<p>b<table><form><tr><td>c</td></tr></form></table><x y=1>d<!-- e -->f<br/>g</x>"
    )
    rows = browser.lay_out(document)
    texts = [row for row in range(len(document.measures)) if document.measures.is_text(row)]
    assert len(texts) == 6
    assert (rows.width[texts] > 0).all()


def test_a_missing_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CHROMIUM_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UserError, match=CHROMIUM_VARIABLE):
        executable()
