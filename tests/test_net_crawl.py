"""Safety and manners on the wire: real crawls against a server on this machine."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.store.storage import Storage
from tests.crawling import FOLLOW_ALL, crawl, crawl_all
from tests.hostile import answer, serving

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK: dict[str, Any] = {
    "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "RETRY_TIMES": 0,
}
PAGE = answer("<html><body>page</body></html>")


def test_this_machine_is_not_fetched(tmp_path: Path) -> None:
    hosts = ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:7f00:1]")
    with serving({"*": PAGE}) as site:
        urls = [f"http://{host}:{site.port}/" for host in hosts]
        run = crawl_all(tmp_path, *urls, **{**LOOPBACK, "NEWSCRAWL_ALLOW_NETS": ""})
    assert run.items == []
    assert site.asked.total() == 0
    assert run.stats["newscrawl/rejected/address"] == len(hosts)
    assert run.stats["newscrawl/outcome/refused"] == len(hosts)


def test_a_name_that_leads_into_a_private_network_is_refused_when_it_is_looked_up(tmp_path: Path) -> None:
    with serving({"*": PAGE}) as site:
        # The name is not refused as such, because some network is allowed: the resolver refuses its address.
        run = crawl_all(
            tmp_path, f"http://localhost:{site.port}/", **{**LOOPBACK, "NEWSCRAWL_ALLOW_NETS": "10.0.0.0/8"}
        )
    assert site.asked.total() == 0
    assert run.stats["newscrawl/rejected/address"] == 1
    assert run.stats["newscrawl/outcome/refused"] == 1


def test_networks_that_a_spider_allows_are_fetched_and_no_others(tmp_path: Path) -> None:
    allows = "    custom_settings = {'NEWSCRAWL_ALLOW_NETS': '127.0.0.0/8'}\n"
    spider = tmp_path / "mine.py"
    spider.write_text(FOLLOW_ALL.replace('"follow_all"\n', f'"follow_all"\n{allows}'), encoding="utf-8")
    settings = {name: value for name, value in LOOPBACK.items() if name != "NEWSCRAWL_ALLOW_NETS"}
    with serving({"*": PAGE}) as site:
        urls = f"http://localhost:{site.port}/ http://10.0.0.1/"
        run = crawl(tmp_path, "runspider", str(spider), "-a", f"urls={urls}", settings=settings)
    assert [item["url"] for item in run.items] == [f"http://localhost:{site.port}/"]
    assert run.stats["newscrawl/rejected/address"] == 1


def test_all_requests_that_wait_for_a_robots_txt_obey_it(tmp_path: Path) -> None:
    rules = answer("User-agent: *\nDisallow: /no", content_type="text/plain")
    with serving({"/robots.txt": rules, "*": PAGE}) as site:
        urls = [f"{site.url.rstrip('/')}/{path}" for path in ("no1", "no2", "no3", "yes", "no4", "no5")]
        run = crawl_all(tmp_path, *urls, **LOOPBACK)
    assert site.asked == {"/robots.txt": 1, "/yes": 1}
    assert run.stats["robotstxt/forbidden"] == 5


def test_a_robots_txt_that_the_server_cannot_give_forbids_all_for_now(tmp_path: Path) -> None:
    with serving({"/robots.txt": answer("User-agent: *\nAllow: /", status=503), "*": PAGE}) as site:
        run = crawl_all(tmp_path, *(f"{site.url}/{n}" for n in range(4)), **{**LOOPBACK, "RETRY_TIMES": 0})
    assert set(site.asked) == {"/robots.txt"}
    assert run.stats["newscrawl/robots/unreachable"] == 1
    assert run.counts("newscrawl/outcome/") == {"failed": 4}


@pytest.mark.slow
def test_what_a_host_reserves_is_told_of_each_article(tmp_path: Path) -> None:
    title = "Library stays open in the evening"
    text = "".join(
        f"<p>The council voted for the {n}th time to keep the library open in the evening.</p>" for n in range(9)
    )
    story = f"<title>{title}</title><article><h1>{title}</h1><p>March 4, 2024</p>{text}</article>"
    rules = "User-agent: GPTBot\nDisallow: /news/\nContent-Signal: ai-train=no"
    pages = {
        "/robots.txt": answer(rules, content_type="text/plain"),
        "/.well-known/tdmrep.json": answer(
            '[{"location": "/news/*", "tdm-reservation": 1}]', content_type="text/plain"
        ),
        "/ai.txt": answer("User-Agent: *\nDisallow: *.txt", content_type="text/plain"),
        "/": answer(f"<title>Mill Town</title><a href=/news/2024/03/04/library-open.html>{title}</a>"),
        "/news/2024/03/04/library-open.html": answer(f"<html lang=en>{story}</html>"),
    }
    with serving({**pages}) as site:
        settings = {**LOOPBACK, "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/news.sqlite"}
        settings["NEWSCRAWL_RIGHTS_FILES"] = True
        run = crawl(tmp_path, "crawl", "site", "-a", f"url={site.url}", settings=settings)
    (item,) = run.items
    assert site.asked["/ai.txt"] == site.asked["/.well-known/tdmrep.json"] == 1
    told = [("robots.txt", "GPTBot"), ("content-signal", "ai-train=no")]
    told += [("tdmrep", "/.well-known/tdmrep.json"), ("ai.txt", "Disallow")]
    assert [(one["source"], one["value"]) for one in item["reservations"]] == told
    assert run.stats["newscrawl/articles/reserved"] == 1


def test_a_proxy_is_not_asked_for_private_addresses(tmp_path: Path) -> None:
    with serving({"*": PAGE}) as proxy:
        run = crawl_all(
            tmp_path,
            "http://10.0.0.1/ http://169.254.169.254/latest http://example.org/",
            **LOOPBACK,
            env={"http_proxy": proxy.url},
        )
    assert set(proxy.asked) == {"http://example.org/robots.txt", "http://example.org/"}
    assert run.stats["newscrawl/rejected/address"] == 2


def test_redirects_into_private_networks_and_other_schemes(tmp_path: Path) -> None:
    pages = {
        "/a": answer(status=302, Location="http://10.0.0.1/"),
        "/b": answer(status=302, Location="file:///etc/passwd"),
        "/c": answer("<a href='ftp://127.0.0.1/'>ftp</a>"),
        "/d": answer(status=302, Location=f"http://{'a.' * 130}org/"),
    }
    with serving({**pages}) as site:
        run = crawl_all(tmp_path, *(site.url + path for path in pages), **LOOPBACK)
    assert [item["url"] for item in run.items] == [f"{site.url}/c"]
    assert run.counts("newscrawl/rejected/") == {"address": 1, "scheme": 1, "bad_url": 1}
    assert run.counts("newscrawl/outcome/") == {"redirected": 2, "http_error": 1, "refused": 3}


@pytest.mark.parametrize(("forced", "status"), [("False", 2), ("True", 1)])
def test_an_add_on_alone_is_not_enough(tmp_path: Path, forced: str, status: int) -> None:
    """Scrapy's two crawler processes start components before or after the resolver."""
    settings = {
        **LOOPBACK,
        "NEWSCRAWL_DATABASE": "",
        "TWISTED_DNS_RESOLVER": "scrapy.resolver.CachingThreadedResolver",
        "FORCE_CRAWLER_PROCESS": forced,
    }
    with serving({"*": PAGE}) as site:
        run = crawl(tmp_path, "crawl", "site", "-a", f"url={site.url}", settings=settings)
    assert site.asked.total() == 0
    assert run.status == status
    assert run.log.count("TWISTED_DNS_RESOLVER is not") == 1
    assert "Traceback" not in run.log


def test_an_address_is_asked_for_as_it_is_written(tmp_path: Path) -> None:
    """Old Chinese sites have addresses in GBK, in pages and in redirects, there in bare bytes."""
    odd = "/%C4%E3/a%2Fb~%7Ec;d?q=%BA%C3+x"
    moved = answer(status=302, Location="/NEW").replace(b"NEW", "新闻".encode("gbk"))
    with serving({"/old": moved, "*": PAGE}) as site:
        run = crawl_all(tmp_path, site.url.rstrip("/") + odd, f"{site.url}/old", **LOOPBACK)
    assert odd in site.asked
    assert "/%D0%C2%CE%C5" in site.asked
    assert len(run.items) == 2


def test_a_redirect_to_a_port_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with serving({"/a": answer(status=302, Location="http://127.0.0.1:99999/"), "*": PAGE}) as site:
        run = crawl_all(tmp_path, f"{site.url}/a", **LOOPBACK)
    assert run.counts("newscrawl/outcome/") == {"rejected": 1}
    assert run.stats["newscrawl/rejected/bad_url"] == 1
    assert "Traceback" not in run.log


def test_failures_are_one_line_each(tmp_path: Path) -> None:
    with serving({"/reset": None, "/short": answer("<p>", length=100)}) as site:
        run = crawl_all(tmp_path, f"{site.url}/reset", f"{site.url}/short", "http://127.0.0.1:1/", **LOOPBACK)
    assert run.counts("newscrawl/failed/") == {"connection": 1, "connection_refused": 1}
    assert run.stats["newscrawl/rejected/broken"] == 1
    assert run.stats["newscrawl/outcome/failed"] == 3
    assert "Traceback" not in run.log


def test_crawl_delay_is_kept_between_two_requests_and_capped(tmp_path: Path) -> None:
    pages = {"/robots.txt": answer("User-agent: newscrawl\nCrawl-delay: 86400", content_type="text/plain"), "*": PAGE}
    with serving({**pages}) as site:
        urls = (f"{site.url}/{n}" for n in range(3))
        run = crawl_all(tmp_path, *urls, **LOOPBACK, NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS=1)
    assert len(run.items) == 3
    assert run.stats["newscrawl/crawl_delay/max_seconds"] == 1
    assert run.stats["elapsed_time_seconds"] >= 3


def test_retry_after_is_kept_and_bounded(tmp_path: Path) -> None:
    def busy(_path: str, before: int) -> bytes:
        return PAGE if before else answer(status=503, Retry_After="3600")

    with serving({"/busy": busy, "/never": answer(status=429, Retry_After="1")}) as site:
        settings = {**LOOPBACK, "RETRY_TIMES": 2, "NEWSCRAWL_RETRY_AFTER_MAX_SECONDS": 1}
        run = crawl_all(tmp_path, f"{site.url}/busy", f"{site.url}/never", **settings)
    assert [item["url"] for item in run.items] == [f"{site.url}/busy"]
    assert site.asked["/never"] == 3
    assert run.stats["newscrawl/http_error/429"] == 1
    assert run.stats["newscrawl/retry_after/answers"] == 4
    assert run.stats["elapsed_time_seconds"] >= 2


def test_a_host_that_asks_to_wait_for_long_is_left_for_the_next_run(tmp_path: Path) -> None:
    """The other host's pages are stored and the crawl ends; the next run asks for what was put off."""
    is_busy = True

    def moody(_path: str, _before: int) -> bytes:
        return answer(status=429, Retry_After="3600") if is_busy else PAGE

    settings = {
        **LOOPBACK,
        "RETRY_TIMES": 2,
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path / 'wait.sqlite'}",
        "NEWSCRAWL_FRONTIER_CRAWL": "w",
    }
    with serving({"/robots.txt": answer(status=404), "/busy/*": moody, "/fine/*": PAGE}) as site:
        busy = [f"http://localhost:{site.port}/busy/{n}" for n in range(30)]
        run = crawl_all(tmp_path, *busy, *(f"{site.url}/fine/{n}" for n in range(5)), **settings)
        assert run.status == 0
        assert {item["url"] for item in run.items} == {f"{site.url}/fine/{n}" for n in range(5)}
        assert run.stats["elapsed_time_seconds"] < 45
        assert run.stats["finish_reason"] == "finished"
        assert "Left for the next run, as they asked to wait: localhost" in run.log
        assert sum(site.asked[f"/busy/{n}"] for n in range(30)) < 20
        assert "newscrawl/http_error/429" not in run.stats
        is_busy = False
        with sqlite3.connect(tmp_path / "wait.sqlite") as database:
            states = dict(database.execute("SELECT state, count(*) FROM frontier GROUP BY state").fetchall())
            assert states == {"queued": 30, "done": 5}
            database.execute("UPDATE frontier_hosts SET free_at = NULL")
        again = crawl_all(tmp_path, *busy, **settings)
    assert {item["url"] for item in again.items} == set(busy)


def test_addresses_that_no_redirect_may_lead_to_are_counted_in_a_line_each(tmp_path: Path) -> None:
    targets = [
        "http://foo@127.0.0.2:P@127.0.0.1/",
        f"/{'x' * 12_000}",
        "http://a@b@127.0.0.1/",
        "http://user:p:q@127.0.0.1:x/",
    ]
    pages = {f"/{n}": answer(status=302, Location=target) for n, target in enumerate(targets)}
    with serving({"/robots.txt": answer(status=404), **pages, "*": PAGE}) as site:
        run = crawl_all(tmp_path, *(f"{site.url}/{n}" for n in range(len(targets))), **LOOPBACK)
    assert run.items == []
    assert "Traceback" not in run.log
    assert max(map(len, run.log.splitlines())) < 2_000
    assert run.stats["newscrawl/rejected/url_too_long"] == 1
    assert run.stats["newscrawl/rejected/bad_url"] == 3


def test_a_database_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    database = tmp_path / "kept.sqlite"
    Storage.open(f"sqlite:///{database}").close()
    settings: dict[str, object] = {"NEWSCRAWL_DATABASE": f"sqlite:///file:{database}?mode=ro&uri=true"}
    run = crawl(tmp_path, "crawl", "site", "-a", "url=http://www.example.org/", settings=settings)
    assert run.status != 0
    assert "Traceback" not in run.log
    assert "attempt to write a readonly database" in run.log
