"""The only wiring: ``ADDONS = {"newscrawl.addon.NewscrawlAddon": 500}`` turns newscrawl on in any Scrapy project."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class NewscrawlAddon:
    def update_settings(self, settings: BaseSettings) -> None:
        settings.setmodule("newscrawl.default_settings", priority="default")
