"""The three classes of blocks as numbers, and how two machines tell them apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from newscrawl.learn.kernel_machine import KernelMachine
    from newscrawl.learn.samples import Floats, Ints

MAIN: Final = 0
RELATED: Final = 1
OTHER: Final = 2
NOT_MAIN: Final = 3
"""Related or other: not known which."""
NONE: Final = -1


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


def classified(machine: KernelMachine, samples: Floats) -> tuple[Ints, Floats]:
    """Return the class of each block and its probability."""
    main, related = machine.probabilities(samples).T
    labels = np.where(main > 0.5, MAIN, np.where(related > 0.5, RELATED, OTHER))
    given = np.where(labels == RELATED, related, 1 - related)
    return labels, np.where(labels == MAIN, main, (1 - main) * given)
