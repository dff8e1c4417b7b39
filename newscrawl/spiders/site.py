"""Any site, from its address alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from newscrawl.exceptions import UserError
from newscrawl.sites.from_url import site_from_url
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.options import ACCEPTED, read_flag, refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.sites.model import NewsSite


class SiteSpider(NewsSpider):
    """``scrapy crawl site -a url=https://example.org/``: that host and its ``www.`` twin."""

    name = "site"
    also_accepted: ClassVar[Mapping[str, str]] = {
        "url": "an http(s) address to start from",
        "subdomains": "1 or 0: take all hosts below the registered domain",
        "timezone": "an IANA name such as Asia/Shanghai, for times printed without a zone",
    }

    def make_site(self, arguments: Mapping[str, str]) -> NewsSite:
        refuse_unknown(arguments, {**ACCEPTED, **self.also_accepted})
        if "url" not in arguments:
            raise UserError("the spider 'site' needs -a url=https://example.org/")
        return site_from_url(
            arguments["url"],
            subdomains=read_flag(arguments, "subdomains"),
            timezone=arguments.get("timezone"),
        )
