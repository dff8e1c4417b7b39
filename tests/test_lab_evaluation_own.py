from __future__ import annotations

import json

import pytest

from lab.evaluation.own import make
from lab.evaluation.wire import WirePage

PARAGRAPHS = [f"The council met on day {n} and agreed to mend the bridge over the river." for n in range(6)]
DATA = json.dumps({"story": {"title": "Bridge to be mended", "body": PARAGRAPHS}})
SCRIPT_ONLY = f"""<title>Bridge to be mended</title><body><div id="root"></div>
<script type="application/json" id="__DATA__">{DATA}</script></body>"""
PLAIN = f"<title>Bridge</title><body><h1>Bridge</h1>{''.join(f'<p>{text}</p>' for text in PARAGRAPHS)}</body>"


@pytest.mark.parametrize("method", ["news", "rules", "lineblock"])
def test_a_page_that_scripts_fill_is_read_as_the_crawl_reads_it(method: str) -> None:
    answer = make(method).run(WirePage(id="1", html=SCRIPT_ONLY.encode(), url="http://e.org/1"))
    assert [line for line in answer.text.splitlines() if line in PARAGRAPHS] == PARAGRAPHS
    assert answer.confidence == 0.5


def test_a_page_that_shows_its_text_keeps_it() -> None:
    answer = make("news").run(WirePage(id="1", html=PLAIN.encode(), url="http://e.org/1"))
    assert answer.text.splitlines()[-6:] == PARAGRAPHS
    assert answer.confidence != 0.5
