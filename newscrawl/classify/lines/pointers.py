"""Lines to other stories: a label with a link, a linked headline alone."""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import numpy as np
from lxml import etree

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.repeats import main_place, stand_apart
from newscrawl.languages.patterns import WordPattern
from newscrawl.page.tags import HEADINGS, KIND_OF, kinds_among
from newscrawl.page.unseen import MAX_RESTS, says_rest
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools

MAX_LABEL: Final = 36.0
"""Most weight of text before the link."""
MIN_TITLE: Final = 14.0
"""Least weight of a linked headline."""
MIN_BARE: Final = 18.0
"""Least weight of a linked headline that stands alone."""
MAX_SHARE: Final = 0.5
"""Most characters of such lines per character of prose. Lists have more."""
MAX_LINES: Final = 0.6
"""Most such lines per line of prose."""
MIN_PROSE: Final = 2
MAX_LABELS: Final = 90.0
"""Most weight of a line of labels."""
MAX_PARTS: Final = 8
"""Most labels of a line."""
MAX_ROWS: Final = 3
"""Most lines of labels. Lists have more."""

_LINK: Final = KIND_OF["a"]
_SUMMARY: Final = KIND_OF["summary"]
_IS_ITEM: Final = kinds_among(frozenset(("li", "dd", "dt", "td", "th")))
_IS_HEADING: Final = kinds_among(HEADINGS)
_LABEL: Final = re.compile(r"[^.!?。！？]*[:：▶►▸»›>|】〕\]→☞●◆■]\W*|\W*")
"""Label that ends with a mark, or marks alone."""
_KNOWN: Final = WordPattern(r"\W*{lines.pointer}", re.IGNORECASE, is_led=True)
_ALONE: Final = WordPattern(r"\W*{lines.pointer}\W*", re.IGNORECASE, is_led=True)
_NAMED: Final = WordPattern(r"\W*{lines.pointer}\s*[:：]", re.IGNORECASE, is_led=True)
_QUOTED: Final = " \t\"'“”„«»‹›「」『』《》〈〉()（）[]【】.。"
_STOPS: Final = tuple(".。．。।॥۔።։།။។")
"""Ends of sentences of a story. Headlines may ask or exclaim."""
MAX_NAMED: Final = 120.0
"""Most weight of a label and a headline that is not linked."""
_IN_ITEM: Final = FEATURES.index("in_item")
_TOLD: Final = [FEATURES.index(name) for name in
                ("ends_sentence", "in_item", "own_cell", "in_code", "in_figure", "in_quote")]  # fmt: skip
_END: Final = re.compile(r"[\s\W]*")
_NOT_PAGES: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|pdf|mp[34]|docx?|xlsx?|pptx?|zip|rar|csv)$", re.IGNORECASE)


def drop_pointers(is_body: Bools, page: NetworkInput) -> None:
    """Leave out lines to other stories between and below paragraphs, unless the page is a list."""
    features, lines = page.features, page.lines
    prose = (is_body & features.is_prose).nonzero()[0]
    if len(prose) < MIN_PROSE:
        return
    _drop_listed(is_body, page, int(prose[0]))
    asked = (is_body & (lines.link_chars > 0) & (features.free <= MAX_LABEL) & ~features.is_prose).nonzero()[0]
    found = [line for line in asked[asked > prose[0]].tolist() if _points(page, line, is_body)]
    if page.chars[found].sum() <= MAX_SHARE * page.chars[prose].sum() and len(found) <= MAX_LINES * len(prose):
        is_body[found] = False
    _drop_named(is_body, page, int(prose[0]))
    above = is_body[:-1] & ~is_body[1:] & (features.is_links[1:] | (features.link_share[1:] == 1))
    labels = [line for line in above.nonzero()[0].tolist() if line > prose[0] and _is_label(page, line)]
    is_body[labels] = False
    short = (is_body & (features.weight <= MAX_LABEL) & ~features.is_prose).nonzero()[0]
    is_body[[line for line in short[short > prose[0]].tolist() if _opens(page, line)]] = False


def _drop_named(is_body: Bools, page: NetworkInput, first: int) -> None:
    """Leave out a known label and the headline of another story, linked elsewhere on the page and not here."""
    lines, weight = page.lines, page.features.weight
    asked = (is_body & (lines.link_chars == 0) & (weight >= MIN_TITLE) & (weight <= MAX_NAMED)).nonzero()[0].tolist()
    told = {line: text for line in asked if line > first and (label := _NAMED.match(text := lines.text(line)))
            if (text := text[label.end() :].strip(_QUOTED))}  # fmt: skip
    if told:
        titles = set(lines.texts((page.features.is_links & (weight >= MIN_TITLE)).nonzero()[0].tolist()))
        is_body[[line for line, text in told.items() if text in titles]] = False


def _opens(page: NetworkInput, line: int) -> bool:
    """Tell whether a click on a line shows the rest of the text. A line that opens many parts is a heading."""
    measures = page.lines.measures
    row = int(page.lines.block[line])
    node = measures.nodes[int(page.lines.start[line])]
    is_rest = bool(measures.kinds[row] == _SUMMARY and np.count_nonzero(measures.kinds == _SUMMARY) <= MAX_RESTS)
    is_script = node.tag != "a" and (node.get("onclick") is not None or node.get("role") == "button")
    is_label = is_rest or is_script or says_rest(page.lines.text(line))
    return is_label and not _IS_HEADING[measures.kinds[row]]


def _drop_listed(is_body: Bools, page: NetworkInput, first: int) -> None:
    """Leave out a known label alone on its line, and the items below it if each has a link."""
    is_item = page.values[:, _IN_ITEM] > 0
    starts = is_body[:-1] & is_item[1:] & ~is_item[:-1] & (page.lines.link_chars[1:] > 0)
    for label in starts.nonzero()[0].tolist():
        stop = label + 1
        while stop < len(is_item) and is_item[stop]:
            stop += 1
        linked = page.lines.link_chars[label + 1 : stop] > 0
        if label > first and stop - label > 1 and linked.all() and _ALONE.fullmatch(page.lines.text(label)):
            is_body[label:stop] = False


def _points(page: NetworkInput, line: int, is_body: Bools) -> bool:
    """Tell whether a line is one link to another story, with at most a label before it."""
    lines, measures = page.lines, page.lines.measures
    weight = float(page.features.weight[line] - page.features.free[line])
    is_known = bool(_KNOWN.match(lines.text(line)))
    linked = _linked(page, line) if is_known or weight >= MIN_TITLE else None
    if linked is None:
        return False
    label, row = linked
    is_labelled = is_known or (any(map(str.isalpha, label)) and _LABEL.fullmatch(label) is not None)
    is_page = leads(page, measures.nodes[row].get("href")) if is_labelled or _END.fullmatch(label) else None
    block = int(measures.kinds[lines.block[line]])
    if is_known or not is_page or _IS_HEADING[block]:
        return is_known and is_page is not None
    if _IS_ITEM[block]:
        return _is_label(page, line - 1) or not is_body[line - 1]
    return is_labelled or (weight >= MIN_BARE and not lines.text(line).rstrip(_QUOTED[:-2]).endswith(_STOPS))


def _linked(page: NetworkInput, line: int) -> tuple[str, int] | None:
    """Return the text before the only link of a line, and the link's row; None for several links or text after it."""
    lines = page.lines
    first, stop = lines.first[line : line + 2].tolist()
    links = [link_of(page, row) for row in lines.rows[first:stop].tolist()]
    inside = [place for place, row in enumerate(links) if row >= 0]
    if not inside or len({*links[inside[0] : inside[-1] + 1]}) > 1:
        return None
    behind = "".join(lines.pieces[first + inside[-1] + 1 : stop])
    return ("".join(lines.pieces[first : first + inside[0]]), links[inside[0]]) if _END.fullmatch(behind) else None


def link_of(page: NetworkInput, row: int) -> int:
    """Return the row of the link around a text; -1 for none."""
    measures = page.lines.measures
    while row > 0 and measures.kinds[row] != _LINK:
        row = int(measures.parent[row])
    return row if row > 0 else -1


def leads(page: NetworkInput, href: str | None) -> bool | None:
    """Tell whether an address is another page of the same host; None if it is no page."""
    href = (href or "").strip()
    try:
        parts = urlsplit(href)
        own = urlsplit(page.url or "")
    except ValueError:
        return None
    if not href or href[0] == "#" or parts.scheme not in {"", "http", "https"} or _NOT_PAGES.search(parts.path):
        return None
    if len(parts.path.strip("/")) < 2 and not parts.query:
        return None
    if parts.netloc and parts.netloc != own.netloc and not same_site(urljoin(page.url or "", href), page.url or ""):
        return False
    return parts.path != own.path or parts.query != own.query


def _is_label(page: NetworkInput, line: int) -> bool:
    """Tell whether a line is the label of the lines below it."""
    if line < 0 or page.features.weight[line] > MAX_LABEL or page.features.is_links[line]:
        return False
    text = page.lines.text(line)
    return text[-1:] in ":：▶»›>" or _KNOWN.match(text) is not None


def drop_rows_of_labels(is_body: Bools, page: NetworkInput) -> None:
    """Leave out lines of several inline elements and nothing else, without links, set apart from the paragraphs."""
    features, lines = page.features, page.lines
    kept = is_body.nonzero()[0].tolist()
    may_be = is_body & ~features.is_prose & ~features.is_heading & (features.weight <= MAX_LABELS)
    may_be &= (lines.link_chars == 0) & (np.diff(lines.first) > 1) & (page.values[:, _TOLD] == 0).all(axis=1)
    asked = may_be.nonzero()[0].tolist()
    apart = stand_apart(page, asked, kept, main_place(page, kept)) if asked else []
    found: list[int] = []
    for line in compress(asked, apart):
        node = lines.measures.nodes[int(lines.block[line])]
        between = "".join(part.tail or "" for part in node) + (node.text or "")
        n_parts = sum(bool(part.text_content().strip()) for part in node.iterchildren(tag=etree.Element))
        if 1 < n_parts <= MAX_PARTS and not between.strip():
            found.append(line)
    is_body[found if len(found) <= MAX_ROWS else []] = False
