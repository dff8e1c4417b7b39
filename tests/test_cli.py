from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from newscrawl.cli import PROJECT as FILES
from newscrawl.cli import main, summaries
from newscrawl.sites.schedule import load_schedule
from newscrawl.sites.toml import load_site
from tests.archives import write_warc
from tests.conftest import PROJECT
from tests.newspages import article

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://news.example.org/"


def newscrawl(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the folder, as where it is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"}
    return subprocess.run(  # noqa: S603 (our own words)
        [sys.executable, "-m", "newscrawl", *words],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_help_lists_every_command_by_its_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert len(dict(summaries())) >= 14
    for name, summary in summaries():
        assert import_module(f"newscrawl.commands.{name}").Command().short_desc() == summary
        assert f"  {name:<9} {summary}\n" in shown
    assert "  init " in shown


def test_help_loads_no_scrapy() -> None:
    code = "import sys; from newscrawl.cli import main; main([]); sys.exit('scrapy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0


def test_a_new_project_has_files_that_are_read_and_none_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "news"
    assert main(["init", str(folder)]) == 0
    assert f"cd {folder}" in capsys.readouterr().out
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(FILES)
    assert load_site("example", folder / "sites").title == "Example News"
    assert load_schedule(folder / "schedule.toml") == ()  # its example is not enabled
    assert main(["init", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["a", "b"], ["--force"], ["/dev/null/news"]])
def test_mistakes_of_init_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_from_init_to_search(tmp_path: Path) -> None:
    story = {"url": f"{HOME}2024/03/01/story.html", "body": article(0).encode()}
    home = {"url": HOME, "body": "<p><a href='/2024/03/01/story.html'>城市轨道交通取得新进展</a></p>".encode()}
    write_warc(tmp_path / "a.warc.gz", home, story)
    assert newscrawl(tmp_path, "init", "news").returncode == 0
    folder = tmp_path / "news"
    replay = ("-s", f"NEWSCRAWL_REPLAY={tmp_path}/a.warc.gz", "--nolog")
    done = newscrawl(folder, "harvest", "site", "-a", f"url={HOME}", *replay)
    assert done.returncode == 0, done.stderr
    assert (folder / "newscrawl.sqlite").exists()
    done = newscrawl(folder / "sites", "export")  # the database is found from below
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert newscrawl(folder, "crawl", "example", "-a", "channels=?").stdout == "example has no channels\n"


@pytest.mark.slow
def test_outside_any_project_a_page_is_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article(0), encoding="utf-8")
    done = newscrawl(tmp_path, "extract", "page.html")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 100
