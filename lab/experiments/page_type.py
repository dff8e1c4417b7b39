"""Page types: how often the judgement is right, on harvested sites and on the typed pages of the corpus.

``python -m lab.experiments.page_type`` judges every HTML page of each site, as the crawl would, and each
typed page of both corpora with a model, and a network, that have seen no page of its site; ``--train`` makes the
shipped model again and shows the same scores of the corpora.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table
from warcio.archiveiterator import ArchiveIterator

from lab.evaluation.corpus import THIRD, default_folder, load, typed_corpora
from lab.evaluation.page_types import TypeScore, known_type, type_of, type_scores
from lab.evaluation.result_file import provenance
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.page_type_training import (
    TRAINED_SETS,
    fit,
    fold_of,
    made_rows,
    save,
    typed_features,
    unseen_models,
    usable,
)
from newscrawl.classify.kind.judge import MODEL, kind_by, page_kind
from newscrawl.classify.lines.model import judge_lines
from newscrawl.items import PageType
from newscrawl.page.document import Document
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Options
    from lab.experiments.page_type_training import TypedFeatures

SITES: Final = ("linuxcn", "deemable", "opensourceway")


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


def typed_pages(folder: Path, limit: int | None = None) -> tuple[CorpusPage, ...]:
    """Return the pages of all corpora whose type is labelled."""
    return tuple(page for corpus in typed_corpora(folder) for page in load(corpus, limit=limit) if page.page_type)


def judge_type(page: TypedPage) -> str:
    document = Document.from_html(page.markup, page.url, page.content_type)
    judgement = page_kind(document, document.once(judge_lines), url_kind=url_shape(page.url) if page.url else None)
    return "article" if judgement.page_type is PageType.ARTICLE else "hub"


def evaluate_site(name: str, pages: Sequence[TypedPage]) -> SetResult:
    return _result(name, [(page.name, page.gold, judge_type(page)) for page in pages])


def evaluate_corpus(rows: Sequence[TypedFeatures], made: Sequence[TypedFeatures]) -> list[SetResult]:
    """Judge each typed page by a model without its site: all types, the two sides, and the sets apart."""
    models = unseen_models(rows, made)
    types = ((row.page, kind_by(models[fold_of(row.page.group)], row.evidence).page_type) for row in rows)
    judged = [(page, type_of(page).value, found.value) for page, found in types]

    def result(name: str, pages: list[tuple[CorpusPage, str, str]]) -> SetResult:
        return _result(name, [(f"{page.set}/{page.id}", gold, found) for page, gold, found in pages])

    lists = {PageType.HUB.value, PageType.LISTING.value}
    sides = [
        (page, "article" if gold == "article" else "hub", "article" if found == "article" else "hub")
        for page, gold, found in judged
        if gold == "article" or gold in lists
    ]
    merged = [
        (page, "list" if gold in lists else gold, "list" if found in lists else found) for page, gold, found in judged
    ]
    first = [item for item in merged if not item[0].corpus.endswith(THIRD)]
    third = [item for item in merged if item[0].set == "types"]
    given = [(page, known_type(page.page_type or ""), found) for page, _, found in judged]
    return [
        result("corpora, all types", judged),
        result("corpora, by the types that they give", given),
        result("corpora, hub and listing as one", merged),
        result("... page types of corpus3", third),
        result("... page types of corpus3, without recipes", [item for item in third if not _is_recipe(item[0])]),
        result("... the first two corpora", first),
        result("... sets trained on, sites left out", [item for item in merged if item[0].set in TRAINED_SETS]),
        result("... sets never trained on", [item for item in merged if item[0].set not in TRAINED_SETS]),
        result("corpora, article or list", sides),
    ]


def _is_recipe(page: CorpusPage) -> bool:
    return page.extra.get("kind") == "recipe"


def _result(name: str, judged: list[tuple[str, str, str]]) -> SetResult:
    return SetResult(
        name=name,
        scores=type_scores((gold, output) for _, gold, output in judged),
        wrong=tuple(row for row in judged if row[1] != row[2]),
    )


def train(pages: Sequence[CorpusPage], path: Path, seed: int) -> list[SetResult]:
    """Make the shipped model again, and return the scores of such models on sites that they have not seen."""
    rows, made = typed_features(pages), made_rows(pages, seed=seed)
    known = usable([*rows, *made])
    about = provenance(
        [row.page for row in known if not row.made],
        command="python -m lab.experiments.page_type --train",
        seed=seed,
    )
    results = evaluate_corpus(rows, made)
    about["scores"] = [
        {"name": result.name, **{kind: asdict(score) for kind, score in result.scores.items()}} for result in results
    ]
    save(path, fit(known), about)
    return results


def run(options: Options) -> ExperimentResult:
    """Return the scores on the typed pages of the corpus, each judged by a model that has seen no page of its site."""
    pages = typed_pages(options.corpus, options.limit)
    rows, made = typed_features(pages, options.advance), made_rows(pages, options.advance, seed=options.seed)
    table = ResultTable(
        title="precision, recall and F1 by type",
        columns=("pages", "type", "n", "P", "R", "F1"),
        rows=tuple(
            (result.name, kind, score.n, score.precision, score.recall, score.f1)
            for result in evaluate_corpus(rows, made)
            for kind, score in result.scores.items()
        ),
        note=(
            "Hubs list stories, listings all else; documentation and services are other. Types of lists are told by "
            "hand where the corpora go by the address or call both listings (lab/evaluation/page_types.py)."
        ),
    )
    return ExperimentResult(
        title="Page types",
        source="page types of the corpus",
        tables=(table,),
        pages=pages,
    )


def sample(pages: Iterator[TypedPage], limit: int | None, seed: int) -> list[TypedPage]:
    found = list(pages)
    return found if limit is None or limit >= len(found) else random.Random(seed).sample(found, limit)  # noqa: S311


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.experiments.page_type", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"among {', '.join(SITES)}, corpus (default: all)")
    parser.add_argument("--shared", type=Path, default=default_folder().parent, help="folder of corpus/ and sites/")
    parser.add_argument("--limit", type=int, help="judge a random sample of so many pages of each site")
    parser.add_argument("--train", action="store_true", help="make the shipped model again from the corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print results as JSON")
    parser.add_argument("--wrong", action="store_true", help="list the pages judged wrongly")
    options = parser.parse_args(arguments)
    names = options.sets or [*SITES, "corpus"]
    for name in names:
        if name not in {*SITES, "corpus"}:
            parser.error(f"unknown set {name!r}: one of {', '.join(SITES)}, corpus")
    results = []
    if options.train:
        results = train(typed_pages(options.shared / "corpus"), MODEL, options.seed)
        sys.stderr.write(f"wrote {MODEL}, {MODEL.stat().st_size} bytes\n")
        names = []
    for name in names:
        if name == "corpus":
            pages_of = typed_pages(options.shared / "corpus")
            results += evaluate_corpus(typed_features(pages_of), made_rows(pages_of, seed=options.seed))
        else:
            pages = site_pages(options.shared / "sites", name)
            results.append(evaluate_site(name, sample(pages, options.limit, options.seed)))
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
