"""Trains the model of how notices of a site are worded.

    python -m lab.training.notices        # writes newscrawl/classify/models/notices.npz

It learns from sentences written by hand (``notices.toml``), from words of notices (``notice_words.toml``), and from
the labelled texts of the sets that may be shipped, whose lines are stories. What controls of pages are called, it
learns from ``controls.toml`` and from the stories' short lines. Each model leaves a fold of their
sites out. The offsets of all are such that ``LOST`` of the first fold's lines, apart for scripts with and without
spaces, nearly have the evidence of a notice. The model of the first fold is shipped; the laboratory measures each fold
by its own.
"""

from __future__ import annotations

import random
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from lab.evaluation.corpus import default_folder, load_all
from lab.evaluation.result_file import provenance
from lab.training.held_out import fold_path
from lab.training.labelled import N_FOLDS, fold_of
from lab.training.news import SHIPPED_SETS
from newscrawl.classify.lines.cohesion import BITS, KIND, ORDERS, WORDING_MODEL, bare_words, character_runs
from newscrawl.classify.lines.notices import NOTICE
from newscrawl.classify.model_file import ModelFile, save_model
from newscrawl.languages.characters import SPACELESS_LETTER
from newscrawl.page.lines import weight_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from lab.evaluation.corpus import CorpusPage

    Floats = NDArray[np.float64] | NDArray[np.float32]

CONTROLS: Final = Path(__file__).with_name("controls.toml")
WORDS: Final = Path(__file__).with_name("notice_words.toml")
WORDS_OF: Final = ("topics", "own", "ask")
STRENGTH_OF_CONTROLS: Final = 60.0
SHORT: Final = range(1, 61)
"""Lengths of lines beside which controls are learnt."""
LOST_SHORT: Final = 0.02
"""Share of a story's short lines that read like controls."""
LOST: Final = (0.0042, 0.007)
"""Share of the lines that nearly have the evidence of a notice, in scripts with spaces and without."""
SLACK: Final = -0.7
"""Evidence less than that."""
CHARS: Final = range(12, 701)
JUDGED: Final = 35.0
"""Least weight of the lines by which the offsets are set: shorter ones are judged by what stands around them, too."""
MAX_SITE, MAX_LANGUAGE = 100, 20_000
"""Most lines of a site, and of a language."""
IMPORTANCE: Final = {"notice": 8.0, "words": 0.5, "told": 12.0, "line": 1.0}
"""Importance of a sentence by what it is."""
STRENGTH: Final = 200.0
"""Inverse strength of the ridge."""
SLOPE: Final = 1.6
"""Evidence per unit of log-odds."""
LEAST_SHARE, MOST_SHARE = 0.02, 8.0
"""Bounds of how much the lines of a language count, so that they weigh as much as its notices."""
CLIPPED: Final = 0.0005
"""Share of the largest weights that are clipped."""
UNSPACED: Final = frozenset(("zh", "ja", "th"))


class Sentences:
    """Sentences with language, class and importance."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.of: list[str] = []
        self.is_notice: list[bool] = []
        self.importance: list[float] = []

    def add(self, code: str, kind: str, texts: Sequence[str]) -> None:
        """Add sentences of one language and kind."""
        self.texts += texts
        self.of += [code[:2]] * len(texts)
        self.is_notice += [kind in {"notice", "words"}] * len(texts)
        self.importance += [IMPORTANCE[kind]] * len(texts)

    def weights(self) -> NDArray[np.float64]:
        """Return the importance of each sentence, stories and notices of a language balanced."""
        mass: Counter[tuple[str, bool]] = Counter()
        for code, is_notice, importance in zip(self.of, self.is_notice, self.importance, strict=True):
            mass[code, is_notice] += importance  # type: ignore[assignment]
        share = [
            1.0 if is_notice or not mass[code, True] else mass[code, True] / mass[code, False]
            for code, is_notice in zip(self.of, self.is_notice, strict=True)
        ]
        result: NDArray[np.float64] = np.clip(share, LEAST_SHARE, MOST_SHARE) * np.array(self.importance)
        return result


def main() -> None:
    """Train and write the models."""
    pages = [page for page in load_all(default_folder(), SHIPPED_SETS) if page.gold.text or page.gold.must_have]
    line: Floats | None = None
    for fold in range(N_FOLDS):
        sentences, held_out = _sentences(pages, fold)
        fitted = LogisticRegression(C=STRENGTH, solver="liblinear", tol=1e-3, random_state=1)
        fitted.fit(run_shares(sentences.texts), sentences.is_notice, sample_weight=sentences.weights())
        about = provenance(pages, command="python -m lab.training.notices", seed=1)
        about |= {"sentences": dict(Counter(sentences.of)), "fold left out": fold}
        model = _model(fitted.coef_[0] * SLOPE, held_out, about, line)
        line = model.arrays["line"]
        model.arrays.update(_controls(pages, fold))
        for path in (fold_path(fold, WORDING_MODEL), *([WORDING_MODEL] if not fold else [])):
            save_model(path, model)
            sys.stdout.write(f"wrote {path}, {path.stat().st_size} bytes; {model.arrays['line']}\n")


def _sentences(pages: Sequence[CorpusPage], fold: int) -> tuple[Sentences, list[str]]:
    """Return what a model learns from, and the lines of the sites of the fold."""
    chance = random.Random(1)  # noqa: S311 (no secret)
    lines = list(_lines(pages))
    chance.shuffle(lines)
    sentences, held_out = Sentences(), []
    sites: Counter[str] = Counter()
    of_language: Counter[str] = Counter()
    for group, code, line in lines:
        sites[group] += 1
        if sites[group] > MAX_SITE:
            continue
        if fold_of(group) == fold:
            held_out.append(line)
        elif of_language[code] < MAX_LANGUAGE:
            of_language[code] += 1
            sentences.add(code, "line", [line])
    by_hand = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for code, table in by_hand.items():
        sentences.add(code, "notice", table["notices"].strip().split("\n"))
        sentences.add(code, "told", table["told"].strip().split("\n"))
    for code, made in _of_words(chance):
        sentences.add(code, "words", [made])
    return sentences, held_out


def _lines(pages: Sequence[CorpusPage]) -> Iterator[tuple[str, str, str]]:
    """Yield site, language and text of each line of the stories."""
    for page in pages:
        for text in (page.gold.text or "", *page.gold.must_have):
            for line in map(str.strip, text.split("\n")):
                if len(line) in CHARS:
                    yield page.group, page.lang or "", line


def _of_words(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield as many made sentences as a language has topics of notices: a few of them, and how sites speak."""
    for code, table in tomllib.loads(WORDS.read_text(encoding="utf-8")).items():
        topics, own, ask = ([" ".join(word.split()) for word in table[name].split("|")] for name in WORDS_OF)
        for _ in topics:
            said = chance.sample(topics, min(chance.choice((2, 3)), len(topics)))
            said += chance.sample(own, min(1, len(own))) + chance.sample(ask, min(chance.choice((0, 1)), len(ask)))
            chance.shuffle(said)
            yield code, ("" if code in UNSPACED else " ").join(said)


def _controls(pages: Sequence[CorpusPage], fold: int) -> dict[str, NDArray[Any]]:
    """Return the weights of controls and their scale and offset, learnt from lists of them and from the stories' short
    lines without the sites of the fold.
    """
    chance = random.Random(1)  # noqa: S311 (no secret)
    shown = sorted({bare_words(text) for text in _of_controls(chance)})
    told: dict[str, bool] = {}
    for page in pages:
        for text in (page.gold.text or "", *page.gold.must_have):
            for line in map(bare_words, text.split("\n")):
                if len(line) in SHORT:
                    told.setdefault(line, fold_of(page.group) == fold)
    by_hand = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    held_out = [line for line, is_left_out in told.items() if is_left_out]
    learnt = [line for line, is_left_out in told.items() if not is_left_out]
    said = [bare_words(line) for table in by_hand.values() for line in table["told"].strip().split("\n")]
    said += [" ".join(line.split()[place : place + 3]) for line in said for place in (0, 2)]
    texts = [*shown, *learnt, *said]
    importance = np.repeat([1.0, 2 * len(shown) / len(learnt), 1.0], [len(shown), len(learnt), len(said)])
    fitted = LogisticRegression(C=STRENGTH_OF_CONTROLS, solver="liblinear", random_state=1)
    fitted.fit(run_shares(texts), np.arange(len(texts)) < len(shown), sample_weight=importance)
    scale, whole = _whole(fitted.coef_[0])
    offset = -np.quantile(run_shares(held_out) @ (whole * scale), 1 - LOST_SHORT)
    return {"controls": whole, "control_line": np.array([scale, offset], dtype=np.float32)}


def _of_controls(chance: random.Random) -> Iterator[str]:
    """Yield controls of each language, alone and two in a line."""
    for table in tomllib.loads(CONTROLS.read_text(encoding="utf-8")).values():
        tools, measured = ([*map(str.strip, table.get(name, "").split("|"))] for name in ("tools", "measured"))
        for tool in tools:
            yield tool
            yield f"{tool} {chance.choice(tools)}"
        yield from measured


def run_shares(texts: Sequence[str]) -> csr_matrix:
    """Return how often each run of characters stands in each text, by the root of the number of its runs."""
    found = list(character_runs(texts))
    rows, columns = (np.concatenate(part) for part in zip(*found, strict=True))
    n_runs = np.bincount(rows, minlength=len(texts))
    values = (1 / np.sqrt(n_runs)).take(rows).astype(np.float32)
    return csr_matrix((values, (rows, columns)), shape=(len(texts), 2**BITS))


def _model(
    weights: NDArray[np.float64], held_out: Sequence[str], about: dict[str, Any], line: Floats | None
) -> ModelFile:
    scale, whole = _whole(weights)
    if line is None:
        judged = [text for text in held_out if weight_of(text) >= JUDGED]
        told = run_shares(judged) @ (whole * scale)
        is_wide = np.array([SPACELESS_LETTER.search(text) is not None for text in judged])
        line = np.array(
            [NOTICE + SLACK - np.quantile(told[is_wide == wide], 1 - lost) for wide, lost in enumerate(LOST)]
        )
    else:
        line = line[1:]
    arrays: dict[str, NDArray[Any]] = {"weights": whole, "line": np.array([scale, *line], dtype=np.float32)}
    return ModelFile(kind=KIND, features=tuple(map(str, ORDERS)), arrays=arrays, provenance=about)


def _whole(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.int8]]:
    """Return a scale, and the weights as whole numbers of it."""
    scale = float(np.quantile(np.abs(weights[weights != 0]), 1 - CLIPPED) / 127)
    return scale, np.clip(np.round(weights / scale), -127, 127).astype(np.int8)


if __name__ == "__main__":
    main()
