"""The names a site goes by, titles without them, and what looks like a headline where the title is such a name."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from newscrawl.extract.facts.names import is_organisation
from newscrawl.languages.characters import FIRST_WIDE
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold
from newscrawl.page.hints import is_named
from newscrawl.page.jsonld import text_of
from newscrawl.page.statements import gather
from newscrawl.urls.canonical import absolute

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.document import Document
    from newscrawl.page.places import Line
    from newscrawl.page.statements import Evidence

MAX_TITLE_CHARS: Final = 300
MAX_SITE_CHARS: Final = 40
"""Folded; a longer text that a page gives as its site's name is a slogan, or the article's title."""
_SEPARATOR: Final = re.compile(
    r"(?:(?<!\s)\s++)?(?:_+|\|+|｜|┃|│|·|•|::|丨)\s*|(?<!\s)\s++(?:[-–—−~/:«»‹›<]|--)\s+"
    r"|(?<=[\u3000-\u9fff])(?<!\s\s)\s*+(?:-+|–|—)\s*(?=[\u3000-\u9fff])"
)
_SITE_METAS: Final = ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:ios:app_name", "copyright")
_HOST_WORDS: Final = frozenset("www news com net org co gov edu cn de uk au m amp blog wap 3g".split())
_HOME: Final = re.compile(r"/?(?:(?:index|default|home)\.\w{2,5})?", re.IGNORECASE)
_HOST: Final = re.compile(r"^\s*(?:https?:)?//[^/]*")
_STRONG: Final = ("_", "|", "｜", "丨", "«", "»", "·", "::", "<")
"""Separators that stand before a section or a site rather than inside a headline."""
MIN_LOGO_CHARS: Final = 3
"""Characters of a link to the home page that begins a part of the page title."""
FOOT_LINES: Final = 30
"""Last lines of a page among which its sign of copyright stands."""
_COPYRIGHT: Final = WordPattern(
    r"(?:©|\([cC]\)\s)\s*(?:\d{4}\b[\s,.–-]*)*(?:{people.by}\s)?(?P<name>[^\W\d_][^.|·•,;:–—()©\d]{2,40})"
)
_DASHES: Final = frozenset(("-", "–", "—", "--"))


class SiteNames(NamedTuple):
    """The folded names that a page's site goes by."""

    told: frozenset[str]
    """The names known beforehand and those that the page states."""
    hosts: frozenset[str]
    """The names as the host of the page's address spells them."""
    tails: frozenset[str]
    """The names that page titles end with."""
    holder: str
    """The name behind the last sign of copyright near the foot, ``""`` for none."""


def site_names(evidence: Evidence, known: Iterable[str] = ()) -> SiteNames:
    """Return the names of a page's site.

    :param known: names known beforehand.
    """
    names = set(known)
    titles = {fold(title) for title in evidence.metas.get("og:title", ())}
    whole = fold(evidence.title)
    for name in _SITE_METAS:
        for content in evidence.metas.get(name, ()):
            folded = fold(content)
            # some templates give the page's own title as the name: it is none where the page title goes on behind it
            is_title = folded in titles and whole != folded and whole.startswith(folded)
            if len(folded) <= MAX_SITE_CHARS and not is_title:
                names.add(content)
    names.update(publisher for node in evidence.nodes if (publisher := text_of(node.get("publisher"))))
    host = urlsplit(evidence.url or "").hostname or ""  # it spells names: all of it, and its longer labels
    labels = [label for label in host.split(".") if len(label) > 3 and label not in _HOST_WORDS]
    told, hosts = (set(map(fold, some)) - {""} for some in (names, (host.removeprefix("www."), *labels)))
    return SiteNames(frozenset(told), frozenset(hosts), title_tails(evidence), evidence.document.once(holder_of_site))


class Headings(NamedTuple):
    """The folded headings of a page."""

    own: frozenset[str]
    logos: frozenset[str]
    """Those that link to the home page, and parts of the page title that do: they hold the site's name."""


def headings_of(document: Document) -> Headings:
    """Return the page's headings. To be called through :meth:`Document.once`."""
    evidence = document.once(gather)
    lines, title = evidence.lines, evidence.title[:MAX_TITLE_CHARS]
    parts, shown = set(_SEPARATOR.split(title)), (at for at, text in enumerate(lines.texts) if text in title)
    named = [(lines[number], part) for number in shown for part in parts if _is_named(part, lines.texts[number])]
    logos = {fold(line.text) for line in lines.headings if line.linked and _leads_home(evidence, line)}
    logos |= {fold(part) for line, part in named if line.linked and _leads_above(evidence, line)}
    return Headings(frozenset(fold(line.text) for line in lines.headings) - logos, frozenset(logos))


def _is_named(part: str, text: str) -> bool:
    """Tell whether a line is a part of the page title, or most of one, at its beginning: 例文 of 例文的博客."""
    return text == part or (len(text) >= MIN_LOGO_CHARS and part.startswith(text) and 2 * len(text) >= len(part))


def holder_of_site(document: Document) -> str:
    """Return the name behind the last sign of copyright near the foot, ``""`` for none. For ``Document.once``."""
    texts = document.once(gather).lines.texts
    signed = (text for text in reversed(texts[-FOOT_LINES:]) if "©" in text or "(c)" in text.lower())
    found = next(filter(None, map(_COPYRIGHT.search, signed)), None)
    return found["name"].strip() if found else ""


def leads_up(address: str, url: str | None) -> bool:
    """Tell whether an address is that of a page in whose folder the page's own address lies."""
    above, own = urlsplit(address), urlsplit(url or "")
    folder = above.path.rstrip("/") + "/"
    is_above = own.path.startswith(folder) and own.path != folder and not above.query
    return is_above and bool(own.netloc) and above.netloc.removeprefix("www.") == own.netloc.removeprefix("www.")


def _leads_home(evidence: Evidence, line: Line) -> bool:
    href = evidence.link_of(line)
    if href is None or "/" in _HOST.sub("", href, count=1).strip().lstrip("./"):
        return False  # an address with folders need not be resolved to tell that it leads elsewhere
    parts, own = urlsplit(absolute(href, evidence.base) or ""), urlsplit(evidence.url or "")
    if parts.query or not _HOME.fullmatch(parts.path) or own.path in {"", "/"}:
        return False
    return parts.netloc.removeprefix("www.") == own.netloc.removeprefix("www.")


def _leads_above(evidence: Evidence, line: Line) -> bool:
    """Tell whether a link leads to the home page, or to that of the folder in which a site lies on its host."""
    if _leads_home(evidence, line):
        return True
    href = evidence.link_of(line)
    return href is not None and leads_up(absolute(href, evidence.base) or "", evidence.url)


def title_tails(evidence: Evidence) -> frozenset[str]:
    """Return the folded ends of the page title that name the site: short ones no heading shows, and logos."""
    first, *rest = (part.strip() for part in _SEPARATOR.split(evidence.title[:MAX_TITLE_CHARS]))
    if not rest:
        return frozenset()
    headings = evidence.document.once(headings_of)
    short = {fold(part) for part in rest if len(part) < len(first)} if headings.own else set()
    named = {
        tail
        for tail in short
        if 2 <= len(tail) <= MAX_SITE_CHARS // 2 and not any(tail in heading for heading in headings.own)
    }
    holder = fold(evidence.document.once(holder_of_site))
    is_held = bool(holder) and fold(rest[-1]).endswith(holder)
    return frozenset(named | headings.logos.intersection(map(fold, rest)) | ({holder} if is_held else set()))


def strip_site(title: str, sites: frozenset[str], visible: Collection[str] = ()) -> str:
    """Return ``title`` without the parts that name the site or its section.

    Where a run of parts is a visible heading, the one of most parts is kept, the first of them unless another is far
    longer, or the last one behind ``»``, which leads from the site to the page. Else parts at either end go that are a
    site's name, or end in one, and then the short last parts that follow a separator of sites.

    :param visible: folded headings of the page.

    >>> strip_site("多地项目连环爆雷_网易财经", frozenset({"网易"}))
    '多地项目连环爆雷'
    >>> strip_site("Rates rise - again", frozenset())
    'Rates rise - again'
    """
    title = " ".join(title.split())
    cuts = [(match.start(), match.end()) for match in _SEPARATOR.finditer(title)]
    if not cuts:
        return title
    parts = [Part("", title[: cuts[0][0]])]
    for (start, end), (stop, _) in pairwise([*cuts, (len(title), 0)]):
        parts.append(Part(title[start:end], title[end:stop]))
    shown = _visible_run(parts, sites, visible)
    if shown is not None:
        return shown
    kept = list(parts)
    while len(kept) > 1 and _names_site(kept[-1].text, sites):
        kept.pop()
    while len(kept) > 1 and _names_site(kept[0].text, sites):
        kept.pop(0)
    if kept[-1] is parts[-1] or kept[-1].separator.strip() in {"_", "|", "｜", "__", "<"}:
        while len(kept) > 1 and _is_tail(kept):
            kept.pop()
    return joined(kept)


class Part(NamedTuple):
    """A part of a title, with the separator before it, ``""`` before the first."""

    separator: str
    text: str


def joined(parts: Sequence[Part]) -> str:
    """Return parts of a title as it has them."""
    return (parts[0].text + "".join(f"{separator}{text}" for separator, text in parts[1:])).strip()


def _visible_run(parts: Sequence[Part], sites: frozenset[str], visible: Collection[str]) -> str | None:
    for length in range(len(parts), 0, -1):
        runs = [(first, joined(parts[first : first + length])) for first in range(len(parts) - length + 1)]
        shown = [
            pair for pair in runs if len(folded := fold(pair[1])) > 3 and folded in visible and folded not in sites
        ]
        if shown:
            last, longest = shown[-1], max(shown, key=lambda pair: len(pair[1]))
            leads_down = parts[last[0]].separator.strip() in {"»", "›"} and 2 * len(last[1]) > len(longest[1])
            return last[1] if leads_down else (longest if len(longest[1]) > 2 * len(shown[0][1]) else shown[0])[1]
    return None


def _is_tail(parts: Sequence[Part]) -> bool:
    """Tell whether the last part goes where none is a known name: a shorter one after ``_`` or ``|``, or a dash."""
    separator = parts[-1].separator.strip()
    tail, head = fold(parts[-1].text), fold(joined(parts[:-1]))
    strong = separator.startswith(_STRONG)
    wide = any(ord(letter) >= FIRST_WIDE for letter in head)
    is_site = (strong or wide) and len(tail) < len(head) and len(tail) <= MAX_SITE_CHARS
    return is_site or (separator in _DASHES and len(head) >= 3 * len(tail) and len(head) >= 20)


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


MAX_PRESS_CHARS: Final = 20
"""A longer title that names a press says more than that."""
MAX_ABOVE: Final = 12
"""Lines above the first paragraph among which the headline is looked for."""
_LINE_CHARS: Final = range(4, 81)
MIN_PROMINENCE: Final = 2.0
LARGE_PIXELS: Final = 18.0
LARGE_STEP: Final = 4
"""Least ``<font size>`` of large type; the size of text is 3."""
_TITLE_NAME: Final = re.compile(r"title|headline|biaoti|(?:^|[\s_-])(?:bt|tit|font0?1)(?:$|[\s_-])", re.IGNORECASE)
_SIZE: Final = re.compile(r"font-size\s*:\s*(\d{0,6}\.?\d{1,6})\s*(px|pt|em|rem)", re.IGNORECASE)
_PIXELS: Final = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
_LOOKED_AT: Final = 4  # elements around a line whose names and styles are its own


def names_press(title: str) -> bool:
    """Tell whether a page title is the name of a press or an office, or of its channel, which many pages have."""
    name, _, channel = title.partition(" ")
    is_name = (not channel or title[0] >= chr(FIRST_WIDE)) and not re.search("[，,:：！？!?]", title)
    return bool(is_name) and len(fold(title)) <= MAX_PRESS_CHARS and is_organisation(name)


def headline_line(evidence: Evidence) -> Line | None:
    """Return the line above the text that looks like its headline, None where none does.

    The names and the size of the type of the elements around it speak for a line.
    """
    lines = evidence.lines
    first = next(iter(lines.paragraphs), len(lines) - 1)
    best: tuple[float, Line] | None = None
    for number in range(max(0, first - MAX_ABOVE), first + 1):  # a long headline is taken for the first paragraph
        line = lines[number]
        if line.linked or len(line.text) not in _LINE_CHARS or line.text[-1] in "。.":
            continue
        if next(find_dates(line.text), None) is not None or names_press(line.text):
            continue
        score = _prominence(evidence.document.measures.nodes[lines.starts[number]])
        if score >= MIN_PROMINENCE and (best is None or score > best[0]):
            best = score, line
    return best[1] if best is not None else None


def _prominence(element: HtmlElement) -> float:
    """Return what the elements around a line say of it: 2 each for a name and for large type, 0.5 for bold type."""
    named = large = bold = 0.0
    for depth, node in enumerate((element, *element.iterancestors())):
        if depth == _LOOKED_AT or node.tag in {"body", "html", "table", "article", "main"}:
            break
        if depth < _LOOKED_AT - 1 and is_named(node, _TITLE_NAME):
            named = 2.0
        if node.tag in {"b", "strong"}:
            bold = 0.5
        size = _SIZE.search(node.get("style") or "")
        step = (node.get("size") or "").lstrip("+") if node.tag == "font" else ""
        if (size and float(size[1]) * _PIXELS[size[2].lower()] >= LARGE_PIXELS) or (
            len(step) < 3 and step.isdecimal() and int(step) >= LARGE_STEP
        ):
            large = 2.0
    return named + large + bold
