from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime

import pytest
from rich.table import Table

from newscrawl.console.command import make_console, print_json, print_rows
from newscrawl.console.program import print_any_text


def test_json_has_times_in_iso_8601(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"时间": datetime(2024, 3, 5, 10, 20, tzinfo=UTC), "n": 1})
    text = capsys.readouterr().out
    assert json.loads(text) == {"时间": "2024-03-05T10:20:00+00:00", "n": 1}
    assert "时间" in text


def test_a_pipe_gets_lines_that_are_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("a", "b", box=None)
    table.add_row("x" * 90, "y" * 90)
    make_console().print(table)
    header, row = capsys.readouterr().out.splitlines()
    assert header.split() == ["a", "b"]
    assert row.split() == ["x" * 90, "y" * 90]


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252", "gbk", "utf-8"])
def test_what_the_terminal_cannot_write_is_an_escape(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding=encoding, write_through=True))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    print_any_text()
    print_json({"headline": "住房 é Ünal"})
    assert json.loads(printed.getvalue().decode(encoding)) == {"headline": "住房 é Ünal"}


def test_a_table_of_a_pipe_is_not_folded_however_long_its_cells_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows("1 address", ["kind", "url"], [{"kind": "article", "url": f"https://example.org/{'x' * 3_000}"}])
    assert len(capsys.readouterr().out.splitlines()) == 3
