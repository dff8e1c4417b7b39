"""A file is read without Scrapy, and its article is that of the command."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from newscrawl.commands.extract import ExtractCommand
from newscrawl.commands.extract_file import print_file
from tests.commands_run import answer
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (
    '<html lang="en"><title>The bridge - Example</title><meta name="author" content="Jane Doe"><h1>The bridge</h1>'
    + "".join(f"<p>On day {i} the council of the town decided that the old bridge is rebuilt.</p>" for i in range(9))
)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    return file


@pytest.mark.parametrize("options", [(), ("--json",), ("--format", "markdown"), ("--format", "html")])
def test_it_prints_what_the_command_prints(
    page: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    assert print_file([*options, str(page)]) == 0
    printed = capsys.readouterr().out
    assert "the old bridge is rebuilt" in printed
    assert printed == answer(ExtractCommand(), capsys, str(page), *options)


@pytest.mark.parametrize(
    "words", [("none.html",), ("page.html", "--method", "rules"), ("page.html", "--format", "tei"), ("-",), ("--json",)]
)
def test_all_else_is_left_to_the_command(page: Path, words: tuple[str, ...]) -> None:
    assert page.is_file()
    assert print_file(words) is None


def test_a_picture_is_left_to_the_command(page: Path) -> None:
    page.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert print_file([str(page)]) is None


@pytest.mark.parametrize(("line", "status"), [("LOG_LEVEL = 'INFO'", 0), ("NEWSCRAWL_EXTRACTOR = 'rules'", None)])
def test_a_project_that_reads_pages_its_own_way_is_left_to_the_command(
    page: Path, line: str, status: int | None
) -> None:
    name = f"settings_of_{'rules' if status is None else 'log'}"
    (page.parent / "scrapy.cfg").write_text(f"[settings]\ndefault = {name}\n", encoding="utf-8")
    (page.parent / f"{name}.py").write_text(line, encoding="utf-8")
    assert print_file([str(page)]) == status


def test_it_loads_no_scrapy(page: Path) -> None:
    code = f"import sys; from newscrawl.commands import cli; cli.run_program(['extract', {str(page)!r}]); "
    code += "sys.exit(bool({'scrapy', 'twisted'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, check=False)  # noqa: S603
    assert (done.returncode, b"the old bridge" in done.stdout) == (0, True)
