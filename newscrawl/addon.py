"""The only wiring: ``ADDONS = {"newscrawl.addon.NewscrawlAddon": 500}`` turns newscrawl on in any Scrapy project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.pipelines.classify import ClassifyPipeline
from newscrawl.pipelines.extract import ExtractPipeline
from newscrawl.pipelines.segment import SegmentPipeline
from newscrawl.replay.extension import configure_replay
from newscrawl.replay.recorder import configure_recording

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class NewscrawlAddon:
    def update_settings(self, settings: BaseSettings) -> None:
        settings.setmodule("newscrawl.default_settings", priority="default")
        configure_replay(settings)
        configure_recording(settings)
        for pipeline, order in ((SegmentPipeline, 100), (ClassifyPipeline, 200), (ExtractPipeline, 300)):
            settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", pipeline, order)
