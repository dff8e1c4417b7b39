"""``scrapy serve``: the harvest in the browser."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.console.command import handed_on, no_arguments, whole_number
from newscrawl.console.place import sites_folder
from newscrawl.console.wording import separated
from newscrawl.exceptions import UserError
from newscrawl.net.addresses import parse_networks
from newscrawl.read.readers import wants_of
from newscrawl.store.command import DatabaseCommand

if TYPE_CHECKING:
    import argparse

    from newscrawl.serve.desk import Options
MIN_TOKEN: Final = 12
MAX_PORT: Final = 65_535
_OWN: Final = ("LOG_", "NEWSCRAWL_DATABASE", "NEWSCRAWL_WARC")


class ServeCommand(DatabaseCommand):
    summary = "Show the harvest in the browser: read, search, watch, label"
    details = (
        "Serves the harvest's database as pages and as JSON (/api/v1), to this machine alone unless --host and --token "
        "say more. --allow-changes also lets it label, requeue, add sites, and start and stop crawls. "
        "Ctrl-C ends it. "
        "Example: scrapy serve --archive crawl.warc.gz --allow-changes"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="to listen at (default: 127.0.0.1)")
        parser.add_argument("--port", metavar="N", default="8460", help="default: 8460; 0: any free one")
        parser.add_argument(
            "--nice", metavar="N", default="10", help="how far the server gives way to crawls, 0 to 19 (default: 10)"
        )
        parser.add_argument("--name", metavar="HOST", action="append", default=[], help="name the server is reached by")
        parser.add_argument(
            "--proxy",
            metavar="ADDRESS",
            action="append",
            default=[],
            help="address or network of a proxy in front: what it says of its clients' addresses counts",
        )
        parser.add_argument(
            "--allow-changes", action="store_true", help="label, requeue, add sites, start and stop crawls"
        )
        parser.add_argument(
            "--token",
            metavar="TOKEN",
            nargs="?",
            const="",
            help="asked of every client; one is made where none is given",
        )
        parser.add_argument(
            "--mcp", action="store_true", help="serve an assistant on standard input and output instead"
        )
        parser.add_argument("--archive", metavar="FILE", action="append", default=[], help="WARC file of the pages")
        parser.add_argument("--labels", metavar="DIR", default="data/labels", help="of labelled pages (data/labels)")
        parser.add_argument("--logs", metavar="DIR", default="logs", help="of crawls that are started here (logs)")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "another database is --database URL")
        kind, needed = ("mcp", ("mcp",)) if opts.mcp else ("serve", ("starlette", "uvicorn"))
        missing = [name for name in needed if find_spec(name) is None]
        if missing:
            raise UserError(f"no {missing[0]}: pip install -r requirements-{kind}.txt, or 'newscrawl[{kind}]'")
        options = self._options(opts)
        if opts.mcp:
            _serve_assistant(options)
            return
        from newscrawl.serve.app import make_app  # noqa: PLC0415

        nice = whole_number(opts.nice, "--nice", least=0)
        proxies = tuple(str(network) for value in opts.proxy for network in parse_networks(value, "--proxy"))
        with bound(opts.host, whole_number(opts.port, "--port", least=0)) as listener:
            app = make_app(options)
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            sys.stdout.write(f"http://{shown}:{port}/\n")
            if opts.token == "":  # (no token was given) # nosec B105
                sys.stdout.write(f"token: {options.token}\n")
            sys.stdout.flush()
            if hasattr(os, "nice"):
                os.nice(nice)
            _run(app, listener, proxies)

    def _options(self, opts: argparse.Namespace) -> Options:
        """:raises UserError: other machines are let in without a token, or the token is short."""
        from newscrawl.serve.desk import Options  # noqa: PLC0415 (not installed with a crawl)
        from newscrawl.serve.safety import is_loopback  # noqa: PLC0415

        settings = self.project_settings
        token = secrets.token_urlsafe(24) if opts.token == "" else opts.token  # (no token was given) # nosec B105
        if token is None and not is_loopback(opts.host):
            raise UserError(f"--host {opts.host} lets other machines in: give --token, too")
        if token is not None and len(token) < MIN_TOKEN:
            raise UserError(f"--token: at least {MIN_TOKEN} characters; without a value one is made")
        replayed = settings["NEWSCRAWL_REPLAY"] or ""
        archives = opts.archive or separated(replayed)
        return Options(
            database=self.database_url(opts),
            allow_changes=opts.allow_changes,
            token=token,
            names=frozenset(name.lower() for name in (opts.host, socket.gethostname(), *opts.name)),
            sites=sites_folder(settings),
            labels=Path(opts.labels),
            logs=Path(opts.logs),
            schedule=Path(settings["NEWSCRAWL_SCHEDULE"]),
            archives=tuple(map(Path, archives)),
            settings=handed_on(settings, without=_OWN),
            wants=replace(wants_of(settings), blocks=True, any_type=True, lines=False, formats=()),
        )


def _serve_assistant(options: Options) -> None:
    from newscrawl.serve.assistant import make_server  # noqa: PLC0415
    from newscrawl.serve.desk import Desk  # noqa: PLC0415

    desk = Desk(options)
    try:
        make_server(desk).run("stdio")
    finally:
        asyncio.run(desk.close())


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    :raises UserError: the address is not this machine's, or taken.
    """
    if port > MAX_PORT:
        raise UserError(f"--port {port}: cannot listen there, at most {MAX_PORT} is accepted")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except (OSError, OverflowError) as error:
        raise UserError(f"cannot listen at {host} port {port}: {getattr(error, 'strerror', None) or error}") from None
    return listener


def _run(app: Any, listener: socket.socket, proxies: tuple[str, ...]) -> None:
    import uvicorn  # noqa: PLC0415 (not installed with a crawl)

    from newscrawl.serve.connections import server_config  # noqa: PLC0415

    said = logging.StreamHandler()
    said.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logging.getLogger("uvicorn.error").addHandler(said)
    changes = logging.getLogger("newscrawl.serve")
    changes.addHandler(said)
    changes.setLevel(logging.INFO)
    changes.propagate = False
    uvicorn.Server(server_config(app, proxies)).run(sockets=[listener])
