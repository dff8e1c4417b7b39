from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from newscrawl.read.model import Wants
from newscrawl.warc.files import FileJob, extract_file
from tests.archives import write_warc
from tests.test_warc_files import PAGES, rows

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("pyspark", reason="needs requirements-spark.txt")
pq = pytest.importorskip("pyarrow.parquet", reason="needs requirements-parquet.txt")
if shutil.which("java") is None:
    pytest.skip("needs Java", allow_module_level=True)


def test_a_local_cluster_gives_what_one_process_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from newscrawl.warc import spark  # noqa: PLC0415 (needs the optional pyspark)

    warc = write_warc(tmp_path / "a.warc.gz", *PAGES)
    paths = tmp_path / "warc.paths"
    paths.write_text(f"{warc}\nfile://{warc}\n{tmp_path / 'missing.warc.gz'}\n")
    assert spark.submit([str(paths), str(tmp_path / "table"), "--method", "rules", "--formats", "html"]) == 1
    counts = dict(line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert counts == {"broken": "2", "empty": "2", "http_error": "2", "not_html": "2", "stored": "4", "unreadable": "1"}
    alone = FileJob(path=str(warc), folder=tmp_path, wants=Wants(method="rules", formats=("html",)), form="jsonl.gz")
    extract_file(alone)
    found = pq.read_table(tmp_path / "table").to_pylist()
    assert all(row["articleBodyHtml"].startswith("<") for row in found)
    assert sorted(row["articleBody"] for row in found) == sorted(2 * [row["articleBody"] for row in rows(alone.output)])


def test_a_wrong_list_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from newscrawl.warc import spark  # noqa: PLC0415 (needs the optional pyspark)

    assert spark.submit([str(tmp_path / "none"), str(tmp_path)]) == 2
    assert "cannot read" in capsys.readouterr().err
