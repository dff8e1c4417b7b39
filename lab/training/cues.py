"""Fits the weights of the cues of facts on labelled pages, and tells what each cue is worth.

    python -m lab.training.cues        # writes newscrawl/extract/facts/weights.py

No page is of a site in the held-out half of ``experiment metadata``, or of the third corpus: with it fewer dates and
authors are right on sites left out.

A cue's weight and those of its signs are a logistic regression of whether what it proposes is right, each cue by
itself, with a few pages of no sign added that are mostly right (``PRIOR``). A field's ``enough`` is the first of
``STEPS`` at which asking no further cue loses at most ``PRICE`` of the pages of sites left out, or a later one that
loses as many.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from sklearn.linear_model import LogisticRegression

from lab.evaluation.corpus import default_folder, site_fold
from lab.experiments.base import Options
from lab.experiments.metadata import (
    DEVELOPMENT,
    FETCHED_AT,
    RULES_MADE,
    is_same_day,
    labelled_pages,
    names_match,
)
from newscrawl.classify.lines.model import judge_lines
from newscrawl.extract.facts import weights as written
from newscrawl.extract.facts.authors import AUTHOR_CUES
from newscrawl.extract.facts.cues import ALONE, Candidate, Cue, FactPage, Weights, choose
from newscrawl.extract.facts.dates import DATE_CUES, IN_A_NAME, TODAY
from newscrawl.extract.facts.extract import fact_page
from newscrawl.methods.base import get_extractor
from newscrawl.page.document import Document
from newscrawl.read.model import SHOWN
from newscrawl.read.script_data import fullest
from newscrawl.urls.domains import assumed_zone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lab.evaluation.corpus import CorpusPage

N_FOLDS: Final = 5
PRIOR: Final = (4, 1)
"""Proposals that are added to each cue's, right and wrong ones: a cue that few pages have is worth little more."""
CAUTION: Final = 1.0
"""Inverse strength of the ridge on the weights of signs."""
DAY_CHARS: Final = len("2024-03-05")
PRICE: Final = 0.004
"""Share of pages on sites left out that asking fewer cues may cost: it halves their time."""
FIXED: Final[Mapping[str, Mapping[str, float]]] = {
    "feed": {ALONE: 6.0},
    "stated": {TODAY: -1.0},
    "address": {IN_A_NAME: -2.4},
    "json-ld": {"one small word": -1.2},
    "meta": {"one small word": -1.2, "no person": -1.9},
    "labelled line": {"below the text": -1.5},
    "below the text": {"no person": -1.2},
    "beside the date": {"far": -1.0},
    "in a box": {"no person": -1.2, "note": -0.4},
    "line": {"ago": -2.5, "no year": -2.5, "comment": -4.0, "another label": -3.5},
}
"""Weights by hand, of what saved pages show too rarely: they come without a feed, and without the time of the fetch."""
STEPS: Final = (2.0, 2.7, 3.2, 3.5, 4.0, 5.0, 6.0, 8.0)
"""Weights that are tried as enough."""
HEAD: Final = '''"""Weights of the cues of facts, in log-odds. ``python -m lab.training.cues`` writes this file."""

from __future__ import annotations

from typing import Final

from newscrawl.extract.facts.cues import Weights
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field that has cues and labels."""

    cues: Sequence[Cue[Any]]
    weights: Weights
    constant: str
    """Its weights' name in the file."""
    is_labelled: Callable[[CorpusPage], bool]
    is_right: Callable[[CorpusPage, Any], bool]


def is_right_day(page: CorpusPage, found: Any) -> bool:
    return is_same_day(found.moment, page.gold.date or "", assumed_zone(None, page.url, page.lang))


FIELDS: Final[Mapping[str, Field]] = {
    "dates": Field(
        cues=DATE_CUES,
        weights=written.DATES,
        constant="DATES",
        is_labelled=lambda page: len(page.gold.date or "") >= DAY_CHARS,
        is_right=is_right_day,
    ),
    "authors": Field(
        cues=AUTHOR_CUES,
        weights=written.AUTHORS,
        constant="AUTHORS",
        is_labelled=lambda page: bool(page.gold.authors),
        is_right=lambda page, found: names_match([author.name for author in found], page.gold.authors).right,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What the cues of a field propose on one page."""

    group: str
    """The site."""
    candidates: Mapping[str, Sequence[Candidate[Any]]]
    """By cue."""
    right: Mapping[Any, bool]
    """By key."""

    def is_chosen_right(self, cues: Iterable[str], weights: Weights) -> bool:
        """Tell whether the value that these cues choose is right."""
        asked = [Cue(name, partial(_proposed, self, name)) for name in cues if name in self.candidates]
        choice = choose(asked, weights, _NO_PAGE)
        return choice is not None and self.right[choice.best.key]


def _proposed(proposals: Proposals, cue: str, _page: FactPage) -> Sequence[Candidate[Any]]:
    return proposals.candidates[cue]


_NO_PAGE: Final = cast("FactPage", SimpleNamespace(language=None))
"""Stands for the page whose candidates are known."""


def propose(pages: Iterable[CorpusPage], advance: Callable[[], None] = lambda: None) -> dict[str, list[Proposals]]:
    """Return what each field's cues propose on the pages that have a label of it."""
    found: dict[str, list[Proposals]] = {name: [] for name in FIELDS}
    for page in pages:
        advance()
        wanted = {name: known for name, known in FIELDS.items() if known.is_labelled(page)}
        if not wanted:
            continue
        document = Document.from_html(page.read(), page.url)
        shown = get_extractor("news").extract(document)
        text = fullest(document, document.once(judge_lines), shown, full_text=SHOWN).text
        read = fact_page(document, fetched_at=FETCHED_AT, text=text)
        for name, known in wanted.items():
            asked = [cue for cue in known.cues if not cue.languages or read.language in cue.languages]
            candidates = {cue.name: list(cue.find(read)) for cue in asked}
            keyed = {one.key: one.value for each in candidates.values() for one in each}
            right = {key: known.is_right(page, value) for key, value in keyed.items()}
            found[name].append(Proposals(group=page.group, candidates=candidates, right=right))
    return found


def fit(cues: Sequence[Cue[Any]], pages: Sequence[Proposals], least: float) -> Weights:
    """Return the weights of cues by what they propose on some pages; every cue is asked."""
    fitted: dict[str, dict[str, float]] = {}
    for cue in cues:
        by_hand = FIXED.get(cue.name, {})
        found = [(page, one) for page in pages for one in page.candidates.get(cue.name, ())]
        proposed = [(one.signs, page.right[one.key]) for page, one in found if by_hand.keys().isdisjoint(one.signs)]
        fitted[cue.name] = {**_fit_cue(proposed), **by_hand}
    return Weights(enough=np.inf, least=least, cues=fitted)


def _fit_cue(proposed: Sequence[tuple[tuple[str, ...], bool]]) -> dict[str, float]:
    signs = sorted({sign for found, _ in proposed for sign in found})
    rows = [[sign in found for sign in signs] for found, _ in proposed] + [[False] * len(signs)] * 2
    right = [is_right for _, is_right in proposed] + [True, False]
    counted = [1.0] * len(proposed) + list(map(float, PRIOR))
    if not signs:
        n_right = sum(weight for weight, is_right in zip(counted, right, strict=True) if is_right)
        return {ALONE: float(np.log(n_right / (sum(counted) - n_right)))}
    model = LogisticRegression(C=CAUTION).fit(np.array(rows, dtype=float), right, sample_weight=counted)
    return {ALONE: float(model.intercept_[0]), **dict(zip(signs, map(float, model.coef_[0]), strict=True))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Folds:
    """Pages in folds of sites, each with weights that were fitted without it."""

    cues: tuple[str, ...]
    folds: Sequence[tuple[Weights, Sequence[Proposals]]]

    def right(self, enough: float = np.inf) -> float:
        """Return the share of pages that the cues choose rightly for."""
        right = [
            page.is_chosen_right(self.cues, replace(weights, enough=enough))
            for weights, pages in self.folds
            for page in pages
        ]
        return sum(right) / len(right)


def in_folds(cues: Sequence[Cue[Any]], pages: Sequence[Proposals], least: float) -> Folds:
    """Fit cues for each fold on the sites of the others."""
    fold_of = [site_fold(page.group, N_FOLDS) for page in pages]
    folds = []
    for fold in range(N_FOLDS):
        others = [page for page, number in zip(pages, fold_of, strict=True) if number != fold]
        own = [page for page, number in zip(pages, fold_of, strict=True) if number == fold]
        folds.append((fit(cues, others, least), own))
    return Folds(cues=tuple(cue.name for cue in cues), folds=folds)


def fit_field(known: Field, pages: Sequence[Proposals]) -> Weights:
    """Return the weights of a field: fitted on all of these pages, ``enough`` on sites left out."""
    folds = in_folds(known.cues, pages, known.weights.least)
    shares = {enough: folds.right(enough) for enough in STEPS}
    kept = [share for share in shares.values() if share >= folds.right() - PRICE]
    enough = max(step for step, share in shares.items() if not kept or share == kept[0])
    return replace(fit(known.cues, pages, known.weights.least), enough=enough)


def as_module(weights: Mapping[str, Weights]) -> str:
    """Return the source of the module that holds the weights."""
    lines = [HEAD]
    for name, found in weights.items():
        lines += [f"{name}: Final = Weights(", f"    enough={found.enough},", f"    least={found.least},", "    cues={"]
        for cue, signs in found.cues.items():
            shown = ", ".join(f'"{sign}": {round(weight, 2)}' for sign, weight in signs.items())
            lines.append(f'        "{cue}": {{{shown}}},')
        lines += ["    },", ")"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Fit the weights of every field on the labelled pages but the held-out half, and write them."""
    pages = labelled_pages(Options(corpus=default_folder()))
    found = propose(page for page, part in pages if part in {DEVELOPMENT, RULES_MADE})
    fitted = {known.constant: fit_field(known, found[name]) for name, known in FIELDS.items()}
    Path(written.__file__).write_text(as_module(fitted), encoding="utf-8")
    sys.stdout.write(
        f"{written.__file__}: {', '.join(f'{name}, {len(pages)} pages' for name, pages in found.items())}\n"
    )


if __name__ == "__main__":
    main()
