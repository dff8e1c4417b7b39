"""``scrapy hub``: the stories that a list page announces, as a table or as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from rich.text import Text
from scrapy.commands import ScrapyCommand

from newscrawl.commands.base import PlainCommand, make_console, one_argument, plain_table, print_json
from newscrawl.commands.source import read_page
from newscrawl.dom.document import Document
from newscrawl.exceptions import UserError
from newscrawl.hubs.read import read_hub
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    import argparse

    from newscrawl.hubs.read import HubReading

TITLE_SHOWN: Final = 60


class Command(PlainCommand, ScrapyCommand):
    log_level = "CRITICAL"  # what went wrong with the address is told in one line
    usage = "[options] <url|file|->"
    summary = "List the stories that a list page announces"
    details = (
        "Reads a channel, tag or home page as records: title, address, date, summary, picture and section of each "
        "story in the order of the page, and the address of the list's next page. "
        "Example: scrapy hub list.html --url https://news.example.org/local/ --json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument("--url", metavar="URL", help="address that a file came from; its links are relative to it")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        argument = one_argument(args, "URL, file or -")
        if opts.url is not None and canonicalize(opts.url) is None:
            raise UserError(f"--url {opts.url!r} is not a URL; accepted: http://HOST/… or https://HOST/…")
        source = read_page(argument, opts.url, self.crawler_process)
        document = Document.from_html(source.body, source.url, source.content_type)
        found = read_hub(document, source.url, fetched_at=source.fetched_at)
        if not found.records:
            hint = "" if source.url else "; its links may be relative to an address: give --url URL"
            raise UserError(f"no list of stories in {argument!r}{hint}")
        if opts.json:
            print_json(asdict(found))
        else:
            _show(found)


def _show(found: HubReading) -> None:
    table = plain_table("Stories", "#", "list", "date", "title", "section", "address", right=("#", "list"))
    for record in found.records:
        title = record.title if len(record.title) <= TITLE_SHOWN else record.title[: TITLE_SHOWN - 1] + "…"
        cells = [str(record.place), str(record.group), record.date or "–", title, record.section or "–", record.url]
        table.add_row(*map(Text, cells))
    console = make_console()
    console.print(table)
    console.print(f"next page: {found.next_page or 'none'}", markup=False)
