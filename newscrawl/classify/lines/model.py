"""The line networks of the ``news`` extractor: their verdict on a page's lines, their files, and their layers.

Each line sees its page, the elements around it and its neighbours. Layers: a dense one for each line; the page's mean
and maximum; means over the elements around; convolutions of three lines, one, three and six apart, with the means in
between. Only numpy; a page costs a few products.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from threadpoolctl import ThreadpoolController

from newscrawl.classify.lines.columns import FEATURES, LEVELS
from newscrawl.classify.lines.decision import SIGNS, SURE_F1, best_threshold, decide, sign_values
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.names import COLUMNS, Lexicon
from newscrawl.classify.model_file import ModelFile, load_model, no_model, save_model
from newscrawl.classify.verdict import Speaker, Verdict
from newscrawl.console.files import shipped_file
from newscrawl.page.lines import find_boilerplate, find_headline, line_features

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from threadpoolctl import LibController

    from newscrawl.classify.lines.decision import Decision
    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.document import Document

    Array = NDArray[np.float32]

KIND: Final = "news"
INPUTS: Final = (*FEATURES, *(f"name_{name}" for name in COLUMNS))
"""Inputs of the networks for a line."""
DEFAULT_MODEL: Final = shipped_file("classify/models/news.npz")
MIN_LINE: Final = 10.0
"""Least letters outside links of a line of text. A page without one has no text."""
_CALIBRATION: Final = "calibration"
_TRUST: Final = "trust"


def judge_lines(document: Document) -> Verdict:
    """Return the verdict of the package's network. Call it through :meth:`Document.once`."""
    return judge_by(load_news_model(DEFAULT_MODEL), document)


def judge_by(model: NewsModel, document: Document) -> Verdict:
    """Return the verdict of a network, without probabilities if the page has no line of text outside links."""
    features = document.once(line_features)
    silent = Verdict(
        by=Speaker.NETWORK,
        features=features,
        headline=document.once(find_headline),
        is_boilerplate=document.once(find_boilerplate),
        is_body=np.zeros(len(features), dtype=np.bool_),
    )
    page = document.once(page_lines) if (features.free >= MIN_LINE).any() else None
    if page is None:
        return silent
    asked, probabilities, decision = model.judge(page)
    return replace(
        silent,
        is_body=decision.is_body,
        probabilities=probabilities,
        threshold=decision.threshold,
        confidence=model.confidence(decision, asked, page),
        reasons=decision.reasons,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsModel:
    """Networks that differ in their seed only."""

    members: tuple[LineNetwork, ...]
    lexicon: Lexicon
    """Values of names, the networks' last columns."""
    trust: NDArray[np.float64]
    """Weights of ``SIGNS`` and an offset: log odds of the body's F1."""
    calibration: NDArray[np.float64]
    """Predicted F1 (``trust``) and the F1 of pages of unseen sites, both rising; shape ``(2, m)``."""

    def probabilities(self, page: NetworkInput) -> Array:
        """Return the probability of each line to be body; shape ``(n,)``."""
        return self.judge(page)[1]

    def judge(self, page: NetworkInput) -> tuple[list[Array], Array, Decision]:
        """Return the probabilities by each network that was asked, by all of them, and the body.

        The other networks are asked only if the first one is unsure.
        """
        values = np.concatenate(
            (page.values.T, self.lexicon.columns(page.named).T)
        ).T  # both are stored column by column
        # Products this small are slower on several threads, especially beside other busy processes.
        with one_thread():
            logits = [self.members[0].logits(page, values)]
            probabilities = sigmoid(logits[0])
            best = best_threshold(probabilities, page.chars)
            if len(self.members) > 1 and best[1] < SURE_F1:
                logits += [member.logits(page, values) for member in self.members[1:]]
                probabilities = sigmoid(np.mean(logits, axis=0, dtype=np.float32))
                best = best_threshold(probabilities, page.chars)
        return [sigmoid(one) for one in logits], probabilities, decide(probabilities, page, best)

    def confidence(self, decision: Decision, asked: Sequence[Array], page: NetworkInput) -> float:
        """Return the F1 of earlier pages like this one, 0..1; 0.0 without a body."""
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
    """Limit products to one thread within the context.

    ``ThreadpoolController.limit`` does the same in twice the time, because it asks each library for its version.
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
    """Return the libraries whose products use several threads; none if the process limits them already."""
    blas: list[LibController] = ThreadpoolController().select(user_api="blas").lib_controllers
    return [library for library in blas if library.get_num_threads() > 1]


@cache
def use_one_thread() -> None:
    """Limit products to one thread for the rest of the process, once instead of for each page."""
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
        raise no_model(path, error) from error
    sound = calibration.ndim == 2 and len(calibration) == 2 and trust.shape == (len(SIGNS) + 1,)
    if not members or not sound or not all(map(_fits, members)):
        raise no_model(path, f"{len(members)} networks of other shapes")
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


DILATIONS: Final = (1, 3, 6)
KERNEL: Final = 3
CLIP: Final = 4.0
"""Bound of standardised features, so that no page exceeds what was seen."""
SURE: Final = 30.0
"""Log-odds beyond which a probability counts as certain."""
MASS_COLUMNS: Final = 3
"""Columns of first-pass body text for each element around a line: share of the page's, mean, share of all text."""


@dataclass(frozen=True, kw_only=True)
class LineNetwork:
    """Weights; ``f`` features, ``h`` units, ``t`` units of the means, ``k`` levels. All ``float32``."""

    mean: Array
    scale: Array
    """One over the spread of each feature."""
    input: Array
    """``(f + 1, h)``: weights, with the offsets in the last row, as in all others."""
    first: Array
    """``(h + 1, 1)``: answer of the first pass."""
    page: Array
    """``(2h + 1, h)``"""
    narrow: tuple[Array, Array]
    """``(h + 1, t)``"""
    around: tuple[Array, Array]
    """``(k·t + 3k + 1, h)`` and ``(k·t + 1, h)``"""
    near: tuple[Array, ...]
    """``(KERNEL·h + 1, h)`` for each of ``DILATIONS``."""
    output: Array
    """``(h + 1, 1)``"""

    def arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Return the weights by name, as in a model file: half precision except mean and scale."""
        named: dict[str, NDArray[Any]] = {f"{prefix}mean": self.mean, f"{prefix}scale": self.scale}
        for name in ("input", "first", "page", "output"):
            named[prefix + name] = getattr(self, name).astype(np.float16)
        for name in ("narrow", "around", "near"):
            for place, array in enumerate(getattr(self, name)):
                named[f"{prefix}{name}{place}"] = array.astype(np.float16)
        return named

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> Self:
        """Return the network that :meth:`arrays` described.

        :raises ValueError: if an array is missing or of another shape.
        """
        try:
            found = {
                name: np.ascontiguousarray(arrays[prefix + name], dtype=np.float32)
                for name in ("mean", "scale", "input", "first", "page", "output")
            }
            several = {
                name: tuple(np.ascontiguousarray(arrays[f"{prefix}{name}{at}"], dtype=np.float32) for at in range(n))
                for name, n in (("narrow", 2), ("around", 2), ("near", len(DILATIONS)))
            }
        except KeyError as error:
            raise ValueError(f"no array {error}") from error
        return cls(**found, **several)  # type: ignore[arg-type]

    @cached_property
    def _input(self) -> tuple[Array, Array, Array]:
        """Least and greatest values, and the first layer's weights for values as they are: not yet standardised."""
        weights = self.input.copy()
        weights[:-1] *= self.scale[:, None]
        weights[-1] -= self.mean @ weights[:-1]
        return self.mean - CLIP / self.scale, self.mean + CLIP / self.scale, weights

    def logits(self, page: NetworkInput, values: Array) -> Array:
        """Return the log-odds of each line to be body, shape ``(n,)``.

        :param values: inputs of each line; shape ``(n, f)``.
        """
        low, high, weights = self._input
        values = np.maximum(values, low)
        hidden = _layer(np.minimum(values, high, out=values), weights)
        n = len(hidden)
        first = sigmoid((hidden @ self.first[:-1] + self.first[-1])[:, 0])
        seen: Array = np.concatenate((np.add.reduce(hidden) / np.float32(n), np.maximum.reduce(hidden)))
        hidden += _layer(seen[None], self.page)
        around = _Around(page)
        # for each element around lines: first-pass body text, and the means
        mass = first * page.chars
        summed = np.empty((n, MASS_COLUMNS + self.narrow[0].shape[1]), dtype=np.float32)
        np.divide(mass, mass.sum() + 1, out=summed[:, 0])
        summed[:, 1] = first
        np.divide(page.chars, page.chars.sum() + 1, out=summed[:, 2])
        summed[:, MASS_COLUMNS:] = _layer(hidden, self.narrow[0])
        sums = around.sums(summed)
        sums[:, 1:2] *= around.share
        sums[:, MASS_COLUMNS:] *= around.share
        hidden += around.seen(sums, self._around)
        hidden += _layer(_neighbours(hidden, DILATIONS[0]), self.near[0])
        hidden += _layer(_neighbours(hidden, DILATIONS[1]), self.near[1])
        means = around.sums(_layer(hidden, self.narrow[1]))
        means *= around.share
        hidden += around.seen(means, self.around[1])
        hidden += _layer(_neighbours(hidden, DILATIONS[2]), self.near[2])
        logits: Array = (hidden @ self.output[:-1] + self.output[-1])[:, 0]
        return logits

    @cached_property
    def _around(self) -> Array:
        """``around[0]`` with its rows as :meth:`logits` gives the columns: level by level."""
        width = self.narrow[0].shape[1]
        levels = (len(self.around[0]) - 1) // (width + MASS_COLUMNS)
        means = np.arange(levels * width).reshape(levels, width)
        mass = levels * width + np.arange(levels * MASS_COLUMNS).reshape(levels, MASS_COLUMNS)
        weights: Array = self.around[0][np.append(np.concatenate((mass, means), axis=1), -1)]
        return weights


def sigmoid(logits: Array) -> Array:
    odds = np.exp(np.minimum(np.maximum(-logits, -SURE), SURE))
    return (1 / (1 + odds)).astype(np.float32, copy=False)


def _layer(values: Array, weights: Array) -> Array:
    """Return the output of a dense layer of rectified linear units."""
    result: Array = values @ weights[:-1]
    result += weights[-1]
    return np.maximum(result, 0, out=result)


def _neighbours(values: Array, step: int) -> Array:
    """Return each line with the one ``step`` before and the one after it; zeros beyond the page."""
    n, width = values.shape
    found = np.zeros((n, KERNEL * width), dtype=np.float32)
    found[step:, :width] = values[:-step]
    found[:, width : 2 * width] = values
    found[:-step, 2 * width :] = values[step:]
    return found


class _Around:
    """Sums over the lines of the elements around lines.

    The innermost element around a line decides the others, which are the same for all its lines and computed once.
    """

    def __init__(self, page: NetworkInput) -> None:
        self.page = page
        self.share = (1 / np.maximum(page.ends - page.begins, 1)).astype(np.float32)[:, None]
        self.innermost = page.around[:, 0]
        self.outer = np.zeros((len(self.share), page.around.shape[1]), dtype=page.around.dtype)
        self.outer[self.innermost] = page.around

    def sums(self, values: Array) -> Array:
        """Return the sums of each column over the lines of each element."""
        before = np.zeros((len(values) + 1, values.shape[1]), dtype=np.float32)
        values.cumsum(axis=0, out=before[1:])
        result = before.take(self.page.ends, axis=0)
        result -= before.take(self.page.begins, axis=0)
        return result

    def seen(self, values: Array, weights: Array) -> Array:
        """Return for each line the output of a layer over the elements around it, one after the other."""
        numbers = values.take(self.outer, axis=0).reshape(len(self.outer), -1)
        return _layer(numbers, weights).take(self.innermost, axis=0)
