"""Words in the columns of ``frontier``."""

from __future__ import annotations

from enum import StrEnum

#: Bytes of a request's fingerprint that are kept: no two of a trillion addresses share them.
FINGERPRINT_BYTES = 16


class State(StrEnum):
    """``frontier.state``."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"  # not answered, or answered with an error; ``scrapy frontier requeue`` asks again


class Kind(StrEnum):
    """``frontier.kind``: how often an address is worth asking for again depends on it."""

    HUB = "hub"
    FEED = "feed"
    SITEMAP = "sitemap"
    ARTICLE = "article"
