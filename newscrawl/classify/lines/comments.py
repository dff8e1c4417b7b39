"""Threads of comments below a story, which are no part of its text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern

if TYPE_CHECKING:
    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools, Measures

COMMENTS: Final = re.compile(
    r"(?:(?:wp-block-)?(?:post|article|entry|blog|news|reader|user)?[-_]?)comments?[-_]?"
    r"(?:list|content|body|text|area|section|wrapper|container|thread|block|box|item|entry)?s?|disqus_thread|pinglun",
    re.IGNORECASE,
)
"""Words in classes and ids of comments. Forums have posts, replies and messages."""
MAX_REPLY_CHARS: Final = 12
MIN_REPLIES: Final = 2
MAX_HEADING_CHARS: Final = 40
HEAD_LINES: Final = 4
MIN_HEADED: Final = 0.6
"""Least share of paragraphs of comments with another line within ``HEAD_LINES`` above them."""
MIN_STORY: Final = 2
"""Least paragraphs of a story above its comments."""
_HEADING: Final = WordPattern(
    r"\W*(?:(?P<n>\d[\d.,]*+)\s*+(?:[条條件개]\s*+)?)?(?:{links.comments_before}\s*+)*+"
    r"{~links.comments}\s*+\W*(?:(?P<m>\d[\d.,]*+)\s*+[条條件개]?)?\W*",
    re.IGNORECASE,
)
"""Heading of a thread, with or without the number of comments."""
_IN_COMMENT, _IN_FORM, _IN_BUTTON, _IN_CODE = map(FEATURES.index, ("in_comment", "in_form", "in_button", "in_code"))


_DIGITS: Final = FEATURES.index("digits")
MIN_DAY: Final = 4
"""Least digits of a line with a date."""
MIN_TITLE: Final = 14.0
"""Weight from which a linked line or a heading makes an item a story of a list."""
MAX_SIGNED: Final = 6
"""Most words beside the day: a name, *said at*."""
MIN_ITEMS: Final = 3
_CLOCK: Final = re.compile(r"\b\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\b\.?)?", re.IGNORECASE)
FORUM: Final = re.compile(r"/(?:threads?|discussions?|forums?|bbs|viewtopic|showthread|t/\d)\b|[?&]tid=", re.IGNORECASE)
"""Addresses of threads. Their answers are text, whatever the forum calls them."""


def drop_named_comments(is_body: Bools, page: NetworkInput) -> None:
    """Leave out comments if prose comes before them, and a form or calls to reply stand among them."""
    kept = is_body.nonzero()[0]
    kept = kept[np.argmax(page.features.is_prose[kept]) :] if len(kept) else kept
    if not len(kept) or not page.features.is_prose[kept[0]] or FORUM.search(page.url or ""):
        return
    levels = page.values[:, _IN_COMMENT]
    is_inside = levels > levels[kept[0]]
    doubtful = kept[is_inside[kept]]
    if not len(doubtful) or not (page.values[is_inside, _IN_FORM].any() or _has_replies(page, is_inside)):
        return
    lines = page.lines
    found: dict[int, bool] = {-1: False}
    if not _in_comments(lines.measures, int(lines.block[kept[0]]), found):
        is_body[[line for line in doubtful.tolist() if _in_comments(lines.measures, int(lines.block[line]), found)]] = (
            False
        )


def _has_replies(page: NetworkInput, is_inside: Bools) -> bool:
    """Tell whether a short line repeats there: *Reply*, in any language."""
    short = (is_inside & (page.lines.chars <= MAX_REPLY_CHARS)).nonzero()[0]
    texts = Counter(text for text in page.lines.texts(short.tolist()) if any(map(str.isalpha, text)))
    return bool(texts) and max(texts.values()) >= MIN_REPLIES


def _in_comments(measures: Measures, row: int, found: dict[int, bool]) -> bool:
    """Tell whether an element, or one around it, is named for comments.

    :param found: rows judged before.
    """
    path = []
    while row not in found:
        path.append(row)
        node = measures.nodes[row]
        if any(map(COMMENTS.fullmatch, f"{node.get('class', '')} {node.get('id', '')}".split())):
            found[row] = True
            break
        row = int(measures.parent[row])
    found.update(dict.fromkeys(path, found[row]))
    return found[row]


def drop_headed_comments(is_body: Bools, page: NetworkInput) -> None:
    """Leave out everything below the heading of a thread, in the element that the heading begins.

    The heading counts the comments, short lines repeat below it, a form stands there, or most paragraphs are signed.
    """
    prose = (is_body & page.features.is_prose).nonzero()[0]
    if len(prose) <= MIN_STORY or FORUM.search(page.url or ""):
        return
    lines = page.lines
    after = np.arange(len(lines)) > prose[MIN_STORY - 1]
    short = (after & (lines.chars <= MAX_HEADING_CHARS) & ~page.features.is_prose & ~page.features.is_links).nonzero()[
        0
    ]
    for line in short[short <= is_body.nonzero()[0][-1]].tolist():
        match = _HEADING.fullmatch(lines.text(line))
        if match is None or page.values[line, _IN_CODE]:
            continue
        stop = _end_of_part(page, line)
        thread = np.zeros(len(lines), dtype=np.bool_)
        thread[line:stop] = True
        if (is_body & thread).any() and _is_thread(page, thread, is_body, is_counted=bool(match["n"] or match["m"])):
            is_body[thread] = False
            return


def drop_signed_items(is_body: Bools, page: NetworkInput) -> None:
    """Leave out similar items behind the text, each with a short line of name and date above its words."""
    prose = (is_body & page.features.is_prose).nonzero()[0]
    if len(prose) <= MIN_STORY or FORUM.search(page.url or ""):
        return
    lines, measures, digits = page.lines, page.lines.measures, page.values[:, _DIGITS] * page.lines.chars
    items: defaultdict[tuple[int, int, str], list[int]] = defaultdict(list)
    may_sign = ~page.features.is_prose & ~page.features.is_heading & (digits >= MIN_DAY)
    told, linked = page.features.is_prose.nonzero()[0], page.features.is_links | page.features.is_heading
    for line in told[told > prose[MIN_STORY - 1]].tolist():
        if not may_sign[line - 1]:
            continue
        row = int(lines.block[line])
        while row > 0 and lines.start[line - 1] < row:
            row = int(measures.parent[row])
        first, stop = lines.within(row)
        while row > 0 and lines.start[first - 1] < (above := int(measures.parent[row])):
            if np.searchsorted(lines.start, measures.end[above]) > stop:
                break
            row = above
        has_title = (linked & (page.features.weight >= MIN_TITLE))[first:stop].any()
        if row > lines.start[prose[0]] and not has_title:
            alike = int(measures.parent[row]), int(measures.kinds[row]), measures.nodes[row].get("class", "")
            items[alike].append(line - 1)
    for (parent, kind, names), heads in items.items():
        n = sum(map(_is_signed, lines.texts(heads))) if len(heads) >= MIN_ITEMS else 0
        rows = ((measures.parent == parent) & (measures.kinds == kind)).nonzero()[0].tolist() if n >= MIN_ITEMS else ()
        for row in rows:
            if measures.nodes[row].get("class", "") == names and row > lines.start[prose[0]]:
                low, high = lines.within(row)
                is_body[low:high] = False


def _is_signed(text: str) -> bool:
    """Tell whether a text is a day, or a time of day, and a name, and little more."""
    if len(text) > MAX_HEADING_CHARS + MAX_HEADING_CHARS:
        return False
    spans = chain(((day.start, day.end) for day in find_dates(text)), (time.span() for time in _CLOCK.finditer(text)))
    start, end = next(spans, (0, 0))
    if not end:
        return False
    words = (text[:start] + " " + text[end:]).split()
    return 0 < len(words) <= MAX_SIGNED and any(map(str.isalpha, "".join(words)))


def thread_lines(page: NetworkInput, is_body: Bools) -> Bools:
    """Return the lines of comments outside the text: in elements named so, else below their heading."""
    lines, found = page.lines, {-1: False}
    thread = np.zeros(len(lines), dtype=np.bool_)
    for line in (page.values[:, _IN_COMMENT] > 0).nonzero()[0].tolist():
        thread[line] = not is_body[line] and _in_comments(lines.measures, int(lines.block[line]), found)
    prose = (is_body & page.features.is_prose).nonzero()[0]
    if thread.any() or len(prose) < MIN_STORY:
        return thread
    outside = (lines.chars <= MAX_HEADING_CHARS) & ~is_body & ~page.features.is_prose
    for line in outside.nonzero()[0].tolist():
        if line > prose[MIN_STORY - 1] and (match := _HEADING.fullmatch(lines.text(line))):
            below = np.zeros(len(lines), dtype=np.bool_)
            below[line + 1 : _end_of_part(page, line)] = True
            is_shown = bool(match["n"] or match["m"]) or _has_replies(page, below)
            if not (below & is_body).any() and is_shown:
                return below
    return thread


def _is_thread(page: NetworkInput, thread: Bools, is_body: Bools, *, is_counted: bool) -> bool:
    """Tell whether most paragraphs have a name or a day just above them, and other signs agree."""
    prose = (thread & is_body & page.features.is_prose).nonzero()[0].astype(np.int32)
    other = np.append(0, (~page.features.is_prose).cumsum())
    headed = other.take(prose) > other.take(np.maximum(prose - HEAD_LINES, 0))
    is_signed = _are_signed(page, thread, len(prose))
    if len(prose) and (
        (headed.mean() < MIN_HEADED and not is_signed) or _goes_on(page, thread, is_body, is_signed=is_signed)
    ):
        return False
    asked = thread & (page.features.is_links | (page.values[:, _IN_BUTTON] > 0))
    return is_signed or is_counted or _has_replies(page, asked) or bool(page.values[thread, _IN_FORM].any())


def _are_signed(page: NetworkInput, thread: Bools, n_prose: int) -> bool:
    """Tell whether a name and a day begin most paragraphs, or stand beside them in a short line."""
    heads = [text[: MAX_HEADING_CHARS + 1] for text in page.lines.texts(thread.nonzero()[0].tolist())]
    n = sum(_is_signed(head if len(head) <= MAX_HEADING_CHARS else head.rpartition(": ")[0]) for head in heads)
    return n >= max(MIN_REPLIES, n_prose / 2)


def _goes_on(page: NetworkInput, thread: Bools, is_body: Bools, *, is_signed: bool) -> bool:
    """Tell whether most paragraphs stand in the element of those above the heading, or in a similar one.

    Posts of a forum are alike. Comments that are signed may stand in the element itself.
    """
    around, prose = page.named.near[0], (thread & is_body & page.features.is_prose).nonzero()[0]
    story = (is_body & page.features.is_prose & ~thread).nonzero()[0].tolist()
    names = set().union(*(_classes_around(page, line) for line in story))
    alike = sum(not names.isdisjoint(_classes_around(page, line)) for line in prose.tolist())
    held = set(around.take(story).tolist())
    together = sum(row in held for row in around.take(prose).tolist())
    return 2 * (alike - together if is_signed else max(together, alike)) > len(prose)


def _classes_around(page: NetworkInput, line: int) -> set[str]:
    """Return the classes of elements from a line's block up to the first one with other lines, too."""
    measures, row, top = page.lines.measures, int(page.lines.block[line]), int(page.named.near[0][line])
    found: set[str] = set()
    while row >= max(top, 0):
        found.add(measures.nodes[row].get("class", ""))
        row = int(measures.parent[row])
    return found - {""}


def _end_of_part(page: NetworkInput, line: int) -> int:
    """Return the line after the smallest element that holds a line and prose below it."""
    lines = page.lines
    measures = lines.measures
    row = int(lines.block[line])
    while row >= 0:
        stop = lines.within(row)[1]
        if page.features.is_prose[line + 1 : stop].any():
            return stop
        row = int(measures.parent[row])
    return len(lines)
