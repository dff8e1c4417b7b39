"""The event loop of a crawl where requirements-fast.txt is installed, for ``ASYNCIO_EVENT_LOOP``."""

import asyncio

import uvloop


class Loop(uvloop.Loop):
    """uvloop's. It closes the one before it, which Scrapy makes only to look at: Python would complain at exit."""

    def __init__(self) -> None:
        before = asyncio.get_event_loop()
        super().__init__()
        if not before.is_running():
            before.close()
