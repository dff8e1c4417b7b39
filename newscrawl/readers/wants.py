"""What settings want of a page, and where the user's sites are: for commands that read without a crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.reading.model import Wants, format_names
from newscrawl.sites.toml import model_for

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def wants_of(settings: BaseSettings) -> Wants:
    """Return what a crawl with these settings wants of a page.

    ``NEWSCRAWL_EXTRACTOR``, ``NEWSCRAWL_CLASSIFIER``, ``NEWSCRAWL_BODY_FORMATS``, ``NEWSCRAWL_STORE_BLOCKS``,
    ``NEWSCRAWL_SITE_MEMORY``.
    """
    return Wants(
        method=settings["NEWSCRAWL_EXTRACTOR"],
        classifier=settings["NEWSCRAWL_CLASSIFIER"],
        formats=format_names(settings["NEWSCRAWL_BODY_FORMATS"]),
        blocks=settings.getbool("NEWSCRAWL_STORE_BLOCKS"),
        lines=settings.getbool("NEWSCRAWL_SITE_MEMORY"),
    )


def sites_folder(settings: BaseSettings) -> Path:
    """``NEWSCRAWL_SITES_DIR``; a relative one is below the folder of ``scrapy.cfg``."""
    config = closest_scrapy_cfg()
    return (Path(config).parent if config else Path.cwd()) / (settings.get("NEWSCRAWL_SITES_DIR") or "data/sites")


def classifier_for(settings: BaseSettings, site: str | None) -> str:
    """Return what labels a site's blocks: what project or command line name, the site's own model, or the default."""
    named = str(settings["NEWSCRAWL_CLASSIFIER"])
    is_named = (settings.getpriority("NEWSCRAWL_CLASSIFIER") or 0) > 0
    return named if is_named else model_for(site, sites_folder(settings)) or named
