"""``scrapy extract``: the clean text of a page and its facts; with ``-i``, of the pages that a list names."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.commands.extract_file import FORMATS, print_reading
from newscrawl.commands.source import STDIN, PageSpider, fetched_page, read_page, tell_of_mistakes, with_site
from newscrawl.console.command import FOLDERS_ARE_MADE, PageCommand, is_url, no_arguments, one_argument, one_of
from newscrawl.console.files import USER_TEXT
from newscrawl.console.place import sites_folder
from newscrawl.console.program import program
from newscrawl.console.wording import as_text, quantity
from newscrawl.exceptions import UserError
from newscrawl.extractors import names
from newscrawl.methods.base import describe_methods
from newscrawl.read.model import FIELDS
from newscrawl.read.read import reader_for
from newscrawl.read.readers import wants_of
from newscrawl.urls.canonical import canonicalize
from newscrawl.warc import FORMATS as WARC_FORMATS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response

    from newscrawl.read.model import RawPage, Reading

#: Exit status when a page gave nothing: what is there is whole, but not all.
PARTIAL_STATUS: Final = 1
LIST: Final = "list"
"""Value of ``--method`` that asks which there are."""
#: Pages between two notes of progress, where standard error is no terminal.
_STEP: Final = 100


class ExtractCommand(PageCommand):
    usage = "[options] <url|file|-> | -i FILE"
    summary = "Print the clean text of a page and its facts"
    details = (
        "Reads a page from a URL (with the project's settings: robots.txt, replay), a file, or standard input (-). "
        "Example: scrapy extract https://example.org/story.html --format markdown. "
        "Many: scrapy extract -i urls.txt > articles.jsonl reads the addresses or files that a list names, one a line. "
        "A collection: scrapy extract --warc a.warc.gz b.warc.gz --out articles --workers 2; "
        "run again, it goes on with the files that are not done. "
        "A month of Common Crawl's news: scrapy extract --warc cc-news:2026-05 --host example.org --out articles."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--format", default="text", metavar="NAME", help=f"{', '.join(FORMATS)} (default: text)")
        parser.add_argument("--json", action="store_true", help="the same as --format json")
        parser.add_argument("--method", metavar="NAME", help="extraction method; list: what there are")
        parser.add_argument(
            "-i", "--input", metavar="FILE", help="read the pages that a list names (-: standard input); JSON lines"
        )
        add_warc_options(parser)

    def refuse_early(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.input is not None and not opts.warc:
            if args:
                raise UserError(f"unexpected argument {args[0]!r}; with -i, pages come from its list alone")
            args.extend(names_in(opts.input))
        super().refuse_early(args, opts)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.method == LIST:
            no_arguments(args, f"--method {LIST} reads no page")
            sys.stdout.writelines(f"{name:<20} {about}\n" for name, about in describe_methods())
            return
        form = "json" if opts.json else one_of(opts.format, FORMATS, "format")
        settings = self.project_settings
        tell_of_mistakes(sites_folder(settings), "extract")
        method = opts.method or settings["NEWSCRAWL_EXTRACTOR"]
        if ":" not in method:  # else a class of the user's own
            one_of(method, names(), "method")
        if opts.warc:
            if args:
                raise UserError(f"unexpected argument {args[0]!r}; with --warc, pages come from its files alone")
            from newscrawl.commands.extract_warc import extract_archives  # noqa: PLC0415 (a single page needs none of it)

            wants = replace(wants_of(settings), method=method, blocks=False, lines=False)
            limit, sites = settings.getint("DOWNLOAD_MAXSIZE"), sites_folder(settings)
            self.exitcode = extract_archives(opts, wants=wants, sites=sites, max_bytes=limit)
            return
        if opts.input is not None:
            if form not in ("text", "json") or opts.url:
                raise UserError("-i writes JSON lines, with the addresses of its list; leave --format and --url out")
            self.exitcode = extract_listed(args, lambda page: self._read(page, method, "json"), self.crawler_process)
            return
        reading = self._read(
            read_page(one_argument(args, "URL, file or -"), opts.url, self.crawler_process), method, form
        )
        print_reading(reading, form)

    def _read(self, page: RawPage, method: str, form: str) -> Reading:
        settings = self.project_settings
        page = with_site(page, sites_folder(settings))
        wants = replace(
            wants_of(settings).of_site(page.site.name),
            method=method,
            blocks=False,
            lines=False,
            any_type=True,
        )
        return reader_for(replace(wants, formats=(form,)) if form in FIELDS else wants).read(page)


def add_warc_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Collections of WARC files")
    group.add_argument(
        "--warc",
        nargs="+",
        metavar="FILE",
        help="extract all articles of these WARC files, of lists of them (.paths, .txt, also .gz), or of a month of "
        "Common Crawl's news (cc-news:2026-05)",
    )
    group.add_argument("--host", nargs="+", metavar="HOST", help="only pages of these hosts and of those below them")
    group.add_argument("--root", metavar="PREFIX", help="what months and the paths of lists are below: a mirror")
    group.add_argument(
        "--out", metavar="DIR", help=f"folder of articles and reports, one each a WARC file; {FOLDERS_ARE_MADE}"
    )
    group.add_argument("--out-format", default=WARC_FORMATS[0], metavar="NAME", help=f"{', '.join(WARC_FORMATS)}")
    group.add_argument("--workers", metavar="N", help=f"processes (default: the machine's, {os.cpu_count() or 1})")


def names_in(listed: str) -> list[str]:
    """Return the addresses and files of a list, one a line; empty lines and those that begin with ``#`` are none.

    :raises UserError: the list cannot be read, or names nothing.
    """
    try:
        text = sys.stdin.read() if listed == STDIN else Path(listed).read_text(encoding=USER_TEXT)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read the list {listed!r}: {reason}; accepted: a file of addresses, or -") from None
    names = [
        name for line in text.removeprefix("\ufeff").splitlines() if (name := line.strip()) and not name.startswith("#")
    ]
    if not names:
        raise UserError(f"the list {listed!r} names no page; accepted: addresses or files, one a line")
    return list(dict.fromkeys(names))


class LineWriter:
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
            sys.stderr.write(f"\r{self._progress(done)}\033[K" + "\n" * (done == self.n))
        elif done % _STEP == 0 or done == self.n:
            sys.stderr.write(f"{self._progress(done)}\n")

    def _progress(self, done: int) -> str:
        return f"{done} of {quantity(self.n, 'page')}: {self.counts['read']} read, {self.counts['failed']} failed"


def extract_listed(names: Sequence[str], read: Callable[[RawPage], Reading], process: CrawlerProcessBase | None) -> int:
    """Read the pages, those of files first; return the exit status."""
    writer = LineWriter(len(names), read)
    wanted = dict.fromkeys(name for name in names if is_url(name) and canonicalize(name) is not None)
    for name in names:
        if name not in wanted:
            writer.take(name, partial(read_page, name, None, None))
    if wanted and process is not None:

        def take(name: str, answer: Response) -> None:
            writer.take(name, partial(fetched_page, answer, name))

        process.crawl(PageSpider, urls=wanted, take=take, fail=writer.fail)
        process.start()
    return PARTIAL_STATUS if writer.counts["failed"] else 0
