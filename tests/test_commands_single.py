"""Scrapy's own commands in the project: they answer, and leave the harvest's database alone."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from typing import get_type_hints

import pytest
from scrapy import Request
from scrapy.commands import ScrapyCommand
from scrapy.utils.project import get_project_settings

from newscrawl.spiders.loader import SiteSpiderLoader
from newscrawl.spiders.news import NewsSpider
from tests.commands_run import REPLAY, scrapy
from tests.conftest import PROJECT

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
    assert len(callbacks) == 5
    for callback in callbacks:
        assert "response" in get_type_hints(callback)
