"""Three classes in two steps: main text or not, then, of the rest, related links or other.

The first machine learns from pages where only the body is known too, which are many; the second from pages with all
three classes, which are few.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lab.evaluation import gold
from lab.learn.samples import UNLABELLED, check_labels, check_positive, check_samples
from newscrawl.classify.blocks.classifiers import MAIN, OTHER, RELATED, KernelMachine
from newscrawl.page.segment import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from newscrawl.classify.model_file import Floats, Ints


NOT_MAIN: Final = 3
"""Related or other: not known which."""
NONE: Final = -1
CODES: Final[Mapping[str | None, int]] = {
    BlockLabel.MAIN.value: MAIN,
    BlockLabel.RELATED.value: RELATED,
    BlockLabel.OTHER.value: OTHER,
    gold.NOT_MAIN: NOT_MAIN,
    None: NONE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    samples: Floats
    """Shape ``(n_blocks, n_features)``."""
    labels: Ints
    """Shape ``(n_blocks,)``."""
    group: str
    """Pages of one group, a site, are never on both sides of a split."""


def labels_of(decisions: Floats) -> Ints:
    """Return the class of each block, from decision values of shape ``(n_blocks, 2)``."""
    labels: Ints = np.where(decisions[:, 0] > 0, MAIN, np.where(decisions[:, 1] > 0, RELATED, OTHER))
    return labels


class StandardisedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier over standardised samples. Unlabelled samples (-1) are left out."""

    classes_: Ints

    def _begin(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Ints]:  # noqa: N803
        """Return the labelled samples, standardised, and their labels.

        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        samples = check_samples(X)
        labels = check_labels(y, len(samples))
        known = labels != UNLABELLED
        samples, labels = samples[known], labels[known]
        self.n_features_in_ = samples.shape[1]
        self.classes_ = np.unique(labels)
        self.scale_ = StandardScaler().fit(samples)
        return self.scale_.transform(samples), labels

    def _standardise(self, X: ArrayLike) -> Floats:  # noqa: N803
        samples: Floats = self.scale_.transform(check_samples(X, n_features=self.n_features_in_))
        return samples


class SVM(StandardisedClassifier):
    """RBF support vector machine, libsvm's defaults: C = 1, γ = 1 / n_features.

    With one class known, every prediction is that class.
    """

    def __init__(self, *, C: float = 1.0, gamma: float | None = None, class_weight: str | None = None) -> None:  # noqa: N803
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn from the labelled samples.

        :param X: ``(n_samples, n_features)``, finite.
        :param y: ``(n_samples,)``; -1 where unknown.
        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        samples, labels = self._begin(X, y)
        self.gamma_ = 1 / samples.shape[1] if self.gamma is None else check_positive(self.gamma, "gamma")
        self.svc_: SVC | None = None
        if len(self.classes_) > 1:
            self.svc_ = SVC(C=check_positive(self.C, "C"), gamma=self.gamma_, class_weight=self.class_weight)
            self.svc_.fit(samples, labels)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        samples = self._standardise(X)
        if self.svc_ is None:
            return np.full(len(samples), self.classes_[0])
        labels: Ints = self.svc_.predict(samples)
        return labels


GAMMA: Final = 0.01
COST: Final = 3.0
"""γ and C, chosen among six pairs by cross-validation over sites."""
N_LANDMARKS: Final = 192
FOLDS: Final = 10
RIDGE: Final = 1e-6
"""Keeps the landmarks' weights small where two landmarks are nearly the same."""
MIN_SLOPE: Final = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    machine: KernelMachine
    unseen: tuple[Ints, ...] | None
    """The labels of each page by machines trained without its group; None with a single group."""


def train(
    pages: Sequence[LabelledPage],
    *,
    seed: int,
    n_landmarks: int = N_LANDMARKS,
    folds: int = FOLDS,
    advance: Callable[[], None] = lambda: None,
) -> Trained:
    """Train both machines, and once for each fold without the groups of the fold.

    :raises ValueError: if no block is labelled, or none is main text or none is anything else.
    """
    labels = np.concatenate([page.labels for page in pages]) if pages else np.empty(0, dtype=np.int64)
    if not (labels == MAIN).any() or not (labels > MAIN).any():
        raise ValueError("training needs blocks of main text and blocks that are not")
    fold = _folds([page.group for page in pages], folds, seed)
    machine = _fit(pages, n_landmarks, seed)
    if len(set(fold)) < 2:
        return Trained(machine=machine, unseen=None)
    decisions: list[Floats] = [np.empty((0, 2))] * len(pages)
    for number in sorted(set(fold)):
        rest = [page for page, place in zip(pages, fold, strict=True) if place != number]
        left_out = _fit(rest, n_landmarks, seed)
        for place, page in enumerate(pages):
            if fold[place] == number:
                decisions[place] = left_out.decisions(page.samples)
        advance()
    return Trained(
        machine=_calibrate(machine, np.concatenate(decisions), labels),
        unseen=tuple(labels_of(values) for values in decisions),
    )


def _fit(pages: Sequence[LabelledPage], n_landmarks: int, seed: int) -> KernelMachine:
    samples = np.concatenate([page.samples for page in pages])
    labels = np.concatenate([page.labels for page in pages])
    labelled, three = labels != NONE, (labels == RELATED) | (labels == OTHER)
    machines = [SVM(C=COST, gamma=GAMMA).fit(samples[labelled], (labels[labelled] == MAIN).astype(np.int64))]
    if three.any():
        second = SVM(C=COST, gamma=GAMMA, class_weight="balanced")
        machines.append(second.fit(samples[three], (labels[three] == RELATED).astype(np.int64)))
    else:  # only bodies are known: everything else is other
        machines.append(SVM(gamma=GAMMA).fit(samples[:1], [0]))
    return condense(machines, samples[labelled], gamma=GAMMA, n_landmarks=n_landmarks, seed=seed)


def _calibrate(machine: KernelMachine, decisions: Floats, labels: Ints) -> KernelMachine:
    labelled, three = labels != NONE, (labels == RELATED) | (labels == OTHER)
    return calibrate(
        machine,
        [decisions[labelled, 0], decisions[three, 1]],
        [(labels[labelled] == MAIN).astype(np.int64), (labels[three] == RELATED).astype(np.int64)],
    )


def _folds(groups: Sequence[str], folds: int, seed: int) -> list[int]:
    """Return the fold of each page: groups in random order, dealt out in turn."""
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    place = {names[at]: number % folds for number, at in enumerate(order.tolist())}
    return [place[group] for group in groups]


def condense(machines: Sequence[SVM], samples: Floats, *, gamma: float, n_landmarks: int, seed: int) -> KernelMachine:
    """Return the machines over at most ``n_landmarks`` landmarks, the centres of k-means clusters of ``samples``.

    Weights and intercepts are those that come nearest to the machines' decision values on ``samples`` (least squares).
    A machine that knows one class decides +1 for it if it is class 1, else −1. Slopes are 1 until :func:`calibrate`.

    :param machines: binary, labels 0 and 1.
    """
    scale = StandardScaler().fit(samples)
    points = scale.transform(samples)
    n = min(n_landmarks, len(np.unique(points, axis=0)))
    landmarks = KMeans(n_clusters=n, n_init=1, random_state=seed).fit(points).cluster_centers_
    machine = KernelMachine(
        mean=scale.mean_,
        deviation=scale.scale_,
        gamma=gamma,
        landmarks=landmarks,
        weights=np.zeros((n, len(machines))),
        intercepts=np.zeros(len(machines)),
        slopes=np.ones(len(machines)),
    )
    kernel = np.exp(-gamma * _squared_distances(points, landmarks))
    design = np.column_stack((kernel, np.ones(len(points))))
    target = np.column_stack([decision_values(svm, samples) for svm in machines])
    normal = design.T @ design + RIDGE * len(points) * np.diag([*np.ones(n), 0.0])
    found = np.linalg.solve(normal, design.T @ target)
    return replace(machine, weights=found[:-1], intercepts=found[-1])


def decision_values(svm: SVM, samples: Floats) -> Floats:
    """Return a binary machine's decision values, > 0 for class 1; ±1 where it knows one class."""
    if svm.svc_ is None:
        return np.full(len(samples), 1.0 if svm.classes_[0] == 1 else -1.0)
    values: Floats = svm.svc_.decision_function(svm.scale_.transform(samples))
    return values


def calibrate(machine: KernelMachine, decisions: Sequence[Floats], truths: Sequence[Ints]) -> KernelMachine:
    """Return the machine with slopes fitted to decision values of samples not trained on.

    :param decisions: for each machine; left as it is where ``truths`` has one class.
    """
    slopes = machine.slopes.copy()
    for place, (values, truth) in enumerate(zip(decisions, truths, strict=True)):
        if len(np.unique(truth)) == 2:
            fitted = LogisticRegression(fit_intercept=False).fit(values[:, None], truth)
            slopes[place] = max(float(fitted.coef_[0, 0]), MIN_SLOPE)
    return replace(machine, slopes=slopes)


def _squared_distances(points: Floats, landmarks: Floats) -> Floats:
    squared: Floats = (points**2).sum(axis=1)[:, None] - 2 * points @ landmarks.T + (landmarks**2).sum(axis=1)
    return squared
