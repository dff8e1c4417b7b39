"""Requests queued before a parameter was known to change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from newscrawl.middlewares.outcome import RefusedError
from newscrawl.middlewares.requests import KnownPageMiddleware
from newscrawl.outcomes import Rejection
from newscrawl.spiders.loader import SiteSpider

STORY = "http://example.org/2024/03/story-109.html"


@pytest.fixture
def crawler() -> Any:
    """A crawl of a site on which ``from`` is known to change nothing."""
    crawler: Any = get_crawler(SiteSpider)
    crawler.spider = SiteSpider.from_crawler(crawler, url="http://example.org/")
    crawler.spider.configure(crawler.settings)
    gate = crawler.spider.gate
    gate.site = replace(gate.site, referrers=frozenset({("example.org", "from")}))
    return crawler


def ask(crawler: Any, url: str, **meta: Any) -> None:
    request = Request(url, meta={"newscrawl": {"found": "link"}, **meta})
    KnownPageMiddleware.from_crawler(crawler).process_request(request)


def test_one_of_a_page_s_addresses_is_let_through(crawler: Any) -> None:
    ask(crawler, f"{STORY}?from=top")
    with pytest.raises(RefusedError) as refused:
        ask(crawler, f"{STORY}?from=list")
    assert refused.value.reason is Rejection.DUPLICATE
    assert STORY in refused.value.detail


def test_a_page_that_was_asked_for_without_the_parameter(crawler: Any) -> None:
    crawler.spider.gate.recent.add(STORY)
    with pytest.raises(RefusedError):
        ask(crawler, f"{STORY}?from=list")


@pytest.mark.parametrize("meta", [{"retry_times": 1}, {"redirect_urls": ["http://example.org/"]}], ids=str)
def test_retries_and_redirects_of_what_was_let_through(crawler: Any, meta: dict[str, Any]) -> None:
    ask(crawler, f"{STORY}?from=top")
    ask(crawler, f"{STORY}?from=top", **meta)


@pytest.mark.parametrize("url", [STORY, f"{STORY}?id=7"])
def test_other_addresses_are_nobody_s_copies(crawler: Any, url: str) -> None:
    ask(crawler, url)
    ask(crawler, url)


def test_an_address_that_the_host_would_lead_to_another_that_is_asked_for(crawler: Any) -> None:
    bare, whole = "http://example.org/tags/news", "http://example.org/tags/news/"
    crawler.spider.gate.recent.add(whole)
    ask(crawler, bare)  # nothing is known of the host
    for name in ("art", "film"):
        crawler.spider.gate.forms.note(f"http://example.org/tags/{name}", f"http://example.org/tags/{name}/")
    with pytest.raises(RefusedError, match="the same page as") as refused:
        ask(crawler, bare)
    assert whole in refused.value.detail
    ask(crawler, "http://example.org/tags/music")  # only the host can lead there
    crawler.spider.gate.forms.note("http://example.org/tags/odd", "http://example.org/tags/odd")
    ask(crawler, bare)  # it does not always
