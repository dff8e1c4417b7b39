"""When are a host's http links asked for as https?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from newscrawl.sites.model import NewsSite
from newscrawl.urls.parameters import MAX_HOSTS, WITNESSES, SchemeWatch

SITE = NewsSite(name="a", title="A", hosts=("a.cn",), seeds=("http://a.cn/",))
LIVES = "max-age=31536000; includeSubDomains"


def test_redirects_to_the_same_address_are_witnesses() -> None:
    watch = SchemeWatch()
    seen = [watch.sees(f"http://a.cn/{i}", f"https://a.cn/{i}") for i in range(WITNESSES)]
    assert seen == [None] * (WITNESSES - 1) + ["a.cn"]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("http://a.cn/1", "https://a.cn/login"),
        ("http://a.cn/1", "https://www.a.cn/1"),
        ("https://a.cn/1", "https://a.cn/1"),
        ("http://a.cn:8080/1", "https://a.cn:8443/1"),
    ],
)
def test_other_answers_are_none(asked: str, answered: str) -> None:
    watch = SchemeWatch()
    assert [watch.sees(asked, answered) for _ in range(2 * WITNESSES)] == [None] * 2 * WITNESSES


def test_the_host_may_say_so_itself() -> None:
    assert SchemeWatch().sees("https://a.cn/", "https://a.cn/", LIVES) == "a.cn"
    assert SchemeWatch().sees("https://a.cn/", "https://a.cn/", 'includeSubDomains; MAX-AGE="600"') == "a.cn"
    assert SchemeWatch().sees("https://a.cn/", "https://a.cn/", "max-age=0") is None
    assert SchemeWatch().sees("http://a.cn/", "http://a.cn/", LIVES) is None


def test_a_page_over_http_ends_it() -> None:
    watch = SchemeWatch()
    watch.sees("http://a.cn/old", "http://a.cn/old")
    assert [watch.sees(f"http://a.cn/{i}", f"https://a.cn/{i}", LIVES) for i in range(5)] == [None] * 5
    assert watch.sees("https://b.cn/", "https://b.cn/", LIVES) == "b.cn"


def test_hosts_are_counted() -> None:
    watch = SchemeWatch()
    half = MAX_HOSTS // 2
    learnt = [watch.sees(f"https://{i}.cn/", f"https://{i}.cn/", LIVES) for i in range(half)]
    assert learnt[-1] == f"{half - 1}.cn"
    for i in range(half):
        watch.sees(f"http://{i}.de/", f"http://{i}.de/")
    assert watch.sees("https://b.cn/", "https://b.cn/", LIVES) is None


def test_addresses_of_such_a_host() -> None:
    site = replace(SITE, https_hosts=frozenset({"a.cn"}))
    assert site.clean_url("http://a.cn/1.html?p=2") == "https://a.cn/1.html?p=2"
    assert site.clean_url("https://a.cn/1.html") == "https://a.cn/1.html"
    assert site.clean_url("http://b.cn/1.html") == "http://b.cn/1.html"
    assert site.clean_url("http://a.cn:8080/1.html") == "http://a.cn:8080/1.html"
    assert SITE.clean_url("http://a.cn/1.html") == "http://a.cn/1.html"


def test_a_seed_is_a_hub_under_either_scheme() -> None:
    assert SITE.names_hub("https://a.cn/")
    assert SITE.names_hub("http://a.cn/")
    assert not SITE.names_hub("http://a.cn/1.html")
