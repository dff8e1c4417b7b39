"""Short pages that show no story, by their shape: a form, a choice, an offer, figures, or a few lines without a day.

Networks weigh what stands between a page's own heading and the next list of links, and the word of the model of page
types. They learnt from pages with a story's frame and something else in its place, and from the shortest of stories
(``lab/experiments/storyless.py``).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.kind.short import MAX_LETTERS, Shape, is_dateline
from newscrawl.classify.model_file import load_model
from newscrawl.console.files import shipped_file
from newscrawl.page.jsonld import ARTICLE_TYPES, types_of
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document

KIND: Final = "storyless"
MODEL: Final = shipped_file("classify/models/storyless.npz")
ENOUGH: Final = 2.2
"""Log-odds from which a short page shows no story: by folds, one made story of fifty is taken for none."""
MAX_ODDS: Final = 11.5
"""Bound of the log-odds of a network, so that none decides alone."""
MAX_DEVIATIONS: Final = 6.0
SHORT_LINE: Final = 40.0
"""Letters."""
LINKED: Final = 0.4
"""Share of a heading's text in links from which on it is none of the text."""
NEAR: Final = 4
"""Lines below the heading that may hold a dateline."""
AHEAD: Final = 3
"""Lines below a heading of which one is text if the heading is the text's."""

FEATURES: Final = (
    "letters", "body", "longest", "n_prose", "prose_share", "n_lines", "short_share", "ends", "colons", "digits",
    "currency", "quote", "headings", "link_share", "dateline", "stated_day", "author", "byline", "og_article",
    "ld_article", "typed", "choices", "big_fields", "buttons", "button_links", "forms", "images", "cells", "items",
    "links", "another title", "heading", "home", "search", "unindexed", "password", "picture", "title",
)  # fmt: skip
TYPE_ODDS: Final = ("type_article", "type_other")
"""Log-odds of an article against the likeliest other type, and of another page against an article."""
INPUTS: Final = (*FEATURES, *TYPE_ODDS)
ARRAYS: Final = ("mean", "scale", "hidden", "hidden_bias", "output", "output_bias")
_SIGNS: Final = ("another title", "heading", "home", "search", "unindexed", "password", "picture")
"""Signs of :mod:`newscrawl.classify.kind.short` that are features, too."""
_BYLINE: Final = re.compile(r"byline|author|autor|reporter|\bmeta\b|(?:entry|post)-meta|dateline|publish|credit")
_BUTTON: Final = re.compile(r"\b(?:btn|button)\b")
_ENDS: Final = frozenset('.。!！?？…”"»।')
_QUOTES: Final = frozenset('“”„«»「」"')
_TYPED: Final = frozenset("text email tel number date password url file".split())
_CHOICES: Final = frozenset(("radio", "checkbox"))
_PRESSED: Final = frozenset(("submit", "button", "image", "reset"))
_COUNTED: Final = tuple(kinds_among(frozenset(tags.split())) for tags in ("form", "img picture", "td th", "li"))


def is_short(verdict: Verdict) -> bool:
    """Tell whether a page has lines, and no more text than a notice has."""
    return verdict.weight < MAX_LETTERS and len(verdict.features) > 0


def storyless_odds(document: Document, verdict: Verdict, type_odds: Floats) -> float:
    """Return the log-odds that a page shows no story; minus infinity for a page that is not short.

    :param type_odds: ``TYPE_ODDS``, by the model of page types.
    """
    if not is_short(verdict):
        return -math.inf
    return _shipped_model().odds(np.append(storyless_values(document, verdict), type_odds))


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylessModel:
    """Networks of one hidden layer over standardised ``INPUTS``."""

    mean: Floats
    """Shape ``(n_inputs,)``, as ``scale``."""
    scale: Floats
    hidden: Floats
    """Shape ``(n_networks, n_inputs, n_hidden)``."""
    hidden_bias: Floats
    """Shape ``(n_networks, n_hidden)``, as ``output``."""
    output: Floats
    output_bias: Floats
    """Shape ``(n_networks,)``."""

    def odds(self, values: Floats) -> float:
        """Return the mean of the networks' log-odds that a page with such ``INPUTS`` shows no story."""
        inputs = self.standardised(values)
        activations = np.maximum(inputs @ self.hidden + self.hidden_bias, 0.0)
        odds = (activations * self.output).sum(axis=1) + self.output_bias
        return float(np.clip(odds, -MAX_ODDS, MAX_ODDS).mean())

    def standardised(self, values: Floats) -> Floats:
        return np.clip((values - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)


@cache
def _shipped_model() -> StorylessModel:
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return StorylessModel(**{name: arrays[name].astype(np.float64) for name in ARRAYS})


def storyless_values(document: Document, verdict: Verdict) -> NDArray[np.float64]:
    """Return ``FEATURES``, shape ``(len(FEATURES),)``: counts as logarithms, shares, and truths."""
    shape = Shape(document, verdict)
    stop = _widen(shape)
    signs = frozenset(shape.signs())
    values = {
        **_text_values(shape, stop),
        **_said_values(shape),
        **_control_values(shape),
        **{name: float(name in signs) for name in _SIGNS},
        "title": float(shape.is_titled),
    }
    return np.array([values[name] for name in FEATURES])


def _widen(shape: Shape) -> int:
    """Let the part of the page reach over the headings within its text; return the line after it."""
    features, n = shape.verdict.features, len(shape.verdict.features)
    stop = shape.lines[-1] + 1 if shape.lines else shape.heading + 1
    while stop < n and features.is_heading[stop] and features.link_share[stop] < LINKED:
        if not shape.verdict.is_body[stop : stop + AHEAD].any():
            break
        stop += 1
        while stop < n and not (features.is_heading[stop] or features.is_links[stop - 1 : stop + 1].all()):
            stop += 1
    shape.end = int(features.lines.start[stop]) if stop < n else len(shape.measures)
    return stop


def _text_values(shape: Shape, stop: int) -> Mapping[str, float]:
    features = shape.verdict.features
    part = slice(shape.heading + 1, stop)
    texts: Sequence[str] = [text.rstrip() for text in features.lines.texts(range(shape.heading + 1, stop))]
    free, weight, is_prose, linked = (
        values[part] for values in (features.free, features.weight, features.is_prose, features.link_share)
    )
    is_day = [is_dateline(text) for text in texts]
    whole = "".join(text for text, is_one in zip(texts, is_day, strict=True) if not is_one)
    n, letters = len(texts) + 1, float(free.sum())
    return {
        "letters": math.log1p(letters),
        "body": math.log1p(shape.verdict.weight),
        "longest": math.log1p(float(free[is_prose].max(initial=0.0))),
        "n_prose": math.log1p(np.count_nonzero(is_prose)),
        "prose_share": float(free[is_prose].sum()) / (letters + 1),
        "n_lines": math.log1p(len(texts)),
        "short_share": np.count_nonzero(weight < SHORT_LINE) / max(1, len(texts)) if texts else 1.0,
        "ends": sum(text[-1:] in _ENDS for text in texts) / n,
        "colons": sum(text.endswith((":", "：")) for text in texts) / n,
        "digits": sum(map(str.isdigit, whole)) / (len(whole) + 1),
        "currency": float((features.lines.currencies[part] > 0).any()),
        "quote": float(not _QUOTES.isdisjoint(whole)),
        "headings": math.log1p(np.count_nonzero(features.is_heading[part] & (linked < LINKED))),
        "link_share": float((weight * linked).sum()) / (float(weight.sum()) + 1),
        "dateline": float(any(is_day[:NEAR])),
    }


def _said_values(shape: Shape) -> Mapping[str, float]:
    evidence, measures = shape.evidence, shape.measures
    names = " ".join(
        f"{node.get('class') or ''} {node.get('id') or ''}"
        for node in (measures.nodes[row] for row in range(shape.start, shape.end) if not measures.is_text(row))
    )
    has_author = any(evidence.metas.get(name) for name in ("author", "article:author", "byl"))
    return {
        "stated_day": float(shape.states_day),
        "author": float(has_author or any(node.get("author") for node in evidence.articles)),
        "byline": float(_BYLINE.search(names.lower().replace("_", "-")) is not None),
        "og_article": float("article" in " ".join(evidence.metas.get("og:type", ())).lower()),
        "ld_article": float(any(types_of(node) & ARTICLE_TYPES for node in evidence.nodes)),
    }


def _control_values(shape: Shape) -> Mapping[str, float]:
    below, kinds = shape.below, [(field.get("type") or "text").lower() for field in shape.below["input"]]
    rows = shape.measures.kinds[shape.start : shape.end]
    counted = [math.log1p(np.count_nonzero(is_kind[rows])) for is_kind in _COUNTED]
    n_button_links = sum(
        _BUTTON.search(f"{link.get('class') or ''} {link.get('role') or ''}") is not None for link in below["a"]
    )
    return {
        "typed": math.log1p(sum(kind in _TYPED for kind in kinds)),
        "choices": math.log1p(sum(kind in _CHOICES for kind in kinds)),
        "big_fields": math.log1p(len(below["textarea"]) + len(below["select"])),
        "buttons": math.log1p(len(below["button"]) + sum(kind in _PRESSED for kind in kinds)),
        "button_links": math.log1p(n_button_links),
        "links": math.log1p(len(below["a"])),
        **dict(zip(("forms", "images", "cells", "items"), counted, strict=True)),
    }
