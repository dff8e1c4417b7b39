from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import UserError
from newscrawl.read.model import Wants
from newscrawl.warc.files import FileJob, extract_file
from tests.archives import write_warc
from tests.test_warc_files import PAGES, rows

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("datatrove", reason="needs requirements-datatrove.txt")
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter

from newscrawl.warc.datatrove import ArticleReader


def run(folder: Path) -> None:
    reader = ArticleReader(str(folder / "crawl"), method="rules", formats="html", add_file_path=False)
    steps = [reader, JsonlWriter(str(folder / "articles"))]
    LocalPipelineExecutor(steps, tasks=2, workers=1, logging_dir=str(folder / "logs"), start_method="spawn").run()


def documents(folder: Path, task: int) -> list[dict[str, object]]:
    with gzip.open(folder / "articles" / f"{task:05d}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_the_rows_are_those_of_one_process_and_a_failed_shard_runs_again_alone(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    warc = write_warc(crawl / "a.warc.gz", *PAGES)
    (crawl / "b.warc.gz").write_bytes(b"no archive")
    with pytest.raises(UserError):
        run(tmp_path)
    alone = FileJob(path=str(warc), folder=tmp_path, wants=Wants(method="rules", formats=("html",)), form="jsonl.gz")
    extract_file(alone)
    found = documents(tmp_path, 0)
    same = [{"articleBody": each["text"], "url": each["id"], **each["metadata"]} for each in found]  # type: ignore[dict-item]
    assert [{**row, "fetchedAt": ""} for row in same] == [{**row, "fetchedAt": ""} for row in rows(alone.output)]
    finished = (tmp_path / "articles" / "00000.jsonl.gz").stat().st_mtime_ns
    write_warc(crawl / "b.warc.gz", *PAGES)
    run(tmp_path)
    assert [each["text"] for each in documents(tmp_path, 1)] == [each["text"] for each in found]
    assert (tmp_path / "articles" / "00000.jsonl.gz").stat().st_mtime_ns == finished


def test_an_unknown_method_is_refused_before_any_task() -> None:
    with pytest.raises(UserError, match="no_such"):
        ArticleReader("crawl", method="no_such")
