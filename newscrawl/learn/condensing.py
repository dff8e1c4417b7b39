"""Support vector machines made into a small :class:`~newscrawl.learn.kernel_machine.KernelMachine`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from newscrawl.learn.kernel_machine import KernelMachine
from newscrawl.learn.scaling import fit_scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.learn.checks import Floats, Ints
    from newscrawl.learn.svm import SVM

RIDGE: Final = 1e-6
"""Keeps the landmarks' weights small where two landmarks are nearly the same."""
MIN_SLOPE: Final = 1e-3


def condense(machines: Sequence[SVM], samples: Floats, *, gamma: float, n_landmarks: int, seed: int) -> KernelMachine:
    """Return the machines over at most ``n_landmarks`` landmarks, the centres of k-means clusters of ``samples``.

    Weights and intercepts are those that come nearest to the machines' decision values on ``samples`` (least squares).
    A machine that knows one class decides +1 for it if it is class 1, else −1. Slopes are 1 until :func:`calibrated`.

    :param machines: binary, labels 0 and 1.
    """
    scale = fit_scale(samples)
    points = scale.apply(samples)
    n = min(n_landmarks, len(np.unique(points, axis=0)))
    landmarks = KMeans(n_clusters=n, n_init=1, random_state=seed).fit(points).cluster_centers_
    machine = KernelMachine(
        mean=scale.mean,
        deviation=scale.deviation,
        gamma=gamma,
        landmarks=landmarks,
        weights=np.zeros((n, len(machines))),
        intercepts=np.zeros(len(machines)),
        slopes=np.ones(len(machines)),
    )
    kernel = np.exp(-gamma * _squared(points, landmarks))
    design = np.column_stack((kernel, np.ones(len(points))))
    target = np.column_stack([decision_values(svm, samples) for svm in machines])
    normal = design.T @ design + RIDGE * len(points) * np.diag([*np.ones(n), 0.0])
    found = np.linalg.solve(normal, design.T @ target)
    return replace(machine, weights=found[:-1], intercepts=found[-1])


def decision_values(svm: SVM, samples: Floats) -> Floats:
    """Return a binary machine's decision values, > 0 for class 1; ±1 where it knows one class."""
    if svm.svc_ is None:
        return np.full(len(samples), 1.0 if svm.classes_[0] == 1 else -1.0)
    values: Floats = svm.svc_.decision_function(svm.scale_.apply(samples))
    return values


def calibrated(machine: KernelMachine, decisions: Sequence[Floats], truths: Sequence[Ints]) -> KernelMachine:
    """Return the machine with slopes fitted to decision values of samples not trained on.

    :param decisions: for each machine; left as it is where ``truths`` has one class.
    """
    slopes = machine.slopes.copy()
    for place, (values, truth) in enumerate(zip(decisions, truths, strict=True)):
        if len(np.unique(truth)) == 2:
            fitted = LogisticRegression(fit_intercept=False).fit(values[:, None], truth)
            slopes[place] = max(float(fitted.coef_[0, 0]), MIN_SLOPE)
    return replace(machine, slopes=slopes)


def _squared(points: Floats, landmarks: Floats) -> Floats:
    squared: Floats = (points**2).sum(axis=1)[:, None] - 2 * points @ landmarks.T + (landmarks**2).sum(axis=1)
    return squared
