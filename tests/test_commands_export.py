from __future__ import annotations

import csv
import json
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.commands.export import ExportCommand
from newscrawl.extract.quality import QUALITY, quality_of
from newscrawl.items import Field, FieldKind, Reservation
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.export import KEPT_ARTICLE
from newscrawl.store.migrations import migrate
from newscrawl.store.row_files import write_rows
from newscrawl.store.storage import write_batch
from tests.commands_run import refusal, run_command
from tests.records import chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def add(database: str, *urls: str, seed: int = 0) -> None:
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored(url, chinese(seed + i)) for i, url in enumerate(urls)])
    engine.dispose()


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/news.sqlite"
    add(url, "https://e.org/a", "https://e.org/b")
    return url


def export(database: str, file: Path, *options: str) -> None:
    assert run_command(ExportCommand(), "--database", database, "--output", str(file), *options) == 0


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_what_was_written_is_counted(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.jsonl"
    export(database, file, "--since-last")
    assert capsys.readouterr().out == f"2 articles in {file}\n"
    add(database, "https://e.org/a", seed=9)
    export(database, file, "--revisions")
    assert capsys.readouterr().out == f"1 revision in {file}\n"
    export(database, file, "--since-last")
    assert capsys.readouterr().out == f"1 article in {file}\n"


def test_since_last_gives_each_article_once(database: str, tmp_path: Path) -> None:
    file = tmp_path / "out" / "new.jsonl"
    export(database, file, "--since-last")
    assert [row["url"] for row in lines(file)] == ["https://e.org/a", "https://e.org/b"]
    export(database, file, "--since-last")
    assert lines(file) == []
    add(database, "https://e.org/c", seed=7)
    export(database, file, "--since-last", "--name", "another")
    assert len(lines(file)) == 3
    export(database, file, "--since-last")
    assert [row["url"] for row in lines(file)] == ["https://e.org/c"]
    assert [path.name for path in file.parent.iterdir()] == ["new.jsonl"]


def test_a_file_that_cannot_be_written_leaves_the_mark(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--database", database, "--since-last", "--output", str(tmp_path), "--format", "jsonl")
    assert "cannot write" in refusal(ExportCommand(), capsys, *words)
    export(database, tmp_path / "all.jsonl", "--since-last")
    assert len(lines(tmp_path / "all.jsonl")) == 2


def test_a_site_alone_and_repeated_texts(database: str, tmp_path: Path) -> None:
    engine = make_engine(database)
    with writing(engine) as connection:
        write_batch(
            connection, [stored("https://o.org/copy", chinese(0)), stored("https://o.org/own", "一。", site="o")]
        )
    engine.dispose()
    file = tmp_path / "a.jsonl"
    export(database, file, "--site", "o")
    assert [row["url"] for row in lines(file)] == ["https://o.org/own"]
    export(database, file)
    assert "https://o.org/copy" not in [row["url"] for row in lines(file)]
    export(database, file, "--duplicates")
    assert {row["url"]: row["duplicateOf"] for row in lines(file)}["https://o.org/copy"] == "https://e.org/a"


def texts(*names: str) -> dict[str, Field]:
    return {name: Field(name=name, kind=FieldKind.TEXT, doc="") for name in names}


def test_articles_that_are_reserved_are_left_out_if_asked(database: str, tmp_path: Path) -> None:
    engine = make_engine(database)
    record = stored("https://e.org/r", chinese(8))
    assert record.article is not None
    reserved = (Reservation(source="robots.txt", value="GPTBot"),)
    with writing(engine) as connection:
        write_batch(connection, [replace(record, article=replace(record.article, reservations=reserved))])
    engine.dispose()
    export(database, tmp_path / "all.jsonl")
    export(database, tmp_path / "free.jsonl", "--without-reserved")
    assert len(lines(tmp_path / "all.jsonl")) == 3
    assert [row["url"] for row in lines(tmp_path / "free.jsonl")] == ["https://e.org/a", "https://e.org/b"]


def test_csv_is_readable_and_no_formula(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/csv.sqlite"
    add(database, "https://e.org/a")
    export(database, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert json.loads(row["keywords"]) == ["新闻", "测试"]
    rows: list[dict[str, Any]] = [
        {"headline": '=HYPERLINK("http://x")', "n": -1},
        {"headline": "正常,\n两行", "n": None},
        {"headline": "\n=1+1", "n": 0},
        {"headline": "＝1+1", "n": 0},
        {"headline": " \ufeff@SUM(1)", "n": 0},
    ]
    assert write_rows(rows, texts("headline", "n"), str(tmp_path / "b.csv"), "csv") == 5
    with (tmp_path / "b.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [
            ["headline", "n"],
            ['\'=HYPERLINK("http://x")', "-1"],
            ["正常,\n两行", ""],
            ["'\n=1+1", "0"],
            ["'＝1+1", "0"],
            ["' \ufeff@SUM(1)", "0"],
        ]


def test_parquet_has_types(database: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(database, tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.num_rows == 2
    row = table.to_pylist()[0]
    assert row["authors"][0]["name"] == "张三"
    assert row["keywords"] == ["新闻", "测试"]
    assert row["fetchedAt"].tzinfo is not None
    assert row["datePublished"] == datetime(2024, 3, 5, 2, 20, tzinfo=UTC)
    assert json.loads(row["fieldSources"]) == {"headline": "json-ld"}
    export(database, tmp_path / "r.parquet", "--revisions")
    assert parquet.read_table(tmp_path / "r.parquet").num_rows == 0


def test_rows_are_not_gathered_in_memory(tmp_path: Path) -> None:
    body = chinese(1, 2_000)

    def rows() -> Iterator[dict[str, str]]:
        for i in range(4_000):
            yield {"url": f"{i}", "articleBody": f"{i}{body}"}

    tracemalloc.start()
    for kind in ("jsonl", "csv"):
        assert write_rows(rows(), texts("url", "articleBody"), str(tmp_path / "x"), kind) == 4_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000, "24 MB of text went through"


def test_refusals(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, expected in (
        (("--output", "a.xlsx"), ".parquet"),
        (("--format", "xml"), "jsonl, csv, parquet"),
        (("--since", "yesterday"), "2024-03-05"),
        (("--name", "a b"), "letters"),
        (("--site", "snia", "--since-last"), "sina"),
        (("articles.jsonl",), "--output FILE"),
        (("--database", f"sqlite:///{tmp_path}/none.sqlite"), "none.sqlite"),
    ):
        assert expected in refusal(ExportCommand(), capsys, "--database", database, *words)
    export(database, tmp_path / "none.jsonl", "--site", "sina")  # a spider, though not harvested yet
    assert lines(tmp_path / "none.jsonl") == []


@pytest.mark.parametrize("form", ["md", "txt", "html", "json"])
def test_one_file_an_article_and_then_what_is_new(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    folder = tmp_path / "files"

    def write(*options: str) -> str:
        words = ("--files", str(folder), "--format", form, *options)
        assert run_command(ExportCommand(), "--database", database, *words) == 0
        return capsys.readouterr().out

    assert write("--since-last") == f"2 articles in {folder}\n"
    files = sorted(folder.rglob(f"*.{form}"))
    assert {str(file.parent.relative_to(folder)) for file in files} == {"example/2024/03/05"}
    add(database, "https://e.org/a", seed=9)
    assert write("--since-last") == f"1 article in {folder}\n"
    assert len(list(folder.rglob(f"*.{form}"))) == 3, "the earlier text is kept"
    assert write("--since-last") == f"0 articles in {folder}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--files x --output y.jsonl", "leave --output and --revisions out"),
        ("--files x --format parquet", "unknown format 'parquet'"),
        ("--files README.md/x", "cannot make the folder"),
    ],
)
def test_mistakes_of_files_are_one_line(
    database: str, capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    assert message in refusal(ExportCommand(), capsys, "--database", database, *words.split())


def test_quality_is_columns_beside_the_article_and_a_card_tells_of_all(database: str, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    file, card = tmp_path / "corpus" / "a.jsonl", tmp_path / "corpus" / "README.md"
    export(database, file, "--quality", "--card", str(card))
    rows = lines(file)
    assert len(rows) == 2
    for row in rows:
        assert row.keys() == {**KEPT_ARTICLE, **QUALITY}.keys()
        assert row["gopherWords"] == quality_of(row["articleBody"], row["inLanguage"])["gopherWords"] > 0
    _, head, text = card.read_text(encoding="utf-8").split("---\n", 2)
    assert yaml.safe_load(head) == {
        "pretty_name": "News articles",
        "tags": ["news", "newscrawl"],
        "size_categories": ["n<1K"],
        "license": "other",
        "configs": [{"config_name": "default", "data_files": "a.jsonl"}],
    }
    assert "2 articles" in text
    assert "published 2024-03-05." in text
    assert all(f"| `{name}` |" in text for name in row)


def test_parquet_of_quality_has_types(database: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(database, tmp_path / "a.parquet", "--quality")
    types = {field.name: str(field.type) for field in parquet.read_table(tmp_path / "a.parquet").schema}
    assert (types["gopherPasses"], types["top2gram"], types["c4Sentences"]) == ("bool", "double", "int32")
