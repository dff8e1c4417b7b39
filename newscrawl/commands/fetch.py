"""Scrapy's ``fetch``, which stores nothing."""

from __future__ import annotations

from scrapy.commands.fetch import Command

from newscrawl.console.command import SinglePageCommand


class FetchCommand(SinglePageCommand, Command): ...
