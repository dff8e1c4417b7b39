"""Rules for a site's file that somebody need not write: from what harvests have seen, and from other tools' site files.

What a harvest has seen is the memory of its hosts: at which places, by tags and classes, the text of articles stood.
Site files are those of ``ftr-site-config``: lines of ``body``, ``title``, ``author``, ``date`` and ``strip``, most of
them with an XPath.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.sites.memory.keys import MAX_CHAIN
from newscrawl.sites.rules import SiteRules, rule_mistakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newscrawl.sites.memory.host import HostMemory

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


class BodyRule(NamedTuple):
    """Where the text of a host's articles stands."""

    selector: str
    share: float
    """Of the articles' letters."""
    n_pages: int
    """Articles behind it."""


def body_rule(memory: HostMemory) -> BodyRule | None:
    """Return the innermost element that holds the text of the host's articles; None where none does.

    An element whose name has a digit is none: digits change from article to article, and memory does not keep them.
    """
    letters: Counter[str] = Counter()
    depth: dict[str, int] = {}
    total = 0.0
    for place in memory.places.values():
        total += place.inside
        parts = place.name.split(" > ")[1 if len(place.name) >= MAX_CHAIN else 0 :]
        for part in dict.fromkeys(parts):
            if ("." in part or "#" in part) and "0" not in part and _SELECTOR.fullmatch(part):
                letters[part] += round(place.inside)
                depth[part] = max(depth.get(part, 0), parts.index(part))
    held = [part for part, inside in letters.items() if inside >= MIN_SHARE * total > 0]
    if memory.n_pages < MIN_PAGES or not held:
        return None
    best = max(held, key=lambda part: (depth[part], letters[part]))
    return BodyRule(best, min(1.0, letters[best] / total), memory.n_pages)


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
