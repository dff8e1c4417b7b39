"""``scrapy hub``: the stories that a list page announces, as a table or as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from newscrawl.commands.source import read_page
from newscrawl.console.command import PageCommand, make_console, one_argument, print_json, print_rows
from newscrawl.exceptions import UserError
from newscrawl.extract.lists.read import read_hub
from newscrawl.page.document import Document

if TYPE_CHECKING:
    import argparse

    from newscrawl.extract.lists.read import HubReading

TITLE_SHOWN: Final = 60


class HubCommand(PageCommand):
    summary = "List the stories that a list page announces"
    details = (
        "Reads a channel, tag or home page as records: title, address, date, summary, picture and section of each "
        "story in the order of the page, and the address of the list's next page. "
        "Example: scrapy hub list.html --url https://news.example.org/local/ --json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        argument = one_argument(args, "URL, file or -")
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
    rows = [
        {
            "#": record.place,
            "list": record.group,
            "date": record.date or "–",
            "title": record.title if len(record.title) <= TITLE_SHOWN else record.title[: TITLE_SHOWN - 1] + "…",
            "section": record.section or "–",
            "address": record.url,
        }
        for record in found.records
    ]
    print_rows("Stories", rows[0], rows, right=("#", "list"))
    make_console().print(f"next page: {found.next_page or 'none'}", markup=False)
