"""Scrapy's own commands in the project: they answer, and leave the harvest's database alone."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import TYPE_CHECKING, get_type_hints

import pytest
from scrapy import Request
from scrapy.commands import ScrapyCommand
from scrapy.utils.project import get_project_settings

from newscrawl.commands.genspider import GenspiderCommand
from newscrawl.spiders.loader import SiteSpiderLoader
from newscrawl.spiders.news import NewsSpider
from tests.commands_run import REPLAY, scrapy
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("bench", "fetch", "parse", "shell", "view")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_stored_unless_the_command_line_says_so(name: str) -> None:
    (command,) = (
        one
        for one in vars(import_module(f"newscrawl.commands.{name}")).values()
        if isinstance(one, type) and issubclass(one, ScrapyCommand) and one.__module__.startswith("newscrawl.commands")
    )
    for arguments, database in (([], ""), (["-s", "NEWSCRAWL_DATABASE=sqlite:///x"], "sqlite:///x")):
        running = command()
        running.settings = get_project_settings()
        assert running.settings["NEWSCRAWL_DATABASE"] != database
        parser = ArgumentParser(conflict_handler="resolve")
        running.add_options(parser)
        running.process_options([], parser.parse_args(arguments))
        assert running.settings["NEWSCRAWL_DATABASE"] == database


def test_parse_finds_the_spider_of_an_address_and_its_callback() -> None:
    done = scrapy("parse", "https://news.sina.com.cn/", *REPLAY, "--nolinks")
    assert done.returncode == 0
    assert b"'url': 'https://news.sina.com.cn/'" in done.stdout


def test_a_reader_that_has_enough_ends_a_command_without_a_word() -> None:
    writing = f"{sys.executable} -m newscrawl extract --method list"
    done = subprocess.run(  # noqa: S603 (our own words)
        ["/bin/bash", "-c", f"set -o pipefail; {writing} | true"],
        cwd=PROJECT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode in {0, 141}, done.stderr) == (True, b"")


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("https://news.sina.com.cn/china/", ["sina"]),
        ("https://www.theguardian.com/world", ["guardian"]),
        ("https://nobody.example/", []),
    ],
)
def test_spiders_are_found_by_address(url: str, names: list[str]) -> None:
    assert SiteSpiderLoader(get_project_settings()).find_by_request(Request(url)) == names


def test_frameworks_can_resolve_the_annotations_of_callbacks() -> None:
    callbacks = [value for name, value in vars(NewsSpider).items() if name.startswith("parse")]
    assert len(callbacks) == 6
    for callback in callbacks:
        assert "response" in get_type_hints(callback)


def genspider(*args: str, template: str = "newscrawl", module: str = "morning_spiders") -> int:
    command = GenspiderCommand()
    command.settings = get_project_settings()
    command.settings.set("NEWSPIDER_MODULE", module)
    command.run(list(args), Namespace(list=False, dump=None, edit=False, force=False, template=template))
    return command.exitcode


@pytest.fixture
def own_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "morning_spiders").mkdir()
    (tmp_path / "morning_spiders" / "__init__.py").touch()
    for name in [name for name in sys.modules if name.startswith("morning_spiders")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "morning_spiders"


def test_genspider_writes_a_spider_of_a_news_site(own_project: Path) -> None:
    assert genspider("morning-news", "https://news.example.org/") == 0
    assert [path.name for path in own_project.glob("m*.py")] == ["morning_news.py"]
    spider = import_module("morning_spiders.morning_news").MorningNewsSpider
    assert (spider.name, spider.site.seeds) == ("morning-news", ("https://news.example.org/",))
    assert issubclass(spider, NewsSpider)


@pytest.mark.parametrize(
    ("args", "module", "said"),
    [
        (["morning"], "morning_spiders", "expected a name and an address"),
        (["morning", "https://example.org/"], "newscrawl.spiders", "newscrawl.spiders is no package of this project"),
        (["morning", "https://example.org/"], "absent", "absent is no package of this project"),
        (["morning", "ftp://example.org/"], "morning_spiders", "ftp://example.org/"),
        (["morning", "http://"], "morning_spiders", "http://"),
    ],
)
def test_genspider_refuses_in_one_line_what_gives_no_spider(
    own_project: Path, args: list[str], module: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert genspider(*args, module=module) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not list(own_project.glob("m*.py"))
