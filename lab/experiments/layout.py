"""Layout similarity against Readability, per site: share of true text in the output, and recall.

The reference of a page is chosen among the other pages of its site, over all sets of the corpus, labelled or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lab.evaluation.corpus import load
from lab.evaluation.peers.adapters import make as make_peer
from lab.evaluation.score import Scorer
from lab.evaluation.wire import WirePage
from lab.experiments import published
from lab.experiments.base import (
    NOT_IN_CORPUS,
    ExperimentResult,
    ResultTable,
    by_site,
    compare,
    extract_among,
    is_labelled,
    site_documents,
    spread,
)
from newscrawl.methods.layout import LayoutExtractor
from newscrawl.serve.training.metrics import summarise, text_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.serve.training.metrics import TextScore

SETS: Final = ("gne", "cx163", "daniel", "zhwced", "cxhit")
NO_REFERENCE: Final = "no second page"
READABILITY: Final = "readability"
VARIANTS: Final[dict[str, Callable[[], LayoutExtractor]]] = {
    "layout": LayoutExtractor,
    "reference by cluster": lambda: LayoutExtractor(use_clusters=True),
    "refined by line blocks": lambda: LayoutExtractor(refine=True),
}

Scores = dict[str, dict[tuple[str, str], "TextScore"]]
"""Method → page → score."""


def run(options: Options) -> ExperimentResult:
    found = load(options.corpus, SETS, langs=["zh"], limit=options.limit)
    sites = {name: pages for name, pages in by_site(found).items() if len(pages) > 1 and any(map(is_labelled, pages))}
    scorer = Scorer()
    scores: Scores = {name: {} for name in (*VARIANTS, READABILITY)}
    for pages in sites.values():
        _judge(pages, scores, scorer, options)
    judged = [page for pages in sites.values() for page in pages if is_labelled(page)]
    return ExperimentResult(
        title="Layout similarity against Readability",
        source="杨柳青, 李晓东, 耿光刚 (2015), table 1",
        tables=(
            _site_table(judged, scores, {page.group for page in found if is_labelled(page)}),
            _variant_table(judged, scores, options.seed),
        ),
        pages=tuple(page for pages in sites.values() for page in pages),
    )


def _judge(pages: Sequence[CorpusPage], scores: Scores, scorer: Scorer, options: Options) -> None:
    documents = site_documents(pages)
    readability = make_peer(READABILITY)
    for page in filter(is_labelled, pages):
        texts = {name: extract_among(page, documents, make).text for name, make in VARIANTS.items()}
        texts[READABILITY] = readability.run(WirePage(id=page.id, html=page.read(), url=page.url)).text
        expected = scorer.expected(page)
        for name, text in texts.items():
            scores[name][page.set, page.id] = text_score(expected.text, expected.comparable(text))
        options.advance()


def _scores_of(pages: Sequence[CorpusPage], scores: Mapping[tuple[str, str], TextScore]) -> list[TextScore]:
    return [scores[page.set, page.id] for page in pages]


def _site_table(judged: Sequence[CorpusPage], scores: Scores, labelled_sites: AbstractSet[str]) -> ResultTable:
    sites = by_site(judged)
    rows: list[tuple[Cell, ...]] = []
    for name, theirs in published.LAYOUT.items():
        pages = sites.get(name, [])
        if pages:
            ours, other = (summarise(_scores_of(pages, scores[method])) for method in ("layout", READABILITY))
            figures: tuple[Cell, ...] = (len(pages), ours.precision, ours.recall, other.precision, other.recall)
        else:
            figures = (NO_REFERENCE if name in labelled_sites else NOT_IN_CORPUS, None, None, None, None)
        rows.append((name, *figures, theirs.layout, theirs.readability))
    named = published.LAYOUT
    rest = [page for page in judged if page.group not in named]
    for label, pages in (("other sites", rest), ("all", list(judged))):
        ours, other = (summarise(_scores_of(pages, scores[method])) for method in ("layout", READABILITY))
        theirs = published.LAYOUT_MEAN
        shown = (theirs.layout, theirs.readability) if label == "all" else (None, None)
        rows.append((label, len(pages), ours.precision, ours.recall, other.precision, other.recall, *shown))
    return ResultTable(
        title="Table 1: share of true text in the output, and recall",
        columns=(
            "site",
            "n",
            "P layout",
            "R layout",
            "P Readability",
            "R Readability",
            "P layout, published",
            "P Readability, published",
        ),
        rows=tuple(rows),
        note=(
            "Share of true text: 4-gram precision against the labelled body. The paper counts title, time, source, "
            "editor and captions as text too, so its shares are higher for the same output. It states a recall of "
            "nearly 1 for layout similarity. baidu.com: there the encyclopaedia, here news."
        ),
    )


def _variant_table(judged: Sequence[CorpusPage], scores: Scores, seed: int) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for name in (*SETS, "all"):
        pages = [page for page in judged if name in ("all", page.set)]
        if not pages:
            continue
        base = _scores_of(pages, scores[READABILITY])
        for variant in VARIANTS:
            found = compare(base, _scores_of(pages, scores[variant]), [page.group for page in pages], seed=seed)
            second = found.second
            rows.append(
                (
                    name,
                    variant,
                    second.n,
                    second.precision,
                    second.recall,
                    second.f1,
                    found.first.f1,
                    spread(found.f1_gain),
                )
            )
    return ResultTable(
        title="By set: variants, and the difference of F1 to Readability",
        columns=("set", "variant", "n", "P", "R", "F1", "F1 Readability", "difference, 95 %"),
        rows=tuple(rows),
    )
