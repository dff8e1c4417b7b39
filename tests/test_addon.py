"""What the add-on turns on, and what a setting turns off."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from newscrawl.extensions.retry_after import RetryAfterExtension
from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.extensions.wiring_check import WiringCheckExtension


@pytest.mark.parametrize(
    ("setting", "extension"),
    [
        ("NEWSCRAWL_SITE_MEMORY", SiteMemoryExtension),
        ("NEWSCRAWL_RETRY_AFTER_ENABLED", RetryAfterExtension),
        ("NEWSCRAWL_WIRING_CHECK_ENABLED", WiringCheckExtension),
    ],
)
def test_a_setting_turns_an_extension_off(setting: str, extension: type[Any]) -> None:
    given: dict[str, Any] = {
        "ADDONS": {"newscrawl.addon.NewscrawlAddon": 500},
        "COMMANDS_MODULE": "newscrawl.commands",
        "NEWSCRAWL_DATABASE": "",
    }
    assert isinstance(get_crawler(settings_dict=given).get_extension(extension), extension)
    assert get_crawler(settings_dict=given | {setting: False}).get_extension(extension) is None
