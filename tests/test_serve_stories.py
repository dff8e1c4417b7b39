from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from lab.experiments.stories import cells, make_articles
from newscrawl.serve.commands.stories import StoriesCommand
from newscrawl.serve.stories import catch_up, newest_stories, one_story
from newscrawl.serve.story_groups import MAX_DAYS, marks_of, stories_of
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.schema import articles, story_marks
from newscrawl.store.storage import write_batch
from tests.commands_run import answer, refusal
from tests.records import chinese, stored
from tests.served import client

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from lab.experiments.stories import MadeArticle
    from newscrawl.store import PageRecord

START = datetime(2024, 3, 1, tzinfo=UTC)


def record(made: MadeArticle, text: str | None = None, **fields: Any) -> PageRecord:
    report = made.report
    url = f"https://{report.site}.example/{report.number}"
    moment = START + timedelta(days=report.moment)
    given: dict[str, Any] = {
        "headline": made.headline,
        "inLanguage": report.language,
        "site": report.site,
        "datePublished": moment,
    }
    return stored(url, text or made.text, **(given | fields))


def store(engine: Engine, *records: PageRecord) -> None:
    with writing(engine) as connection:
        write_batch(connection, list(records))


def groups(engine: Engine) -> set[frozenset[str]]:
    """Addresses of the articles of each story."""
    with engine.connect() as connection:
        rows = connection.execute(select(articles.c.story, articles.c.url).where(articles.c.story.is_not(None))).all()
    return {frozenset(url for number, url in rows if number == story) for story, _ in rows}


@pytest.mark.parametrize("language", ["en", "de", "es", "ru", "zh", "ar"])
def test_reports_of_one_event_are_one_story_and_those_of_another_are_none(language: str) -> None:
    made = make_articles(21, n_events=8, languages=(language,))
    b_cubed = cells(made, stories_of(article.report for article in made))
    assert min(b_cubed[1:4]) >= 0.8


def test_a_story_is_short_and_of_several_sites_whatever_the_order_of_its_articles() -> None:
    reports = [article.report for article in make_articles(22, n_events=6, languages=("en", "zh"))]
    found = stories_of(reports)
    for story in found:
        moments = [report.moment for report in story]
        assert moments == sorted(moments)
        assert moments[-1] - moments[0] <= MAX_DAYS
        assert len({report.site for report in story}) > 1
    random.Random(1).shuffle(reports)
    numbers = [
        {frozenset(report.number for report in story) for story in some} for some in (found, stories_of(reports))
    ]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("other", ["1.250", "1 250".replace(" ", "\u202f"), "１２５０", "١٢٥٠", "१२५०"])
def test_a_number_is_one_term_however_it_is_written(other: str) -> None:
    assert set(marks_of(None, other).tolist()) == set(marks_of(None, "1,250").tolist())


def test_what_says_nothing_is_in_no_story(engine: Engine) -> None:
    assert stories_of([]) == []
    assert not len(marks_of("", ""))
    day = {"datePublished": START}
    store(
        engine, *(stored(f"https://{n}.example/", text, site=None, headline="", **day) for n, text in enumerate(".1"))
    )
    catch_up(engine)
    assert groups(engine) == set()


def test_stories_are_the_same_at_once_and_day_by_day_in_any_order(engine: Engine) -> None:
    made = make_articles(23, n_events=4, languages=("en", "zh"))
    records = [record(article) for article in made]
    store(engine, *records)
    assert catch_up(engine) == len(records)
    at_once = groups(engine)
    assert len(at_once) >= 4
    assert catch_up(engine) == 0
    with writing(engine) as connection:
        connection.execute(story_marks.delete())
        connection.execute(articles.delete())
    random.Random(2).shuffle(records)
    for start in range(0, len(records), 9):
        store(engine, *records[start : start + 9])
        catch_up(engine)
    by_parts = groups(engine)
    catch_up(engine, anew=True)
    assert groups(engine) == at_once
    same = len(at_once & by_parts) / len(at_once)
    assert same >= 0.8  # how rare a word is, later articles tell, too


def test_an_article_that_changes_or_loses_its_day_leaves_its_story(engine: Engine) -> None:
    made = [article for article in make_articles(24, n_events=2, languages=("en",)) if article.event == 0]
    store(engine, *map(record, made))
    catch_up(engine)
    (whole,) = groups(engine)
    assert len(whole) == len(made)
    gone = record(made[0])
    store(engine, record(made[0], "Something else altogether, of gardens and of bees.", headline="Bees"))
    catch_up(engine)
    left = whole - {gone.url}
    assert groups(engine) == ({left} if len(left) > 1 else set())


def test_who_had_it_first_and_who_copied_whom(engine: Engine) -> None:
    first, *_ = make_articles(25, n_events=1, languages=("en",))
    text = first.text + "\nThe mayor will speak to the town on Monday evening, and 4,711 people are invited to come."
    copy = text.replace("Monday", "Tuesday") + "\nOur own words are few."
    store(
        engine,
        record(first, text),
        stored("https://late.example/c", copy, site="late", headline=first.headline, inLanguage="en",
               datePublished=START + timedelta(days=first.report.moment, hours=5)),
        stored("https://other.example/z", chinese(3), site="other", inLanguage="zh", datePublished=START),
    )  # fmt: skip
    catch_up(engine)
    with engine.connect() as connection:
        (listed,) = newest_stories(connection, 5)
        assert (listed["nSites"], listed["nArticles"], listed["firstSite"]) == (2, 2, first.report.site)
        assert newest_stories(connection, 5, until=START) == []
        origin, late = one_story(connection, listed["story"])
        assert one_story(connection, 99) == []
    assert (origin["copiedFrom"], late["copiedFrom"]) == (None, origin["url"])
    assert late["copied"] > 0.5
    assert [line[0] for line in late["changes"]] == ["-", "+", "+"]


def test_pages_api_and_command_show_a_story(database: str, engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    made = [article for article in make_articles(24, n_events=2, languages=("zh",)) if article.event == 0]
    store(engine, *map(record, made))
    with client(database) as server:
        (listed,) = server.get("/api/v1/stories").json()
        rows = server.get(f"/api/v1/stories/{listed['story']}").json()
        assert [row["datePublished"] for row in rows] == sorted(row["datePublished"] for row in rows)
        assert len(rows) == len(made) == listed["nArticles"]
        assert server.get(f"/api/v1/articles/{rows[0]['id']}").json()["story"] == listed["story"]
        assert listed["headline"] in server.get("/stories?until=2030-01-01&lang=zh").text
        assert listed["headline"] not in server.get("/stories?until=2000-01-01").text
        for row in rows:
            assert row["url"].partition("/")[0] in server.get(f"/stories/{listed['story']}").text
        assert f"/stories/{listed['story']}" in server.get(f"/articles/{rows[0]['id']}").text
        for path, status in (("/stories/99999", 404), ("/stories?until=noon", 400), ("/api/v1/stories?day=1", 400)):
            assert server.get(path).status_code == status, path
    one = str(listed["story"])
    assert json.loads(answer(StoriesCommand(), capsys, "--json", "--database", database)) == [listed]
    assert json.loads(answer(StoriesCommand(), capsys, one, "--json", "--database", database)) == rows
    assert listed["headline"] in answer(StoriesCommand(), capsys, "--anew", "--database", database)
    assert rows[-1]["site"] in answer(StoriesCommand(), capsys, one, "--database", database)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("99",), "no story 99"),
        (("one",), "the story's number"),
        (("1", "2"), "expected one story's number, got 2"),
        (("--until", "5.3.2024"), "--until '5.3.2024' is no day"),
        (("--limit", "0"), "--limit"),
    ],
)
@pytest.mark.usefixtures("engine")
def test_what_is_refused(
    database: str, arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refusal(StoriesCommand(), capsys, *arguments, "--database", database)
    assert answer(StoriesCommand(), capsys, "--database", database) == "no event is reported by two sites\n"


@pytest.mark.postgres
def test_stories_on_postgresql(postgres_database: str) -> None:
    engine = make_engine(postgres_database)
    migrate(engine)
    made = make_articles(24, n_events=2, languages=("en",))
    store(engine, *map(record, made))
    catch_up(engine)
    assert groups(engine)
    assert catch_up(engine, anew=True) == len(made)
    with engine.connect() as connection:
        assert one_story(connection, newest_stories(connection, 1)[0]["story"])
    engine.dispose()
