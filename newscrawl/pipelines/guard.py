"""A page that our own code stumbles over is counted and logged with its address, and goes on without that step."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

PAGE_ERRORS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    etree.LxmlError,
)
"""What a mistake of ours raises on a page nobody thought of; errors of the machine (memory, disk) are not here."""


@contextmanager
def survive(url: str, step: str, stats: StatsCollector) -> Iterator[None]:
    """Log and count (``newscrawl/rejected/broken``) what ``step`` raises for the page at ``url``."""
    try:
        yield
    except PAGE_ERRORS:
        logger.exception("%s failed on %s; the page goes on without it", step, url)
        stats.inc_value("newscrawl/rejected/broken")
        stats.inc_value(f"newscrawl/{step}/failed")
