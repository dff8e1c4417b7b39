"""News sites as data: ``SITES`` for those that come with the project, ``load_site`` for the user's own."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from newscrawl.exceptions import UserError
from newscrawl.sites import china
from newscrawl.sites.model import NewsSite
from newscrawl.sites.toml import list_sites, load_site
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SITES = MappingProxyType({site.name: site for site in china.SITES})

__all__ = ["SITES", "NewsSite", "UrlKind", "known_sites", "list_sites", "load_site"]


def known_sites(folder: Path) -> Iterator[NewsSite]:
    """Yield the project's sites, then the user's, but for files with mistakes: their own crawl tells of these."""
    yield from SITES.values()
    for name in list_sites(folder):
        try:
            yield load_site(name, folder)
        except UserError:
            continue
