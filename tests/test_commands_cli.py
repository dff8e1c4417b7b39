from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

import pytest
import scrapy
from scrapy.utils.project import get_project_settings

from newscrawl import __version__
from newscrawl.commands.cli import OWN, project_files, run_program
from newscrawl.commands.direct import load_command
from newscrawl.console.program import SHELLS, as_typed, command_summaries, is_of_laboratory, options_of
from newscrawl.focus.topic import load_topic
from newscrawl.sites.files import load_site
from newscrawl.sites.schedule import load_schedule
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
    assert run_program(["--help"]) == 0
    shown = capsys.readouterr().out
    assert len(command_summaries()) >= 14
    for name, summary in command_summaries().items():
        command = load_command(name)
        assert command.short_desc() == summary
        assert re.search(r"Examples?: scrapy ", command.long_desc()), name
        assert f"  {name:<11} {as_typed(summary, 'newscrawl')}\n" in shown
    assert "  init " in shown


def test_a_command_calls_itself_what_was_typed(tmp_path: Path) -> None:
    done = newscrawl(tmp_path, "extract", "nowhere.html", "--nolog")
    assert done.returncode == 2
    assert done.stderr.startswith("newscrawl extract: no file 'nowhere.html'; ")
    done = newscrawl(tmp_path, "crawl", "--help")
    assert "newscrawl crawl [options] <spider>" in done.stdout
    assert "scrapy crawl" not in done.stdout


@pytest.mark.parametrize("word", ["--version", "version"])
def test_the_version_is_its_own_and_that_of_scrapy(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program([word]) == 0
    assert capsys.readouterr().out == f"newscrawl {__version__} (Scrapy {scrapy.__version__})\n"


def test_an_option_without_its_value_is_one_line(tmp_path: Path) -> None:
    done = newscrawl(tmp_path, "extract", "page.html", "--format")
    expected = "newscrawl extract: argument --format: expected one argument; --help lists the options\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_names_commands_and_their_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in command_summaries())
    assert "format" in script
    assert "bash zsh fish" in script


def test_options_of_a_command_are_those_of_its_parser() -> None:
    for name in ("extract", "report", "serve"):
        parser = ArgumentParser(conflict_handler="resolve")
        command = load_command(name)
        command.settings = get_project_settings()
        command.add_options(parser)
        known = {option for action in parser._actions for option in action.option_strings}
        assert set(options_of(name)) <= known
        assert {option for option in known if option.startswith("--")} - set(options_of(name)) <= {
            "--profile", "--pidfile", "--set", "--pdb"
        }  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("newscrawl expl", "explain"),
        ("newscrawl extract --form", "--format"),
        ("newscrawl harvest --verb", "--verbose"),
        ("newscrawl completion z", "zsh"),
        ("newscrawl extract a", ""),  # the shell's own names of files
    ],
)
def test_bash_takes_the_script(capsys: pytest.CaptureFixture[str], typed: str, completed: str) -> None:
    run_program(["completion", "bash"])
    ask = f"COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _newscrawl; echo ${{COMPREPLY[@]}}"
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    done = subprocess.run(  # noqa: S603 (our own words)
        [bash, "-c", capsys.readouterr().out + ask], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{completed}\n"


def test_a_shell_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["completion", "cmd"]) == 2
    assert capsys.readouterr().err == "newscrawl completion: 'cmd' is no shell; accepted: bash, zsh, fish\n"


def test_a_misspelt_command_is_one_line_that_names_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_program(["serch", "words"]) == 2
    refusal = "newscrawl: no command 'serch'; did you mean search?\n"
    assert capsys.readouterr().err == refusal
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = newscrawl.settings\n", encoding="utf-8")
    done = newscrawl(tmp_path, "serch", "words")
    assert (done.returncode, done.stderr) == (2, refusal)


def test_in_a_checkout_the_laboratory_has_commands_too() -> None:
    assert is_of_laboratory("experiment")
    assert "experiment" not in command_summaries()
    assert not any(map(is_of_laboratory, ("nosuch", "../evaluation/score", "")))


def test_help_loads_no_scrapy() -> None:
    code = "import sys; from newscrawl.commands import cli; cli.run_program([]); sys.exit('scrapy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0


def test_a_new_project_has_files_that_are_read_and_none_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "news"
    assert run_program(["init", str(folder)]) == 0
    assert f"cd {folder}" in capsys.readouterr().out
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(project_files())
    assert load_site("sample", folder / "sites").title == "Example News"
    assert load_schedule(folder / "schedule.toml") == ()  # its example is not enabled
    assert load_topic(folder / "topics" / "phones.toml") == load_topic(PROJECT / "data" / "topics" / "phones.toml")
    units = "".join(
        (folder / name).read_text(encoding="utf-8") for name in project_files() if name.startswith("deploy/")
    )
    assert f"WorkingDirectory={folder}\n" in units
    assert f"cd {folder} && " in units
    assert re.search(r"^ExecStart=/\S+ .*tick --schedule " + re.escape(str(folder)), units, re.MULTILINE)
    assert "$" not in units
    assert run_program(["init", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("name", OWN)
def test_commands_that_scrapy_does_not_know_have_help_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: newscrawl {name} ")
    assert "Example" in shown


@pytest.mark.parametrize("words", [[], ["a", "b"], ["--force"], ["/dev/null/news"]])
def test_mistakes_of_init_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["init", *words]) == 2
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
    done = newscrawl(folder, "addsite", "example", HOME, *replay)  # as README has it
    assert done.returncode == 0, done.stderr
    assert newscrawl(folder, "crawl", "example", "-a", "channels=?").stdout == "example has no channels\n"


@pytest.mark.slow
def test_outside_any_project_a_crawl_says_whose_site_it_takes_and_where_articles_go(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", {"url": "https://hongkongfp.com/", "body": b"<p>Nothing here."})
    words = ("crawl", "hkfp", "-s", f"NEWSCRAWL_REPLAY={tmp_path}/a.warc.gz", "--nolog")
    done = newscrawl(tmp_path, *words)
    assert "newscrawl crawl: no project here: hkfp is the site of the box, https://" in done.stderr
    assert "articles go to sqlite:///newscrawl.sqlite" in done.stderr
    assert newscrawl(tmp_path, "init", "news").returncode == 0
    assert "no project here" not in newscrawl(tmp_path / "news", *words).stderr


@pytest.mark.slow
def test_outside_any_project_a_page_is_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article(0), encoding="utf-8")
    done = newscrawl(tmp_path, "extract", "page.html")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 100
