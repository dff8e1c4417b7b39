"""What the pages of a host have in common: texts that recur, and the places where article text stands.

No single page tells it. A text on several articles is the site's, not the article's (DESIGN §3.6). An extractor errs on
single lines; its mean over all lines of a place hardly errs. So a doubtful line is judged by its place.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.console.wording import quantity
from newscrawl.sites.sightings import HostMemory, Place, sighting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.page.measures import Bools
    from newscrawl.sites.sightings import PageKeys, Sighting

    Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A site differs from what it was: its template has changed, a list ran dry, a rule fails."""

    host: str
    reason: str
    """``places`` or ``length`` of articles' text; ``list`` (``newscrawl.store.coverage``), ``rule``, ``kinds``."""
    old: str
    """What was usual: the place that held most of the text, its length in letters, the stories of a list …"""
    new: str
    n_pages: int
    """Articles, visits or stories behind the old memory."""


def describe_drift(host: str, reason: str, old: str, new: str) -> str:
    """Return a drift as a sentence.

    >>> describe_drift("e.org", "length", "6,500 characters", "140 characters")
    'Articles of e.org became much shorter (about 6,500 characters to 140 characters): has the layout changed?'
    """
    sentences = {
        "length": f"Articles of {host} became much shorter (about {old} to {new}): has the layout changed?",
        "places": f"The text of {host}'s articles moved from {old} to {new}: has the layout changed?",
        "list": f"A list of {host} shows far fewer stories ({old} before, {new} now): was it moved or given up?",
        "rule": f"The rule {old} of {host} {new}: has the layout changed?",
        "kinds": f"{host} contradicts itself: {old}, and {new}",
    }
    return sentences.get(reason, f"{host}: {old} before, {new} now")


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

MIN_SURE: Final = 5
"""Where more than ``MAX_CHANGED`` of the lines recur, those go that were on so many earlier articles, and inside an
article on that share: below a story of one sentence the site's own lines are the most. An article that comes again at
another address repeats one."""
MIN_LABELLED_SHARE: Final = 0.5
"""Labels with numbers of their own ("728 views") are left out if the same words stood, with any number, at their place
on so many earlier articles as ``MIN_SURE`` says, and on this share of those that have the place."""

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


def refine_lines(memory: HostMemory, page: PageKeys, chosen: Bools, odds: Floats, *, is_known: bool) -> Refined:
    """Return the lines to take, given those chosen on the page alone and what it says of each.

    :param is_known: whether the article, or a part of it, is among those counted: its own lines do not recur by that.
    """
    places = [memory.places.get(key) for key in page.places]
    n_pages = np.array([place.n_pages if place else 0 for place in places])[page.place]
    means = np.array([place.odds / place.n_pages if place and place.n_pages else 0.0 for place in places])[page.place]
    recurring = _recurring(memory, page, chosen, n_pages, int(is_known))
    smooth = (PRIOR_PAGES * odds + n_pages * means) / (PRIOR_PAGES + n_pages)
    is_outside = (n_pages > 0) & (smooth < MAX_OUTSIDE_ODDS) & (odds < SURE_ODDS)
    misplaced = chosen & is_outside
    misplaced &= ~recurring & (misplaced.sum() <= MAX_CHANGED * chosen.sum())
    added = (n_pages >= MIN_INSIDE_PAGES) & (smooth > MIN_INSIDE_ODDS) & _may_come_in(chosen, odds) & ~page.is_links
    lines = added.nonzero()[0]
    if len(lines):  # but for texts that recur, and rules made of dashes
        counts, share = _recurrence(memory, page, lines, n_pages, int(is_known))
        is_rule = [not any(map(str.isalnum, page.lines[line])) for line in lines.tolist()]
        added[lines[((counts >= MIN_EDGE) & (share >= MIN_EDGE_SHARE)) | is_rule]] = False
    said = (
        (recurring, "line recurs", "lines recur", "on this host's articles"),
        (misplaced, "line stands", "lines stand", "where this host's articles have no text"),
        (added, "line stands", "lines stand", "where this host's articles do"),
    )
    evidence = tuple(
        f"{MEMORY_EVIDENCE}{quantity(int(changed.sum()), one, many)} {where}"
        for changed, one, many, where in said
        if changed.any()
    )
    return Refined((chosen & ~recurring & ~misplaced) | added, evidence)


def in_question(page: PageKeys, chosen: Bools, odds: Floats) -> Bools:
    """Tell which lines of a page are its article's, or may be when more is known of the host."""
    lines: Bools = chosen | (_may_come_in(chosen, odds) & ~page.is_links)
    return lines


def _may_come_in(chosen: Bools, odds: Floats) -> Bools:
    """Tell which lines left out the extractor thinks likely enough for where they stand."""
    place = np.arange(len(chosen))
    taken = chosen.nonzero()[0]
    least = np.where(place > taken[-1], MIN_LAST_ODDS, MIN_OWN_ODDS)
    may: Bools = ~chosen & (place > taken[0]) & (odds >= least)
    return may


def _recurrence(
    memory: HostMemory, page: PageKeys, lines: NDArray[np.intp], n_pages: NDArray[np.int64], own: int
) -> tuple[Floats, Floats]:
    """Return for each of some lines how many earlier articles had its text, and what share of them.

    The count is the larger of two: at the line's own place, and anywhere. The share is of the articles that have the
    place, or of all.

    :param n_pages: articles that have the place of each line of the page.
    :param own: how often the article itself was counted.
    """
    texts = [page.keys[line] for line in lines.tolist()]
    found = memory.texts.get
    here = np.maximum([found(key, 0) - own if key else 0 for key in page.at_places(lines.tolist(), texts)], 0.0)
    anywhere = np.maximum([found(text, 0) - own if text else 0 for text in texts], 0.0)
    share = np.maximum(here / np.maximum(n_pages[lines], 1), anywhere / max(memory.n_pages, 1))
    return np.maximum(here, anywhere), share


def _recurring(memory: HostMemory, page: PageKeys, chosen: Bools, n_pages: NDArray[np.int64], own: int) -> Bools:
    lines = chosen.nonzero()[0]
    counts, share = _recurrence(memory, page, lines, n_pages, own)
    labelled = np.array([memory.texts.get(key, 0) - own for key in page.labels(lines.tolist())])
    is_label = (labelled >= MIN_SURE) & (labelled >= MIN_LABELLED_SHARE * n_pages[lines])
    is_often = (counts >= MIN_INSIDE) & (share >= MIN_INSIDE_SHARE)
    inside = is_often & ~page.is_heading[lines]
    texts = [page.lines[line] for line in lines[inside].tolist()]
    inside[inside] = [len(text) >= MIN_INSIDE_CHARS and not text.endswith((":", "：")) for text in texts]
    inside |= is_label
    edge = inside | ((counts >= MIN_EDGE) & (share >= MIN_EDGE_SHARE))
    last = edge | ((counts >= 1) & (share >= MIN_LAST_SHARE))
    gone = inside | np.logical_and.accumulate(edge) | _at_the_end(last, edge, page.is_links[lines])
    if gone.sum() > MAX_CHANGED * len(lines):
        sure = is_label | (is_often & (counts >= MIN_SURE))
        gone &= sure | _at_the_end(sure, sure, page.is_links[lines])
    recurs = np.zeros_like(chosen)
    recurs[lines] = gone & ~gone.all()
    return recurs


def _at_the_end(last: Bools, label: Bools, is_links: Bools) -> Bools:
    """Tell which lines go at the lower end: those that recur, and links, new ones too, below a label that recurs."""
    gone = np.zeros_like(last)
    end = len(last)
    while end:
        at = end - 1
        while at > 0 and is_links[at] and not last[at]:
            at -= 1
        if not (last if at == end - 1 else label)[at]:
            break
        gone[at:end] = True
        end = at
    return gone


__all__ = ["MAX_HOSTS", "HostMemory", "SiteMemory"]

MAX_HOSTS: Final = 256
SAME_PAGE_SHARE: Final = 0.5
"""A page with more than this share of its lines in one earlier article is that article again, and is not counted."""
MAX_COPIES: Final = 8
"""A line of more articles tells nothing of which of them are one."""
NO_ODDS: Final = 1.0
"""Log odds of a chosen line where the method gives none; a line left out has the opposite."""
DRIFT_PAGES: Final = 5
"""Articles in a row with their text at unknown places, or with almost no text, that mean a new template."""
KNOWN_SHARE: Final = 0.2
COLLAPSE_SHARE: Final = 0.2
MIN_SETTLED: Final = 10
"""Articles before a host's usual length is known."""
USUAL_RATE: Final = 0.1
MIN_USUAL: Final = 0.5
"""A host drifts only if at least this share of its articles stood at places known before. A host with many templates
always has articles at new places; that is no drift. The share is a running mean from 0; five strange articles multiply
it by 0.59."""


class SiteMemory:
    """The memories of the hosts seen last."""

    def __init__(self) -> None:
        self.hosts: OrderedDict[str, HostMemory] = OrderedDict()

    def refine(self, host: str, page: PageKeys, chosen: Bools, odds: Array | None = None) -> Refined:
        """Return the lines to take for the article, given those that an extractor chose on the page alone.

        :param odds: its log odds of each line being article text; None where it gives none.
        """
        memory = self.hosts.get(host)
        if memory is None or not memory.n_pages or not chosen.any():
            return Refined(chosen)
        is_known = page.address in memory.seen
        return refine_lines(memory, page, chosen, known_odds(chosen, odds), is_known=is_known)

    def observe(self, host: str, page: PageKeys, chosen: Bools, odds: Array | None = None) -> Drift | None:
        """Count an article and the lines chosen for it by the page alone; return a drift as :meth:`see` does."""
        return self.see(host, sighting(page, chosen, known_odds(chosen, odds))) if chosen.any() else None

    def see(self, host: str, article: Sighting) -> Drift | None:
        """Count an article; return a drift if the host's template has changed.

        Pages of one article repeat each other's lines, so the first one to come counts alone.
        """
        memory = self.hosts.setdefault(host, HostMemory())
        self.hosts.move_to_end(host)
        while len(self.hosts) > MAX_HOSTS:
            self.hosts.popitem(last=False)
        body, most = article.body, SAME_PAGE_SHARE * len(article.body)
        is_again = any(
            len(other) > most and not body.isdisjoint(other) and len(body & other) > most for other in memory.recent
        )
        if article.key in memory.seen or is_again:
            return None
        memory.recent.append(body)
        return _count(host, memory, article)


def settle_host(host: str, memory: HostMemory, articles: Iterable[Sighting]) -> frozenset[int | None]:
    """Count articles of a harvest as the host's; return the keys of the addresses that are counted, now or before.

    They are counted in the order of their keys, so that it does not matter in which order they came.
    """
    known: set[int | None] = set(memory.seen)
    in_order = sorted(articles, key=lambda article: (article.key or 0, article.length, sorted(article.body)))
    for article in _firsts(in_order):
        if article.key is None or article.key not in known:
            known.add(article.key)
            _count(host, memory, article)
    return frozenset(known)


def _firsts(articles: list[Sighting]) -> Iterator[Sighting]:
    """Yield the articles that repeat no other yielded before: the same story at another address counts once."""
    pages: dict[int, list[int]] = {}
    for number, article in enumerate(articles):
        for text in article.body:
            pages.setdefault(text, []).append(number)
    kept: set[int] = set()
    for number, article in enumerate(articles):
        body = article.body
        rare = [pages[text] for text in body if len(pages[text]) <= MAX_COPIES]
        others = {other for found in rare for other in found if other in kept}
        if not any(len(body & articles[other].body) > SAME_PAGE_SHARE * len(body) for other in others):
            kept.add(number)
            yield article


def _count(host: str, memory: HostMemory, article: Sighting) -> Drift | None:
    drift = _drift(host, memory, article)
    if drift is not None:
        memory.forget()
    memory.count(article)
    return drift


def known_odds(chosen: Bools, odds: Array | None) -> NDArray[np.float64]:
    """Return the log odds of each line; made up where the method gives none."""
    return np.where(chosen, NO_ODDS, -NO_ODDS) if odds is None else odds.astype(np.float64)


def _drift(host: str, memory: HostMemory, article: Sighting) -> Drift | None:
    """Compare an article with the host's usual ones. A drift needs several unusual ones in a row."""
    known = 0.0
    for key, _, inside, _ in article.places:
        place = memory.places.get(key)
        known += inside if place is not None and place.n_pages > DRIFT_PAGES else 0.0
    is_strange = known < KNOWN_SHARE * article.length
    memory.strange = memory.strange + 1 if is_strange else 0
    memory.usual += USUAL_RATE * ((not is_strange) - memory.usual)
    is_settled = memory.n_pages >= MIN_SETTLED
    memory.short = memory.short + 1 if is_settled and article.length < COLLAPSE_SHARE * memory.length else 0
    if memory.strange >= DRIFT_PAGES and memory.usual >= MIN_USUAL:
        old = max(memory.places.values(), key=lambda place: place.inside, default=Place())
        new = max(article.places, key=lambda place: place[2])[3]
        return Drift(host=host, reason="places", old=old.name, new=new, n_pages=memory.n_pages)
    if memory.short >= DRIFT_PAGES:
        lengths = _about(memory.length), _about(article.length)
        return Drift(host=host, reason="length", old=lengths[0], new=lengths[1], n_pages=memory.n_pages)
    return None


def _about(length: float) -> str:
    """Return a length of text in two digits.

    >>> _about(6524.0)
    '6,500 characters'
    """
    return f"{float(f'{length:.2g}'):,.0f} characters"
