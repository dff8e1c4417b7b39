"""What a page is: article, hub, forum, product, listing or other, with a probability.

Two judges share the work. Rules weigh an article against a hub (:mod:`~newscrawl.blocks.page_type_rules`); a linear
model over the page's features, trained with sites left out, tells the other types apart and is heard on the first
question too. The page's address is a prior only.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.blocks.page_type_features import FEATURES, page_features, states_date
from newscrawl.blocks.page_type_rules import article_reasons, has_text
from newscrawl.items import PageType
from newscrawl.learn.model_file import load_model
from newscrawl.metadata.gather import gather

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newscrawl.dom.document import Document

KIND: Final = "page_type"
MODEL: Final = Path(__file__).parent.parent / "models" / "page_type.npz"
CLASSES: Final = (PageType.ARTICLE, PageType.LISTING, PageType.FORUM, PageType.PRODUCT, PageType.OTHER)
"""What the model tells apart; lists of stories and of goods are one class to it."""
MODEL_WEIGHT: Final = 1.5
"""Of the model's log-odds of article against list, beside those of the rules."""
ARTICLE_BIAS: Final = 0.5
SURE: Final = 5.5
"""From this log-odds by rules on, a page with an article's address is one, and the model is not asked."""
PRODUCT_BIAS: Final = 1.0
"""Goods are sold on few sites that the model has seen."""
FORUM_BIAS: Final = -1.0
"""Of forum, where the address is an article's."""
OTHER_BIAS: Final = -1.5
DATED_BIAS: Final = -1.0
"""Of forum, product and other, where the address says the month, too."""
GOODS: Final = 1.0
"""From this evidence on, a list is one of goods or entries (listing) rather than of stories (hub)."""
MAX_DEVIATIONS: Final = 8.0

_DATED: Final = re.compile(r"/(?:19|20)\d\d/[01]?\d/")
_URL_PRIORS: Final = {"article": 1.0, "hub": -1.5, "other": -1.0}
_HOME_PRIOR: Final = -3.0
_FORUM, _PRODUCT, _OTHER = (CLASSES.index(name) for name in (PageType.FORUM, PageType.PRODUCT, PageType.OTHER))
_AT: Final = {name: place for place, name in enumerate(FEATURES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJudgement:
    page_type: PageType
    confidence: float
    """Probability of the type, 0..1."""
    evidence: tuple[str, ...]
    """Reasons, one a line, the weightiest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """A softmax over standardised features."""

    mean: NDArray[np.float64]
    """Shape ``(n_features,)``, as ``scale``."""
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    """Shape ``(n_classes, n_features)``."""
    bias: NDArray[np.float64]

    def log_odds(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the classes' log-probabilities up to a constant, shape ``(n_classes,)``."""
        deviations = np.clip((values - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        scores: NDArray[np.float64] = self.weights @ deviations + self.bias
        return scores


@cache
def shipped_model() -> Linear:
    arrays = load_model(MODEL, kind=KIND, features=FEATURES).arrays
    return Linear(mean=arrays["mean"], scale=arrays["scale"], weights=arrays["weights"], bias=arrays["bias"])


def judge(document: Document, *, url_kind: str | None = None, model: Linear | None = None) -> PageJudgement:
    """Tell what a page is.

    :param url_kind: ``article``, ``hub``, ``other`` or ``unknown``: what the address promises.
    :param model: in place of the shipped one.
    """
    reasons = list(document.once(article_reasons))
    if not document.once(has_text):
        return PageJudgement(page_type=PageType.HUB, confidence=1.0, evidence=_shown(reasons))
    reasons += _prior(document, url_kind)
    rules = sum(weight for weight, _ in reasons)
    if url_kind == "article" and rules >= SURE:
        return PageJudgement(page_type=PageType.ARTICLE, confidence=_share(rules), evidence=_shown(reasons))
    values = document.once(page_features)
    scores = (model or shipped_model()).log_odds(values)
    scores = _with_rules(scores, rules)
    scores[_PRODUCT] += PRODUCT_BIAS
    if url_kind == "article":  # shops number their goods as news sites their articles
        scores[[_FORUM, _OTHER]] += FORUM_BIAS, OTHER_BIAS
        if _DATED.search(document.url or ""):
            scores[[_FORUM, _PRODUCT, _OTHER]] += DATED_BIAS
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    best = int(shares.argmax())
    page_type = CLASSES[best]
    if page_type is PageType.LISTING and not _is_of_goods(values):
        page_type = PageType.HUB
    return PageJudgement(
        page_type=page_type,
        confidence=float(shares[best]),
        evidence=(
            *_shown(reasons),
            "model and rules: " + ", ".join(f"{name} {share:.2f}" for name, share in zip(CLASSES, shares, strict=True)),
        ),
    )


def _shown(reasons: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    ordered = sorted(reasons, key=lambda reason: -abs(reason[0]))
    return tuple(f"{weight:+.1f} {why}" for weight, why in ordered)


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(log_odds, 30.0)))


def _prior(document: Document, url_kind: str | None) -> Iterator[tuple[float, str]]:
    if states_date(document.once(gather)):
        yield 0.5, "states a date of publication"
    url = document.url
    if url is not None and urlsplit(url)[2:4] in {("", ""), ("/", "")}:
        yield _HOME_PRIOR, "address of a home page"
    elif url_kind in _URL_PRIORS:
        yield _URL_PRIORS[url_kind], f"address of {url_kind} shape"


def _with_rules(scores: NDArray[np.float64], rules: float) -> NDArray[np.float64]:
    """Divide what the model gives articles and lists together anew, by its and the rules' log-odds."""
    both = np.logaddexp(scores[0], scores[1])
    odds = MODEL_WEIGHT * (scores[0] - scores[1]) + rules + ARTICLE_BIAS
    article, listing = both - np.logaddexp(0.0, -odds), both - np.logaddexp(0.0, odds)
    return np.concatenate(([article, listing], scores[2:]))


def _is_of_goods(values: NDArray[np.float64]) -> bool:
    """Tell a list of goods, jobs or entries from a list of stories."""
    goods = values[_AT["prices"]] / 2 + values[_AT["says_cart"]] + values[_AT["says_sort"]] / 2
    goods += values[_AT["ld_product"]] + values[_AT["og_product"]] + min(1.0, values[_AT["names_product"]] / 4)
    stories = values[_AT["says_story"]] / 2 + min(1.0, values[_AT["years"]] / 4) + values[_AT["teasers"]] / 4
    return bool(goods - stories >= GOODS)
