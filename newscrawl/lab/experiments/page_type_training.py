"""The model of the page type: training on the corpus, and models with each site left out."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression

from newscrawl.dom.document import Document
from newscrawl.dom.line_features import line_features
from newscrawl.items import PageType
from newscrawl.lab.evaluation.corpus import site_fold
from newscrawl.lab.evaluation.hub_pages import hub_page
from newscrawl.lab.evaluation.page_types import known_type
from newscrawl.lab.training.news_gold import line_gold
from newscrawl.lab.training.stories import MIN_STORIES, WIDE, story_of
from newscrawl.learn.model_file import ModelFile, save_model
from newscrawl.page_type.features import page_features
from newscrawl.page_type.model import (
    CLASSES,
    INPUTS,
    KIND,
    MAX_DEVIATIONS,
    Forest,
    Linear,
    PageTypeModel,
    inputs,
)
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from newscrawl.dom.lines import Lines
    from newscrawl.lab.evaluation.corpus import CorpusPage
    from newscrawl.lab.training.news_gold import LineGold
    from newscrawl.lab.training.stories import Story

    Floats = NDArray[np.float64]

TRAINED_SETS: Final = frozenset("daniel zhwced gne cx163 cxhit fundus trafilatura wcxb webmain".split())
"""The sets that shipped weights may come from; all others only test."""
N_FOLDS: Final = 8
REGULARISATION: Final = 0.003
"""Inverse strength, as scikit-learn's ``C``."""
LINEAR_BALANCE: Final = 0.7
FOREST_BALANCE: Final = 0.5
"""A page of a type with n pages counts 1/n to this power: 0 keeps the corpus's shares, 1 makes the types equal."""
MAX_SITE: Final = 60
"""A site counts as the root of its pages, up to so many."""
N_TREES: Final = 120
N_LEAVES: Final = 64
"""Of a tree, at most."""
MAX_DEPTH: Final = 16
MIN_LEAF: Final = 2
HUBS_OF_SITE: Final = 4
"""Pages of a site that hubs are made of."""
VARIANTS: Final = 3
MODERN_VARIANTS: Final = 9
"""Hubs made of a page: more where pages are of today, of which there are fewer."""
MODERN_SET: Final = "fundus"
ADDRESSES: Final = (0.65, 0.3, 0.05)
"""Shares of made hubs with a hub's address, none, and the article's: an address proves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What the model learns from."""

    values: Floats
    """``INPUTS``."""
    label: int
    """Place in ``CLASSES``."""
    group: str
    """The site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedFeatures:
    page: CorpusPage
    document: Document
    example: Example
    made: tuple[Example, ...] = ()
    """Hubs made of the page."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An article page whose text is labelled."""

    document: Document
    lines: Lines
    gold: LineGold
    story: Story


def fold_of(group: str) -> int:
    """Return the fold of a site."""
    return site_fold(group, N_FOLDS)


def typed_features(
    pages: Sequence[CorpusPage], advance: Callable[[], object] = lambda: None, *, seed: int = 1
) -> list[TypedFeatures]:
    """Read the features of the pages whose type is labelled, and make hubs of articles with labelled text."""
    typed = [page for page in pages if page.page_type]
    stories = _stories(typed)
    hubs_of = Counter[str]()
    found = []
    for page in typed:
        document = Document.from_html(page.read(), page.url)
        example = _example(document, page.group, PageType(known_type(page.page_type or "")))
        made: tuple[Example, ...] = ()
        if page.page_type == PageType.ARTICLE and page.set in TRAINED_SETS and hubs_of[page.group] < HUBS_OF_SITE:
            made = _made_hubs(page, stories[_shelf(page)], seed)
            hubs_of[page.group] += 1
        found.append(TypedFeatures(page=page, document=document, example=example, made=made))
        advance()
    return found


def _example(document: Document, group: str, page_type: PageType) -> Example:
    url = document.url
    values = inputs(document.once(page_features), url_shape(url) if url else None)
    return Example(values=values, label=CLASSES.index(page_type), group=group)


def _shelf(page: CorpusPage) -> tuple[int, bool]:
    """Return where a page's sentences go: hubs are made of those of their own fold and script only."""
    return fold_of(page.group), page.lang in WIDE


def _stories(pages: Sequence[CorpusPage]) -> dict[tuple[int, bool], list[Story]]:
    stories: dict[tuple[int, bool], list[Story]] = defaultdict(list)
    for page in pages:
        told = _told(page) if page.set in TRAINED_SETS else None
        if told is not None and len(told.story.paragraphs) > 1:
            stories[_shelf(page)].append(told.story)
    return stories


def _told(page: CorpusPage) -> _Told | None:
    if page.gold.text is None:
        return None
    document = Document.from_html(page.read(), page.url)
    lines = document.once(line_features).lines
    texts = lines.texts(range(len(lines)))
    gold = line_gold(page, texts) if texts else None
    if gold is None:
        return None
    return _Told(document, lines, gold, story_of(page, texts, gold))


def _made_hubs(page: CorpusPage, stories: Sequence[Story], seed: int) -> tuple[Example, ...]:
    if len(stories) < MIN_STORIES:
        return ()
    found = []
    for number in range(MODERN_VARIANTS if page.set == MODERN_SET else VARIANTS):
        told = _told(page)  # a tree is changed by what is made of it
        if told is None:
            break
        rng = random.Random(f"{seed} {number} {page.set}/{page.id}")  # noqa: S311 (no secret)
        hub = hub_page(told.document, told.lines, told.gold, told.story.title, stories, rng)
        if hub is not None:
            url = rng.choices((hub.url, None, page.url), ADDRESSES)[0]
            found.append(_example(Document.from_html(hub.markup, url), page.group, PageType.HUB))
    return tuple(found)


def fit(rows: Sequence[TypedFeatures], *, seed: int = 1) -> PageTypeModel:
    examples = [example for row in rows for example in (row.example, *row.made)]
    values = np.array([example.values for example in examples])
    labels = np.array([example.label for example in examples])
    sizes = Counter((example.group, example.label == CLASSES.index(PageType.HUB)) for example in examples)
    shares = np.array(
        [
            1 / np.sqrt(min(sizes[example.group, example.label == CLASSES.index(PageType.HUB)], MAX_SITE))
            for example in examples
        ]
    )
    return PageTypeModel(
        linear=_fit_linear(values, labels, shares * _balance(labels, LINEAR_BALANCE)),
        forest=_fit_forest(values, labels, shares * _balance(labels, FOREST_BALANCE), seed),
    )


def _balance(labels: NDArray[np.int64], power: float) -> Floats:
    counts = np.bincount(labels, minlength=len(CLASSES))
    weights: Floats = counts[labels].astype(np.float64) ** -power
    return weights


def _fit_linear(values: Floats, labels: NDArray[np.int64], importance: Floats) -> Linear:
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    machine = LogisticRegression(C=REGULARISATION, max_iter=3000)
    deviations = np.clip((values - mean) / scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
    machine.fit(deviations, labels, sample_weight=importance / importance.mean())
    weights, bias = np.zeros((len(CLASSES), len(INPUTS))), np.full(len(CLASSES), -20.0)
    weights[machine.classes_], bias[machine.classes_] = machine.coef_, machine.intercept_
    return Linear(mean=mean, scale=scale, weights=weights, bias=bias)


def _fit_forest(values: Floats, labels: NDArray[np.int64], importance: Floats, seed: int) -> Forest:
    machine = ExtraTreesClassifier(
        N_TREES,
        min_samples_leaf=MIN_LEAF,
        max_leaf_nodes=N_LEAVES,
        max_depth=MAX_DEPTH,
        max_features=0.3,
        random_state=seed,
    )
    machine.fit(values, labels, sample_weight=importance / importance.mean())
    trees = [estimator.tree_ for estimator in machine.estimators_]
    roots = np.cumsum([0, *(tree.node_count for tree in trees[:-1])], dtype=np.int32)
    own = np.concatenate([np.arange(tree.node_count) for tree in trees])
    base = np.repeat(roots, [tree.node_count for tree in trees])
    below, above, feature, threshold = (
        np.concatenate([getattr(tree, name) for tree in trees])
        for name in ("children_left", "children_right", "feature", "threshold")
    )
    is_leaf = below < 0
    shares = np.zeros((len(below), len(CLASSES)))
    found = np.concatenate([tree.value[:, 0, :] for tree in trees])
    shares[:, machine.classes_] = found / found.sum(axis=1, keepdims=True)
    shares[~is_leaf] = 0.0
    return Forest(
        roots=roots,
        feature=np.where(is_leaf, 0, feature).astype(np.int16),
        threshold=np.where(is_leaf, 0.0, threshold).astype(np.float32),
        below=(np.where(is_leaf, own, below) + base).astype(np.int32),
        above=(np.where(is_leaf, own, above) + base).astype(np.int32),
        shares=shares.astype(np.float16),
        depth=max(tree.max_depth for tree in trees),
    )


def models_for(rows: Sequence[TypedFeatures], *, seed: int = 1) -> list[PageTypeModel]:
    """Return for each page a model that has seen no page of its site, and none outside ``TRAINED_SETS``."""
    usable = [row for row in rows if row.page.set in TRAINED_SETS]
    models = [fit([row for row in usable if fold_of(row.page.group) != fold], seed=seed) for fold in range(N_FOLDS)]
    return [models[fold_of(row.page.group)] for row in rows]


def save(path: Path, model: PageTypeModel, about: dict[str, Any]) -> None:
    arrays = {name: value.astype(np.float32) for name, value in asdict(model.linear).items()}
    arrays |= {name: np.atleast_1d(value) for name, value in asdict(model.forest).items()}
    save_model(path, ModelFile(kind=KIND, features=INPUTS, arrays=arrays, provenance=about))
