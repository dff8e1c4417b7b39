"""The model of the page type: training on both corpora, and models with each site left out."""

from __future__ import annotations

import random
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

from lab.evaluation.corpus import THIRD, CorpusPage, site_fold
from lab.evaluation.hub_pages import hub_page
from lab.evaluation.made import Templates
from lab.evaluation.page_types import type_of
from lab.evaluation.storyless_pages import KINDS, bare_story, shortest_story, storyless_page
from lab.training.held_out import unseen_judge
from lab.training.news_gold import line_gold
from lab.training.stories import MIN_STORIES, WIDE, story_of
from newscrawl.classify.kind.features import page_features
from newscrawl.classify.kind.judge import (
    ARRAYS,
    CLASSES,
    INPUTS,
    KIND,
    PageEvidence,
    PageTypeModel,
    inputs,
    page_evidence,
)
from newscrawl.classify.kind.storyless import is_short, storyless_values
from newscrawl.classify.model_file import ModelFile, save_model
from newscrawl.items import PageType
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from lab.training.news_gold import LineGold
    from lab.training.stories import Story
    from newscrawl.page.lines import Lines

    Floats = NDArray[np.float64]

TRAINED_SETS: Final = frozenset(
    """daniel zhwced gne cx163 cxhit fundus trafilatura wcxb webmain andy autopager
    types wp md usnews portals""".split()
)
"""The sets that shipped weights may come from; all others only test."""
MAX_PAGES: Final = {"types": 15}
"""Pages of one type of one site that are learnt from, in sets of few sites with many pages."""
N_FOLDS: Final = 8
REGULARISATION: Final = 0.003
"""Inverse strength, as scikit-learn's ``C``."""
BALANCE: Final = 0.7
"""A page of a type with n pages counts 1/n to this power: 0 keeps the corpus's shares, 1 makes the types equal."""
N_NETWORKS: Final = 6
N_HIDDEN: Final = 24
N_EPOCHS: Final = 25
RATE: Final = 0.003
DECAY: Final = 8.0
"""Penalty of the networks' weights, as scikit-learn's ``alpha``."""
NETWORK_BALANCE: Final = 0.5
"""What ``BALANCE`` is to the networks."""
ABSENT: Final = -20.0
"""Log-odds of a type that no page to learn from has."""
MAX_SITE: Final = 60
"""A site counts as the root of its pages, up to so many."""
MADE: Final = "made"
"""The set of pages of templates."""
N_DRAWS: Final = 3
"""Pages of a template."""
HUB_OF_ARTICLE: Final = "hub"
"""Kind of a hub made of an article."""
SHORT: Final = ("shortest", "bare")
"""Kinds of pages made of articles that are stories of few sentences; ``KINDS`` show none."""
N_SHORT: Final = 420
"""Article pages of which short ones are made, at most ``PER_SITE`` of a site."""
PER_SITE: Final = 2
N_KINDS: Final = 3
"""Kinds that show no story, made of each of them."""
HUB_SITES: Final = 3
"""Hubs are made of 1/n of the sites of articles; this is n."""
ADDRESSES: Final = (0.65, 0.3, 0.05)
"""Shares of made hubs with a hub's address, none, and the article's: an address proves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedFeatures:
    """What the model learns from."""

    page: CorpusPage
    """For a page made of an article, the article; for a page of a template, the template."""
    evidence: PageEvidence
    values: Floats
    """``INPUTS``, of pages too that are told without the model."""
    made: str = ""
    """Kind of a made page; empty for a real one."""
    short: Floats
    """What is known of a short page; empty for others (:mod:`newscrawl.classify.kind.storyless`)."""

    @property
    def label(self) -> int:
        """Place in ``CLASSES``."""
        other = PageType.HUB if self.made == HUB_OF_ARTICLE else PageType.OTHER if self.made in KINDS else None
        return CLASSES.index(other or type_of(self.page))


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


def typed_features(pages: Sequence[CorpusPage], advance: Callable[[], object] = lambda: None) -> list[TypedFeatures]:
    """Look at the pages whose type is labelled."""
    found = []
    for page in pages:
        found.append(_features(page, Document.from_html(page.read(), page.url)))
        advance()
    return found


def _features(page: CorpusPage, document: Document, made: str = "") -> TypedFeatures:
    """Look at a page whose lines are judged by a network that has not seen its site."""
    verdict = document.once(unseen_judge(page))
    kind = url_shape(document.url) if document.url else None
    return TypedFeatures(
        page=page,
        evidence=page_evidence(document, verdict, kind),
        values=inputs(page_features(document, verdict), kind),
        made=made,
        short=storyless_values(document, verdict) if is_short(verdict) else np.zeros(0),
    )


def made_rows(
    pages: Sequence[CorpusPage], advance: Callable[[], object] = lambda: None, *, seed: int = 1
) -> list[TypedFeatures]:
    """Return what is made where few pages are labelled: hubs of articles, and pages of templates."""
    return [*_made_hubs(pages, advance, seed=seed), *_template_pages(advance, seed=seed)]


def usable(rows: Sequence[TypedFeatures]) -> list[TypedFeatures]:
    """Return those that shipped weights may come from; of sites with many pages some, drawn."""
    shelves: dict[tuple[str, str, int], list[TypedFeatures]] = defaultdict(list)
    for row in rows:
        if row.made or row.page.set in TRAINED_SETS:
            shelves[row.page.set, row.page.group, row.label].append(row)
    return [row for name, shelf in shelves.items() for row in _drawn(shelf, MAX_PAGES.get(name[0]))]


def _drawn(shelf: list[TypedFeatures], most: int | None) -> list[TypedFeatures]:
    if most is None or len(shelf) <= most:
        return shelf
    return random.Random(1).sample(shelf, most)  # noqa: S311 (no secret)


def _made_hubs(pages: Sequence[CorpusPage], advance: Callable[[], object], *, seed: int) -> list[TypedFeatures]:
    """Return hubs made of one article of every third site of two corpora: few labelled pages are hubs, most are blogs.

    A hub's sentences are those of pages of its own fold and script.
    """
    chosen: dict[str, CorpusPage] = {}
    for page in pages:
        is_known = page.set in TRAINED_SETS and not page.corpus.endswith(THIRD)
        if page.page_type == PageType.ARTICLE and is_known and site_fold(page.group, HUB_SITES) == 0:
            chosen.setdefault(page.group, page)
    stories: dict[tuple[int, bool], list[Story]] = defaultdict(list)
    for page in chosen.values():
        told = hand_labelled(page)
        if told is not None and len(told.story.paragraphs) > 1:
            stories[_shelf(page)].append(told.story)
    made = []
    for page in chosen.values():
        known = stories[_shelf(page)]
        told = hand_labelled(page) if len(known) >= MIN_STORIES else None
        rng = random.Random(f"{seed} {page.set}/{page.id}")  # noqa: S311 (no secret)
        hub = told and hub_page(told.document, told.lines, told.gold, told.story.title, known, rng)
        if hub:
            url = rng.choices((hub.url, None, page.url), ADDRESSES)[0]
            made.append(_features(page, Document.from_html(hub.markup, url), HUB_OF_ARTICLE))
        advance()
    return made


def _template_pages(advance: Callable[[], object], *, seed: int) -> list[TypedFeatures]:
    """Return pages of each template, which is left out as a site is."""
    templates = Templates()
    made = []
    for name in templates.names:
        page = CorpusPage(id=name, set=MADE, path=templates.path(name), page_type=name.partition("/")[0])
        made += [_features(page, templates.draw(name, seed + at).document, MADE) for at in range(N_DRAWS)]
        advance()
    return made


def short_pages(
    pages: Sequence[CorpusPage], advance: Callable[[], object] = lambda: None, *, seed: int
) -> list[TypedFeatures]:
    """Return short pages made of articles: something else in the place of a story, and the shortest of stories."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    articles = [page for page in pages if page.set in TRAINED_SETS and page.page_type == PageType.ARTICLE]
    rng.shuffle(articles)
    seen, chosen = Counter[str](), list[CorpusPage]()
    for page in articles:
        seen[page.group] += 1
        if seen[page.group] <= PER_SITE:
            chosen.append(page)
    made = list[TypedFeatures]()
    for page in chosen[:N_SHORT]:
        made += _short_pages_of(page, (*SHORT, *rng.sample(KINDS, N_KINDS)), seed)
        advance()
    return made


def _short_pages_of(page: CorpusPage, kinds: Sequence[str], seed: int) -> Iterator[TypedFeatures]:
    for kind in kinds:
        rng = random.Random(f"{seed} {page.set}/{page.id} {kind}")  # noqa: S311 (no secret)
        told = hand_labelled(page)
        if told is None:
            return
        parts = told.document, told.lines, told.gold
        if kind == "shortest":
            markup = shortest_story(*parts, rng)
        elif kind == "bare":
            markup = bare_story(*parts, told.story, rng)
        else:
            markup = storyless_page(*parts, told.story.title, kind, page.lang or "en", rng)
        if markup is not None:
            yield _features(page, Document.from_html(markup, page.url), kind)


def _shelf(page: CorpusPage) -> tuple[int, bool]:
    """Return where a page's sentences go."""
    return fold_of(page.group), page.lang in WIDE


def hand_labelled(page: CorpusPage) -> _Told | None:
    """Return an article with its labelled text, None where no line is; what is made of it changes its tree."""
    if page.gold.text is None:
        return None
    document = Document.from_html(page.read(), page.url)
    lines = document.once(line_features).lines
    texts = lines.texts(range(len(lines)))
    gold = line_gold(page, texts) if texts else None
    return None if gold is None else _Told(document, lines, gold, story_of(page, texts, gold))


def fit(rows: Sequence[TypedFeatures]) -> PageTypeModel:
    """Learn from pages; the networks, which would learn what made pages have in common, from real ones alone."""
    values = np.array([row.values for row in rows])
    labels = np.array([row.label for row in rows])
    shares = _sample_weights(rows, labels, BALANCE)
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    n_classes = len(CLASSES)
    model = PageTypeModel(
        mean=mean,
        scale=scale,
        weights=np.zeros((n_classes, len(INPUTS))),
        bias=np.full(n_classes, ABSENT),
        hidden=np.zeros((N_NETWORKS, len(INPUTS), N_HIDDEN)),
        hidden_bias=np.zeros((N_NETWORKS, 1, N_HIDDEN)),
        output=np.zeros((N_NETWORKS, N_HIDDEN, n_classes)),
        output_bias=np.full((N_NETWORKS, 1, n_classes), ABSENT),
    )
    inputs = model.standardised(values)
    machine = LogisticRegression(C=REGULARISATION, max_iter=3000)
    machine.fit(inputs, labels, sample_weight=shares / shares.mean())
    model.weights[machine.classes_], model.bias[machine.classes_] = machine.coef_, machine.intercept_
    real = np.array([not row.made for row in rows])
    counted = _sample_weights([row for row in rows if not row.made], labels[real], NETWORK_BALANCE)
    _fit_networks(model, inputs[real], labels[real], counted)
    return model


def _sample_weights(rows: Sequence[TypedFeatures], labels: NDArray[np.intp], balance: float) -> Floats:
    """Return what each page counts: large sites and frequent types less."""
    groups = [row.page.group for row in rows]
    sizes = Counter(groups)
    shares: Floats = np.array([min(sizes[group], MAX_SITE) for group in groups]) ** -0.5
    return shares * np.bincount(labels, minlength=len(CLASSES))[labels].astype(np.float64) ** -balance


def _fit_networks(model: PageTypeModel, inputs: Floats, labels: NDArray[np.intp], shares: Floats) -> None:
    """Learn the networks, each of pages drawn by what they count."""
    for number, machine in enumerate(drawn_networks(inputs, labels, shares, decay=DECAY, n_epochs=N_EPOCHS)):
        model.hidden[number], output = machine.coefs_
        model.hidden_bias[number, 0], bias = machine.intercepts_
        model.output[number][:, machine.classes_] = output
        model.output_bias[number, 0, machine.classes_] = bias


def drawn_networks(
    inputs: Floats, labels: NDArray[Any], counts: Floats, *, decay: float, n_epochs: int
) -> Iterator[MLPClassifier]:
    """Yield ``N_NETWORKS`` networks of one hidden layer, each learnt from pages drawn by what they count.

    :param inputs: standardised, shape ``(n_pages, n_inputs)``.
    :param decay: penalty of the weights, as scikit-learn's ``alpha``.
    """
    rng = np.random.default_rng(0)
    for number in range(N_NETWORKS):
        drawn = rng.choice(len(inputs), len(inputs), p=counts / counts.sum())
        machine = MLPClassifier(
            (N_HIDDEN,), alpha=decay, max_iter=n_epochs, learning_rate_init=RATE, random_state=number
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # few epochs are meant
            machine.fit(inputs[drawn], labels[drawn])
        yield machine


def unseen_models(rows: Sequence[TypedFeatures], made: Sequence[TypedFeatures]) -> list[PageTypeModel]:
    """Return for each fold a model that has seen no page of its sites, and none outside ``TRAINED_SETS``."""
    known = usable([*rows, *made])
    return [fit([row for row in known if fold_of(row.page.group) != fold]) for fold in range(N_FOLDS)]


def save(path: Path, model: PageTypeModel, about: dict[str, Any]) -> None:
    arrays = {name: getattr(model, name).astype(np.float16 if name == "hidden" else np.float32) for name in ARRAYS}
    save_model(path, ModelFile(kind=KIND, features=INPUTS, arrays=arrays, provenance=about))
