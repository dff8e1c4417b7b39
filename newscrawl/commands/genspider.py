"""Scrapy's ``genspider``, with a template of a news site's spider."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.commands.genspider import Command, verify_url_scheme

from newscrawl.console.files import shipped_file
from newscrawl.console.program import program
from newscrawl.exceptions import UserError
from newscrawl.sites.model import site_from_url

if TYPE_CHECKING:
    import argparse

NAME: Final = "newscrawl"
"""The template, as ``-t`` and ``-d`` name it."""


class GenspiderCommand(Command):
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        is_site = opts.template == NAME
        template = str(shipped_file("commands/project/newscrawl.tmpl"))
        opts.template, opts.dump = (template if name == NAME else name for name in (opts.template, opts.dump))
        if not opts.list and not opts.dump:
            try:
                self._check(args, is_site=is_site)
            except UserError as error:
                sys.stderr.write(f"{program()} genspider: {error}\n")
                self.exitcode = 2
                return
        super().run(args, opts)
        if opts.list:
            sys.stdout.write(f"  {NAME}\n")

    def _check(self, args: list[str], *, is_site: bool) -> None:
        """:raises UserError: for what would write no spider, or one into a package that is not the project's."""
        if len(args) != 2:
            example = f"{program()} genspider -t {NAME} NAME https://www.example.org/"
            raise UserError(f"expected a name and an address; example: {example}")
        module = self.settings["NEWSPIDER_MODULE"] if self.settings is not None else ""
        if not _is_here(module):
            settled = 'make a folder spiders with an empty __init__.py, and set NEWSPIDER_MODULE = "spiders"'
            raise UserError(f"{module} is no package of this project; {settled}")
        if is_site:
            site_from_url(verify_url_scheme(args[1]))


def _is_here(module: str) -> bool:
    """Tell whether a package is of the project: a spider is not written into what is installed elsewhere."""
    try:
        found = find_spec(module) if module else None
    except ModuleNotFoundError:
        found = None
    return not module or (found is not None and Path(found.origin or "").is_relative_to(Path.cwd()))
