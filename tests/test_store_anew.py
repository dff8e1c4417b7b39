"""Stored articles that are read anew: what is read now replaces what is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from newscrawl.items import Author, PageType
from newscrawl.links.gate import Gate
from newscrawl.links.rules import Wanted
from newscrawl.outcomes import Outcome
from newscrawl.serve.browse import newest_edits
from newscrawl.serve.search.index import catch_up
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.search.search import search
from newscrawl.sites.model import site_from_url
from newscrawl.store import PageRecord
from newscrawl.store.articles import correct_dates
from newscrawl.store.engine import writing
from newscrawl.store.export import Selection, read_articles, read_revisions
from newscrawl.store.harvests import read_before, urls_of_site
from newscrawl.store.schema import article_revisions, articles, sites
from newscrawl.store.storage import write_batch
from tests.records import NOW, PUBLISHED, chinese, stored

if TYPE_CHECKING:
    from sqlalchemy import Engine

URL = "https://e.org/1"
LATER = NOW + timedelta(days=1, microseconds=123_456)


def read(body: str = chinese(1), url: str = URL, *, anew: bool = True, **fields: Any) -> PageRecord:
    record = stored(url, body, fetched_at=LATER if anew else NOW, **fields)
    return replace(record, body_hash="a", anew=anew)


def write(engine: Engine, *records: PageRecord) -> list[tuple[str | None, int | None]]:
    with writing(engine) as connection:
        return [(verdict.change, verdict.revision) for verdict in write_batch(connection, records)]


def row(engine: Engine, url: str = URL) -> Any:
    with engine.connect() as connection:
        return connection.execute(select(articles).where(articles.c.url == url)).one()


def n_revisions(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(article_revisions)).scalar_one()


def exported(engine: Engine, after: int) -> list[str]:
    with engine.connect() as connection:
        return [found["url"] for found in read_articles(connection, Selection(after=after))]


def test_what_is_read_as_before_is_unchanged(engine: Engine) -> None:
    exact: dict[str, Any] = {"dateModified": PUBLISHED + timedelta(microseconds=123_456), "confidence": 1 / 3}
    write(engine, read(anew=False, **exact))
    before = row(engine)
    assert write(engine, read(**exact | {"confidence": 1 / 3 + 1e-9})) == [("unchanged", 1)]
    assert row(engine).change_number == before.change_number
    assert row(engine).fetched_at > before.fetched_at


def test_other_facts_take_the_place_of_those_before(engine: Engine) -> None:
    write(engine, read(anew=False), read(chinese(2), "https://e.org/2", anew=False))
    before = row(engine)
    last = row(engine, "https://e.org/2").change_number
    mended: dict[str, Any] = {"datePublished": PUBLISHED - timedelta(hours=6), "authors": (Author(name="Li"),)}
    sources: dict[str, Any] = {"headline": "rule", "datePublished": "rule"}
    assert write(engine, read(anew=False, **mended)) == [("unchanged", 1)], "as the page was read stays, else"
    assert write(engine, read(**mended, fieldSources=sources)) == [("changed", 1)]
    after = row(engine)
    assert after.date_published_utc == PUBLISHED - timedelta(hours=6)
    assert ([one["name"] for one in after.authors], after.field_sources) == (["Li"], sources)
    assert (after.id, after.first_fetched_at, after.simhash) == (before.id, before.first_fetched_at, before.simhash)
    assert n_revisions(engine) == 0
    assert exported(engine, last) == [URL]
    assert write(engine, read(**mended, fieldSources=sources)) == [("unchanged", 1)]


def test_another_text_of_the_same_bytes_is_a_revision(engine: Engine) -> None:
    write(engine, read(anew=False))
    assert write(engine, read(chinese(2))) == [("changed", 2)]
    assert (row(engine).article_body, n_revisions(engine)) == (chinese(2), 1)
    write(engine, replace(read(chinese(3)), anew=False, body_hash="b"))
    with engine.connect() as connection:
        edits = [(edit["revision"], bool(edit["changed"])) for edit in read_revisions(connection, Selection())]
        shown = [edit["revision"] for _, edit in newest_edits(connection, None, 9)]
    assert edits == [(1, False), (2, True)], "another reading is no change of the site's"
    assert shown == [2]
    write(engine, read(chinese(3), "https://e.org/copy", anew=False))
    assert row(engine, "https://e.org/copy").duplicate_of == URL, "found by its new text"


def test_the_index_follows_the_facts(engine: Engine) -> None:
    write(engine, read(anew=False))
    sum(catch_up(engine))
    write(engine, read(authors=(Author(name="Ernestine"),)))
    sum(catch_up(engine))
    write(engine, read(chinese(2), authors=(Author(name="Ernestine"),)))  # SQLite must be told what its index holds
    sum(catch_up(engine))
    with engine.connect() as connection:
        n_found = {name: len(search(connection, parse_query(f"author:{name}")).hits) for name in ("Ernestine", "张三")}
    assert n_found == {"Ernestine": 1, "张三": 0}


def test_what_is_no_article_any_more_is_gone(engine: Engine) -> None:
    write(engine, read(anew=False), read(url="https://e.org/copy", anew=False))
    hub = PageRecord(
        url=URL, outcome=Outcome.NOT_ARTICLE, reason="hub", status=200, page_type=PageType.HUB, fetched_at=LATER
    )
    write(engine, hub)
    assert row(engine).gone_at is None, "only a reading anew takes articles away"
    last = row(engine, "https://e.org/copy").change_number
    write(engine, replace(hub, reason="script_only", anew=True))
    assert row(engine).gone_at is None, "a page that could not be read says nothing"
    write(engine, replace(hub, anew=True))
    assert row(engine).gone_at is not None
    assert row(engine, "https://e.org/copy").duplicate_of is None, "the text is still there, elsewhere"
    assert URL in exported(engine, last)
    write(engine, PageRecord(url=URL, outcome=Outcome.DUPLICATE, status=304, fetched_at=LATER))
    assert row(engine).gone_at is not None, "as it was: no article"
    assert write(engine, read(headline="New", description="x")) == [("changed", 2)]
    assert row(engine).gone_at is None


def test_one_that_comes_back_with_other_facts_stands_before_its_copy(engine: Engine) -> None:
    write(engine, read(anew=False), read(url="https://e.org/copy", headline=f"头条 {URL}", anew=False))
    write(engine, PageRecord(url=URL, outcome=Outcome.HTTP_ERROR, status=404, fetched_at=LATER))
    assert row(engine, "https://e.org/copy").duplicate_of is None
    assert write(engine, read(section="News")) == [("changed", 1)]
    assert (row(engine).gone_at, row(engine, "https://e.org/copy").duplicate_of) == (None, URL)


def test_a_named_site_takes_over_what_the_crawl_of_an_address_stored(engine: Engine) -> None:
    write(engine, replace(read(anew=False), site="e.org"))
    assert write(engine, read(anew=False, section="News")) == [("changed", 1)]
    assert (row(engine).site, row(engine).section) == ("example", "News")
    assert write(engine, replace(read(anew=False), site="other")) == [("unchanged", 1)]
    assert row(engine).site == "example", "two sites of one host do not take articles from each other"
    assert write(engine, replace(read(anew=False), site="e.org")) == [("unchanged", 1)]
    assert write(engine, replace(read(), site="other")) == [("changed", 1)]
    assert row(engine).site == "other"


def test_the_articles_of_a_site_are_its_own_and_those_of_its_hosts(engine: Engine) -> None:
    names = {"https://e.org/1": "example", "https://e.org/2": "e.org", "https://f.org/3": "f.org"}
    for number, (url, name) in enumerate(names.items()):
        write(engine, replace(read(chinese(number), url, anew=False), site=name))
    with writing(engine) as connection:
        named = [{"name": name, "hosts": [], "seeds": []} for name in (*names.values(), "e.org and 2 more")]
        connection.execute(sites.insert(), named)
        found = urls_of_site(connection, "example", lambda url: url.startswith("https://e.org/"))
    assert sorted(found) == ["https://e.org/1", "https://e.org/2"]


def test_what_earlier_runs_read_is_told_with_its_copies(engine: Engine) -> None:
    for number in range(3):
        for session in ("9f86d081884c7d65", "1b4f0e9851971998"):
            url = f"https://e.org/s/{session}/{number}.html"
            write(engine, replace(read(chinese(number), url, anew=False, headline=f"头条 {number}"), site="example"))
    with writing(engine) as connection:
        known = read_before(connection, "example", lambda _: True)
    gate = Gate(site_from_url("https://e.org/"), Wanted())
    gate.recall(known)
    others = [f"https://e.org/s/{session}/7.html" for session in ("5d41402abc4b2a76", "b9719d911017c592")]
    asked = set(map(gate.site.clean_url, others))
    assert len(known) == 6
    assert len(asked) == 1
    assert not any(url in gate.recent for url in asked), "nothing of this run is judged yet"


@pytest.mark.parametrize(
    ("raw", "source", "hours", "is_corrected"),
    [
        ("3小时前", "visible", 0.4, True),
        ("昨天 21:42", "visible", -2, True),
        ("2024-03-05 10:00", "visible", 0.4, False),
        ("3 hours ago", "visible", 50, False),
        ("2024-03-05", "url", 0.4, True),
    ],
)
def test_a_feed_read_later_corrects_a_date_without_a_year(
    engine: Engine, raw: str, source: str, hours: float, *, is_corrected: bool
) -> None:
    write(engine, read(anew=False, datePublishedRaw=raw, fieldSources={"datePublished": source}))
    before, told = row(engine), PUBLISHED + timedelta(hours=hours)
    with writing(engine) as connection:
        correct_dates(connection, {URL: told.astimezone(UTC), "https://e.org/none": told})
    after = row(engine)
    assert after.date_published == (told.isoformat() if is_corrected else before.date_published)
    assert (after.field_sources["datePublished"] == "hint") is is_corrected
    assert (after.change_number > before.change_number) is is_corrected
