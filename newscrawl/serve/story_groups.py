"""Which articles are one story: those of several sites that tell of one event, each in its own words.

Two articles are of one event where they share what is rare in their language that week: names, numbers, days, words, or
pairs of characters where a script has no spaces. No word of any language is known here. A story spans few days, and
each of its articles is like another site's.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.languages.date_text import in_ascii_digits
from newscrawl.serve.search.terms import term_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Terms = NDArray[np.uint32]

MAX_DAYS: Final = 3
"""Days between the first and the last article of a story; the days before and after in which rarity is counted."""
ALIKE: Final = 0.2
"""Cosine of two articles' terms, each weighed by its rarity, from which they are of one event."""
ALIKE_ON_AVERAGE: Final = 0.2
"""Mean cosine between the articles of two groups from which they are one story: no chain joins two events."""
RARITY_POWER: Final = 2
FREE: Final = 3
"""Articles with a term beside which it is as rare as with one: those of the event itself."""
MAX_TERMS: Final = 250
"""Different terms of an article that count, the first ones: what follows is background."""
MAX_CHARS: Final = 6_000
N_KEYS: Final = 40
"""Rarest terms of an article, by which those that may be like it are found."""
MAX_WITH_KEY: Final = 300
"""Articles with a key, the last ones, that are looked at."""
MAX_COMPARED: Final = 50
MAX_STORY: Final = 200
"""Most articles of a story."""
FEW: Final = 20
"""Articles of a language that there are at least, as far as rarity goes: among two, every word is rare."""


class Report(NamedTuple):
    """An article as it is grouped."""

    number: int
    site: str
    moment: float
    """Its publication, in days."""
    language: str
    marks: Terms


def marks_of(headline: str | None, text: str) -> Terms:
    """Return hashes of the terms that count of an article; bits mark those of the headline, numbers and names.

    Numbers are one term however they are grouped and whatever their digits: 1,250 is 1.250 and ١٢٥٠.
    """
    found: dict[int, int] = {}
    for part, bit in ((headline or "", _HEADLINE), (text[:MAX_CHARS], 0)):
        plain = in_ascii_digits(_GROUPED.sub("", part))
        names = set(term_text(" ".join(word for word in _WORD.findall(plain) if word[0].isupper())).split())
        for term in term_text(plain).split():
            if len(term) > 1:
                key = zlib.crc32(term.encode("utf-8", "surrogatepass")) & ~_BITS
                found.setdefault(key, bit | (_NAME if term in names or term.isdecimal() else 0))
    return np.array([key | bit for key, bit in islice(found.items(), MAX_TERMS)], dtype="<u4")


_HEADLINE, _NAME, _BITS = 1, 2, 3
_WORD: Final = re.compile(r"(?<=[^\W\d_]\s)[^\W\d_]+")
"""A word behind another word: with a capital, a name."""
_GROUPED: Final = re.compile(r"(?<=\d)[.,'’\u00a0\u202f\u066b\u066c](?=\d)")


# --- groups ------------------------------------------------------------------------------------------------


class _Vector(NamedTuple):
    """Terms of a report in the order of their hashes, with weights whose squares add up to 1."""

    terms: Terms
    weights: NDArray[np.float64]
    keys: list[int]


def stories_of(reports: Iterable[Report], others: Iterable[Report] = ()) -> list[list[Report]]:
    """Return groups of the reports that tell of one event, of two sites or more; the earliest report of each first.

    :param others: of other days, which tell how common a word is.
    """
    of_language: defaultdict[str, tuple[list[Report], list[Report]]] = defaultdict(lambda: ([], []))
    for some, at in ((reports, 0), (others, 1)):
        for report in some:
            of_language[report.language][at].append(report)
    found = []
    for own, beside in of_language.values():
        own.sort(key=lambda report: (report.moment, report.site, report.number))
        vectors = _vectors(own, beside)
        found += [[own[place] for place in group] for group in _joined(own, vectors, _pairs(own, vectors))]
    return found


def _vectors(reports: Sequence[Report], others: Sequence[Report]) -> list[_Vector]:
    """Weigh the terms of reports of one language by the share of reports that have them, in those days or in all.

    :param reports: in the order of time.
    """
    moments = np.array([report.moment for report in reports])
    terms = [_plain(report.marks) for report in (*reports, *others)]
    ever, n_ever = _counted(terms)
    vectors: list[_Vector] = []
    here: tuple[int, int] | None = None
    for report, own, day in zip(reports, terms, np.floor(moments), strict=False):
        start, end = np.searchsorted(moments, [day - MAX_DAYS, day + MAX_DAYS + 1]).tolist()
        if here != (start, end):
            here, (known, n_known) = (start, end), _counted(terms[start:end])
        n_with = n_known[np.searchsorted(known, own)]
        n_in_all = n_ever[np.searchsorted(ever, own)]
        in_days = np.maximum(n_with - FREE, 1) / (max(end - start, FEW) + 1)
        share = np.maximum(in_days, np.maximum(n_in_all - FREE, 1) / (len(terms) + 1))
        marked = (np.isin(own, _plain(report.marks[(report.marks & bit) > 0])) for bit in (_HEADLINE, _NAME))
        weights = (1.0 + sum(marked)) * np.log(1 / share) ** RARITY_POWER
        length = float(np.sqrt((weights**2).sum())) or 1.0
        shared = (n_with > 1).nonzero()[0]
        keys = own[shared[np.argsort(-weights[shared], kind="stable")[:N_KEYS]]].tolist()
        vectors.append(_Vector(own, weights / length, keys))
    return vectors


def _plain(marks: Terms) -> Terms:
    """Return the hashes of marks in their order."""
    return np.unique(marks & ~np.uint32(_BITS))


def _counted(terms: Sequence[Terms]) -> tuple[Terms, NDArray[np.int64]]:
    return np.unique(np.concatenate(terms), return_counts=True)


def _pairs(reports: Sequence[Report], vectors: Sequence[_Vector]) -> list[tuple[float, int, int]]:
    """Return the pairs of reports of different sites that are alike, the most alike first."""
    found = []
    with_key: defaultdict[int, list[int]] = defaultdict(list)
    for place, (report, vector) in enumerate(zip(reports, vectors, strict=True)):
        met: Counter[int] = Counter()
        for key in vector.keys:
            for other in islice(reversed(with_key[key]), MAX_WITH_KEY):
                if report.moment - reports[other].moment > MAX_DAYS:
                    break
                if reports[other].site != report.site:
                    met[other] += 1
            with_key[key].append(place)
        for other in nlargest(MAX_COMPARED, met, key=lambda other: (met[other], other)):
            if (cosine := _cosine(vector, vectors[other])) >= ALIKE:
                found.append((-cosine, other, place))  # noqa: PERF401 (two loops in one line)
    return sorted(found)


def _cosine(one: _Vector, other: _Vector) -> float:
    _, here, there = np.intersect1d(one.terms, other.terms, assume_unique=True, return_indices=True)
    return float(one.weights[here] @ other.weights[there])


def _joined(
    reports: Sequence[Report], vectors: Sequence[_Vector], pairs: Iterable[tuple[float, int, int]]
) -> Iterator[list[int]]:
    """Join groups, the most alike first, while they are alike on average, and short; yield their places in order."""
    groups: dict[int, list[int]] = {}
    sums: dict[int, dict[int, float]] = {}
    group_of: dict[int, int] = {}
    for _, *two in pairs:
        for place in two:
            if place not in group_of:
                group_of[place], groups[place] = place, [place]
                sums[place] = dict(zip(vectors[place].terms.tolist(), vectors[place].weights.tolist(), strict=True))
        one, other = sorted((group_of[place] for place in two), key=lambda name: (-len(groups[name]), name))
        both = sorted(groups[one] + groups[other])
        if one == other or len(both) > MAX_STORY or reports[both[-1]].moment - reports[both[0]].moment > MAX_DAYS:
            continue
        product = sum(weight * sums[one].get(term, 0.0) for term, weight in sums[other].items())
        if product < ALIKE_ON_AVERAGE * len(groups[one]) * len(groups[other]):
            continue
        groups[one] = both
        for term, weight in sums.pop(other).items():
            sums[one][term] = sums[one].get(term, 0.0) + weight
        group_of |= dict.fromkeys(groups.pop(other), one)
    yield from (group for group in groups.values() if len(group) > 1)
