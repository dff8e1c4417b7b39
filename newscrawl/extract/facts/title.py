"""The headline: what the page calls its title without the site's name, or a line that looks like one."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

import numpy as np

from newscrawl.extract.facts.site_name import (
    MAX_TITLE_CHARS,
    headings_of,
    headline_line,
    leads_up,
    names_press,
    strip_site,
)
from newscrawl.languages.text import fold, lower, similarity, spelled_in_url, stems
from newscrawl.page.jsonld import text_of
from newscrawl.urls.canonical import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.places import Line, PageLines
    from newscrawl.page.statements import Evidence

SAME: Final = 0.9
"""Similarity from which two titles are one, written differently."""
RELATED: Final = 0.5
"""Similarity from which a heading can be the page's title shortened or lengthened by an editor."""
MIN_PART_CHARS: Final = 12
MIN_ONLY_CHARS: Final = 6
MIN_ONLY_WIDE: Final = 2
MIN_CUT_CHARS: Final = 20
EDITOR_LINES: Final = 3
"""An editor's headline stands at most so many lines below the one written for search engines."""
MAX_BROKEN: Final = 3
"""Most lines between the first and the last of a heading that breaks off."""
N_TOLD: Final = 6
"""First paragraphs in which words of a title are looked for."""
SPELLED: Final = 0.75
"""Similarity from which an address spells a title."""

_META_TITLES: Final = ("og:title", "twitter:title", "dc.title", "dcterms.title", "headline", "title", "sailthru.title",
                       "parsely-title", "article:title", "articletitle")  # fmt: skip
_LEAST_AGREEMENT: Final = {"h1": RELATED, "h2": 0.8, "h3": 0.8}
_LEVEL_BONUS: Final = {"h1": 0.3, "h2": 0.1, "h3": 0.0}
_KICKER_END: Final = re.compile(r"[:：|]\s*|\s[-–—]\s")
_BANNER_END: Final = re.compile(r"\s*[:|»–—-]\s+(?=\S)")
_DASH: Final = re.compile(r"\s?[-–—_|｜»›]++\s*+")
_WIDE: Final = re.compile(r"[\u3000-\u9fff]")
_SLUG_END: Final = re.compile(r"\.\w{2,5}$")


def choose_headline(
    evidence: Evidence, sites: frozenset[str], stated_sites: frozenset[str] | None = None, called: str | None = None
) -> tuple[str, str, int] | None:
    """Return headline, origin and line as :func:`_choose`; of a channel's title, the heading that the text speaks of.

    :param called: words of the link that led to the page. A line that repeats them is the headline of a story whose
        title says something else.
    """
    found = _choose(evidence, sites, stated_sites)
    if found is None or found[1] == "json-ld":
        return found
    lines, words = evidence.lines, (called or "").rstrip("… .")
    line: Line | None = None
    if called and len(fold(words)) >= MIN_ONLY_CHARS and similarity(fold(found[0]), fold(called)) < RELATED:
        begun = (at for at, text in enumerate(lines.texts) if text.startswith(words) and len(text) <= MAX_TITLE_CHARS)
        line = next((lines[at] for at in begun if not lines[at].linked), None)
    line = line or _instead_of_channel(evidence, found[0], found[2])
    return found if line is None else (heading_variants(line)[0], line.tag or "visible", line.number)


def _choose(
    evidence: Evidence, sites: frozenset[str], stated_sites: frozenset[str] | None = None
) -> tuple[str, str, int] | None:
    """Return headline, where it came from, and the line it stands on (-1 where it is not visible).

    In order of trust: a heading below the title written for search engines, where JSON-LD or OpenGraph state it; the
    only first-level heading, where it agrees with a declared title and JSON-LD has other words; the article's
    ``headline`` in JSON-LD; a heading that agrees; the only first-level heading; the title declared first, unless it is
    but a press's name, and a line above the text looks like a headline.

    :param stated_sites: those of ``sites`` that are not read off the page title; all by default.
    """
    lines, page = evidence.lines, (evidence.url or "").partition("#")[0]
    own: list[Line] = []
    banners: set[str] = set()
    for line in lines.headings:
        href = evidence.link_of(line) if line.tag == "h1" and line.linked else None
        address = absolute(href, evidence.base) if href else None
        if address is None or address.partition("#")[0] == page:
            own.append(line)
        if address is not None and leads_up(address, page):
            banners.add(line.text)
    banners |= {name for name in evidence.metas.get("og:site_name", ()) if name}
    declared = _declared(evidence, sites, sites if stated_sites is None else stated_sites, banners)
    only = _only_heading(lines, sites)
    kicked = [part for text, _ in declared for part in _KICKER_END.split(text, maxsplit=1)[1:]]
    heading = _heading(own, [fold(text) for text, _ in declared], sites, kicked)
    editors = _editors_heading(evidence, declared)
    if editors is not None:
        return editors
    stated = next((text for text, origin in declared if origin == "json-ld"), None)
    # readers are shown another headline than search engines; one that holds the visible one has its kicker in front
    is_shown = heading and only and heading[1] is only[1] and fold(only[0]) not in fold(stated or "")
    if stated is not None and not is_shown:
        return stated, "json-ld", heading[1].number if heading else _line_of(lines, fold(stated))
    text, origin = declared[0] if declared else ("", "")
    if heading is None and _line_of(lines, fold(text)) < 0:
        heading = only
    if heading is not None and (stated is not None or not _is_title_above(lines, text, heading[1])):
        text, line = heading
        whole = _over_lines(evidence, line, declared)
        return whole or _without_kicker(text, line, declared), line.tag, line.number
    is_press = not text or (origin in {"title", "meta"} and names_press(text))
    if is_press and (shown := headline_line(evidence)) is not None:
        return shown.text, "visible", shown.number
    return _as_shown(lines, text, origin) if text else _named_as_site(evidence)


def _over_lines(evidence: Evidence, line: Line, declared: Sequence[tuple[str, str]]) -> str | None:
    """Return all lines of a heading that breaks off, where together they are what is declared; None elsewhere."""
    lines, element = evidence.lines, _heading_of(evidence, line)
    numbers = [near.number for near in lines.headings if abs(near.number - line.number) <= MAX_BROKEN]
    own = [number for number in numbers if _heading_of(evidence, lines[number]) is element]
    if len(own) < 2:
        return None
    texts = [lines.texts[number] for number in own]
    whole = ("" if _WIDE.search(texts[0]) else " ").join(texts)
    return whole if any(fold(text) == fold(whole) for text, _ in declared) else None


def _heading_of(evidence: Evidence, line: Line) -> HtmlElement | None:
    """Return the heading that a line stands in."""
    node = evidence.document.measures.nodes[evidence.lines.starts[line.number]]
    return node if node.tag == line.tag else next(node.iterancestors(line.tag), None)


def _is_title_above(lines: PageLines, title: str, heading: Line) -> bool:
    """Tell whether a line is all of the title, above a heading with other words or one that leads to the page again."""
    above = lines.texts[: heading.number]
    is_line = title in above and not lines[above.index(title)].linked
    return is_line and (heading.linked or similarity(fold(title), fold(heading.text)) < SAME)


def _instead_of_channel(evidence: Evidence, title: str, number: int) -> Line | None:
    """Return the heading above the text that shares words with it, where a title shares none and is no heading there.

    A heading that repeats a link above it, as of a menu or a breadcrumb, is a channel's.
    """
    lines = evidence.lines
    first = next(iter(lines.paragraphs), -1)
    told = lower(" ".join(lines.texts[place] for place in islice(lines.paragraphs, N_TOLD)))
    slug = _SLUG_END.sub("", max(unquote(urlsplit(evidence.url or "").path).split("/"), key=len))
    is_spelled = len(fold(slug)) >= MIN_CUT_CHARS and spelled_in_url(title, slug) >= SPELLED
    if first < 0 or is_spelled or _speaks_of(told, title):
        return None
    is_heading = number >= 0 and bool(lines[number].tag) and not lines[number].linked
    if is_heading and not any(lines[place].linked for place, text in enumerate(lines.texts[:number]) if text == title):
        return None
    above = (line for line in reversed(lines.headings) if line.number < first and not line.linked)
    found = next((line for line in above if line.text != title and _speaks_of(told, line.text)), None)
    if found is None and (shown := headline_line(evidence)) is not None and _speaks_of(told, shown.text):
        found = shown
    return found


def _speaks_of(told: str, title: str) -> bool:
    """Tell whether a text has a word of a title."""
    return any(stem in told for stem in stems(title))


def _named_as_site(evidence: Evidence) -> tuple[str, str, int] | None:
    """Return the one first-level heading that is all of the page title: a column may bear the name of its site."""
    found = [line for line in evidence.lines.headings if line.tag == "h1" and not line.linked]
    is_title = len(found) == 1 and fold(found[0].text) == fold(evidence.title) != ""
    return (found[0].text, "h1", found[0].number) if is_title else None


def _declared(
    evidence: Evidence, sites: frozenset[str], stated_sites: frozenset[str], banners: Iterable[str]
) -> list[tuple[str, str]]:
    """Return the titles stated outside the visible text, site names stripped, with their origin.

    :param banners: headings that lead to a page above this one, as a blog's name above its post, and the site's name.
    """
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
    visible = evidence.document.once(headings_of).own
    result = []
    for text, origin in raw:
        names = stated_sites if origin == "json-ld" else sites
        title = text[:MAX_TITLE_CHARS]
        ends = (_BANNER_END.match(title, len(banner)) for banner in banners if title.startswith(banner))
        end = next(filter(None, ends), None)  # what stands behind the blog's name and a colon or dash is the title
        stripped = strip_site(title[end.end() :] if end else title, names, visible)
        if stripped and fold(stripped) not in sites:
            result.append((stripped, origin))
    return result


def _editors_heading(evidence: Evidence, declared: Sequence[tuple[str, str]]) -> tuple[str, str, int] | None:
    """Return the editor's headline below a first-level heading that is written for search engines.

    The upper heading repeats the page title, and a style sheet often hides it. JSON-LD or OpenGraph state the lower.
    """
    title = next((fold(text) for text, origin in declared if origin == "title"), "")
    others = [(text, origin) for text, origin in declared if similarity(fold(text), title) < SAME]
    if not title or not others:
        return None
    for line in evidence.lines.headings:
        if line.tag != "h1" or similarity(fold(line.text), title) < SAME:
            continue
        for below in evidence.lines.headings:
            if not 0 < below.number - line.number <= EDITOR_LINES:
                continue
            shown = fold(below.text)
            if similarity(shown, title) >= SAME:
                continue
            for text, origin in others:
                stated = fold(text)
                if len(stated) >= MIN_CUT_CHARS and shown.endswith(stated):
                    return text, origin, below.number
                if len(shown) >= MIN_CUT_CHARS and stated.endswith(shown):  # its kicker is a heading of its own
                    return below.text, below.tag, below.number
    return None


def _without_kicker(heading: str, line: Line, declared: Sequence[tuple[str, str]]) -> str:
    """Return a heading without its kicker: without a beginning that the declared titles leave out or set apart.

    A beginning that the titles set apart, or that of the page leaves out, counts where it stands in an element of its
    own.
    """
    whole = fold(heading)
    parts = [part for part in line.spaced.split("  ") if part]
    ends = {fold(part) for part in (*parts, *_KICKER_END.split(heading, maxsplit=1)[1:])}
    for text, origin in declared:
        ending = fold(text)
        if origin != "title" and whole != ending and ending in ends and len(ending) >= RELATED * len(whole):
            return text
    own = [" ".join(bare.split()) for part in parts if (bare := part.strip(" |-–—"))]
    if len(own) == 2 and len(fold(own[0])) < len(fold(own[1])):
        kicker, rest = own
        for text, _ in declared:  # each is the rest alone, kicker - rest, or rest - kicker
            between = text.replace(kicker, "", 1).replace(rest, "", 1).strip()
            is_apart = kicker in text and rest in text and between in {"-", "–", "—", ":", "|"}
            if not is_apart and fold(text) != fold(rest):
                return heading
        return rest if declared else heading
    return heading


def _heading(
    lines: Sequence[Line], declared: Sequence[str], sites: frozenset[str], kicked: Iterable[str] = ()
) -> tuple[str, Line] | None:
    """Return the visible heading that is the title, and its line; None if no heading agrees with what is declared.

    A kicker in an element of its own is left out where the rest of the heading is what is declared.

    :param kicked: what stands behind the kickers of declared titles: a heading that is all of it agrees.
    """
    best: tuple[float, str, Line] | None = None
    behind = {fold(part) for part in kicked if len(part) >= MIN_CUT_CHARS}
    for line in lines:
        if not 2 <= len(line.text) <= MAX_TITLE_CHARS:
            continue
        for variant in heading_variants(line):
            folded = fold(variant)
            if not folded or folded in sites:
                continue
            least = _LEAST_AGREEMENT[line.tag]
            agreement = max((_agreement(folded, title, least) for title in declared), default=0.0)
            agreement = SAME if folded in behind else agreement
            score = agreement + _LEVEL_BONUS[line.tag] - (0.1 if line.linked else 0.0)
            if agreement >= least and (best is None or score > best[0] + 1e-9):
                best = (score, variant, line)
    return best[1:] if best is not None else None


def heading_variants(line: Line) -> list[str]:
    """Return a heading as a whole, and the parts of it that stand in elements of their own.

    Words that two elements run together (``im NetzDaten``) are set apart. A part that begins small is no heading.
    """
    parts = [part for part in line.spaced.split("  ") if part]
    if len(set(parts)) < 2:  # a heading may have its words once for each width of screen
        return [parts[0] if parts else line.text]
    whole = parts[0]
    for part in parts[1:]:
        joint = whole[-1:] + part[:1]
        whole += (
            (" " if joint.isalnum() and part[:1].isupper() and " " + part not in line.text else "")
            + (" " if f" {part}" in line.text else "")
            + part
        )
    return [whole, *(part for part in parts if len(fold(part)) >= MIN_PART_CHARS and not part[0].islower())]


def _only_heading(lines: PageLines, sites: frozenset[str]) -> tuple[str, Line] | None:
    """Return the page's one first-level heading, no link and no site's name; of several, that above all text."""
    found = [line for line in lines.headings if line.tag == "h1" and not line.linked and fold(line.text) not in sites]
    if len({fold(line.text) for line in found}) > 1:
        first = next(iter(lines.paragraphs), 0)
        found = [line for line in found if line.number < first]
    distinct = {fold(line.text) for line in found}
    text = distinct.pop() if len(distinct) == 1 else ""
    least = MIN_ONLY_WIDE if _WIDE.match(text) else MIN_ONLY_CHARS
    return (heading_variants(found[0])[0], found[0]) if least <= len(text) <= MAX_TITLE_CHARS else None


def _agreement(heading: str, title: str, least: float) -> float:
    """Return how alike heading and title are; a title that begins with the whole heading counts as nearly the same.

    0.0 where it would be less than ``least`` by the lengths alone.
    """
    n_ours, n_theirs = len(heading), len(title)
    if heading == title:
        return 1.0
    if n_ours >= MIN_ONLY_CHARS and n_ours >= RELATED * n_theirs and title.startswith(heading):
        return SAME
    if 2 * min(n_ours, n_theirs) < least * (n_ours + n_theirs) - 2:
        return 0.0
    return similarity(heading, title)


def _as_shown(lines: PageLines, text: str, origin: str) -> tuple[str, str, int]:
    """Return a declared title without the name of a site that follows or leads unseparated, as a visible line shows."""
    index = _line_of(lines, fold(text))
    if index < 0 and origin == "title":  # a line, no link, may be the longer, last part of a title cut at a dash or bar
        cuts = (cut for cut in _DASH.finditer(text) if len(text) - cut.end() >= max(MIN_ONLY_CHARS, cut.start()))
        ends = {text[cut.end() :] for cut in cuts}
        shown_ends = (number for number, line in enumerate(lines.texts) if line in ends and not lines[number].linked)
        index = next(shown_ends, -1)
        text = lines.texts[index] if index >= 0 else text
    if index >= 0:
        shown = lines.texts[index]
        rest = text.removeprefix(shown)
        is_cut = (rest[:1] == " " and _WIDE.match(rest, 1)) or (len(rest) < len(shown) and _DASH.match(rest))
        if rest != text and is_cut and len(fold(shown)) >= MIN_PART_CHARS and text not in lines.texts:
            return shown, origin, index
    return text, origin, index


def _line_of(lines: PageLines, folded: str) -> int:
    """Return the first line that is the title, that begins it, or that begins with it; -1 where there is none."""
    if len(folded) < 4:
        return -1
    least = min(len(folded), max(MIN_ONLY_CHARS, RELATED * len(folded)))
    for number in np.flatnonzero((lines.chars >= least) & (lines.chars <= 2 * MAX_TITLE_CHARS)).tolist():
        text = fold(lines.texts[number])
        if text[:1] != folded[:1]:
            continue
        if text == folded or (
            len(text) >= MIN_ONLY_CHARS
            and (folded.startswith(text) or text.startswith(folded))
            and len(text) >= RELATED * len(folded)
        ):
            return int(number)
    return -1
