r"""The five portals that newscrawl was first made for, a class each: the worked example for a spider of one's own.

A spider is a name and a site. The facts of these five (channels, feeds, patterns of addresses) are in
``newscrawl/sites/countries/cn.toml``. Other sites in the box need no class: ``scrapy crawl NAME`` knows them all. A
spider of your own may also define its site in the class::

    class ExampleSpider(NewsSpider):
        name = "example"
        site = NewsSite(
            name="example",
            title="Example News",
            hosts=(".example.org",),
            seeds=("https://www.example.org/",),
            feeds=("https://www.example.org/rss.xml",),
            article_patterns=(r"/(?P<y>20\d\d)/(?P<m>\d\d)/[\w-]+\.html$",),
            timezone="Europe/Berlin",
        )

        def judge_link(self, link, page):  # whatever this site needs
            ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.exceptions import UserError
from newscrawl.sites import catalogued_site
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.sites.model import NewsSite


class PortalSpider(NewsSpider):
    """A spider of a site in the box. A site file with its name replaces the box's entry."""

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        del arguments
        site = catalogued_site(self.name)
        if site is None:
            raise UserError(f"no site {self.name!r} in the box; `scrapy sites` lists them")
        return site


class SinaSpider(PortalSpider):
    """新浪: ``scrapy crawl sina -a channels=tech,finance -a since=1d``."""

    name = "sina"


class NeteaseSpider(PortalSpider):
    """网易."""

    name = "netease"


class SohuSpider(PortalSpider):
    """搜狐."""

    name = "sohu"


class PeopleSpider(PortalSpider):
    """人民网."""

    name = "people"


class XinhuaSpider(PortalSpider):
    """新华网."""

    name = "xinhua"
