"""Features of mean 0 and variance 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newscrawl.learn.checks import Floats


@dataclass(frozen=True, slots=True)
class Scale:
    """Shift and divisor of each feature; shape ``(n_features,)``."""

    mean: Floats
    deviation: Floats
    """Standard deviation (of the whole, not of a sample); 1 for a constant feature, which becomes 0."""

    def apply(self, samples: Floats) -> Floats:
        scaled: Floats = (samples - self.mean) / self.deviation
        return scaled


def fit_scale(samples: Floats) -> Scale:
    """Return the scale of ``samples``, shape ``(n_samples, n_features)``, ``n_samples >= 1``."""
    mean = samples.mean(axis=0)
    deviation = samples.std(axis=0)
    rounding = 1e-12 * np.maximum(np.abs(samples).max(axis=0), 1e-300)  # of a constant feature's deviation
    return Scale(mean=mean, deviation=np.where(deviation > rounding, deviation, 1.0))


def variance(samples: Floats) -> float:
    """Return δ², the mean squared distance to the mean of all samples (Zhang, Cao, Li 2015, §4.3)."""
    return float(((samples - samples.mean(axis=0)) ** 2).sum(axis=1).mean())
