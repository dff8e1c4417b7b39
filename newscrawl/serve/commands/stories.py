"""``scrapy stories``: articles of several sites that tell of one event; who had it first, and who copied whom."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.text import Text

from newscrawl.console.command import make_console, no_more_options, plain_table, print_json, print_rows, whole_number
from newscrawl.console.program import as_typed
from newscrawl.exceptions import UserError
from newscrawl.serve.stories import catch_up, day_after, newest_stories, one_story
from newscrawl.store.command import DatabaseCommand

if TYPE_CHECKING:
    import argparse
    from typing import Any

_COLUMNS = ("story", "firstPublished", "firstSite", "nSites", "nArticles", "headline")


class StoriesCommand(DatabaseCommand):
    usage = "[options] [NUMBER]"
    summary = "Group articles of several sites by the event that they report; say who had it first, who copied whom"
    details = (
        "Groups what came since the last time, and lists the newest stories; with a NUMBER, the articles of that story "
        "in the order of their publication: what each copied of an earlier one, and the numbers that it alone has. "
        "Words are compared within a language, three days at most lie between the articles of a story, and articles "
        "without a date are in none. Example: scrapy stories; scrapy stories 412 --json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--limit", metavar="N", default="20", help="stories listed (default: 20)")
        add("--until", metavar="DAY", help="stories with articles up to this day, e.g. 2024-03-05")
        add("--anew", action="store_true", help="group all articles of the database anew")
        add("--json", action="store_true", help="print JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        if len(args) > 1:
            raise UserError(f"expected one story's number, got {len(args)}")
        number = whole_number(args[0], "the story's number") if args else None
        limit, until = whole_number(opts.limit, "--limit"), day_after(opts.until, "--until")
        with self.database(opts) as engine:
            catch_up(engine, anew=opts.anew)
            with engine.connect() as connection:
                found = (
                    newest_stories(connection, limit, until=until) if number is None else one_story(connection, number)
                )
        if number is not None and not found:
            raise UserError(as_typed(f"no story {number}: scrapy stories lists them"))
        if opts.json:
            print_json(found)
        elif not found:
            sys.stdout.write("no event is reported by two sites\n")
        elif number is None:
            print_rows("Stories", _COLUMNS, found, right=("nSites", "nArticles"))
        else:
            _print_story(found)


def _print_story(rows: list[dict[str, Any]]) -> None:
    table = plain_table(
        "Articles, the first one first", "published", "site", "headline", "copied", "numbers of its own"
    )
    for row in rows:
        origin = f"{row['copied']:.0%} of {row['copiedFrom']}" if row["copiedFrom"] else ""
        cells = (row["site"], row["headline"] or row["url"], origin, " ".join(row["numbers"]))
        table.add_row((row["datePublished"] or "")[:16], *map(Text, cells))
    make_console().print(table)
