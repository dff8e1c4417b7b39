"""``scrapy export``: articles from the database as JSON lines, CSV or Parquet; what is new since the last time."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newscrawl import __version__
from newscrawl.console.command import FOLDERS_ARE_MADE, no_arguments, one_of
from newscrawl.console.files import make_folder, write_text
from newscrawl.console.place import sites_folder
from newscrawl.console.wording import ACCEPTED_MOMENT, parse_option_moment, quantity
from newscrawl.exceptions import UserError
from newscrawl.extract.quality import QUALITY, quality_of
from newscrawl.sites import catalogue_names, catalogued_site, list_sites
from newscrawl.store.article_files import FORMATS, write_article_files
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.engine import writing
from newscrawl.store.export import (
    KEPT_ARTICLE,
    REVISION,
    Selection,
    has_site,
    newest_change,
    read_articles,
    read_mark,
    read_revisions,
    set_mark,
)
from newscrawl.store.facts import harvested_sites
from newscrawl.store.row_files import format_of, write_rows
from newscrawl.warc.recorder import write_wacz

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from sqlalchemy import Engine

    from newscrawl.items import Fields

WACZ = "wacz"
_EXPORT_NAME = re.compile(r"[\w.-]{1,60}")


class ExportCommand(DatabaseCommand):
    summary = "Write articles as JSON lines, CSV or Parquet; all, or what is new since the last export"
    details = (
        "Writes articles of the database (setting NEWSCRAWL_DATABASE), each text once, in the order they came or "
        "changed. --since-last writes what came, changed or vanished (goneAt) since the last export of that name, "
        "and moves its mark when the file is complete. --revisions writes instead the earlier texts of changed "
        "articles, with their differences. --files DIR writes a file an article, with all its facts. "
        "A .wacz file holds the recorded pages of the articles, too. "
        "Example: scrapy export --since-last --name search-index --output new.jsonl"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add(
            "--output",
            metavar="FILE",
            default="-",
            help=f"file to write: .jsonl, .csv, .parquet or .wacz; {FOLDERS_ARE_MADE}; without it, standard output",
        )
        add(
            "--files",
            metavar="DIR",
            help="a file an article instead, in DIR/SITE/2024/05/30; format md, txt, html or json",
        )
        add("--format", metavar="FORMAT", help="jsonl, csv, parquet or wacz (default: by the file's ending); files: md")
        add("--since-last", action="store_true", help="what is new or changed since the last export of that name")
        add("--name", metavar="NAME", help="name of the export whose mark counts (default: all, or the site's name)")
        add("--since", metavar="TIME", help="published since: " + ACCEPTED_MOMENT)
        add("--site", metavar="NAME", help="articles of this site only")
        add("--revisions", action="store_true", help="earlier texts of changed articles, each with its diff")
        add("--duplicates", action="store_true", help="also articles that repeat another (duplicateOf)")
        add(
            "--without-reserved",
            action="store_true",
            help="leave out articles whose pages reserve their use for mining",
        )
        add("--quality", action="store_true", help="also columns of heuristics: Gopher, C4, repetition, language")
        add("--card", metavar="FILE", help="write a dataset card (README.md with a YAML head) of what was exported")
        add("--json", action="store_true", help="print the summary as JSON (to stderr where stdout has the articles)")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "a file is given as --output FILE")
        if opts.name is not None and not _EXPORT_NAME.fullmatch(opts.name):
            raise UserError(f"--name {opts.name!r} is not accepted; give letters, digits, '.', '-' or '_', at most 60")
        kind = _kind(opts)
        since = parse_option_moment(opts.since, "--since")
        with self.database(opts) as engine:
            self._refuse_unknown_site(engine, opts.site)
            summary = export(engine, opts, kind, since)
        where = opts.files or opts.output
        stream = sys.stderr if where == "-" else sys.stdout
        if opts.json:
            stream.write(json.dumps(summary, ensure_ascii=False) + "\n")
        elif where != "-":
            stream.write(f"{quantity(summary['rows'], summary['what'].removesuffix('s'))} in {where}\n")

    def _refuse_unknown_site(self, engine: Engine, name: str | None) -> None:
        """A misspelt site would look like one that has nothing new; one not harvested yet is a spider, at least."""
        if name is None:
            return
        with engine.connect() as connection:
            if has_site(connection, name):
                return
            names = {row["name"] for row in harvested_sites(connection)}
        names |= {*list_sites(sites_folder(self.project_settings)), *get_close_matches(name, catalogue_names())}
        if catalogued_site(name) is None:
            one_of(name, sorted(names), "site")


def _kind(opts: argparse.Namespace) -> str:
    """Return the format that is asked for.

    :raises UserError: it cannot be written, or the options do not go together.
    """
    if (opts.quality or opts.card) and (opts.files or opts.revisions):
        raise UserError("--quality and --card are for articles in one file; leave --files and --revisions out")
    if opts.files:
        if opts.output != "-" or opts.revisions:
            raise UserError("--files writes articles into a folder; leave --output and --revisions out")
        return one_of(opts.format or "md", FORMATS, "format")
    if (opts.format or opts.output.rpartition(".")[2]) == WACZ:
        if opts.output == "-" or opts.revisions or opts.quality or opts.card:
            raise UserError("a WACZ file needs --output FILE.wacz alone: no --revisions, --quality or --card")
        return WACZ
    return format_of(opts.output, opts.format)


def export(engine: Engine, opts: argparse.Namespace, kind: str, since: datetime | None) -> dict[str, Any]:
    """Write the file, then move the mark: a crash between the two repeats articles, and never leaves one out."""
    before = up_to = None
    # one mark for each choice of articles, so that none takes another's
    name = opts.name or "-".join([opts.site or "all", *(["revisions"] if opts.revisions else [])])
    if opts.since_last:
        with engine.connect() as connection:
            before = read_mark(connection, name)
        up_to = newest_change(engine)
    chosen = Selection(site=opts.site, since=since, duplicates=opts.duplicates, after=before or 0, up_to=up_to)
    with engine.connect() as connection:
        rows = read_articles(connection, chosen)
        if opts.without_reserved:
            rows = (row for row in rows if not row["reservations"])
        if opts.revisions:
            n_rows = write_rows(read_revisions(connection, chosen), REVISION, opts.output, kind)
        else:
            n_rows = _write(rows, opts, kind)
    if up_to is not None:
        with writing(engine) as connection:
            now = datetime.now(UTC)
            set_mark(connection, name, before=before, after=up_to, n_articles=n_rows, now=now)
    what = "revisions" if opts.revisions else "articles"
    where = opts.files or opts.output
    return {"rows": n_rows, "what": what, "output": where, "format": kind, "after": before, "up_to": up_to}


def _write(rows: Iterable[dict[str, Any]], opts: argparse.Namespace, kind: str) -> int:
    """Write articles, and a card of them where it is asked for; return their number."""
    seen = Seen()
    rows = map(seen.note, rows) if opts.card else rows
    if opts.files:
        make_folder(Path(opts.files))
        return write_article_files(rows, Path(opts.files), kind)
    fields: Fields = KEPT_ARTICLE
    if kind == WACZ:
        make_folder(Path(opts.output).parent)
        n_rows, n_left = write_wacz(rows, Path(opts.output))
        if n_left:
            sys.stderr.write(f"left out, as no archive has them: {quantity(n_left, 'article')}\n")
    elif opts.quality:
        fields = {**KEPT_ARTICLE, **QUALITY}
        rated = (row | quality_of(row["articleBody"], row["inLanguage"]) for row in rows)
        n_rows = write_rows(rated, fields, opts.output, kind)
    else:
        n_rows = write_rows(rows, fields, opts.output, kind)
    if opts.card:
        write_text(Path(opts.card), card(seen, fields, opts.output))
    return n_rows


class Seen:
    """What a card says of the articles that pass through."""

    def __init__(self) -> None:
        self.n = self.n_reserved = self.n_characters = 0
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in ("site", "inLanguage", "license")}
        self.days: list[str] = []

    def note(self, row: dict[str, Any]) -> dict[str, Any]:
        self.n += 1
        self.n_reserved += bool(row["reservations"])
        self.n_characters += len(row["articleBody"])
        for name, counts in self.counts.items():
            counts[row[name] or "not stated"] += 1
        if row["datePublished"]:
            day = row["datePublished"][:10]
            self.days = [min([day, *self.days[:1]]), max([day, *self.days[1:]])]
        return row


_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(seen: Seen, fields: Fields, output: str) -> str:
    """Return a dataset card, as Hugging Face reads them: YAML, then Markdown. Texts of sites stand in code alone."""
    codes = [code for code, _ in seen.counts["inLanguage"].most_common() if code.isalpha() and code.isascii()]
    size = next((name for most, name in _SIZES if seen.n < most), "1M<n<10M")
    head = ["pretty_name: News articles", "tags: [news, newscrawl]", f"size_categories: [{size}]", "license: other"]
    if codes:
        head.append(f"language: {json.dumps(codes)}")
    if output != "-":
        data = json.dumps(Path(output).name, ensure_ascii=False)
        head += ["configs:", "- config_name: default", f"  data_files: {data}"]
    lines = ["---", *head, "---", "", "# News articles", ""]
    lines.append(f"Written by newscrawl {__version__}, {datetime.now(UTC):%Y-%m-%d}: {quantity(seen.n, 'article')}, ")
    lines[-1] += f"{quantity(seen.n_characters, 'character')}"
    lines[-1] += f", published {' to '.join(dict.fromkeys(seen.days))}." if seen.days else "."
    lines += [
        "",
        f"{seen.n_reserved:,} of them reserve their use for mining (`reservations`). Texts belong to who wrote",
    ]
    lines += ["them: a licence counts where its site states one.", ""]
    for name, title in (("site", "Site"), ("inLanguage", "Language"), ("license", "Licence")):
        lines += [f"| {title} | Articles |", "|---|--:|"]
        lines += [f"| {_as_code(value)} | {n:,} |" for value, n in seen.counts[name].most_common(_MOST)]
        lines.append("")
    lines += ["| Column | Holds | |", "|---|---|---|"]
    lines += [f"| `{one.name}` | {one.kind} | {one.doc} |" for one in fields.values()]
    return "\n".join(lines) + "\n"


_MOST = 100
_MARKUP = re.compile(r"[`|\s]+")


def _as_code(text: str) -> str:
    """Return a text that a site stated as code of Markdown, in one cell.

    >>> _as_code("CC|`BY`")
    '`CC BY `'
    """
    return f"`{_MARKUP.sub(' ', text)[:_MOST]}`"
