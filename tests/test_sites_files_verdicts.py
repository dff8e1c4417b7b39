from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import UserError
from newscrawl.items import PageType
from newscrawl.sites import named_site, site_at, site_mistakes
from newscrawl.sites.files import agreed_forms, read_verdicts, set_verdict, with_verdicts
from newscrawl.sites.model import NewsSite
from newscrawl.urls.shape import UrlKind, url_form
from tests.reading import read

if TYPE_CHECKING:
    from pathlib import Path

TOWN = NewsSite(name="town", title="Town", hosts=("town.example",), seeds=("https://town.example/",))
ARTICLE, HUB, OTHER = UrlKind.ARTICLE, UrlKind.HUB, UrlKind.OTHER


@pytest.mark.parametrize(
    ("target", "form"),
    [
        ("e.org/2024/05/12-a-new-bridge-opens.html?id=7", "e.org/0/0/*.html?id"),
        ("e.org/n/123.shtml", "e.org/n/0.shtml"),
        ("e.org/tag/linux", "e.org/tag/linux"),
        ("e.org/", "e.org/"),
        ("e.org/v1.2-notes", "e.org/v0.0-notes"),
        ("e.org/x?b=1&a=2&b=3", "e.org/x?a&b"),
        ("", ""),
    ],
)
def test_the_form_of_an_address_leaves_out_what_differs_from_page_to_page(target: str, form: str) -> None:
    assert url_form(target) == form


def test_verdicts_that_agree_make_a_rule_of_their_form() -> None:
    said = {"e.org/n/1": ARTICLE, "e.org/n/2": ARTICLE, "e.org/t/1": HUB, "e.org/p/1": ARTICLE, "e.org/p/2": HUB}
    assert agreed_forms(said) == {"e.org/n/0": ARTICLE}


def test_a_verdict_is_kept_and_taken_back(tmp_path: Path) -> None:
    set_verdict("town", tmp_path, "https://town.example/手机", ARTICLE)
    set_verdict("town", tmp_path, "https://town.example/n/2", OTHER)
    set_verdict("town", tmp_path, "https://town.example/手机", HUB)
    assert list(read_verdicts("town", tmp_path).items()) == [
        ("https://town.example/n/2", OTHER),
        ("https://town.example/手机", HUB),
    ]
    set_verdict("town", tmp_path, "https://town.example/n/2", None)
    assert read_verdicts("town", tmp_path) == {"https://town.example/手机": HUB}


@pytest.mark.parametrize("text", ["", "[]", '{"a": "cat"}', '{"a": "unknown"}', '{"a": 1}'])
def test_a_file_with_mistakes_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "town.pages.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"town\.pages\.json: .*article, hub, other$"):
        with_verdicts(TOWN, tmp_path)


def test_a_verdict_decides_for_its_address_and_speaks_for_its_form(tmp_path: Path) -> None:
    for number in (1, 2):
        set_verdict("town", tmp_path, f"https://town.example/tag/{number}", ARTICLE)
    site = with_verdicts(TOWN, tmp_path)
    page = "<h1>Bridge</h1><ul>" + "".join(f"<li><a href=/n/{i}>Story number {i} of the day</a>" for i in range(30))
    asked = {name: f"https://town.example/tag/{name}" for name in ("1", "3", "x")}
    assert [site.stated_kind(url) for url in asked.values()] == [ARTICLE, None, None]
    assert [site.url_kind(url) for url in asked.values()] == [ARTICLE, ARTICLE, HUB]
    told = {name: read(page, url=url, site=site) for name, url in asked.items()}
    assert (told["1"].page_type, told["1"].page_type_confidence) == (PageType.ARTICLE, 1.0)
    assert told["x"].page_type is PageType.HUB
    assert site.stated_kind("https://town.example/") is HUB  # the site's own description still counts


@pytest.mark.parametrize(
    ("path", "stated"),
    [
        ("/2024/05/bridge.html", None),  # by its page
        ("/2024/05/", HUB),
        ("/apps/", OTHER),
        ("/a-long-story-of-the-day/", OTHER),
        ("/guessed/7", OTHER),
        ("/told/7", ARTICLE),
        ("/form/7", None),
        ("/2024/05/denied.html", OTHER),
    ],
)
def test_no_address_but_those_of_the_article_patterns_is_an_articles(path: str, stated: UrlKind | None) -> None:
    site = replace(
        TOWN,
        article_patterns=(r"^[^/]+/\d{4}/\d{2}/\w+\.html$",),
        guessed_patterns=("/guessed/",),
        deny_patterns=("denied",),
        page_verdicts={"town.example/told/7": ARTICLE},
        form_verdicts={"town.example/form/0": ARTICLE},
    )
    url = f"https://town.example{path}"
    assert site.stated_kind(url) is stated
    page = (
        f"<title>Bridge</title><h1>Bridge</h1>{'<p>The old bridge over the river is closed for a year, she said.' * 9}"
    )
    assert read(page, url=url, site=site).page_type == (PageType.ARTICLE if stated in {None, ARTICLE} else stated)


def test_sites_of_user_and_catalogue_come_with_their_verdicts(tmp_path: Path) -> None:
    text = 'title = "Town"\nhosts = ["town.example"]\nseeds = ["https://town.example/"]\n'
    (tmp_path / "town.toml").write_text(text, encoding="utf-8")
    set_verdict("town", tmp_path, "https://town.example/n", OTHER)
    set_verdict("sina", tmp_path, "https://news.sina.com.cn/n", HUB)
    for name, url, kind in (("town", "https://town.example/n", OTHER), ("sina", "https://news.sina.com.cn/n", HUB)):
        named, at = named_site(name, tmp_path), site_at(url, tmp_path)
        assert named is not None
        assert at is not None
        assert named.stated_kind(url) is at.stated_kind(url) is kind


def test_what_is_told_of_a_host_without_a_file_is_found_by_its_address(tmp_path: Path) -> None:
    url = "https://town.example/n/1"
    assert site_at(url, tmp_path) is None
    set_verdict("town.example", tmp_path, "town.example/n/1", OTHER)
    found = site_at(url, tmp_path)
    assert found is not None
    assert (found.name, found.stated_kind(url)) == ("town.example", OTHER)


def test_files_with_mistakes_are_told(tmp_path: Path) -> None:
    good = 'title = "Town"\nhosts = ["town.example"]\nseeds = ["https://town.example/"]\n'
    (tmp_path / "town.toml").write_text(good, encoding="utf-8")
    assert list(site_mistakes(tmp_path)) == []
    (tmp_path / "hill.toml").write_text(good + "[rules]\nheadlin = 'h1'\n", encoding="utf-8")
    (line,) = site_mistakes(tmp_path)
    assert "hill.toml: rules.headlin is not a key; accepted: authors, body" in line
