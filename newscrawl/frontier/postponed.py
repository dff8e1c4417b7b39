"""What a request ends with that is put off: it waits in the frontier again."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest


class PostponedError(IgnoreRequest):
    """The request has left the downloader unsent, as its host asked to be left alone."""
