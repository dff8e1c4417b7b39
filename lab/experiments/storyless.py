"""Short pages without a story: how often their shape tells them, on sites left out and on kinds left out.

``python -m lab.experiments.storyless`` makes pages of the articles of the corpora (``lab/evaluation/storyless_pages``)
and judges each, and each short typed page, by a model that has seen no page of its site; the last column leaves out the
page's kind as well. ``--train`` makes the shipped model again, ``--out`` writes the scores.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from lab.evaluation.corpus import CorpusPage, default_folder
from lab.evaluation.page_types import type_of
from lab.evaluation.result_file import provenance
from lab.evaluation.storyless_pages import KINDS, bare_story, shortest_story, storyless_page
from lab.experiments.page_type import typed_pages
from lab.experiments.page_type_training import N_FOLDS, TRAINED_SETS, fold_of, hand_labelled
from lab.training.held_out import unseen_judge
from newscrawl.classify.kind.short import MAX_LETTERS
from newscrawl.classify.kind.storyless import ENOUGH, FEATURES, KIND, MAX_DEVIATIONS, MODEL, storyless_values
from newscrawl.classify.model_file import ModelFile, save_model
from newscrawl.items import PageType
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.classify.model_file import Floats

SHORT: Final = ("shortest", "bare")
"""Kinds of made pages that are stories."""
N_SITES: Final = 420
"""Article pages of which others are made."""
PER_SITE: Final = 2
REAL_SHARE: Final = 0.25
"""Share of the corpora's articles that are looked at. Few of them are short."""
MAX_REAL: Final = 6
"""Pages of one type of one site."""
REAL_WEIGHT: Final = 2.0
"""What a real page counts beside made ones."""
STRENGTH: Final = 0.05
"""Inverse strength of the penalty, as scikit-learn's ``C``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylessRow:
    group: str
    kind: str
    """Kind of a made page, else its type after ``real``."""
    is_storyless: bool
    values: Floats


def rows_of(pages: Sequence[CorpusPage], seed: int) -> list[StorylessRow]:
    """Return made pages and short real ones of the sets that weights may come from."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    pages = [page for page in pages if page.set in TRAINED_SETS]
    articles = [page for page in pages if page.page_type == PageType.ARTICLE]
    rng.shuffle(articles)
    seen = Counter[str]()
    chosen = []
    for page in articles:
        seen[page.group] += 1
        if seen[page.group] <= PER_SITE:
            chosen.append(page)
    found = [row for page in chosen[:N_SITES] for row in _made(page, rng)]
    shelves = defaultdict[tuple[str, PageType], list[CorpusPage]](list)
    for page in pages:
        shelves[page.group, type_of(page)].append(page)
    for (_, kind), shelf in shelves.items():
        share = {PageType.ARTICLE: REAL_SHARE, PageType.OTHER: 1.0, PageType.PRODUCT: 1.0}.get(kind, 0.0)
        for page in shelf[:MAX_REAL]:
            if rng.random() < share:
                document = Document.from_html(page.read(), page.url)
                found += _row(page, document, f"real {kind}", is_storyless=kind is not PageType.ARTICLE)
    return found


def _made(page: CorpusPage, rng: random.Random) -> Iterator[StorylessRow]:
    for kind in (*SHORT, *rng.sample(KINDS, 3)):
        told = hand_labelled(page)
        if told is None:
            return
        document, lines, gold, story = told.document, told.lines, told.gold, told.story
        if kind == "shortest":
            markup = shortest_story(document, lines, gold, rng)
        elif kind == "bare":
            markup = bare_story(document, lines, gold, story, rng)
        else:
            markup = storyless_page(document, lines, gold, story.title, kind, page.lang or "en", rng)
        if markup is not None:
            yield from _row(page, Document.from_html(markup, page.url), kind, is_storyless=kind not in SHORT)


def _row(page: CorpusPage, document: Document, kind: str, *, is_storyless: bool) -> Iterator[StorylessRow]:
    verdict = document.once(unseen_judge(page))
    if len(verdict.features) and verdict.weight < MAX_LETTERS:
        values = storyless_values(document, verdict)
        yield StorylessRow(group=page.group, kind=kind, is_storyless=is_storyless, values=values)


def fit(rows: Sequence[StorylessRow]) -> dict[str, Floats]:
    """Return mean and scale of the features, and the weights with the offset at their end."""
    values = np.array([row.values for row in rows])
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    machine = LogisticRegression(C=STRENGTH, max_iter=2000)
    counts = [REAL_WEIGHT if row.kind.startswith("real") else 1.0 for row in rows]
    inputs = np.clip((values - mean) / scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
    machine.fit(inputs, [row.is_storyless for row in rows], sample_weight=counts)
    return {"mean": mean, "scale": scale, "weights": np.append(machine.coef_[0], machine.intercept_)}


def odds_by(model: dict[str, Floats], rows: Sequence[StorylessRow]) -> Floats:
    """Return the log-odds that each page has no story."""
    values = (np.array([row.values for row in rows]) - model["mean"]) / model["scale"]
    odds: Floats = np.clip(values, -MAX_DEVIATIONS, MAX_DEVIATIONS) @ model["weights"][:-1] + model["weights"][-1]
    return odds


def scores(rows: Sequence[StorylessRow]) -> dict[str, dict[str, float]]:
    """Return by kind the number of pages, and the share judged storyless without the site, and without the kind."""
    found = defaultdict[str, list[tuple[bool, bool]]](list)
    for fold in range(N_FOLDS):
        known = [row for row in rows if fold_of(row.group) != fold]
        model = fit(known)
        for kind in sorted({row.kind for row in rows}):
            asked = [row for row in rows if row.kind == kind and fold_of(row.group) == fold]
            if asked:
                without = fit([row for row in known if row.kind != kind])
                pairs = zip(odds_by(model, asked) >= ENOUGH, odds_by(without, asked) >= ENOUGH, strict=True)
                found[kind] += [(bool(first), bool(second)) for first, second in pairs]
    return {
        kind: {
            "n": len(pairs),
            "storyless": sum(first for first, _ in pairs) / len(pairs),
            "kind left out": sum(second for _, second in pairs) / len(pairs),
        }
        for kind, pairs in found.items()
    }


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
        arrays = {name: array.astype(np.float32) for name, array in fit(rows).items()}
        save_model(MODEL, ModelFile(kind=KIND, features=FEATURES, arrays=arrays, provenance=about))
    text = json.dumps(about, indent=2, sort_keys=True) + "\n"
    if options.out is not None:
        options.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
