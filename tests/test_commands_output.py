from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.table import Table

from newscrawl.console.command import make_console, print_json

if TYPE_CHECKING:
    import pytest


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
