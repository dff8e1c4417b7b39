"""Preload of a reader's modules, once for all readers of a crawl.

The process that readers are copied from imports this module before it makes the first. Copies share its memory and
start in milliseconds. Nothing else imports it.
"""

import gc
from datetime import UTC, datetime

from newscrawl.read.model import RawPage, Wants
from newscrawl.read.worker import load

_TEXT = "<p>The river rose by two metres on Friday, and the bridge, which cost €20, was closed for the night.</p>" * 9
_PAGE = f"""<html lang="en"><head><title>A page to load by</title></head><body><h1>A page to load by</h1>
<p>By Ada Fenn, 3 May 2024, 10:20</p>{_TEXT}<a href="/story/2.html">Next page</a></body></html>"""

# everything made at its first use: networks, models, tables of characters, names of months
load(Wants(lines=True, simhash=True)).read(
    RawPage(_PAGE.encode(), url="https://www.example.org/2024/05/03/story.html", fetched_at=datetime.now(UTC))
)
gc.collect()
gc.freeze()
