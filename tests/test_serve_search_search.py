from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select, text

from newscrawl.items import Author
from newscrawl.outcomes import Outcome
from newscrawl.serve.search import index_terms as search_terms
from newscrawl.serve.search import search as search_module
from newscrawl.serve.search.facts import text_terms
from newscrawl.serve.search.index import catch_up, index_changes
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.search.search import search
from newscrawl.serve.search.tables import prepare
from newscrawl.serve.search.terms import is_spaceless, runs, terms
from newscrawl.store import PageRecord
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.focused import FocusedPageRecord
from newscrawl.store.migrations import migrate
from newscrawl.store.schema import articles
from newscrawl.store.storage import write_batch
from tests.conftest import new_database
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.serve.search.search import Found


def on(day: str) -> datetime:
    return datetime.fromisoformat(f"2024-{day}T10:00:00+08:00")


#: Name of the page → what it says.
PAGES: dict[str, dict[str, Any]] = {
    "a": {"body": "华为发布Mate60手机。", "headline": "新机", "datePublished": on("03-05"), "source": "新华网"},
    "b": {"body": "习近平会见外宾。", "headline": "要闻", "datePublished": on("03-04"), "inLanguage": "zh"},
    "c": {"body": "近平与习，不是一人。手机也不是。", "headline": "手机", "datePublished": on("02-28")},
    "d": {
        "body": "The climate change talks in the Élysée café.",
        "headline": "Paris",
        "datePublished": on("02-01"),
        "authors": (Author(name="John Smith"), Author(name="欧阳娜娜")),
        "inLanguage": "en",
    },
    "e": {"body": "A change of climate, said Smith.", "headline": "Talks", "datePublished": None, "inLanguage": "en"},
    "f": {"body": "東京タワーは高い。서울은 크다. กรุงเทพ", "headline": "都市", "datePublished": on("01-01")},
}


def record(name: str, *, host: str = "news.e.org", **fields: Any) -> PageRecord:
    given = {"authors": (), **PAGES.get(name, {}), **fields}
    return stored(f"https://{host}/{name}", given.pop("body"), **given)


@pytest.fixture(scope="module")
def engine(module_database: str) -> Iterator[Engine]:
    engine = make_engine(module_database)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [record(name) for name in PAGES])
        write_batch(connection, [record("a", host="copies.example.org", site="other")])
    yield engine
    engine.dispose()


@pytest.fixture
def own(database: str) -> Iterator[Engine]:
    engine = make_engine(database)
    migrate(engine)
    prepare(engine)
    yield engine
    engine.dispose()


def ask(engine: Engine, query: str, **filters: Any) -> Found:
    sum(catch_up(engine))
    with engine.connect() as connection:
        return search(connection, parse_query(query, **filters))


def names(found: Found) -> str:
    return " ".join(hit.url.rpartition("/")[2] for hit in found.hits)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "a b c d f e"),
        ("手机", "a c"),
        ("机", "a c"),
        ("习", "b c"),
        ("习近平", "b"),
        ("MATE60", "a"),
        ("手机 -华为", "c"),
        ("手机 -发布Mate60", "c"),
        ("-手机", "b d f e"),
        ('"climate change"', "d"),
        ("climate change", "d e"),
        ('change -"climate change"', "e"),
        ("ELYSEE cafe", "d"),
        ("smith", "d e"),
        ("author:smith", "d"),
        ("-author:smith climate", "e"),
        ("author:欧阳娜娜", "d"),
        ("author:娜娜欧阳", ""),
        ("-author:欧阳娜娜 climate", "e"),
        ("東京 タワー", "f"),
        ("서울", "f"),
        ("กรุงเทพ", "f"),
        ("site:e.org 手机", "a c"),
        ("site:example 手机", "a c"),
        ("site:other 手机", ""),
        ("-site:e.org", ""),
        ("source:新华网", "a"),
        ("lang:en", "d e"),
        ("before:2024-03 after:2024-02", "c d"),
        ("after:2024-03-05", "a"),
        ("before:2024-02", "f"),
        ("before:1999", ""),
        ("nothing", ""),
        ("'); DROP TABLE articles; --", ""),
        ('\\ : & | ! * ( "', "a b c d f e"),
    ],
)
def test_what_is_found(engine: Engine, query: str, expected: str) -> None:
    found = ask(engine, query)
    assert names(found) == expected
    assert (found.total, found.is_capped) == (len(expected.split()), False)


def test_that_a_form_filters_too(engine: Engine) -> None:
    assert names(ask(engine, "手机", site="other", duplicates=True)) == "a"
    assert names(ask(engine, "手机", duplicates=True)) == "a a c"
    assert names(ask(engine, "", day_from="2024-02-28", day_to="2024-03-04")) == "b c"


@pytest.mark.parametrize("few", [0, 5000])
def test_that_confidence_and_topics_narrow(own: Engine, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Few articles are looked up one by one, many by day: the answer is the same."""
    monkeypatch.setattr(search_terms, "FEW", few)
    monkeypatch.setattr(search_module, "_FIRST_WINDOW", 2)
    sure = {"a": 0.95, "b": 0.7, "c": 0.4, "d": 0.2, "e": 0.99, "f": 0.9}
    judged = {"a": (True, 0.8, 0.5), "b": (True, 0.4, 0.5), "c": (True, 0.5, 0.5), "f": (False, None, None)}
    with writing(own) as connection:
        write_batch(connection, [record(name, confidence=value) for name, value in sure.items()])
        pages = [
            FocusedPageRecord(
                url=f"https://news.e.org/{name}",
                topic="Phones",
                number=1,
                is_article=is_article,
                probability=probability,
                threshold=threshold,
            )
            for name, (is_article, probability, threshold) in judged.items()
        ]
        write_batch(connection, [*pages, replace(pages[1], topic="used cars", probability=0.9)])
    for query, expected in {
        "confidence:<0.5": "c d",
        "confidence:>0.6": "a b f e",
        "confidence:>0.3 confidence:<0.8": "b c",
        "confidence:<0.8 手机": "c",
        "confidence:<0.8 -手机": "b d",
        "confidence:<0.8 before:2024-03 after:2024-02-02": "c",
        '"climate change" confidence:<0.5': "d",
        "confidence:<0.1": "",
        "topic:Phones": "a c",
        "topic:phones": "",
        'topic:"used cars" topic:Phones': "a b c",
        "topic:Phones confidence:<0.8": "c",
        "topic:Phones 华为": "a",
        "-topic:Phones lang:zh": "b",
        "-topic:Phones": "b d f e",
    }.items():
        found = ask(own, query)
        assert names(found) == expected, query
        assert found.total == len(expected.split())
    assert [hit.confidence for hit in ask(own, "", confidence="<0.5", topic="Phones").hits] == [0.4]


def test_what_is_told_of_a_hit(engine: Engine) -> None:
    (hit,) = ask(engine, "elysee").hits
    assert (hit.url, hit.headline, hit.site, hit.language) == ("https://news.e.org/d", "Paris", "example", "en")
    assert hit.authors == ("John Smith", "欧阳娜娜")
    assert hit.date_published == "2024-02-01T10:00:00+08:00"
    assert hit.snippet == (("The climate change talks in the ", False), ("Élysée", True), (" café.", False))


def test_that_headline_and_author_come_first_in_rank(engine: Engine) -> None:
    assert names(ask(engine, "手机", sort="rank")) == "c a"
    assert names(ask(engine, "smith", sort="rank")) == "d e"


@pytest.mark.parametrize("word", ["经济", "经", "market"])
def test_that_an_old_headline_comes_before_newer_texts_in_rank(own: Engine, word: str) -> None:
    newer = [
        record(f"n{i}", body=f"{i} {word}", headline="x", datePublished=on("03-05") - timedelta(minutes=i))
        for i in range(search_module.RANKED + 1)
    ]
    with writing(own) as connection:
        write_batch(
            connection, [*newer, record("old", body=f"{word} 1", headline=f"{word} 2", datePublished=on("01-05"))]
        )
    assert names(ask(own, word, sort="rank")).startswith("old n0 n1")


@pytest.mark.parametrize("most", [-1, 3, 20_000])
def test_that_pages_of_an_answer_join(own: Engine, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Articles are fetched by windows of days, by windows where there are too many to fetch all, and all."""
    monkeypatch.setattr(search_module, "_FIRST_WINDOW", 3)
    monkeypatch.setattr(search_module, "_EXPECTED", most)
    monkeypatch.setattr(search_module, "_SHARE", max(most, 0))
    monkeypatch.setattr(search_module, "_MOST", most)
    days = [on("03-05") - timedelta(days=i * i) for i in range(30)]
    with writing(own) as connection:
        bodies = [f"{i} 手机" for i in range(30)]
        write_batch(connection, [record(str(i), body=bodies[i], datePublished=days[i]) for i in range(30)])
        index_changes(connection)
        query = parse_query("手机")
        pages = [search(connection, query, limit=7, offset=offset) for offset in range(0, 33, 7)]
    assert " ".join(map(names, pages)) == " ".join(map(str, range(30)))
    assert {page.total for page in pages} == {30}


def test_that_a_total_is_counted_up_to_a_limit(own: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "MAX_COUNTED", 3)
    with writing(own) as connection:
        write_batch(connection, [record(str(i), body=f"{i} 手机") for i in range(5)])
        index_changes(connection)
        found = search(connection, parse_query("手机"), limit=2)
        assert (found.total, found.is_capped, len(found.hits)) == (3, True, 2)
        monkeypatch.setattr(search_module, "MAX_READ", 4)
        found = search(connection, parse_query('"手机 手机"'), limit=2)
        assert (found.total, found.is_capped) == (0, True)


@pytest.mark.parametrize(
    ("query", "total"), [("", 5), ("after:2024-03-04", 2), ("before:2024-03-04", 3), ("confidence:>0.5", 5)]
)
def test_that_what_no_word_narrows_is_counted_to_its_end(
    own: Engine, monkeypatch: pytest.MonkeyPatch, query: str, total: int
) -> None:
    monkeypatch.setattr(search_module, "MAX_COUNTED", 1)
    days = [on("03-05") - timedelta(days=day) for day in range(5)]
    bodies = [chinese(day) for day in range(5)]
    with writing(own) as connection:
        write_batch(
            connection, [record(str(n), body=bodies[n], datePublished=days[n], confidence=0.9) for n in range(5)]
        )
        write_batch(connection, [record("0", body=bodies[0], host="copy.org", datePublished=days[0], confidence=0.9)])
        index_changes(connection)
        found = search(connection, parse_query(query), limit=1)
    assert (found.total, found.is_capped) == (total, False)


def test_that_a_revision_is_found_by_its_new_text_alone(own: Engine) -> None:
    with writing(own) as connection:
        write_batch(connection, [record("x", body="旧的手机"), record("y", body="旧的电脑")])
    with writing(own) as connection:
        write_batch(connection, [record("x", body="新的平板", headline="改", datePublished=on("01-02"))])
    assert names(ask(own, "旧")) == "y"
    assert names(ask(own, "平板")) == "x"
    assert names(ask(own, "新的 after:2024-02")) == ""
    if own.name == "sqlite":
        with own.connect() as connection:  # raises where the index is not what was put into it
            connection.execute(text("INSERT INTO article_terms(article_terms) VALUES('integrity-check')"))


def test_that_the_heir_of_an_article_that_is_gone_is_found(own: Engine) -> None:
    with writing(own) as connection:
        write_batch(connection, [record("a"), record("a", host="copies.example.org")])
        gone = PageRecord(url="https://news.e.org/a", outcome=Outcome.HTTP_ERROR, status=404, fetched_at=NOW)
        write_batch(connection, [gone])
    assert {hit.url for hit in ask(own, "手机").hits} == {"https://news.e.org/a", "https://copies.example.org/a"}
    with writing(own) as connection:
        write_batch(connection, [record("a")])
    assert [hit.url for hit in ask(own, "手机").hits] == ["https://news.e.org/a"]


def test_that_other_updates_leave_an_article_in_the_index(own: Engine) -> None:
    later = NOW + timedelta(days=1)
    with writing(own) as connection:
        write_batch(connection, [record("a")])
        write_batch(connection, [record("a", fetched_at=later)])
        assert connection.execute(select(articles.c.fetched_at)).scalar_one() == later
    assert names(ask(own, "手机")) == "a"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("after:2020", "d"),
        ("before:2099", "d"),
        ("smith", "d e"),
        ("", "d e"),
        ("-nothing", "d e"),
        ("smith after:2000", "d"),
    ],
)
def test_that_undated_articles_come_last_and_are_of_no_day(own: Engine, query: str, found: str) -> None:
    with writing(own) as connection:
        write_batch(connection, [record("d")])
        write_batch(connection, [record("e", fetched_at=NOW + timedelta(days=9))])
    assert names(ask(own, query)) == found


SCRIPTS = st.text(st.sampled_from("手机习近平かなガｶﾞ가각ไทยaÉßБёΣς7Ⅷ½ﬁ ，。-·々〇𠮷🚀İ\u0301\u200d"), max_size=60)


@pytest.mark.postgres
@settings(max_examples=150, deadline=None)
@given(body=st.one_of(SCRIPTS, st.text(st.characters(exclude_categories=["Cs", "Cn", "Co"], exclude_characters="\0"))))
@example(body="か" + "\u3099\u302a" * 100_000 + " e" + "\u0301\u0316" * 100_000)
@example(body="ה" + "\u05b0\u05c1\u0591" * 300)
def test_that_postgresql_makes_the_terms_that_python_makes(parity: Engine, body: str) -> None:
    with parity.connect() as connection:
        found = connection.execute(text("SELECT newscrawl_terms(:body)"), {"body": body}).scalar_one()
    assert set(found) == terms(body)


@pytest.mark.postgres
def test_that_postgresql_makes_the_terms_that_it_is_handed(parity: Engine) -> None:
    """A query that looks at a row again, and an index built anew, make them."""
    made = text(
        "SELECT tsvector_to_array(newscrawl_vector(id)) AS vector, facts, a.headline, a.article_body "
        "FROM articles a JOIN indexed_articles ON article_id = id"
    )
    with writing(parity) as connection:
        write_batch(connection, [record(name) for name in PAGES])
    assert sum(catch_up(parity)) == len(PAGES)
    with parity.connect() as connection:
        rows = connection.execute(made).mappings().all()
    assert len(rows) == len(PAGES)
    for row in rows:
        assert set(row["vector"]) == {*row["facts"].split(), *text_terms(row["headline"], row["article_body"]).split()}


@pytest.fixture(scope="module")
def parity(postgres: str) -> Iterator[Engine]:
    engine = make_engine(new_database(postgres))
    migrate(engine)
    prepare(engine)
    yield engine
    engine.dispose()


@settings(max_examples=25, deadline=None)
@given(body=SCRIPTS)
def test_that_each_one_and_two_characters_of_a_text_find_it(law: Engine, body: str) -> None:
    with writing(law) as connection:
        for table in ("articles", "indexed_articles", "article_places"):
            connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608 (our names)
        connection.execute(text("INSERT INTO article_terms(article_terms) VALUES('delete-all')"))
        write_batch(connection, [record("x", body=body, headline="")])
        index_changes(connection)
        for run in runs(body):
            for n in (1, 2, 3) if is_spaceless(run) else (len(run),):
                for start in range(len(run) - n + 1):
                    assert search(connection, parse_query(f'"{run[start : start + n]}"')).total == 1


@pytest.fixture(scope="module")
def law(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = make_engine(f"sqlite:///{tmp_path_factory.mktemp('law') / 'news.sqlite'}")
    migrate(engine)
    prepare(engine)
    yield engine
    engine.dispose()
