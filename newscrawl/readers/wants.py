"""What settings want of a page, and where the user's sites are: for commands that read without a crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.reading.model import Wants, format_names

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def wants_of(settings: BaseSettings) -> Wants:
    """Return what a crawl with these settings wants of a page.

    ``NEWSCRAWL_EXTRACTOR``, ``NEWSCRAWL_CLASSIFIER`` (named by project or command line, it comes before sites' own
    models), ``NEWSCRAWL_BODY_FORMATS``, ``NEWSCRAWL_STORE_BLOCKS``, ``NEWSCRAWL_SITE_MEMORY``.
    """
    is_named = (settings.getpriority("NEWSCRAWL_CLASSIFIER") or 0) > 0
    return Wants(
        method=settings["NEWSCRAWL_EXTRACTOR"],
        classifier=settings["NEWSCRAWL_CLASSIFIER"],
        models=None if is_named else sites_folder(settings),
        formats=format_names(settings["NEWSCRAWL_BODY_FORMATS"]),
        blocks=settings.getbool("NEWSCRAWL_STORE_BLOCKS"),
        lines=settings.getbool("NEWSCRAWL_SITE_MEMORY"),
    )


def sites_folder(settings: BaseSettings) -> Path:
    """``NEWSCRAWL_SITES_DIR``; a relative one is below the folder of ``scrapy.cfg``."""
    config = closest_scrapy_cfg()
    return (Path(config).parent if config else Path.cwd()) / (settings.get("NEWSCRAWL_SITES_DIR") or "data/sites")
