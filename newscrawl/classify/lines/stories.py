"""Other stories on a page: beginnings of several, whole ones above, beside and below its own."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.pointers import MAX_LABEL, MIN_PROSE, MIN_TITLE, leads, link_of
from newscrawl.classify.lines.repeats import line_places, main_place
from newscrawl.languages.patterns import WordPattern
from newscrawl.page.hints import form_of
from newscrawl.page.tags import KIND_OF
from newscrawl.page.unseen import says_rest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools, Ints

MAX_BOX: Final = 12
"""Most lines of a box with another story's headline and beginning."""
MIN_TOLD: Final = 60.0
"""Least weight of the beginning of a story."""
MIN_BOXES: Final = 3
"""Least number of similar boxes on a page."""
N_BETWEEN: Final = 2
"""Least number of similar boxes between the story's paragraphs."""
MAX_LINES: Final = 6
"""Most lines of such a box."""
MIN_BEGUN: Final = 30.0
"""Least weight of another story's beginning in such a box, if that is a link."""
MAX_ASIDE: Final = 0.4
"""Most share of the text in such boxes. A list has most of its text in its items."""
MIN_TOGETHER: Final = 0.5
"""Least share of the story's paragraphs in one element."""
SURE: Final = 0.8
"""Least probability of the page's own lines; beginnings of other stories stay below."""

MIN_YEAR: Final = 4
"""Least digits of a line with a day."""
N_BELOW: Final = 6
"""Lines below a headline that may have its day."""
MAX_DATELINE: Final = 90.0
MIN_SIGNS: Final = 2
"""Least number of signs that agree on another story."""

_TITLE: Final = KIND_OF["h1"]
_NEXT: Final = WordPattern("{links.next_story}", re.IGNORECASE)
_ADDRESSED: Final = re.compile(r"url|href|itemid|permalink|slug|(?:article|post|story|content)-?id")
"""Attributes of an element that is one of several stories."""
_FOLLOWS: Final = re.compile(
    r"(?:^|[-_\s])[nN]ext(?![a-z])|[a-z]Next(?![a-z])|readnext|next-?(?:article|news|post|story)"
)
"""Name of an element with what follows the story."""
_ITEMS: Final = frozenset(("section", "blockquote", "figure", "p", "ul", "ol", "li", "dl", "dt", "dd", "tr", "td"))
"""Parts of a text that may lead elsewhere."""
_IN_COMMENT, _IS_HEADLINE, _DIGITS, _IN_TIME = map(FEATURES.index, ("in_comment", "is_headline", "digits", "in_time"))


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


def drop_boxes(is_body: Bools, page: NetworkInput) -> None:
    """Leave out similar boxes between the story's paragraphs, each with another story's linked headline and beginning.

    A box is the largest element around a linked headline without a line of the place that holds most of the text. The
    headline is its first line, or stands below a label.
    """
    lines, measures = page.lines, page.lines.measures
    kept = is_body.nonzero()[0].tolist()
    is_title = page.features.is_links & (page.features.weight >= MIN_TITLE)
    titles = [line for line in is_title.nonzero()[0].tolist() if kept and kept[0] < line < kept[-1]]
    if len(titles) < N_BETWEEN:
        return
    flow = lines.start[np.array(kept)[np.equal(line_places(page, kept), main_place(page, kept))]]
    boxes: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for line in titles:
        row = link_of(page, int(lines.start[line]))
        if row < 0 or not leads(page, measures.nodes[row].get("href")):
            continue
        box = _box_around(page, row, flow)
        low, high = lines.within(box)
        begins = page.features.is_prose[low:high] | (page.features.weight[low:high] >= MIN_BEGUN)
        is_box = line <= low + 1 < high <= low + MAX_LINES and measures.tags[box] not in _ITEMS
        if is_box and begins.any():
            node = measures.nodes[box]
            boxes[form_of(str(node.tag), node.get("class") or "")][box] = None
    for alike in boxes.values():
        if len(alike) < N_BETWEEN:
            continue
        is_boxed = np.zeros(len(is_body), dtype=np.bool_)
        for low, high in map(lines.within, alike):
            is_boxed[low:high] = is_body[low:high]
        story = lines.start[is_body & page.features.is_prose & ~is_boxed]
        behind = np.searchsorted(story, [-1, *alike])  # a paragraph stands above the first box, and between two
        if (np.diff(behind) > 0).all() and page.chars[is_boxed].sum() <= MAX_ASIDE * page.chars[is_body].sum():
            is_body &= ~is_boxed


def _box_around(page: NetworkInput, row: int, flow: Ints) -> int:
    """Return the row of the largest element around a row without one of ``flow``, or of one with more lines than a box
    has.

    :param flow: first rows of the lines in the place that holds most of the text, ascending.
    """
    measures, n_lines = page.lines.measures, 0
    while n_lines <= MAX_LINES:
        around = int(measures.parent[row])
        first, stop = np.searchsorted(flow, (around, measures.end[around])).tolist()
        if first < stop:
            break
        row = around
        low, high = page.lines.within(row)
        n_lines = high - low
    return row


def drop_stories_above(is_body: Bools, page: NetworkInput) -> None:
    """Leave out another story above the page's own, in one element with its headline, which is a link.

    Below the page's headline, it is linked twice, or a heading is linked, or a heading stands above a link to read on.
    """
    lines, measures = page.lines, page.lines.measures
    headline = page.values[:, _IS_HEADLINE].nonzero()[0]
    told = (is_body & page.features.is_prose).nonzero()[0]
    if not len(headline) or np.count_nonzero(told > headline[0]) < MIN_PROSE:
        return
    around = page.named.near[0].take(told)
    mass = np.bincount(around, page.chars[told])
    story = told[around == mass.argmax()] if mass.max() >= MIN_TOGETHER * mass.sum() else told[:0]
    begin = int(story[0]) if len(story) >= MIN_PROSE else 0
    for line in told[told < max(begin, headline[0])].tolist():
        if not is_body[line]:
            continue
        box, above = int(lines.start[line]), line < headline[0]
        stop = lines.start[headline[0] if above else begin]
        while measures.parent[box] >= 0 and measures.end[measures.parent[box]] <= stop:
            box = int(measures.parent[box])
        low, high = lines.within(box)
        title = low + int(page.features.is_prose[low:high].argmax()) - 1
        if title < low or (high - low > MAX_BOX and not above):
            continue
        links = [at for at in range(low, high) if page.features.is_links[at]]
        rows = [link_of(page, int(lines.start[at])) for at in links]
        hrefs = {at: href for at, row in zip(links, rows, strict=True) if row >= 0
                 and leads(page, href := measures.nodes[row].get("href"))}  # fmt: skip
        is_twice = title in hrefs and Counter(hrefs.values())[hrefs[title]] > 1
        reads_on = _is_linked(page, title) or any(says_rest(lines.text(at)) for at in hrefs)
        if (title in hrefs and above) or is_twice or (page.features.is_heading[title] and reads_on):
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
    """Return the tag of an element, and its first class or size of letters."""
    node = page.lines.measures.nodes[row]
    return str(node.tag), (node.get("class") or node.get("size") or "").split()[:1]


def drop_stories_below(is_body: Bools, page: NetworkInput) -> None:
    """Leave out what follows the whole story under a headline of its own, if that is another story's.

    Its element is the largest one around the headline without a paragraph of the story above it.
    """
    lines, measures = page.lines, page.lines.measures
    headline = page.values[:, _IS_HEADLINE].nonzero()[0][:1].tolist()
    told = lines.start[is_body & page.features.is_prose]
    title = int(lines.start[headline[0]]) if headline else len(measures.end) - 1
    form = _form_of(page, headline[0]) if headline and not page.features.is_heading[headline[0]] else ()
    may_begin = page.features.is_heading | (~page.features.is_prose & bool(form))
    within = told[np.searchsorted(told, title) + MIN_PROSE - 1 :]
    if not len(within):
        return
    may_begin &= (lines.start > max(within[0], measures.end[title] - 1)) & (lines.start < within[-1])
    may_begin &= page.features.weight >= MIN_TITLE  # answers and comments stand below their number
    for line in may_begin.nonzero()[0].tolist():
        row = other = int(lines.block[line] if page.features.is_heading[line] else lines.start[line])
        above, before = np.searchsorted(told, (title, lines.start[line])).tolist()
        if not (page.features.is_heading[line] or _form_of(page, line) == form):
            continue
        while measures.parent[other] > told[before - 1]:
            other = int(measures.parent[other])
        end = len(measures.end) if other == row else int(measures.end[other])
        if not before < np.searchsorted(told, end) or lines.text(line) == lines.text(headline[0]):
            continue
        if page.values[np.searchsorted(lines.start, told[before]), _IN_COMMENT] > page.values[headline[0], _IN_COMMENT]:
            continue
        first = lines.within(other)[0]
        labels = range(max(first - 1, 0), line + int(page.features.is_heading[line + 1])) if other != row else ()
        is_next = any(page.features.weight[at] <= MAX_LABEL and _NEXT.search(lines.text(at)) for at in labels)
        if is_next or _is_other_story(page, headline[0], line, other, told[above:]):
            is_body[first - int(first - 1 > headline[0] and not page.features.is_prose[first - 1]) :] = False
            return


def _is_other_story(page: NetworkInput, headline: int, line: int, other: int, told: Ints) -> bool:
    """Tell whether a heading below the story begins another one.

    Beside it, without an element of its own, it has the form of the headline, and both have a day. In one, two signs
    agree: the form of the headline, that of the story, a day, an address, an article, a link, a name.

    :param told: rows of the paragraphs below the headline.
    """
    measures, block = page.lines.measures, page.lines.block
    title, row = (int(block[at] if page.features.is_heading[at] else page.lines.start[at]) for at in (headline, line))
    if other == row:
        is_beside = measures.parent[row] < title and _names_of(page, row) == _names_of(page, title)
        return is_beside and _has_day(page, row) and _has_day(page, title)
    behind = int(np.searchsorted(told, other))
    story = int(told[0])
    while measures.end[story] <= told[behind - 1]:
        story = int(measures.parent[story])
    if np.searchsorted(told, measures.end[other]) < np.searchsorted(told, measures.end[story]):
        return False  # the story goes on below
    own = title
    while not (measures.parent[own] <= other < measures.end[measures.parent[own]]):
        own = int(measures.parent[own])
    is_title = measures.kinds[row] == _TITLE == measures.kinds[title]
    is_whole = own <= story < measures.end[own] and _names_of(page, own) != _names_of(page, other)
    node = measures.nodes[other]
    signs = (
        is_title or _repeats(page, int(page.lines.start[line]), int(page.lines.start[headline]), other),
        is_title and is_whole,
        _repeats(page, int(told[behind]), int(told[0]), other),
        _has_day(page, row, other),
        _has_address(page, other),
        node.tag == "article",
        _is_linked(page, line),
        _FOLLOWS.search(" ".join([str(node.tag), *map(str, node.attrib), node.get("class") or ""])) is not None,
    )
    if sum(signs) < MIN_SIGNS:
        return False
    tag, beside = str(node.tag), node.getparent()
    form = form_of(tag, node.get("class") or "")
    among = measures.nodes if form != tag or beside is None else beside
    forms = (form_of(tag, part.get("class") or "") for part in among if part.tag == tag)
    return sum(one == form for one in forms) < MIN_BOXES


def _is_linked(page: NetworkInput, line: int) -> bool:
    """Tell whether a headline links to another page, here or elsewhere."""
    lines, nodes = page.lines, page.lines.measures.nodes
    is_alike = page.features.is_links & (lines.chars == lines.chars[line])
    alike = is_alike.nonzero()[0].tolist() if page.features.weight[line] >= MIN_TITLE else ()
    rows = [link_of(page, int(lines.start[at])) for at in alike if lines.text(at) == lines.text(line)]
    return any(row >= 0 and leads(page, nodes[row].get("href")) for row in rows)


def _repeats(page: NetworkInput, row: int, own: int, other: int) -> bool:
    """Tell whether two elements have the same names, and a class, up to one inside another story's element."""
    parent = page.lines.measures.parent
    while row >= other and (names := _names_of(page, row)) == _names_of(page, own):
        if names[1]:
            return True
        row, own = int(parent[row]), int(parent[own])
    return False


def _form_of(page: NetworkInput, line: int) -> tuple[object, ...]:
    """Return the tags and classes from a line's first text up to its block, if it has a form of its own."""
    row, block = int(page.lines.start[line]), int(page.lines.block[line])
    names = []
    while row > block:
        names.append(_names_of(page, row))
        row = int(page.lines.measures.parent[row])
    return tuple(names)


def _is_teaser(page: NetworkInput, row: int) -> bool:
    """Tell whether an element is one of several similar boxes with another story's linked headline."""
    lines, measures = page.lines, page.lines.measures
    low, high = lines.within(row)
    if high - low > MAX_BOX:
        return False
    weight = page.features.weight[low:high]
    titles = low + (page.features.is_links[low:high] & (weight >= MIN_TITLE)).nonzero()[0]
    links = [link_of(page, int(lines.rows[lines.first[line]])) for line in titles.tolist()]
    if not any(link >= 0 and leads(page, measures.nodes[link].get("href")) for link in links):
        return False
    names = measures.nodes[row].get("class")
    if not names:
        return False
    alike = ((measures.kinds == measures.kinds[row]) & (measures.chars > 0)).nonzero()[0].tolist()
    return len([row for row in alike if measures.nodes[row].get("class") == names]) >= MIN_BOXES
