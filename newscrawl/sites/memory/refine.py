"""One article refined by the memory of its host: recurring texts are left out, doubtful lines go by their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.console.wording import quantity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.learn import Floats
    from newscrawl.page.measures import Bools
    from newscrawl.sites.memory.host import HostMemory
    from newscrawl.sites.memory.keys import PageKeys


MEMORY_EVIDENCE: Final = "site memory: "
"""Begins each line of evidence from site memory."""

MAX_CHANGED: Final = 0.5
"""Where memory would leave out more than this share of an article's lines, it leaves out none: the page repeats an
earlier article, or is of no known kind."""

MIN_EDGE: Final = 2
MIN_EDGE_SHARE: Final = 0.05
"""Lines at an end of the article are left out if each was on so many earlier articles, and on this share of them."""
MIN_LAST_SHARE: Final = 1 / 3
"""At the lower end one earlier article is enough while it is this share of those known: notices stand there."""
MIN_INSIDE: Final = 3
MIN_INSIDE_SHARE: Final = 0.1
MIN_INSIDE_CHARS: Final = 11
"""Lines inside the article must recur more often: a later story repeats paragraphs of an earlier one. Headings and
lines that end in a colon stay, because they belong to what follows, and so do shorter lines: cells of tables name the
same things again."""

PRIOR_PAGES: Final = 1.0
"""The page's own word on a line counts as much as so many earlier articles with lines at its place."""
MAX_OUTSIDE_ODDS: Final = -2.0
SURE_ODDS: Final = 2.0
"""A chosen line is left out where the average of its log odds is below the first of these (a probability of 0.12), if
its own are not above the second (0.88): a list within an article may be the first at a place of lists beside others."""
MIN_INSIDE_ODDS: Final = 0.5
MIN_OWN_ODDS: Final = -1.0
MIN_INSIDE_PAGES: Final = 2
"""A line that was left out comes in if three things hold: the average is above the first of these; its own log odds
are above the second (a probability of 0.27); so many earlier articles had lines at its place. No line above the first
chosen one comes in: bylines and datelines stand there."""
MIN_LAST_ODDS: Final = 0.0
"""Below the last chosen line, where credits stand, its own log odds must be above this (a probability of 0.5)."""


class Refined(NamedTuple):
    """The lines of an article after the host's memory was asked."""

    chosen: Bools
    evidence: tuple[str, ...] = ()
    """What was changed, for ``scrapy explain``."""


def refined(memory: HostMemory, page: PageKeys, chosen: Bools, odds: Floats, *, is_known: bool) -> Refined:
    """Return the lines to take, given those chosen on the page alone and what it says of each.

    :param is_known: whether the article, or a part of it, is among those counted: its own lines do not recur by that.
    """
    places = [memory.places.get(key) for key in page.places]
    n_pages = np.array([place.n_pages if place else 0 for place in places])[page.place]
    means = np.array([place.mean if place else 0.0 for place in places])[page.place]
    recurring = _few(_recurring(memory, page, chosen, n_pages, int(is_known)), chosen)
    smooth = (PRIOR_PAGES * odds + n_pages * means) / (PRIOR_PAGES + n_pages)
    is_outside = (n_pages > 0) & (smooth < MAX_OUTSIDE_ODDS) & (odds < SURE_ODDS)
    misplaced = _few(chosen & is_outside, chosen) & ~recurring
    added = (n_pages >= MIN_INSIDE_PAGES) & (smooth > MIN_INSIDE_ODDS) & _may_come_in(chosen, odds)
    added = _new(memory, page, added & ~page.is_links, n_pages, int(is_known))
    said = (
        (recurring, "line recurs", "lines recur", "on this host's articles"),
        (misplaced, "line stands", "lines stand", "where this host's articles have no text"),
        (added, "line stands", "lines stand", "where this host's articles do"),
    )
    evidence = tuple(
        f"{MEMORY_EVIDENCE}{quantity(int(lines.sum()), one, many)} {where}"
        for lines, one, many, where in said
        if lines.any()
    )
    return Refined((chosen & ~recurring & ~misplaced) | added, evidence)


def _may_come_in(chosen: Bools, odds: Floats) -> Bools:
    """Tell which lines left out the extractor thinks likely enough for where they stand."""
    place = np.arange(len(chosen))
    taken = chosen.nonzero()[0]
    least = np.where(place > taken[-1], MIN_LAST_ODDS, MIN_OWN_ODDS)
    may: Bools = ~chosen & (place > taken[0]) & (odds >= least)
    return may


def _few(lines: Bools, chosen: Bools) -> Bools:
    return lines if lines.sum() <= MAX_CHANGED * chosen.sum() else np.zeros_like(lines)


def _recurrence(
    memory: HostMemory, page: PageKeys, lines: NDArray[np.intp], n_pages: NDArray[np.int64], own: int
) -> tuple[Floats, Floats]:
    """Return for each of some lines how many earlier articles had its text, and what share of them.

    The count is the larger of two: at the line's own place, and anywhere. The share is of the articles that have the
    place, or of all.

    :param n_pages: articles that have the place of each line of the page.
    :param own: how often the article itself was counted.
    """
    texts = page.texts(lines.tolist())
    found = memory.texts.get
    here = np.maximum([found(key, 0) - own if key else 0 for key in page.at_places(lines.tolist(), texts)], 0.0)
    anywhere = np.maximum([found(text, 0) - own if text else 0 for text in texts], 0.0)
    share = np.maximum(here / np.maximum(n_pages[lines], 1), anywhere / max(memory.n_pages, 1))
    return np.maximum(here, anywhere), share


def _recurring(memory: HostMemory, page: PageKeys, chosen: Bools, n_pages: NDArray[np.int64], own: int) -> Bools:
    lines = chosen.nonzero()[0]
    counts, share = _recurrence(memory, page, lines, n_pages, own)
    inside = (counts >= MIN_INSIDE) & (share >= MIN_INSIDE_SHARE) & ~page.is_heading[lines]
    inside[inside] = [_may_recur(page.lines[line]) for line in lines[inside].tolist()]
    edge = inside | ((counts >= MIN_EDGE) & (share >= MIN_EDGE_SHARE))
    last = edge | ((counts >= 1) & (share >= MIN_LAST_SHARE))
    first = np.logical_and.accumulate(edge)
    recurs = np.zeros_like(chosen)
    recurs[lines] = inside | first | np.logical_and.accumulate(last[::-1])[::-1]
    return recurs


def _may_recur(line: str) -> bool:
    return len(line) >= MIN_INSIDE_CHARS and not line.endswith((":", "："))


def _new(memory: HostMemory, page: PageKeys, added: Bools, n_pages: NDArray[np.int64], own: int) -> Bools:
    """Return those lines whose text does not recur; rules made of dashes have none."""
    lines = added.nonzero()[0]
    if len(lines):
        counts, share = _recurrence(memory, page, lines, n_pages, own)
        is_rule = [not any(map(str.isalnum, page.lines[line])) for line in lines.tolist()]
        added[lines[((counts >= MIN_EDGE) & (share >= MIN_EDGE_SHARE)) | is_rule]] = False
    return added
