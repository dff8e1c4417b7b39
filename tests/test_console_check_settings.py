from __future__ import annotations

import re

import pytest
from scrapy.settings import Settings
from scrapy.settings import default_settings as scrapy_defaults
from scrapy.utils.test import get_crawler

from newscrawl.console.check import (
    DEFAULTS,
    check_scrapy_settings,
    check_settings,
    name_mistakes,
    setting_mistakes,
)
from newscrawl.console.files import CHROMIUM_VARIABLE
from newscrawl.exceptions import MistakesError, UserError
from newscrawl.languages.tables import FOLDER_VARIABLE
from tests.conftest import PROJECT

ADDON = {"ADDONS": {"newscrawl.addon.NewscrawlAddon": 500}}


def test_the_defaults_are_accepted_as_they_are_and_as_text() -> None:
    check_settings(DEFAULTS)
    assert list(setting_mistakes({name: str(value) for name, value in DEFAULTS.items()})) == []


def test_the_settings_of_the_project_are_scrapys_too() -> None:
    settings = Settings({"LOG_LEVEL": "INFO", "DOWNLOAD_DELAY": "x", "NEWSCRAWL_STORE_BLOCKS": 1})
    check_settings(settings)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("NEWSCRAWL_EXTRACTR", "did you mean NEWSCRAWL_EXTRACTOR?"),
        ("NEWSCRAWL_STORE_LINK", "did you mean NEWSCRAWL_STORE_LINKS"),
        ("NEWSCRAWL_XYZ", "see newscrawl/default_settings.py"),
        ("NEWSCRAWL_", "see newscrawl/default_settings.py"),
    ],
)
def test_a_name_that_is_not_known_is_refused_with_those_most_like_it(name: str, hint: str) -> None:
    (line,) = name_mistakes([name, "NEWSCRAWL_WARC", "EXTRACTR"])
    assert line.startswith(f"unknown setting {name}; {hint}")


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("NEWSCRAWL_STORE_BLOCKS", "maybe", "True or False"),
        ("NEWSCRAWL_STORE_BLOCKS", None, "True or False"),
        ("NEWSCRAWL_EXTRACTOR", ["news"], "a text"),
        ("NEWSCRAWL_WARC", 3, "a text"),
        ("NEWSCRAWL_ALLOW_NETS", 127, "a list of texts, or a text with commas between them"),
        ("NEWSCRAWL_BODY_FORMATS", [1], "a list of texts, or a text with commas between them"),
        ("NEWSCRAWL_JOIN_MAX_PARTS", "abc", "a whole number from 1 up, 1e+12 at most"),
        ("NEWSCRAWL_JOIN_MAX_PARTS", "0", "a whole number from 1 up, 1e+12 at most"),
        ("NEWSCRAWL_JOIN_MAX_PARTS", "1.5", "a whole number from 1 up, 1e+12 at most"),
        ("NEWSCRAWL_HOST_BUDGET", "-1", "a whole number from 0 up, 1e+12 at most"),
        ("NEWSCRAWL_HOST_BUDGET", float("inf"), "a whole number from 0 up, 1e+12 at most"),
        ("NEWSCRAWL_READ_SECONDS", "soon", "a number from 0 up, 1e+12 at most"),
        ("NEWSCRAWL_READ_SECONDS", "inf", "a number from 0 up, 1e+12 at most"),
        ("NEWSCRAWL_LEASE_SECONDS", "nan", "a number from 2 up, 1e+12 at most"),
        ("NEWSCRAWL_LOW_CONFIDENCE", "1.5", "a number from 0 to 1"),
    ],
)
def test_a_value_of_another_kind_is_refused(name: str, value: object, accepted: str) -> None:
    assert list(setting_mistakes({name: value})) == [f"{name} is {value!r}; accepted: {accepted}"]


@pytest.mark.parametrize("name", ["NEWSCRAWL_ALLOW_NETS", "NEWSCRAWL_BODY_FORMATS", "NEWSCRAWL_REPLAY"])
def test_lists_are_taken_as_lists_or_with_commas(name: str) -> None:
    for value in ("a,b", ["a", "b"], ("a",), [], None):
        assert list(setting_mistakes({name: value})) == []


def test_every_mistake_has_a_line() -> None:
    with pytest.raises(MistakesError) as refused:
        check_settings({"NEWSCRAWL_FEED": 1, "NEWSCRAWL_FEEDS": "many", "NEWSCRAWL_WARK": "a"})
    assert [line.split("; ")[0] for line in refused.value.lines] == [
        "unknown setting NEWSCRAWL_FEED",
        "unknown setting NEWSCRAWL_WARK",
        "NEWSCRAWL_FEEDS is 'many'",
    ]


@pytest.mark.parametrize("name", ["NEWSCRAWL_FRONTEIR", "NEWSCRAWL_FEEDS"])
def test_the_add_on_refuses_for_every_project(name: str) -> None:
    with pytest.raises(UserError, match=name):
        get_crawler(settings_dict={**ADDON, name: "x"})


def test_the_code_names_every_setting_and_no_other() -> None:
    sources = [path for path in (PROJECT / "newscrawl").rglob("*.py") if path.name != "default_settings.py"]
    named = {name for path in sources for name in re.findall(r'"(NEWSCRAWL_[A-Z_]+)"', path.read_text("utf-8"))}
    assert named == DEFAULTS.keys() | {CHROMIUM_VARIABLE, FOLDER_VARIABLE}


@pytest.mark.parametrize("value", [False, True, "False", "0", 1])
def test_switches_of_scrapy_are_taken_whatever_their_default_is(value: object) -> None:
    check_scrapy_settings({"TELNETCONSOLE_ENABLED": value, "COOKIES_ENABLED": value}, vars(scrapy_defaults))


def test_numbers_below_zero_that_scrapy_knows_are_taken() -> None:
    check_scrapy_settings({"FEED_EXPORT_INDENT": -1, "DEPTH_PRIORITY": "-1"}, vars(scrapy_defaults))
