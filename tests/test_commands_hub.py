from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from newscrawl.commands.hub import HubCommand
from tests.commands_run import answer, refusal

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = "".join(
    f'<li><a href="/2024/0{n}/the-story-of-the-month-{n}.html">The story of the month [b]{n}[/b] from the harbour</a>'
    f" <i>2024-0{n}-03</i></li>"
    for n in range(1, 6)
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "list.html"
    file.write_text(f'<ul>{ITEMS}</ul><a href="/local/2/">Next page</a>', encoding="utf-8")
    return file


def test_json_has_records_and_the_next_page(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(answer(HubCommand(), capsys, str(page), "--json", "--url", "https://example.org/local/"))
    assert [record["date"] for record in found["records"]] == [f"2024-0{n}-03" for n in range(1, 6)]
    assert found["records"][0]["url"] == "https://example.org/2024/01/the-story-of-the-month-1.html"
    assert found["next_page"] == "https://example.org/local/2/"


def test_a_table(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = answer(HubCommand(), capsys, str(page), "--url", "https://example.org/local/")
    assert "month [b]5[/b] from" in printed
    assert "next page: https://example.org/local/2/" in printed


def test_mistakes_are_one_line(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "give --url URL" in refusal(HubCommand(), capsys, str(page))
    assert "is not a URL" in refusal(HubCommand(), capsys, str(page), "--url", "nowhere")
    empty = tmp_path / "article.html"
    empty.write_text("<h1>A story</h1><p>With a text.</p>", encoding="utf-8")
    assert "no list of stories" in refusal(HubCommand(), capsys, str(empty), "--url", "https://example.org/a.html")
