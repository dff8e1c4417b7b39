"""Spiders by name: the project's classes, a spider for each site file and catalogue entry, and one for any address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.spiderloader import SpiderLoader

from newscrawl.console.check import ValueKind, read_values
from newscrawl.console.place import sites_folder
from newscrawl.exceptions import UserError, did_you_mean
from newscrawl.sites import catalogue_names, catalogued_site, list_sites, named_site, site_at
from newscrawl.sites.model import site_from_url
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.options import flag

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request, Spider
    from scrapy.settings import BaseSettings
    from scrapy.spiderloader import SpiderLoaderProtocol

    from newscrawl.sites.model import NewsSite


class SiteSpiderLoader(SpiderLoader):
    """``scrapy crawl NAME`` for ``data/sites/NAME.toml``, else for a site in the box.

    ``scrapy list`` shows the project's own spiders and sites, and the portals. Setting ``NEWSCRAWL_SITES_DIR``.
    """

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self.folder = sites_folder(settings)

    def load(self, spider_name: str) -> type[Spider]:
        """Return the class of a spider's name: the project's own, else one made for the site of that name.

        :raises UserError: the site's file has mistakes.
        """
        site = None if self.is_class(spider_name) else named_site(spider_name, self.folder)
        return super().load(spider_name) if site is None else site_spider(site)

    def find_by_request(self, request: Request) -> list[str]:
        """Return the names of the spiders that cover an address: classes, else a site file or catalogue entry."""
        found = super().find_by_request(request)
        site = None if found else site_at(request.url, self.folder)
        return found if site is None else [site.name]

    def list(self) -> list[str]:
        return [*dict.fromkeys([*self._spiders, *list_sites(self.folder)])]

    def is_class(self, name: str) -> bool:
        """Tell whether the name is a class that no site file can replace; portals can be replaced."""
        found = self._spiders.get(name)
        return found is not None and not issubclass(found, BoxSpider)


def site_spider(site: NewsSite) -> type[NewsSpider]:
    """Return the spider of a site that has no class of its own."""
    attributes: dict[str, Any] = {"name": site.name, "site": site}
    return type("SiteFileSpider", (NewsSpider,), attributes)


def unknown_spider(name: str, loader: SpiderLoaderProtocol) -> str:
    """Return the message for an unknown name: similar names, else where to list them."""
    unlike = "sites of yours are known in the folder of their project."
    known = did_you_mean(name, [*loader.list(), *catalogue_names()], otherwise=unlike)
    return f"unknown spider {name!r}; {known} News sites in the box: scrapy sites; any site: scrapy crawl site -a url=…"


class BoxSpider(NewsSpider):
    """A spider of a site in the box. A site file with its name replaces the box's entry."""

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        del arguments
        site = catalogued_site(self.name)
        if site is None:
            raise UserError(f"no site {self.name!r} in the box; `scrapy sites` lists them")
        return site


class SiteSpider(NewsSpider):
    """``scrapy crawl site -a url=https://example.org/``: that host and its ``www.`` twin."""

    name = "site"
    also_accepted: ClassVar[Mapping[str, str]] = {
        "url": "an http(s) address to start from",
        "subdomains": "1 or 0: take all hosts below the registered domain",
        "timezone": "an IANA name such as Asia/Shanghai, for times printed without a zone",
    }

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        if "url" not in arguments:
            raise UserError("the spider 'site' needs -a url=https://example.org/")
        given = read_values(arguments, {"subdomains": ValueKind(self.also_accepted["subdomains"], flag)})
        return site_from_url(
            arguments["url"], subdomains=given.get("subdomains", False), timezone=arguments.get("timezone")
        )
