"""Twenty clicks on five pages of each site of the corpora with enough pages, and how its other pages are read then.

The network has not seen the sites. A simulated user labels what the browser would show him, through the same code: the
first page, then each time the page whose blocks are most in doubt; on each he corrects the longest blocks that are
proposed wrongly, and where nothing is wrong, confirms the longest. A block is what at least ``PURE`` of its text is, a
line by the share of its 4-grams that the gold text has; of a block that is mixed he says nothing. The site's model is
trained on the clicks; pages outside the pool are unseen. Which of network, correction and label propagation
proposes the rest best is told on the pages of the pool that nobody labelled.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from statistics import mean
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from lab.evaluation.corpus import corpora, load
from lab.evaluation.score import Scorer
from lab.experiments.base import ExperimentResult, ResultTable, document_of, is_labelled, score_texts
from lab.learn.two_steps import CODES
from lab.learn.user import extend_training_set
from lab.training.held_out import unseen_judge
from newscrawl.classify.blocks.block_features import block_features
from newscrawl.classify.blocks.classifiers import MAIN, SiteClassifier
from newscrawl.classify.blocks.classify import crawl_blocks, label_by_lines
from newscrawl.exceptions import UserError
from newscrawl.languages.text import tokens
from newscrawl.page.lines import line_features
from newscrawl.page.segment import BlockLabel, label_blocks
from newscrawl.read.rules import judge_by_labels
from newscrawl.serve.training.label_file import UserPage
from newscrawl.serve.training.labelling import block_xpath, given_labels, least_certain, proposals
from newscrawl.serve.training.metrics import SHINGLE, comparable, word_shingles
from newscrawl.serve.training.site import train_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.classify.model_file import Floats
    from newscrawl.page.document import Document
    from newscrawl.serve.training.labelling import Proposal

MIN_PAGES: Final = 10
N_SEEDS: Final = 2
N_PAGES: Final = 5
CLICKS: Final = 4
"""On each page."""
POOL: Final = 12
"""Pages that the browser collects; at least five are left unseen."""
PURE: Final = 0.8
HOSTERS: Final = frozenset({"blogspot.com", "typepad.com", "google.com", "posterous.com", "wordpress.com"})
"""Their users' sites look each another way."""


def run(options: Options) -> ExperimentResult:
    """Values: ``sites``, how many of the worst, all by default; ``clicks``, on each page."""
    clicks = int(options.values.get("clicks", CLICKS))
    scorer = Scorer()
    sites = _sites(options)
    defaults = {
        name: [score.f1 for score in score_texts(pages, _reader(None), scorer, options)]
        for name, pages in sites.items()
    }
    worst = sorted(defaults, key=lambda name: (mean(defaults[name]), name))[: int(options.values.get("sites", "999"))]
    rows: list[tuple[Cell, ...]] = []
    for name in worst:
        runs = [
            _measure(sites[name], defaults[name], seed, clicks, scorer, options)
            for seed in range(options.seed, options.seed + N_SEEDS)
        ]
        rows.append((name, len(sites[name]), *_means(runs), "/".join(f"{run.strength:g}" for run in runs)))
    total = ("mean", None, *(_mean([row[at] for row in rows]) for at in range(2, 10)), None)
    return ExperimentResult(
        title="Sites after clicks",
        source="the project's own",
        tables=(
            ResultTable(
                title=f"{clicks} clicks on each of {N_PAGES} pages; F1 of 4-grams on the site's unseen pages",
                columns=(
                    "site", "pages", "F1", "F1 after", "error", "error after", "F1, each block known",
                    "proposals right: network", "correction", "KNNLP", "strength",
                ),
                rows=(*rows, total),
                note=f"Means over {N_SEEDS} draws of the pool, worst sites of {len(sites)} with at least {MIN_PAGES} "
                "pages first. Proposals: share of blocks of the pool's unlabelled pages told main or not.",
            ),
        ),
        pages=tuple(page for name in worst for page in sites[name]),
    )  # fmt: skip


class _Run(NamedTuple):
    """What clicks on one pool of pages of a site come to."""

    before: float
    after: float
    known: float
    """By the true label of each block, the network's where it is mixed: what labels of whole blocks can come to."""
    proposed: tuple[float, ...] | None
    """Shares right of what is proposed by the network, by its correction, and by KNNLP; None without such pages."""
    strength: float


def _means(runs: Sequence[_Run]) -> list[float | None]:
    before, after = mean(run.before for run in runs), mean(run.after for run in runs)
    shares = [_mean([run.proposed[at] if run.proposed else None for run in runs]) for at in range(3)]
    return [before, after, 1 - before, 1 - after, mean(run.known for run in runs), *shares]


def _mean(values: Iterable[Cell]) -> float | None:
    return mean(kept) if (kept := [float(value) for value in values if value is not None]) else None


def _measure(
    pages: Sequence[CorpusPage], before: Sequence[float], seed: int, clicks: int, scorer: Scorer, options: Options
) -> _Run:
    drawn = _pool(pages, seed)
    pool = _click([_PoolPage(page, number) for number, page in enumerate(drawn)], clicks)
    unseen = [number for number, page in enumerate(pages) if page not in drawn]
    try:
        trained = train_site([page.user for page in pool])
    except UserError:  # labels lack a class
        model, strength = None, 0.0
    else:
        model, strength = SiteClassifier(trained.model), trained.strength
    found, known = (
        mean(score.f1 for score in score_texts([pages[number] for number in unseen], reader, scorer, options))
        for reader in (_reader(model), _known_text)
    )
    return _Run(mean(before[number] for number in unseen), found, known, _shares_right(pool), strength)


def _sites(options: Options) -> dict[str, list[CorpusPage]]:
    """Return set and host → pages, of those with enough."""
    found: dict[str, list[CorpusPage]] = {}
    for folder in corpora(options.corpus):
        for page in filter(is_labelled, load(folder, limit=options.limit)):
            host = urlsplit(page.url).hostname if page.url else page.site
            if host and page.site not in HOSTERS:
                found.setdefault(f"{page.set} {host.removeprefix('www.')}", []).append(page)
    return {name: pages for name, pages in found.items() if len(pages) >= MIN_PAGES}


def _pool(pages: Sequence[CorpusPage], seed: int) -> list[CorpusPage]:
    return random.Random(seed).sample(list(pages), max(N_PAGES, min(POOL, len(pages) // 2)))  # noqa: S311 (no secret)


class _PoolPage:
    """A page that the browser would show, parsed and judged once, with what the user said of its blocks."""

    def __init__(self, page: CorpusPage, number: int) -> None:
        document = document_of(page)
        self.truth = _true_labels(page, document)
        self.user = UserPage(name=f"{number:03d}", document=document, judge=unseen_judge(page))

    def say(self, shown: Proposal, number: int, label: BlockLabel) -> None:
        said = block_xpath(shown.blocks[number], shown.document), label
        self.user = replace(self.user, labels=(*self.user.labels, said))


def _propose(pages: Iterable[_PoolPage]) -> list[Proposal]:
    """Return what the browser would show of the pages."""
    return proposals([page.user for page in pages])


def _click(pool: list[_PoolPage], clicks: int) -> list[_PoolPage]:
    """Label pages as a user does in the browser."""
    for _ in range(N_PAGES):
        next_page = least_certain(_propose(pool))
        if next_page is None:
            break
        chosen = pool[int(next_page.name)]
        for _ in range(clicks):
            shown = _propose([chosen, *(page for page in pool if page.user.labels and page is not chosen)])[0]
            for number, label in islice(_wishes(shown, chosen.truth), 1):
                chosen.say(shown, number, label)
    return pool


def _shares_right(pool: Sequence[_PoolPage]) -> tuple[float, ...] | None:
    """Return the shares of blocks of pages without a label that network, correction and KNNLP tell as they are."""
    rest = [page for page in pool if not page.user.labels]
    given = [page for page in pool if page.user.labels]
    truth = [label for page in rest for label in page.truth]
    if not any(truth) or not given:
        return None
    corrected = _propose([*given, *rest])[len(given) :]
    samples = {page.user.name: _samples(page) for page in pool}
    said = {page.user.name: given_labels(page.user, crawl_blocks(page.user.document)) for page in given}
    known = [row for name, of in said.items() for row, label in zip(samples[name], of, strict=True) if label]
    codes = [CODES[label] for of in said.values() for label in of if label]
    spread = extend_training_set(known, codes, np.concatenate([samples[page.user.name] for page in rest]))
    found = (
        [block.label is BlockLabel.MAIN for page in _propose(rest) for block in page.blocks],
        [block.label is BlockLabel.MAIN for page in corrected for block in page.blocks],
        (spread.labels[len(codes) :] == MAIN).tolist(),
    )
    return tuple(
        mean(is_main == (label is BlockLabel.MAIN) for is_main, label in zip(of, truth, strict=True) if label)
        for of in found
    )


def _samples(page: _PoolPage) -> Floats:
    return block_features(crawl_blocks(page.user.document), page.user.document)


def _true_labels(page: CorpusPage, document: Document) -> list[BlockLabel | None]:
    """Return what a reader of the gold text says of each block; None of one that is mixed, or only neutral."""
    lines = document.once(line_features).lines
    kinds = _line_kinds(page, lines.shown)
    labels: list[BlockLabel | None] = []
    for block in crawl_blocks(document):
        first, last = np.searchsorted(lines.rows, [block.start, block.end])
        line = np.searchsorted(lines.first, np.arange(first, last), side="right") - 1
        chars = lines.measures.chars[lines.rows[first:last]]
        n_main, n_other, n_neutral = (int(chars[kinds[line] == kind].sum()) for kind in (1, 0, -1))
        is_clear = max(n_main, n_other) >= max(1.0, PURE * (n_main + n_other), n_neutral - min(n_main, n_other))
        labels.append((BlockLabel.MAIN if n_main > n_other else BlockLabel.OTHER) if is_clear else None)
    return labels


def _line_kinds(page: CorpusPage, shown: Iterable[str]) -> NDArray[np.int64]:
    """Return 1 for a line of the gold text, 0 for another, -1 for the headline and for a few words that it has, too."""
    assert page.gold.text is not None  # noqa: S101 (of labelled pages)
    gold, body, headline = (
        word_shingles(tokens(page.gold.text)),
        comparable(page.gold.text),
        comparable(page.gold.title or ""),
    )

    def kind(text: str) -> int:
        words, plain = tokens(text), comparable(text)
        if plain == headline or (len(words) < SHINGLE and plain in body):
            return -1
        grams = word_shingles(words)
        return int(sum(n for gram, n in grams.items() if gram in gold) >= max(1, grams.total() / 2))

    return np.array([kind(text) for text in shown], dtype=np.int64)


def _wishes(page: Proposal, truth: Sequence[BlockLabel | None]) -> Iterator[tuple[int, BlockLabel]]:
    """Yield the clicks that a user would make next, the best first: mistakes, then one of each class, by length."""
    given = {label is BlockLabel.MAIN for label in page.given if label is not None}
    free = [
        (number, label)
        for number, (block, label, said) in enumerate(zip(page.blocks, truth, page.given, strict=True))
        if label is not None and said is None and block.text.strip()
    ]

    def order(wish: tuple[int, BlockLabel]) -> tuple[bool, bool, int]:
        block, is_main = page.blocks[wish[0]], wish[1] is BlockLabel.MAIN
        is_wrong = block.label is not None and (block.label is BlockLabel.MAIN) != is_main
        return not is_wrong, is_main in given, -len(block.text)

    yield from sorted(free, key=order)


def _reader(model: SiteClassifier | None) -> Callable[[CorpusPage], str]:
    """Return what gives a page's text, by the site's model where there is one; the network has not seen the site."""

    def text_of(page: CorpusPage) -> str:
        document = document_of(page)
        verdict = document.once(unseen_judge(page))
        if model is not None:
            _, verdict = model.judge(crawl_blocks(document), document, verdict)
        return verdict.text

    return text_of


def _known_text(page: CorpusPage) -> str:
    """Return a page's text as the true labels of its blocks have it."""
    document = document_of(page)
    verdict = document.once(unseen_judge(page))
    blocks = label_by_lines(crawl_blocks(document), verdict)
    labels = [
        true or block.label or BlockLabel.OTHER
        for true, block in zip(_true_labels(page, document), blocks, strict=True)
    ]
    return judge_by_labels(verdict, document, label_blocks(blocks, labels, [1.0] * len(labels))).text
