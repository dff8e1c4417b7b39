"""The headline: chosen among what the page calls its title, without the site's name."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.metadata.jsonld import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newscrawl.metadata.gather import Evidence, Line

MAX_TITLE_CHARS: Final = 300
SAME: Final = 0.9
"""Similarity from which two titles are one, written differently."""
RELATED: Final = 0.5
"""Similarity from which a heading can be the page's title shortened or lengthened by an editor."""

_SEPARATOR: Final = re.compile(
    r"\s*(?:_+|\|+|｜|┃|│|«|»|‹|›|·|•|::|丨)\s*|\s+(?:[-–—−~/:]|--)\s+"
    r"|(?<=[\u3000-\u9fff])\s*(?:-+|–|—)\s*(?=[\u3000-\u9fff])"
)
_META_TITLES: Final = ("og:title", "twitter:title", "dc.title", "dcterms.title", "headline", "title", "sailthru.title",
                       "parsely-title", "article:title", "articletitle")  # fmt: skip


def fold(text: str) -> str:
    """Return the letters and digits of ``text``, width and case folded: what two titles are compared by.

    >>> fold("Ａｐｐｌｅ：新品 “发布”")
    'apple新品发布'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _NOT_ALNUM.sub("", text.casefold())


_NOT_ALNUM: Final = re.compile(r"[\W_]+")


def similarity(first: str, second: str) -> float:
    """Return how alike two folded titles are, 0..1: Dice's coefficient of their pairs of neighbouring characters.

    1.0 for equal ones, 0.0 where one is empty.
    """
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    if min(len(first), len(second)) < 3:
        return 0.0
    ours, theirs = _pairs(first), _pairs(second)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


@lru_cache(maxsize=256)
def _pairs(text: str) -> frozenset[str]:
    return frozenset(map("".join, pairwise(text[:MAX_TITLE_CHARS])))


def site_names(evidence: Evidence, known: Iterable[str] = ()) -> frozenset[str]:
    """Return the folded names the page's site goes by: as told, as the page says, and its host's."""
    names = set(known)
    for name in ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:ios:app_name", "copyright"):
        names.update(evidence.metas.get(name, ()))
    for node in evidence.nodes:
        publisher = text_of(node.get("publisher"))
        if publisher:
            names.add(publisher)
    names.update(_title_tails(evidence))
    host = urlsplit(evidence.url or "").hostname or ""
    labels = [label for label in host.split(".") if label not in _HOST_WORDS]
    names.add(host.removeprefix("www."))
    names.update(label for label in labels if len(label) > 3)
    return frozenset(folded for name in names if (folded := fold(name)))


def _title_tails(evidence: Evidence) -> list[str]:
    """Return the short parts at the end of the page title that are in no visible heading: section and site."""
    headings = [fold(line.text) for line in evidence.lines if line.tag]
    parts = [part.strip() for part in _SEPARATOR.split(evidence.title[:MAX_TITLE_CHARS])]
    tails = [part for part in parts[1:] if 2 <= len(fold(part)) <= _MAX_SITE_CHARS // 2 and len(part) < len(parts[0])]
    return [part for part in tails if not any(fold(part) in heading for heading in headings)] if headings else []


_HOST_WORDS: Final = frozenset("www news com net org co gov edu cn de uk au m amp blog wap 3g".split())


def choose_headline(evidence: Evidence, sites: frozenset[str]) -> tuple[str, str, int] | None:
    """Return headline, where it came from, and the line it stands on (-1 where it is not visible).

    In order of trust: the article's ``headline`` in JSON-LD, a visible heading that agrees with what the page calls
    its title, the only first-level heading, the title most declarations agree on.
    """
    declared = _declared(evidence, sites)
    lines = evidence.lines
    heading = _heading(lines, [fold(text) for text, _ in declared], sites)
    stated = next((text for text, origin in declared if origin == "json-ld"), None)
    if stated is not None and not (heading and _is_cut(stated, heading[0])):
        return stated, "json-ld", lines.index(heading[1]) if heading else _line_of(lines, fold(stated))
    if heading is None and _line_of(lines, fold(declared[0][0]) if declared else "") < 0:
        heading = _only_heading(lines, sites)
    if heading is not None:
        text, line = heading
        return _without_kicker(text, declared), line.tag, lines.index(line)
    if not declared:
        return None
    text, origin = _best_declared(declared)
    return text, origin, _line_of(lines, fold(text))


def _without_kicker(heading: str, declared: Sequence[tuple[str, str]]) -> str:
    """Return what a heading ends with, where OpenGraph or a meta states just that as the title."""
    whole = fold(heading)
    for text, origin in declared:
        ending = fold(text)
        if origin != "title" and whole != ending and whole.endswith(ending) and len(ending) >= RELATED * len(whole):
            return text
    return heading


def _is_cut(stated: str, heading: str) -> bool:
    """Tell whether a stated headline is the visible one cut short, as some systems do at 110 characters."""
    short, full = fold(stated), fold(heading)
    return len(full) > len(short) >= MIN_CUT_CHARS and full.startswith(short)


MIN_CUT_CHARS: Final = 20


def _declared(evidence: Evidence, sites: frozenset[str]) -> list[tuple[str, str]]:
    """Return the titles stated outside the visible text, site names stripped, with their origin."""
    raw: list[tuple[str, str]] = []
    for node in evidence.articles:
        headline = text_of(node.get("headline")) or text_of(node.get("name"))
        if headline and "webpage" not in str(node.get("@type", "")).lower():
            raw.append((headline, "json-ld"))
    for name in _META_TITLES:
        raw.extend(
            (content, "opengraph" if name.startswith("og:") else "meta") for content in evidence.metas.get(name, ())[:1]
        )
    if evidence.title:
        raw.append((evidence.title, "title"))
    visible = {fold(line.text) for line in evidence.lines if line.tag}
    result = []
    for text, origin in raw:
        stripped = strip_site(text[:MAX_TITLE_CHARS], sites, visible)
        if stripped and fold(stripped) not in sites:
            result.append((stripped, origin))
    return result


def strip_site(title: str, sites: frozenset[str], visible: frozenset[str] | set[str] = frozenset()) -> str:
    """Return ``title`` without the parts that name the site or its section.

    A part between separators goes if it is a site's name or ends in one; and where one part alone (or the first
    parts together) is a visible heading, only that is kept. Else the longest run from the left is kept that
    leaves out a short last part, unless that part is most of the title.

    >>> strip_site("多地项目连环爆雷_网易财经", frozenset({"网易"}))
    '多地项目连环爆雷'
    >>> strip_site("Rates rise - again", frozenset())
    'Rates rise - again'
    """
    title = " ".join(title.split())
    cuts = [(match.start(), match.end()) for match in _SEPARATOR.finditer(title)]
    if not cuts:
        return title
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(title)]
    n_parts = len(starts)
    for length in range(n_parts, 0, -1):
        for first in range(n_parts - length + 1):
            run = title[starts[first] : ends[first + length - 1]].strip()
            if len(fold(run)) > 3 and fold(run) in visible and fold(run) not in sites:
                return run
    first, last = 0, n_parts - 1
    while last > first and _names_site(title[starts[last] : ends[last]], sites):
        last -= 1
    while first < last and _names_site(title[starts[first] : ends[first]], sites):
        first += 1
    if last == n_parts - 1 or _is_underscore(title, cuts[last - 1] if last else None):
        last = _without_tail(title, starts, ends, (first, last))
    return title[starts[first] : ends[last]].strip()


def _is_underscore(title: str, cut: tuple[int, int] | None) -> bool:
    return cut is not None and title[cut[0] : cut[1]].strip() in {"_", "|", "｜", "__"}


def _without_tail(title: str, starts: Sequence[int], ends: Sequence[int], span: tuple[int, int]) -> int:
    """Return the last part to keep where no part is a known name: parts after ``_`` or ``"
    "|`` that are shorter go.
    """
    first, last = span
    while last > first:
        separator = title[ends[last - 1] : starts[last]].strip()
        tail, head = fold(title[starts[last] : ends[last]]), fold(title[starts[first] : ends[last - 1]])
        strong = separator.startswith(("_", "|", "｜", "«", "»", "丨", "·", "::"))
        wide = any(ord(letter) > _WIDE for letter in head)
        is_site = (strong or wide) and len(tail) < len(head) and len(tail) <= _MAX_SITE_CHARS
        is_tail = separator in _DASHES and len(head) >= 3 * len(tail) and len(head) >= 20
        if not (is_site or is_tail):
            break
        last -= 1
    return last


_WIDE: Final = 0x2E80
_DASHES: Final = frozenset(("-", "–", "—", "--"))
_MAX_SITE_CHARS: Final = 40


def _names_site(part: str, sites: frozenset[str]) -> bool:
    folded = fold(part)
    if not folded:
        return True
    return any(
        folded == name
        or (len(name) > 2 and len(folded) <= 2 * len(name) + 6 and (folded.endswith(name) or folded.startswith(name)))
        or (len(folded) > 3 and name.startswith(folded))
        for name in sites
    )


def _heading(lines: Sequence[Line], declared: Sequence[str], sites: frozenset[str]) -> tuple[str, Line] | None:
    """Return the visible heading that is the title, and its line; None if no heading agrees with what is declared.

    A kicker in an element of its own is left out where the rest of the heading is what is declared.
    """
    best: tuple[float, str, Line] | None = None
    for line in lines:
        if not line.tag or not 2 <= len(line.text) <= MAX_TITLE_CHARS:
            continue
        for variant in heading_variants(line):
            folded = fold(variant)
            if not folded or folded in sites:
                continue
            agreement = max((_agreement(folded, title) for title in declared), default=0.0)
            score = agreement + _LEVEL_BONUS[line.tag] - (0.1 if line.linked else 0.0)
            if agreement >= _LEAST_AGREEMENT[line.tag] and (best is None or score > best[0] + 1e-9):
                best = (score, variant, line)
    return best[1:] if best is not None else None


def heading_variants(line: Line) -> list[str]:
    """Return a heading as a whole, and the parts of it that stand in elements of their own.

    Words that two elements run together (``im NetzDaten``) are set apart.
    """
    parts = [part for part in line.spaced.split("  ") if part]
    if len(parts) < 2:
        return [line.text]
    whole = parts[0]
    for part in parts[1:]:
        joint = whole[-1:] + part[:1]
        whole += (
            (" " if joint.isalnum() and part[:1].isupper() and " " + part not in line.text else "")
            + (" " if f" {part}" in line.text else "")
            + part
        )
    return [whole, *(part for part in parts if len(fold(part)) >= MIN_PART_CHARS)]


MIN_PART_CHARS: Final = 12


def _only_heading(lines: Sequence[Line], sites: frozenset[str]) -> tuple[str, Line] | None:
    """Return the page's one first-level heading that is neither a link nor the site's name."""
    found = [line for line in lines if line.tag == "h1" and not line.linked and fold(line.text) not in sites]
    distinct = {fold(line.text) for line in found}
    if len(distinct) != 1 or not MIN_ONLY_CHARS <= len(next(iter(distinct))) <= MAX_TITLE_CHARS:
        return None
    return heading_variants(found[0])[0], found[0]


MIN_ONLY_CHARS: Final = 6
_LEAST_AGREEMENT: Final = {"h1": RELATED, "h2": 0.8, "h3": 0.8}
_LEVEL_BONUS: Final = {"h1": 0.3, "h2": 0.1, "h3": 0.0}


def _agreement(heading: str, title: str) -> float:
    """Similarity, where a title that begins with the whole heading (a site name follows) counts as the same."""
    if len(heading) >= 6 and title.startswith(heading) and len(heading) >= RELATED * len(title):
        return SAME
    return similarity(heading, title)


def _best_declared(declared: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the title that most others agree with; ties go to the first, the page's own order of trust."""

    def votes(candidate: str) -> float:
        folded = fold(candidate)
        return sum(similarity(folded, fold(other)) >= SAME for other, _ in declared)

    return max(declared, key=lambda pair: votes(pair[0]))


def _line_of(lines: Sequence[Line], folded: str) -> int:
    """Return the first line that is the title, else one that begins it or begins with it, else -1."""
    if len(folded) < 4:
        return -1
    for index, line in enumerate(lines):
        if len(line.text) <= 2 * MAX_TITLE_CHARS:
            text = fold(line.text)
            if text == folded or (
                len(text) >= 6
                and (folded.startswith(text) or text.startswith(folded))
                and len(text) >= RELATED * len(folded)
            ):
                return index
    return -1
