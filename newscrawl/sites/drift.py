"""Events of a site: its template has changed, a list ran dry, a rule fails."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A site differs from what it was: its template has changed, a list ran dry, a rule fails."""

    host: str
    reason: str
    """``places`` or ``length`` of articles' text; ``list`` (``newscrawl.store.coverage``), ``rule``, ``kinds``."""
    old: str
    """What was usual: the place that held most of the text, its length in letters, the stories of a list …"""
    new: str
    n_pages: int
    """Articles, visits or stories behind the old memory."""


def describe_drift(host: str, reason: str, old: str, new: str) -> str:
    """Return a drift as a sentence.

    >>> describe_drift("e.org", "length", "6,500 characters", "140 characters")
    'Articles of e.org became much shorter (about 6,500 characters to 140 characters): has the layout changed?'
    """
    sentences = {
        "length": f"Articles of {host} became much shorter (about {old} to {new}): has the layout changed?",
        "places": f"The text of {host}'s articles moved from {old} to {new}: has the layout changed?",
        "list": f"A list of {host} shows far fewer stories ({old} before, {new} now): was it moved or given up?",
        "rule": f"The rule {old} of {host} {new}: has the layout changed?",
        "kinds": f"{host} contradicts itself: {old}, and {new}",
    }
    return sentences.get(reason, f"{host}: {old} before, {new} now")
