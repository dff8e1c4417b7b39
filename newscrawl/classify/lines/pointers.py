"""Lines to other stories: a label with a link, a linked headline alone, beginnings of other stories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.languages.patterns import WordPattern
from newscrawl.page.tags import HEADINGS, KIND_OF, kinds_among
from newscrawl.page.unseen import MAX_RESTS, says_rest
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
MAX_BOX: Final = 12
"""Most lines of a box with another story's headline and beginning."""
MIN_TOLD: Final = 60.0
"""Least weight of the beginning of a story."""
MIN_BOXES: Final = 3
"""Least number of similar boxes on a page."""
MIN_TOGETHER: Final = 0.5
"""Least share of the story's paragraphs in one element."""
SURE: Final = 0.8
"""Least probability of the page's own lines; beginnings of other stories stay below."""

MIN_YEAR: Final = 4
"""Least digits of a line with a day."""
N_BELOW: Final = 6
"""Lines below a headline that may have its day."""
MAX_DATELINE: Final = 90.0

_LINK: Final = KIND_OF["a"]
_TITLE: Final = KIND_OF["h1"]
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
_NEXT: Final = WordPattern("{links.next_story}", re.IGNORECASE)
_ADDRESSED: Final = re.compile(r"url|href|itemid|permalink|slug|(?:article|post|story|content)-?id")
"""Attributes of an element that is one of several stories."""
_IN_ITEM, _IS_HEADLINE, _DIGITS, _IN_TIME = map(FEATURES.index, ("in_item", "is_headline", "digits", "in_time"))
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
    leads = _leads(page, measures.nodes[row].get("href")) if is_labelled or _END.fullmatch(label) else None
    block = int(measures.kinds[lines.block[line]])
    if is_known or not leads or _IS_HEADING[block]:
        return is_known and leads is not None
    if _IS_ITEM[block]:
        return _is_label(page, line - 1) or not is_body[line - 1]
    return is_labelled or (weight >= MIN_BARE and not lines.text(line).rstrip(_QUOTED[:-2]).endswith(_STOPS))


def _linked(page: NetworkInput, line: int) -> tuple[str, int] | None:
    """Return the text before the only link of a line, and the link's row; None for several links or text after it."""
    lines = page.lines
    first, stop = lines.first[line : line + 2].tolist()
    links = [_link_of(page, row) for row in lines.rows[first:stop].tolist()]
    inside = [place for place, row in enumerate(links) if row >= 0]
    if not inside or len({*links[inside[0] : inside[-1] + 1]}) > 1:
        return None
    behind = "".join(lines.pieces[first + inside[-1] + 1 : stop])
    return ("".join(lines.pieces[first : first + inside[0]]), links[inside[0]]) if _END.fullmatch(behind) else None


def _link_of(page: NetworkInput, row: int) -> int:
    """Return the row of the link around a text; -1 for none."""
    measures = page.lines.measures
    while row > 0 and measures.kinds[row] != _LINK:
        row = int(measures.parent[row])
    return row if row > 0 else -1


def _leads(page: NetworkInput, href: str | None) -> bool | None:
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
    if parts.netloc and not same_site(urljoin(page.url or "", href), page.url or ""):
        return False
    return parts.path != own.path or parts.query != own.query


def _is_label(page: NetworkInput, line: int) -> bool:
    """Tell whether a line is the label of the lines below it."""
    if line < 0 or page.features.weight[line] > MAX_LABEL or page.features.is_links[line]:
        return False
    text = page.lines.text(line)
    return text[-1:] in ":：▶»›>" or _KNOWN.match(text) is not None


def drop_teasers(probabilities: NDArray[np.float32], is_body: Bools, page: NetworkInput) -> None:
    """Leave out beginnings of other stories: doubtful lines in similar boxes, each with a link, around the story.

    The story itself is surer and stands in one place.
    """
    doubtful = (is_body & (probabilities < SURE)).nonzero()[0]
    around = page.named.near[0]
    told = doubtful[page.features.weight[doubtful] >= MIN_TOLD]
    boxes = {row for row in set(around[told].tolist()) if _is_teaser(page, row)}
    if not boxes:
        return
    is_boxed = np.array([row in boxes for row in around.tolist()])  # np.isin loads numpy.ma
    story = (is_body & page.features.is_prose & ~is_boxed).nonzero()[0]
    if len(story) < MIN_PROSE or probabilities[story].mean() < SURE:
        return
    mass = np.bincount(around[story], page.chars[story])
    if mass.max() >= MIN_TOGETHER * mass.sum():
        inside = story[around[story] == mass.argmax()]
        told = doubtful[is_boxed[doubtful]]
        is_body[told[(told < inside[0]) | (told > inside[-1])]] = False


def drop_stories_above(is_body: Bools, page: NetworkInput) -> None:
    """Leave out another story above the page's own: its linked headline stands right above it, in one element."""
    lines, measures = page.lines, page.lines.measures
    headline = page.values[:, _IS_HEADLINE].nonzero()[0]
    told = (is_body & page.features.is_prose).nonzero()[0]
    if not len(headline) or np.count_nonzero(told > headline[0]) < MIN_PROSE or told[0] > headline[0]:
        return
    for line in told[told < headline[0]].tolist():
        if not is_body[line]:
            continue
        box = int(lines.start[line])
        while measures.parent[box] >= 0 and measures.end[measures.parent[box]] <= lines.start[headline[0]]:
            box = int(measures.parent[box])
        low, high = lines.within(box)
        title = low + int(page.features.is_prose[low:high].argmax()) - 1
        link = _link_of(page, int(lines.start[title])) if low <= title else -1
        if link >= 0 and page.features.is_links[title] and _leads(page, measures.nodes[link].get("href")):
            is_body[low:high] = False


def drop_next_stories(is_body: Bools, page: NetworkInput) -> None:
    """Leave out further stories beside the page's own, each in an element with a headline like the page's.

    If the title does not say which headline is the page's own, it is the first, and each must have a day below it. So
    must those whose headlines are of a lower level, if their elements state no addresses.
    """
    lines, measures = page.lines, page.lines.measures
    headline = lines.block[page.values[:, _IS_HEADLINE].nonzero()[0][:1]].tolist()
    level = (
        measures.kinds[headline[0]]
        if headline and page.features.is_heading[page.lines.block == headline[0]].any()
        else _TITLE
    )
    is_title = (measures.kinds.take(lines.block) == level) & page.features.is_heading
    titles = lines.block[is_title.nonzero()[0]].tolist()
    if len(titles) < 2 or (headline and headline[0] not in titles):
        return
    title = headline[0] if headline else titles[0]
    named = _names_of(page, title)
    told = lines.start[is_body & page.features.is_prose]
    alike = [row for row in titles if row != title and _names_of(page, row) == named]
    for row in (*[row for row in alike if row > measures.end[title]][:1], *[row for row in alike if row < title][-1:]):
        own, other = _elements_of(page, title, row)
        if title == own or other == row or _names_of(page, own) != _names_of(page, other):
            continue
        is_dated = _has_day(page, title) and _has_day(page, row)
        is_own = headline and (level == _TITLE or (_has_address(page, own) and _has_address(page, other)))
        if not (is_own or is_dated) or np.count_nonzero((told > own) & (told < measures.end[own])) < MIN_PROSE:
            continue
        is_body[lines.start >= other if row > title else lines.start < own] = False


def _elements_of(page: NetworkInput, title: int, other: int) -> tuple[int, int]:
    """Return the elements side by side that hold two headlines."""
    parent, end = page.lines.measures.parent, page.lines.measures.end
    own, beside = title, other
    while not (parent[own] <= other < end[parent[own]]):
        own = int(parent[own])
    while parent[beside] > parent[own]:
        beside = int(parent[beside])
    return own, beside


def _has_address(page: NetworkInput, row: int) -> bool:
    """Tell whether an element states an address or a number of its own, as for the next story of a page without end."""
    return any(_ADDRESSED.search(name) for name in page.lines.measures.nodes[row].attrib)


def _has_day(page: NetworkInput, title: int, inside: int = 0) -> bool:
    """Tell whether a short line with a day, or a ``time``, directly follows a headline inside an element."""
    first = int(np.searchsorted(page.lines.start, page.lines.measures.end[title]))
    below = np.arange(first, min(first + N_BELOW, page.lines.within(inside)[1]))
    digits, times = page.values[below][:, [_DIGITS, _IN_TIME]].T
    is_dated = (digits * page.chars[below] >= MIN_YEAR) & ~page.features.is_prose[below]
    return bool(((is_dated | (times > 0)) & (page.features.weight[below] <= MAX_DATELINE)).any())


def _names_of(page: NetworkInput, row: int) -> tuple[str, list[str]]:
    """Return the tag and the first class of an element."""
    node = page.lines.measures.nodes[row]
    return str(node.tag), node.get("class", "").split()[:1]


def drop_stories_below(is_body: Bools, page: NetworkInput) -> None:
    """Leave out what follows the whole story under a headline of its own, if that is another story's."""
    lines, measures = page.lines, page.lines.measures
    headline = page.values[:, _IS_HEADLINE].nonzero()[0][:1].tolist()
    told = lines.start[is_body & page.features.is_prose]
    title = int(lines.block[headline[0]]) if headline else len(measures.end) - 1
    for line in (page.features.is_heading & (lines.block >= measures.end[title])).nonzero()[0].tolist():
        row = int(lines.block[line])
        own, other = _elements_of(page, title, row)
        end = len(measures.end) if other == row else measures.end[other]
        above, before, at, behind = np.searchsorted(told, (title, other, row, end)).tolist()
        if before - above < MIN_PROSE or not before == at < behind or lines.text(line) == lines.text(headline[0]):
            continue
        first = lines.within(other)[0]
        labels = range(max(first - 1, 0), line) if other != row else ()
        is_next = any(page.features.weight[at] <= MAX_LABEL and _NEXT.search(lines.text(at)) for at in labels)
        n_told = np.count_nonzero((told > own) & (told < measures.end[own]))
        if is_next or _is_other_story(page, title, row, own, other, is_whole=bool(n_told >= MIN_PROSE)):
            is_body[first - int(first - 1 > headline[0] and not page.features.is_prose[first - 1]) :] = False
            return


def _is_other_story(page: NetworkInput, title: int, row: int, own: int, other: int, *, is_whole: bool) -> bool:
    """Tell whether a heading below the story begins another one.

    Beside it, without an element of its own, it has the form of the headline, and both have a day. In one, it is of the
    highest level, as the page's own, with a day, an address or other names; or it is an article's, with a day.

    :param is_whole: whether the element with the page's own headline holds a story, too.
    """
    kinds = page.lines.measures.kinds
    if other == row:
        return _names_of(page, row) == _names_of(page, title) and _has_day(page, row) and _has_day(page, title)
    if kinds[row] == _TITLE == kinds[title]:
        is_whole = is_whole and _names_of(page, own) != _names_of(page, other)
        return is_whole or _has_day(page, row, other) or _has_address(page, other)
    node = page.lines.measures.nodes[other]
    beside = node.getparent()
    n_alike = 0 if beside is None else sum(part.tag == "article" for part in beside)
    return node.tag == "article" and n_alike < MIN_BOXES and _has_day(page, row, other)


def _is_teaser(page: NetworkInput, row: int) -> bool:
    """Tell whether an element is one of several similar boxes with another story's linked headline."""
    lines, measures = page.lines, page.lines.measures
    low, high = lines.within(row)
    if high - low > MAX_BOX:
        return False
    weight = page.features.weight[low:high]
    titles = low + (page.features.is_links[low:high] & (weight >= MIN_TITLE)).nonzero()[0]
    links = [_link_of(page, int(lines.rows[lines.first[line]])) for line in titles.tolist()]
    if not any(link >= 0 and _leads(page, measures.nodes[link].get("href")) for link in links):
        return False
    names = measures.nodes[row].get("class")
    if not names:
        return False
    alike = ((measures.kinds == measures.kinds[row]) & (measures.chars > 0)).nonzero()[0].tolist()
    return len([row for row in alike if measures.nodes[row].get("class") == names]) >= MIN_BOXES
