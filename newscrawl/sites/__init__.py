"""News sites as data: the user's own, and those of the catalogue in the box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newscrawl.exceptions import UserError
from newscrawl.sites.catalogue import catalogue, catalogued_host, catalogued_site
from newscrawl.sites.files import list_sites, load_site, model_path, verdicts_path, with_verdicts
from newscrawl.sites.model import NewsSite, site_from_url
from newscrawl.sites.rules import NO_RULES, stands
from newscrawl.urls.canonical import canonicalize, host_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = [
    "NewsSite", "UrlKind", "catalogue", "catalogued_site", "list_sites", "load_site", "named_site", "own_sites",
    "site_at", "site_mistakes", "standing",
]  # fmt: skip


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
