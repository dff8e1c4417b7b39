"""Keys of a page's lines. They are the same on other pages of the site, and in every process.

A place is the chain of tags, classes and ids from a line's block outwards, with digits masked. It ends at the third
element with a class or id, or at the root: elements further out often change from page to page. The digits of a text
count: "rose by 1.2 %" and "rose by 3.4 %" are two reports, not one notice.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.lines import line_features
from newscrawl.page.tags import HEADINGS
from newscrawl.urls.series import series_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from newscrawl.page.document import Document

MAX_NAMES: Final = 3
"""Elements with class or id that a place names."""
MAX_CLASSES: Final = 3
"""Classes of an element that count: some sites append the topics of each article."""
MAX_CHAIN: Final = 200
"""Characters of a place's chain as people read it."""

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

    def texts(self, numbers: Sequence[int]) -> list[int]:
        """Return the key of each of some lines' texts."""
        return [self.keys[number] for number in numbers]

    def labels(self, numbers: Sequence[int]) -> list[int]:
        """Return the key of each line's words at its place, whatever number stands among them; 0 for other lines."""
        return self.at_places(numbers, [_label_key(self.lines[number]) for number in numbers])

    def at_places(self, numbers: Sequence[int], texts: Sequence[int]) -> list[int]:
        """Return the key of each line's text at its place; 0 where the text has none."""
        where = self.place[np.asarray(numbers, dtype=np.intp)].tolist()
        return [self.places[place] << 32 | text if text else 0 for place, text in zip(where, texts, strict=True)]


def page_keys(document: Document) -> PageKeys:
    features = document.once(line_features)
    lines = features.lines
    chains = document.once(_Chains)
    numbers: dict[int, int] = {}
    first: list[int] = []
    place = []
    for row in lines.block.tolist():
        key = chains.key(row)
        if key not in numbers:
            numbers[key] = len(first)
            first.append(row)
        place.append(numbers[key])
    texts = lines.shown
    return PageKeys(
        address=zlib.crc32(series_key(document.url)[0].encode("utf-8", "replace")) if document.url else None,
        lines=tuple(texts),
        keys=text_keys(texts),
        weight=features.weight,
        is_links=features.is_links,
        is_heading=features.is_heading,
        places=tuple(numbers),
        chains=tuple(map(chains.shown, first)),
        place=np.array(place, dtype=np.intp),
    )


def place_keys(document: Document, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the keys of the places where some of a page's lines stand, each once, in their order."""
    lines = document.once(line_features).lines
    chains = document.once(_Chains)
    return tuple(dict.fromkeys(chains.key(int(lines.block[number])) for number in numbers))


def text_keys(texts: Iterable[str]) -> tuple[int, ...]:
    """Return the key of each text; 0 for one of fewer than four letters."""
    return tuple(map(_text_key, texts))


@lru_cache(maxsize=16384)
def _text_key(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace")) if _LETTERS.search(text) else 0


@lru_cache(maxsize=4096)
def _label_key(text: str) -> int:
    """Return the key of a label that goes with a number of its own: short, and no sentence."""
    if len(text) > MAX_LABEL or text.endswith(_STOPS) or not _LETTERS.search(text):
        return 0
    words, n_numbers = _DIGITS.subn("#", text)
    return zlib.crc32(words.encode("utf-8", "replace")) if n_numbers else 0


class _Chains:
    """The chains that end at the elements of a page, and their hashes."""

    def __init__(self, document: Document) -> None:
        measures = document.measures
        self.nodes, self.tags, self.parents = measures.nodes, measures.tags, measures.parent.tolist()
        self.known: tuple[dict[int, int], ...] = tuple({} for _ in range(MAX_NAMES + 1))
        """By names left to take: row → hash."""
        self._labels: dict[int, tuple[str, bytes, bool]] = {}

    def key(self, row: int) -> int:
        known, left = self.known, MAX_NAMES
        climbed = []
        while row >= 0 and left and row not in known[left]:
            _, label, is_named = self._label(row)
            climbed.append((known[left], row, label))
            left -= is_named
            row = self.parents[row]
        key = known[left].get(row, 0)
        for hashes, row, label in reversed(climbed):
            key = hashes[row] = zlib.crc32(label, key)
        return key

    def shown(self, row: int) -> str:
        """Return the chain that ends at an element as people read it."""
        left, length, labels = MAX_NAMES, 0, []
        while row >= 0 and left and length < MAX_CHAIN:  # no more is kept
            label, _, is_named = self._label(row)
            labels.append(label)
            length += len(label) + (3 if length else 0)
            left -= is_named
            row = self.parents[row]
        return " > ".join(reversed(labels))[-MAX_CHAIN:]

    def _label(self, row: int) -> tuple[str, bytes, bool]:
        label = self._labels.get(row)
        if label is None:
            get = self.nodes[row].get
            label = self._labels[row] = _label(self.tags[row], get("class"), get("id"))
        return label


@lru_cache(maxsize=16384)
def _label(tag: str, css: str | None, identity: str | None) -> tuple[str, bytes, bool]:
    """Return an element's part of a chain, as people read it and as it is hashed, and whether it has a name."""
    names = css.split(None, MAX_CLASSES)[:MAX_CLASSES] if css else []
    own = "#" + identity if identity and tag not in HEADINGS else ""  # theirs are for links to parts of one article
    label = ".".join([tag, *names]) + own
    hashed = _DIGITS.sub("0", label).encode("utf-8", "replace")
    return hashed.decode(), hashed, bool(names or own)
