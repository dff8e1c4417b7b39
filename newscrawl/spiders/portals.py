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

from newscrawl.spiders.loader import BoxSpider


class SinaSpider(BoxSpider):
    """新浪: ``scrapy crawl sina -a channels=tech,finance -a since=1d``."""

    name = "sina"


class NeteaseSpider(BoxSpider):
    """网易."""

    name = "netease"


class SohuSpider(BoxSpider):
    """搜狐."""

    name = "sohu"


class PeopleSpider(BoxSpider):
    """人民网."""

    name = "people"


class XinhuaSpider(BoxSpider):
    """新华网."""

    name = "xinhua"
