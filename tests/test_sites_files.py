from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import UserError
from newscrawl.read.model import Wants
from newscrawl.sites import UrlKind, list_sites, load_site
from newscrawl.sites.files import parse_site
from newscrawl.sites.model import site_from_url
from tests.reading import read

if TYPE_CHECKING:
    from pathlib import Path

GOOD = r"""
title = "Example"
hosts = ["example.org", ".example.com"]
seeds = ["http://example.org/"]
article_patterns = ['/\d+\.html$']
timezone = "Europe/Berlin"
language = "de"
article_query = false

[channels]
tech = ["http://example.org/tech/"]
"""


def test_a_file_is_a_site(tmp_path: Path) -> None:
    (tmp_path / "example.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "Not a name.toml").write_text("", encoding="utf-8")
    assert list_sites(tmp_path) == ["example"]
    site = load_site("example", tmp_path)
    assert site.name == "example"
    assert site.covers("http://www.example.com/")
    assert not site.covers("http://www.example.org/")
    assert site.url_kind("http://example.org/17.html") is UrlKind.ARTICLE
    assert site.channels["tech"] == ("http://example.org/tech/",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("titel = 'x'", "titel is not a key; accepted: article_patterns"),
        ("title = 1", "title = 1; accepted: a string"),
        ("timezone = 'Mars/Base'", "timezone = 'Mars/Base'; accepted: an IANA name"),
        ("language = 'German'", "language = 'German'; accepted: a two-letter code"),
        ("seeds = 'http://example.org/'", "seeds = 'http://example.org/'; accepted: a list of http(s) addresses"),
        ("feeds = ['example.org/feed']", "feeds, entry 1 = 'example.org/feed'; accepted: an http(s) address"),
        ("hosts = ['http://example.org']", "hosts, entry 1 = 'http://example.org'; accepted: a host name"),
        (
            "hosts = ['example.org:8000']",
            "hosts, entry 1 = 'example.org:8000'; accepted: a host name in lower case, without port",
        ),
        ("article_patterns = ['(']", "article_patterns, entry 1 = '('; accepted: a regular expression (missing )"),
        ("article_query = 'no'", "article_query = 'no'; accepted: true or false"),
        ("channels = {tech = 'x'}", "channels.tech = 'x'; accepted: a list of http(s) addresses"),
        ("hosts = []", "hosts is missing"),
        ("= 1", "not TOML"),
    ],
)
def test_mistakes_are_named(line: str, message: str) -> None:
    key = line.partition(" ")[0]
    others = "\n".join(
        text
        for name, text in {
            "title": "title = 'x'",
            "hosts": "hosts = ['x.org']",
            "seeds": "seeds = ['http://x.org/']",
        }.items()
        if name != key
    )
    with pytest.raises(UserError) as error:
        parse_site("x", f"{others}\n{line}", origin="x.toml")
    assert message in str(error.value)
    assert str(error.value).startswith("x.toml: ")


def test_every_mistake_has_a_line() -> None:
    with pytest.raises(UserError) as error:
        parse_site("x", "title = 1\nfoo = 2")
    assert len(str(error.value).splitlines()) == 4  # hosts and seeds are missing, too


def test_an_unknown_name_lists_those_known(tmp_path: Path) -> None:
    (tmp_path / "example.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(UserError, match=r"no site 'other' in .*; there are: example"):
        load_site("other", tmp_path)


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("https://example.org/", ("example.org", "www.example.org")),
        ("https://www.example.org/", ("www.example.org", "example.org")),
        ("http://例子.cn/", ("xn--fsqu00a.cn", "www.xn--fsqu00a.cn")),
    ],
)
def test_a_site_of_an_address(url: str, hosts: tuple[str, ...]) -> None:
    assert site_from_url(url).hosts == hosts


def test_subdomains_and_zone() -> None:
    site = site_from_url("https://news.example.co.uk/a", subdomains=True)
    assert site.hosts == (".example.co.uk",)
    assert site.timezone == "Europe/London"
    assert site_from_url("http://127.0.0.1:8000/").hosts == ("127.0.0.1",)
    assert site_from_url("http://127.0.0.1:8000/", subdomains=True).covers("http://127.0.0.1:8000/x")
    assert site_from_url("http://example.com.cn/").timezone == "Asia/Shanghai"
    unknown = site_from_url("http://example.org/")
    assert (unknown.timezone, unknown.timezone_known) == ("UTC", False)
    assert site_from_url("http://example.org/", timezone="UTC").timezone_known
    assert site_from_url("http://example.org/", timezone="Asia/Tokyo").timezone == "Asia/Tokyo"


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org/", "http://", ""])
def test_wrong_addresses(url: str) -> None:
    with pytest.raises(UserError, match="is not an http"):
        site_from_url(url)


def test_wrong_zone() -> None:
    with pytest.raises(UserError, match="timezone='Mars' is not an IANA name"):
        site_from_url("http://example.org/", timezone="Mars")


def test_a_site_without_a_zone_leaves_it_to_the_language_of_its_pages() -> None:
    text = 'title = "x"\nhosts = ["example.org"]\nseeds = ["http://example.org/"]\n'
    assert not parse_site("demo", text).timezone_known
    assert parse_site("demo", text + 'timezone = "UTC"').timezone_known
    page = """<html lang="{}"><h1>{}</h1><p>{} 2024-03-05 10:20</p><p>{}</p></html>"""
    words = {"zh": "新图书馆今天在北岸开放", "en": "A new library opens on the shore"}
    hours = {}
    for lang, title in words.items():
        for zone in ("", 'timezone = "Asia/Tokyo"'):
            article = read(
                page.format(lang, title, "", f"{title}，" * 20),
                "http://example.org/a-1.html",
                fetched_at=datetime(2024, 3, 6, tzinfo=UTC),
                site=parse_site("demo", text + zone),
                wants=Wants(any_type=True),
            ).article
            assert article is not None
            assert article.datePublished is not None
            hours[lang, bool(zone)] = article.datePublished.utcoffset()
    assert hours == {
        ("zh", False): timedelta(hours=8),
        ("zh", True): timedelta(hours=9),
        ("en", False): timedelta(0),
        ("en", True): timedelta(hours=9),
    }
