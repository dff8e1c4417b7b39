"""What the pages of a host have in common, as no single page tells: lines that recur, and where article text stands.

A line that stands word for word at the same place of several articles is the site's, not the article's (DESIGN §3.6);
a place that held article text on the earlier pages of its kind holds it here. A place is the chain of tags, classes
and ids from the root to the block of a line, with digits masked.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.blocks.features import line_features
from newscrawl.metadata.series import series_key

if TYPE_CHECKING:
    from newscrawl.blocks.features import LineFeatures
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools, Measures

MEMORY_EVIDENCE: Final = "site memory: "
"""What begins each line of evidence that comes from here."""
MIN_PAGES: Final = 2
"""Articles of a host seen before its memory says anything: it speaks from the third on."""
MIN_RECURRENCE: Final = 2
MIN_RECURRENCE_SHARE: Final = 0.02
"""A line recurs if so many earlier articles had it at the same place, and this share of them."""
INSIDE_SHARE: Final = 0.9
INSIDE_PAGES: Final = 3
"""A place holds article text if it did on so many articles, with this share of its text."""
MAX_PLACE_WEIGHT: Final = 200.0
"""Text of one page at one place counts up to this: a long article is one vote. Letters."""
SAME_PAGE_SHARE: Final = 0.5
"""With more than this share of its lines in one earlier article a page is that article again, and tells nothing."""

MAX_HOSTS: Final = 256
MAX_TEXTS: Final = 4000
MAX_PLACES: Final = 1000
RECENT_PAGES: Final = 64
MAX_SEEN: Final = 1000
"""Addresses of articles counted: a later part, or a later visit, tells nothing new and must not count twice."""
MAX_NAME: Final = 200

DRIFT_PAGES: Final = 5
"""So many articles in a row with their text at places unknown, or with almost none, are a new template."""
KNOWN_SHARE: Final = 0.2
COLLAPSE_SHARE: Final = 0.2
MIN_SETTLED: Final = 10
"""Articles before a host's usual length is known."""
USUAL_RATE: Final = 0.1
MIN_USUAL: Final = 0.5
"""And this share of its articles, a running mean from nothing, must have stood at places it had before: a host of many
templates does not drift, it is various. Five strange articles take it down by the factor 0.59."""

_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refined:
    """The lines of an article after the host's memory was asked; arrays of shape ``(lines,)``."""

    chosen: Bools
    dropped: Bools
    """Lines that recur on the host's articles."""
    added: Bools
    """Lines at places that hold article text on this host."""

    @property
    def evidence(self) -> tuple[str, ...]:
        """What was changed, for ``scrapy explain``."""
        found = []
        if self.dropped.any():
            found.append(f"{MEMORY_EVIDENCE}{int(self.dropped.sum())} lines recur on this host's articles")
        if self.added.any():
            found.append(f"{MEMORY_EVIDENCE}{int(self.added.sum())} lines stand where this host's articles do")
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A host's articles are no longer what its memory says."""

    host: str
    reason: str
    """``places`` or ``length``."""
    old: str
    """The place that held most of the text, or its usual length in letters."""
    new: str
    n_pages: int
    """Articles behind the old memory."""


@dataclass(slots=True, kw_only=True)
class Place:
    inside: float = 0.0
    outside: float = 0.0
    n_pages: int = 0
    name: str = ""
    """Chain of tags and classes, cut to its last ``MAX_NAME`` characters; kept where text was inside."""

    @property
    def share(self) -> float:
        total = self.inside + self.outside
        return self.inside / total if total else 0.0


@dataclass(slots=True, kw_only=True)
class HostMemory:
    """Counts of one host; bounded, whatever the number of its pages."""

    n_pages: int = 0
    texts: OrderedDict[int, int] = field(default_factory=OrderedDict)
    """Key of a line's text and place → articles that had it; the one seen last is last."""
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

    def add(self, later: HostMemory) -> None:
        """Count what another memory of this host has seen; what is seen last counts as last."""
        total = self.n_pages + later.n_pages
        if not total:
            return
        share = later.n_pages / total
        self.length += share * (later.length - self.length)
        self.usual += share * (later.usual - self.usual)
        self.n_pages = total
        for key, count in later.texts.items():
            self.texts[key] = self.texts.pop(key, 0) + count
        _bound_texts(self.texts)
        for key, place in later.places.items():
            known = self.places.pop(key, None) or Place()
            known.inside += place.inside
            known.outside += place.outside
            known.n_pages += place.n_pages
            known.name = known.name or place.name
            self.places[key] = known
        _bound_places(self.places)
        self.seen.extend(key for key in later.seen if key not in self.seen)

    def to_state(self) -> dict[str, Any]:
        """Return what JSON can hold; recent articles are left out."""
        return {
            "n_pages": self.n_pages,
            "texts": list(self.texts.items()),
            "places": [[key, round(p.inside), round(p.outside), p.n_pages, p.name] for key, p in self.places.items()],
            "length": round(self.length, 1),
            "usual": round(self.usual, 3),
            "seen": list(self.seen),
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> HostMemory:
        """Undo :meth:`to_state`.

        :raises ValueError: for what is no such state.
        """
        try:
            return cls(
                n_pages=int(state["n_pages"]),
                texts=OrderedDict((int(key), int(count)) for key, count in state["texts"][-MAX_TEXTS:]),
                places=OrderedDict(
                    (int(key), Place(inside=float(inside), outside=float(outside), n_pages=int(n), name=str(name)))
                    for key, inside, outside, n, name in state["places"][-MAX_PLACES:]
                ),
                length=float(state["length"]),
                usual=float(state["usual"]),
                seen=deque((int(key) for key in state.get("seen", ())), maxlen=MAX_SEEN),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not the memory of a host: {error!r}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lines:
    """The lines of a page as keys."""

    features: LineFeatures
    places: list[int]
    texts: list[int]

    def name(self, line: int) -> str:
        """Return the chain of a line's place, cut to its last ``MAX_NAME`` characters."""
        measures = self.features.lines.measures
        row, labels, length = int(self.features.lines.block[line]), [], 0
        while row >= 0 and length < MAX_NAME:
            labels.append(_label(measures, row))
            length += len(labels[-1])
            row = int(measures.parent[row])
        return " > ".join(reversed(labels))[-MAX_NAME:]


class SiteMemory:
    """The memories of the hosts seen last; ``news`` holds what was not yet handed on by :meth:`take_news`."""

    def __init__(self) -> None:
        self.hosts: OrderedDict[str, HostMemory] = OrderedDict()
        self.news: dict[str, HostMemory] = {}
        self.drifted: set[str] = set()
        """Hosts whose earlier memory is void; what ``news`` holds of them stands alone."""

    def take_news(self) -> tuple[dict[str, HostMemory], frozenset[str]]:
        """Return what was seen since the last call, and the hosts of which nothing older counts."""
        news, drifted = self.news, frozenset(self.drifted)
        self.news, self.drifted = {}, set()
        return news, drifted

    def put(self, host: str, memory: HostMemory) -> None:
        """Replace the memory of a host by one shared with others; what was seen meanwhile is added."""
        old = self.hosts.get(host)
        if old is not None:
            memory.recent, memory.strange, memory.short = old.recent, old.strange, old.short
        if host in self.news:
            memory.add(self.news[host])
        self.hosts[host] = memory

    def refine(self, host: str, document: Document, chosen: Bools) -> Refined:
        """Return the lines to take for the article, given those that an extractor chose on the page alone."""
        none = np.zeros_like(chosen)
        memory = self.hosts.get(host)
        if memory is None or memory.n_pages < MIN_PAGES or not len(chosen):
            return Refined(chosen=chosen, dropped=none, added=none)
        page = document.once(_keys)
        least = max(MIN_RECURRENCE, MIN_RECURRENCE_SHARE * memory.n_pages)
        recurs = np.fromiter((memory.texts.get(key, 0) >= least for key in page.texts), np.bool_, len(chosen))
        dropped = chosen & recurs
        if dropped.sum() > SAME_PAGE_SHARE * chosen.sum():
            return Refined(chosen=chosen, dropped=none, added=none)
        holds = np.fromiter((_holds_text(memory.places.get(key)) for key in page.places), np.bool_, len(chosen))
        added = holds & ~chosen & ~recurs & ~page.features.is_links
        return Refined(chosen=(chosen & ~recurs) | added, dropped=dropped, added=added)

    def observe(self, host: str, document: Document, chosen: Bools) -> Drift | None:
        """Take note of an article and of the lines taken for it; tell when the host's template has changed.

        Of an article of several pages the first to come counts: its parts repeat lines of each other.
        """
        if not chosen.any():
            return None
        page = document.once(_keys)
        memory = self.hosts.setdefault(host, HostMemory())
        self.hosts.move_to_end(host)
        while len(self.hosts) > MAX_HOSTS:
            self.hosts.popitem(last=False)
        key = zlib.crc32(series_key(document.url)[0].encode("utf-8", "replace")) if document.url else None
        if key in memory.seen:
            return None
        lines = np.flatnonzero(chosen).tolist()
        body = frozenset(page.texts[line] for line in lines)
        if any(len(body & other) > SAME_PAGE_SHARE * len(body) for other in memory.recent):
            return None
        memory.recent.append(body)
        drift = _drift(host, memory, page, chosen)
        if drift is not None:
            memory.places.clear()
            memory.n_pages, memory.length, memory.usual, memory.strange, memory.short = 0, 0.0, 0.0, 0, 0
            self.news.pop(host, None)
            self.drifted.add(host)
        for counted in (memory, self.news.setdefault(host, HostMemory())):
            _count(counted, page, chosen)
            if key is not None:
                counted.seen.append(key)
        return drift


def _holds_text(place: Place | None) -> bool:
    return place is not None and place.n_pages >= INSIDE_PAGES and place.share > INSIDE_SHARE


def _drift(host: str, memory: HostMemory, page: _Lines, chosen: Bools) -> Drift | None:
    """Compare an article with the host's usual ones; a drift needs several in a row."""
    weight = page.features.weight
    body = float(weight[chosen].sum())
    known = sum(weight[line] for line in np.flatnonzero(chosen).tolist() if _is_usual(memory, page.places[line]))
    is_strange = known < KNOWN_SHARE * body
    memory.strange = memory.strange + 1 if is_strange else 0
    memory.usual += USUAL_RATE * ((not is_strange) - memory.usual)
    is_settled = memory.n_pages >= MIN_SETTLED
    memory.short = memory.short + 1 if is_settled and body < COLLAPSE_SHARE * memory.length else 0
    if memory.strange >= DRIFT_PAGES and memory.usual >= MIN_USUAL:
        old = max(memory.places.values(), key=lambda place: place.inside, default=Place())
        return Drift(host=host, reason="places", old=old.name, new=_main_place(page, chosen), n_pages=memory.n_pages)
    if memory.short >= DRIFT_PAGES:
        lengths = f"{memory.length:.0f} letters", f"{body:.0f} letters"
        return Drift(host=host, reason="length", old=lengths[0], new=lengths[1], n_pages=memory.n_pages)
    return None


def _is_usual(memory: HostMemory, key: int) -> bool:
    place = memory.places.get(key)
    return place is not None and place.n_pages > DRIFT_PAGES


def _main_place(page: _Lines, chosen: Bools) -> str:
    weights: dict[int, float] = {}
    line_of: dict[int, int] = {}
    for line in np.flatnonzero(chosen).tolist():
        weights[page.places[line]] = weights.get(page.places[line], 0.0) + float(page.features.weight[line])
        line_of[page.places[line]] = line
    return page.name(line_of[max(weights, key=weights.__getitem__)])


def _count(memory: HostMemory, page: _Lines, chosen: Bools) -> None:
    memory.n_pages += 1
    weight = page.features.weight
    memory.length += (float(weight[chosen].sum()) - memory.length) / min(memory.n_pages, 100)
    for key in set(page.texts):
        memory.texts[key] = memory.texts.pop(key, 0) + 1
    _bound_texts(memory.texts)
    sums: dict[int, list[float]] = {}
    line_of: dict[int, int] = {}
    for line, (key, line_weight, inside) in enumerate(zip(page.places, weight.tolist(), chosen.tolist(), strict=True)):
        sums.setdefault(key, [0.0, 0.0])[not inside] += line_weight
        line_of[key] = line
    for key, (inside, outside) in sums.items():
        total = inside + outside
        if not total:
            continue
        place = memory.places.pop(key, None) or Place()
        memory.places[key] = place
        scale = min(total, MAX_PLACE_WEIGHT) / total
        place.inside += inside * scale
        place.outside += outside * scale
        place.n_pages += 1
        if inside and not place.name:
            place.name = page.name(line_of[key])
    _bound_places(memory.places)


def _bound_places(places: OrderedDict[int, Place]) -> None:
    while len(places) > MAX_PLACES:
        places.popitem(last=False)


def _bound_texts(texts: OrderedDict[int, int]) -> None:
    """Forget lines seen once first, the oldest before the newer; then the oldest of all."""
    if len(texts) <= MAX_TEXTS:
        return
    for key in [key for key, count in texts.items() if count == 1][: len(texts) - MAX_TEXTS // 2]:
        del texts[key]
    while len(texts) > MAX_TEXTS:
        texts.popitem(last=False)


def _keys(document: Document) -> _Lines:
    """Return a key for the place, and for text and place, of every line; the same in every process."""
    features = document.once(line_features)
    lines = features.lines
    chains = {-1: 0}
    places = [_chain(lines.measures, row, chains) for row in lines.block.tolist()]
    sums = (zlib.crc32(text.encode("utf-8", "replace")) for text in lines.texts(range(len(places))))
    texts = [key << 32 | check for key, check in zip(places, sums, strict=True)]
    return _Lines(features=features, places=places, texts=texts)


def _chain(measures: Measures, row: int, chains: dict[int, int]) -> int:
    """Hash of the elements from the root to a row; each row is read once a page."""
    climbed = []
    while row not in chains:
        climbed.append(row)
        row = int(measures.parent[row])
    key = chains[row]
    for inner in reversed(climbed):
        key = chains[inner] = zlib.crc32(_label(measures, inner).encode("utf-8", "replace"), key)
    return key


def _label(measures: Measures, row: int) -> str:
    element = measures.nodes[row]
    label = measures.tags[row]
    names, number = element.get("class"), element.get("id")
    if names:
        label += "." + ".".join(names.split())
    if number:
        label += "#" + number
    return _DIGITS.sub("0", label)
