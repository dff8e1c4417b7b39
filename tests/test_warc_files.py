from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from newscrawl.extract.simhash import content_hash
from newscrawl.items import ARTICLE
from newscrawl.read.model import Wants
from newscrawl.read.worker import PageTimeoutError, page_alarm
from newscrawl.warc.files import FileJob, extract_file, extract_files, finished_report
from tests.archives import write_warc
from tests.crawling import PROJECT

SITE = "http://news.example.org"
SENTENCE = "The council voted on the new bridge after a long debate, and work is to begin in spring, the mayor said. "


def story(number: int) -> dict[str, Any]:
    paragraphs = "".join(f"<p>Paragraph {number}-{part}. {SENTENCE * 3}</p>" for part in range(4))
    page = f"<html><head><title>Bridge {number}</title></head><body><h1>Bridge {number}</h1>{paragraphs}</body></html>"
    return {"url": f"{SITE}/2024/03/0{number}/bridge.html", "body": page.encode()}


GZIP = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
PAGES = [
    story(1),
    {
        "url": f"{SITE}/packed",
        "body": gzip.compress(story(2)["body"], mtime=0),
        "headers": GZIP,
    },
    {"url": f"{SITE}/cut", "body": b"\x1f\x8b\x08\0\0\0", "headers": GZIP},
    {"url": f"{SITE}/gone", "body": b"gone", "status": 404},
    {"url": f"{SITE}/file.pdf", "headers": [("Content-Type", "application/pdf")], "body": b"%PDF-1.7"},
    {"url": f"{SITE}/empty", "body": b""},
]


def job(
    folder: Path, name: str = "a.warc.gz", *, form: str = "jsonl.gz", pages: list[dict[str, Any]] = PAGES
) -> FileJob:
    folder.mkdir(exist_ok=True)
    return FileJob(path=str(write_warc(folder / name, *pages)), folder=folder, wants=Wants(method="rules"), form=form)


def rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_every_answer_is_a_row_or_a_reason(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    one = job(tmp_path)
    report = extract_file(one, lambda *note: told.append(note))
    assert (report.pages, report.articles, report.error) == (len(PAGES), 2, None)
    assert report.reasons == {"broken": 1, "empty": 1, "http_error": 1, "not_html": 1, "stored": 2}
    first, second = rows(one.output)
    assert first["headline"] == "Bridge 1"
    assert "Paragraph 1-3." in first["articleBody"]
    assert "Paragraph 2-0." in second["articleBody"]
    assert list(first) == list(ARTICLE)
    assert first["contentHash"] == content_hash(first["articleBody"])


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    one = job(tmp_path)
    assert finished_report(one) is None
    report = extract_file(one)
    assert finished_report(one) == report
    other_method = FileJob(path=one.path, folder=one.folder, wants=Wants(method="fulltext"), form=one.form)
    assert finished_report(other_method) is None
    one.output.unlink()
    assert finished_report(one) is None


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_text("no archive")
    broken = FileJob(path=str(path), folder=tmp_path, wants=Wants(method="rules"), form="jsonl.gz")
    report = extract_file(broken)
    assert report.error is not None
    assert "not a WARC file" in report.error
    assert finished_report(broken) is None
    assert [file.name for file in tmp_path.iterdir()] == ["a.warc.gz"]


@pytest.mark.parametrize("name", ["a\0b.warc", "a" * 300 + ".warc"])
def test_a_name_that_no_file_has_is_reported(tmp_path: Path, name: str) -> None:
    report = extract_file(FileJob(path=f"/{name}", folder=tmp_path, wants=Wants(), form="jsonl"))
    assert "cannot read WARC file" in str(report.error)


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="needs requirements-parquet.txt")
    lines, table = job(tmp_path / "lines"), job(tmp_path / "table", form="parquet")
    extract_file(lines)
    extract_file(table)
    found = pq.read_table(table.output).to_pylist()
    assert found
    for row, line in zip(found, rows(lines.output), strict=True):
        row |= {"fieldSources": json.loads(row["fieldSources"]), "fetchedAt": row["fetchedAt"].isoformat()}
        for name in ("datePublished", "dateModified"):
            if row[name] is not None:
                line[name] = datetime.fromisoformat(line[name])
        assert row == line


@pytest.mark.parametrize("form", ["jsonl.gz", "parquet"])
def test_formats_and_pictures_are_there(tmp_path: Path, form: str) -> None:
    with_picture = story(1)
    picture = b"<p><img src='/a.jpg' alt='The bridge'></p><p>Paragraph 1-2"
    with_picture["body"] = with_picture["body"].replace(b"<p>Paragraph 1-2", picture)
    one = replace(job(tmp_path, form=form, pages=[with_picture]), wants=Wants(method="news", formats=("markdown",)))
    extract_file(one)
    if form == "parquet":
        pq = pytest.importorskip("pyarrow.parquet", reason="needs requirements-parquet.txt")
        (row,) = pq.read_table(one.output).to_pylist()
    else:
        (row,) = rows(one.output)
    assert f"![The bridge]({SITE}/a.jpg)" in row["articleBodyMarkdown"]
    assert row["articleBodyHtml"] is None
    before = row["articleBody"].split("\n").index(f"Paragraph 1-2. {SENTENCE * 3}".strip())
    shown = {"url": f"{SITE}/a.jpg", "alt": "The bridge", "position": before}
    assert row["images"] == [{"caption": None, "credit": None} | shown]


@pytest.mark.slow
def test_a_dead_worker_costs_nothing_else(tmp_path: Path) -> None:
    """Workers are killed whenever the third file is begun: it is tried again, then given up; the rest is done."""
    jobs = [job(tmp_path, f"{name}.warc.gz") for name in "abc"]
    deadly = jobs[2].path
    killed = 0

    def kill(note: tuple[str, int, int]) -> None:
        nonlocal killed
        if note == (deadly, 0, 0):
            killed += 1
            for child in multiprocessing.active_children():
                child.kill()

    slow = [story(number % 9 + 1) for number in range(400)]  # still at work when the note of its start arrives
    write_warc(Path(jobs[2].path), *slow)
    reports = {report.path: report for report in extract_files(jobs, 2, kill)}
    assert sorted(reports) == sorted(one.path for one in jobs)
    assert killed == 2
    assert reports[deadly].error is not None
    assert [reports[one.path].articles for one in jobs[:2]] == [2, 2]
    assert finished_report(jobs[2]) is None
    assert finished_report(jobs[0]) is not None


def test_a_page_may_take_only_so_long() -> None:
    with pytest.raises(PageTimeoutError), page_alarm(0.05):
        time.sleep(10)
    with page_alarm(0.05):
        pass
    time.sleep(0.1)  # the alarm is off: nothing rings here


def test_ctrl_c_is_one_line_and_the_next_run_goes_on(tmp_path: Path) -> None:
    slow = [story(number % 9 + 1) for number in range(3_000)]  # still at work when the signal comes
    archives = [str(write_warc(tmp_path / f"{name}.warc.gz", *slow)) for name in "ab"]
    heed = (
        "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "  # ignored in background jobs
    )
    scrapy = [sys.executable, "-c", heed + "runpy.run_module('scrapy', run_name='__main__', alter_sys=True)"]
    words = [*scrapy, "extract", "--out", str(tmp_path / "out"), "--warc", *archives]
    process = subprocess.Popen(  # noqa: S603 (our own words)
        words, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and len(list((tmp_path / "out").glob("*.part"))) < len(archives):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    output, error = process.communicate(timeout=30)
    assert (process.returncode, output) == (130, "")
    assert error.strip() == "scrapy extract: interrupted"
    assert not list((tmp_path / "out").glob("*.report.json"))
