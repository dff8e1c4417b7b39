"""``scrapy explain URL``: why it was or was not fetched, judged an article, stored."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from newscrawl.command import DatabaseCommand, one_argument, print_json
from newscrawl.commands.source import tell_of_mistakes
from newscrawl.counted import counted
from newscrawl.frontier.revisits import NEVER
from newscrawl.program import program
from newscrawl.readers.wants import sites_folder
from newscrawl.sites import site_at
from newscrawl.storage.engine import parse_url
from newscrawl.storage.facts import (
    WAITING,
    Explanation,
    Facts,
    explain,
    facts_of,
    harvested_sites,
    site_of_row,
    spellings,
)
from newscrawl.storage.migrations import existing_database, is_there

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


#: Changed paragraphs shown.
_CHANGES_SHOWN = 12


class Command(DatabaseCommand):
    usage = "[options] <url>"
    summary = "Say why a URL was or was not fetched, judged an article, stored"
    details = (
        "Shows what the database (setting NEWSCRAWL_DATABASE) knows about a URL: its outcome, its article, what it "
        "repeats, where a refused link to it was found; and what the rules of its site say. Nothing is fetched. "
        "Example: scrapy explain https://www.example.org/2024/05/story.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print everything as JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        url = one_argument(args, "URL")
        urls = spellings(url)
        settings = self.project_settings
        tell_of_mistakes(sites_folder(settings), "explain")
        known = site_at(urls[0], sites_folder(settings))
        facts, sites = Facts(), [] if known is None else [known]
        database = opts.database or settings["NEWSCRAWL_DATABASE"]
        if database and is_there(database):
            with existing_database(database) as engine, engine.connect() as connection:
                facts = facts_of(connection, urls)
                sites += map(site_of_row, harvested_sites(connection))
        elif database:
            name = parse_url(database).database
            sys.stderr.write(f"{program()} explain: no database {name!r}: only the sites' files are asked\n")
        explanation = explain(url, facts, sites)
        if opts.json:
            print_json(explanation.as_json())
        else:
            _show(explanation)


def _show(explanation: Explanation) -> None:
    console = Console(soft_wrap=True, highlight=False)
    console.print(Text(explanation.url, style="bold"))
    console.print(Text(explanation.summary))
    for name, value in _lines(explanation):
        console.print(Text.assemble((f"{name:<13}", "dim"), " ".join(value.split())))


def _lines(explanation: Explanation) -> Iterator[tuple[str, str]]:
    facts, rules = explanation.facts, explanation.rules
    if facts.page:
        yield from _page_lines(facts.page)
    if facts.article:
        yield from _article_lines(facts.article, facts)
    if facts.visit:
        yield from _visit_lines(facts.visit)
    if facts.memory:
        yield "site memory", f"{counted(facts.memory['n_pages'], 'article')} of {facts.memory['host']}"
    for drift in facts.drifts:
        what = "new template" if drift["reason"] in ("places", "length") else "event"
        yield what, f"noticed {drift['noticed_at']:%Y-%m-%d %H:%M} UTC by {drift['reason']}"
        yield "", f"was {drift['old']}"
        yield "", f"is {drift['new']}"
    for judged in facts.topics:
        yield from _topic_lines(judged)
    if facts.link:
        link = facts.link
        yield "link", f"{link['reason'] or 'not refused'}; found on {link['found_on'] or 'an unknown page'}"
        yield "", f"anchor {link['anchor'] or ''!r}, {link['position'] or 'position unknown'}"
    if facts.run:
        run = facts.run
        yield "run", f"{run['id']}: {run['spider']}, started {run['started_at']:%Y-%m-%d %H:%M} UTC"
    if rules.site is None:
        yield "rules", f"none: {rules.why} ({rules.kind})"
    else:
        verdict = "follow" if rules.follow else f"refuse ({rules.rejection})"
        yield "rules", f"{rules.site}: {verdict}; {rules.why} (kind {rules.kind})"


def _topic_lines(judged: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if not judged["is_article"]:
        yield "topic", f"{judged['topic']}: no article, followed for its links"
    else:
        verdict = "relevant" if judged["probability"] >= judged["threshold"] else "not relevant"
        yield "topic", f"{judged['topic']}: {verdict}, {judged['probability']:.3f} against {judged['threshold']:g}"
        yield "", ", ".join(f"{word} {weight:+.1f}" for word, weight in judged["words"]) or "no word spoke for it"
    score = "a seed" if judged["score"] is None else f"score {judged['score']:.3f}, anchor {judged['anchor'] or ''!r}"
    yield "", f"page {judged['number']} of its crawl; {score}"


def _page_lines(page: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "outcome", ", ".join(str(part) for part in (page["outcome"], page["reason"], page["detail"]) if part)
    yield "answer", f"status {page['status'] or 'none'}, {page['fetched_at']:%Y-%m-%d %H:%M:%S} UTC"
    if page["requested_url"]:
        yield "asked as", page["requested_url"]
    if page["encoding"]:
        yield "encoding", f"{page['encoding']} ({page['encoding_source'] or 'source unknown'})"
    if page["page_type"]:
        yield "page type", f"{page['page_type']} ({page['page_type_confidence']:.2f})"
    if page["referer"]:
        depth = "" if page["depth"] is None else f" (depth {page['depth']})"  # known of answers only
        yield "found on", f"{page['referer']}{depth}"


def _visit_lines(visit: dict[str, Any]) -> Iterator[tuple[str, str]]:
    due = visit["next_fetch_at"]
    if visit["state"] in WAITING:
        yield "frontier", f"{visit['state']}, priority {visit['priority']}"
    elif due is None:
        yield "frontier", "asked for again in the next harvest that finds a link to it"
    elif due >= NEVER:
        retired = f"retired after {visit['n_failures']} failures" if visit["n_failures"] else "not asked for again"
        yield "frontier", f"{retired}, unless with mode=all"
    else:
        yield "frontier", f"{visit['kind'] or 'of unknown kind'}, due again {due:%Y-%m-%d %H:%M} UTC"


def _article_lines(article: dict[str, Any], facts: Facts) -> Iterator[tuple[str, str]]:
    yield "headline", article["headline"] or "none"
    yield "published", f"{article['date_published'] or 'unknown'}, source {article['source'] or 'unknown'}"
    yield "text", f"{article['n_chars']} characters by {article['method']} ({article['confidence']:.2f})"
    if "articleBody" in article["field_sources"]:
        yield "", article["field_sources"]["articleBody"]
    revisions = f"revision {article['revision']}, {facts.n_revisions} earlier kept"
    yield "", f"{revisions}, first seen {article['first_fetched_at']:%Y-%m-%d %H:%M} UTC"
    if article["gone_at"]:
        yield "gone", f"since {article['gone_at']:%Y-%m-%d %H:%M} UTC"
    for i, line in enumerate(facts.changes[:_CHANGES_SHOWN]):
        yield "" if i else "changed", line
    if len(facts.changes) > _CHANGES_SHOWN:
        yield "", f"… {len(facts.changes) - _CHANGES_SHOWN} more; {program()} export --revisions has all"
    if article["duplicate_of"]:
        yield "repeats", f"{article['duplicate_of']} ({article['duplicate_kind']})"
    if facts.duplicates:
        yield "repeated by", ", ".join(facts.duplicates)
