"""The memory of one host: counts of texts and of places, bounded."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats
    from newscrawl.page.measures import Bools
    from newscrawl.sites.memory.keys import PageKeys


VERSION: Final = 2
"""Version of the state. A memory of another version is thrown away."""
MAX_TEXTS: Final = 4000
MAX_PLACES: Final = 1000
RECENT_PAGES: Final = 64
MAX_SEEN: Final = 1000
"""Addresses of counted articles that are remembered: a later page of one, or a later visit, must not count twice."""

LOW_ODDS: Final = -4.0
"""The text of a line with lower log odds (a probability of 0.02) is kept only at places that hold article text."""
MAX_LINE_WEIGHT: Final = 200.0
"""A line counts for its place with at most so many letters: one long paragraph does not outweigh its captions."""


@dataclass(slots=True, kw_only=True)
class Place:
    n_pages: int = 0
    """Articles that had lines here."""
    odds: float = 0.0
    """Sum over those articles of the mean log odds of the lines here, each by its page alone."""
    inside: float = 0.0
    """Letters taken for the article."""
    name: str = ""
    """Chain of tags and classes; kept where the place stood between the lines of an article, or held some."""

    @property
    def mean(self) -> float:
        return self.odds / self.n_pages if self.n_pages else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one article says about its host."""

    texts: tuple[int, ...]
    """Keys of the doubtful and chosen texts at their places; of the likely ones also without their place. Each once."""
    body: frozenset[int]
    """Keys of the texts taken for the article."""
    places: tuple[tuple[int, float, float, str], ...]
    """Key, mean log odds, letters inside, and the name where it stands between the article's lines."""
    length: float
    """Letters of the article."""
    key: int | None = None
    """Key of its address."""


def sighting(page: PageKeys, chosen: Bools, odds: Floats) -> Sighting:
    """Return what an article says about its host.

    :param chosen: the lines that are the article's.
    :param odds: log odds of each line by the page alone.
    """
    holds = np.bincount(page.place, weights=chosen, minlength=len(page.places)) > 0
    lines = (holds[page.place] | (odds > LOW_ODDS)).nonzero()[0].tolist()
    texts = page.texts(lines)
    wanted = (chosen | (odds > 0))[lines].tolist()
    kept = dict.fromkeys(page.at_places(lines, texts))
    kept.update(dict.fromkeys(text for text, is_wanted in zip(texts, wanted, strict=True) if is_wanted))
    kept.update(dict.fromkeys(page.labels(lines)))
    kept.pop(0, None)
    body = frozenset(text for text, line in zip(texts, lines, strict=True) if chosen[line])
    weight = page.weight
    return Sighting(
        texts=tuple(kept),
        body=body - {0},
        places=_places(page, chosen, odds),
        length=float(weight[chosen].sum()),
        key=page.address,
    )


def _places(page: PageKeys, chosen: Bools, odds: Floats) -> tuple[tuple[int, float, float, str], ...]:
    n = len(page.places)
    weight = page.weight
    counted = np.minimum(weight, MAX_LINE_WEIGHT) + 1
    total = np.bincount(page.place, weights=counted, minlength=n)
    means = np.bincount(page.place, weights=counted * odds, minlength=n) / total
    inside = np.bincount(page.place, weights=weight * chosen, minlength=n)
    first, last = np.flatnonzero(chosen)[[0, -1]]
    between = set(page.place[first : last + 1].tolist())
    found = zip(page.places, means.tolist(), inside.tolist(), page.chains, strict=True)
    return tuple(
        (key, mean, letters, chain if number in between else "")
        for number, (key, mean, letters, chain) in enumerate(found)
    )


@dataclass(slots=True, kw_only=True)
class HostMemory:
    """Counts of one host; bounded, whatever the number of its pages."""

    n_pages: int = 0
    texts: OrderedDict[int, int] = field(default_factory=OrderedDict)
    """Key of a text, at a place or wanted anywhere → articles that had it; the one seen last is last."""
    places: OrderedDict[int, Place] = field(default_factory=OrderedDict)
    length: float = 0.0
    """Running mean of the articles' letters."""
    usual: float = 0.0
    """Running share of the articles that stood at usual places."""
    strange: int = 0
    """Articles in a row that stood at unknown places."""
    short: int = 0
    """Articles in a row that had almost no text."""
    recent: deque[frozenset[int]] = field(default_factory=lambda: deque(maxlen=RECENT_PAGES))
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=MAX_SEEN))
    """Keys of the addresses counted."""

    def count(self, article: Sighting) -> None:
        self.n_pages += 1
        self.length += (article.length - self.length) / min(self.n_pages, 100)
        for text in article.texts:
            self.texts[text] = self.texts.pop(text, 0) + 1
        _bound_texts(self.texts)
        for key, odds, inside, name in article.places:
            self._add_place(key, Place(n_pages=1, odds=odds, inside=inside, name=name))
        _bound_places(self.places)
        if article.key is not None:
            self.seen.append(article.key)

    def _add_place(self, key: int, more: Place) -> None:
        place = self.places.pop(key, None) or Place()
        place.n_pages += more.n_pages
        place.odds += more.odds
        place.inside += more.inside
        place.name = place.name or more.name
        self.places[key] = place

    def forget(self) -> None:
        """Begin anew after a change of template; texts and addresses stay."""
        self.places.clear()
        self.n_pages, self.length, self.usual, self.strange, self.short = 0, 0.0, 0.0, 0, 0

    def to_state(self) -> dict[str, Any]:
        """Return what JSON can hold; recent articles are left out."""
        return {
            "version": VERSION,
            "n_pages": self.n_pages,
            "texts": list(self.texts.items()),
            "places": [[key, p.n_pages, round(p.odds, 2), round(p.inside), p.name] for key, p in self.places.items()],
            "length": round(self.length, 1),
            "usual": round(self.usual, 3),
            "seen": list(self.seen),
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> HostMemory:
        """Undo :meth:`to_state`.

        :raises ValueError: for what is no such state, or one of another version.
        """
        try:
            if state["version"] != VERSION:
                raise ValueError(f"a memory of version {state['version']!r}, expected {VERSION}")
            return cls(
                n_pages=int(state["n_pages"]),
                texts=OrderedDict((int(key), int(count)) for key, count in state["texts"][-MAX_TEXTS:]),
                places=OrderedDict(
                    (int(key), Place(n_pages=int(n), odds=float(odds), inside=float(inside), name=str(name)))
                    for key, n, odds, inside, name in state["places"][-MAX_PLACES:]
                ),
                length=float(state["length"]),
                usual=float(state["usual"]),
                seen=deque((int(key) for key in state["seen"]), maxlen=MAX_SEEN),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not the memory of a host: {error!r}") from error


def _bound_places(places: OrderedDict[int, Place]) -> None:
    while len(places) > MAX_PLACES:
        places.popitem(last=False)


def _bound_texts(texts: OrderedDict[int, int]) -> None:
    """Forget texts seen once first, the oldest before the newer; then the oldest of all."""
    if len(texts) <= MAX_TEXTS:
        return
    for key in [key for key, count in texts.items() if count == 1][: len(texts) - MAX_TEXTS // 2]:
        del texts[key]
    while len(texts) > MAX_TEXTS:
        texts.popitem(last=False)
