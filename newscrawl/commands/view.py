"""Scrapy's ``view``, which stores nothing."""

from __future__ import annotations

from scrapy.commands.view import Command

from newscrawl.console.command import SinglePageCommand


class ViewCommand(SinglePageCommand, Command): ...
