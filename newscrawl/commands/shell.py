"""Scrapy's ``shell``, which stores nothing."""

from __future__ import annotations

from scrapy.commands.shell import Command

from newscrawl.console.command import SinglePageCommand


class ShellCommand(SinglePageCommand, Command): ...
