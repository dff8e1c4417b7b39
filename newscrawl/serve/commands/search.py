"""``scrapy search``: articles by their words, from the database's full-text index."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.text import Text

from newscrawl.console.command import (
    make_console,
    no_more_options,
    plain_table,
    print_json,
    whole_number,
)
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.serve.search.progress import bring_up_to_date
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.search.search import search
from newscrawl.store.command import DatabaseCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from newscrawl.serve.search.search import Found


class SearchCommand(DatabaseCommand):
    usage = "[options] QUERY"
    summary = "Find articles by their words"
    details = (
        "Prints the articles of the database (setting NEWSCRAWL_DATABASE) that have all words of the query, each text "
        'once. "several words" stand one behind the other; -word leaves out; site:NAME, author:NAME, source:NAME, '
        "lang:CODE, after:DAY and before:DAY (2024, 2024-03, 2024-03-05), topic:NAME (of focused crawls) and "
        "confidence:<0.6 or :>0.9 narrow it. Case and accents do not matter; "
        "words of Chinese, Japanese and Korean are found wherever they stand. "
        "Into a file or pipe goes a line an article: day, site, headline, text and address, with tabs between them. "
        "Example: scrapy search '手机 -华为 site:sina' --json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--limit", metavar="N", default="20", help="articles printed (default: 20)")
        add("--offset", metavar="N", default="0", help="articles left out before them (default: 0)")
        add(
            "--sort",
            metavar="ORDER",
            default="date",
            help="date: newest first (default); rank: headline and author first",
        )
        add("--duplicates", action="store_true", help="also articles that repeat another")
        add("--json", action="store_true", help="print total and articles as JSON")
        add("--build", action="store_true", help="only bring the index up to date, as each search does; can be stopped")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if not opts.build and not args:
            raise UserError("no query; e.g. scrapy search '手机 -华为 site:sina'")
        no_more_options([arg for arg in args if arg.startswith("--")])  # one minus leaves a word out
        query = parse_query(" ".join(args), duplicates=opts.duplicates, sort=opts.sort)
        if "".join(args).strip() and query == parse_query("", duplicates=opts.duplicates, sort=opts.sort):
            raise UserError(f"nothing to look for in {' '.join(args)[:80]!a}: it has no letter and no digit")
        limit, offset = whole_number(opts.limit, "--limit"), whole_number(opts.offset, "--offset", least=0)
        with self.database(opts) as engine:
            n_added = bring_up_to_date(engine)
            if opts.build:
                sys.stdout.write(f"{quantity(n_added, 'article')} added to the index\n")
                return
            with engine.connect() as connection:
                found = search(connection, query, limit=limit, offset=offset)
        if opts.json:
            print_json(as_json(found))
        else:
            print_table(found)


def as_json(found: Found) -> dict[str, Any]:
    """Return the answer with a hit's matches as texts, and its snippet as a text."""
    hits = []
    for hit in found.hits:
        pieces = hit.snippet
        plain = asdict(hit) | {
            "snippet": "".join(text for text, _ in pieces),
            "matches": [text for text, is_match in pieces if is_match],
        }
        hits.append(plain)
    return {"total": found.total, "is_capped": found.is_capped, "hits": hits, "notes": found.notes}


def print_table(found: Found) -> None:
    what = "or more article" if found.is_capped else "article"
    console = make_console()
    if not found.hits:
        console.print("\n".join([quantity(found.total, what), *found.notes]), markup=False)
        return
    if not console.is_terminal:
        sys.stdout.write("".join(_lines(found, quantity(found.total, what))))
        return
    table = plain_table(quantity(found.total, what), "day", "site", "headline", "text")
    for hit in found.hits:
        day = (hit.date_published or "")[:10]
        table.add_row(day, hit.site or "", Text(hit.headline or hit.url), _marked(hit.snippet))
    console.print(table)


def _lines(found: Found, total: str) -> Iterator[str]:
    """Yield what goes into a file or pipe: the total, and a line an article, with tabs between its parts."""
    yield f"{total}\n"
    for hit in found.hits:
        snippet = "".join(text for text, _ in hit.snippet)
        parts = ((hit.date_published or "")[:10], hit.site or "", hit.headline or "", snippet, hit.url)
        yield "\t".join(" ".join(part.split()) for part in parts) + "\n"


def _marked(pieces: Iterable[tuple[str, bool]]) -> Text:
    return Text.assemble(*((text, "bold" if is_match else "") for text, is_match in pieces))
