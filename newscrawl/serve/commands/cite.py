"""``scrapy cite URL``: a paragraph of an article, its address, its time, and the record of an archive that has it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from newscrawl.console.command import no_more_options, print_json
from newscrawl.console.place import sites_folder
from newscrawl.exceptions import UserError
from newscrawl.languages.text import fold_space
from newscrawl.page.document import Document
from newscrawl.page.packed import UnpackError
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import reader_for
from newscrawl.sites import site_at
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.facts import spellings
from newscrawl.store.schema import articles
from newscrawl.warc.archive import WarcArchive, answer_at
from newscrawl.warc.pages import archived_page
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    import argparse

    from sqlalchemy import Connection

    from newscrawl.warc.archive import Answer

NOT_FOUND_STATUS = 1
MAX_BYTES = 64 * 2**20


class CiteCommand(DatabaseCommand):
    usage = "[options] <url> [words]"
    summary = "Print a paragraph of an article with its address, time and WARC record; --check finds it there again"
    details = (
        "Prints the paragraphs of a stored article (setting NEWSCRAWL_DATABASE) that have the words one behind the "
        "other, or the first one, and where they are recorded: file, byte and digest. Crawls with NEWSCRAWL_WARC or "
        "NEWSCRAWL_REPLAY know that; --archive FILE looks for it in another file. --check reads the record: exit "
        "status 1 where it is gone or altered, or does not have the paragraphs. "
        "Example: scrapy cite https://www.example.org/2024/05/story.html 'three ferries' --check"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--check", action="store_true", help="read the record, and look for the paragraphs in it")
        parser.add_argument("--archive", metavar="FILE", help="look for the address in this WARC or WACZ file instead")
        parser.add_argument("--json", action="store_true", help="print all of it as JSON")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        if not args:
            raise UserError(
                "expected an address and words; example: scrapy cite https://www.example.org/a.html ferries"
            )
        with self.database(opts) as engine, engine.connect() as connection:
            cited = cite(connection, args[0], " ".join(args[1:]))
        answer, is_intact = None, False
        if opts.archive:
            with WarcArchive([Path(opts.archive)]) as archive:
                answer = archive.get(cited["url"])
            cited |= dict.fromkeys(PLACE) if answer is None else answer.place
        if opts.check and cited["archive"]:
            with WarcFile(Path(cited["archive"])) as file:
                answer, is_intact = answer_at(file, int(cited["archiveOffset"]), cited["archiveDigest"])
        if opts.check:
            folder = sites_folder(self.project_settings)
            cited["check"] = check(answer, cited, folder) | {"isIntact": is_intact}
            self.exitcode = 0 if is_found(cited["check"]) else NOT_FOUND_STATUS
        if opts.json:
            print_json(cited)
        else:
            sys.stdout.write("".join(f"{line}\n" for line in lines_of(cited)))


PLACE = ("archive", "archiveOffset", "archiveDigest")


def cite(connection: Connection, url: str, words: str) -> dict[str, Any]:
    """Return what is stored of an article, with the paragraphs that have the words, or the first.

    :raises UserError: there is no such article, or no paragraph has the words.
    """
    names = ("url", "headline", "site", "date_published", "fetched_at", "article_body", "field_sources")
    query = select(*(articles.c[name] for name in names)).where(articles.c.url.in_(spellings(url)))
    row = connection.execute(query.limit(1)).mappings().first()
    if row is None:
        raise UserError(f"no article of {url!r} is stored; scrapy explain says why")
    numbered = list(enumerate(row["article_body"].split("\n"), 1))
    wanted = fold_space(words).casefold()
    found = [one for one in numbered if wanted in fold_space(one[1]).casefold()] if wanted else numbered[:1]
    if not found:
        raise UserError(f"no paragraph of {row['url']} has {words!r}; it has {len(numbered)} paragraphs")
    return {
        "url": row["url"],
        "headline": row["headline"],
        "site": row["site"],
        "datePublished": row["date_published"],
        "fetchedAt": row["fetched_at"],
        "paragraphs": [{"number": number, "text": text} for number, text in found],
        **{name: (row["field_sources"] or {}).get(name) for name in PLACE},
    }


def check(answer: Answer | None, cited: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return what the record says of a citation: its time, and the numbers of the paragraphs that it does not have."""
    numbers = [one["number"] for one in cited["paragraphs"]]
    if answer is None:
        return {"isThere": False, "recordedAt": None, "missing": numbers}
    text = squeezed(page_text(answer, folder))
    missing = [one["number"] for one in cited["paragraphs"] if squeezed(one["text"]) not in text]
    return {"isThere": True, "recordedAt": answer.fetched_at, "missing": missing}


def is_found(checked: dict[str, Any]) -> bool:
    return bool(checked["isThere"] and checked["isIntact"] and not checked["missing"])


def page_text(answer: Answer, folder: Path) -> str:
    """Return the text that is read of a recorded page, and all that stands on it."""
    now = datetime.now(UTC)
    try:
        page = archived_page(answer, site_at=partial(site_at, folder=folder), max_bytes=MAX_BYTES, now=now)
    except UnpackError:
        return ""
    if not isinstance(page, RawPage):
        return ""
    root = Document.from_html(page.body, page.url, page.content_type).root
    return reader_for(Wants()).read(page).text + ("" if root is None else "\n" + "".join(root.itertext()))


def squeezed(text: str) -> str:
    return "".join(text.split())


def lines_of(cited: dict[str, Any]) -> list[str]:
    """Return a citation as lines for a reader."""
    published = f"published {cited['datePublished']}, " if cited["datePublished"] else ""
    lines = [cited["headline"] or "", cited["url"], f"{published}fetched {cited['fetchedAt'].isoformat()}"]
    if cited["archive"]:
        lines.append(f"{cited['archive']}, record at byte {cited['archiveOffset']}, {cited['archiveDigest']}")
    else:
        lines.append("in no archive: the crawl was neither recorded (NEWSCRAWL_WARC) nor a replay")
    lines += [f"  {one['number']}  {one['text']}" for one in cited["paragraphs"]]
    if "check" in cited:
        lines.append(_said(cited["check"]))
    return lines


def _said(checked: dict[str, Any]) -> str:
    if not checked["isThere"]:
        return "NOT found again: there is no such record"
    said = [] if checked["isIntact"] else ["the body of the record is not the one that was recorded"]
    if checked["missing"]:
        said.append(f"the record does not have paragraph {', '.join(map(str, checked['missing']))}")
    when = checked["recordedAt"]
    return f"NOT found again: {'; '.join(said)}" if said else f"found again: recorded {when and when.isoformat()}"
