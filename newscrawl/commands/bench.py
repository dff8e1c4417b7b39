"""Scrapy's ``bench``: its server is on this machine, its pages are none of news, and nothing is stored."""

from __future__ import annotations

from typing import Any, ClassVar

from scrapy.commands.bench import Command

from newscrawl.console.command import SinglePageCommand


class BenchCommand(SinglePageCommand, Command):
    overruled: ClassVar[dict[str, Any]] = {
        **SinglePageCommand.overruled,
        "LOG_LEVEL": "INFO",  # it prints nothing but its log
        "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
        "ROBOTSTXT_OBEY": False,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "ITEM_PIPELINES": {},
    }
