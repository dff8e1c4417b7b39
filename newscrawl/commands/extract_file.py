"""``newscrawl extract FILE`` without Scrapy, whose loading costs more than reading the page; and how articles print."""

from __future__ import annotations

import html
import json
import sys
from argparse import ArgumentError, ArgumentParser, Namespace
from configparser import ConfigParser
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl import default_settings
from newscrawl.console.program import program
from newscrawl.console.wording import as_text
from newscrawl.extract.formats.output import escape_markdown
from newscrawl.outcomes import REJECTIONS, Rejection
from newscrawl.read.model import FIELDS, RawPage, Wants
from newscrawl.read.read import reader_for
from newscrawl.spiders.responses import no_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newscrawl.items import Article
    from newscrawl.read.model import Reading

FORMATS: Final = ("text", "json", "markdown", "html")
_SCRIPT_ONLY: Final = "script_only"
#: Settings that say how a file is read. A project that sets one of them needs Scrapy's way of reading settings.
_SETTINGS: Final = ("NEWSCRAWL_EXTRACTOR", "NEWSCRAWL_CLASSIFIER", "NEWSCRAWL_BODY_FORMATS")
_CONFIG: Final = "scrapy.cfg"


def print_file(words: Sequence[str]) -> int | None:
    """Print the article of a file; return the exit status, or None for all but a file read with the default settings.

    :param words: what was typed behind ``extract``.
    """
    options = _options(words)
    if options is None or not _has_default_settings():
        return None
    try:
        file = Path(options.file)
        body, saved_at = file.read_bytes(), datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except (OSError, ValueError):
        return None
    if no_page(body) is not None:  # said by the command that Scrapy runs
        return None
    form = "json" if options.json else options.format
    wants = Wants(any_type=True, formats=(form,) if form in FIELDS else ())
    print_reading(reader_for(wants).read(RawPage(body=body, url=None, fetched_at=saved_at)), form)
    return 0


def _options(words: Sequence[str]) -> Namespace | None:
    """Return file, format and ``--json``; None if anything else was typed."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("file", nargs="?", default="")
    parser.add_argument("--format", default="text", choices=FORMATS)
    parser.add_argument("--json", action="store_true")
    try:
        options, others = parser.parse_known_args(words)
    except ArgumentError:
        return None
    return options if options.file and not others else None


def _has_default_settings() -> bool:
    """Tell whether the project around this folder, if there is one, leaves the settings of reading as they are."""
    here = Path.cwd()
    folder = next((folder for folder in (here, *here.parents) if (folder / _CONFIG).is_file()), None)
    if folder is None:
        return True
    config = ConfigParser()
    config.read(folder / _CONFIG)
    sys.path.insert(0, str(folder))
    try:
        project = import_module(config.get("settings", "default", fallback=""))
    except (ImportError, ValueError):
        return False
    return all(getattr(project, name, default) == default for name, default in _defaults())


def _defaults() -> list[tuple[str, object]]:
    return [(name, getattr(default_settings, name)) for name in _SETTINGS]


def print_reading(reading: Reading, form: str) -> None:
    """Print the article of a page in a format of ``FORMATS``, and on standard error why there is none, or no text."""
    for failure in reading.failures:
        sys.stderr.write(f"{program()} extract: a mistake of newscrawl in the step {failure.step}\n{failure.traceback}")
    if reading.script_state == _SCRIPT_ONLY:
        sys.stderr.write(f"{program()} extract: the page is empty until its scripts run, and its data hold no body\n")
    elif reading.absence is not None:
        meaning = REJECTIONS[Rejection(reading.absence)]
        sys.stderr.write(f"{program()} extract: the page has no story, {reading.absence}: {meaning}\n")
    elif not reading.text:
        sys.stderr.write(f"{program()} extract: no main text found; --method fulltext gives all visible text\n")
    if reading.article is not None:
        sys.stdout.write(_PRINTERS[form](reading.article, reading) + "\n")


def article_json(article: Article, reading: Reading) -> str:
    """Return all fields, named as in ``Article``, times in ISO 8601; behind them why the text is what it is."""
    return json.dumps(asdict(article) | reading.reasons, ensure_ascii=False, indent=2, default=as_text)


def with_markdown(article: Article) -> str:
    """Return headline, a line of facts, and the text."""
    parts = [f"# {escape_markdown(article.headline)}"] if article.headline else []
    facts = _facts(article)
    if facts:
        parts.append(f"*{' · '.join(map(escape_markdown, facts))}*")
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
    "json": article_json,
    "markdown": lambda article, _: with_markdown(article),
    "html": lambda article, _: with_html(article),
}
