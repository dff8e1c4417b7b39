"""One crawl over a site that does everything wrong: it ends by itself, good pages are stored, the rest is counted."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from backports import zstd

from tests.crawling import Crawl, crawl
from tests.hostile import Site, answer, serving, zipped
from tests.newspages import SUBJECTS, article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile import Handler


def calendar(path: str, _before: int) -> bytes:
    """Every month has a next one."""
    year, month = map(int, path.rstrip("/").split("/")[-2:])
    year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return answer(f"<html><body><a href='/calendar/{year}/{month:02}/'>next month</a></body></html>")


def endless(path: str, _before: int) -> bytes:
    return answer(status=302, Location=f"/loop/{int(path.rsplit('/', 1)[1]) + 1}")


def busy(_path: str, before: int) -> bytes:
    return answer(article(7)) if before else answer("slow down", 429, Retry_After="1")


GOOD: dict[str, bytes | Handler | None] = {
    "/2024/0301/plain.html": answer(article(0)),
    "/2024/0302/gbk.html": answer(article(1).encode("gb18030"), content_type="text/html; charset=iso-8859-1"),
    "/2024/0303/nul.html": answer(article(2).replace("<p>", "<p>\0").encode()),
    "/2024/0304/zipped.html": answer(zipped(article(3).encode()), Content_Encoding="gzip"),
    "/2024/0305/text.html": answer(article(4), content_type="text/plain"),
    "/2024/0306/claims-big5.html": answer(article(5), content_type="text/html; charset=big5"),
    "/2024/0307/untyped.html": answer(article(6), content_type=None),
    "/2024/0308/busy.html": busy,
}
_WHOLE = article(8).encode()
BAD: dict[str, tuple[bytes | Handler | None, str]] = {
    "/2024/0309/truncated.html": (
        answer(zipped(_WHOLE)[: len(zipped(_WHOLE)) // 2], Content_Encoding="gzip"),
        "rejected/broken",
    ),
    "/2024/0310/short.html": (answer(_WHOLE, length=len(_WHOLE) + 100), "rejected/broken"),
    "/2024/0311/bomb.html": (answer(zipped(b" " * 50 * 2**20), Content_Encoding="gzip"), "rejected/too_large"),
    "/2024/0311/members.html": (answer(zipped(b"") * 500_000, Content_Encoding="gzip"), "rejected/broken"),
    "/2024/0311/frames.html": (answer(zstd.compress(b"") * 1_000_000, Content_Encoding="zstd"), "rejected/broken"),
    "/2024/0312/large.html": (answer(b"<p>" + b"x" * 17 * 2**20), "rejected/too_large"),
    "/2024/0313/empty.html": (answer(b""), "rejected/empty"),
    "/2024/0314/report.html": (answer(b"%PDF-1.7\n" + bytes(range(256)) * 40), "rejected/not_html"),
    "/2024/0315/binary.html": (answer(bytes(range(256)) * 400), "rejected/not_html"),
    "/2024/0316/reset.html": (None, "failed/connection"),
    "/loop/1": (endless, "rejected/redirect_loop"),
    "/secret/page.html": (answer(article(8)), "rejected/robots"),
    "/gone.html": (answer("no", 410), "http_error/410"),
    "/broken.html": (answer("no", 500), "http_error/500"),
}
ODD: dict[str, bytes | Handler | None] = {
    "/robots.txt": answer("User-agent: *\nDisallow: /secret/\n", content_type="text/plain"),
    "/deep.html": answer(b"<html><body>" + b"<div>" * 20_000 + b"x" + b"</div>" * 20_000 + b"</body></html>"),
    "/deeper.html": answer(b"<html><body>" + b"<b>" * 100_000 + b"x</body></html>"),
    "/calendar/*": calendar,
    "/loop/*": endless,
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    links = "".join(f"<li><a href='{path}'>{path}</a></li>" for path in [*GOOD, *BAD, "/deep.html", "/deeper.html"])
    home = f"<html><body><ul>{links}</ul><a href='/calendar/2024/01/'>calendar</a></body></html>"
    bad = {path: page for path, (page, _) in BAD.items()}
    with serving({"/": answer(home), **GOOD, **bad, **ODD}) as running:
        yield running


@pytest.fixture(scope="module")
def run(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    folder = tmp_path_factory.mktemp("bad_input")
    settings = {
        "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
        "NEWSCRAWL_DATABASE": f"sqlite:///{folder}/bad.sqlite",
        "AUTOTHROTTLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
    }
    return crawl(folder, "crawl", "site", "-a", f"url={site.url}/", settings=settings)


def test_it_ends_by_itself(run: Crawl) -> None:
    assert run.status == 0
    assert run.stats["finish_reason"] == "finished"
    assert "Traceback" not in run.log
    assert run.counts("spider_exceptions/") == {}


def test_every_good_page_is_stored(run: Crawl, site: Site) -> None:
    stored = {item["url"].removeprefix(site.url): item for item in run.items}
    assert set(stored) == set(GOOD)
    for n, path in enumerate(GOOD):
        assert SUBJECTS[n] in stored[path]["headline"]
        assert stored[path]["articleBody"].count(SUBJECTS[n]) >= 24
        assert "\0" not in stored[path]["articleBody"]
    assert run.stats["newscrawl/outcome/stored"] == len(GOOD)


def test_every_refusal_is_counted_with_its_reason(run: Crawl) -> None:
    reasons = [reason for _, reason in BAD.values()]
    for reason in set(reasons):
        assert run.stats.get(f"newscrawl/{reason}") == reasons.count(reason), reason


def test_the_calendar_ends(run: Crawl, site: Site) -> None:
    months = sum(n for path, n in site.asked.items() if path.startswith("/calendar/"))
    assert 1 <= months <= 500
    assert run.stats["newscrawl/rejected/trap"] >= 1


def test_deep_pages_are_pages(run: Crawl, site: Site) -> None:
    assert site.asked["/deep.html"] == 1
    assert site.asked["/deeper.html"] == 1
    assert "failed on" not in run.log


def test_the_busy_host_was_left_alone(run: Crawl, site: Site) -> None:
    assert site.asked["/2024/0308/busy.html"] == 2
    assert run.stats["newscrawl/retry_after/seconds"] == 1


def test_each_url_ended_once(run: Crawl, site: Site) -> None:
    asked = {site.url + path for path in site.asked} - {f"{site.url}/robots.txt"} | {f"{site.url}/secret/page.html"}
    with sqlite3.connect(run.folder / "bad.sqlite") as database:
        rows = database.execute("select url, outcome from pages").fetchall()
    database.close()
    ended = {url for url, _ in rows}
    assert asked - ended == set()
    assert len(ended) == len(rows)
    assert sum(run.counts("newscrawl/outcome/").values()) == len([url for url in ended if url in asked]) + 1
