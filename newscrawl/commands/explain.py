"""``scrapy explain URL``: why it was or was not fetched, judged an article, stored."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from newscrawl.commands.source import tell_of_mistakes
from newscrawl.console.command import one_argument, print_json
from newscrawl.console.place import sites_folder
from newscrawl.console.program import program
from newscrawl.sites import site_at
from newscrawl.store.command import DatabaseCommand, existing_database
from newscrawl.store.engine import parse_url
from newscrawl.store.explained import explanation_lines
from newscrawl.store.facts import (
    Explanation,
    Facts,
    explain,
    harvested_sites,
    read_facts,
    site_of_row,
    spellings,
)
from newscrawl.store.migrations import is_there

if TYPE_CHECKING:
    import argparse


class ExplainCommand(DatabaseCommand):
    usage = "[options] <url>"
    summary = "Say why a URL was or was not fetched, judged an article, stored"
    details = (
        "Shows what the database (setting NEWSCRAWL_DATABASE) knows about a URL: its outcome, its article, what it "
        "repeats, where a refused link to it was found; and what the rules of its site say. Nothing is fetched. "
        "Example: scrapy explain https://www.example.org/2024/05/story.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print everything as JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        url = one_argument(args, "URL")
        urls = spellings(url)
        settings = self.project_settings
        tell_of_mistakes(sites_folder(settings), "explain")
        known = site_at(urls[0], sites_folder(settings))
        facts, sites = Facts(), [] if known is None else [known]
        database = opts.database or settings["NEWSCRAWL_DATABASE"]
        if database and is_there(database):
            with existing_database(database) as engine, engine.connect() as connection:
                facts = read_facts(connection, urls)
                sites += map(site_of_row, harvested_sites(connection))
        elif database:
            name = parse_url(database).database
            sys.stderr.write(f"{program()} explain: no database {name!r}: only the sites' files are asked\n")
        explanation = explain(url, facts, sites)
        if opts.json:
            print_json(explanation.as_json())
        else:
            _show(explanation)


def _show(explanation: Explanation) -> None:
    console = Console(soft_wrap=True, highlight=False)
    console.print(Text(explanation.url, style="bold"))
    console.print(Text(explanation.summary))
    for name, value in explanation_lines(explanation):
        console.print(Text.assemble((f"{name:<12} ", "dim"), " ".join(value.split())))
