"""Cues of a fact: each proposes values with what speaks for them, and the value that weighs most is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from newscrawl.languages.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from newscrawl.extract.facts.moments import DateContext
    from newscrawl.extract.facts.site_name import SiteNames
    from newscrawl.page.statements import Evidence

ALONE: Final = ""
"""Stands for the cue itself among the signs that have a weight."""
Value = TypeVar("Value")
Made = TypeVar("Made")


@dataclass(kw_only=True)
class FactPage:
    """What the cues read: the page's statements and lines, what is known beside them, and the facts found so far."""

    evidence: Evidence
    sites: SiteNames
    dates: DateContext
    language: str | None
    """ISO 639-1."""
    hints: Mapping[str, str]
    """What the feed or sitemap said: ``title``, ``date``."""
    found: dict[str, tuple[Any, str]] = field(default_factory=dict)
    """Field → its value and where it was found."""
    _made: dict[Callable[[Any], Any], Any] = field(default_factory=dict)

    def once(self, make: Callable[[FactPage], Made]) -> Made:
        """Return ``make(page)``, called the first time only: several cues share what it finds."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    def put(self, name: str, found: tuple[Any, str] | None) -> None:
        """Note what was found for a field, and where, unless it is nothing."""
        if found is not None and found[0] not in (None, "", ()):
            self.found[name] = found

    @property
    def press(self) -> str:
        """The folded name of the source; ``""`` before it is known, and where there is none."""
        return fold(self.found.get("source", ("",))[0])


class Candidate(NamedTuple, Generic[Value]):
    """A value that a cue proposes."""

    value: Value
    key: Hashable
    """Candidates with equal keys agree."""
    origin: str
    """Where it stands, as ``fieldSources`` names it."""
    line: int = -1
    """The line it stands on; -1 where it is not visible."""
    signs: tuple[str, ...] = ()
    """What else speaks for or against it, such as its place on the page."""


@dataclass(frozen=True, slots=True)
class Cue(Generic[Value]):
    """One way to find a fact."""

    name: str
    find: Callable[[FactPage], Iterable[Candidate[Value]]]
    languages: tuple[str, ...] = ()
    """Codes of the languages that print it so; ``()`` for all."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one field's cues, in log-odds."""

    enough: float
    """Weight of a value from which no other cue is asked."""
    least: float
    """Weight below which the field stays empty."""
    cues: Mapping[str, Mapping[str, float]]
    """Weight of each cue under :data:`ALONE`, and what each of its signs adds."""

    def weight(self, cue: str, signs: Iterable[str]) -> float:
        """Return what a candidate of a cue weighs."""
        known = self.cues[cue]
        return known[ALONE] + sum([known.get(sign, 0.0) for sign in signs])


class Choice(NamedTuple, Generic[Value]):
    """The value chosen, as the first cue has it that speaks for it, and all candidates that agree."""

    best: Candidate[Value]
    weight: float
    agreeing: tuple[Candidate[Value], ...]


def choose(cues: Sequence[Cue[Value]], weights: Weights, page: FactPage) -> Choice[Value] | None:
    """Return the value of a field that its cues weigh most for; None where none weighs the field's least.

    A cue's weight is the logarithm of the odds that what it proposes is right, counted on labelled pages; each sign
    adds to it. Weights of cues that agree are added, the best rule for voters that do not depend on each other (Nitzan
    and Paroush, 1982). A cue counts once for a value. Cues are asked in their order, cheap ones first, until a value
    weighs enough. Of equal weights the first wins.
    """
    totals: dict[Hashable, float] = {}
    agreeing: dict[Hashable, list[tuple[bool, Candidate[Value]]]] = {}
    for cue in cues:
        if cue.languages and page.language not in cue.languages:
            continue
        for key, (weight, candidate) in heaviest(cue, weights, page).items():
            totals[key] = totals.get(key, 0.0) + weight
            agreeing.setdefault(key, []).append((weight <= 0, candidate))
        if max(totals.values(), default=0.0) >= weights.enough:
            break
    best = max(totals, key=totals.__getitem__, default=None)
    if best is None or totals[best] < weights.least:
        return None
    ranked = [candidate for _, candidate in sorted(agreeing[best], key=lambda found: found[0])]
    return Choice(ranked[0], totals[best], tuple(ranked))


def heaviest(cue: Cue[Value], weights: Weights, page: FactPage) -> dict[Hashable, tuple[float, Candidate[Value]]]:
    """Return a cue's heaviest candidate of each key, with its weight; of equal ones the first."""
    found: dict[Hashable, tuple[float, Candidate[Value]]] = {}
    for candidate in cue.find(page):
        weight = weights.weight(cue.name, candidate.signs)
        if candidate.key not in found or weight > found[candidate.key][0]:
            found[candidate.key] = weight, candidate
    return found
