"""What an experiment is: ``run(options) -> ExperimentResult``, one module for each table or figure of the sources."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, Protocol

import lab.experiments as package
from lab.evaluation.corpus import load
from lab.evaluation.harness import stand_in
from lab.evaluation.result_file import archive_provenance, provenance, round_numbers
from newscrawl.exceptions import UserError
from newscrawl.page.document import Document
from newscrawl.serve.training.metrics import RIGHT_F1, f1_of_means, interval, means_row, summarise, text_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from lab.evaluation.corpus import CorpusPage
    from lab.evaluation.score import Scorer
    from newscrawl.extractors import Extraction, Extractor
    from newscrawl.serve.reports.charts import Drawing
    from newscrawl.serve.training.metrics import Interval, TextScore, TextSummary

NOT_IN_CORPUS: Final = "not in the corpus"
"""Stands in a table where there is a published figure and no page to compute ours on."""

Cell = str | int | float | None
CorpusPageKey = tuple[str, str]
"""Set and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a user can choose."""

    corpus: Path
    seed: int = 1
    limit: int | None = None
    """At most this many pages of each set: for a quick look, not for figures to keep."""
    advance: Callable[[], None] = field(default=lambda: None)
    """Called after each page, for progress."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What an experiment can be told beside: ``--with NAME=VALUE``."""
    cache: Path | None = None
    """Folder that keeps parsed pages between runs."""
    sites: Path | None = None
    """Folder of stored sites and topics; None: the one beside the corpus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """How to read it, and what the corpus cannot say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """What an experiment gives: our figures beside the published ones, and pictures of them."""

    title: str
    source: str
    """The published table or figure."""
    tables: tuple[ResultTable, ...]
    pages: tuple[CorpusPage, ...] = ()
    """The pages used, for counts and digest."""
    archives: Mapping[Path, int] = field(default_factory=dict)
    """Archive of a site → its pages, where whole sites are measured and not pages of the corpus."""
    figures: dict[str, Drawing] = field(default_factory=dict)
    """Name → SVG; ``""`` is the experiment's only or main figure."""

    def as_json(self, *, command: str, seed: int) -> dict[str, Any]:
        """Return plain values: figures and names only, no text of a page."""
        tables = [
            {"title": table.title, "columns": table.columns, "rows": table.rows, "note": table.note}
            for table in self.tables
        ]
        return {
            "title": self.title,
            "source": self.source,
            **provenance(self.pages, command=command, seed=seed),
            **(archive_provenance(self.archives) if self.archives else {}),
            "tables": round_numbers(tables),
        }


class Experiment(Protocol):
    def __call__(self, options: Options) -> ExperimentResult: ...


def names() -> tuple[str, ...]:
    """Return the names of the experiments: the modules of this package that have ``run``."""
    found = (module.name for module in iter_modules(package.__path__) if module.name not in ("base", "published"))
    return tuple(sorted(name for name in found if hasattr(_module(name), "run")))


def describe(name: str) -> str:
    """Return the first line of the experiment's docstring."""
    return (_module(name).__doc__ or "").strip().partition("\n")[0]


def get_experiment(name: str) -> Experiment:
    """Return the experiment's ``run``.

    :raises UserError: for an unknown name.
    """
    if name not in names():
        raise UserError(f"unknown experiment {name!r}: one of {', '.join(names())}")
    run: Experiment = _module(name).run
    return run


def _module(name: str) -> Any:
    return import_module(f"{package.__name__}.{name}")


def is_labelled(page: CorpusPage) -> bool:
    """Tell whether the page has gold text that stands in its markup."""
    return page.gold.text is not None and page.gold_where != "script"


def labelled_pages(options: Options, sets: Sequence[str], langs: Sequence[str] = ()) -> list[CorpusPage]:
    """Return the pages of ``sets`` with gold text that stands in the page's markup."""
    return [page for page in load(options.corpus, sets, langs=langs, limit=options.limit) if is_labelled(page)]


def score_texts(
    pages: Iterable[CorpusPage], text_of: Callable[[CorpusPage], str], scorer: Scorer, options: Options
) -> list[TextScore]:
    """Return the score of each page's text, in order."""
    scores = []
    for page in pages:
        expected = scorer.expected(page)
        scores.append(text_score(expected.text, expected.comparable(text_of(page)), neutral=expected.neutral))
        options.advance()
    return scores


def document_of(page: CorpusPage, url: str | None = None) -> Document:
    """Parse a page from its bytes and its address, as a crawl would."""
    return Document.from_html(page.read(), url or page.url)


def by_site(pages: Iterable[CorpusPage]) -> dict[str, list[CorpusPage]]:
    """Return the pages of each site, the sites with most pages first."""
    sites: dict[str, list[CorpusPage]] = {}
    for page in pages:
        sites.setdefault(page.group, []).append(page)
    return dict(sorted(sites.items(), key=lambda item: (-len(item[1]), item[0])))


def site_documents(pages: Iterable[CorpusPage]) -> dict[CorpusPageKey, Document]:
    """Parse the pages of one site; pages without an address get one, since a site's pages differ in theirs."""
    return {(page.set, page.id): document_of(page, page.url or stand_in(page)) for page in pages}


def extract_among(
    page: CorpusPage, documents: Mapping[CorpusPageKey, Document], make: Callable[[], Extractor]
) -> Extraction:
    """Return what a new extractor gives after it has seen all documents but the page's own."""
    extractor = make()
    own = page.set, page.id
    for key, document in documents.items():
        if key != own:
            extractor.observe(document)
    return extractor.extract(documents[own])


def shuffle_pages(pages: Sequence[CorpusPage], seed: int) -> list[CorpusPage]:
    """Return the pages in a random order that depends on ``seed`` only."""
    result = list(pages)
    random.Random(seed).shuffle(result)  # noqa: S311
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two methods on the same pages: the second against the first."""

    first: TextSummary
    second: TextSummary
    f1_gain: Interval
    """Interval of the difference of F1."""
    right_gain: Interval
    """Interval of the difference of the share of right pages."""


def compare(first: Sequence[TextScore], second: Sequence[TextScore], groups: Sequence[str], *, seed: int) -> Compared:
    """Compare page by page, so that the interval is that of the difference, not of two samples."""
    rows = [(*means_row(left), *means_row(right)) for left, right in zip(first, second, strict=True)]
    right = [
        (float(later.f1 >= RIGHT_F1) - float(earlier.f1 >= RIGHT_F1), 1.0)
        for earlier, later in zip(first, second, strict=True)
    ]
    return Compared(
        first=summarise(first),
        second=summarise(second),
        f1_gain=interval(rows, groups, lambda sums: f1_of_means(sums[:, 4:]) - f1_of_means(sums[:, :4]), seed=seed),
        right_gain=interval(right, groups, lambda sums: sums[:, 0] / sums[:, 1], seed=seed),
    )


def compare_by_set(
    pages: Sequence[CorpusPage], first: Sequence[TextScore], second: Sequence[TextScore], *, seed: int
) -> dict[str, tuple[Cell, ...]]:
    """Return set → how many pages, precision, recall and F1 of the first scores and of the second, the gain in F1."""
    rows: dict[str, tuple[Cell, ...]] = {}
    for name in dict.fromkeys(page.set for page in pages):
        places = [place for place, page in enumerate(pages) if page.set == name]
        ours, theirs = ([scores[place] for place in places] for scores in (first, second))
        found = compare(ours, theirs, [pages[place].group for place in places], seed=seed)
        figures = (part for one in (found.first, found.second) for part in (one.precision, one.recall, one.f1))
        rows[name] = (len(places), *figures, spread(found.f1_gain))
    return rows


def spread(found: Interval, *, signed: bool = True) -> str:
    """Return an interval as text, e.g. ``+0.010 … +0.030 by site``."""
    sign = "+" if signed else ""
    return f"{found.low:{sign}.3f} … {found.high:{sign}.3f} by {found.unit}"
