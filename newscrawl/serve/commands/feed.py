"""``scrapy feed``: the articles of a site, or of a search, as a feed with their full text."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newscrawl.console.command import FOLDERS_ARE_MADE, one_argument, one_of, whole_number
from newscrawl.console.files import write_text
from newscrawl.console.program import program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.serve.article_feed import FeedHead, atom, json_feed
from newscrawl.serve.search.progress import bring_up_to_date
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.search.search import full_articles, search
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.export import has_site

if TYPE_CHECKING:
    import argparse

    from sqlalchemy import Connection

_FORMATS = {"atom": atom, "json": json_feed}
#: Most articles of a feed: each has its full text.
_MOST = 1000


class FeedCommand(DatabaseCommand):
    usage = "[options] [SITE]"
    summary = "Write the articles of a site, or of a search, as a feed with their full text"
    details = (
        "Writes the newest articles of a harvested site, or those that a query finds (as in scrapy search), as Atom or "
        "JSON Feed with their full text: a feed for a site that has none. "
        "Example: scrapy feed sina --output sina.atom; scrapy feed --query '手机 lang:zh' --format json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--query", metavar="QUERY", default="", help="what the articles must have, as in scrapy search")
        add("--format", metavar="FORMAT", default="atom", help="atom (default) or json")
        add("--limit", metavar="N", default="50", help=f"articles, at most {_MOST} (default: 50)")
        add("-o", "--output", metavar="FILE", help=f"file to write; {FOLDERS_ARE_MADE}; without it, standard output")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        site = one_argument(args, "site") if args or not opts.query.strip() else None
        write = _FORMATS[one_of(opts.format, _FORMATS, "format")]
        limit = min(whole_number(opts.limit, "--limit"), _MOST)
        query = parse_query(opts.query, site=site)
        with self.database(opts) as engine:
            bring_up_to_date(engine)
            with engine.connect() as connection:
                _refuse_unknown_site(connection, site)
                found = search(connection, query, limit=limit)
                articles = full_articles(connection, [hit.article_id for hit in found.hits])
        sys.stderr.write("".join(f"{program()} feed: {note}\n" for note in found.notes))
        title = " ".join(filter(None, (site, opts.query.strip())))
        head = FeedHead(title=title, key=f"{site or ''}?{opts.query.strip()}", updated=datetime.now(UTC))
        feed = write(articles, head).decode()
        if opts.output:
            write_text(Path(opts.output), feed)
            sys.stdout.write(f"{quantity(len(articles), 'article')} in {opts.output}\n")
        else:
            sys.stdout.write(feed + "\n")


def _refuse_unknown_site(connection: Connection, site: str | None) -> None:
    """A misspelt site would be an empty feed; a host is known by its articles."""
    if site is None or has_site(connection, site) or search(connection, parse_query("", site=site), limit=1).total:
        return
    raise UserError(f"no articles of {site!r}; give the name or host of a harvested site")
