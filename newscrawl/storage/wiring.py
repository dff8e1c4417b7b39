"""What the add-on turns on for storage."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from newscrawl.extensions.harvest_lease import HarvestLeaseExtension
from newscrawl.extensions.runs import RunsExtension
from newscrawl.pipelines.dedupe import DedupePipeline
from newscrawl.pipelines.store import StorePipeline

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def configure_storage(settings: BaseSettings) -> None:
    """Called by the add-on: equal texts are known, outcomes stored, runs recorded, CSV is readable."""
    database = os.environ.get("NEWSCRAWL_DATABASE")
    if (
        database and settings["NEWSCRAWL_HARVEST"]
    ):  # so ``scrapy tick`` hands it on, whatever the project's settings say
        settings.set("NEWSCRAWL_DATABASE", database, priority="cmdline")
    settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", DedupePipeline, 500)
    settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", StorePipeline, 900)
    settings.setdefault_in_component_priority_dict("EXTENSIONS", RunsExtension, 500)
    settings.setdefault_in_component_priority_dict("EXTENSIONS", HarvestLeaseExtension, 510)
    exporters = {"csv": "newscrawl.storage.csv_feed.ArticleCsvExporter"}
    settings.set("FEED_EXPORTERS", {**exporters, **settings.getdict("FEED_EXPORTERS")}, priority="addon")
