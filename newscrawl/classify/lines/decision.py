"""From probabilities of lines to the body: threshold, rules, and confidence."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.comments import drop_headed_comments, drop_named_comments, drop_signed_items
from newscrawl.classify.lines.controls import drop_place_labels
from newscrawl.classify.lines.notices import drop_notices
from newscrawl.classify.lines.pointers import drop_pointers, drop_rows_of_labels
from newscrawl.classify.lines.posts import drop_heads, find_posts, unite_posts
from newscrawl.classify.lines.repeats import drop_copies, drop_parts
from newscrawl.classify.lines.stories import (
    drop_boxes,
    drop_next_stories,
    drop_stories_above,
    drop_stories_below,
    drop_teasers,
)
from newscrawl.classify.lines.structure import (
    HEAD_RULES,
    captions,
    drop_captions,
    drop_credits,
    drop_links_beside,
    left_out,
    lines_about_people,
    lines_of_agreements,
)
from newscrawl.page.tags import KIND_OF
from newscrawl.page.unseen import MAX_OPENER, MAX_RESTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.classify.lines.posts import Posts
    from newscrawl.classify.lines.structure import Rules
    from newscrawl.page.measures import Bools

    Array = NDArray[np.float32]
    Floats = NDArray[np.float64]


MAX_THRESHOLD: Final = 0.6
"""Greatest threshold: a line of this probability is always kept."""
MIN_THRESHOLD: Final = 0.05
"""Least threshold: a line below it is never kept."""
SURE_F1: Final = 0.9
"""Expected F1 by the first network above which the others are not asked: they agree."""
SIGNS: Final = (
    "expected_f1", "least_expected_f1", "doubt", "text", "share", "prose_share", "runs", "link_share", "in_items",
    "in_comments", "in_answers", "before_headline", "has_headline", "lines",
)  # fmt: skip
"""Signs of how right a body is. Shares are by characters; all but the last two are shares of the body."""

_LEAST: Final = 1e-4
_HAS_HEADLINE, _FROM_HEADLINE, _IN_COMMENT, _IN_ITEM, _IN_ANSWER, _DIGITS = map(
    FEATURES.index, ("has_headline", "from_headline", "in_comment", "in_item", "in_answer", "digits")
)
MIN_QUOTE: Final = 12.0
"""Least weight outside links of a quoted line. Shorter ones are signatures."""
_ENDS: Final = FEATURES.index("ends_sentence")
_QUOTE: Final = KIND_OF["blockquote"]
_DETAILS: Final = KIND_OF["details"]
_RAISED: Final = KIND_OF["sup"]
_CELL: Final = KIND_OF["td"]
MIN_ROWS: Final = 3
CLOCK_DIGITS: Final = (2, 4)
"""Least and most digits of a time of day."""
MAX_CLOCK: Final = 16
"""Most characters of a line that is a time of day."""
_CLOCK: Final = re.compile(
    r"\W{0,3}(?:[^\W\d]{1,4}\W?)?([01]?\d|2[0-4])\s?(?:[:：.]|[^\W\d]{1,2})\s?([0-5]\d|\d(?=[^\W\da-z]))\D{0,8}"
)
MAX_ENTRY: Final = 30
"""Lines of one entry of a live blog that are looked at."""
MIN_FILLED: Final = 0.7
"""Least share of a column's cells that are paragraphs, if the table lays out a text."""
_MAX_CLIMB: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Lines of the body, with the expected F1 and the reasons of lines left out."""

    is_body: Bools
    expected_f1: float
    """F1 by characters that the probabilities promise; 0.0 without a body."""
    threshold: float
    reasons: dict[int, str] = field(default_factory=dict)
    """Reason of each line left out that the networks take for body."""


def decide(probabilities: Array, page: NetworkInput, best: tuple[float, float] | None = None) -> Decision:
    """Return the lines above the threshold of greatest expected F1 and all posts of a thread, less what structure
    rules out.

    :param best: result of :func:`best_threshold`, if it is known.
    """
    likely, about = probabilities, lines_about_people(page, probabilities, MIN_THRESHOLD, MAX_THRESHOLD)
    about |= dict.fromkeys(lines_of_agreements(page, probabilities, MIN_THRESHOLD), "a notice of the site")
    if about:
        probabilities, best = probabilities.copy(), None
        probabilities[list(about)] = 0.0
    threshold, expected = best or best_threshold(probabilities, page.chars)
    if threshold < MAX_THRESHOLD and probabilities.max() < MAX_THRESHOLD:
        shown = captions(page)
        if page.chars[shown].sum() > page.chars[probabilities >= threshold].sum():
            probabilities = probabilities.copy()
            probabilities[shown] = MAX_THRESHOLD
            threshold, expected = best_threshold(probabilities, page.chars)
    is_body = probabilities >= threshold
    posts = find_posts(page)
    if posts is not None and is_body.any():
        unite_posts(is_body, posts, probabilities, threshold)
    if is_body.any():
        take_quotes(is_body, page)
        take_rests(is_body, page)
        take_notes(is_body, page)
        take_rows(is_body, page)
        take_entries(is_body, page)
    reasons = left_out(is_body, page, _rules(probabilities, posts))
    reasons |= {line: reason for line, reason in about.items() if likely[line] >= min(threshold, MAX_THRESHOLD)}
    return Decision(is_body=is_body, expected_f1=expected, threshold=threshold, reasons=reasons)


def _rules(probabilities: Array, posts: Posts | None) -> Rules:
    """Return the rules that leave lines out, in order, each with its reason."""
    return (
        ("how another story begins", partial(drop_teasers, probabilities)),
        *([("how another story begins", drop_boxes)] if posts is None else ()),
        ("another story", drop_next_stories),
        ("another story", drop_stories_above),
        ("another story", drop_stories_below),
        *HEAD_RULES,
        ("a caption", drop_captions),
        ("comments of readers", drop_named_comments),
        ("comments of readers", drop_headed_comments),
        ("comments of readers", drop_signed_items),
        ("links above or below the text", drop_links_beside),
        ("a line to another story", drop_pointers),
        ("a label of the page", drop_rows_of_labels),
        ("a notice of the site", partial(drop_notices, probabilities)),
        ("who wrote it", drop_credits),
        ("a label of the page", drop_place_labels),
        ("told already", drop_copies),
        ("a part of another paragraph", drop_parts),
        ("what stands above a post", partial(drop_heads, posts)),
    )


def best_threshold(probabilities: Array, chars: Array) -> tuple[float, float]:
    """Return the threshold of greatest expected F1 by characters, and that F1, from the probabilities.

    Between ``MIN_THRESHOLD`` and ``MAX_THRESHOLD``. Without characters the F1 is 0.0.
    """
    order = np.argsort(-probabilities, kind="stable")
    ranked = probabilities[order]
    weight = chars[order].astype(np.float64)
    right = np.cumsum(ranked * weight)
    f1 = 2 * right / np.maximum(weight.cumsum() + right[-1], 1e-9)
    first, stop = int(np.count_nonzero(ranked >= MAX_THRESHOLD)), int(np.count_nonzero(ranked >= MIN_THRESHOLD))
    if not stop:
        return MIN_THRESHOLD, 0.0
    low = max(first - 1, 0)
    best = low + int(np.argmax(f1[low:stop]))
    return float(ranked[best]), float(f1[best])


def sign_values(decision: Decision, members: Sequence[Array], page: NetworkInput) -> Floats:
    """Return ``SIGNS`` of a body that is not empty.

    :param members: probabilities by each network that was asked.
    """
    kept, chars = decision.is_body, page.chars
    inside = np.where(kept, chars, 0.0)
    n_body = max(1.0, float(inside.sum()))
    prose = page.features.free * page.features.is_prose
    doubt = np.minimum(members[0], 1 - members[0])
    masses = [chars * said for said in members]
    expected = [float(2 * mass[kept].sum() / (chars[kept].sum() + mass.sum() + 1e-9)) for mass in masses]
    promised = np.clip([decision.expected_f1, min(expected)], _LEAST, 1 - _LEAST)
    values = page.values
    groups = [
        values[:, _IN_ITEM] > 0,
        values[:, _IN_COMMENT] > 0,
        values[:, _IN_ANSWER] > 0,
        values[:, _FROM_HEADLINE] < 0,
    ]
    return np.array(
        [
            *np.log(promised / (1 - promised)),
            min(2.0, float((doubt * chars).sum()) / n_body),
            np.log1p(n_body),
            n_body / max(1.0, float(chars.sum())),
            float(prose[kept].sum()) / max(1.0, float(prose.sum())),
            np.log1p(np.count_nonzero(kept[1:] > kept[:-1])),
            float(page.lines.link_chars[kept].sum()) / n_body,
            *(float(inside[group].sum()) / n_body for group in groups),
            float(values[0, _HAS_HEADLINE]),
            np.log1p(len(chars)),
        ]
    )


def take_quotes(is_body: Bools, page: NetworkInput) -> None:
    """Add the lines of a ``blockquote`` between paragraphs of the text."""
    measures = page.lines.measures
    rows = (measures.kinds == _QUOTE).nonzero()[0]
    if not len(rows):
        return
    starts = page.lines.start
    kept = starts[is_body & page.features.is_prose]
    for row in rows.tolist():
        low, high = page.lines.within(row)
        if low == high or is_body[low:high].all():
            continue
        above = row
        for _ in range(_MAX_CLIMB):
            above = int(measures.parent[above])
            if above < 0 or np.searchsorted(starts, above) < low or np.searchsorted(starts, measures.end[above]) > high:
                break
        inside = kept[(kept >= max(above, 0)) & (kept < measures.end[max(above, 0)])]
        if (inside < row).any() and (inside >= measures.end[row]).any():
            is_said = (page.values[low:high, _ENDS] > 0) & (page.features.weight[low:high] >= 2 * MIN_QUOTE)
            is_body[low:high] |= (page.features.free[low:high] >= MIN_QUOTE) | is_said


def take_rests(is_body: Bools, page: NetworkInput) -> None:
    """Add the paragraphs of a ``details`` that continues the text above it in one element."""
    measures, starts = page.lines.measures, page.lines.start
    rows = (measures.kinds == _DETAILS).nonzero()[0].tolist()
    for row in rows if len(rows) <= MAX_RESTS else ():
        low, high = page.lines.within(row)
        first = int(np.searchsorted(starts, max(0, measures.parent[row])))
        is_begun = np.count_nonzero(is_body[first:low] & page.features.is_prose[first:low]) > 1
        if is_begun and low < high and page.chars[low] <= MAX_OPENER:
            is_body[low:high] |= page.features.is_prose[low:high]


def take_notes(is_body: Bools, page: NetworkInput) -> None:
    """Add all footnotes if the text holds one of them."""
    measures = page.lines.measures
    if not (measures.kinds == _RAISED).any():  # no reference marks on the page
        return
    roles = ((node, node.get("role") or "") for node in measures.marked)
    notes = [node for node, role in roles if "doc-" in role and "note" in role]  # as DPUB-ARIA calls them
    for row in measures.rows_among(notes).tolist():
        low, high = page.lines.within(row)
        if is_body[low:high].any():
            is_body[low:high] |= page.features.free[low:high] >= MIN_QUOTE


def take_rows(is_body: Bools, page: NetworkInput) -> None:
    """Add all paragraphs of a table column with one paragraph of the text: numbered ones, or an interview."""
    measures, features = page.lines.measures, page.features
    asked = (features.is_prose & (measures.kinds.take(page.lines.block) == _CELL)).nonzero()[0].tolist()
    if len(asked) < MIN_ROWS or not is_body[asked].any() or is_body[asked].all():
        return
    n_before: Counter[int] = Counter()
    columns: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    of: dict[int, tuple[int, int]] = {}
    for cell in (measures.kinds == _CELL).nonzero()[0].tolist():
        row = int(measures.parent[cell])
        of[cell] = int(measures.parent[row]), n_before[row]
        n_before[row] += 1
        columns[of[cell]].append(cell)
    told: defaultdict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
    for line in asked:
        cell = int(page.lines.block[line])
        told[of[cell]].setdefault(cell, []).append(line)
    for column, cells in told.items():
        lines = [line for found in cells.values() for line in found]
        is_text = len(cells) >= max(MIN_ROWS, MIN_FILLED * len(columns[column]))
        if is_text and column[1] and is_body[lines].any():
            is_body[lines] = True


def take_entries(is_body: Bools, page: NetworkInput) -> None:
    """Add the entries of a live blog: they follow times of day in elements of one form, and the text ends in the first
    or right above it.
    """
    n_digits = np.rint(page.values[:, _DIGITS] * page.chars)
    is_clock = (n_digits >= CLOCK_DIGITS[0]) & (n_digits <= CLOCK_DIGITS[1]) & (page.chars <= MAX_CLOCK)
    asked = (is_clock & ~page.features.is_links & (page.values[:, _IN_COMMENT] <= 0)).nonzero()[0].tolist()
    if len(asked) < 2:
        return
    forms: defaultdict[tuple[str, str | None], dict[int, int]] = defaultdict(dict)
    for line, text in zip(asked, page.lines.texts(asked), strict=True):
        if (clock := _CLOCK.fullmatch(text)) is not None:
            node = page.lines.measures.nodes[int(page.lines.block[line])]
            forms[str(node.tag), node.get("class")][line] = 60 * int(clock[1]) + int(clock[2])
    times = max(forms.values(), key=len, default={})
    heads, minutes = list(times), list(times.values())
    if len(set(minutes)) < max(2, len(heads)) or sorted(minutes) not in (minutes, minutes[::-1]):
        return
    ends = [*heads[1:], _entry_end(page, heads)]
    entries = [range(head + 1, min(end, head + MAX_ENTRY)) for head, end in zip(heads, ends, strict=True)]
    is_above = is_body[max(0, heads[0] - 2) : heads[0]].any()
    if not (is_above or (len(heads) > 2 and is_body[entries[0].start : entries[0].stop].any())):
        return  # two times may be the story's own and that of another story
    n_told = sum(bool((page.values[entry, _ENDS] > 0).any()) for entry in map(list, entries) if entry)
    if n_told < MIN_FILLED * len(heads):
        return
    for head, entry in zip(heads, map(list, entries), strict=True):
        is_body[[head, *entry]] |= ~page.features.is_links[[head, *entry]]


def _entry_end(page: NetworkInput, heads: Sequence[int]) -> int:
    """Return the line behind the last entry: the end of the largest element around its time without another's."""
    row = int(page.lines.block[heads[-1]])
    first, stop = page.lines.within(row)
    while row > 0:
        row = int(page.lines.measures.parent[row])
        first, end = page.lines.within(row)
        if first <= heads[-2]:
            break
        stop = end
    return max(stop, heads[-1] + 2)
