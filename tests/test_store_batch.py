from __future__ import annotations

import random
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, delete, func, select, text, update

from newscrawl.items import Article
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.page.segment import Block, BlockLabel
from newscrawl.store import LinkRecord, PageRecord, RecordEnd
from newscrawl.store.articles import settle_copies
from newscrawl.store.columns import MAX_URL_BYTES, stored_url
from newscrawl.store.engine import writing
from newscrawl.store.kept import MAX_COMPARED, KeptArticles
from newscrawl.store.records import article_row
from newscrawl.store.schema import article_revisions, articles, blocks, links, pages, simhash_bands
from newscrawl.store.storage import Record, write_batch
from tests.records import NOW, PUBLISHED, chinese, stored


def write(engine: Engine, *records: Record) -> list[RecordEnd | None]:
    with writing(engine) as connection:
        return write_batch(connection, records)


def rows(engine: Engine, query: Any) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.execute(query))


def test_article_has_a_column_for_every_field() -> None:
    def snake(name: str) -> str:
        return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)

    assert {snake(field.name) for field in fields(Article)} <= set(articles.c.keys())


def test_article_comes_back_as_given(engine: Engine) -> None:
    verdicts = write(engine, stored("https://e.org/1", chinese(1)))
    assert verdicts == [RecordEnd(outcome=Outcome.STORED, revision=1)]
    (row,) = rows(engine, select(articles))
    assert row.article_body == chinese(1)
    assert row.headline == "头条 https://e.org/1"
    assert row.date_published == "2024-03-05T10:20:00+08:00"  # the offset the page stated
    assert row.date_published_utc == PUBLISHED
    assert row.authors == [{"name": "张三", "nameRaw": None, "role": "reporter"}]
    assert (row.keywords, row.pages) == (["新闻", "测试"], ["https://e.org/1"])
    assert row.field_sources == {"headline": "json-ld"}
    assert row.main_image == "https://example.org/a.jpg"
    assert row.duplicate_of is None
    (page,) = rows(engine, select(pages))
    assert (page.outcome, page.status, page.page_type, page.encoding) == ("stored", 200, "article", "gb18030")
    assert page.fetched_at == NOW


def test_plain_sql_reads_it(engine: Engine) -> None:
    write(engine, stored("https://e.org/1", chinese(1)))
    assert rows(engine, text("SELECT headline, date_published FROM articles")) == [
        ("头条 https://e.org/1", "2024-03-05T10:20:00+08:00")
    ]


def test_outcome_of_a_url_is_replaced(engine: Engine) -> None:
    write(engine, PageRecord(url="https://e.org/1", outcome=Outcome.HTTP_ERROR, status=500, fetched_at=NOW))
    write(engine, PageRecord(url="https://e.org/1", outcome=Outcome.NOT_ARTICLE, status=200, fetched_at=NOW))
    assert [(row.outcome, row.status) for row in rows(engine, select(pages))] == [("not_article", 200)]


def test_later_record_of_a_batch_wins(engine: Engine) -> None:
    first = stored("https://e.org/1", chinese(1))
    gone = PageRecord(url="https://e.org/1", outcome=Outcome.HTTP_ERROR, status=410, fetched_at=NOW)
    verdicts = write(engine, first, gone, stored("https://e.org/1", chinese(2)))
    assert [verdict and verdict.revision for verdict in verdicts] == [1, None, 2]
    assert [row.outcome for row in rows(engine, select(pages))] == ["stored"]


def test_unchanged_article_only_gets_a_new_fetch_time(engine: Engine) -> None:
    later = NOW + timedelta(days=1)
    write(engine, stored("https://e.org/1", chinese(1)))
    (verdict,) = write(engine, stored("https://e.org/1", chinese(1), fetched_at=later))
    assert verdict == RecordEnd(outcome=Outcome.STORED, revision=1)
    (row,) = rows(engine, select(articles))
    assert (row.fetched_at, row.first_fetched_at, row.headline) == (later, NOW, "头条 https://e.org/1")
    assert rows(engine, select(article_revisions)) == []


def test_another_reading_of_the_same_bytes_is_no_change(engine: Engine) -> None:
    """A better extractor reads more out of every page; the site has not changed for that."""
    later = NOW + timedelta(days=1)
    write(engine, replace(stored("https://e.org/1", chinese(1)), body_hash="a"))
    (verdict,) = write(engine, replace(stored("https://e.org/1", chinese(2), fetched_at=later), body_hash="a"))
    assert verdict is not None
    assert (verdict.revision, verdict.change) == (1, "unchanged")
    (row,) = rows(engine, select(articles))
    assert (row.article_body, row.fetched_at) == (chinese(1), later)
    (verdict,) = write(engine, replace(stored("https://e.org/1", chinese(2), fetched_at=later), body_hash="b"))
    assert verdict is not None
    assert (verdict.revision, verdict.change) == (2, "changed")


def test_another_method_may_change_the_text_of_the_same_bytes(engine: Engine) -> None:
    write(engine, replace(stored("https://e.org/1", chinese(1)), body_hash="a"))
    (verdict,) = write(engine, replace(stored("https://e.org/1", chinese(2), method="fulltext"), body_hash="a"))
    assert verdict is not None
    assert (verdict.revision, verdict.change) == (2, "changed")


def test_another_headline_is_a_revision(engine: Engine) -> None:
    write(engine, replace(stored("https://e.org/1", chinese(1), headline="Storm comes"), body_hash="a"))
    (verdict,) = write(engine, replace(stored("https://e.org/1", chinese(1), headline="Storm is gone"), body_hash="b"))
    assert verdict is not None
    assert (verdict.revision, verdict.change) == (2, "changed")
    assert [row.headline for row in rows(engine, select(articles))] == ["Storm is gone"]
    assert [row.headline for row in rows(engine, select(article_revisions))] == ["Storm comes"]


def test_other_bytes_with_the_same_text_are_the_new_measure(engine: Engine) -> None:
    for body_hash in ("a", "b"):
        write(engine, replace(stored("https://e.org/1", chinese(1)), body_hash=body_hash))
    assert [row.body_hash for row in rows(engine, select(articles))] == ["b"]


def test_a_joined_article_that_comes_again_is_no_revision(engine: Engine) -> None:
    """Two workers may bring it, who know its host differently; the hash is of all its pages."""
    parts = ("https://e.org/1", "https://e.org/1_2")
    changes = []
    for seed, body_hash in ((1, "a"), (2, "a"), (2, "b"), (3, None)):
        (verdict,) = write(engine, replace(stored(parts[0], chinese(seed), pages=parts), body_hash=body_hash))
        assert verdict is not None
        changes.append(verdict.change)
    assert changes == ["new", "unchanged", "changed", "changed"]


@pytest.mark.parametrize("anew", [False, True])
def test_an_article_is_not_replaced_by_fewer_of_its_pages(engine: Engine, *, anew: bool) -> None:
    parts = tuple(f"https://e.org/1{part}" for part in ("", "_2", "_3"))

    def write_pages(seed: int, n: int, *, is_incomplete: bool = False) -> tuple[str | None, int | None]:
        record = stored(parts[0], chinese(seed), pages=parts[:n])
        (verdict,) = write(engine, replace(record, is_incomplete=is_incomplete, anew=anew))
        assert verdict is not None
        assert verdict.outcome is Outcome.STORED
        return verdict.change, verdict.revision

    assert write_pages(1, 3) == ("new", 1)
    for n in (1, 2):
        assert write_pages(2, n, is_incomplete=True) == ("unchanged", 1)
    assert [(row.article_body, row.pages) for row in rows(engine, select(articles))] == [(chinese(1), list(parts))]
    assert write_pages(3, 3, is_incomplete=True) == ("changed", 2), "it has as many pages"
    assert write_pages(4, 2) == ("changed", 3), "it has no more pages now"
    assert write_pages(5, 2, is_incomplete=True) == ("changed", 4)
    assert [row.pages for row in rows(engine, select(articles))] == [list(parts[:2])]


def test_changed_article_keeps_the_text_before(engine: Engine) -> None:
    write(engine, stored("https://e.org/1", chinese(1)))
    write(engine, stored("https://e.org/1", chinese(2), fetched_at=NOW + timedelta(days=1)))
    (verdict,) = write(engine, stored("https://e.org/1", chinese(3), fetched_at=NOW + timedelta(days=2)))
    assert verdict == RecordEnd(outcome=Outcome.STORED, revision=3)
    (row,) = rows(engine, select(articles))
    assert (row.article_body, row.revision, row.first_fetched_at) == (chinese(3), 3, NOW)
    before = rows(engine, select(article_revisions).order_by(article_revisions.c.revision))
    assert [(old.revision, old.article_body) for old in before] == [(1, chinese(1)), (2, chinese(2))]
    assert len(rows(engine, select(simhash_bands))) == 8  # of the text of today alone


@pytest.mark.parametrize("together", [True, False])
def test_equal_text_is_a_duplicate(engine: Engine, together: bool) -> None:
    records = [stored(f"https://e.org/{i}", chinese(1) + " " * i) for i in range(3)]
    verdicts = write(engine, *records) if together else [write(engine, record)[0] for record in records]
    assert [verdict and verdict.duplicate_of for verdict in verdicts] == [None, "https://e.org/0", "https://e.org/0"]
    assert [verdict and verdict.duplicate_kind for verdict in verdicts] == [None, "content", "content"]
    found = rows(engine, select(articles.c.cluster_id, articles.c.duplicate_of).order_by(articles.c.id))
    assert len({row.cluster_id for row in found}) == 1
    page = rows(engine, select(pages).where(pages.c.url == "https://e.org/2"))[0]
    assert (page.outcome, page.reason, page.detail) == ("duplicate", "content", "duplicate of https://e.org/0")


@pytest.mark.parametrize("together", [True, False])
def test_edited_copy_is_a_near_duplicate(engine: Engine, together: bool) -> None:
    original = chinese(1, 600)
    copy = "（记者 王小明）" + original[:300] + "某些" + original[302:]
    records = [
        stored("https://a.org/1", original),
        stored("https://www.a.org/2", copy),
        stored("https://c.org/3", chinese(9)),
    ]
    verdicts = write(engine, *records) if together else [write(engine, record)[0] for record in records]
    assert [verdict and verdict.duplicate_kind for verdict in verdicts] == [None, "near", None]
    assert [verdict and verdict.duplicate_of for verdict in verdicts] == [None, "https://a.org/1", None]


ORIGINAL, EDITED = chinese(1, 600), chinese(1, 600)[:300] + "某些" + chinese(1, 600)[302:]
ACROSS: dict[str, tuple[tuple[str, str, str | None], tuple[str, str, str | None], tuple[int | None, int | None]]] = {
    # two articles as they come: host, text, host that it names as canonical; then which of the two each repeats
    "an altered copy comes first": (("evil", EDITED, None), ("own", ORIGINAL, None), (None, None)),
    "an altered copy comes last": (("own", ORIGINAL, None), ("evil", EDITED, None), (None, None)),
    "a copy comes first": (("evil", ORIGINAL, None), ("own", ORIGINAL, None), (1, None)),
    "a copy comes last": (("own", ORIGINAL, None), ("evil", ORIGINAL, None), (None, 0)),
    "a copy that names it comes first": (("press", ORIGINAL, "own"), ("own", ORIGINAL, None), (1, None)),
    "an edited copy that names it comes first": (("press", EDITED, "own"), ("own", ORIGINAL, None), (1, None)),
    "a copy that names it comes last": (("own", ORIGINAL, None), ("press", ORIGINAL, "own"), (None, 0)),
    "an edited copy that names it comes last": (("own", ORIGINAL, None), ("press", EDITED, "own"), (None, 0)),
    "one that is nearly the same comes last": (("own", EDITED, None), ("evil", ORIGINAL, None), (None, None)),
    "both name a third": (("press", EDITED, "agency"), ("own", ORIGINAL, "agency"), (None, None)),
    "another text names it": (("evil", chinese(7, 600), "own"), ("own", ORIGINAL, None), (None, None)),
    "each names the other": (("evil", EDITED, "own"), ("own", ORIGINAL, "evil"), (1, None)),
}


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("case", ACROSS)
def test_across_sites_nothing_hides_by_being_near(engine: Engine, case: str, together: bool) -> None:
    *two, repeats = ACROSS[case]
    records = [
        stored(f"https://{host}.org/1", body, canonicalUrl=f"https://{named or host}.org/1")
        for host, body, named in two
    ]
    urls = [record.url for record in records]
    for batch in [records] if together else [[record] for record in records]:
        write(engine, *batch)
    found = {
        row.url: row for row in rows(engine, select(articles.c.url, articles.c.duplicate_of, articles.c.cluster_id))
    }
    expected = [None if place is None else urls[place] for place in repeats]
    assert [found[url].duplicate_of for url in urls] == expected
    is_linked = "another text" not in case
    assert (found[urls[0]].cluster_id == found[urls[1]].cluster_id) == is_linked


def test_of_two_on_a_site_the_one_that_names_no_other_is_kept(engine: Engine) -> None:
    write(engine, stored("https://press.org/1", EDITED, canonicalUrl="https://own.org/1"))
    write(engine, stored("https://press.org/2", EDITED))
    write(engine, stored("https://own.org/1", ORIGINAL))
    found = rows(engine, select(articles.c.duplicate_of, articles.c.cluster_id).order_by(articles.c.id))
    assert [row.duplicate_of for row in found] == ["https://press.org/2", None, None]
    assert len({row.cluster_id for row in found}) == 1


#: Texts of a row in which each is nearly the same as its neighbours, and the ends are not; of a site and others.
CHAIN = [" ".join(chinese(number, 60) for number in range(start, start + 20)) for start in range(6)]
SAYING_THE_SAME = [
    *(stored(f"https://e.org/{place}", body) for place, body in zip("dafbec", CHAIN, strict=True)),
    stored("https://e.org/early", CHAIN[3], datePublished=datetime(2024, 1, 1, tzinfo=UTC)),
    stored("https://e.org/late", CHAIN[2], datePublished=datetime(2025, 1, 1, tzinfo=UTC)),
    stored("https://e.org/undated", CHAIN[2], datePublished=None),
    stored("https://other.org/1", CHAIN[1]),
    stored("https://other.org/longer", CHAIN[1], canonicalUrl="https://other.org/1"),
    stored("https://third.org/1", CHAIN[4], canonicalUrl="https://e.org/e"),
    stored("https://m.e.org/x", CHAIN[5][:500], canonicalUrl="https://e.org/c"),
]


def test_in_whatever_order_copies_come_the_same_are_kept(engine: Engine) -> None:
    names = ("url", "duplicate_of", "duplicate_kind", "cluster_id")
    found = set()
    for seed in range(12):
        records = random.Random(seed).sample(SAYING_THE_SAME, len(SAYING_THE_SAME))
        size = 1 + seed % 5
        with writing(engine) as connection:
            connection.execute(delete(simhash_bands))
            connection.execute(update(articles).values(duplicate_of=None))
            connection.execute(delete(articles))
            connection.execute(delete(pages))
        for start in range(0, len(records), size):
            write(engine, *records[start : start + size])
        kept = rows(engine, select(articles.c.url).where(articles.c.duplicate_of.is_(None)))
        with writing(engine) as connection:  # at the end of a crawl, copies are looked at once more
            settle_copies(connection, [one.url for one in records if one.url not in {row.url for row in kept}])
        assert kept == rows(engine, select(articles.c.url).where(articles.c.duplicate_of.is_(None)))
        kept = rows(engine, select(*(articles.c[name] for name in names)).order_by(articles.c.url))
        ended = {row.url: row.outcome for row in rows(engine, select(pages.c.url, pages.c.outcome))}
        assert all((ended[row.url] == "duplicate") == (row.duplicate_of is not None) for row in kept)
        found.add(tuple(map(tuple, kept)))
    assert len(found) == 1
    of = {row[0]: row[1] for row in found.pop()}
    assert of["https://e.org/early"] is None
    assert 3 < sum(first is not None for first in of.values()) < len(of) - 3


def test_claim_of_one_canonical_url_needs_a_similar_text(engine: Engine) -> None:
    body = chinese(1, 600)
    cut = body[:450]  # too short for a near-duplicate's SimHash to be relied on, wholly contained
    home = "https://e.org/"
    verdicts = write(
        engine,
        stored("https://e.org/1", body, canonicalUrl="https://www.e.org/1"),
        stored("https://m.e.org/1", cut, canonicalUrl="http://e.org/1"),
        stored("https://e.org/2", chinese(2), canonicalUrl=home),
        stored("https://e.org/3", chinese(3), canonicalUrl=home),
    )
    assert [verdict and verdict.duplicate_kind for verdict in verdicts] == [None, "canonical_url", None, None]


def test_short_texts_are_equal_only_under_one_headline(engine: Engine) -> None:
    verdicts = write(
        engine,
        stored("https://e.org/1", "请看图片。", headline="洪水"),
        stored("https://e.org/2", "请看图片。", headline="地震"),
        stored("https://e.org/3", "请看图片。", headline="洪水"),
    )
    assert [verdict and verdict.duplicate_of for verdict in verdicts] == [None, None, "https://e.org/1"]


@pytest.mark.parametrize("together", [True, False])
def test_equal_text_of_a_site_under_different_headlines_is_kept(engine: Engine, together: bool) -> None:
    notice = chinese(1, 200)
    records = [
        stored("https://e.org/1", notice, headline="国务院部署稳外贸工作"),
        stored("https://e.org/2", notice, headline="国足主场迎战韩国队"),
        stored("https://e.org/3", notice, headline="国足主场迎战韩国队 - 新闻网"),
    ]
    verdicts = write(engine, *records) if together else [write(engine, record)[0] for record in records]
    assert [verdict and verdict.duplicate_of for verdict in verdicts] == [None, None, "https://e.org/2"]


def test_one_canonical_url_of_a_whole_site_stays_cheap(engine: Engine) -> None:
    """A look-up takes the first ones with a key, not the thousands that share it."""
    home = "https://e.org/"
    write(engine, *(stored(f"https://e.org/{i}", chinese(i), canonicalUrl=home) for i in range(100)))
    record = stored("https://e.org/x", chinese(1000), canonicalUrl=home)
    assert record.article is not None
    row = article_row(record.article, record)
    with engine.connect() as connection:
        kept = KeptArticles.load(connection, [row | {"simhash": None}])
    assert len(kept) == MAX_COMPARED


def test_articles_without_text_are_no_duplicates(engine: Engine) -> None:
    verdicts = write(engine, stored("https://e.org/1", ""), stored("https://e.org/2", " "))
    assert [verdict and verdict.outcome for verdict in verdicts] == [Outcome.STORED, Outcome.STORED]


def test_an_article_that_says_what_another_says_from_now_on_is_its_duplicate(engine: Engine) -> None:
    write(engine, stored("https://e.org/1", chinese(1)), stored("https://e.org/2", chinese(2)))
    write(engine, stored("https://e.org/20", chinese(2)), stored("https://e.org/3", chinese(3)))
    (verdict,) = write(engine, stored("https://e.org/2", chinese(1)))
    assert verdict == RecordEnd(
        outcome=Outcome.DUPLICATE, revision=2, duplicate_of="https://e.org/1", duplicate_kind="content"
    )
    found = rows(engine, select(articles.c.duplicate_of).order_by(articles.c.id))
    assert [row.duplicate_of for row in found] == [None, "https://e.org/1", None, None]


def test_duplicate_with_a_new_text_is_judged_again(engine: Engine) -> None:
    write(engine, stored("https://e.org/1", chinese(1)), stored("https://e.org/2", chinese(1)))
    (verdict,) = write(engine, stored("https://e.org/2", chinese(2)))
    assert verdict == RecordEnd(outcome=Outcome.STORED, revision=2)


def test_text_no_database_takes_is_cleaned(engine: Engine) -> None:
    write(engine, stored("https://e.org/1", "a\0b \ud800" + chinese(1), headline="x\0", keywords=("k\0",)))
    (row,) = rows(engine, select(articles))
    assert row.article_body == "ab \ufffd" + chinese(1)
    assert (row.headline, row.keywords) == ("x", ["k"])


def test_links_keep_one_row_for_a_target(engine: Engine) -> None:
    first = LinkRecord(url="https://x.org/", reason=Rejection.OFFSITE, found_on="https://e.org/1", anchor="X")
    second, third = replace(first, found_on="https://e.org/2"), replace(first, url="https://y.org/", reason=None)
    write(engine, (first,), (second, third))
    found = rows(engine, select(links).order_by(links.c.url))
    assert [(row.url, row.reason, row.found_on) for row in found] == [
        ("https://x.org/", "offsite", "https://e.org/2"),
        ("https://y.org/", None, "https://e.org/1"),
    ]


def test_url_too_long_for_an_index_is_cut(engine: Engine) -> None:
    urls = ["https://e.org/" + "é" * 3000 + end for end in "ab"]
    write(engine, tuple(LinkRecord(url=url, reason=Rejection.URL_TOO_LONG) for url in urls))
    found = [row.url for row in rows(engine, select(links.c.url))]
    assert sorted(found) == sorted(stored_url(url) for url in urls)
    assert all(len(url.encode()) <= MAX_URL_BYTES for url in found)


def test_blocks_are_replaced(engine: Engine) -> None:
    block = Block(
        index=0, tag="p", xpath="/html/body/p", text="文", n_chars=1, n_link_chars=0, n_links=0, label=BlockLabel.MAIN
    )
    record = stored("https://e.org/1", chinese(1))
    write(engine, replace(record, blocks=(block, block._replace(index=1, label=None))))
    write(engine, replace(record, blocks=(block,)))
    found = rows(engine, select(blocks))
    assert [(row.page_url, row.index, row.label, row.text) for row in found] == [("https://e.org/1", 0, "main", "文")]


def test_failed_batch_leaves_nothing(engine: Engine) -> None:
    bad = replace(stored("https://e.org/2", chinese(2)), run_id=999)  # no such run
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        write(engine, stored("https://e.org/1", chinese(1)), bad)
    assert rows(engine, select(func.count()).select_from(pages)) == [(0,)]
    assert rows(engine, select(func.count()).select_from(articles)) == [(0,)]
