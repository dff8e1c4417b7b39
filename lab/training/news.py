"""The line network's training on both corpora: folds by site, calibration."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from lab.evaluation.leniency import expect
from lab.training.labelled import N_FOLDS, fold_of, load_labelled, training_page
from lab.training.name_odds import name_odds
from lab.training.network import EPOCHS, TrainingPage, require_torch, train_network
from lab.training.news_gold import is_whole
from lab.training.variants import add_variants
from newscrawl.classify.lines.columns import HINTS
from newscrawl.classify.lines.decision import SIGNS, sign_values
from newscrawl.classify.lines.model import INPUTS, NewsModel
from newscrawl.classify.lines.names import COLUMNS
from newscrawl.serve.training.metrics import summarise, text_score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from lab.training.labelled import LabelledLines
    from newscrawl.classify.lines.model import LineNetwork
    from newscrawl.serve.training.metrics import TextScore, TextSummary

    Array = NDArray[np.float32]

SHIPPED_SETS: Final = ("daniel", "zhwced", "gne", "cx163", "cxhit", "fundus", "trafilatura", "wcxb", "webmain", "andy")
"""Sets whose terms allow shipped weights."""
N_MEMBERS: Final = 3
"""Networks that are asked together."""
SNIPPET_IMPORTANCE: Final = 0.5
MAX_SITE: Final = 60
"""A site counts as the root of its pages, up to so many."""
N_KNOTS: Final = 12
UNCALIBRATED: Final = np.array([[0.0, 1.0], [0.0, 1.0]])
NO_TRUST: Final = np.zeros(len(SIGNS) + 1)
REGULARISATION: Final = 1.0
N_BINS: Final = 10
WRONG_F1: Final = 0.5
DOUBT: Final = 0.6


def train_members(
    jobs: Sequence[Job], pages: Sequence[LabelledLines], *, epochs: int, processes: int, advance: Callable[[], None]
) -> list[LineNetwork]:
    """Return a network for each job, in order; several are trained at once."""
    # Forked, so that the pages are not copied to each process.
    with ProcessPoolExecutor(
        processes, mp_context=get_context("fork"), initializer=_take, initargs=(tuple(pages), epochs)
    ) as pool:
        waiting = [pool.submit(_train, job) for job in jobs]
        for _ in as_completed(waiting):
            advance()
        return [done.result() for done in waiting]


@dataclass(frozen=True, slots=True)
class Job:
    """One network: the fold that is left out (None: none is), and the seed."""

    fold: int | None
    seed: int


_taken: tuple[tuple[LabelledLines, ...], int] = ((), EPOCHS)


def _take(pages: tuple[LabelledLines, ...], epochs: int) -> None:
    global _taken  # noqa: PLW0603 (what a process of the pool works on)
    _taken = pages, epochs


def _train(job: Job) -> LineNetwork:
    pages, epochs = _taken
    chosen = _outside(pages, job.fold)
    return train_network(_weigh(chosen), seed=job.seed, hideable=_hideable(), epochs=epochs)


def _outside(pages: Sequence[LabelledLines], fold: int | None) -> list[LabelledLines]:
    return [page for page in pages if fold_of(page.page.group) != fold]


def _weigh(pages: Sequence[LabelledLines]) -> list[TrainingPage]:
    """Return the pages with their importance, large sites count less, and with what names are worth on other sites."""
    sizes = Counter(page.page.group for page in pages)
    importance = np.array(
        [
            (1.0 if is_whole(page.page) else SNIPPET_IMPORTANCE) / np.sqrt(min(sizes[page.page.group], MAX_SITE))
            for page in pages
        ]
    )
    importance /= importance.mean()
    odds = name_odds(pages)
    weighted = []
    for page, weight in zip(pages, importance, strict=True):
        lexicon = odds.lexicon(without=page.page.group)
        made = training_page(page.lines, page.gold, float(weight), page.variants)
        weighted.append(
            replace(made.with_names(lexicon), variants=tuple(one.with_names(lexicon) for one in made.variants))
        )
    return weighted


def _hideable() -> list[tuple[list[int], float]]:
    """Return columns that a page may lack, so that none is relied on alone, and how often they are hidden."""
    named = {f"{where}_{hint}" for where in ("in", "own", "parent") for hint in HINTS}
    named |= {f"name_{column}" for column in COLUMNS}
    groups = (
        (lambda name: name in named, 0.2),
        (lambda name: name.startswith("words"), 0.1),
        (lambda name: name.endswith("headline"), 0.3),
        (lambda name: name.startswith("level"), 0.05),
        (lambda name: name.startswith(("group", "images")), 0.1),
    )
    return [([place for place, name in enumerate(INPUTS) if test(name)], share) for test, share in groups]


def calibrate(model: NewsModel, pairs: Sequence[tuple[float, float]]) -> NewsModel:
    """Return the model with the F1 that pages had at each promised F1, rising: pool adjacent violators over knots.

    :param pairs: F1 by ``trust`` and F1 of pages whose site the asked network had not seen.
    """
    ordered = np.array(sorted(pairs))
    parts = np.array_split(ordered, min(N_KNOTS, len(ordered)))
    pools: list[list[float]] = []  # promised, F1, weight
    for part in parts:
        pools.append([float(part[:, 0].mean()), float(part[:, 1].mean()), float(len(part))])
        while len(pools) > 1 and pools[-2][1] >= pools[-1][1]:
            last, before = pools.pop(), pools.pop()
            weight = last[2] + before[2]
            pools.append([(last[at] * last[2] + before[at] * before[2]) / weight for at in range(2)] + [weight])
    knots = np.array([[0.0, 0.0], *([pool[0], pool[1]] for pool in pools), [1.0, pools[-1][1]]])
    return replace(model, calibration=knots.T)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsTraining:
    """What a training gives."""

    pages: tuple[LabelledLines, ...]
    model: NewsModel
    """Trained on all pages."""
    folds: tuple[NewsModel, ...]
    """Each trained on all sites but those of its fold."""
    unseen: dict[str, TextSummary]
    """By set: scores of pages by the model of their fold."""
    calibration: Reliability
    """How the confidence of pages by the model of their fold agrees with their F1."""

    def left_out(self, fold: int) -> list[str]:
        """Return the sites that a fold's model has not seen."""
        return sorted({page.page.group for page in self.pages if fold_of(page.page.group) == fold})


def train_news(
    folder: Path,
    *,
    seed: int,
    limit: int | None = None,
    epochs: int = EPOCHS,
    processes: int = 1,
    advance: Callable[[str], None] = lambda _step: None,
) -> NewsTraining:
    """Train the model, and one for each fold to measure it with.

    :param processes: networks trained at the same time.
    :param advance: called with the name of each step done.
    :raises UserError: if torch or the corpus is missing.
    """
    require_torch()
    read = load_labelled(folder, SHIPPED_SETS, limit=limit, advance=lambda: advance("pages read"))
    pages = add_variants(read, seed=seed, advance=lambda: advance("variants made"))
    seeds = range(seed, seed + N_MEMBERS)
    jobs = [Job(fold, member) for fold in (*range(N_FOLDS), None) for member in seeds]
    networks = train_members(
        jobs, pages, epochs=epochs, processes=processes, advance=lambda: advance("networks trained")
    )
    *folds, model = [
        NewsModel(
            members=tuple(networks[at * N_MEMBERS : (at + 1) * N_MEMBERS]),
            lexicon=name_odds(_outside(pages, fold)).lexicon(),
            calibration=UNCALIBRATED,
            trust=NO_TRUST,
        )
        for at, fold in enumerate((*range(N_FOLDS), None))
    ]
    return complete(pages, model, folds)


def complete(pages: Sequence[LabelledLines], model: NewsModel, folds: Sequence[NewsModel]) -> NewsTraining:
    """Teach the models what their own answers are worth, by pages whose sites they have not seen."""
    judged = [_judge(folds[fold_of(page.page.group)], page) for page in pages if page.page.gold.text is not None]

    def finished(unfinished: NewsModel, fold: int) -> NewsModel:
        told = [one for one in judged if one.fold != fold and one.signs is not None]
        trust = _trust(np.array([one.signs for one in told]), np.array([one.score.f1 for one in told]))
        pairs = [(_promise(one, trust), one.score.f1) for one in told]
        return replace(calibrate(unfinished, pairs), trust=trust)

    done = [finished(left, fold) for fold, left in enumerate(folds)]
    confidences = np.array(
        [np.interp(_promise(one, done[one.fold].trust), *done[one.fold].calibration) for one in judged]
    )
    return NewsTraining(
        pages=tuple(pages),
        model=finished(model, -1),
        folds=tuple(done),
        unseen={
            name: summarise([one.score for one in judged if one.set == name])
            for name in dict.fromkeys(one.set for one in judged)
        },
        calibration=reliability(confidences, np.array([one.score.f1 for one in judged])),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """How far confidences can be believed."""

    n: int
    calibration_error: float
    """Expected calibration error over ``N_BINS`` bins of equal width."""
    n_wrong: int
    """Pages of an F1 below ``WRONG_F1``."""
    n_doubted: int
    """Those among them with a confidence below ``DOUBT``."""

    def __str__(self) -> str:
        return (
            f"expected calibration error {self.calibration_error:.3f} on {self.n} pages; "
            f"below {DOUBT} on {self.n_doubted} of {self.n_wrong} pages with an F1 below {WRONG_F1}"
        )


def reliability(confidences: NDArray[np.float64], scores: NDArray[np.float64]) -> Reliability:
    """Return what confidences say of scores; both of shape ``(n,)``, 0..1."""
    bins = np.minimum((confidences * N_BINS).astype(np.int64), N_BINS - 1)
    off = np.bincount(bins, weights=confidences - scores)
    is_wrong = scores < WRONG_F1
    return Reliability(
        n=len(scores),
        calibration_error=float(np.abs(off).sum() / max(1, len(scores))),
        n_wrong=int(is_wrong.sum()),
        n_doubted=int((is_wrong & (confidences < DOUBT)).sum()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The answer of the network that has not seen a page's site."""

    set: str
    fold: int
    score: TextScore
    signs: NDArray[np.float64] | None
    """None for an answer without text."""


def _judge(model: NewsModel, page: LabelledLines) -> Judged:
    asked, _, decision = model.judge(page.lines)
    wanted = expect(page.page, page.page.read())
    lines = np.flatnonzero(decision.is_body).tolist()
    output = wanted.comparable("\n".join(page.texts[line] for line in lines))
    return Judged(
        set=page.page.set,
        fold=fold_of(page.page.group),
        score=text_score(wanted.text, output, neutral=wanted.neutral),
        signs=sign_values(decision, asked, page.lines) if lines else None,
    )


def _promise(one: Judged, trust: NDArray[np.float64]) -> float:
    """Return the F1 that the weights promise; 0.0 for an answer without text."""
    return float(1 / (1 + np.exp(-(one.signs @ trust[:-1] + trust[-1])))) if one.signs is not None else 0.0


def _trust(signs: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit log odds of the F1: logistic regression, each page right by its F1 and wrong by the rest of it."""
    mean, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-6
    values = (signs - mean) / spread
    fitted = LogisticRegression(C=REGULARISATION, max_iter=2000)
    is_right = np.repeat([True, False], len(scores))
    fitted.fit(np.concatenate((values, values)), is_right, sample_weight=np.concatenate((scores, 1 - scores)))
    weights = fitted.coef_[0] / spread
    return np.append(weights, fitted.intercept_[0] - float(weights @ mean))
