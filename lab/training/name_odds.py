"""Learns the lexicon of names: how much likelier text is where sites call an element by a word."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.names import PLACES, Lexicon, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from lab.training.labelled import LabelledLines
    from newscrawl.classify.lines.names import NamedLines

    Floats = NDArray[np.float64]
    Words = frozenset[str]

MIN_SITES: Final = 4
"""A word of fewer sites says nothing."""
CAUTION: Final = 3.0
"""Sites of no opinion that are counted with each word's."""
PRIOR: Final = 2.0
"""Weight of a site's share of text in the share that one of its words has."""
MAX_SHARE: Final = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class NameOdds:
    """Log odds of text for the words of some sites, against all lines of the site; a site counts once."""

    words: tuple[str, ...]
    total: Floats
    """Sums over the sites; shape ``(len(PLACES), len(words))``."""
    n_sites: Floats
    by_site: dict[str, tuple[tuple[NDArray[np.intp], Floats], ...]]
    """For each site, in each place: which words it has, and their log odds."""

    def lexicon(self, without: str | None = None) -> Lexicon:
        """Return the lexicon; ``without`` a site where the lines are its own."""
        total, n_sites = self.total.copy(), self.n_sites.copy()
        for place, (words, odds) in enumerate(self.by_site.get(without or "", ())):
            total[place, words] -= odds
            n_sites[place, words] -= 1
        return Lexicon(words=self.words, odds=(total / (n_sites + CAUTION)).astype(np.float32))


def name_odds(pages: Sequence[LabelledLines]) -> NameOdds:
    """Count what the names on labelled pages are worth."""
    by_group: dict[str, list[LabelledLines]] = defaultdict(list)
    for page in pages:
        by_group[page.page.group].append(page)
    found = {group: odds for group, of_group in by_group.items() if (odds := _site_odds(of_group))}
    number: dict[str, int] = {}
    for place in range(len(PLACES)):
        sites = Counter(word for odds in found.values() for word in odds[place])
        for word in sorted(word for word, n_sites in sites.items() if n_sites >= MIN_SITES):
            number.setdefault(word, len(number))
        for odds in found.values():
            odds[place] = {word: value for word, value in odds[place].items() if sites[word] >= MIN_SITES}
    total, n_sites = np.zeros((2, len(PLACES), len(number)))
    by_site = {}
    for group, odds in found.items():
        packed = []
        for place, of_place in enumerate(odds):
            words = np.array([number[word] for word in of_place], dtype=np.intp)
            values = np.array(list(of_place.values()))
            total[place, words] += values
            n_sites[place, words] += 1
            packed.append((words, values))
        by_site[group] = tuple(packed)
    return NameOdds(words=tuple(number), total=total, n_sites=n_sites, by_site=by_site)


def _site_odds(pages: Iterable[LabelledLines]) -> list[dict[str, float]]:
    """Return the log odds of each word in each place, against those of all lines; empty for a site without labels."""
    weight: list[Counter[str]] = [Counter() for _ in PLACES]
    body: list[Counter[str]] = [Counter() for _ in PLACES]
    all_weight = all_body = 0.0
    for page in pages:
        weights = np.sqrt(page.gold.weight)
        all_weight += float(weights.sum())
        all_body += float((weights * page.gold.is_body).sum())
        lines = zip(weights.tolist(), page.gold.is_body.tolist(), _names_of(page.lines.named), strict=True)
        for line_weight, is_body, names in lines:
            for place, words in enumerate(names):
                for word in words:
                    weight[place][word] += line_weight
                    body[place][word] += line_weight * is_body
    if not all_weight:
        return []
    share = (all_body + 1) / (all_weight + 2)
    return [
        {
            word: _log_odds((body[place][word] + PRIOR * share) / (of_word + PRIOR)) - _log_odds(share)
            for word, of_word in weight[place].items()
            if of_word
        }
        for place in range(len(PLACES))
    ]


def _log_odds(share: float) -> float:
    share = min(max(share, 1 - MAX_SHARE), MAX_SHARE)
    return float(np.log(share / (1 - share)))


def _names_of(page: NamedLines) -> Iterator[tuple[Words, Words, Words]]:
    """Yield the words in each of ``PLACES``, line by line."""
    words = [words_of(text) for text in page.texts]
    names = [words[number] for number in page.number.tolist()]
    around: dict[int, Words] = {}
    parent = page.parent.tolist()
    for inmost, outmost, first, second in zip(*page.own.tolist(), *page.near.tolist(), strict=True):
        yield names[inmost] | names[outmost], names[first] | names[second], _around(inmost, names, parent, around)


def _around(row: int, names: Sequence[Words], parent: Sequence[int], known: dict[int, Words]) -> Words:
    path = []
    while row > 0 and row not in known:
        path.append(row)
        row = parent[row]
    words = known.get(row, frozenset())
    for row in reversed(path):
        words = known[row] = words | names[row]
    return words
