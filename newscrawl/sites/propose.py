"""Rules for a site's file that somebody need not write: from what harvests have seen, and from other tools' site files.

What a harvest has seen is the memory of its hosts: at which places, by tags and classes, text and facts of articles
stood. Site files are those of ``ftr-site-config``: lines of ``body``, ``title``, ``author``, ``date`` and ``strip``,
most of them with an XPath.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.sites.memory.facts import FACTS, Support
from newscrawl.sites.memory.keys import MAX_CHAIN
from newscrawl.sites.rules import SiteRules, rule_mistakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newscrawl.sites.memory.host import HostMemory, Place

MIN_PAGES: Final = 5
"""Articles of a host from which on its memory is asked."""
MIN_SHARE: Final = 0.9
"""An element is the body's if it holds this share of the articles' text."""
_SELECTOR: Final = re.compile(r"[a-z][a-z-]*(?:\.[A-Za-z_-][\w-]*)*(?:#[A-Za-z_-][\w-]*)?")
_FTR_FIELDS: Final = {
    "body": "body",
    "title": "headline",
    "author": "authors",
    "date": "date_published",
    "strip": "not_body",
}
_NAMES: Final = re.compile(r"[\w-]+")


class Proposal(NamedTuple):
    """A rule that a host's articles bear out."""

    field: str
    selector: str
    share: float
    """``body``: of the articles' letters; a fact: of ``n_pages``; ``not_body``: 1."""
    n_pages: int
    """Articles behind it; of a fact, those that have the place."""
    day: str
    """Day of the last article that bears it out, ISO 8601; empty if none is known."""

    def __str__(self) -> str:
        """Say what bears the rule out."""
        n_agreed = round(self.share * self.n_pages)
        said = {
            "body": f"holds {self.share:.0%} of the text of {self.n_pages} articles",
            "not_body": f"stood in {self.n_pages} articles, beside their text",
        }.get(self.field, f"is {self.field} in {n_agreed} of {self.n_pages} articles asked for it")
        return f"{self.selector} {said}" + (f", last on {self.day}" if self.day else "")


def proposals(memory: HostMemory) -> list[Proposal]:
    """Return the rules that a host's articles bear out, in the order of a table of rules."""
    body = body_rule(memory)
    found = [] if body is None else [body, *_not_body_rules(memory, body.selector)]
    for field in FACTS:
        selector, support = next(memory.facts.best(field), ("", Support()))
        if support.is_sure:
            found.append(Proposal(field, selector, support.agreement, support.n_found, support.day))
    return found


def body_rule(memory: HostMemory) -> Proposal | None:
    """Return the innermost element that holds the text of the host's articles; None where none does.

    An element whose name has a digit is none: digits change from article to article, and memory does not keep them.
    """
    letters: Counter[str] = Counter()
    depth: dict[str, int] = {}
    total = 0.0
    for place in memory.places.values():
        total += place.inside
        parts = _parts(place) if place.inside else []
        for part in filter(_is_selector, dict.fromkeys(parts)):
            letters[part] += round(place.inside)
            depth[part] = max(depth.get(part, 0), parts.index(part))
    held = [part for part, inside in letters.items() if inside >= MIN_SHARE * total > 0]
    if memory.n_pages < MIN_PAGES or not held:
        return None
    best = max(held, key=lambda part: (depth[part], letters[part]))
    return Proposal("body", best, min(1.0, letters[best] / total), memory.n_pages, memory.day)


def _not_body_rules(memory: HostMemory, body: str) -> list[Proposal]:
    """Return the outermost elements in the body's that stood beside the text in all articles that had them."""
    places = list(memory.places.values())
    of_text = {part for place in places if place.inside for part in _parts(place)}
    n_pages: Counter[str] = Counter()
    for place in places:
        parts = _parts(place)
        below = parts[parts.index(body) + 1 :] if body in parts else []
        outermost = next((part for part in below if _is_selector(part) and part not in of_text), None)
        if outermost is not None:
            n_pages[outermost] = max(n_pages[outermost], place.n_pages)
    return [Proposal("not_body", part, 1.0, n, memory.day) for part, n in n_pages.items() if n >= MIN_PAGES]


def _parts(place: Place) -> list[str]:
    """Return the elements of a place's name, without one that is cut."""
    return place.name.split(" > ")[1 if len(place.name) >= MAX_CHAIN else 0 :]


def _is_selector(part: str) -> bool:
    return ("." in part or "#" in part) and "0" not in part and _SELECTOR.fullmatch(part) is not None


def ftr_rules(lines: Iterable[str]) -> tuple[SiteRules, list[str]]:
    """Return the rules of a file of ``ftr-site-config``, and its lines about these fields that cannot be used."""
    found: dict[str, list[str]] = {}
    unusable = []
    for line in lines:
        for field, selector in _ftr_rule(line):
            if rule_mistakes({field: selector}):
                unusable.append(line.strip())
            else:
                found.setdefault(field, []).append(selector)
    return SiteRules(**{field: tuple(selectors) for field, selectors in found.items()}), unusable


def _ftr_rule(line: str) -> Iterator[tuple[str, str]]:
    key, _, value = (part.strip() for part in line.partition(":"))
    if key == "strip_id_or_class":
        name = value.strip("'\"")
        if _NAMES.fullmatch(name):
            yield "not_body", f"//*[contains(@class, '{name}') or contains(@id, '{name}')]"
        return
    if key in _FTR_FIELDS and value:
        yield _FTR_FIELDS[key], value
