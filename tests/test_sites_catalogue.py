from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import MistakesError
from newscrawl.net.addresses import is_local_name, literal_address
from newscrawl.sites import (
    FOLDER,
    catalogue,
    catalogue_names,
    catalogued_host,
    catalogued_site,
    countries,
    named_site,
    own_sites,
    site_at,
)
from newscrawl.sites.files import list_sites, parse_site, parse_sites, to_tables
from newscrawl.sites.rules import SiteRules
from newscrawl.urls.canonical import canonicalize, host_of
from newscrawl.urls.domains import registered_domain
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from newscrawl.sites.model import NewsSite

SITES = tuple(catalogue())
TWO = """
country = "de"
language = "de"
source = "a list"
[one]
title = "One"
hosts = [".one.example.org"]
seeds = ["https://www.one.example.org/"]
checked = "never"
[two]
title = "Two"
hosts = ["two.example.org"]
seeds = ["https://two.example.org/"]
language = "tr"
source = "another list"
checked = "2026-11-23"
"""


def mistakes(sites: Iterable[NewsSite]) -> list[str]:
    """Say what is wrong with a catalogue beyond what a file alone tells."""
    known = tuple(sites)
    found = [f"{name}: {n} sites" for name, n in Counter(site.name for site in known).items() if n > 1]
    owners: dict[str, str] = {}
    for site in known:
        for host in site.hosts:
            name = host.lstrip(".")
            if is_local_name(name) or literal_address(name) or not registered_domain(name):
                found.append(f"{site.name}: {host} is no public host")
            if host in owners:
                found.append(f"{site.name}: {host} is {owners[host]}'s")
            owners[host] = site.name
        addresses = (*site.seeds, *site.feeds, *site.sitemaps)
        found += [
            f"{site.name}: {url} is not written as it is asked for" for url in addresses if canonicalize(url) != url
        ]
        found += [f"{site.name}: {url} is not on its hosts" for url in site.seeds if not site.covers(url)]
        others = [other.name for other in known if other is not site and other.covers(site.seeds[0])]
        found += [f"{site.name}: its home page is {other}'s, too" for other in others]
    return found


def test_every_entry_is_sound() -> None:
    assert mistakes(SITES) == []


def test_there_is_enough_to_begin_with() -> None:
    assert len(SITES) >= 300
    assert len(countries()) >= 40
    assert sum(site.language == "zh" for site in SITES) >= 40
    assert {site.country for site in SITES} == set(countries())
    assert all(site.source and site.checked for site in SITES)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"name": "two"}, "two: 2 sites"),
        ({"hosts": ("two.example.org",)}, "one: two.example.org is two's"),
        ({"hosts": ("127.0.0.1",)}, "one: 127.0.0.1 is no public host"),
        ({"hosts": (".localhost",)}, "one: .localhost is no public host"),
        ({"hosts": ("news.internal",)}, "one: news.internal is no public host"),
        ({"hosts": (".com",)}, "one: .com is no public host"),
        ({"feeds": ("HTTP://One.Example/Feed",)}, "is not written as it is asked for"),
        ({"seeds": ("https://elsewhere.example/",)}, "is not on its hosts"),
        ({"seeds": ("https://two.example.org/",)}, "one: its home page is two's, too"),
    ],
)
def test_an_unsound_entry_is_seen(change: dict[str, object], expected: str) -> None:
    one, two = parse_sites(TWO, origin="xx.toml").values()
    assert mistakes([one, two]) == []
    wrong = mistakes([two, replace(one, **change)])  # type: ignore[arg-type]
    assert any(expected in mistake for mistake in wrong), wrong


def test_what_stands_above_the_tables_is_shared() -> None:
    one, two = parse_sites(TWO, origin="xx.toml").values()
    assert (one.name, one.language, one.source, one.checked) == ("one", "de", "a list", "never")
    assert (two.language, two.source, two.checked) == ("tr", "another list", "2026-11-23")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('source = "a list"\n', "", "xx.toml: one.source is missing"),
        ('checked = "never"\n', "", "xx.toml: one.checked is missing"),
        ('country = "de"\n', "", "xx.toml: one.country is missing"),
        ('checked = "never"', 'checked = "soon"', "one.checked = 'soon'; accepted: a day such as"),
        ('checked = "never"', 'checked = "2026-11-31"', "one.checked = '2026-11-31'"),
        ('country = "de"', 'country = "Germany"', "one.country = 'Germany'; accepted: a two-letter code such as 'cn'"),
        (
            "[one]\n",
            "[one]\narticle_patterns = ['(']\n",
            "one.article_patterns, entry 1 = '('; accepted: a regular expression",
        ),
        ("[one]\n", "[one]\nfeed = []\n", "one.feed is not a key"),
        ("[one]\n", "[One]\n", "One is no name; accepted: a lower-case letter"),
    ],
)
def test_an_entry_with_a_mistake_is_refused(old: str, new: str, expected: str) -> None:
    assert old in TWO
    with pytest.raises(MistakesError) as refused:
        parse_sites(TWO.replace(old, new, 1), origin="xx.toml")
    assert any(expected in line for line in refused.value.lines)


def test_a_file_cannot_hold_a_name_twice() -> None:
    for country in countries():
        tomllib.loads((FOLDER / f"{country}.toml").read_text(encoding="utf-8"))  # a table twice is no TOML


def test_names_and_hosts_are_found_in_the_text() -> None:
    names = catalogue_names()
    assert names == sorted(site.name for site in SITES)
    spiegel = catalogued_site("spiegel")
    assert spiegel is not None
    assert spiegel.country == "de"
    assert catalogued_site("spiege") is None
    assert catalogued_site("spiegel.channels") is None
    for site in SITES:
        assert catalogued_site(site.name) == site
        assert catalogued_host(site.seeds[0]) == site
    assert catalogued_host("https://sport.spiegel.de/x") == spiegel
    assert catalogued_host("https://notspiegel.de/") is None
    assert catalogued_host("https://spiegel.de.evil.example/") is None
    assert catalogued_host("about:blank") is None


def test_the_users_site_wins(tmp_path: Path) -> None:
    assert named_site("spiegel", tmp_path) == catalogued_site("spiegel")
    (tmp_path / "spiegel.toml").write_text('title = "Mine"\nhosts = ["spiegel.de"]\nseeds = ["https://spiegel.de/"]\n')
    mine = named_site("spiegel", tmp_path)
    assert mine is not None
    assert (mine.title, mine.country) == ("Mine", None)
    assert site_at("https://spiegel.de/a", tmp_path) == mine
    assert list(own_sites(tmp_path)) == [mine]
    assert list_sites(tmp_path) == ["spiegel"]


@pytest.mark.parametrize("name", ["spiegel", "sina", "kedglobal", "cnn"])
def test_what_is_written_reads_the_same(name: str) -> None:
    site = catalogued_site(name)
    assert site is not None
    assert parse_site(name, to_tables([site])) == site
    other = replace(site, name="other", rules=SiteRules(body=("div.text", "p"), source=(".agency",)))
    assert parse_site("other", to_tables([other])) == other
    assert parse_sites(to_tables([site, other]), origin="xx.toml") == {name: site, "other": other}


def test_what_an_entry_of_the_catalogue_lacks_is_written_as_comments() -> None:
    site = parse_site("one", 'title = "One"\nhosts = ["one.example.org"]\nseeds = ["https://one.example.org/"]\n')
    written = to_tables([site, replace(site, name="two")])
    with pytest.raises(MistakesError):
        parse_sites(written, origin="xx.toml")
    filled = re.sub("^# ", "", written, flags=re.MULTILINE)
    assert parse_sites(filled, origin="xx.toml")["two"].checked == "never"


def test_the_catalogue_is_in_the_wheel() -> None:
    data = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = data["tool"]["setuptools"]["package-data"]["newscrawl.sites"]
    assert {path for pattern in patterns for path in (PROJECT / "newscrawl/sites").glob(pattern)} == {*FOLDER.iterdir()}


def test_a_host_is_named_once_for_each_site() -> None:
    """Of two spellings of a host one would be a mistake: `.x` covers `x`."""
    for site in SITES:
        bare = [host for host in site.hosts if not host.startswith(".")]
        assert not [host for host in bare if f".{host}" in site.hosts]
        assert re.fullmatch(r"[a-z0-9.-]+", host_of(site.seeds[0]))
