"""Short pages without a story: how often their shape tells them, on sites left out.

``python -m lab.experiments.storyless`` makes pages of the articles of the corpora (``lab/evaluation/storyless_pages``)
and judges each, and each short typed page, by models that have seen no page of its site. ``--train`` makes the shipped
model again, ``--out`` writes the scores, and what each threshold would lose and find.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.corpus import default_folder
from lab.evaluation.result_file import provenance
from lab.evaluation.storyless_pages import KINDS
from lab.experiments.page_type import typed_pages
from lab.experiments.page_type_training import (
    N_FOLDS,
    N_HIDDEN,
    N_NETWORKS,
    SHORT,
    TRAINED_SETS,
    drawn_networks,
    fold_of,
    made_rows,
    short_pages,
    typed_features,
    unseen_models,
)
from newscrawl.classify.kind.judge import CLASSES, kind_by, type_odds
from newscrawl.classify.kind.storyless import ARRAYS, ENOUGH, INPUTS, KIND, MODEL, StorylessModel
from newscrawl.classify.model_file import ModelFile, save_model
from newscrawl.items import PageType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.page_type_training import TypedFeatures
    from newscrawl.classify.kind.judge import PageTypeModel
    from newscrawl.classify.model_file import Floats

LEARNT: Final = frozenset((PageType.ARTICLE, PageType.OTHER, PageType.PRODUCT))
"""Types of real pages that are learnt from; lists have little in common with what stands in the place of a story."""
REAL_WEIGHT: Final = 2.0
"""What a real page counts beside made ones."""
N_EPOCHS: Final = 40
DECAY: Final = 1.0
"""Penalty of the networks' weights, as scikit-learn's ``alpha``."""
THRESHOLDS: Final = (1.0, 1.4, 1.8, 2.2, 2.6, 3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylessRow:
    group: str
    kind: str
    """Kind of a made page, else its type after ``real``."""
    is_storyless: bool
    is_learnt: bool
    is_asked: bool
    """Whether the page would be an article otherwise."""
    values: Floats
    """``INPUTS``."""


def rows_of(pages: Sequence[CorpusPage], seed: int) -> list[StorylessRow]:
    """Return short pages, made and real, with the word of a model of page types that has not seen their sites."""
    typed = typed_features(pages)
    models = unseen_models(typed, made_rows(pages, seed=seed))
    return [
        _row(row, models[fold_of(row.page.group)]) for row in (*typed, *short_pages(pages, seed=seed)) if len(row.short)
    ]


def _row(row: TypedFeatures, model: PageTypeModel) -> StorylessRow:
    judgement, kind = kind_by(model, row.evidence), CLASSES[row.label]
    return StorylessRow(
        group=row.page.group,
        kind=row.made or f"real {kind}",
        is_storyless=kind is not PageType.ARTICLE,
        is_learnt=bool(row.made) or (row.page.set in TRAINED_SETS and kind in LEARNT),
        is_asked=judgement.page_type is PageType.ARTICLE and not judgement.is_stated,
        values=np.append(row.short, type_odds(model, row.values)),
    )


def fit(rows: Sequence[StorylessRow]) -> StorylessModel:
    """Learn the networks, each of pages drawn by what they count."""
    rows = [row for row in rows if row.is_learnt]
    values, labels = np.array([row.values for row in rows]), np.array([row.is_storyless for row in rows])
    counts = np.array([REAL_WEIGHT if row.kind.startswith("real") else 1.0 for row in rows])
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    model = StorylessModel(
        mean=mean,
        scale=scale,
        hidden=np.zeros((N_NETWORKS, len(INPUTS), N_HIDDEN)),
        hidden_bias=np.zeros((N_NETWORKS, N_HIDDEN)),
        output=np.zeros((N_NETWORKS, N_HIDDEN)),
        output_bias=np.zeros(N_NETWORKS),
    )
    machines = drawn_networks(model.standardised(values), labels, counts, decay=DECAY, n_epochs=N_EPOCHS)
    for number, machine in enumerate(machines):
        model.hidden[number], output = machine.coefs_
        model.output[number], model.hidden_bias[number] = output[:, 0], machine.intercepts_[0]
        model.output_bias[number] = machine.intercepts_[1][0]
    return model


def unseen_odds(rows: Sequence[StorylessRow]) -> Floats:
    """Return the log-odds that each page has no story, by models that have not seen its site."""
    models = [fit([row for row in rows if fold_of(row.group) != fold]) for fold in range(N_FOLDS)]
    return np.array([models[fold_of(row.group)].odds(row.values) for row in rows])


def scores(rows: Sequence[StorylessRow]) -> dict[str, Any]:
    """Return by kind how many pages would be articles otherwise, and how many of those show no story by their shape;
    and by threshold, which of made stories and real articles would be lost, and of made pages without a story found.
    """
    asked = [(row, odds) for row, odds in zip(rows, unseen_odds(rows), strict=True) if row.is_asked]
    found = defaultdict[str, list[float]](list)
    for row, odds in asked:
        found[row.kind].append(odds)
    n_short = Counter(row.kind for row in rows)
    groups = {"made stories": SHORT, "real articles": ("real article",), "made pages without a story": KINDS}
    return {
        "kinds": {
            kind: {
                "short": n_short[kind],
                "asked": len(odds),
                "storyless": _share(odds, ENOUGH),
            }
            for kind, odds in sorted(found.items())
        },
        "thresholds": {
            f"{least:g}": {
                name: _share([one for kind in kinds for one in found[kind]], least) for name, kinds in groups.items()
            }
            for least in THRESHOLDS
        },
    }


def _share(odds: Sequence[float], least: float) -> float:
    return sum(one >= least for one in odds) / max(1, len(odds))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.experiments.storyless", description=__doc__)
    parser.add_argument("--train", action="store_true", help="make the shipped model again")
    parser.add_argument("--out", type=Path, help="file for the scores, as JSON")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    pages = typed_pages(default_folder())
    rows = rows_of(pages, options.seed)
    about: dict[str, Any] = provenance(
        [page for page in pages if page.set in TRAINED_SETS],
        command="python -m lab.experiments.storyless --train",
        seed=options.seed,
    )
    about["scores"] = scores(rows)
    if options.train:
        model = fit(rows)
        arrays = {name: getattr(model, name).astype(np.float32) for name in ARRAYS}
        save_model(MODEL, ModelFile(kind=KIND, features=INPUTS, arrays=arrays, provenance=about))
    text = json.dumps(about, indent=2, sort_keys=True) + "\n"
    if options.out is not None:
        options.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
