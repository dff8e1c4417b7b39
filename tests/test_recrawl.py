"""The demo harvested day after day: the new is stored, the changed gets a revision, the unchanged costs nothing."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import bindparam, select, update

from newscrawl.store.engine import make_engine, writing
from newscrawl.store.export import Selection, read_articles, read_revisions
from newscrawl.store.schema import NEVER, articles, frontier, pages
from tests.archives import write_warc
from tests.conftest import PROJECT
from tests.crawling import Crawl, crawl

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

DEMO = PROJECT / "data" / "demo"
FIRST, BOTH = f"{DEMO}/demo.warc.gz", f"{DEMO}/demo.warc.gz,{DEMO}/demo2.warc.gz"


def truth(name: str) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]
    return {row["url"]: row for row in rows}


def harvest(folder: Path, archives: str, *options: str) -> Crawl:
    database = f"sqlite:///{folder}/news.sqlite"
    settings: dict[str, object] = {"NEWSCRAWL_REPLAY": archives, "NEWSCRAWL_DATABASE": database}
    done = crawl(folder, "crawl", "sina", *options, settings=settings | {"LOG_LEVEL": "WARNING"}, seconds=300)
    assert done.stats["finish_reason"] == "finished", done.log
    return done


def pass_time(folder: Path, span: timedelta) -> None:
    """Let every visit that is planned come nearer by the span."""
    engine = make_engine(f"sqlite:///{folder}/news.sqlite")
    due = frontier.c.next_fetch_at
    with writing(engine) as connection:
        rows = connection.execute(select(frontier.c.id, due).where(due < NEVER)).all()
        values = [{"b_id": row.id, "at": row.next_fetch_at - span} for row in rows]
        connection.execute(
            update(frontier).where(frontier.c.id == bindparam("b_id")).values(next_fetch_at=bindparam("at")), values
        )
    engine.dispose()


def column(folder: Path, query: Any) -> list[Any]:
    engine = make_engine(f"sqlite:///{folder}/news.sqlite")
    with engine.connect() as connection:
        found = list(connection.execute(query).scalars())
    engine.dispose()
    return found


def answers(run: Crawl, status: int) -> int:
    n: int = run.stats.get(f"downloader/response_status_count/{status}", 0)
    return n


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the first edition harvested."""
    folder = tmp_path_factory.mktemp("first")
    run = harvest(folder, FIRST)
    assert answers(run, 304) == 0
    return folder


@pytest.fixture
def folder(first: Path, tmp_path: Path) -> Path:
    shutil.copy(first / "news.sqlite", tmp_path / "news.sqlite")
    return tmp_path


def test_again_at_once_costs_only_the_hubs_it_begins_with(folder: Path) -> None:
    run = harvest(folder, FIRST)
    assert answers(run, 200) == 0
    assert 0 < answers(run, 304) <= 20
    assert run.items == []


def test_all_of_an_unchanged_site_again(folder: Path) -> None:
    before = column(folder, select(articles.c.url))
    run = harvest(folder, FIRST, "-a", "mode=all")
    # robots.txt files, pages of joined articles, few more days of the calendar without end
    assert answers(run, 200) <= 0.06 * run.stats["downloader/response_count"]
    assert answers(run, 304) > 500
    assert column(folder, select(articles.c.url)) == before, "nothing stored twice"
    assert not any(run.stats.get(f"newscrawl/store/{change}") for change in ("new", "revisions"))
    validators = select(pages.c.url).where(pages.c.etag.is_not(None))
    assert len(column(folder, validators)) > 300, "a 304 leaves what the body gave"


def test_again_reads_anew_what_is_stored(folder: Path) -> None:
    def facts() -> dict[str, Any]:
        return {url: column(folder, select(articles.c.section).where(articles.c.url == url)) for url in wrong}

    wrong = column(folder, select(articles.c.url).where(articles.c.duplicate_of.is_(None)).limit(5))
    before, numbers = facts(), column(folder, select(articles.c.change_number))
    engine = make_engine(f"sqlite:///{folder}/news.sqlite")
    with writing(engine) as connection:
        these = update(articles).where(articles.c.url.in_(wrong))
        connection.execute(these.values(section="Astrology", site="news.sina.com.cn"))
    engine.dispose()
    run = harvest(folder, FIRST, "-a", "mode=again")
    assert answers(run, 304) == 0
    # the five, first articles that are read better with the site known, and those whose date a feed was first to say
    assert 5 <= run.stats["newscrawl/store/revisions"] <= 0.2 * len(numbers)
    assert run.stats["newscrawl/store/unchanged"] >= 0.8 * len(numbers)
    assert len(column(folder, select(articles.c.url).where(articles.c.revision > 1))) <= 15, "few texts change"
    assert not run.stats.get("newscrawl/store/new")
    assert run.stats["newscrawl/store/gone"] == 0
    assert facts() == before
    mended = select(articles.c.url).where(articles.c.url.in_(wrong))
    assert set(column(folder, mended.where(articles.c.revision == 1, articles.c.site == "sina"))) == set(wrong)
    moved = set(column(folder, select(articles.c.url).where(articles.c.change_number > max(numbers))))
    assert set(wrong) <= moved, "what an export since then gives"


def test_the_second_edition(folder: Path) -> None:
    changes = truth("truth2.jsonl")
    of = {kind: {url for url, row in changes.items() if row["change"] == kind} for kind in ("new", "changed", "gone")}
    pass_time(folder, timedelta(days=8))
    run = harvest(folder, BOTH)
    new = set(column(folder, select(articles.c.url))) & changes.keys() - of["changed"] - of["gone"]
    assert new == of["new"]
    assert set(column(folder, select(articles.c.url).where(articles.c.revision > 1))) == of["changed"]
    assert set(column(folder, select(articles.c.url).where(articles.c.gone_at.is_not(None)))) == of["gone"]
    assert run.stats["newscrawl/store/new"] == 12
    assert run.stats["newscrawl/store/revisions"] == 10
    unchanged = run.stats["newscrawl/recrawl/not_modified"]
    without_need = answers(run, 200) - len(changes.keys() - of["gone"])
    assert without_need <= 0.05 * (unchanged + without_need)
    engine = make_engine(f"sqlite:///{folder}/news.sqlite")
    with engine.connect() as connection:
        revisions = list(read_revisions(connection, Selection()))
        texts = {row["url"]: row["articleBody"] for row in read_articles(connection, Selection())}
    engine.dispose()
    for row in revisions:
        came = changes[row["url"]]["text"].splitlines()[-1]
        assert f"+ {came}" in row["diff"]
        assert came in texts[row["url"]]
    short = [row for row in revisions if len(row["diff"]) <= 3]
    assert len(short) >= 7, "the rest is as it was, where the extractor sees both texts alike"


def test_only_what_is_new(folder: Path) -> None:
    changes = truth("truth2.jsonl")
    pass_time(folder, timedelta(days=8))
    run = harvest(folder, BOTH, "-a", "mode=new")
    assert {item["url"] for item in run.items} == {url for url, row in changes.items() if row["change"] == "new"}
    assert "newscrawl/store/revisions" not in run.stats


def test_dead_feeds_and_sitemaps_are_retired(folder: Path) -> None:
    feeds = select(frontier.c.url).where(frontier.c.kind.in_(["feed", "sitemap"]), frontier.c.next_fetch_at == NEVER)
    assert column(folder, feeds) == []
    engine = make_engine(f"sqlite:///{folder}/news.sqlite")
    with writing(engine) as connection:
        dying = update(frontier).where(frontier.c.kind == "feed").values(n_failures=4)
        connection.execute(dying)
    engine.dispose()
    nothing = folder / "nothing.warc.gz"
    write_warc(nothing, {"url": "https://news.sina.com.cn/robots.txt", "body": b"User-agent: *"})
    pass_time(folder, timedelta(days=1))
    harvest(folder, str(nothing))
    dead = column(folder, feeds)
    assert len(dead) == 5
    assert all("rss" in url for url in dead)


def test_more_is_wanted_than_before(tmp_path: Path) -> None:
    few = harvest(tmp_path, FIRST, "-a", "since=2025-11-19")
    assert 0 < len(few.items) < 150
    more = harvest(tmp_path, FIRST, "-a", "since=2025-11-10")
    assert answers(more, 304) < 20, "bodies of hubs are needed"
    assert len(more.items) > len(few.items)
    assert not {item["url"] for item in few.items} & {item["url"] for item in more.items}


def test_again_takes_out_what_the_article_patterns_do_not_name(tmp_path: Path) -> None:
    text = "<p>The old bridge over the river is closed for a year, she said, and the town has no money for number {}."
    page = "<title>{0}</title><h1>{0}</h1><p>2024-05-06</p>{1}"
    names = ("Bridge closes for good", "Mayor opens a new school", "Our apps for reading")
    paths = ("/2024/05/bridge-closes.html", "/2024/05/mayor-opens.html", "/apps/")
    home = "<h1>News</h1>" + "".join(f"<li><a href={path}>{name}</a>" for path, name in zip(paths, names, strict=True))
    pages_of = {"/": home} | {
        path: page.format(name, "".join(text.format(f"{name} {n}") * 3 for n in range(6)))
        for path, name in zip(paths, names, strict=True)
    }
    host = "https://www.e-example.org"
    records = [{"url": host + path, "body": body.encode()} for path, body in pages_of.items()]
    archive = write_warc(tmp_path / "site.warc.gz", *records)
    sites = tmp_path / "sites"
    sites.mkdir()
    described = f'title = "E"\nhosts = ["www.e-example.org"]\nseeds = ["{host}/"]\n'
    settings: dict[str, object] = {
        "NEWSCRAWL_REPLAY": archive,
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/news.sqlite",
        "NEWSCRAWL_SITES_DIR": sites,
    }
    there = select(articles.c.url).where(articles.c.gone_at.is_(None))
    (sites / "e.toml").write_text(described, encoding="utf-8")
    crawl(tmp_path, "crawl", "e", settings=settings)
    assert sorted(column(tmp_path, there)) == [host + path for path in paths]
    (sites / "e.toml").write_text(described + "article_patterns = ['/\\d{4}/\\d{2}/']\n", encoding="utf-8")
    crawl(tmp_path, "crawl", "e", "-a", "mode=again", settings=settings)
    assert sorted(column(tmp_path, there)) == [host + path for path in paths[:2]]
    assert len(column(tmp_path, select(articles.c.url))) == 3, "the row stays"
