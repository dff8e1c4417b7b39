"""News sites as data: the user's own, and those in the box.

The box has one TOML file a country, in which each table is what a user's own site file holds. Nothing is parsed before
it is asked for: a name or a host is looked for in the text, and only its file is parsed.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from newscrawl.exceptions import UserError
from newscrawl.sites.files import list_sites, load_site, model_path, parse_sites, verdicts_path, with_verdicts
from newscrawl.sites.model import NewsSite, site_from_url
from newscrawl.sites.rules import NO_RULES, stands
from newscrawl.urls.canonical import canonicalize, host_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = [
    "NewsSite", "UrlKind", "catalogue", "catalogue_names", "catalogued_host", "catalogued_site", "countries",
    "list_sites", "load_site", "named_site", "own_sites", "site_at", "site_mistakes", "standing",
]  # fmt: skip

FOLDER: Final = resources.files("newscrawl.sites") / "countries"
_TABLE: Final = re.compile(r"^\[([a-z0-9_-]+)\]$", re.MULTILINE)


def countries() -> list[str]:
    """Return the codes of the countries that there are sites of, sorted."""
    return sorted(path.name[:-5] for path in FOLDER.iterdir() if path.name.endswith(".toml"))


def catalogue_names() -> list[str]:
    """Return the names of all sites, sorted."""
    return sorted(name for country in countries() for name in _TABLE.findall(_text(country)))


def catalogue(country: str | None = None) -> Iterator[NewsSite]:
    """Yield the sites of a country, or of all."""
    for code in countries() if country is None else [country]:
        yield from _sites(code).values()


def catalogued_site(name: str) -> NewsSite | None:
    """Return the site of that name, if there is one."""
    found = next((country for country in countries() if f"\n[{name}]\n" in _text(country)), None)
    return None if found is None else _sites(found).get(name)


def catalogued_host(url: str) -> NewsSite | None:
    """Return the site that an address is of, if there is one."""
    return _site_of_host(host_of(url))


@lru_cache(maxsize=8192)
def _site_of_host(host: str) -> NewsSite | None:
    parts = host.split(".")
    spellings = [f'"{host}"', *(f'".{".".join(parts[n:])}"' for n in range(len(parts) - 1))]
    for country in countries():
        if any(spelling in _text(country) for spelling in spellings):
            found = next((site for site in _sites(country).values() if site.covers_host(host)), None)
            if found is not None:
                return found
    return None


@cache
def _text(country: str) -> str:
    return (FOLDER / f"{country}.toml").read_text(encoding="utf-8")


@cache
def _sites(country: str) -> Mapping[str, NewsSite]:
    return MappingProxyType(parse_sites(_text(country), origin=f"{country}.toml"))


def own_sites(folder: Path) -> Iterator[NewsSite]:
    """Yield the user's sites, but for files with mistakes: their own crawl tells of these."""
    for site in _read_sites(folder):
        try:
            yield with_verdicts(site, folder)
        except UserError:
            continue


def _read_sites(folder: Path) -> Iterator[NewsSite]:
    for name in list_sites(folder):
        try:
            yield load_site(name, folder)
        except UserError:
            continue


def named_site(name: str, folder: Path) -> NewsSite | None:
    """Return the site of that name: the user's, else the catalogue's.

    :raises UserError: the user's file has mistakes.
    """
    site = load_site(name, folder) if name in list_sites(folder) else catalogued_site(name)
    return None if site is None else with_verdicts(site, folder)


def site_at(url: str, folder: Path) -> NewsSite | None:
    """Return the site that an address is of: the user's, else the catalogue's; else what a user told of its host."""
    own = next((site for site in _read_sites(folder) if site.covers(url)), None)
    known = own or catalogued_host(url) or _described_host(url, folder)
    try:
        return None if known is None else with_verdicts(known, folder)
    except UserError:  # its own crawl tells of the mistakes
        return known


def standing(events: Iterable[dict[str, Any]], folder: Path) -> tuple[dict[str, Any], ...]:
    """Return what was noticed on hosts without what was told of rules that are gone, or are others now."""
    found = []
    for event in events:
        site = site_at(f"https://{event['host']}/", folder) if event["reason"] == "rule" else None
        if stands(event, site.rules if site else NO_RULES):
            found.append(event)
    return tuple(found)


def _described_host(url: str, folder: Path) -> NewsSite | None:
    """Return the site that ``crawl site`` makes of the address, where a user has told something of it."""
    canonical = canonicalize(url)
    site = site_from_url(canonical) if canonical and host_of(canonical) else None
    if site is None:
        return None
    return site if any(path(site.name, folder).is_file() for path in (model_path, verdicts_path)) else None


def site_mistakes(folder: Path) -> Iterator[str]:
    """Yield a line for each of the user's files that cannot be used: what is wrong with it first."""
    for name in list_sites(folder):
        try:
            load_site(name, folder)
        except UserError as error:
            yield str(error).splitlines()[0]
