"""The line network's training on a corpus: labels, distractors, folds by site, calibration."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.dom.document import Document
from newscrawl.evaluation.corpus import load
from newscrawl.evaluation.distractors import Story, with_distractors
from newscrawl.evaluation.leniency import expect
from newscrawl.evaluation.metrics import summarise, text_score
from newscrawl.evaluation.news_gold import line_gold
from newscrawl.extractors.news import best_threshold
from newscrawl.extractors.news_features import FEATURES, page_lines
from newscrawl.extractors.news_hints import HINTS
from newscrawl.extractors.news_model import NewsModel
from newscrawl.learn.line_training import EPOCHS, TrainingPage, require_torch, train_network

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from newscrawl.evaluation.corpus import CorpusPage
    from newscrawl.evaluation.metrics import TextScore, TextSummary
    from newscrawl.evaluation.news_gold import LineGold
    from newscrawl.extractors.news_features import PageLines

SHIPPED_SETS: Final = ("daniel", "zhwced", "gne", "cx163", "cxhit", "fundus", "trafilatura", "wcxb", "webmain")
"""Sets whose terms allow shipped weights."""
N_FOLDS: Final = 4
N_MEMBERS: Final = 2
"""Networks that are asked together."""
N_VARIANTS: Final = 2
PLAIN_SETS: Final = frozenset({"wcxb", "trafilatura"})
"""Pages of several posts, and pages of which only snippets are labelled: no distractors."""
SNIPPET_IMPORTANCE: Final = 0.5
MAX_SITE: Final = 60
"""A site counts as the root of its pages, up to so many."""
MIN_STORIES: Final = 5
MIN_PARAGRAPH: Final = 40
MAX_VARIANT_LINES: Final = 1500
MAX_LOSS: Final = 0.2
"""A variant in which more of the gold went astray is left out."""
WIDE: Final = frozenset({"zh", "ja"})
N_KNOTS: Final = 12
MAX_TITLE: Final = 30

_UNWRITABLE: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
"""What XML cannot hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLines:
    """A corpus page as the network sees it."""

    page: CorpusPage
    lines: PageLines
    texts: tuple[str, ...]
    gold: LineGold
    variants: tuple[TrainingPage, ...] = ()


def fold_of(group: str) -> int:
    """Return the fold of a site: the same in every set, whatever the other sites are."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % N_FOLDS


def load_labelled(
    folder: Path, sets: Sequence[str], *, limit: int | None = None, advance: Callable[[], None] = lambda: None
) -> list[LabelledLines]:
    """Return the labelled pages of ``sets`` that have visible text."""
    found = []
    for page in load(folder, sets, limit=limit):
        labelled = _labelled(page)
        if labelled is not None:
            found.append(labelled)
        advance()
    return found


def _labelled(page: CorpusPage) -> LabelledLines | None:
    lines = page_lines(Document.from_html(page.read(), page.url))
    if lines is None:
        return None
    texts = lines.lines.texts(range(len(lines.lines)))
    gold = line_gold(page, texts)
    return None if gold is None else LabelledLines(page=page, lines=lines, texts=tuple(texts), gold=gold)


def add_variants(
    pages: Sequence[LabelledLines], *, seed: int, advance: Callable[[], None] = lambda: None
) -> list[LabelledLines]:
    """Return the pages with variants, made of sentences of pages in the same fold only."""
    stories: dict[tuple[int, str], list[Story]] = defaultdict(list)
    for page in pages:
        story = _story(page)
        if story is not None:
            stories[_shelf(page)].append(story)
    result = []
    for page in pages:
        known = stories[_shelf(page)]
        variants = []
        if page.page.set not in PLAIN_SETS and len(known) >= MIN_STORIES:
            for number in range(N_VARIANTS):
                rng = random.Random(f"{seed} {number} {page.page.set}/{page.page.id}")  # noqa: S311 (no secret)
                variants.append(_variant(page, known, rng))
        result.append(replace(page, variants=tuple(variant for variant in variants if variant is not None)))
        advance()
    return result


def _shelf(page: LabelledLines) -> tuple[int, str]:
    return fold_of(page.page.group), page.page.lang if page.page.lang in WIDE else ""


def _story(page: LabelledLines) -> Story | None:
    if page.page.gold.text is None:
        return None
    pairs = zip(page.texts, page.gold.is_body.tolist(), strict=True)
    paragraphs = [_UNWRITABLE.sub(" ", text) for text, is_body in pairs if is_body and len(text) > MIN_PARAGRAPH]
    if len(paragraphs) < 2:
        return None
    title = _UNWRITABLE.sub(" ", page.page.gold.title or paragraphs[0][:MAX_TITLE])
    return Story(title, tuple(paragraphs))


def _variant(page: LabelledLines, stories: Sequence[Story], rng: random.Random) -> TrainingPage | None:
    document = Document.from_html(page.page.read(), page.page.url)
    own = page_lines(document)
    if own is None or len(own.lines) != len(page.texts):
        return None
    markup = with_distractors(document, own.lines, page.gold, stories, rng, is_wide=page.page.lang in WIDE)
    lines = None if markup is None else page_lines(Document.from_html(markup, page.page.url))
    if lines is None or len(lines.lines) > MAX_VARIANT_LINES:
        return None
    gold = line_gold(page.page, lines.lines.texts(range(len(lines.lines))))
    if gold is None:
        return None
    before, after = (float((labels.is_body * labels.weight).sum()) for labels in (page.gold, gold))
    return None if abs(after - before) > MAX_LOSS * before else _training_page(lines, gold)


def _training_page(
    lines: PageLines, gold: LineGold, importance: float = 1.0, variants: Sequence[TrainingPage] = ()
) -> TrainingPage:
    return TrainingPage(
        values=lines.values,
        low=lines.low,
        high=lines.high,
        chars=lines.chars,
        is_body=gold.is_body.astype(np.float32),
        weight=gold.weight.astype(np.float32),
        importance=importance,
        variants=tuple(replace(variant, importance=importance) for variant in variants),
    )


def train_members(
    pages: Sequence[LabelledLines],
    *,
    seeds: Sequence[int],
    epochs: int = EPOCHS,
    advance: Callable[[], None] = lambda: None,
) -> NewsModel:
    """Return networks trained on ``pages``, one for each seed; not calibrated.

    :raises UserError: if torch is not installed.
    """
    require_torch()
    sizes = Counter(page.page.group for page in pages)
    importance = np.array(
        [
            (1.0 if page.page.gold.text is not None else SNIPPET_IMPORTANCE)
            / np.sqrt(min(sizes[page.page.group], MAX_SITE))
            for page in pages
        ]
    )
    importance /= importance.mean()
    training = [
        _training_page(page.lines, page.gold, float(weight), page.variants)
        for page, weight in zip(pages, importance, strict=True)
    ]
    members = tuple(
        train_network(training, seed=seed, hideable=_hideable(), epochs=epochs, advance=advance) for seed in seeds
    )
    return NewsModel(members=members, calibration=np.array([[0.0, 1.0], [0.0, 1.0]]))


def _hideable() -> list[tuple[list[int], float]]:
    """Return columns that a page may lack, so that none is relied on alone, and how often they are hidden."""
    named = {f"{where}_{hint}" for where in ("in", "own", "parent") for hint in HINTS}
    groups = (
        (lambda name: name in named, 0.2),
        (lambda name: name.endswith("headline"), 0.1),
        (lambda name: name.startswith("level"), 0.05),
        (lambda name: name.startswith(("group", "images")), 0.1),
    )
    return [([place for place, name in enumerate(FEATURES) if test(name)], share) for test, share in groups]


def calibrated(model: NewsModel, pairs: Sequence[tuple[float, float]]) -> NewsModel:
    """Return the model with the F1 that pages had at each expected F1, rising: pool adjacent violators over knots.

    :param pairs: expected F1 and F1 of pages whose site the asked network had not seen.
    """
    ordered = np.array(sorted(pairs))
    parts = np.array_split(ordered, min(N_KNOTS, len(ordered)))
    pools: list[list[float]] = []  # expected, F1, weight
    for part in parts:
        pools.append([float(part[:, 0].mean()), float(part[:, 1].mean()), float(len(part))])
        while len(pools) > 1 and pools[-2][1] >= pools[-1][1]:
            last, before = pools.pop(), pools.pop()
            weight = last[2] + before[2]
            pools.append([(last[at] * last[2] + before[at] * before[2]) / weight for at in range(2)] + [weight])
    knots = np.array([[0.0, 0.0], *([pool[0], pool[1]] for pool in pools), [1.0, pools[-1][1]]])
    return replace(model, calibration=knots.T)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsTraining:
    """What a training gives."""

    pages: tuple[LabelledLines, ...]
    model: NewsModel
    """Trained on all pages."""
    folds: tuple[NewsModel, ...]
    """Each trained on all sites but those of its fold."""
    unseen: dict[str, TextSummary]
    """By set: scores of pages by the model of their fold."""

    def left_out(self, fold: int) -> list[str]:
        """Return the sites that a fold's model has not seen."""
        return sorted({page.page.group for page in self.pages if fold_of(page.page.group) == fold})


def train_news(
    folder: Path,
    *,
    seed: int,
    limit: int | None = None,
    epochs: int = EPOCHS,
    advance: Callable[[str], None] = lambda _step: None,
) -> NewsTraining:
    """Train the model, and one for each fold to measure it with.

    :param advance: called with the name of each step done.
    :raises UserError: if torch or the corpus is missing.
    """
    require_torch()
    read = load_labelled(folder, SHIPPED_SETS, limit=limit, advance=lambda: advance("pages read"))
    pages = add_variants(read, seed=seed, advance=lambda: advance("variants made"))
    seeds = range(seed, seed + N_MEMBERS)

    def trained(chosen: Sequence[LabelledLines]) -> NewsModel:
        return train_members(chosen, seeds=seeds, epochs=epochs, advance=lambda: advance("epochs"))

    folds = [trained([page for page in pages if fold_of(page.page.group) != fold]) for fold in range(N_FOLDS)]
    judged = [_judged(folds[fold_of(page.page.group)], page) for page in pages if page.page.gold.text is not None]
    return NewsTraining(
        pages=tuple(pages),
        model=calibrated(trained(pages), [pair for _, pair, _ in judged]),
        folds=tuple(
            calibrated(model, [pair for page, pair, _ in judged if fold_of(page.page.group) != fold])
            for fold, model in enumerate(folds)
        ),
        unseen={
            name: summarise([score for page, _, score in judged if page.page.set == name])
            for name in dict.fromkeys(page.page.set for page, _, _ in judged)
        },
    )


def _judged(model: NewsModel, page: LabelledLines) -> tuple[LabelledLines, tuple[float, float], TextScore]:
    """Return the page with its expected and its real F1."""
    probabilities = model.probabilities(page.lines)
    threshold, expected = best_threshold(probabilities, page.lines.chars)
    kept = np.flatnonzero(probabilities >= threshold).tolist()
    wanted = expect(page.page, page.page.read())
    output = wanted.comparable("\n".join(page.texts[line] for line in kept))
    score = text_score(wanted.text, output, neutral=wanted.neutral)
    return page, (expected, score.f1), score
