"""``scrapy frontier``: what is still to be fetched, what failed, and how to ask again or forget."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.table import Table
from scrapy import Request
from scrapy.commands import ScrapyCommand
from scrapy.utils.request import fingerprint

from newscrawl.commands.base import (
    QuietCommand,
    add_database_option,
    database_of,
    make_console,
    no_more_options,
    one_of,
    print_json,
    whole_number,
)
from newscrawl.exceptions import UserError
from newscrawl.frontier.manage import Selection, counts, crawl_names, forget, listed, requeue
from newscrawl.storage.columns import FINGERPRINT_BYTES, State
from newscrawl.storage.engine import writing
from newscrawl.storage.facts import spellings
from newscrawl.storage.migrations import existing_database

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Engine

ACTIONS = ("count", "list", "requeue", "forget")
_COLUMNS = ("name", "pass_number", *map(str, State), "workers")


class Command(QuietCommand, ScrapyCommand):
    requires_crawler_process = False
    usage = "[options] [count | list | requeue | forget] [<url> …]"
    summary = "Count, list, requeue or forget requests of the frontier"
    details = (
        "Reads the frontier in the database: 'count' (default) gives each crawl's requests by state, 'list' shows "
        "them, 'requeue' asks again for those that failed, 'forget' deletes addresses, a host, or a whole crawl, "
        "which then begins anew. Example: scrapy frontier requeue --crawl sina --reason failed:timeout; "
        "scrapy frontier forget --crawl sina"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_database_option(parser)
        parser.add_argument("--crawl", metavar="NAME", help="only this crawl, as 'scrapy frontier' names it")
        parser.add_argument("--host", metavar="NAME", help="only this host")
        parser.add_argument("--state", metavar="STATE", help=f"only {', '.join(State)} (requeue: failed)")
        parser.add_argument("--reason", metavar="TEXT", help="only those whose reason begins so, e.g. http_error:5")
        parser.add_argument("--ended-before", metavar="DAY", help="only what ended before this day, e.g. 2024-03-05")
        parser.add_argument("--limit", metavar="N", default="50", help="rows of list (default: 50)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        action = one_of(args[0], ACTIONS, "action") if args else "count"
        limit = whole_number(opts.limit, "--limit")
        selection = _selection(opts, args[1:], action)
        with existing_database(database_of(self.project_settings, opts.database)) as engine:
            _refuse_unknown_crawl(engine, selection.crawl)
            self._act(engine, action, selection, limit=limit, as_json=opts.json)

    @staticmethod
    def _act(engine: Engine, action: str, selection: Selection, *, limit: int, as_json: bool) -> None:
        if action in {"count", "list"}:
            with engine.connect() as connection:
                rows = counts(connection, selection) if action == "count" else listed(connection, selection, limit)
            _print(rows, _COLUMNS if action == "count" else None, as_json=as_json)
            return
        with writing(engine) as connection:
            n = (requeue if action == "requeue" else forget)(connection, selection)
        done = {"requeue": "requeued", "forget": "forgotten"}[action]
        sys.stdout.write(json.dumps({done: n}) + "\n" if as_json else f"{n} requests {done}\n")


def _selection(opts: argparse.Namespace, urls: Sequence[str], action: str) -> Selection:
    state = opts.state
    if state is not None:
        one_of(state, tuple(State), "state")
    elif action == "requeue" and not urls:
        state = State.FAILED
    if action == "forget" and not (urls or opts.crawl or opts.host or opts.ended_before):
        raise UserError("forget what? Give URLs, --host, --crawl or --ended-before")
    return Selection(
        crawl=opts.crawl,
        host=opts.host,
        state=State(state) if state else None,
        reason=opts.reason,
        fingerprints=[key for url in urls for key in _fingerprints(url)] if urls else None,
        ended_before=_day(opts.ended_before),
    )


def _fingerprints(url: str) -> Iterator[bytes]:
    return (fingerprint(Request(spelling))[:FINGERPRINT_BYTES] for spelling in spellings(url))


def _day(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"--ended-before {text!r} is not a day such as 2024-03-05") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _refuse_unknown_crawl(engine: Engine, name: str | None) -> None:
    if name is None:
        return
    with engine.connect() as connection:
        one_of(name, crawl_names(connection), "crawl")


def _print(rows: list[dict[str, Any]], columns: Sequence[str] | None, *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    names = columns or ("crawl", "state", "reason", "priority", "url")
    table = Table()
    for name in names:
        number = name in {"priority", "pass_number", "workers", *State} and name != "state"
        table.add_column(name.replace("pass_number", "pass"), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*("" if row[name] is None else str(row[name]) for name in names))
    make_console().print(table)
