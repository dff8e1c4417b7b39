"""The only wiring: ``ADDONS = {"newscrawl.addon.NewscrawlAddon": 500}`` turns newscrawl on in any Scrapy project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.extensions.focus_state import FocusStateExtension
from newscrawl.extensions.garbage import GarbageExtension
from newscrawl.extensions.harvest_rate import HarvestRateExtension
from newscrawl.extensions.own_core import OwnCoreExtension
from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.extensions.stall import StallExtension
from newscrawl.frontier.wiring import configure_frontier
from newscrawl.middlewares.render import configure_rendering
from newscrawl.net.wiring import configure_network
from newscrawl.pipelines.classify import ClassifyPipeline
from newscrawl.pipelines.extract import ExtractPipeline
from newscrawl.pipelines.join import JoinPipeline
from newscrawl.pipelines.links import LinksPipeline
from newscrawl.pipelines.relevance import RelevancePipeline
from newscrawl.pipelines.segment import SegmentPipeline
from newscrawl.pipelines.wanted import WantedPipeline
from newscrawl.replay.extension import configure_replay
from newscrawl.replay.recorder import configure_recording
from newscrawl.setting_check import check_settings
from newscrawl.storage.wiring import configure_storage

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class NewscrawlAddon:
    """Sets what the project and the command line have not set: pipelines, middlewares, extensions, frontier."""

    def update_settings(self, settings: BaseSettings) -> None:
        """:raises UserError: a setting of the project is misspelt, or its value is not accepted."""
        settings.setmodule("newscrawl.default_settings", priority="default")
        check_settings(settings)
        configure_network(settings)
        configure_replay(settings)
        configure_rendering(settings)
        configure_recording(settings)
        configure_storage(settings)
        configure_frontier(settings)
        for pipeline, order in ((SegmentPipeline, 100), (ClassifyPipeline, 200), (ExtractPipeline, 300)):
            settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", pipeline, order)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", RelevancePipeline, 350)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", SiteMemoryExtension, 500)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", HarvestRateExtension, 500)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", GarbageExtension, 900)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", OwnCoreExtension, 900)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", FocusStateExtension, 500)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", StallExtension, 500)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", LinksPipeline, 400)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", JoinPipeline, 450)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", WantedPipeline, 550)
        if settings.getbool("NEWSCRAWL_DRY_RUN"):  # after all pipelines: planned addresses pass none
            settings.set("ITEM_PIPELINES", {}, priority="cmdline")
