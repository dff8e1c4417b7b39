"""Classifiers of blocks: the network's lines, a trained model, or rules; ``NEWSCRAWL_CLASSIFIER`` names one.

The trained model approximates a support vector machine by a few landmarks, in two products of matrices.
``lab.learn.two_steps`` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.blocks.block_features import FEATURES, block_features
from newscrawl.classify.blocks.classify import RuleClassifier, label_by_lines
from newscrawl.classify.lines.model import judge_lines
from newscrawl.classify.lines.site_model import KIND as SITE_KIND
from newscrawl.classify.lines.site_model import block_odds, correct, load_site_model, places_of, shares_of
from newscrawl.classify.model_file import ModelFile, load_model, model_kind, no_model, save_model
from newscrawl.classify.verdict import EVEN
from newscrawl.console.files import shipped_file
from newscrawl.exceptions import UserError
from newscrawl.page.segment import BlockLabel, label_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.blocks.classify import BlockClassifier
    from newscrawl.classify.lines.site_model import SiteModel
    from newscrawl.classify.model_file import Floats, Ints
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.segment import Block


NEWS: Final = "news"
RULES: Final = "rules"
SVM: Final = "svm"


class NewsClassifier:
    """Labels by the network's verdict."""

    reads_texts = False

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return label_by_lines(blocks, document.once(judge_lines))


class SiteClassifier:
    """Labels by the network's verdict, corrected by a site's model."""

    reads_texts = True

    def __init__(self, model: SiteModel) -> None:
        self.model = model

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return self.judge(blocks, document, document.once(judge_lines))[0]

    def judge(self, blocks: Sequence[Block], document: Document, verdict: Verdict) -> tuple[tuple[Block, ...], Verdict]:
        """Return the blocks with their labels, and the network's verdict as corrected by block.

        The verdict stays as given if the model corrects nothing on the page.
        """
        if not blocks:
            return (), verdict
        places = places_of(blocks, document.measures)
        corrections = self.model.corrections(places)
        corrected = correct(verdict, document, blocks, corrections)
        found = label_by_lines(blocks, corrected)
        said = [self.model.kinds.get(of[0]) for of in places]
        labels = [
            kind if kind is not None and block.label is not BlockLabel.MAIN else block.label or BlockLabel.OTHER
            for block, kind in zip(found, said, strict=True)
        ]
        main = shares_of(block_odds(verdict, document, blocks) + corrections).tolist()
        sure = [max(p if of is BlockLabel.MAIN else 1 - p, EVEN) for p, of in zip(main, labels, strict=True)]
        return label_blocks(found, labels, sure), corrected


def decides_text(name: str, classifier: BlockClassifier) -> bool:
    """Tell whether the labels of this classifier decide the text: a user trained it on blocks."""
    return name not in {NEWS, RULES, SVM} and isinstance(classifier, LearnedClassifier)


def get_classifier(name: str) -> BlockClassifier:
    """Return the classifier that ``NEWSCRAWL_CLASSIFIER`` names.

    :param name: ``"news"``, ``"svm"`` for the block model of the package, ``"rules"``, or the path of a model file.
    :raises UserError: for another name, or a file that is no model of this version.
    """
    if name == NEWS:
        return NewsClassifier()
    if name == RULES:
        return RuleClassifier()
    if name != SVM and not Path(name).is_file():
        raise UserError(
            f"NEWSCRAWL_CLASSIFIER is {name!r}: expected {NEWS}, {SVM}, {RULES} or a model file of scrapy train"
        )
    if name == SVM:
        return LearnedClassifier(_shipped_machine())
    path = Path(name)
    return (
        SiteClassifier(load_site_model(path))
        if model_kind(path) == SITE_KIND
        else LearnedClassifier(load_machine(path))
    )


@cache
def _shipped_machine() -> KernelMachine:
    return load_machine(DEFAULT_MODEL)


KIND: Final = "blocks"
DEFAULT_MODEL: Final = shipped_file("classify/models/blocks.npz")

_LABELS: Final = (BlockLabel.MAIN, BlockLabel.RELATED, BlockLabel.OTHER)


class LearnedClassifier:
    """Labels by a model. If it finds no main text on a page, the rules' main text counts."""

    reads_texts = True

    def __init__(self, machine: KernelMachine) -> None:
        self.machine = machine
        self.fallback = RuleClassifier()

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        if not blocks:
            return ()
        found, confidence = classified(self.machine, block_features(blocks, document))
        labels = [_LABELS[place] for place in found.tolist()]
        learned = label_blocks(blocks, labels, confidence.tolist())
        if BlockLabel.MAIN in labels:
            return learned
        ruled = self.fallback.classify(blocks, document)
        return tuple(rule if rule.label is BlockLabel.MAIN else own for rule, own in zip(ruled, learned, strict=True))


def load_machine(path: Path) -> KernelMachine:
    """Read a block model.

    :raises UserError: if it is missing, no model, or of another version.
    """
    model = load_model(path, kind=KIND, features=FEATURES)
    try:
        machine = KernelMachine.from_arrays(model.arrays)
    except ValueError as error:
        raise no_model(path, error) from error
    if machine.mean.shape != (len(FEATURES),) or machine.intercepts.shape != (2,):
        raise no_model(path, f"{machine.weights.shape[1]} machines over {len(machine.mean)}")
    return machine


def save_machine(path: Path, machine: KernelMachine, provenance: dict[str, Any]) -> None:
    """Write a block model with its provenance.

    :raises UserError: if the file cannot be written.
    """
    save_model(path, ModelFile(kind=KIND, features=FEATURES, arrays=machine.arrays(), provenance=provenance))


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelMachine:
    """Decision functions f_m(x) = Σ_l a_lm exp(−γ‖x̂−c_l‖²) + b_m over one set of landmarks, x̂ standardised.

    ``p_m(x) = 1/(1 + exp(−s_m f_m(x)))`` is the calibrated probability: Platt (1999) without an offset, so that the
    decision turns at one half.
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
    """2γ times the landmarks, a column each, in the single precision of the file, which doubles the speed."""
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
        half: Floats = np.tanh(self.slopes * self.decisions(samples) / 2)
        return 0.5 + half / 2  # 1 / (1 + exp(-x)) without overflow

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


MAIN: Final = 0
RELATED: Final = 1
OTHER: Final = 2


def classified(machine: KernelMachine, samples: Floats) -> tuple[Ints, Floats]:
    """Return the class of each block and its probability."""
    main, related = machine.probabilities(samples).T
    labels = np.where(main > 0.5, MAIN, np.where(related > 0.5, RELATED, OTHER))
    given = np.where(labels == RELATED, related, 1 - related)
    return labels, np.where(labels == MAIN, main, (1 - main) * given)
