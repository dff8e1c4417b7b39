from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest

from newscrawl.frontier.records import NotSerialisableError, request_from_text, request_to_text


class Example(Spider):
    name = "example"

    def parse(self, response: Any) -> None:
        """Do nothing."""

    def parse_page(self, response: Any) -> None:
        """Do nothing."""


SPIDER = Example()
URL = "http://e.org/"


def again(request: Request) -> Request:
    return request_from_text(request_to_text(request, SPIDER), request.url, request.priority, SPIDER)


def test_a_plain_request_is_two_characters() -> None:
    assert request_to_text(Request(URL, priority=7), SPIDER) == "{}"
    assert again(Request(URL, priority=7)).priority == 7


def not_of_a_spider(response: object) -> None:
    """A callback that another process cannot find by name."""


@pytest.mark.parametrize(
    "request_",
    [
        Request(URL, callback=SPIDER.parse_page, errback=SPIDER.parse),
        Request(URL, method="POST", body=b"\x00\xff", headers={"A": ["1", b"\xe9"]}, cookies={"a": "b"}),
        Request(URL, dont_filter=True, cb_kwargs={"n": 1}, flags=["x"], encoding="gb18030"),
        Request(URL, meta={"newscrawl": {"found": "feed", "hints": {"title": "新闻 \ud800 \x00"}, "block": None}}),
        FormRequest(URL, formdata={"a": "b"}),
        JsonRequest(URL, data={"a": [1]}),
    ],
    ids=["callbacks", "body", "flags", "meta", "form", "json"],
)
def test_requests_come_back_as_they_were(request_: Request) -> None:
    back = again(request_)
    assert type(back) is type(request_)
    assert back.to_dict(spider=SPIDER) == request_.to_dict(spider=SPIDER)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(meta=st.dictionaries(st.text(min_size=1, max_size=5), JSON, max_size=4))
def test_meta_comes_back_as_it_was_and_fits_into_any_database(meta: dict[str, Any]) -> None:
    text = request_to_text(Request(URL, meta=meta), SPIDER)
    text.encode()
    assert "\0" not in text
    assert request_from_text(text, URL, 0, SPIDER).meta == meta


@pytest.mark.parametrize(
    "request_",
    [
        Request(URL, callback=not_of_a_spider),
        Request(URL, meta={"a": object()}),
        Request(URL, meta={"a": (1, 2)}),
        Request(URL, meta={"a": {1: 2}}),
        Request(URL, cb_kwargs={"a": {1, 2}}),
    ],
    ids=["lambda", "object", "tuple", "int key", "set"],
)
def test_what_would_not_come_back_the_same_is_refused(request_: Request) -> None:
    with pytest.raises(NotSerialisableError):
        request_to_text(request_, SPIDER)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"callback":"gone"}', '{"_class":"subprocess.Popen"}', '{"body":1}', '{"cb_kwargs":3}']
)
def test_damaged_requests_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (any: it is counted)
        request_from_text(text, URL, 0, SPIDER)


def test_marks_of_one_download_do_not_go_to_the_next() -> None:
    meta = {"newscrawl_fetched_at": object(), "download_latency": 0.1, "redirect_urls": [URL], "download_slot": "e.org"}
    assert again(Request(URL, meta=meta)).meta == {"redirect_urls": [URL]}
    assert again(Request(URL, meta={"download_slot": "own"})).meta == {"download_slot": "own"}
