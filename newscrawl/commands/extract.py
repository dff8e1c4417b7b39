"""``scrapy extract``: the clean text of one page and its facts."""

from __future__ import annotations

import html
import json
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

from scrapy.commands import ScrapyCommand

from newscrawl.commands import extract_warc
from newscrawl.commands.base import OneLineErrors, one_argument, one_of
from newscrawl.commands.output import as_text
from newscrawl.commands.source import read_page
from newscrawl.dom.document import Document
from newscrawl.exceptions import UserError
from newscrawl.extractors import Extraction, get_extractor, names
from newscrawl.formats.output import escaped
from newscrawl.reading.read import article_of
from newscrawl.reading.script_data import filled, lacks_scripts
from newscrawl.sites import SITES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from newscrawl.commands.source import PageSource
    from newscrawl.items import Article

FORMATS = ("text", "json", "markdown", "html")


class Command(OneLineErrors, ScrapyCommand):
    requires_project = True
    log_level = "ERROR"

    def syntax(self) -> str:
        return "[options] <url|file|->"

    def short_desc(self) -> str:
        return "Print the clean text of a page and its facts"

    def long_desc(self) -> str:
        return (
            "Reads a page from a URL (with the project's settings: robots.txt, replay), a file, or standard input (-). "
            "Example: scrapy extract https://example.org/story.html --format markdown. "
            "A collection: scrapy extract --warc a.warc.gz b.warc.gz --out articles --workers 2; "
            "run again, it goes on with the files that are not done."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--format", default="text", metavar="NAME", help=f"{', '.join(FORMATS)} (default: text)")
        parser.add_argument("--json", action="store_true", help="the same as --format json")
        parser.add_argument("--method", metavar="NAME", help="extraction method; an unknown name lists all of them")
        parser.add_argument("--url", metavar="URL", help="address that a file came from")
        extract_warc.add_options(parser)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        form = "json" if opts.json else one_of(opts.format, FORMATS, "format")
        settings = self.project_settings
        method = one_of(opts.method or settings["NEWSCRAWL_EXTRACTOR"], names(), "method")
        if opts.warc:
            if args:
                raise UserError(f"unexpected argument {args[0]!r}; with --warc, pages come from its files alone")
            self.exitcode = extract_warc.run(opts, method=method, max_bytes=settings.getint("DOWNLOAD_MAXSIZE"))
            return
        argument = one_argument(args, "URL, file or -")
        extraction, article = read_source(read_page(argument, opts.url, self.crawler_process), method)
        if lacks_scripts(extraction):
            sys.stderr.write("scrapy extract: the page is empty until its scripts run, and its data hold no body\n")
        elif not article.articleBody:
            sys.stderr.write("scrapy extract: no main text found; --method fulltext gives all visible text\n")
        sys.stdout.write(_PRINTERS[form](extraction, article) + "\n")


def read_source(source: PageSource, method: str) -> tuple[Extraction, Article]:
    """Return the page's text, and all of it as an article, whatever its page type."""
    document = Document.from_html(source.body, source.url, source.content_type)
    extraction = get_extractor(method).extract(document)
    if extraction.document is None:
        extraction = filled(document, replace(extraction, document=document))
    site = next((site for site in SITES.values() if source.url and site.covers(source.url)), None)
    article = article_of(document, extraction, url=source.url, fetched_at=source.fetched_at, site=site)
    return extraction, article


def as_json(article: Article) -> str:
    """Return all fields, named as in ``Article``, times in ISO 8601."""
    return json.dumps(asdict(article), ensure_ascii=False, indent=2, default=as_text)


def with_markdown(extraction: Extraction, article: Article) -> str:
    """Return headline, a line of facts, and the text."""
    parts = [f"# {escaped(article.headline)}"] if article.headline else []
    facts = _facts(article)
    if facts:
        parts.append(f"*{' · '.join(map(escaped, facts))}*")
    return "\n\n".join([*parts, extraction.markdown])


def with_html(extraction: Extraction, article: Article) -> str:
    """Return an ``article`` element with headline, a line of facts, and the text."""
    parts = ["<article>"]
    if article.headline:
        parts.append(f"<h1>{html.escape(article.headline)}</h1>")
    facts = _facts(article)
    if facts:
        parts.append(f"<p>{html.escape(' · '.join(facts))}</p>")
    return "\n".join([*parts, extraction.html, "</article>"])


def _facts(article: Article) -> list[str]:
    published = article.datePublished.isoformat(sep=" ", timespec="minutes") if article.datePublished else ""
    facts = [published, article.source or "", "、".join(author.name for author in article.authors)]
    return [fact for fact in facts if fact]


_PRINTERS: Final[dict[str, Callable[[Extraction, Article], str]]] = {
    "text": lambda _, article: article.articleBody,
    "json": lambda _, article: as_json(article),
    "markdown": with_markdown,
    "html": with_html,
}
