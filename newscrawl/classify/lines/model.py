"""The line networks of the ``news`` extractor on disk, and what they say of a page."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from threadpoolctl import ThreadpoolController

from newscrawl.classify.lines.columns import FEATURES, LEVELS
from newscrawl.classify.lines.decision import SIGNS, best_threshold, decide, is_open, sign_values
from newscrawl.classify.lines.layers import DILATIONS, KERNEL, LineNetwork, sigmoid
from newscrawl.classify.lines.lexicon import COLUMNS, Lexicon
from newscrawl.classify.model_file import ModelFile, load_model, save_model
from newscrawl.console.files import shipped_file
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from threadpoolctl import LibController

    from newscrawl.classify.lines.decision import Decision
    from newscrawl.classify.lines.features import NetworkInput

    Array = NDArray[np.float32]

KIND: Final = "news"
INPUTS: Final = (*FEATURES, *(f"name_{name}" for name in COLUMNS))
"""What the networks see of a line."""
DEFAULT_MODEL: Final = shipped_file("classify/models/news.npz")
_CALIBRATION: Final = "calibration"
_TRUST: Final = "trust"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsModel:
    """Networks that differ in their seed only."""

    members: tuple[LineNetwork, ...]
    lexicon: Lexicon
    """What names are worth, as the networks' last columns."""
    trust: NDArray[np.float64]
    """Weights of ``SIGNS`` and an offset: log odds of the body's F1."""
    calibration: NDArray[np.float64]
    """F1 by ``trust`` and the F1 that pages of unseen sites had, both rising; shape ``(2, m)``."""

    def probabilities(self, page: NetworkInput) -> Array:
        """Return for each line the probability of being body; shape ``(n,)``."""
        return self.judge(page)[0]

    def judge(self, page: NetworkInput) -> tuple[Array, Decision, float]:
        """Return the probabilities of the lines, the body, and the F1 that pages like this one had, 0..1.

        Where the first network is sure of its answer the others are not asked: they agree.
        """
        asked, probabilities, decision = self.asked(page)
        return probabilities, decision, self.confidence(decision, asked, page)

    def asked(self, page: NetworkInput) -> tuple[list[Array], Array, Decision]:
        """Return the probabilities by each network that was asked, by all of them, and the body."""
        values = np.concatenate((page.values.T, self.lexicon.columns(page.named).T)).T  # both lie column by column
        # Products this small are slower on several threads, above all beside other busy processes.
        with one_thread():
            logits = [self.members[0].logits(page, values)]
            probabilities = sigmoid(logits[0])
            best = best_threshold(probabilities, page.chars)
            if len(self.members) > 1 and is_open(best[1]):
                logits += [member.logits(page, values) for member in self.members[1:]]
                probabilities = sigmoid(np.mean(logits, axis=0, dtype=np.float32))
                best = best_threshold(probabilities, page.chars)
        return [sigmoid(one) for one in logits], probabilities, decide(probabilities, page, best)

    def confidence(self, decision: Decision, asked: Sequence[Array], page: NetworkInput) -> float:
        """Return the F1 that pages like this one had, 0..1; 0.0 without a body."""
        if not decision.is_body.any():
            return 0.0
        promise = float(sign_values(decision, asked, page) @ self.trust[:-1] + self.trust[-1])
        return float(np.interp(1 / (1 + np.exp(-promise)), self.calibration[0], self.calibration[1]))


def save_news_model(path: Path, model: NewsModel, provenance: dict[str, Any]) -> None:
    """Write a model with its provenance.

    :raises UserError: if the file cannot be written.
    """
    arrays: dict[str, NDArray[Any]] = {_CALIBRATION: model.calibration, _TRUST: model.trust, **model.lexicon.arrays()}
    for place, member in enumerate(model.members):
        arrays |= member.arrays(f"{place}_")
    save_model(path, ModelFile(kind=KIND, features=INPUTS, arrays=arrays, provenance=provenance))


@contextmanager
def one_thread() -> Iterator[None]:
    """Leave products one thread within the context.

    As ``ThreadpoolController.limit``, which asks each library for its version too and takes twice as long.
    """
    libraries = _threaded()
    before = [library.get_num_threads() for library in libraries]
    for library in libraries:
        library.set_num_threads(1)
    try:
        yield
    finally:
        for library, n_threads in zip(libraries, before, strict=True):
            library.set_num_threads(n_threads)


@cache
def _threaded() -> list[LibController]:
    """Return the libraries of products that have several threads; none where the process limits them already."""
    blas: list[LibController] = ThreadpoolController().select(user_api="blas").lib_controllers
    return [library for library in blas if library.get_num_threads() > 1]


@cache
def use_one_thread() -> None:
    """Leave products one thread for the rest of the process, which costs less than for each page anew."""
    for library in _threaded():
        library.set_num_threads(1)
    _threaded.cache_clear()


@lru_cache(maxsize=8)
def load_news_model(path: Path) -> NewsModel:
    """Read a model, once in a process.

    :raises UserError: if it is missing, no model, or of another version.
    """
    arrays = load_model(path, kind=KIND, features=INPUTS).arrays
    places = sorted({name.partition("_")[0] for name in arrays if name[0].isdigit()})
    try:
        members = tuple(LineNetwork.from_arrays(arrays, f"{place}_") for place in places)
        lexicon = Lexicon.from_arrays(arrays)
        calibration, trust = arrays[_CALIBRATION], arrays[_TRUST]
    except (KeyError, ValueError) as error:
        raise UserError(f"{str(path)!r} is no model file: {error}") from error
    sound = calibration.ndim == 2 and len(calibration) == 2 and trust.shape == (len(SIGNS) + 1,)
    if not members or not sound or not all(map(_fits, members)):
        raise UserError(f"{str(path)!r} is no model file: {len(members)} networks of other shapes")
    return NewsModel(members=members, lexicon=lexicon, calibration=calibration, trust=trust)


def _fits(member: LineNetwork) -> bool:
    hidden = member.output.shape[0] - 1
    narrow = member.narrow[0].shape[1]
    shapes = {
        "mean": (len(INPUTS),),
        "scale": (len(INPUTS),),
        "input": (len(INPUTS) + 1, hidden),
        "first": (hidden + 1, 1),
        "page": (2 * hidden + 1, hidden),
        "output": (hidden + 1, 1),
        "narrow": [(hidden + 1, narrow)] * 2,
        "around": [(LEVELS * (narrow + 3) + 1, hidden), (LEVELS * narrow + 1, hidden)],
        "near": [(KERNEL * hidden + 1, hidden)] * len(DILATIONS),
    }
    return all(
        [array.shape for array in value] == shapes[name] if isinstance(value, tuple) else value.shape == shapes[name]
        for name in shapes
        if (value := getattr(member, name)) is not None
    )
