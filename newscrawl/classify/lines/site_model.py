"""Model of a user's clicks on pages of one site: it corrects the network by the places of blocks.

The network stays the judge. A logistic regression, with the network's log-odds as its offset, learns what to add to the
log-odds of a block by its place: tags with class and id of the block and the elements around it, from the nearest few
to the whole path, and the block's text if it is short. The ridge penalty shares a correction among places: a block on
the same path gets all of it, a block with a similar parent a part, other blocks none. A click that agrees with the
network changes almost nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.blocks.classify import places_in
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.structure import take_labels
from newscrawl.classify.model_file import ModelFile, load_model, no_model, save_model
from newscrawl.classify.verdict import EVEN
from newscrawl.page.segment import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures
    from newscrawl.page.segment import Block

    Floats = NDArray[np.float64]

KIND: Final = "site"
FEATURES: Final = ("place",)
MOST_ODDS: Final = 3.0
"""Most of the network's log-odds that count, so that a user can overrule a sure network."""
RIDGE: Final = 0.1
"""Ridge penalty, the best of nine settings with ``SILENCE`` and ``MAX_DISSENT`` (.1 to 3; silence .1, .3, 1; dissent
0, .2) on the 26 sites of ``scrapy experiment label_clicks``, two draws. Without each site in turn, the others choose it
for 23 sites. On the site left out the chosen setting has a mean F1 of .9604, the network alone .9593.
"""
LEVELS: Final = (1, 2, 3, 5)
"""Steps of the path that make a place, beside the whole path."""
MAX_STEPS: Final = 24
SHORT: Final = 60
"""Most characters of a text that is a feature. Short texts repeat on each page."""
CHANGED: Final = 0.1
"""Least log-odds of a correction that counts."""
SILENCE: Final = 0.3
"""Weight of a block that the user left as shown, beside 1 for a block that he labelled."""
MAX_DISSENT: Final = 0.2
"""Most share of labels on a path that differ from the others."""
_STEPS: Final = 100
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class SiteModel:
    weights: Mapping[str, float]
    """Place → its addition to the log-odds of main text."""
    kinds: Mapping[str, BlockLabel]
    """Whole path → label of the user for a block there that is no main text."""

    def corrections(self, places: Sequence[Sequence[str]]) -> Floats:
        """Return the addition to the log-odds of each block."""
        return np.array([sum(self.weights.get(place, 0.0) for place in of) for of in places], dtype=np.float64)

    def scaled(self, strength: float) -> SiteModel:
        """Return the model with its corrections times ``strength``; 0 leaves the network as it is."""
        return SiteModel({place: strength * of for place, of in self.weights.items() if strength}, self.kinds)


def correct(verdict: Verdict, document: Document, blocks: Sequence[Block], corrections: Floats) -> Verdict:
    """Return the network's verdict, corrected by block.

    A correction towards main text removes no line; one away from it adds none.
    """
    page = document.once(page_lines)
    if page is None or not (np.abs(corrections) > CHANGED).any():
        return verdict
    lines = page.lines
    place = places_in(blocks, lines.start, lines.start + 1)
    added = np.where(place < 0, 0.0, corrections[place])
    is_changed = np.abs(added) > CHANGED
    probabilities = np.where(
        is_changed | (verdict.probabilities is None), 1 / (1 + np.exp(-(_odds(verdict.likely) + added))), verdict.likely
    ).astype(np.float32)
    kept, is_likely = verdict.is_body, probabilities > EVEN
    is_body = np.where(added > CHANGED, kept | is_likely, np.where(added < -CHANGED, kept & is_likely, kept))
    return take_labels(verdict, page, probabilities, is_body)


def block_odds(verdict: Verdict, document: Document, blocks: Sequence[Block]) -> Floats:
    """Return the network's log-odds of each block, the mean over its characters."""
    page = document.once(page_lines)
    if verdict.probabilities is None or page is None or not blocks:
        return np.full(len(blocks), -MOST_ODDS)
    place = places_in(blocks, page.lines.start, page.lines.start + 1)
    held = place >= 0
    chars = np.bincount(place[held], weights=page.chars[held], minlength=len(blocks))
    mass = np.bincount(place[held], weights=(page.chars * _odds(verdict.probabilities))[held], minlength=len(blocks))
    return np.where(chars > 0, mass / np.maximum(chars, 1), -MOST_ODDS)


def _odds(probabilities: NDArray[np.float32]) -> Floats:
    sure = 1 / (1 + np.exp(-MOST_ODDS))
    clipped = np.clip(probabilities.astype(np.float64), 1 - sure, sure)
    return np.log(clipped / (1 - clipped))


def places_of(blocks: Sequence[Block], measures: Measures) -> list[list[str]]:
    """Return the places of each block, the whole path first."""
    steps: dict[int, str] = {}
    return [_places(block, measures, steps) for block in blocks]


def _places(block: Block, measures: Measures, steps: dict[int, str]) -> list[str]:
    path: list[str] = []
    row = block.start
    while row >= 0 and len(path) < MAX_STEPS:
        if not measures.is_text(row):
            if row not in steps:
                steps[row] = _step(measures.nodes[row])
            path.append(steps[row])
        row = int(measures.parent[row])
    found = ["/".join(path), *(f"{n}:{'/'.join(path[:n])}" for n in LEVELS if n <= len(path))]
    text = " ".join(block.text.split())
    if text and len(text) <= SHORT:
        found.append(f"text:{_DIGITS.sub('0', text)}")
    return found


def _step(node: Any) -> str:
    names = sorted({_DIGITS.sub("0", name) for name in (node.get("class") or "").split()})
    own = _DIGITS.sub("0", node.get("id") or "")
    return str(node.tag) + (f"#{own}" if own else "") + "".join(f".{name}" for name in names)


def fit_site(
    places: Sequence[Sequence[str]], odds: Floats, labels: Sequence[BlockLabel | None], *, ridge: float = RIDGE
) -> SiteModel:
    """Learn from the blocks of labelled pages.

    :param places: places of each block, with the network's ``odds`` and the user's ``labels``. None means left
        as shown, which counts for the network if no block on the same path has a label.
    """
    said = {of[0] for of, label in zip(places, labels, strict=True) if label is not None}
    kept = [row for row in _consistent(places, labels) if labels[row] is not None or places[row][0] not in said]
    places, labels = [places[row] for row in kept], [labels[row] for row in kept]
    names = sorted({place for of in places for place in of})
    column = {name: number for number, name in enumerate(names)}
    x = np.zeros((len(places), len(names)))
    for row, of in enumerate(places):
        x[row, [column[place] for place in of]] = 1.0
    own = odds[kept]
    is_said = np.array([label is not None for label in labels], dtype=np.bool_)
    is_main = np.where(is_said, [label is BlockLabel.MAIN for label in labels], own > 0).astype(np.float64)
    weight = np.where(is_said, 1.0, SILENCE)
    weights = x.T @ _residuals(x @ x.T / ridge, own, is_main, weight) / ridge
    kinds = {of[0]: label for of, label in zip(places, labels, strict=True) if label not in {None, BlockLabel.MAIN}}
    return SiteModel(dict(zip(names, weights.tolist(), strict=True)), kinds)


def _consistent(places: Sequence[Sequence[str]], labels: Sequence[BlockLabel | None]) -> list[int]:
    """Return the samples on whose path the user's labels agree. On other paths the place says nothing."""
    said: defaultdict[str, list[bool]] = defaultdict(list)
    for of, label in zip(places, labels, strict=True):
        if label is not None:
            said[of[0]].append(label is BlockLabel.MAIN)
    doubtful = {path for path, votes in said.items() if MAX_DISSENT < sum(votes) / len(votes) < 1 - MAX_DISSENT}
    return [row for row, of in enumerate(places) if of[0] not in doubtful]


def _residuals(kernel: Floats, offset: Floats, is_main: Floats, weight: Floats) -> Floats:
    """Return weight · (label − probability) of each sample at the optimum, by Newton's steps."""
    found = np.zeros(len(offset))

    def missed(at: Floats) -> Floats:
        value: Floats = at - weight * (is_main - shares_of(kernel @ at + offset))
        return value

    for _ in range(_STEPS):
        error = missed(found)
        if np.abs(error).max(initial=0.0) < 1e-9:
            break
        chance = shares_of(kernel @ found + offset)
        step = np.linalg.solve(np.eye(len(found)) + (weight * chance * (1 - chance))[:, None] * kernel, error)
        size = 1.0
        while size > 1e-3 and np.abs(missed(found - size * step)).sum() > np.abs(error).sum():
            size /= 2
        found = found - size * step
    return found


def shares_of(odds: Floats) -> Floats:
    """Return the probabilities of these log-odds."""
    return 1 / (1 + np.exp(-np.clip(odds, -50, 50)))


def save_site_model(path: Path, model: SiteModel, provenance: dict[str, Any]) -> None:
    """Write a site's model with its provenance.

    :raises UserError: if the file cannot be written.
    """
    arrays: dict[str, NDArray[Any]] = {
        "places": np.array(list(model.weights), dtype=np.str_),
        "weights": np.array(list(model.weights.values()), dtype=np.float64),
        "paths": np.array(list(model.kinds), dtype=np.str_),
        "kinds": np.array([kind.value for kind in model.kinds.values()], dtype=np.str_),
    }
    save_model(path, ModelFile(kind=KIND, features=FEATURES, arrays=arrays, provenance=provenance))


def load_site_model(path: Path) -> SiteModel:
    """Read a site's model.

    :raises UserError: if it is missing, no model, or of another version.
    """
    arrays = load_model(path, kind=KIND, features=FEATURES).arrays
    try:
        weights = dict(zip(arrays["places"].tolist(), arrays["weights"].astype(float).tolist(), strict=True))
        kinds = [BlockLabel(kind) for kind in arrays["kinds"].tolist()]
        return SiteModel(weights, dict(zip(arrays["paths"].tolist(), kinds, strict=True)))
    except (KeyError, ValueError, TypeError) as error:
        raise no_model(path, error) from error
