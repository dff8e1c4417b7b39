"""``scrapy extract``: the clean text of one page and its facts."""

from __future__ import annotations

import html
import json
import os
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

from newscrawl.commands import extract_many
from newscrawl.commands.extract_many import names_in
from newscrawl.commands.source import read_page, tell_of_mistakes, with_site
from newscrawl.console.command import FOLDERS_ARE_MADE, PageCommand, as_text, one_argument, one_of
from newscrawl.console.place import sites_folder
from newscrawl.console.program import program
from newscrawl.exceptions import UserError
from newscrawl.extract.formats.output import escaped
from newscrawl.extract.formats.tei import as_tei
from newscrawl.extractors import names
from newscrawl.read.model import FIELDS
from newscrawl.read.read import reader_for
from newscrawl.read.readers import wants_of
from newscrawl.warc import FORMATS as WARC_FORMATS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from newscrawl.items import Article
    from newscrawl.read.model import RawPage, Reading

FORMATS = ("text", "json", "markdown", "html", "tei")
SCRIPT_ONLY: Final = "script_only"


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
        parser.add_argument("--method", metavar="NAME", help="extraction method; an unknown name lists all of them")
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
        form = "json" if opts.json else one_of(opts.format, FORMATS, "format")
        settings = self.project_settings
        tell_of_mistakes(sites_folder(settings), "extract")
        method = opts.method or settings["NEWSCRAWL_EXTRACTOR"]
        if ":" not in method:  # else a class of the user's own
            one_of(method, names(), "method")
        if opts.warc:
            if args:
                raise UserError(f"unexpected argument {args[0]!r}; with --warc, pages come from its files alone")
            from newscrawl.commands import extract_warc  # noqa: PLC0415 (a single page needs none of it)

            wants = replace(wants_of(settings), method=method, blocks=False, lines=False)
            limit, sites = settings.getint("DOWNLOAD_MAXSIZE"), sites_folder(settings)
            self.exitcode = extract_warc.run(opts, wants=wants, sites=sites, max_bytes=limit)
            return
        if opts.input is not None:
            if form not in ("text", "json") or opts.url:
                raise UserError("-i writes JSON lines, with the addresses of its list; leave --format and --url out")
            self.exitcode = extract_many.run(args, lambda page: self._read(page, method, "json"), self.crawler_process)
            return
        reading = self._read(
            read_page(one_argument(args, "URL, file or -"), opts.url, self.crawler_process), method, form
        )
        for failure in reading.failures:
            sys.stderr.write(
                f"{program()} extract: a mistake of newscrawl in the step {failure.step}\n{failure.traceback}"
            )
        if reading.script_state == SCRIPT_ONLY:
            sys.stderr.write(
                f"{program()} extract: the page is empty until its scripts run, and its data hold no body\n"
            )
        elif not reading.text:
            sys.stderr.write(f"{program()} extract: no main text found; --method fulltext gives all visible text\n")
        if reading.article is not None:
            sys.stdout.write(_PRINTERS[form](reading.article, reading) + "\n")

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
        inner = "html" if form == "tei" else form
        return reader_for(replace(wants, formats=(inner,)) if inner in FIELDS else wants).read(page)


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


def as_json(article: Article, reading: Reading) -> str:
    """Return all fields, named as in ``Article``, times in ISO 8601; behind them why the text is what it is."""
    why = {"evidence": reading.evidence, "leftOut": [asdict(line) for line in reading.left_out]}
    return json.dumps(asdict(article) | why, ensure_ascii=False, indent=2, default=as_text)


def with_markdown(article: Article) -> str:
    """Return headline, a line of facts, and the text."""
    parts = [f"# {escaped(article.headline)}"] if article.headline else []
    facts = _facts(article)
    if facts:
        parts.append(f"*{' · '.join(map(escaped, facts))}*")
    return "\n\n".join([*parts, article.articleBodyMarkdown or ""])


def with_html(article: Article) -> str:
    """Return an ``article`` element with headline, a line of facts, and the text."""
    parts = ["<article>"]
    if article.headline:
        parts.append(f"<h1>{html.escape(article.headline)}</h1>")
    facts = _facts(article)
    if facts:
        parts.append(f"<p>{html.escape(' · '.join(facts))}</p>")
    return "\n".join([*parts, article.articleBodyHtml or "", "</article>"])


def _facts(article: Article) -> list[str]:
    published = article.datePublished.isoformat(sep=" ", timespec="minutes") if article.datePublished else ""
    facts = [published, article.source or "", "、".join(author.name for author in article.authors)]
    return [fact for fact in facts if fact]


_PRINTERS: Final[dict[str, Callable[[Article, Reading], str]]] = {
    "text": lambda article, _: article.articleBody,
    "json": as_json,
    "markdown": lambda article, _: with_markdown(article),
    "html": lambda article, _: with_html(article),
    "tei": lambda article, _: as_tei(article),
}
