"""Which model of a trained method may answer for a page: never one that has seen the page's site."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.classify.lines.model import DEFAULT_MODEL, INPUTS, KIND, judge_by, judge_lines, load_news_model
from newscrawl.classify.model_file import load_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab.evaluation.corpus import CorpusPage
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document

FOLDER: Final = Path(__file__).parent.parent / "models"
TRAINED: Final = "news"
FOLD: Final = "@"
"""Between a method's name and the number of a fold."""


def fold_path(fold: int, path: Path = DEFAULT_MODEL) -> Path:
    """Return where the model is kept that has not seen the sites of ``fold``.

    Those of shipped models are in the laboratory, that of another one beside it.
    """
    folder = FOLDER if path.parent == DEFAULT_MODEL.parent else path.parent
    return folder / f"{path.stem}-fold{fold}{path.suffix}"


def variant_of(method: str, page: CorpusPage) -> str:
    """Return the method's name, with the fold of a page whose site the method was trained on."""
    fold = _folds().get(page.group) if method == TRAINED else None
    return method if fold is None else f"{method}{FOLD}{fold}"


def split_variant(name: str) -> tuple[str, dict[str, Any]]:
    """Return the method's name and the constants of one of its variants."""
    method, _, fold = name.partition(FOLD)
    return (method, {"model": str(fold_path(int(fold)))}) if fold else (name, {})


def news_provenance(path: Path) -> dict[str, Any]:
    """Return what a model says of its making.

    :raises UserError: as :func:`load_news_model`.
    """
    return load_model(path, kind=KIND, features=INPUTS).provenance


@cache
def _folds() -> dict[str, int]:
    """Return the fold of each site that the shipped model was trained on."""
    folds: dict[str, int] = {}
    number = 0
    while fold_path(number).exists():
        folds |= dict.fromkeys(news_provenance(fold_path(number)).get("left_out", ()), number)
        number += 1
    return folds


def unseen_judge(page: CorpusPage) -> Callable[[Document], Verdict]:
    """Return what judges the page's lines without having seen its site; the same for all pages of a fold."""
    constants = split_variant(variant_of(TRAINED, page))[1]
    return _judge_of(Path(constants["model"])) if constants else judge_lines


@cache
def _judge_of(path: Path) -> Callable[[Document], Verdict]:
    return partial(judge_by, load_news_model(path))
