"""From the answers of methods to rows of figures: texts, snippets, blocks, page types, cost."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lab.evaluation.block_metrics import ClassCounts, score_blocks, summarise_blocks
from lab.evaluation.leniency import Expected, expect
from lab.evaluation.page_types import known_type, type_scores
from lab.evaluation.snippets import SnippetScore, snippet_score, total
from newscrawl.items import PageType
from newscrawl.page.document import Document
from newscrawl.serve.training.metrics import (
    TextScore,
    f1_of_counts,
    f1_of_means,
    interval,
    means_row,
    summarise,
    text_score,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.evaluation.harness import MethodRun
    from lab.evaluation.wire import Answer

ALL: Final = "all"
_NEWS_TYPES: Final = frozenset({PageType.ARTICLE.value, PageType.HUB.value})
BIG_BYTES: Final = 20_000
"""Cost is also given for pages of at least this size: on smaller ones fixed costs rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRow:
    """A method's text on the pages of one set and language; figures are shares, 0..1."""

    method: str
    set: str
    lang: str
    n: int
    precision: float
    recall: float
    f1: float
    """F1 of mean precision and mean recall: the main figure."""
    f1_low: float
    f1_high: float
    unit: str
    """What the interval draws: ``site`` or ``page``."""
    page_f1: float
    right: float
    empty: int
    """Pages without output, those that raised included."""
    failed: int
    """Pages on which the method raised, hung or died."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetRow:
    method: str
    set: str
    lang: str
    n: int
    snippets: int
    precision: float
    recall: float
    f1: float
    f1_low: float
    f1_high: float
    unit: str
    accuracy: float
    empty: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRow:
    method: str
    set: str
    label: str
    n: int
    precision: float
    recall: float
    f1: float
    page_f1: float
    f1_low: float
    f1_high: float
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeRow:
    method: str
    among: str
    """``"all types"``, or ``"article, hub"``: only the pages that are one or the other by gold."""
    type: str
    n: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    method: str
    pages: int
    ms: float
    """Median milliseconds of processor time a page: decoding, parsing, extraction."""
    ratio: float
    """Median of the pages' own ratios to lxml's parse of the same bytes in the same process."""
    big_pages: int
    big_ms: float
    big_ratio: float
    peak_mb: float
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScore:
    """One page of one method. ``text`` or ``snippets`` is None where the page has no such label."""

    method: str
    page: CorpusPage
    answer: Answer
    text: TextScore | None
    snippets: SnippetScore | None
    blocks: dict[str, ClassCounts] | None


@dataclass(slots=True, kw_only=True)
class Evaluation:
    """All figures of an evaluation, method after method; a list stays empty where no page has such labels."""

    texts: list[TextRow] = field(default_factory=list)
    snippets: list[SnippetRow] = field(default_factory=list)
    blocks: list[BlockRow] = field(default_factory=list)
    types: list[TypeRow] = field(default_factory=list)
    costs: list[CostRow] = field(default_factory=list)
    failures: dict[str, dict[str, int]] = field(default_factory=dict)
    """Method → class of error → pages."""

    def add(self, run: MethodRun, scores: Sequence[PageScore], *, seed: int) -> None:
        """Add the rows of one method."""
        for name, lang, part in _parts([score for score in scores if score.text is not None]):
            self.texts.append(_text_row(run.method, (name, lang), part, seed))
        for name, lang, part in _parts([score for score in scores if score.snippets is not None]):
            self.snippets.append(_snippet_row(run.method, (name, lang), part, seed))
        for name, lang, part in _parts([score for score in scores if score.blocks is not None]):
            if lang == ALL:
                self.blocks += _block_rows(run.method, name, part, seed)
        self.types += _type_rows(run.method, scores)
        self.costs.append(_cost_row(run, scores))
        errors = Counter(_error_class(answer.error) for answer in run.answers if answer.error)
        if errors:
            self.failures[run.method] = dict(errors.most_common())


class Scorer:
    """Scores pages; what a page should give is worked out once, for any number of methods."""

    def __init__(self) -> None:
        self._expected: dict[tuple[str, str], Expected] = {}

    def scores(self, run: MethodRun, pages: Sequence[CorpusPage]) -> list[PageScore]:
        """Return the score of each page, in order."""
        return [self.score(run.method, page, answer) for page, answer in zip(pages, run.answers, strict=True)]

    def score(self, method: str, page: CorpusPage, answer: Answer) -> PageScore:
        """Score one answer; an answer with an error has no text and scores as empty."""
        text = snippets = blocks = None
        gold = page.gold
        if gold.text is not None:
            expected = self.expected(page)
            text = text_score(expected.text, expected.comparable(answer.text), neutral=expected.neutral)
        if gold.has_snippets:
            snippets = snippet_score(gold.must_have, gold.must_not_have, answer.text)
        if gold.blocks is not None and answer.spans:
            blocks = score_blocks(Document.from_html(page.read(), page.url), gold.blocks, answer.spans)
        return PageScore(method=method, page=page, answer=answer, text=text, snippets=snippets, blocks=blocks)

    def expected(self, page: CorpusPage) -> Expected:
        key = page.set, page.id
        if key not in self._expected:
            self._expected[key] = expect(page, page.read())
        return self._expected[key]


def _parts(scores: Sequence[PageScore]) -> Iterator[tuple[str, str, list[PageScore]]]:
    """Yield the pages of each set, together and, where there are several, by language."""
    for name in dict.fromkeys(score.page.set for score in scores):
        whole = [score for score in scores if score.page.set == name]
        yield name, ALL, whole
        langs = Counter(score.page.lang for score in whole)
        if len(langs) > 1:
            for lang, _ in langs.most_common():
                yield name, lang, [score for score in whole if score.page.lang == lang]


def _text_row(method: str, part: tuple[str, str], scores: Sequence[PageScore], seed: int) -> TextRow:
    texts = [score.text for score in scores if score.text is not None]
    summary = summarise(texts)
    spread = interval([means_row(text) for text in texts], _sites(scores), f1_of_means, seed=seed)
    empty, failed = _misses(scores)
    return TextRow(
        method=method,
        set=part[0],
        lang=part[1],
        n=summary.n,
        precision=summary.precision,
        recall=summary.recall,
        f1=summary.f1,
        f1_low=spread.low,
        f1_high=spread.high,
        unit=spread.unit,
        page_f1=summary.page_f1,
        right=summary.right,
        empty=empty,
        failed=failed,
    )


def _snippet_row(method: str, part: tuple[str, str], scores: Sequence[PageScore], seed: int) -> SnippetRow:
    pages = [score.snippets for score in scores if score.snippets is not None]
    counts = total(pages)
    rows = [(page.found, page.wrong, page.missing) for page in pages]
    spread = interval(rows, _sites(scores), f1_of_counts, seed=seed)
    empty, failed = _misses(scores)
    return SnippetRow(
        method=method,
        set=part[0],
        lang=part[1],
        n=len(pages),
        snippets=counts.found + counts.missing + counts.wrong + counts.absent,
        precision=counts.precision,
        recall=counts.recall,
        f1=counts.f1,
        f1_low=spread.low,
        f1_high=spread.high,
        unit=spread.unit,
        accuracy=counts.accuracy,
        empty=empty,
        failed=failed,
    )


def _block_rows(method: str, name: str, scores: Sequence[PageScore], seed: int) -> Iterator[BlockRow]:
    pages = [score.blocks for score in scores if score.blocks is not None]
    for label, summary in summarise_blocks(pages).items():
        counts = [page[label] for page in pages]
        spread = interval([means_row(count) for count in counts], _sites(scores), f1_of_means, seed=seed)
        yield BlockRow(
            method=method,
            set=name,
            label=label,
            n=summary.n,
            precision=summary.precision,
            recall=summary.recall,
            f1=summary.f1,
            page_f1=summary.page_f1,
            f1_low=spread.low,
            f1_high=spread.high,
            unit=spread.unit,
        )


def _type_rows(method: str, scores: Sequence[PageScore]) -> Iterator[TypeRow]:
    pairs = [
        (known_type(score.page.page_type), score.answer.page_type)
        for score in scores
        if score.page.page_type and score.answer.page_type
    ]
    for among, chosen in (("all types", pairs), ("article, hub", [pair for pair in pairs if pair[0] in _NEWS_TYPES])):
        for name, score in type_scores(chosen).items():
            yield TypeRow(
                method=method,
                among=among,
                type=name,
                n=score.n,
                precision=score.precision,
                recall=score.recall,
                f1=score.f1,
            )


def _cost_row(run: MethodRun, scores: Iterable[PageScore]) -> CostRow:
    timed = [score for score in scores if score.answer.error is None and score.answer.parse_seconds > 0]
    big = [score for score in timed if score.page.path.stat().st_size >= BIG_BYTES]
    return CostRow(
        method=run.method,
        pages=len(timed),
        ms=_median(timed, _milliseconds),
        ratio=_median(timed, _ratio),
        big_pages=len(big),
        big_ms=_median(big, _milliseconds),
        big_ratio=_median(big, _ratio),
        peak_mb=run.peak_mb,
        failed=sum(answer.error is not None for answer in run.answers),
    )


def _median(scores: Sequence[PageScore], value: Callable[[Answer], float]) -> float:
    return statistics.median(value(score.answer) for score in scores) if scores else 0.0


def _milliseconds(answer: Answer) -> float:
    return answer.seconds * 1000


def _ratio(answer: Answer) -> float:
    return answer.seconds / answer.parse_seconds


def _sites(scores: Iterable[PageScore]) -> list[str]:
    return [score.page.group for score in scores]


def _misses(scores: Sequence[PageScore]) -> tuple[int, int]:
    empty = sum(not score.answer.text.strip() for score in scores)
    return empty, sum(score.answer.error is not None for score in scores)


def _error_class(error: str) -> str:
    """Return what comes before the message, which might quote the page."""
    return error.partition(":")[0]
