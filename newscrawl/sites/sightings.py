"""Lines of a page by keys, and what a host's articles have shown of them: counts of texts and of places, bounded.

Keys are the same on other pages of the site, and in every process. The digits of a text count: "rose by 1.2 %" and
"rose by 3.4 %" are two reports, not one notice.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.page.measures import Bools


MAX_LABEL: Final = 40
"""Characters of a label that goes with a number, such as "728 views"."""
_STOPS: Final = tuple(".!?…。！？؟।")

_DIGITS: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"(?:[^\W\d_][\W\d_]*){4}")
"""Fewer letters than these say nothing: numbers, bullets, initials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKeys:
    """The lines of one page without its tree, so that they can go to another process. Arrays have an entry a line."""

    address: int | None
    """Key of the page's address, the same for all parts of an article; None where it is not known."""
    lines: tuple[str, ...]
    """The text of each line."""
    keys: tuple[int, ...]
    """The key of each line's text; 0 for a line of fewer than four letters."""
    weight: NDArray[np.float64]
    is_links: NDArray[np.bool_]
    is_heading: NDArray[np.bool_]
    places: tuple[int, ...]
    """Keys of the places that hold lines, each once."""
    chains: tuple[str, ...]
    """Each of ``places`` as people read it, cut to its last ``MAX_CHAIN`` characters."""
    place: NDArray[np.intp]
    """Which of ``places`` each line stands at."""

    def only(self, numbers: NDArray[np.intp]) -> PageKeys:
        """Return some of the lines, and the places where they stand, without their chains."""
        which, places = numbers.tolist(), self.place[numbers].tolist()
        kept = {number: place for place, number in enumerate(sorted(set(places)))}
        return PageKeys(
            address=self.address,
            lines=tuple([self.lines[number] for number in which]),
            keys=tuple([self.keys[number] for number in which]),
            weight=self.weight[numbers],
            is_links=self.is_links[numbers],
            is_heading=self.is_heading[numbers],
            places=tuple([self.places[number] for number in kept]),
            chains=(),
            place=np.array([kept[number] for number in places], dtype=np.intp),
        )

    def joined(self, chosen: NDArray[np.bool_]) -> str:
        """Return the text of the chosen lines, one paragraph a line."""
        return "\n".join([self.lines[line] for line in chosen.nonzero()[0].tolist()])

    def labels(self, numbers: Sequence[int]) -> list[int]:
        """Return the key of each line's words at its place, whatever number stands among them; 0 for other lines."""
        texts = [self.lines[number] for number in numbers]
        keys = [_label_key(text) if len(text) <= MAX_LABEL else 0 for text in texts]
        return self.at_places(numbers, keys) if any(keys) else keys

    def at_places(self, numbers: Sequence[int], texts: Sequence[int]) -> list[int]:
        """Return the key of each line's text at its place; 0 where the text has none."""
        where = self.place[np.asarray(numbers, dtype=np.intp)].tolist()
        return [self.places[place] << 32 | text if text else 0 for place, text in zip(where, texts, strict=True)]


def text_keys(texts: Iterable[str]) -> tuple[int, ...]:
    """Return the key of each text; 0 for one of fewer than four letters."""
    return tuple(map(_text_key, texts))


@lru_cache(maxsize=16384)
def _text_key(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace")) if _LETTERS.search(text) else 0


@lru_cache(maxsize=4096)
def _label_key(text: str) -> int:
    """Return the key of a label that goes with a number of its own; 0 for a sentence."""
    if text.endswith(_STOPS) or not _LETTERS.search(text):
        return 0
    words, n_numbers = _DIGITS.subn("#", text)
    return zlib.crc32(words.encode("utf-8", "replace")) if n_numbers else 0


# --- what a host's articles have shown ---------------------------------------------------------------------------

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
    texts = [page.keys[line] for line in lines]
    wanted = (chosen | (odds > 0))[lines].tolist()
    kept = dict.fromkeys(page.at_places(lines, texts))
    kept.update(dict.fromkeys(text for text, is_wanted in zip(texts, wanted, strict=True) if is_wanted))
    kept.update(dict.fromkeys(page.labels(lines)))
    kept.pop(0, None)
    body = frozenset(text for text, line in zip(texts, lines, strict=True) if chosen[line])
    n, weight = len(page.places), page.weight
    counted = np.minimum(weight, MAX_LINE_WEIGHT) + 1
    means = np.bincount(page.place, counted * odds, n) / np.bincount(page.place, counted, n)
    inside = np.bincount(page.place, weight * chosen, n)
    first, last = np.flatnonzero(chosen)[[0, -1]]
    between = set(page.place[first : last + 1].tolist())
    places = zip(page.places, means.tolist(), inside.tolist(), page.chains, strict=True)
    return Sighting(
        texts=tuple(kept),
        body=body - {0},
        places=tuple(
            (key, mean, letters, chain if number in between else "")
            for number, (key, mean, letters, chain) in enumerate(places)
        ),
        length=float(weight[chosen].sum()),
        key=page.address,
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
        """Count an article. Of too many texts, those seen once are forgotten first; then the oldest."""
        self.n_pages += 1
        self.length += (article.length - self.length) / min(self.n_pages, 100)
        texts, places = self.texts, self.places
        for text in article.texts:
            texts[text] = texts.pop(text, 0) + 1
        if len(texts) > MAX_TEXTS:
            for key in [key for key, count in texts.items() if count == 1][: len(texts) - MAX_TEXTS // 2]:
                del texts[key]
        while len(texts) > MAX_TEXTS:
            texts.popitem(last=False)
        for key, odds, inside, name in article.places:
            place = places.pop(key, None) or Place()
            place.n_pages += 1
            place.odds += odds
            place.inside += inside
            place.name = place.name or name
            places[key] = place
        while len(places) > MAX_PLACES:
            places.popitem(last=False)
        if article.key is not None:
            self.seen.append(article.key)

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
