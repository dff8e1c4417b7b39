"""What is certain from a page's structure, whatever its lines look like one by one: the head, comments, links.

No rule here reads what a text says. Each earns its place by what its loss costs on sites left out
(``data/results/news-extractor.md``).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.fact_lines import is_fact_line
from newscrawl.classify.lines.features import FEATURES
from newscrawl.page.tags import KIND_OF

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.classify.lines.features import PageLines
    from newscrawl.page.measures import Bools, Measures

MAX_LINKS_BESIDE: Final = 2.0
"""Characters of links on one side of the text for one of its prose: with more of them the page is a list."""

COMMENTS: Final = re.compile(
    r"(?:(?:wp-block-)?(?:post|article|entry|blog|news|reader|user)?[-_]?)comments?[-_]?"
    r"(?:list|content|body|text|area|section|wrapper|container|thread|block|box|item|entry)?s?|disqus_thread|pinglun",
    re.IGNORECASE,
)
"""Classes and ids of what holds comments. Forums speak of posts, replies and messages."""

MAX_REPLY_CHARS: Final = 12
MIN_REPLIES: Final = 2
MIN_DIGITS: Final = 6
MIN_DIGIT_SHARE: Final = 0.2
"""A dateline has a date, and not much more."""
MAX_DATELINE: Final = 90.0
MAX_FACT_LINES: Final = 2
"""An article states its facts above the text, and below it; with more such lines the page lists others' facts."""
_STOP: Final = re.compile(r"(?<!\d)\.|[!?。！？؟।]")
"""The end of a sentence; a dot behind a number makes an ordinal of it, as in German dates."""

_ITEM: Final = KIND_OF["li"]
_IN_COMMENT, _IN_FORM, _DIGITS, _SEPARATORS, _N_STOPS, _IS_HEADING, _IS_HEADLINE = map(
    FEATURES.index, ("in_comment", "in_form", "digits", "separators", "n_stops", "is_heading", "is_headline")
)


def drop_comments(is_body: Bools, page: PageLines) -> None:
    """Leave out comments on pages where prose comes before them, and a form or calls to reply stand among them."""
    kept = is_body.nonzero()[0]
    kept = kept[np.argmax(page.features.is_prose[kept]) :] if len(kept) else kept
    if not len(kept) or not page.features.is_prose[kept[0]]:
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


def _has_replies(page: PageLines, is_inside: Bools) -> bool:
    """Tell whether a short line comes again and again there: *Reply*, in any language."""
    short = (is_inside & (page.lines.chars <= MAX_REPLY_CHARS)).nonzero()[0]
    texts = Counter(text for text in page.lines.texts(short.tolist()) if text.isalpha())
    return bool(texts) and max(texts.values()) >= MIN_REPLIES


def _in_comments(measures: Measures, row: int, found: dict[int, bool]) -> bool:
    """Tell whether an element is named as comments, or one around it.

    :param found: what is known of rows.
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


def drop_headline(is_body: Bools, page: PageLines) -> None:
    """Leave out the page's own headline where the text begins with it, and goes on."""
    kept = is_body.nonzero()[0][:2].tolist()
    if len(kept) > 1 and page.values[kept[0], _IS_HEADLINE]:
        is_body[kept[0]] = False


def drop_dateline(is_body: Bools, page: PageLines) -> None:
    """Leave out a byline with its date where the text begins with it."""
    kept = is_body.nonzero()[0][:1].tolist()
    if kept and _is_dateline(page, kept[0]):
        is_body[kept[0]] = False


def _is_dateline(page: PageLines, line: int) -> bool:
    """Tell whether a line above the text is the byline with its date rather than the text's first sentence."""
    digits, n_stops, is_heading = (page.values[line, column] for column in (_DIGITS, _N_STOPS, _IS_HEADING))
    if digits < MIN_DIGIT_SHARE or digits * page.chars[line] < MIN_DIGITS or is_heading:
        return False
    is_short = page.features.weight[line] <= MAX_DATELINE
    return bool(is_short and not (n_stops and _STOP.search(page.lines.text(line))))


def drop_fact_lines(is_body: Bools, page: PageLines) -> None:
    """Leave out lines made of the page's facts alone: date, counts, byline, section."""
    values = page.values
    doubtful = is_body & (values[:, _SEPARATORS] > 0) & (values[:, _DIGITS] > 0)
    found = doubtful.nonzero()[0].tolist()
    if found:
        headlines = values[:, _IS_HEADLINE].nonzero()[0].tolist()
        headline = page.lines.text(headlines[0]) if headlines else ""
        facts = [line for line in found if is_fact_line(page.lines, line, headline)]
        is_body[facts if len(facts) <= MAX_FACT_LINES else []] = False


def drop_links_beside(is_body: Bools, page: PageLines) -> None:
    """Leave out links before the first line of prose and behind the last one, where the page is no list.

    On either side most lines have to be links: a sub-heading that is one stays.
    """
    features = page.features
    kept = is_body.nonzero()[0]
    prose = kept[features.is_prose[kept]]
    if not len(prose):
        return
    for side in (kept[kept < prose[0]], kept[kept > prose[-1]]):
        links = side[features.is_links[side]]
        if 2 * len(links) >= len(side) and page.chars[links].sum() < MAX_LINKS_BESIDE * page.chars[prose].sum():
            is_body[links] = False


def drop_list_headings(is_body: Bools, page: PageLines) -> None:
    """Leave out a heading where all that stands below it in its element, down to the next heading, is a list of links.

    Only where the list is left out, and no text stands between the heading and another as high.
    """
    features, lines = page.features, page.lines
    kept = is_body.nonzero()[0]
    kinds = lines.measures.kinds[lines.block]
    nexts = np.append(kept[1:], len(is_body))
    asked = features.is_heading[kept] & (nexts > kept + 1)
    asked &= np.append(kinds, _ITEM)[kept + 1] == _ITEM
    for line, after in zip(kept[asked].tolist(), nexts[asked].tolist(), strict=True):
        if after < len(is_body) and (not features.is_heading[after] or kinds[after] > kinds[line]):
            continue
        around = lines.measures.end[lines.measures.parent[lines.block[line]]]
        stop = min(after, int(np.searchsorted(lines.start, around)))
        headings = features.is_heading[line + 1 : stop].nonzero()[0]
        below = slice(line + 1, line + 1 + int(headings[0]) if len(headings) else stop)
        is_list = below.stop > below.start and (kinds[below] == _ITEM).all()
        if is_list and 2 * lines.link_chars[below].sum() >= lines.chars[below].sum():
            is_body[line] = False


Rules = tuple[tuple[str, "Callable[[Bools, PageLines], None]"], ...]
RULES: Final[Rules] = (
    ("the page's headline", drop_headline),
    ("a dateline above the text", drop_dateline),
    ("a line of facts", drop_fact_lines),
    ("comments of readers", drop_comments),
    ("links above or below the text", drop_links_beside),
    ("the heading of a list of links", drop_list_headings),
)
"""Rules that leave lines out, in order, each with its reason."""


def left_out(is_body: Bools, page: PageLines, rules: Rules) -> dict[int, str]:
    """Leave out what ``rules`` say, and return the reason for each line that went."""
    reasons: dict[int, str] = {}
    before = is_body.copy()
    for reason, drop in rules:
        drop(is_body, page)
        if np.count_nonzero(is_body) < np.count_nonzero(before):
            reasons |= dict.fromkeys((before != is_body).nonzero()[0].tolist(), reason)
            before = is_body.copy()
    return reasons
