"""The focused spider: arguments refused in one line, where it may go, what it asks for first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from newscrawl.exceptions import UserError
from newscrawl.spiders.focused import OPEN_WEB_BUDGET, TOP_PRIORITY, FocusedSpider
from tests.crawling import crawl
from tests.hostile import answer, serving

TOPIC = str(Path(__file__).parent.parent / "data" / "topics" / "phones.toml")
GIVEN = {"topic": TOPIC, "seeds": "http://e.org/"}


def spider_of(**arguments: str) -> Any:
    return FocusedSpider(**(GIVEN | arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"topic": ""}, "needs -a topic=…: a topic file"),
        ({"seeds": ""}, "needs -a seeds=…: http"),
        ({"topic": "nowhere.toml"}, "topic='nowhere.toml': no such file"),
        ({"seeds": "e.org"}, "seeds='e.org' is not an http(s) address such as https://example.org/"),
        ({"seeds": "http://e.org/, ftp://e.org/"}, "seeds='ftp://e.org/' is not an http(s) address"),
        ({"seeds": "@nowhere.txt"}, "seeds='@nowhere.txt' cannot be read"),
        (
            {"strategy": "best"},
            "strategy = 'best'; accepted: breadth, random, ata, blocks, ata+blocks",
        ),
        ({"allowed": "http://e.org"}, "allowed = 'http://e.org'; accepted: "),
        ({"pages": "0"}, "pages = '0'; accepted: a whole number above 0"),
        ({"pages": "many"}, "pages = 'many'; accepted: a whole number above 0"),
        ({"host_budget": "-1"}, "host_budget = '-1'; accepted: a whole number above 0"),
        ({"seed": "x"}, "seed = 'x'; accepted: a whole number"),
        ({"threshold": "1.5"}, "threshold = '1.5'; accepted: a number between 0 and 1"),
        ({"threshold": "high"}, "threshold = 'high'; accepted: a number between 0 and 1"),
        ({"dry_run": "1"}, "dry_run=1 is not accepted by the spider 'focused'"),
        ({"history": "cdx:https://i.org/"}, "history=cdx:https://i.org/ is not accepted by the spider 'focused'"),
        ({"colour": "red"}, "unknown option 'colour'; accepted: since, until"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(UserError) as caught:
        spider_of(**arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        ("", "http://e.org/a", "http://www.e.org/a"),
        ("e.org,f.org", "http://f.org/a", "http://g.org/"),
        (".e.org", "http://blog.e.org/a", "http://f.org/"),
    ],
)
def test_hosts_it_may_go_to(allowed: str, inside: str, outside: str) -> None:
    spider = spider_of(allowed=allowed)
    assert spider.site.covers(inside)
    assert not spider.site.covers(outside)


def test_the_open_web_has_a_budget_for_each_host() -> None:
    spider, settings = spider_of(allowed="*"), Settings()
    settings.setmodule("newscrawl.default_settings", priority="default")
    spider.configure(settings)
    assert spider.site.covers("http://anything.example/")
    assert spider.allowed_domains == []
    refused = [
        spider.gate.admit(f"http://popular.org/some-story-about-{n}").rejection for n in range(OPEN_WEB_BUDGET + 5)
    ]
    assert refused[:OPEN_WEB_BUDGET] == [None] * OPEN_WEB_BUDGET
    assert None not in refused[OPEN_WEB_BUDGET:]
    assert spider.gate.admit("http://other.org/some-story-about-it").follow


def test_seeds_come_before_links_and_may_be_articles(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("http://e.org/2024/a-long-story-here\nhttp://e.org/b\n", encoding="utf-8")
    spider = spider_of(seeds=f"@{tmp_path / 'seeds.txt'}", threshold="0.7")
    spider.crawler = get_crawler(FocusedSpider)
    requests = list(spider._start_requests())
    assert spider.crawler.stats.get_value("newscrawl/seeds/asked") == 2
    assert [request.url for request in requests] == ["http://e.org/2024/a-long-story-here", "http://e.org/b"]
    assert all(request.priority > TOP_PRIORITY for request in requests)
    assert not spider.site.names_hub("http://e.org/b")
    assert spider.focus.topic.threshold == 0.7


def test_crawls_for_other_topics_have_other_frontiers() -> None:
    assert spider_of().crawl_name == "focused e.org Mobile phones learned"
    assert spider_of(strategy="ata").crawl_name != spider_of().crawl_name


def test_a_seed_outside_the_hosts_allowed_is_read_and_not_followed(tmp_path: Path) -> None:
    words = [word for name, value in (GIVEN | {"allowed": "e.org"}).items() for word in ("-a", f"{name}={value}")]
    settings = {"NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8", "NEWSCRAWL_DATABASE": "", "ROBOTSTXT_OBEY": False}
    with serving(
        {"*": answer("<title>Phones</title><a href='/other.html'>A new phone with a large screen</a>")}
    ) as site:
        run = crawl(tmp_path, "crawl", "focused", *words, "-a", f"seeds={site.url}", settings=settings)
    assert site.asked == {"/": 1}
    assert run.stats["newscrawl/relevance/pages"] == 1
    assert "Traceback" not in run.log
