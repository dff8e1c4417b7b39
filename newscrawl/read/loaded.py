"""Loads what a reader needs, once for all readers of a crawl.

The process that readers are copies of imports this module before it makes the first. They share its memory, and the
next one is there in milliseconds. Nothing else imports it.
"""

import gc
from datetime import UTC, datetime

from newscrawl.read.model import RawPage, Wants
from newscrawl.read.worker import load

# all that is loaded at its first use: networks, models, the languages
load(Wants(lines=True, simhash=True)).read(
    RawPage(b"<html><body><h1>Once</h1><p>A page to load by.</p></body></html>", url=None, fetched_at=datetime.now(UTC))
)
gc.collect()
gc.freeze()
