"""Crawls of multi-page articles from a WARC file, through the real pipelines."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from newscrawl.frontier.membership import bury_dead
from newscrawl.store.command import existing_database
from newscrawl.store.engine import now, writing
from newscrawl.store.schema import articles, frontier_workers, pages
from tests.archives import write_warc
from tests.conftest import PROJECT
from tests.crawling import crawl
from tests.logged_server import LoggedServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawling import Crawl

SITE = "http://news.example.org"
SENTENCE = (
    "记者在第{page}页第{n}段写道，当地居民对新建的第{n}座图书馆表示欢迎，认为它方便了第{page}个街区的读者借阅图书。"
)


def paragraphs(page: int, count: int = 6, *, title: str = "") -> list[str]:
    return [title + SENTENCE.format(page=page, n=n) for n in range(1, count + 1)]


def article(title: str, texts: list[str], links: str = "", head: str = "") -> bytes:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html lang=zh><head><meta charset=utf-8><title>{title}_示例新闻</title>{head}</head><body>"
        f"<div class=nav><a href=/>首页</a></div><h1>{title}</h1>"
        f"<div class=info>2024年3月5日 10:20 来源：示例日报 作者：王小明</div>"
        f"<div class=content>{body}</div><div class=pages>{links}</div>"
        "<div class=footer>版权所有 示例新闻</div></body></html>"
    ).encode()


def hub(*paths: str) -> bytes:
    items = "".join(f"<li><a href={path}>新闻标题列表第{n}条：城市建设进展</a></li>" for n, path in enumerate(paths))
    return f"<html lang=zh><head><title>示例新闻</title></head><body><ul>{items}</ul></body></html>".encode()


def harvest(folder: Path, pages: dict[str, bytes], **settings: object) -> Crawl:
    records = [{"url": SITE + path, "body": body} for path, body in pages.items()]
    archive = write_warc(folder / "site.warc.gz", *records)
    given = {
        "NEWSCRAWL_REPLAY": archive,
        "NEWSCRAWL_DATABASE": f"sqlite:///{folder / 'crawl.sqlite'}",
        "LOG_LEVEL": "INFO",
        **settings,
    }
    return crawl(folder, "crawl", "site", "-a", f"url={SITE}/", settings=given)


STORY = "/2024/0305/c1001-40001234"
PARTS_OF_STORY = {f"{STORY}.html": "stored", f"{STORY}_2.html": "part", f"{STORY}_3.html": "part"}


def three_pages(*, repeating: bool = True, story: str = STORY, title: str = "新图书馆开放") -> dict[str, bytes]:
    """Page 1 links to 2, 2 to 3; each later page repeats the last paragraph of the one before, if ``repeating``."""
    first, second, third = (paragraphs(page, title=title) for page in (1, 2, 3))
    n_repeated = int(repeating)
    return {
        "/": hub(f"{story}.html"),
        f"{story}.html": article(title, first, f"1 <a href={story}_2.html>2</a> <a href={story}_2.html>下一页</a>"),
        f"{story}_2.html": article(
            title,
            [*first[6 - n_repeated :], *second],
            f"<a href={story}.html>上一页</a> <a href={story}_3.html>下一页</a>",
        ),
        f"{story}_3.html": article(
            title,
            [*second[6 - n_repeated :], *third],
            f"<a href={story}_2.html>上一页</a> <a href=/other>下一篇</a>",
        ),
    }


#: Ways in which parts of an article are met, each a story of its own.
TITLES = {
    "in order": "新图书馆开放",
    "cut": "老码头重新启用",
    "from the middle": "山村小学迎来新教师",
    "whole": "古桥修缮工程完工",
}
STORIES = {name: f"{STORY}{n}" for n, name in enumerate(TITLES)}


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """One crawl of all stories."""
    site: dict[str, bytes] = {}
    for name, story in STORIES.items():
        site |= three_pages(story=story, title=TITLES[name])
    cut, middle, whole = (STORIES[name] for name in ("cut", "from the middle", "whole"))
    del site[f"{cut}_3.html"]
    title = TITLES["whole"]
    links = f"<a href={whole}_2.html>下一页</a> <a href={whole}_all.html>阅读全文</a>"
    site[f"{whole}.html"] = article(title, paragraphs(1, title=title), links)
    site[f"{whole}_all.html"] = article(title, whole_text(title))
    in_the_middle = [f"{middle}_2.html", f"{middle}.html", f"{middle}_3.html"]
    others = (f"{story}.html" for story in STORIES.values() if story != middle)
    site["/"] = hub(*in_the_middle, *others)
    done = harvest(tmp_path_factory.mktemp("join"), site)
    assert done.status == 0, done.log
    assert len(done.items) == len(STORIES)
    return done


def whole_text(title: str) -> list[str]:
    return [paragraph for page in (1, 2, 3) for paragraph in paragraphs(page, title=title)]


def joined(done: Crawl, name: str) -> dict[str, Any]:
    (item,) = (item for item in done.items if item["headline"] == TITLES[name])
    return item


def test_three_pages_become_one_article(harvested: Crawl) -> None:
    story, found = STORIES["in order"], joined(harvested, "in order")
    assert found["url"] == f"{SITE}{story}.html"
    assert found["pages"] == [f"{SITE}{story}.html", f"{SITE}{story}_2.html", f"{SITE}{story}_3.html"]
    assert found["articleBody"].split("\n") == whole_text(TITLES["in order"])
    assert found["source"] == "示例日报"
    assert harvested.stats["newscrawl/outcome/stored"] == len(STORIES)


def test_missing_last_page_leaves_the_rest(harvested: Crawl) -> None:
    story = STORIES["cut"]
    assert joined(harvested, "cut")["pages"] == [f"{SITE}{story}.html", f"{SITE}{story}_2.html"]
    assert harvested.stats["newscrawl/join/incomplete"] == 1


def test_hub_that_links_to_a_middle_page_gives_the_article_once(harvested: Crawl) -> None:
    found = joined(harvested, "from the middle")
    assert found["articleBody"].split("\n") == whole_text(TITLES["from the middle"])


def test_whole_text_on_one_page_is_preferred(harvested: Crawl) -> None:
    found = joined(harvested, "whole")
    assert found["url"] == f"{SITE}{STORIES['whole']}.html"
    assert found["articleBody"].split("\n") == whole_text(TITLES["whole"])


def test_no_more_parts_are_joined_than_the_setting_says(tmp_path: Path) -> None:
    done = harvest(tmp_path, three_pages(), NEWSCRAWL_JOIN_MAX_PARTS=2)
    assert [len(item["pages"]) for item in done.items] == [2]
    assert done.stats["newscrawl/join/asked"] == 1
    assert done.stats["newscrawl/join/beyond"] == 1
    assert done.stats["newscrawl/join/incomplete"] == 1
    assert done.stats["newscrawl/outcome/part"] == 2


def test_parts_stay_apart_when_joining_is_off(tmp_path: Path) -> None:
    done = harvest(tmp_path, three_pages(), NEWSCRAWL_JOIN_ENABLED=False)
    assert len(done.items) == 3
    assert all(len(item["pages"]) == 1 for item in done.items)


@pytest.mark.slow
def test_a_visit_that_misses_a_part_leaves_the_article_as_it_was(tmp_path: Path, database: str) -> None:
    """It comes whole with the next visit, though the first page has not changed since; or with fewer pages, by then."""
    title, link = TITLES["in order"], f"<a href={STORY}_2.html>下一页</a>"
    whole = three_pages(repeating=False)
    news = [*paragraphs(1, title=title), "记者获悉，第四座图书馆将于明年春天在城南新区动工兴建，预计两年后开放。"]
    changed = whole | {f"{STORY}.html": article(title, news, f"1 {link}")}
    cut = {path: body for path, body in changed.items() if path != f"{STORY}_2.html"}
    last = article(title, paragraphs(2, title=title), f"<a href={STORY}.html>上一页</a>")
    short = {"/": whole["/"], f"{STORY}.html": article(title, news, link), f"{STORY}_2.html": last}
    texts = [whole_text(title), [*news, *whole_text(title)[6:]], [*news, *paragraphs(2, title=title)]]

    def visit(site: dict[str, bytes]) -> tuple[list[str], int, Crawl]:
        records = [{"url": SITE + path, "body": body, "headers": tagged(body)} for path, body in site.items()]
        archive = write_warc(tmp_path / "site.warc.gz", *records)
        settings: dict[str, object] = {"NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_DATABASE": database}
        done = crawl(tmp_path, "crawl", "site", "-a", f"url={SITE}/", "-a", "mode=all", settings=settings)
        ((row,), _) = stored(database)
        return row.article_body.split("\n"), row.revision, done

    assert visit(whole)[:2] == (texts[0], 1)
    text, revision, done = visit(cut)
    assert (text, revision) == (texts[0], 1)
    assert done.stats["newscrawl/join/incomplete"] == 1
    assert done.stats["newscrawl/store/unchanged"] == 1
    assert visit(changed)[:2] == (texts[1], 2)
    assert visit(short)[:2] == (texts[2], 3)


def tagged(body: bytes) -> list[tuple[str, str]]:
    return [("ETag", f'"{hashlib.sha256(body).hexdigest()}"'), ("Content-Type", "text/html; charset=utf-8")]


def test_an_article_met_by_a_later_page_is_looked_at_again(tmp_path: Path) -> None:
    site = three_pages(repeating=False) | {"/": hub(f"{STORY}_2.html")}
    title = TITLES["in order"]
    news = [*paragraphs(3, title=title), "记者获悉，第四座图书馆将于明年春天在城南新区动工兴建，预计两年后开放。"]
    done = harvest(tmp_path, site)
    assert [len(item["pages"]) for item in done.items] == [3]
    assert done.stats["newscrawl/join/asked"] == 2, "each of the others once"
    site[f"{STORY}_3.html"] = article(title, news, f"<a href={STORY}_2.html>上一页</a>")
    records = [{"url": SITE + path, "body": body} for path, body in site.items()]
    settings: dict[str, object] = {
        "NEWSCRAWL_REPLAY": write_warc(tmp_path / "later.warc.gz", *records),
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path / 'crawl.sqlite'}",
    }
    crawl(tmp_path, "crawl", "site", "-a", f"url={SITE}/", "-a", "mode=all", settings=settings)
    ((row,), ends) = stored(f"sqlite:///{tmp_path / 'crawl.sqlite'}")
    assert (row.article_body.split("\n"), row.revision) == ([*whole_text(title)[:12], *news], 2)
    assert row.body_hash is not None, "of all its pages: what comes again unchanged is no revision, whoever reads it"
    assert {path: end for path, end in ends.items() if path.startswith(STORY)} == PARTS_OF_STORY


class HeldSite:
    """Serves an article of three pages; what is ``held`` is answered when it is let go."""

    def __init__(self) -> None:
        self.held = ""
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def page(self, _host: str, path: str) -> str | None:
        if path == self.held:
            self.asked.set()
            assert self.let_go.wait(60)
        body = three_pages(repeating=False).get(path)
        return body.decode() if body is not None else None


def stored(database: str) -> tuple[list[Any], dict[str, str]]:
    """Return the articles, and each page's outcome by its path."""
    with existing_database(database) as engine, engine.connect() as connection:
        rows = list(connection.execute(select(articles)))
        ends = {f"/{row.url.split('/', 3)[3]}": row.outcome for row in connection.execute(select(pages))}
    return rows, ends


@pytest.mark.slow
@pytest.mark.parametrize("is_answered", [True, False], ids=["answered while it stops", "not answered"])
def test_a_crawl_stopped_while_a_part_is_missing_joins_it_when_it_goes_on(tmp_path: Path, *, is_answered: bool) -> None:
    site, database = HeldSite(), f"sqlite:///{tmp_path / 'crawl.sqlite'}"
    settings = {
        "NEWSCRAWL_DATABASE": database,
        "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "DOWNLOAD_TIMEOUT": 60 if is_answered else 3,
    }
    with LoggedServer(site.page).running() as server:
        words = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={server.url('127.0.0.1')}"]
        words += [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        site.held = f"{STORY}_2.html"
        with (tmp_path / "log").open("wb") as log, subprocess.Popen(words, cwd=PROJECT, stderr=log) as process:  # noqa: S603
            assert site.asked.wait(60)
            os.kill(process.pid, signal.SIGTERM)
            if is_answered:
                site.let_go.set()
            assert process.wait(60) == 0
        site.let_go.set()
        rows, ends = stored(database)
        assert rows == [], "nothing of it is stored before it is whole"
        assert not {f"{STORY}.html", f"{STORY}_2.html"} & ends.keys()
        site.held = ""
        subprocess.run(words, cwd=PROJECT, stderr=subprocess.DEVNULL, check=True, timeout=60)  # noqa: S603
    rows, ends = stored(database)
    assert [row.article_body.split("\n") for row in rows] == [whole_text(TITLES["in order"])]
    assert [row.revision for row in rows] == [1]
    assert {path: end for path, end in ends.items() if path.startswith(STORY)} == PARTS_OF_STORY


class TakenForDead:
    """Serves an article of three pages. While the first is under way, its worker is taken for dead, and asks again.

    So the first page comes twice, the second time while the article waits for the second page.
    """

    def __init__(self, database: str) -> None:
        self.database = database
        self.n_asked = 0
        self.asked_again = threading.Event()
        self.waits = threading.Event()
        self.came_again = threading.Event()

    def page(self, _host: str, path: str) -> str | None:
        if path == f"{STORY}.html":
            self.n_asked += 1
            if self.n_asked == 1:
                self.bury()
                assert self.asked_again.wait(60)
            else:
                self.asked_again.set()
                assert self.waits.wait(60)
                self.came_again.set()
        elif path == f"{STORY}_2.html":
            self.waits.set()
            assert self.came_again.wait(60)
            time.sleep(1)  # until the first page is read
        body = three_pages(repeating=False).get(path)
        return body.decode() if body is not None else None

    def bury(self) -> None:
        """Do what another worker does to one that is silent; go on when it has learnt of it."""
        with existing_database(self.database) as engine:
            with writing(engine) as connection:
                silent = {"leased_until": now(connection) - timedelta(seconds=1)}
                connection.execute(frontier_workers.update().values(silent))
                assert bury_dead(connection) >= 1
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with engine.connect() as connection:
                    if connection.execute(select(frontier_workers)).first() is not None:
                        return
                time.sleep(0.05)


@pytest.mark.slow
def test_a_page_that_comes_twice_ends_with_the_article_that_waits(tmp_path: Path, database: str) -> None:
    """It ended as a part of its own article before: a worker that was killed then had lost it."""
    site = TakenForDead(database)
    settings: dict[str, object] = {
        "NEWSCRAWL_DATABASE": database,
        "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
        "NEWSCRAWL_LEASE_SECONDS": 2,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "NEWSCRAWL_READERS": 0,  # pages are read in the order in which they come
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
    }
    with LoggedServer(site.page).running() as server:
        done = crawl(tmp_path, "crawl", "site", "-a", f"url={server.url('127.0.0.1')}", settings=settings)
    assert "others took the leases of this worker" in done.log
    assert site.n_asked == 2
    rows, ends = stored(database)
    assert [row.article_body.split("\n") for row in rows] == [whole_text(TITLES["in order"])]
    assert done.counts("newscrawl/outcome/").get("part") == 2, "the second and the third page, each once"
    assert {path: end for path, end in ends.items() if path.startswith(STORY)} == PARTS_OF_STORY


def test_the_pages_of_a_list_are_no_article_though_some_show_one_long_excerpt(tmp_path: Path) -> None:
    stories = {f"/2024/0305/s{n}.html": article(f"第{n}条消息", paragraphs(n)) for n in range(10, 34)}
    pager = "<a href=/>1</a> <a href=/index-2.html>2</a> <a href=/index-3.html>3</a> "
    second = f"{pager}<a href=/>上一页</a><a href=/index-3.html>下一页</a>"
    front = hub("/index-3.html", *stories).decode().replace("</ul>", f"</ul>{pager}<a href=/index-2.html>下一页</a>")
    pages = {
        "/": front.encode(),
        "/index-2.html": article("山城图书馆开放", paragraphs(40), second),
        "/index-3.html": article("山城图书馆开放", paragraphs(41), f"{pager}<a href=/index-2.html>上一页</a>"),
    }
    done = harvest(tmp_path, pages | stories)

    assert f"{SITE}/" not in {page for item in done.items for page in item["pages"]}
    assert {f"{SITE}{path}" for path in stories} <= {item["url"] for item in done.items}


@pytest.mark.slow
@pytest.mark.parametrize("n_lists", [1, 2])
def test_letters_with_numbers_are_no_pages_of_the_list_above_them(tmp_path: Path, n_lists: int) -> None:
    """``/letters/12/`` leads to the letter before it, and in its menu to ``/letters/``, whose links are pictures."""
    menu = "<a href=/letters/>所有来信</a> "
    names = "春雨 夏荷 秋月 冬雪 山桥 竹林 渡口 老街 茶馆 书院 集市 灯塔".split()
    pages = {
        f"/letters/{n}/": article(f"第{n}封信：{name}", paragraphs(n, 2), f"{menu}<a href=/letters/{n - 1}/>上一封</a>")
        for n, name in enumerate(names, 2)
    }
    covers = [f'<a href="{path}"><img src="{path}cover.jpg"></a>' for path in pages]
    pager = "<a href=/letters/page2/>2</a>" if n_lists > 1 else ""
    of_lists = {"/letters/": covers[: 12 // n_lists], "/letters/page2/": covers[6:]}
    lists = {
        path: f"<html><body>{menu}<h1>来信</h1><div>{''.join(of)}</div>{pager}</body></html>".encode()
        for path, of in list(of_lists.items())[:n_lists]
    }
    done = harvest(tmp_path, {"/": lists["/letters/"]} | lists | pages)
    joined = {item["url"].removeprefix(SITE): item["pages"] for item in done.items}
    assert joined == {path: [f"{SITE}{path}"] for path in pages}
