"""``scrapy frontier``: what is still to be fetched, what failed, and how to ask again or forget."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.utils.request import fingerprint

from newscrawl.console.command import no_more_options, one_argument, one_of, print_json, print_rows, whole_number
from newscrawl.console.wording import ACCEPTED_MOMENT, parse_option_moment, quantity
from newscrawl.exceptions import UserError
from newscrawl.frontier.manage import (
    AddressFilter,
    counts,
    crawl_names,
    forget,
    list_requests,
    put_first,
    rates,
    requeue,
    set_drain,
    workers,
)
from newscrawl.store.columns import FINGERPRINT_BYTES, State
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.engine import writing
from newscrawl.store.facts import spellings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from sqlalchemy import Engine

ACTIONS = ("count", "list", "requeue", "forget", "raise", "workers", "drain", "resume")
_COUNTED = ("name", "pass_number", *map(str, State), "workers")
_WORKERS = (
    "crawl", "machine", "process", "started_at", "drains", "lease_seconds", "hosts", "requests", "pages_a_minute"
)  # fmt: skip
_RATES = ("id", "site", "started_at", "pages", "pages_a_minute")
_LISTED = ("crawl", "state", "reason", "priority", "url")


class FrontierCommand(DatabaseCommand):
    usage = "[options] [count | list | requeue | forget | raise | workers | drain | resume] [<url> … | <process>]"
    summary = "Count, list, requeue, forget or raise requests of the frontier; name, drain and resume its workers"
    details = (
        "Reads the frontier in the database: 'count' (default) gives each crawl's requests by state, 'list' shows "
        "them, 'requeue' asks again for those that failed, 'forget' deletes addresses, a host, or a whole crawl, "
        "which then begins anew; 'raise' puts what is queued before all else. 'workers' shows each process, its lease, "
        "the hosts and requests that it holds, and its pages a minute. 'drain' has a worker, named by its process, "
        "give back all it holds and wait, 'resume' has it work again. "
        "Example: scrapy frontier requeue --crawl sina --reason failed:timeout; "
        "scrapy frontier forget --address '*/tag/*' --state queued; "
        "scrapy frontier raise --host www.example.org; scrapy frontier drain 4711; "
        "scrapy frontier forget --crawl sina"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", metavar="NAME", help="only this crawl, as 'scrapy frontier' names it")
        parser.add_argument("--host", metavar="NAME", help="only this host")
        parser.add_argument("--address", metavar="FORM", help="only addresses of this form, as in '*/tag/*'")
        parser.add_argument("--state", metavar="STATE", help=f"only {', '.join(State)} (requeue: failed)")
        parser.add_argument("--reason", metavar="TEXT", help="only those whose reason begins so, e.g. http_error:5")
        parser.add_argument("--ended-before", metavar="TIME", help="only what ended before " + ACCEPTED_MOMENT)
        parser.add_argument("--machine", metavar="NAME", help="of drain and resume, where several have such a process")
        parser.add_argument("--limit", metavar="N", default="50", help="rows of list (default: 50)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        action = one_of(args[0], ACTIONS, "action") if args else "count"
        limit = whole_number(opts.limit, "--limit")
        if action in {"drain", "resume"}:
            self._set_drain(args[1:], opts, drains=action == "drain")
            return
        selection = _selection(opts, args[1:], action)
        with self.database(opts) as engine:
            if selection.crawl is not None:
                with engine.connect() as connection:
                    one_of(selection.crawl, crawl_names(connection), "crawl")
            if action == "workers":
                _print_workers(engine, as_json=opts.json)
                return
            if action in {"count", "list"}:
                _print(engine, action, selection, limit=limit, as_json=opts.json)
                return
            with writing(engine) as connection:
                n = {"requeue": requeue, "forget": forget, "raise": put_first}[action](connection, selection)
        done = {"requeue": "requeued", "forget": "forgotten", "raise": "raised"}[action]
        sys.stdout.write(json.dumps({done: n}) + "\n" if opts.json else f"{quantity(n, 'request')} {done}\n")

    def _set_drain(self, args: Sequence[str], opts: argparse.Namespace, *, drains: bool) -> None:
        process = one_argument(args, "worker's process (scrapy frontier workers lists them)")
        with self.database(opts) as engine, writing(engine) as connection:
            n = set_drain(connection, process, opts.machine or "", drains=drains)
            known = sorted({row["process"] for row in workers(connection)})
        if not n:
            raise UserError(f"no worker {process!r}; there are: {', '.join(known) or 'none'}")
        done = "drained" if drains else "resumed"
        sys.stdout.write(json.dumps({done: n}) + "\n" if opts.json else f"{quantity(n, 'worker')} to be {done}\n")


def _selection(opts: argparse.Namespace, urls: Sequence[str], action: str) -> AddressFilter:
    state = opts.state
    if state is not None:
        one_of(state, tuple(State), "state")
    elif action == "requeue" and not urls:
        state = State.FAILED
    if action == "raise" and not (urls or opts.host or opts.address):
        raise UserError("raise what? Give URLs, --host or --address")
    if action == "forget" and not (urls or opts.crawl or opts.host or opts.address or opts.ended_before):
        raise UserError("forget what? Give URLs, --host, --address, --crawl or --ended-before")
    wanted = [Request(spelling) for url in urls for spelling in spellings(url)]
    return AddressFilter(
        crawl=opts.crawl,
        host=opts.host,
        address=opts.address,
        state=State(state) if state else None,
        reason=opts.reason,
        fingerprints=[fingerprint(request)[:FINGERPRINT_BYTES] for request in wanted] if urls else None,
        ended_before=parse_option_moment(opts.ended_before, "--ended-before"),
    )


def _print_workers(engine: Engine, *, as_json: bool) -> None:
    with engine.connect() as connection:
        found, going = workers(connection), rates(connection)
    if as_json:
        print_json({"workers": found, "runs": going})
        return
    print_rows("Workers", _WORKERS, found, right=_WORKERS[5:])
    print_rows("Runs", _RATES, going, right=_RATES[3:])


def _print(engine: Engine, action: str, selection: AddressFilter, *, limit: int, as_json: bool) -> None:
    with engine.connect() as connection:
        rows = counts(connection, selection) if action == "count" else list_requests(connection, selection, limit)
    if not rows and (selection.host is not None or selection.fingerprints is not None):
        meant = "these addresses" if selection.host is None else f"host {selection.host!r}"
        raise UserError(f"no request is kept of {meant}; scrapy frontier list shows those that are")
    if as_json:
        print_json(rows)
    elif action == "count":
        print_rows("Requests by crawl", _COUNTED, rows, right=_COUNTED[1:])
    else:
        print_rows("Requests", _LISTED, rows, right=("priority",))
