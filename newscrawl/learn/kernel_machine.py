"""Support vector machines made small: the same decision values from a few landmarks, for prediction in two products."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import expit
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from newscrawl.learn.scaling import fit_scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.learn.checks import Floats, Ints
    from newscrawl.learn.svm import SVM

RIDGE: Final = 1e-6
"""Keeps the landmarks' weights small where two landmarks are nearly the same."""
MIN_SLOPE: Final = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelMachine:
    """Decision functions f_m(x) = Σ_l a_lm exp(−γ‖x̂−c_l‖²) + b_m over one set of landmarks, x̂ standardised.

    ``p_m(x) = 1/(1 + exp(−s_m f_m(x)))`` is the calibrated probability: Platt (1999) without an offset, so that one
    half is where the decision turns.
    """

    mean: Floats
    deviation: Floats
    gamma: float
    landmarks: Floats
    """Shape ``(n_landmarks, n_features)``, standardised."""
    weights: Floats
    """Shape ``(n_landmarks, n_machines)``."""
    intercepts: Floats
    slopes: Floats
    _columns: NDArray[np.float32] = field(init=False)
    """2γ times the landmarks, a column each: single precision doubles the speed and is what a file keeps."""
    _norms: NDArray[np.float32] = field(init=False)
    """γ times the squared lengths of the landmarks."""

    def __post_init__(self) -> None:
        columns = np.ascontiguousarray(2 * self.gamma * self.landmarks.T, dtype=np.float32)
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "_norms", (self.gamma * (self.landmarks**2).sum(axis=1)).astype(np.float32))

    def decisions(self, samples: Floats) -> Floats:
        """Return the decision values, shape ``(n_samples, n_machines)``."""
        points = ((samples - self.mean) / self.deviation).astype(np.float32)
        exponent = points @ self._columns
        exponent -= self._norms
        exponent -= np.float32(self.gamma) * np.vecdot(points, points)[:, None]
        values: Floats = np.exp(exponent, out=exponent) @ self.weights + self.intercepts
        return values

    def probabilities(self, samples: Floats) -> Floats:
        """Return the calibrated probabilities, shape ``(n_samples, n_machines)``, in ``[0, 1]``."""
        result: Floats = expit(self.slopes * self.decisions(samples))
        return result

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the numbers to store, in single precision."""
        named = {name: getattr(self, name) for name in _ARRAYS} | {"gamma": np.array([self.gamma])}
        return {name: np.asarray(array, dtype=np.float32) for name, array in named.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.float32]]) -> KernelMachine:
        """Return what :meth:`arrays` gave.

        :raises ValueError: if an array is missing, or shapes or values do not fit.
        """
        missing = [name for name in (*_ARRAYS, "gamma") if name not in arrays]
        if missing:
            raise ValueError(f"no array {missing[0]!r}")
        numbers = {name: np.asarray(arrays[name], dtype=np.float64) for name in (*_ARRAYS, "gamma")}
        broken = [name for name, array in numbers.items() if not np.isfinite(array).all()]
        if broken:
            raise ValueError(f"array {broken[0]!r} holds values that are not finite")
        if numbers["landmarks"].ndim != 2 or numbers["weights"].ndim != 2:
            raise ValueError("landmarks and weights must be tables")
        n_landmarks, n_features = numbers["landmarks"].shape
        n_machines = numbers["weights"].shape[1]
        expected = {
            "mean": (n_features,),
            "deviation": (n_features,),
            "weights": (n_landmarks, n_machines),
            "gamma": (1,),
            **dict.fromkeys(("intercepts", "slopes"), (n_machines,)),
        }
        for name, shape in expected.items():
            if numbers[name].shape != shape:
                raise ValueError(f"array {name!r} of shape {numbers[name].shape}, expected {shape}")
        if (numbers["deviation"] <= 0).any():
            raise ValueError("array 'deviation' holds values that are not above 0")
        return cls(gamma=float(numbers["gamma"][0]), **{name: numbers[name] for name in _ARRAYS})


_ARRAYS: Final = ("mean", "deviation", "landmarks", "weights", "intercepts", "slopes")


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
