from __future__ import annotations

import pytest
from scrapy import Request
from scrapy.core.downloader import Slot
from scrapy.http import HtmlResponse
from scrapy.spiders import Spider
from scrapy.utils.project import get_project_settings
from scrapy.utils.test import get_crawler

from newscrawl.addon import NewscrawlAddon
from newscrawl.extensions.delays import RevisitThrottle


@pytest.mark.parametrize(("status", "delay"), [(200, 2.6), (304, 2.6), (404, 5.0)])
def test_an_unchanged_page_says_as_much_of_a_server_as_a_new_one(status: int, delay: float) -> None:
    throttle = RevisitThrottle(get_crawler(Spider, {"AUTOTHROTTLE_ENABLED": True}))
    throttle.mindelay, throttle.maxdelay = 1.0, 60.0
    slot = Slot(concurrency=1, delay=5.0, jitter=0)
    request = Request("http://example.org/a")
    throttle._adjust_delay(slot, 0.2, HtmlResponse(request.url, status=status, request=request))
    assert slot.delay == pytest.approx(delay)


def test_the_project_throttles_so_from_a_second_on() -> None:
    settings = get_project_settings()
    NewscrawlAddon().update_settings(settings)
    assert settings.getfloat("AUTOTHROTTLE_START_DELAY") == settings.getfloat("DOWNLOAD_DELAY") == 1.0
    components = settings.get_component_priority_dict_with_base("EXTENSIONS")
    throttles = [component for component in components if "hrottle" in str(component)]
    assert [str(name).rpartition(".")[2].strip("'>") for name in throttles] == ["RevisitThrottle"]
