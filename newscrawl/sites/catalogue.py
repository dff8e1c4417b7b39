"""The sites in the box: one TOML file a country, in which each table is what a user's own site file holds.

Nothing is parsed before it is asked for: a name or a host is looked for in the text, and only its file is parsed.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from newscrawl.sites.files import parse_sites
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from newscrawl.sites.model import NewsSite

FOLDER: Final = files("newscrawl.sites") / "countries"
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
