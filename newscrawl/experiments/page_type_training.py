"""The linear part of the page type: training on the corpus, and models with each site left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from newscrawl.blocks.page_type import CLASSES, KIND, Linear
from newscrawl.blocks.page_type_features import FEATURES, page_features
from newscrawl.dom.document import Document
from newscrawl.evaluation.page_types import known_type
from newscrawl.items import PageType
from newscrawl.learn.model_file import ModelFile, save_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from newscrawl.evaluation.corpus import CorpusPage

TRAINED_SETS: Final = frozenset("daniel zhwced gne cx163 cxhit fundus trafilatura wcxb webmain".split())
"""The sets that shipped weights may come from; all others only test."""
REGULARISATION: Final = 0.01
"""Inverse strength, as scikit-learn's ``C``."""
FOLDS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedFeatures:
    page: CorpusPage
    document: Document
    values: NDArray[np.float64]
    label: int
    """Place in ``CLASSES``."""


def typed_features(pages: Sequence[CorpusPage], advance: Callable[[], object] = lambda: None) -> list[TypedFeatures]:
    """Read the features of the pages whose type is labelled."""
    found = []
    for page in pages:
        if page.page_type:
            document = Document.from_html(page.read(), page.url)
            values = document.once(page_features)
            found.append(TypedFeatures(page=page, document=document, values=values, label=_label(page.page_type)))
            advance()
    return found


def _label(corpus_type: str) -> int:
    page_type = PageType(known_type(corpus_type))
    return CLASSES.index(PageType.LISTING if page_type is PageType.HUB else page_type)


def fit(rows: Sequence[TypedFeatures]) -> Linear:
    values = np.array([row.values for row in rows])
    labels = np.array([row.label for row in rows])
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    machine = LogisticRegression(C=REGULARISATION, max_iter=3000, class_weight="balanced")
    machine.fit((values - mean) / scale, labels)
    weights, bias = np.zeros((len(CLASSES), len(FEATURES))), np.full(len(CLASSES), -20.0)
    weights[machine.classes_], bias[machine.classes_] = machine.coef_, machine.intercept_
    return Linear(mean=mean, scale=scale, weights=weights, bias=bias)


def models_for(rows: Sequence[TypedFeatures]) -> list[Linear]:
    """Return for each page a model that has seen no page of its site, and none outside ``TRAINED_SETS``."""
    usable = [place for place, row in enumerate(rows) if row.page.set in TRAINED_SETS]
    models = [fit([rows[place] for place in usable])] * len(rows)
    groups = [rows[place].page.group for place in usable]
    for train, test in GroupKFold(FOLDS).split(usable, groups=groups):
        model = fit([rows[usable[place]] for place in train])
        for place in test:
            models[usable[place]] = model
    return models


def save(path: Path, model: Linear, about: dict[str, Any]) -> None:
    arrays = {"mean": model.mean, "scale": model.scale, "weights": model.weights, "bias": model.bias}
    save_model(path, ModelFile(kind=KIND, features=FEATURES, arrays=arrays, provenance=about))
