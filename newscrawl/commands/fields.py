"""``scrapy fields``: what an article holds, as a list for people or as JSON Schema."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from newscrawl.console.command import QuietCommand, no_arguments, print_json, print_rows
from newscrawl.items import ARTICLE, json_schema

if TYPE_CHECKING:
    import argparse


class FieldsCommand(QuietCommand):
    usage = "[--json-schema]"
    summary = "List the fields of an article, or print their JSON Schema"
    details = (
        "Feeds, extract --json, extract --warc and exports use these names. "
        "Example: scrapy fields --json-schema > article.schema.json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json-schema", action="store_true", help="as JSON Schema (2020-12)")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "the command takes none")
        if opts.json_schema:
            print_json(json_schema())
            return
        rows = [{"field": one.name, "holds": one.kind, "what it is": one.doc} for one in ARTICLE.values()]
        print_rows(f"{len(rows)} fields of an article", rows[0], rows)
        sys.stdout.flush()
