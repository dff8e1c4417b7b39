"""``scrapy extract -i FILE``: the pages that a list names, read one after the other, as JSON lines."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.commands.source import STDIN, PageSpider, fetched_page, read_page
from newscrawl.console.command import as_text, is_url
from newscrawl.console.counted import counted
from newscrawl.console.program import program
from newscrawl.exceptions import UserError
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response

    from newscrawl.read.model import RawPage, Reading

#: Exit status when a page gave nothing: what is there is whole, but not all.
PARTIAL_STATUS: Final = 1
#: Pages between two notes of progress, where standard error is no terminal.
_STEP: Final = 100


def names_in(listed: str) -> list[str]:
    """Return the addresses and files of a list, one a line; empty lines and those that begin with ``#`` are none.

    :raises UserError: the list cannot be read, or names nothing.
    """
    try:
        text = sys.stdin.read() if listed == STDIN else Path(listed).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read the list {listed!r}: {reason}; accepted: a file of addresses, or -") from None
    names = [name for line in text.splitlines() if (name := line.strip()) and not name.startswith("#")]
    if not names:
        raise UserError(f"the list {listed!r} names no page; accepted: addresses or files, one a line")
    return list(dict.fromkeys(names))


class Extraction:
    """Reads pages and writes a line for each; counts what gave none.

    :param read: a page's reading.
    """

    def __init__(self, n: int, read: Callable[[RawPage], Reading]) -> None:
        self.n = n
        self.read = read
        self.counts: Counter[str] = Counter()
        self.is_live = sys.stderr.isatty()

    def take(self, name: str, page: Callable[[], RawPage]) -> None:
        try:
            reading = self.read(page())
        except UserError as error:
            self.fail(name, str(error))
            return
        if reading.article is None or not reading.text:
            self.fail(name, "no main text found")
            return
        found: dict[str, Any] = {"input": name, **asdict(reading.article)}
        sys.stdout.write(json.dumps(found, ensure_ascii=False, default=as_text) + "\n")
        self._count("read")

    def fail(self, name: str, why: str) -> None:
        sys.stderr.write(f"{program()} extract: {name}: {' '.join(why.split())}\n")
        self._count("failed")

    def _count(self, what: str) -> None:
        self.counts[what] += 1
        done = self.counts.total()
        if self.is_live:
            sys.stderr.write(f"\r{self._said(done)}\033[K" + "\n" * (done == self.n))
        elif done % _STEP == 0 or done == self.n:
            sys.stderr.write(f"{self._said(done)}\n")

    def _said(self, done: int) -> str:
        return f"{done} of {counted(self.n, 'page')}: {self.counts['read']} read, {self.counts['failed']} failed"


def run(names: Sequence[str], read: Callable[[RawPage], Reading], process: CrawlerProcessBase | None) -> int:
    """Read the pages, those of files first; return the exit status."""
    extraction = Extraction(len(names), read)
    wanted = dict.fromkeys(name for name in names if is_url(name) and canonicalize(name) is not None)
    for name in names:
        if name not in wanted:
            extraction.take(name, partial(read_page, name, None, None))
    if wanted and process is not None:

        def take(name: str, answer: Response) -> None:
            extraction.take(name, partial(fetched_page, answer, name))

        process.crawl(PageSpider, urls=wanted, take=take, fail=extraction.fail)
        process.start()
    return PARTIAL_STATUS if extraction.counts["failed"] else 0
