from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.exceptions import StorageError
from newscrawl.outcomes import Outcome
from newscrawl.store.engine import writing
from newscrawl.store.export import (
    KEPT_ARTICLE,
    Selection,
    newest_change,
    read_articles,
    read_mark,
    read_revisions,
    set_mark,
)
from newscrawl.store.records import PageRecord
from newscrawl.store.storage import write_batch
from tests.records import NOW, PUBLISHED, chinese, stored

if TYPE_CHECKING:
    from sqlalchemy import Engine

A, B, C = (f"https://e.org/{name}" for name in "abc")
LATER = NOW + timedelta(hours=3)


def write(engine: Engine, *records: PageRecord) -> None:
    with writing(engine) as connection:
        write_batch(connection, records)


def exported(engine: Engine, **choice: Any) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        return list(read_articles(connection, Selection(**choice)))


def urls(engine: Engine, **choice: Any) -> list[str]:
    return [row["url"] for row in exported(engine, **choice)]


def gone(url: str) -> PageRecord:
    return PageRecord(url=url, outcome=Outcome.HTTP_ERROR, reason="404", status=404, fetched_at=LATER)


def not_modified(url: str) -> PageRecord:
    return PageRecord(url=url, outcome=Outcome.DUPLICATE, reason="not_modified", status=304, fetched_at=LATER)


def test_an_article_is_exported_with_the_fields_of_feeds(engine: Engine) -> None:
    write(engine, stored(A, chinese(1)))
    (row,) = exported(engine)
    assert list(row) == list(KEPT_ARTICLE)
    assert row["articleBody"] == chinese(1)
    assert row["datePublished"] == PUBLISHED.isoformat()
    assert row["authors"] == [{"name": "张三", "nameRaw": None, "role": "reporter"}]
    assert row["mainImage"] == {"url": "https://example.org/a.jpg"}
    assert (row["revision"], row["duplicateOf"], row["goneAt"], row["fetchedAt"]) == (1, None, None, NOW)


def test_what_comes_changes_and_vanishes_after_a_mark_is_seen_once(engine: Engine) -> None:
    write(engine, stored(A, chinese(1)), stored(B, chinese(2)))
    mark = newest_change(engine)
    assert urls(engine, after=mark) == []
    write(engine, stored(C, chinese(3)), stored(A, chinese(4), fetched_at=LATER), not_modified(B))
    assert urls(engine, after=mark) == [C, A]
    mark = newest_change(engine)
    write(engine, gone(B), gone(B), gone("https://e.org/never-an-article"))
    (row,) = exported(engine, after=mark)
    assert (row["url"], row["goneAt"]) == (B, LATER)
    mark = newest_change(engine)
    write(engine, stored(B, chinese(2)))
    (row,) = exported(engine, after=mark)
    assert (row["url"], row["goneAt"], row["revision"]) == (B, None, 1)
    write(engine, gone(B))
    mark = newest_change(engine)
    write(engine, not_modified(B), not_modified(A))
    assert [(row["url"], row["goneAt"]) for row in exported(engine, after=mark)] == [(B, None)]


def test_a_text_whose_address_is_gone_goes_on_at_another(engine: Engine) -> None:
    """A site relaunched under new addresses, without redirects: before its old page is asked for, and after."""
    for first, second, seed in ((A, B, 1), (C, "https://e.org/d", 2)):
        write(engine, stored(first, chinese(seed), headline="头条"))
        mark = newest_change(engine)
        pages = [stored(second, chinese(seed), headline="头条"), gone(first)]
        for page in pages if seed == 1 else pages[::-1]:
            write(engine, page)
        assert {row["url"]: row["goneAt"] for row in exported(engine, after=mark)} == {first: LATER, second: None}
        mark = newest_change(engine)
        write(engine, stored(f"{second}?print=1", chinese(seed), headline="头条"))
        assert urls(engine, after=mark) == []
        (copy,) = exported(engine, after=mark, duplicates=True)
        assert copy["duplicateOf"] == second
        write(engine, stored(first, chinese(seed), headline="头条"))
        assert [(row["url"], row["goneAt"]) for row in exported(engine, after=mark)] == [(first, None)]
        repeated = {row["url"]: row["duplicateOf"] for row in exported(engine, duplicates=True)}
        assert repeated[second] == repeated[f"{second}?print=1"] == first


def test_choices(engine: Engine) -> None:
    copy = stored(B, chinese(1))
    undated = stored(C, chinese(3), fetched_at=LATER, datePublished=None)
    write(engine, stored(A, chinese(1)), copy, replace(undated, site="other"))
    assert urls(engine) == [A, C]
    assert urls(engine, duplicates=True) == [A, B, C]
    assert urls(engine, site="other") == [C]
    assert urls(engine, since=PUBLISHED) == [A, C]
    assert urls(engine, since=LATER) == [C]
    assert urls(engine, up_to=1) == [A]


def test_revisions_show_what_changed(engine: Engine) -> None:
    texts = ["一。\n二。", "一。\n三。", "一。\n三。\n四。"]
    for i, text in enumerate(texts):
        write(engine, stored(A, text, fetched_at=NOW + timedelta(hours=i), headline=f"标题{i}"))
    write(engine, stored(B, chinese(2)))
    write(engine, stored(B, chinese(5)))
    with engine.connect() as connection:
        first, second, other = read_revisions(connection, Selection())
    assert (first["revision"], first["nextRevision"], first["diff"]) == (1, 2, ["- 二。", "+ 三。"])
    assert (second["revision"], second["nextRevision"], second["diff"]) == (2, 3, ["+ 四。"])
    assert (first["headline"], first["nextHeadline"], second["nextHeadline"]) == ("标题0", "标题1", "标题2")
    assert second["nextFetchedAt"] == NOW + timedelta(hours=2)
    assert (other["url"], other["diff"]) == (B, [f"- {chinese(2)}", f"+ {chinese(5)}"])


def test_a_mark_moves_only_from_where_it_was_read(engine: Engine) -> None:
    now = datetime.now(UTC)

    def move(name: str, before: int | None, after: int) -> None:
        with writing(engine) as connection:
            set_mark(connection, name, before=before, after=after, n_articles=1, now=now)

    def mark(name: str) -> int | None:
        with engine.connect() as connection:
            return read_mark(connection, name)

    assert mark("a") is None
    move("a", None, 0)
    move("a", 0, 7)
    move("b", None, 3)
    assert (mark("a"), mark("b")) == (7, 3)
    for before in (None, 0, 6):
        with pytest.raises(StorageError, match="made by another process"):
            move("a", before, 9)
    assert mark("a") == 7
