"""Article or hub: how often the judgement is right, on harvested sites and on the typed pages of the corpus.

``python -m newscrawl.experiments.page_type`` judges every HTML page of each site, as the crawl would. Hub stands
for the corpus's hub, listing and collection pages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table
from warcio.archiveiterator import ArchiveIterator

from newscrawl.blocks.classify import classify, crawl_blocks
from newscrawl.blocks.page_type import judge
from newscrawl.dom.document import Document
from newscrawl.evaluation.corpus import default_folder, load
from newscrawl.evaluation.page_types import TypeScore, type_scores
from newscrawl.items import PageType
from newscrawl.metadata import extract_metadata
from newscrawl.sites.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SITES: Final = ("linuxcn", "deemable", "opensourceway")
HUB_TYPES: Final = frozenset(("hub", "listing", "collection"))
FETCHED: Final = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPage:
    name: str
    url: str | None
    gold: str
    """``article`` or ``hub``."""
    markup: bytes
    content_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetResult:
    name: str
    scores: dict[str, TypeScore]
    wrong: tuple[tuple[str, str, str], ...]
    """``(page, gold, judged)``."""


def site_pages(folder: Path, site: str) -> Iterator[TypedPage]:
    """Yield the HTML pages of a harvested site with the kind of its link graph."""
    with gzip.open(folder / f"{site}.pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        kinds = {record["url"]: record["kind"] for record in map(json.loads, lines)}
    with (folder / f"{site}.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            url = record.rec_headers.get_header("WARC-Target-URI")
            if record.rec_type == "response" and url in kinds:
                yield TypedPage(
                    name=url,
                    url=url,
                    gold="article" if kinds[url] == "article" else "hub",
                    markup=record.content_stream().read(),
                    content_type=record.http_headers.get_header("Content-Type"),
                )


def corpus_pages(folder: Path) -> Iterator[TypedPage]:
    """Yield the pages of the corpus labelled article, hub, listing or collection."""
    for page in load(folder):
        if page.page_type == "article" or page.page_type in HUB_TYPES:
            gold = "article" if page.page_type == "article" else "hub"
            yield TypedPage(name=f"{page.set}/{page.id}", url=page.url, gold=gold, markup=page.read())


def judged_type(page: TypedPage) -> str:
    document = Document.from_html(page.markup, page.url, page.content_type)
    judgement = judge(
        document,
        classify(document.once(crawl_blocks), document),
        url_kind=url_shape(page.url) if page.url else None,
        metadata=extract_metadata(document, fetched_at=FETCHED),
    )
    return "article" if judgement.page_type is PageType.ARTICLE else "hub"


def evaluate(name: str, pages: Sequence[TypedPage]) -> SetResult:
    judged = [(page.name, page.gold, judged_type(page)) for page in pages]
    return SetResult(
        name=name,
        scores=type_scores((gold, output) for _, gold, output in judged),
        wrong=tuple(row for row in judged if row[1] != row[2]),
    )


def sample(pages: Iterator[TypedPage], limit: int | None, seed: int) -> list[TypedPage]:
    found = list(pages)
    return found if limit is None or limit >= len(found) else random.Random(seed).sample(found, limit)  # noqa: S311


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m newscrawl.experiments.page_type", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"among {', '.join(SITES)}, corpus (default: all)")
    parser.add_argument("--shared", type=Path, default=default_folder().parent, help="folder of corpus/ and sites/")
    parser.add_argument("--limit", type=int, help="judge a random sample of so many pages of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print results as JSON")
    parser.add_argument("--wrong", action="store_true", help="list the pages judged wrongly")
    options = parser.parse_args(arguments)
    names = options.sets or [*SITES, "corpus"]
    for name in names:
        if name not in {*SITES, "corpus"}:
            parser.error(f"unknown set {name!r}: one of {', '.join(SITES)}, corpus")
    results = [
        evaluate(
            name,
            sample(
                corpus_pages(options.shared / "corpus")
                if name == "corpus"
                else site_pages(options.shared / "sites", name),
                options.limit,
                options.seed,
            ),
        )
        for name in names
    ]
    if options.json:
        json.dump({"seed": options.seed, "sets": [asdict(result) for result in results]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        show(results, list_wrong=options.wrong)


def show(results: Sequence[SetResult], *, list_wrong: bool) -> None:
    table = Table("set", "type", "n", "precision", "recall", "F1")
    for result in results:
        for kind, score in result.scores.items():
            table.add_row(
                result.name, kind, str(score.n), f"{score.precision:.4f}", f"{score.recall:.4f}", f"{score.f1:.4f}"
            )
    console = Console()
    console.print(table)
    if list_wrong:
        for result in results:
            for page, gold, judged in result.wrong:
                console.print(f"{result.name}: {page} is {gold}, judged {judged}", soft_wrap=True, highlight=False)


if __name__ == "__main__":
    main()
