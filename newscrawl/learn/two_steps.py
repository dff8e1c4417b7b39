"""Three classes in two steps: main text or not, then, of the rest, related links or other.

The first machine learns from pages where only the body is known too, which are many; the second from pages with all
three classes, which are few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.learn.block_classes import MAIN, NONE, OTHER, RELATED, labels_of
from newscrawl.learn.condensing import calibrated, condense
from newscrawl.learn.svm import SVM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newscrawl.learn.block_classes import LabelledPage
    from newscrawl.learn.checks import Floats, Ints
    from newscrawl.learn.kernel_machine import KernelMachine

GAMMA: Final = 0.01
COST: Final = 3.0
"""γ and C, chosen among six pairs by cross-validation over sites."""
N_LANDMARKS: Final = 192
FOLDS: Final = 10


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
        machine=_calibrated(machine, np.concatenate(decisions), labels),
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


def _calibrated(machine: KernelMachine, decisions: Floats, labels: Ints) -> KernelMachine:
    labelled, three = labels != NONE, (labels == RELATED) | (labels == OTHER)
    return calibrated(
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
