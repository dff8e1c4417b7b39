"""News sites as data: ``SITES`` for those that come with the project, ``load_site`` for the user's own."""

from types import MappingProxyType

from newscrawl.sites import china
from newscrawl.sites.model import NewsSite
from newscrawl.sites.toml import list_sites, load_site
from newscrawl.urls.shape import UrlKind

SITES = MappingProxyType({site.name: site for site in china.SITES})

__all__ = ["SITES", "NewsSite", "UrlKind", "list_sites", "load_site"]
