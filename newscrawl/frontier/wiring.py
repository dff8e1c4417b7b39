"""What the add-on turns on for the frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.frontier.options import FRONTIERS, FrontierOptions, one_of

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def configure_frontier(settings: BaseSettings) -> None:
    """Called by the add-on: requests go into the database, where there is one. A scheduler of the user's stays."""
    FrontierOptions.from_settings(settings)  # refuses wrong values before anything is opened
    chosen = one_of(settings, "NEWSCRAWL_FRONTIER", FRONTIERS)
    if chosen == "memory" or not settings["NEWSCRAWL_DATABASE"] or settings.getbool("NEWSCRAWL_DRY_RUN"):
        return
    settings.set("SCHEDULER", "newscrawl.frontier.scheduler.FrontierScheduler", priority="addon")
