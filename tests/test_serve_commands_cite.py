"""``scrapy cite``: what is printed of an article is found again in its record, and only there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.serve.commands.cite import CiteCommand
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.storage import write_batch
from newscrawl.warc.archive import WarcArchive
from tests.archives import write_warc
from tests.commands_run import answer, refusal, run_command
from tests.records import stored

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://e.org/ferries"
LINES = ["Three <b>ferries</b> sail at noon.", "船が三隻\n出航した。", "Ни один паром не вернулся."]
TEXT = "Three ferries sail at noon.\n船が三隻 出航した。\nНи один паром не вернулся."
PAGE = ("<html><title>Ferries</title><article>" + "".join(f"<p>{line}</p>" for line in LINES) + "</article>").encode()


@pytest.fixture(params=[".warc.gz", ".warc"])
def harvest(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[str, Path]:
    """A database with an article, and the archive that its crawl answered from."""
    path = write_warc(
        tmp_path / f"a{request.param}",
        {"url": "https://e.org/", "body": b"<p>home"},
        {"url": URL, "body": PAGE},
        gzip=request.param == ".warc.gz",
    )
    with WarcArchive([path]) as archive:
        found = archive.get(URL)
    assert found is not None
    url = f"sqlite:///{tmp_path}/news.sqlite"
    engine = make_engine(url)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored(URL, TEXT, fieldSources={"headline": "json-ld"} | found.place)])
        write_batch(connection, [stored("https://e.org/unrecorded", "Nobody wrote it down.")])
    engine.dispose()
    return url, path


def cited(harvest: tuple[str, Path], capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict[str, Any], int]:
    status = run_command(CiteCommand(), *words, "--json", "--database", harvest[0])
    return json.loads(capsys.readouterr().out), status


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ((), [1]),
        (("three", "FERRIES"), [1]),
        (("三隻",), [2]),
        (("паром не",), [3]),
        ((".",), [1, 3]),
    ],
)
def test_paragraphs_that_have_the_words_are_found_again(
    harvest: tuple[str, Path], words: tuple[str, ...], numbers: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    found, status = cited(harvest, capsys, URL, *words, "--check")
    assert [one["number"] for one in found["paragraphs"]] == numbers
    assert (found["archive"], status) == (str(harvest[1]), 0)
    assert found["check"] == {
        "isThere": True,
        "recordedAt": "2024-03-05T02:20:00+00:00",
        "missing": [],
        "isIntact": True,
    }


def test_lines_for_a_reader(harvest: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(CiteCommand(), capsys, URL, "noon", "--check", "--database", harvest[0]).splitlines()
    assert lines[1] == URL
    assert lines[3].startswith(f"{harvest[1]}, record at byte ")
    assert lines[4:] == ["  1  Three ferries sail at noon.", "found again: recorded 2024-03-05T02:20:00+00:00"]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], "there is no such record"),
        (
            [{"url": "https://e.org/", "body": b"<p>home"}, {"url": URL, "body": PAGE.replace(b"noon", b"nine")}],
            "altered",
        ),
        ([{"url": "https://e.org/", "body": b"<p>home"}, {"url": URL, "body": PAGE[:40]}], "altered"),
        ([{"url": "https://e.org/longer", "body": b"<p>home, home"}], "there is no such record"),
    ],
)
def test_another_record_is_told(
    harvest: tuple[str, Path], records: list[dict[str, Any]], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(harvest[1], *records, gzip=harvest[1].suffix == ".gz")
    found, status = cited(harvest, capsys, URL, "--check")
    assert status == 1
    if harvest[1].suffix == ".warc":  # packed records differ in length, by their ids
        assert found["check"]["isThere"] is (said == "altered")
    assert found["check"]["isIntact"] is False
    assert found["check"]["missing"] == [1]


def test_an_archive_may_be_named(harvest: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    moved = harvest[1].rename(harvest[1].with_name(f"moved-{harvest[1].name}"))
    assert "cannot read WARC file" in refusal(CiteCommand(), capsys, URL, "--check", "--database", harvest[0])
    found, status = cited(harvest, capsys, URL, "--check", "--archive", str(moved))
    assert (found["archive"], found["check"]["isIntact"], status) == (str(moved), True, 0)
    found, status = cited(harvest, capsys, "https://e.org/unrecorded", "--check", "--archive", str(moved))
    assert (found["archive"], found["check"]["isThere"], status) == (None, False, 1)


def test_what_was_not_recorded_is_cited_without_a_record(
    harvest: tuple[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    found, status = cited(harvest, capsys, "https://e.org/unrecorded")
    assert (found["archive"], status) == (None, 0)
    assert cited(harvest, capsys, "https://e.org/unrecorded", "--check")[1] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "expected an address and words"),
        (("https://e.org/none",), "no article of 'https://e.org/none' is stored"),
        ((URL, "submarines"), "has 'submarines'; it has 3 paragraphs"),
        (("ferries",), "'ferries' is not a URL"),
    ],
)
def test_a_mistake_is_one_line(
    harvest: tuple[str, Path], arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refusal(CiteCommand(), capsys, *arguments, "--database", harvest[0])
