"""The news portals that come with the project."""

from __future__ import annotations

from newscrawl.sites.china import NETEASE, PEOPLE, SINA, SOHU, XINHUA
from newscrawl.spiders.news import NewsSpider


class SinaSpider(NewsSpider):
    name = SINA.name
    site = SINA


class NeteaseSpider(NewsSpider):
    name = NETEASE.name
    site = NETEASE


class SohuSpider(NewsSpider):
    name = SOHU.name
    site = SOHU


class PeopleSpider(NewsSpider):
    name = PEOPLE.name
    site = PEOPLE


class XinhuaSpider(NewsSpider):
    name = XINHUA.name
    site = XINHUA
