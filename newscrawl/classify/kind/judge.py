"""Kind of a page: article, hub, forum, product, listing or other, with a probability.

A model decides by the features of the page and the kind of its address: a linear one, and a few small networks over the
same features, which see combinations. Titles tell pages about the site and error pages first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.classify.kind.features import (
    FEATURES,
    NEAR_LINES,
    STATED_FEATURES,
    names_thing,
    page_features,
    stated_values,
)
from newscrawl.classify.kind.links import named_links
from newscrawl.classify.kind.short import absent_story, shows_story
from newscrawl.classify.kind.storyless import ENOUGH, storyless_odds
from newscrawl.classify.kind.titles import names_no_story
from newscrawl.classify.model_file import load_model
from newscrawl.console.files import shipped_file
from newscrawl.items import PageType
from newscrawl.languages.date_text import find_dates
from newscrawl.page.lines import line_features
from newscrawl.page.statements import gather
from newscrawl.urls.shape import is_about_site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.classify.verdict import Verdict
    from newscrawl.outcomes import Rejection
    from newscrawl.page.document import Document

KIND: Final = "page_type"
MODEL: Final = shipped_file("classify/models/page_type.npz")
CLASSES: Final = (
    PageType.ARTICLE, PageType.HUB, PageType.LISTING, PageType.FORUM, PageType.PRODUCT, PageType.OTHER,
)  # fmt: skip
ADDRESS_KINDS: Final = ("article", "hub", "other", "unknown")
INPUTS: Final = (*FEATURES, *(f"address_{kind}" for kind in ADDRESS_KINDS), "address_none")
MAX_DEVIATIONS: Final = 8.0
NETWORK_SHARE: Final = 0.5
"""Share of the networks in the sum; the rest is the linear model's."""
SHARPNESS: Final = 1.2
"""Factor of the log-probabilities: the sum of models that disagree is less sharp than each of them."""
LEAST_LOG_PROBABILITY: Final = -9.0
"""Least log-probability of a type by one network, so that none decides alone."""
ARRAYS: Final = ("mean", "scale", "weights", "bias", "hidden", "hidden_bias", "output", "output_bias")

ARTICLE_BIAS: Final = 1.0
"""Log-odds added to article. The model learnt with types weighted almost alike, although most pages are articles."""
HUB_ARTICLE_BIAS: Final = 0.0
"""Log-odds added to article at the address of a hub, where articles are rarer."""
PRODUCT_BIAS: Final = 0.7
"""Goods are sold on few sites that the model has seen."""
HOME_BIAS: Final = -3.0
SURE_OTHER: Final = 0.7
"""Least probability of a home page that belongs to a service or manual and lists no stories."""
STATED_CONFIDENCE: Final = 0.95
"""Confidence in a type that the page's title, address or declarations state."""
STATED_ODDS: Final = 3.0
"""Log odds of a type that title, address or declarations of a page state."""
MAX_TYPE_ODDS: Final = 8.0
"""Bound of the log-odds that tell short pages without a story."""
NARROW: Final = 0.3
"""Least log-odds of a type that rules prefer to the model's."""
SURE: Final = 0.9
"""Certainty of the network from which a page that declares an article at an article's address is one."""
MIN_SURE_WEIGHT: Final = 250.0
"""Letters a text needs before the network's certainty counts."""
ANNOUNCED: Final = 0.8
"""Least share of the text below headings that link elsewhere, if a page announces other pages."""
TITLE_LINKED: Final = 0.6
"""Least share of a heading in links. Bylines and dates are headings with links, too."""
MIN_TITLE: Final = 16.0
"""Least weight of a linked line that may be a story's title. Bylines and sections are shorter."""
MIN_LINKED: Final = 0.5
"""Least share of the page's link text in its main list."""
LEAST_ARTICLE: Final = 0.5
"""Least probability of an article if the address promises neither article nor list, or the text is a caption."""
CAPTION: Final = 130.0
"""Letters below which a text may be the caption of a page of a picture."""
MAX_DATELINE: Final = 40
"""Characters."""

_MAYBE_ABSENT: Final = frozenset((PageType.ARTICLE, PageType.OTHER))
"""Types of pages that may lack a story, whatever their address."""
_MANUAL: Final = FEATURES.index("generator_docs")
_RECORDS: Final = FEATURES.index("records")
_RECORD_LINKED: Final = FEATURES.index("record_linked")
_TEXT: Final = [FEATURES.index("own_inside"), FEATURES.index("own_outside")]
_DRESS: Final = [
    FEATURES.index(name)
    for name in (
        "prose", "record_image", "prices", "says_cart", "says_sort", "ld_product", "og_product", "names_product",
        "to_product", "record_price", "nodes_goods", "types_goods", "nodes_entries", "types_entries",
    )
]  # fmt: skip
"""Features of goods and entries beside their names; stories may have them, too."""
_ARTICLE, _HUB, _LISTING, _PRODUCT, _OTHER = map(
    CLASSES.index, (PageType.ARTICLE, PageType.HUB, PageType.LISTING, PageType.PRODUCT, PageType.OTHER)
)
_ARTICLE_SIGNS: Final = ("og_article", "ld_article", "micro_article", "date_stated")
_OTHER_SIGNS: Final = (
    "ld_forum", "ld_product", "ld_docs", "ld_list", "micro_forum", "micro_product", "og_product", "generator_forum",
    "generator_docs",
)  # fmt: skip
_WEEKDAY: Final = re.compile(r"^\s*[^\W\d]+\.?,?\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJudgement:
    page_type: PageType
    confidence: float
    """Probability of the type, 0..1."""
    odds: float
    """Log-odds of an article against the likeliest other type; below 0 for a page of another type."""
    is_stated: bool = False
    """Whether title, address or declarations of the page state the type."""
    absence: Rejection | None = None
    """Reason why a page without a story stands where one is expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvidence:
    """Evidence of a page's type."""

    stated: PageJudgement | None
    """Type that the page declares; the model is not asked then."""
    values: NDArray[np.float64]
    """``INPUTS``; empty for a page that states its type."""
    url_kind: str | None
    is_home: bool
    has_dateline: bool
    """Whether a line between title and first paragraphs is only a day."""
    announces: bool
    """Whether nearly all text stands below headings that link to other pages of the site."""
    may_announce: bool
    """Whether nearly all text stands below lines that link to other pages; asked at a list's address."""


def page_kind(document: Document, verdict: Verdict, *, url_kind: str | None = None) -> PageJudgement:
    """Return the kind of a page.

    :param verdict: which of its lines are text.
    :param url_kind: kind that the address promises: ``article``, ``hub``, ``other`` or ``unknown``.
    """
    evidence = page_evidence(document, verdict, url_kind)
    judgement = kind_by(shipped_model(), evidence)
    is_article, is_expected = judgement.page_type is PageType.ARTICLE, url_kind == "article"
    if not (is_expected or judgement.page_type in _MAYBE_ABSENT):
        return judgement
    absence = absent_story(document, verdict)
    if absence is not None:
        return PageJudgement(
            page_type=PageType.OTHER, confidence=STATED_CONFIDENCE, odds=-STATED_ODDS, absence=absence.reason
        )
    is_settled = is_article or judgement.is_stated or judgement.page_type is PageType.PRODUCT
    if not (is_settled or not is_expected or evidence.values[_MANUAL]) and shows_story(document, verdict):
        judgement = PageJudgement(page_type=PageType.ARTICLE, confidence=LEAST_ARTICLE, odds=NARROW)
    odds = -np.inf
    if judgement.page_type is PageType.ARTICLE and not judgement.is_stated:
        odds = storyless_odds(document, verdict, type_odds(shipped_model(), evidence.values))
    if odds < ENOUGH:
        return judgement
    return PageJudgement(page_type=PageType.OTHER, confidence=float(1 / (1 + np.exp(-odds))), odds=-odds)


def page_evidence(document: Document, verdict: Verdict, url_kind: str | None) -> PageEvidence:
    """Return the evidence of a page's type."""
    stated = _stated_kind(document, verdict, url_kind)
    is_asked = stated is None and document.url is not None
    return PageEvidence(
        stated=stated,
        values=np.zeros(0) if stated else inputs(page_features(document, verdict), url_kind),
        url_kind=url_kind,
        is_home=document.url is not None and urlsplit(document.url)[2:4] in {("", ""), ("/", "")},
        has_dateline=stated is None and url_kind != "other" and _has_dateline(document, verdict),
        announces=is_asked and url_kind != "article" and _announces(document, verdict),
        may_announce=is_asked and url_kind == "hub" and _announces(document, verdict, MIN_TITLE),
    )


def kind_by(model: PageTypeModel, evidence: PageEvidence) -> PageJudgement:
    """Return the type of a page by a model."""
    if evidence.stated is not None:
        return evidence.stated
    scores = model.log_odds(evidence.values)
    scores[_PRODUCT] += PRODUCT_BIAS
    if not evidence.values[_MANUAL]:
        scores[_ARTICLE] += HUB_ARTICLE_BIAS if evidence.url_kind == "hub" else ARTICLE_BIAS
    if evidence.is_home:
        scores[_ARTICLE] += HOME_BIAS
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    if evidence.has_dateline and shares.argmax() == _OTHER:
        shares[_OTHER] = 0.0
    may_be_article = not evidence.may_announce or shares[_ARTICLE] >= LEAST_ARTICLE
    if evidence.announces or not may_be_article:  # evidence for an article may belong to the announced one
        shares[_HUB] += shares[_ARTICLE]
        shares[_ARTICLE] = 0.0
    is_front = evidence.is_home and shares[_OTHER] < SURE_OTHER
    if evidence.announces or evidence.may_announce or is_front:
        shares[_HUB] += shares[_OTHER]
        shares[_OTHER] = 0.0
    is_caption = np.expm1(evidence.values[_TEXT]).sum() < CAPTION
    is_doubtful = evidence.url_kind == "other" or (is_caption and not evidence.has_dateline)
    if is_doubtful and shares[_ARTICLE] < LEAST_ARTICLE:
        shares[_ARTICLE] = 0.0
    # a list that has only names, and no sign of goods or entries: its names are headlines
    is_bare = evidence.values[_RECORD_LINKED] > MIN_LINKED and not evidence.values[_DRESS].any()
    is_plain = is_bare or (evidence.announces and not evidence.values[_RECORDS])
    if shares[_LISTING] > shares[_HUB] and is_plain:
        shares[[_HUB, _LISTING]] = shares[[_LISTING, _HUB]]
    best = int(shares.argmax())
    # the log-odds of an article by the model's scores, with the sign of the decision
    odds = float(scores[_ARTICLE] - np.delete(scores, _ARTICLE).max())
    odds = max(odds, NARROW) if best == _ARTICLE else min(odds, -NARROW)
    return PageJudgement(page_type=CLASSES[best], confidence=float(shares[best]), odds=odds)


def _stated_kind(document: Document, verdict: Verdict, url_kind: str | None) -> PageJudgement | None:
    is_about = document.url is not None and is_about_site(document.url)
    is_none = names_no_story(document.once(gather).title) or document.once(names_thing)
    if is_about or is_none or not len(document.once(line_features)):
        return PageJudgement(page_type=PageType.OTHER, confidence=STATED_CONFIDENCE, odds=-STATED_ODDS, is_stated=True)
    if url_kind != "article" or verdict.confidence < SURE or verdict.weight < MIN_SURE_WEIGHT:
        return None
    # some text, and an article or a date of publication is declared, and no other type
    stated = dict(zip(STATED_FEATURES, document.once(stated_values), strict=True))
    if any(stated[name] for name in _ARTICLE_SIGNS) and not any(stated[name] for name in _OTHER_SIGNS):
        return PageJudgement(page_type=PageType.ARTICLE, confidence=STATED_CONFIDENCE, odds=STATED_ODDS, is_stated=True)
    return None


def _announces(document: Document, body: Verdict, min_title: float = np.inf) -> bool:
    """Tell whether nearly all text stands below headings that link to other pages of the site.

    :param min_title: weight of a linked line that counts as a heading.
    """
    links, features = document.once(named_links), body.features
    path = urlsplit(document.url or "").path.lower()
    text = np.where(body.is_body & ~features.is_heading, features.free, 0.0)
    leads_away = np.zeros(len(features), dtype=np.bool_)
    leads_away[[line for line, to in zip(links.line, links.paths, strict=True) if to is not None and to != path]] = True
    is_heading = features.is_heading | (leads_away & (features.weight >= min_title))
    above = np.maximum.accumulate(np.where(is_heading, np.arange(len(features)), 0))
    is_title = is_heading & (features.link_share > TITLE_LINKED)
    is_announced = is_title[above] & leads_away[above] & (above != body.headline)
    return bool(0 < ANNOUNCED * text.sum() <= text[is_announced].sum())


def _has_dateline(document: Document, body: Verdict) -> bool:
    """Tell whether a line between title and first paragraphs is only a day."""
    if body.headline < 0:
        return False
    lines = document.once(gather).lines
    first = max(int(body.is_body.argmax()), body.headline) + 3
    for number in range(body.headline + 1, min(first, body.headline + NEAR_LINES, len(lines))):
        text = lines[number].text
        found = next(find_dates(text), None) if len(text) <= MAX_DATELINE else None
        if found is not None and not any(map(str.isalpha, _WEEKDAY.sub("", text[: found.start] + text[found.end :]))):
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTypeModel:
    """A softmax over standardised features, and networks of one hidden layer."""

    mean: Floats
    """Shape ``(n_features,)``, as ``scale``."""
    scale: Floats
    weights: Floats
    """Shape ``(n_classes, n_features)``."""
    bias: Floats
    hidden: Floats
    """Shape ``(n_networks, n_features, n_hidden)``"""
    hidden_bias: Floats
    """Shape ``(n_networks, 1, n_hidden)``."""
    output: Floats
    """Shape ``(n_networks, n_hidden, n_classes)``."""
    output_bias: Floats
    """Shape ``(n_networks, 1, n_classes)``."""

    def log_odds(self, values: Floats) -> Floats:
        """Return the classes' log-probabilities up to a constant, in the order of ``CLASSES``.

        :param values: ``INPUTS`` of a page, or of several, one a row.
        """
        inputs = self.standardised(values)
        linear = inputs @ self.weights.T + self.bias
        activations = np.maximum(np.atleast_2d(inputs) @ self.hidden + self.hidden_bias, 0.0)
        said = activations @ self.output + self.output_bias
        said -= said.max(axis=-1, keepdims=True)
        said -= np.log(np.exp(said).sum(axis=-1, keepdims=True))  # log-probabilities by each network
        mean = np.maximum(said, LEAST_LOG_PROBABILITY).mean(axis=0).reshape(linear.shape)
        scores: Floats = SHARPNESS * ((1 - NETWORK_SHARE) * linear + NETWORK_SHARE * mean)
        return scores

    def standardised(self, values: Floats) -> Floats:
        return np.clip((values - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)


def inputs(features: Floats, url_kind: str | None) -> Floats:
    """Return a page's features together with the kind of its address."""
    values = np.zeros(len(INPUTS))
    values[: len(FEATURES)] = features
    if url_kind is None:
        values[-1] = 1.0
    elif url_kind in ADDRESS_KINDS:
        values[len(FEATURES) + ADDRESS_KINDS.index(url_kind)] = 1.0
    return values


def type_odds(model: PageTypeModel, values: Floats) -> Floats:
    """Return what a model says of an article, as ``TYPE_ODDS`` names it.

    :param values: ``INPUTS`` of a page.
    """
    scores = model.log_odds(values)
    odds = np.array([scores[_ARTICLE] - np.delete(scores, _ARTICLE).max(), scores[_OTHER] - scores[_ARTICLE]])
    bounded: Floats = np.clip(odds, -MAX_TYPE_ODDS, MAX_TYPE_ODDS)
    return bounded


@cache
def shipped_model() -> PageTypeModel:
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return PageTypeModel(**{name: arrays[name].astype(np.float64) for name in ARRAYS})
