"""``scrapy extract -i FILE``: the pages that a list names, read one after the other, as JSON lines."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scrapy import Request

from newscrawl.command import as_text, is_url
from newscrawl.commands.source import STDIN, OnePageSpider, page_source, read_page
from newscrawl.exceptions import UserError
from newscrawl.program import program
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newscrawl.commands.source import PageSource
    from newscrawl.reading.model import Reading

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

    def __init__(self, n: int, read: Callable[[PageSource], Reading]) -> None:
        self.n = n
        self.read = read
        self.counts: Counter[str] = Counter()
        self.is_live = sys.stderr.isatty()

    def take(self, name: str, source: PageSource) -> None:
        reading = self.read(source)
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
        return f"{done} of {self.n} pages: {self.counts['read']} read, {self.counts['failed']} failed"


class ManyPagesSpider(OnePageSpider):
    """Fetches each address with the project's settings, as one alone is."""

    name = "many-pages"

    def __init__(self, names: Sequence[str], extraction: Extraction) -> None:
        super().__init__("", [], [])
        self.names = names
        self.extraction = extraction

    async def start(self) -> AsyncIterator[Any]:
        for name in self.names:
            kept = {"name": name}
            yield Request(name, callback=self.parse, errback=self.failed, dont_filter=True, cb_kwargs=kept)

    def parse(self, response: Response, name: str = "") -> Any:
        try:
            self.extraction.take(name, page_source(response, name))
        except UserError as error:
            self.extraction.fail(name, str(error))

    def failed(self, failure: Failure) -> None:
        super().failed(failure)
        self.extraction.fail(failure.request.cb_kwargs["name"], self.errors.pop())  # type: ignore[attr-defined]


def run(names: Sequence[str], read: Callable[[PageSource], Reading], process: CrawlerProcessBase | None) -> int:
    """Read the pages, those of files first; return the exit status."""
    extraction = Extraction(len(names), read)
    wanted: list[str] = []
    for name in names:
        if is_url(name) and canonicalize(name) is not None:
            wanted.append(name)
            continue
        try:
            extraction.take(name, read_page(name, None, None))
        except UserError as error:
            extraction.fail(name, str(error))
    if wanted and process is not None:
        process.crawl(ManyPagesSpider, names=wanted, extraction=extraction)
        process.start()
    return PARTIAL_STATUS if extraction.counts["failed"] else 0
