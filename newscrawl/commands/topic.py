"""``scrapy topic``: what a focused crawl proposes to add to its topic, and a user's verdicts on it and on pages."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from newscrawl.console.command import one_of, print_json, print_rows, whole_number
from newscrawl.exceptions import UserError
from newscrawl.focus.crawl import unpack_state
from newscrawl.focus.judge import Suggestion, stored_suggestions
from newscrawl.focus.progress import Estimate
from newscrawl.focus.topic import Decisions
from newscrawl.store.columns import stored_url
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.engine import writing
from newscrawl.store.focused import (
    crawls,
    doubtful,
    draw_sample,
    forget_decisions,
    known_decisions,
    load_state,
    page_texts,
    save_decisions,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from sqlalchemy import Connection, Engine

ACTIONS: Final = ("suggest", "judge")
VERDICTS: Final = {"yes": True, "no": False}


class TopicCommand(DatabaseCommand):
    usage = "[options] suggest [accept|refuse|undo WORD …] | judge [yes|no|undo URL …]"
    summary = "Show what a focused crawl adds to its topic; accept, refuse, judge pages"
    details = (
        "'suggest' lists labels and words of relevant articles, with the evidence: those adopted, and those proposed. "
        "'judge' lists the articles nearest to the threshold, and takes your verdicts; with --sample it lists ten that "
        "the crawl calls relevant, and estimates from your verdicts how many are. A running crawl takes up your "
        "verdicts within a few pages, a stopped one when it goes on. "
        "Example: scrapy topic suggest accept pixel; scrapy topic judge no https://www.example.org/story.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", metavar="NAME", help="name of the crawl, or a part of it, if there are several")
        parser.add_argument("--limit", metavar="N", default="20", help="pages of judge (default: 20)")
        parser.add_argument(
            "--sample", action="store_true", help="judge: ten articles drawn from those called relevant"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        action = one_of(args[0], ACTIONS, "action") if args else "suggest"
        limit = whole_number(opts.limit, "--limit")
        with self.database(opts) as engine:
            crawl = _crawl(engine, opts.crawl)
            if args[1:]:
                (_decide_words if action == "suggest" else _judge_pages)(engine, crawl, args[1], args[2:])
            if action == "suggest":
                rows = _suggestions(engine, crawl)
            else:
                rows = _asked(engine, crawl, draw_sample if opts.sample else partial(doubtful, n=limit))
        found = Estimate.from_verdicts([VERDICTS[row["verdict"]] for row in rows if opts.sample and row["verdict"]])
        if opts.json:
            print_json({"crawl": crawl, action: rows} | ({"estimate": found._asdict()} if opts.sample else {}))
            return
        print_rows(crawl, rows[0] if rows else ["nothing yet"], rows)
        if opts.sample and rows:
            sys.stdout.write(f"{found}\n")


def _crawl(engine: Engine, wanted: str | None) -> str:
    with engine.connect() as connection:
        names = crawls(connection)
    found = [name for name in names if wanted is None or wanted == name] or [
        name for name in names if wanted is not None and wanted.lower() in name.lower()
    ]
    if len(found) == 1:
        return found[0]
    which = "no focused crawl" if not found else f"{len(found)} focused crawls"
    known = ", ".join(map(repr, found or names)) or "none"
    raise UserError(f"--crawl {wanted or ''!r}: {which} of that name in the database; there are: {known}")


def _decide_words(engine: Engine, crawl: str, verb: str, words: list[str]) -> None:
    one_of(verb, ("accept", "refuse", "undo"), "what to do with words")
    words = [word.strip().lower() for word in words if word.strip()]
    if not words:
        raise UserError(f"{verb} which words? Example: scrapy topic suggest {verb} pixel")
    with writing(engine) as connection:
        if verb == "undo":
            forget_decisions(connection, crawl, "word", words)
        else:
            save_decisions(connection, crawl, "word", words, belongs=verb == "accept")


def _judge_pages(engine: Engine, crawl: str, verb: str, urls: list[str]) -> None:
    one_of(verb, (*VERDICTS, "undo"), "verdict")
    urls = [stored_url(url) for url in urls]
    if not urls:
        raise UserError(
            f"{verb} for which pages? Example: scrapy topic judge {verb} https://www.example.org/story.html"
        )
    with writing(engine) as connection:
        missing = sorted(set(urls) - page_texts(connection, urls).keys())
        if missing:
            raise UserError(f"no stored article: {missing[0]}")
        if verb == "undo":
            forget_decisions(connection, crawl, "page", urls)
        else:
            save_decisions(connection, crawl, "page", urls, belongs=VERDICTS[verb])


def _suggestions(engine: Engine, crawl: str) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        saved = load_state(connection, crawl)
        words = known_decisions(connection, crawl)[0]
    state = unpack_state(saved[1]) if saved else None
    if state is None:
        raise UserError(f"what {crawl!r} has learnt was written by another version")
    return [
        dict(zip(Suggestion._fields, one, strict=True))
        for one in stored_suggestions(state["model"], Decisions.from_words(words))
    ]


def _asked(
    engine: Engine, crawl: str, choose: Callable[[Connection, str], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        verdicts = known_decisions(connection, crawl)[1]
        rows = choose(connection, crawl)
    names = {True: "yes", False: "no", None: ""}
    return [
        {
            "probability": round(row["probability"], 3),
            "verdict": names[verdicts.get(row["url"])],
            "headline": row["headline"] or "",
            "url": row["url"],
            "words": ", ".join(f"{word} {weight:+.1f}" for word, weight in row["words"]),
        }
        for row in rows
    ]
