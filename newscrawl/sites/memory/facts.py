"""At which places a host's articles show their facts: counts of selectors, bounded, that add up between workers."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FACTS: Final[Mapping[str, str]] = MappingProxyType(
    {"headline": "headline", "authors": "authors", "date_published": "datePublished"}
)
"""Fields of rules whose places are counted → fields of an article."""
MAX_KEPT: Final = 3
"""Places of a field that are remembered."""
MIN_AGREED: Final = 5
MIN_AGREEMENT: Final = 0.95
"""A place is sure that said the fact on so many articles, and on this share of those that have it."""


class FactPlace(NamedTuple):
    """What one article says about a place of one of its facts."""

    field: str
    selector: str
    agrees: bool
    """Whether all that stands there is the fact; else there is something else."""


@dataclass(slots=True)
class Support:
    """What speaks for a place."""

    n_agreed: int = 0
    """Articles whose fact stood there."""
    n_found: int = 0
    """Articles that had the place, since it was first noted."""
    day: str = ""
    """Day of the last article whose fact stood there, ISO 8601."""

    @property
    def agreement(self) -> float:
        return self.n_agreed / self.n_found if self.n_found else 0.0

    @property
    def is_sure(self) -> bool:
        return self.n_agreed >= MIN_AGREED and self.agreement >= MIN_AGREEMENT

    @property
    def rank(self) -> tuple[bool, str, float]:
        """Sure places come first, of these the one seen on the last day; then agreement, less where it is of few."""
        return self.is_sure, self.day if self.is_sure else "", self.n_agreed / (self.n_found + 1)


@dataclass(slots=True)
class FactMemory:
    """The places of one host's facts. Of as good ones, those seen last are kept."""

    places: OrderedDict[tuple[str, str], Support] = dataclass_field(default_factory=OrderedDict)
    """By field and selector, the one seen last is last."""

    def count(self, places: Iterable[FactPlace], day: str) -> None:
        for field, selector, agrees in places:
            self._add(field, selector, Support(int(agrees), 1, day if agrees else ""))
        self._bound()

    def add(self, later: FactMemory) -> None:
        for (field, selector), support in later.places.items():
            self._add(field, selector, support)
        self._bound()

    def best(self, field: str) -> Iterator[tuple[str, Support]]:
        """Yield the places of a field, the best one first."""
        own = [(selector, support) for (name, selector), support in self.places.items() if name == field]
        own.sort(key=lambda pair: pair[1].rank)
        yield from reversed(own)

    def to_ask(self) -> dict[str, tuple[str, ...]]:
        """Return which places an article is to be asked for, by field, the best one first."""
        found = {field: tuple(selector for selector, _ in self.best(field)) for field in FACTS}
        return {field: selectors for field, selectors in found.items() if selectors}

    def _add(self, field: str, selector: str, more: Support) -> None:
        known = self.places.pop((field, selector), None) or Support()
        known.n_agreed += more.n_agreed
        known.n_found += more.n_found
        known.day = max(known.day, more.day)
        self.places[field, selector] = known

    def _bound(self) -> None:
        for field in FACTS:
            for selector, _ in [*self.best(field)][MAX_KEPT:]:
                del self.places[field, selector]

    def to_state(self) -> list[Any]:
        return [[*key, support.n_agreed, support.n_found, support.day] for key, support in self.places.items()]

    @classmethod
    def from_state(cls, state: Iterable[Any]) -> FactMemory:
        memory = cls()
        for field, selector, n_agreed, n_found, day in state:
            memory._add(str(field), str(selector), Support(int(n_agreed), int(n_found), str(day)))
        memory._bound()
        return memory
