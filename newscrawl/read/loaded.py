"""Loads what a reader needs, once for all readers of a crawl.

The process that readers are copies of imports this module before it makes the first. They share its memory, and the
next one is there in milliseconds. Nothing else imports it.
"""

import gc
from datetime import UTC, datetime

from newscrawl.read.model import RawPage, Wants
from newscrawl.read.worker import load

_TEXT = "<p>The river rose by two metres on Friday, and the bridge, which cost €20, was closed for the night.</p>" * 9
_PAGE = f"""<html lang="en"><head><title>A page to load by</title></head><body><h1>A page to load by</h1>
<p>By Ada Fenn, 3 May 2024, 10:20</p>{_TEXT}<a href="/story/2.html">Next page</a></body></html>"""

# all that is made at its first use: networks, models, tables of characters, names of months
load(Wants(lines=True, simhash=True)).read(
    RawPage(_PAGE.encode(), url="https://www.example.org/2024/05/03/story.html", fetched_at=datetime.now(UTC))
)
gc.collect()
gc.freeze()
