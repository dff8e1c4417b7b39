"""Scrapy's ``parse``, which stores nothing."""

from __future__ import annotations

from scrapy.commands.parse import Command

from newscrawl.console.command import SinglePageCommand


class ParseCommand(SinglePageCommand, Command): ...
