"""Which lines of a page are its gold text: labels for the line network.

Of a page that we labelled by hand, they are the lines that we chose. Else lines are matched to the gold by 4-grams, in
reading order: of a sentence that stands twice on the page, only the one in its place among the others is the article's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.evaluation.hand_labels import hand_label, line_names
from lab.evaluation.leniency import expect
from newscrawl.languages.text import tokens
from newscrawl.serve.training.metrics import comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lab.evaluation.corpus import CorpusPage
    from lab.evaluation.hand_labels import HandLabel

    Floats = NDArray[np.float64]

GRAM: Final = 4
MATCHED: Final = 0.5
"""Share of a line's 4-grams in the gold from which on it is a line of the body."""
DOUBTFUL: Final = (0.3, 0.7)
"""Lines with a share between these count little."""
DOUBTFUL_WEIGHT: Final = 0.3
LENIENT_WEIGHT: Final = 0.1
"""Weight of headlines and datelines, which scores leave out."""
MAX_PLACES: Final = 3
"""Places in the gold that are tried for a line."""
MIN_SNIPPET: Final = 8
"""Shorter snippets may stand on any line. Characters."""

MIN_COMMENT: Final = 20
"""Shorter lines may stand in a comment by chance. Characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineGold:
    """Arrays of shape ``(n_lines,)``."""

    is_body: Floats
    """1.0 for a line of the body, else 0.0."""
    weight: Floats
    """Tokens of the line, less where the label is doubtful; 0 where there is none."""


def line_gold(page: CorpusPage, texts: Sequence[str]) -> LineGold | None:
    """Return the labels of a page's lines; None for a page without gold text or snippets in its markup."""
    told = hand_label(page)
    if told is not None:
        return _hand_labels(texts, told)
    if page.gold_where == "script":
        return None
    if page.gold.text is not None:
        expected = expect(page, page.read())
        return _text_labels(texts, expected.text, page.gold.text, expected.headlines.likely)
    return _snippet_labels(texts, page) if page.gold.has_snippets else None


def is_whole(page: CorpusPage) -> bool:
    """Tell whether all of a page's text is labelled."""
    return page.gold.text is not None or hand_label(page) is not None


def _hand_labels(texts: Sequence[str], told: HandLabel) -> LineGold:
    names = line_names(texts)
    weight = np.array([float(len(tokens(text))) for text in texts])
    weight[[name in told.doubtful for name in names]] *= DOUBTFUL_WEIGHT
    weight[[name in told.headline for name in names]] *= LENIENT_WEIGHT
    return LineGold(is_body=np.array([float(name in told.body) for name in names]), weight=weight)


def _snippet_labels(texts: Sequence[str], page: CorpusPage) -> LineGold:
    """Label the lines with a snippet or of a comment; nothing is known of the others."""
    wanted = [comparable(text) for text in page.gold.must_have]
    unwanted = [comparable(text) for text in page.gold.must_not_have]
    comments = comparable(str(page.extra.get("comments") or ""))
    is_body, weight = np.zeros(len(texts)), np.zeros(len(texts))
    for place, text in enumerate(texts):
        line = comparable(text)
        good = _holds(line, wanted)
        bad = _holds(line, unwanted) or (len(line) >= MIN_COMMENT and line in comments)
        if good != bad:
            is_body[place] = good
            weight[place] = min(20.0, len(tokens(text)))
    return LineGold(is_body=is_body, weight=weight)


def _holds(line: str, snippets: Sequence[str]) -> bool:
    return any(snippet in line or (len(line) >= MIN_SNIPPET and line in snippet) for snippet in snippets if snippet)


def _text_labels(texts: Sequence[str], expected: str, whole: str, headlines: frozenset[tuple[str, ...]]) -> LineGold:
    gold = tokens(expected)
    places = _places(gold)
    words = [tokens(text) for text in texts]
    shares = np.array([_share(line, places) for line in words])
    is_body = _chain(words, shares, places, gold)
    weight = np.array([float(len(line)) for line in words])
    weight[(shares > DOUBTFUL[0]) & (shares < DOUBTFUL[1])] *= DOUBTFUL_WEIGHT
    matched_outside = (shares >= DOUBTFUL[1]) & (is_body == 0)
    weight[matched_outside] *= DOUBTFUL_WEIGHT
    all_places = _places(tokens(whole))
    for place, line in enumerate(words):
        if not is_body[place] and (tuple(line) in headlines or _share(line, all_places) >= DOUBTFUL[1]):
            weight[place] *= LENIENT_WEIGHT
    return LineGold(is_body=is_body, weight=weight)


def _places(words: Sequence[str]) -> dict[tuple[str, ...], list[int]]:
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(words) - GRAM + 1):
        places[tuple(words[place : place + GRAM])].append(place)
    return places


def _share(line: Sequence[str], places: dict[tuple[str, ...], list[int]]) -> float:
    """Return the share of the line's 4-grams in the gold; 0.0 for a line of fewer tokens."""
    n = len(line) - GRAM + 1
    return sum(tuple(line[at : at + GRAM]) in places for at in range(n)) / n if n > 0 else 0.0


def _chain(
    words: Sequence[Sequence[str]], shares: Floats, places: dict[tuple[str, ...], list[int]], gold: Sequence[str]
) -> Floats:
    """Choose the lines of the body: the heaviest chain in the gold's order, then others that add to it."""
    spans = _best_chain(words, shares, places)
    covered = np.zeros(len(gold) + 1, dtype=np.bool_)
    is_body = np.zeros(len(words))
    for line, start in spans.items():
        covered[max(0, start) : start + len(words[line])] = True
        is_body[line] = 1.0
    for line in np.flatnonzero((shares >= MATCHED) & (is_body == 0)).tolist():
        found = [
            place
            for at in range(len(words[line]) - GRAM + 1)
            for place in places.get(tuple(words[line][at : at + GRAM]), ())
        ]
        if found and not covered[found].mean() > MATCHED:
            is_body[line] = 1.0
            covered[found] = True
    _add_short(words, spans, gold, is_body)
    return is_body


def _best_chain(
    words: Sequence[Sequence[str]], shares: Floats, places: dict[tuple[str, ...], list[int]]
) -> dict[int, int]:
    """Return the chosen lines with the place in the gold where each begins."""
    candidates: list[tuple[int, int]] = []
    for line in np.flatnonzero(shares >= MATCHED).tolist():
        starts = Counter(
            place - at
            for at in range(len(words[line]) - GRAM + 1)
            for place in places.get(tuple(words[line][at : at + GRAM]), ())[:20]
        )
        candidates += sorted((line, start) for start, _ in starts.most_common(MAX_PLACES))
    if not candidates:
        return {}
    lines = np.array([line for line, _ in candidates])
    starts_at = np.array([start for _, start in candidates])
    lengths = np.array([len(words[line]) for line in lines.tolist()])
    middles = starts_at + lengths / 2
    best = lengths * shares[lines]
    before = np.full(len(lines), -1)
    gain = best.copy()
    for place in range(1, len(lines)):
        fits = (lines[:place] < lines[place]) & (middles[:place] < starts_at[place] + 1)
        if fits.any():
            options = np.where(fits, best[:place], -1.0)
            at = place - 1 - int(np.argmax(options[::-1]))  # of equal ones the nearest
            best[place] = gain[place] + options[at]
            before[place] = at
    chosen: dict[int, int] = {}
    place = int(np.argmax(best))
    while place >= 0:
        chosen[int(lines[place])] = int(starts_at[place])
        place = int(before[place])
    return chosen


def _add_short(words: Sequence[Sequence[str]], spans: dict[int, int], gold: Sequence[str], is_body: Floats) -> None:
    """Add lines of fewer than ``GRAM`` tokens that stand in the gold between the lines around them."""
    order = sorted(spans)
    edges = [(-1, 0), *((line, spans[line] + len(words[line])) for line in order)]
    for (line, stop), after in zip(edges, [*order, len(words)], strict=True):
        gap = list(gold[max(0, stop - 1) : (spans[after] + 1 if after < len(words) else len(gold))])
        if len(gap) > 400:
            continue
        text = " " + " ".join(gap) + " "
        for short in range(line + 1, after):
            if 0 < len(words[short]) < GRAM and " " + " ".join(words[short]) + " " in text:
                is_body[short] = 1.0
