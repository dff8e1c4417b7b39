"""News sites as data: the user's own, and those of the catalogue in the box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.exceptions import UserError
from newscrawl.sites.catalogue import catalogue, catalogued, catalogued_host
from newscrawl.sites.model import NewsSite
from newscrawl.sites.toml import list_sites, load_site
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "NewsSite", "UrlKind", "catalogue", "catalogued", "list_sites", "load_site", "named_site", "own_sites", "site_at",
]  # fmt: skip


def own_sites(folder: Path) -> Iterator[NewsSite]:
    """Yield the user's sites, but for files with mistakes: their own crawl tells of these."""
    for name in list_sites(folder):
        try:
            yield load_site(name, folder)
        except UserError:
            continue


def named_site(name: str, folder: Path) -> NewsSite | None:
    """Return the site of that name: the user's, else the catalogue's.

    :raises UserError: the user's file has mistakes.
    """
    return load_site(name, folder) if name in list_sites(folder) else catalogued(name)


def site_at(url: str, folder: Path) -> NewsSite | None:
    """Return the site that an address is of: the user's, else the catalogue's."""
    return next((site for site in own_sites(folder) if site.covers(url)), None) or catalogued_host(url)
