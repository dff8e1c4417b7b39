"""Notices of the site inside its pages: consent, letters, donations, rights and liability, offers to subscribe.

A line is a notice if its signs together say so: its wording, as a model has learnt it from notices and stories; its
place (a dialogue, a form, a box, either end of the text); and the doubt of the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.cohesion import wording
from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.repeats import N_KINDS, line_places, main_place, markup, stand_apart
from newscrawl.page.lines import median
from newscrawl.page.tags import KIND_OF, kinds_among
from newscrawl.urls.shape import is_service

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools, Ints

    Floats = NDArray[np.float64]

USUAL: Final = -2.5
"""Evidence in the wording of a story's lines. What a text has more of it counts for none of its lines."""
MANY: Final = 8
"""Lines from which the middle one tells how a text speaks. In a shorter text, of which half may be notices, the line
at the end of the lowest quarter does."""
MIN_WORDED: Final = 40.0
"""Least weight of a line whose wording counts in full: shorter ones say less."""
MAX_SAID: Final = 8.0
"""Most evidence of a line's wording."""
MAX_WEIGHT: Final = 700.0
"""Most weight of a notice, unless it stands in a dialogue."""
NOTICE: Final = 3.0
"""Evidence that makes a line a notice."""
ASKED, BOXED, LINKED, AT_END, WITH_FORM = 1.0, 0.75, 1.0, 0.5, 1.0
DOUBT, MIN_DOUBT, MAX_DOUBT = 0.3, 0.5, 1.25
"""Evidence of the network's doubt per unit of log-odds below the story's usual line; the least doubt from which
structure counts without words; and the most evidence."""
SURE: Final = 8.0
"""Most log-odds of a story's usual line from which doubt is counted: the network has none of a line of so many."""
CERTAIN: Final = 5.0
"""Evidence against a notice in the story's flow of which the network has no doubt; the less, the more it doubts. No
wording outweighs a sure network between the paragraphs of a text of ``MIN_LONG`` lines."""
N_FIRST, N_LAST = 2, 4
"""Lines at either end of a text whose wording counts, whatever they are. Between them, lines without a mark of
punctuation are headings, and questions are an interview's."""
RIGHTS, MAX_RIGHTS = 8.0, 100.0
"""Evidence of the sign of copyright in a short line, and the most weight of one."""
BETWEEN: Final = 1.0
"""Evidence of a place between two notices at an end of the text."""
MIN_STORY: Final = 4
"""Lines of a story from which a sure network has its full weight. It takes the notices below a shorter one for it."""
OUTSIDE: Final = 1.5
"""Evidence of a line after the story that stands outside the element of headline and story, with other markup than its
paragraphs."""
NAMED: Final = 0.5
"""Evidence of an element with a class of its own that holds a line and little more, if the doubt is great."""
SHORT: Final = 200.0
"""Most weight of a line without a box whose links to the site count."""
MIN_LEFT: Final = 0.2
"""Least share of the text that must remain. Otherwise the page itself is about such things, unless all notices stand
below the text."""
ALONE: Final = 2.5
"""Least mean evidence in the wording of notices below a text that is shorter than ``MIN_LEFT``."""
MAX_WITHIN: Final = 3
MAX_SHARE: Final = 0.12
MIN_LONG: Final = 12
"""Lines from which a text has at most ``MAX_WITHIN`` notices between its paragraphs, or ``MAX_SHARE`` of its lines.
A text with more is about such things."""
MIN_BESIDE: Final = 0.5
"""Share of notices from which a whole element outside the story's flow is a notice."""
MAX_ASKED: Final = 300.0
"""Most weight of a line that speaks to the reader."""
MIN_ASKED: Final = -1.5
"""Least evidence in the wording of a line, or of a link beside it, that may ask something of the reader."""
MAX_BOX: Final = 6
"""Most lines of a box with a line and a link."""
MAX_DIALOGUE: Final = 0.9
MAX_REGION: Final = 0.6
"""Most share of the text in one element with a form or dialogue, if that counts as evidence."""

_CLAUSE: Final = re.compile(r"[,;:.!،؛۔।，；：。！、]")
_ASKED: Final = "?？؟"
_SPOKEN: Final = "\"“„«「『‘'"
_MARKS: Final = kinds_among(frozenset(("dialog", "form", "button")))
_DIALOGUES: Final = frozenset(("dialog", "alertdialog"))
_LINK: Final = KIND_OF["a"]
_IN_CODE, _IS_HEADLINE = map(FEATURES.index, ("in_code", "is_headline"))
_TOLD: Final = [FEATURES.index(name) for name in ("in_item", "own_cell", "in_quote", "in_figure")]


def drop_notices(probabilities: NDArray[np.float32], is_body: Bools, page: NetworkInput) -> None:
    """Leave out notices of the site, if enough of the text remains."""
    kept = is_body.nonzero()[0]
    if len(kept) < 2:
        return
    weight = page.features.weight
    around, laid_over, marks = _regions(page, is_body)
    found = {line for line in kept.tolist() if laid_over[line]}
    may_say = (page.features.free > 0) & ~(page.values[:, _IN_CODE] > 0) & ~page.features.is_heading
    may_say[kept[-1]] |= not page.values[kept[-1], _IN_CODE] > 0  # a heading of nothing
    asked = kept[may_say[kept] & (weight[kept] <= MAX_WEIGHT)]
    worded = _worded(page, asked)
    said = {line: n for line, n in worded.items() if n > 0}
    story = [line for line in kept.tolist() if line not in said and line not in found] or kept.tolist()
    main = main_place(page, story)
    places = line_places(page, story)
    is_whole = 2 * places.count(main) >= len(places)
    flow = [line for line, place in zip(story, places, strict=True) if place == main or not is_whole]
    inner = np.clip(probabilities, 1e-6, 1 - 1e-6)
    odds = np.log(inner / (1 - inner))
    doubt = np.clip(DOUBT * (min(median(odds[flow]), SURE) - odds), 0.0, MAX_DOUBT)
    certain = np.full(len(weight), CERTAIN * min(1.0, len(story) / MIN_STORY))
    if len(kept) >= MIN_LONG:
        certain[asked[N_FIRST:-N_LAST]] = MAX_SAID
    around[list(said)] -= (certain * np.maximum(0.0, 1 - doubt / MIN_DOUBT))[list(said)]
    if is_whole:
        near = _Surroundings(page=page, is_body=is_body, flow=flow, doubt=doubt, marks=marks, worded=worded)
        for line, told, evidence in near.evidence(asked.tolist(), said):
            said[line] = said.get(line, 0.0) + told
            around[line] += evidence
    within = {line for line, n in said.items() if n + around[line] >= NOTICE}
    if len(within) <= max(MAX_WITHIN, MAX_SHARE * len(kept)) or len(kept) < MIN_LONG:
        found |= within
    found |= _at_ends(said, around, found, kept.tolist())
    if not found:
        return
    found |= _beside(page, found, kept, main // N_KINDS)
    left = [line for line in kept.tolist() if line not in found]
    is_text = bool(left) and weight[left].sum() >= MIN_LEFT * weight[kept].sum()
    if is_text or (left and left[-1] < min(found) and mean(said.get(line, 0.0) for line in found) >= ALONE):
        is_body[list(found)] = False


def _worded(page: NetworkInput, asked: NDArray[np.intp]) -> dict[int, float]:
    """Return the evidence for a notice in the wording of lines, beyond what is usual in their text.

    Those who sell and advise speak to their readers, too.
    """
    if not len(asked):
        return {}
    texts, weight = page.lines.texts(asked.tolist()), page.features.weight[asked]
    told = wording(texts, page.lines.wide[asked] > 0)
    told -= max(0.0, float(np.sort(told)[(len(told) - 1) // (4 if len(told) < MANY else 2)]) - USUAL)
    told *= np.where(told > 0, np.minimum(1.0, weight / MIN_WORDED), 1.0)
    may_say = np.array([_CLAUSE.search(text) is not None and text[-1] not in _ASKED for text in texts])
    may_say[:N_FIRST], may_say[-N_LAST:] = True, True
    told[~may_say] = np.minimum(told[~may_say], 0.0)
    is_short = (weight <= MAX_RIGHTS).tolist()
    found: dict[int, float] = {}
    for line, text, n, short in zip(asked.tolist(), texts, told.tolist(), is_short, strict=True):
        if text[0] not in _SPOKEN:
            found[line] = min(max(n, RIGHTS) if short and "©" in text else n, MAX_SAID)
    return found


@dataclass(frozen=True, kw_only=True)
class _Surroundings:
    """Surroundings of a text's lines that tell notices from the story."""

    page: NetworkInput
    is_body: Bools
    flow: Sequence[int]
    """Lines in the place that holds most of the text."""
    doubt: Floats
    """The network's doubt of each line: its log-odds below the story's usual ones."""
    marks: Ints
    """Rows of forms and buttons."""
    worded: Mapping[int, float]
    """Evidence in the wording of lines."""

    def evidence(self, asked: Sequence[int], said: Mapping[int, float]) -> Iterator[tuple[int, float, float]]:
        """Yield the lines apart from the flow, with the evidence of what is beside them, and of place and doubt.

        Lines without a word of notices come only if the network doubts them, and below the story's first line.
        """
        flow, page = self.flow, self.page
        lines = [
            line
            for line in asked
            if line in said or (self.doubt[line] >= MIN_DOUBT and (line > flow[0] or self._asks(line)))
        ]
        main = line_places(page, flow[:1])[0]
        for line, is_other in zip(lines, stand_apart(page, lines, flow, main), strict=True):
            doubt, of_words = float(self.doubt[line]), said.get(line, 0.0)
            if is_other or (line == flow[-1] and page.lines.link_chars[line] > 0):
                told = self._told(line, self._box(line), is_other=is_other) if doubt >= MIN_DOUBT else 0.0
                if told or line in said:
                    yield line, told, BOXED + min(doubt, MAX_DOUBT if told else of_words / 2)
            elif line in said:
                yield line, 0.0, min(doubt, max(0.0, of_words - 1)) if doubt >= MIN_DOUBT else 0.0

    def _box(self, line: int) -> int:
        """Return the row of the outermost element around a line without another line of the flow."""
        measures, rows = self.page.lines.measures, self._rows[self._rows != self.page.lines.start[line]]
        row = box = int(self.page.lines.block[line])
        while row > 0 and np.searchsorted(rows, row) == np.searchsorted(rows, measures.end[row]):
            box, row = row, int(measures.parent[row])
        return box

    @cached_property
    def _rows(self) -> Ints:
        return self.page.lines.start.take(self.flow)

    @cached_property
    def _story(self) -> tuple[int, int]:
        """Return first row and end of the innermost element around headline and flow."""
        measures, start = self.page.lines.measures, self.page.lines.start
        headline = self.page.values[:, _IS_HEADLINE].nonzero()[0]
        ends = start[[*headline[:1], self.flow[0], self.flow[-1]]]
        row = int(ends[0]) if len(headline) else 0
        while row > 0 and not ((ends >= row) & (ends < measures.end[row])).all():
            row = int(measures.parent[row])
        return row, int(measures.end[row])

    @cached_property
    def _markup(self) -> frozenset[tuple[str, str | None]]:
        """Return tags and classes of the flow's paragraphs that have a class."""
        return frozenset(of for of in (markup(self.page, line) for line in self.flow) if of[1])

    def _told(self, line: int, box: int, *, is_other: bool) -> float:
        """Return the evidence for a notice in a line's box: forms, buttons, links to the site's own pages or channels,
        a name of its own.

        Boxes with the headline, and of lists, tables, quotations or pictures, say nothing.
        """
        page, measures = self.page, self.page.lines.measures
        low, high = page.lines.within(box)
        if (page.values[line, _TOLD] > 0).any():
            return 0.0
        is_behind = page.lines.start[line] >= self._story[1]
        told = OUTSIDE * bool(is_behind and markup(page, line) not in self._markup)
        if is_other and high - low <= 2 and page.features.is_prose[line] and self.doubt[line] >= MAX_DOUBT:
            own = int(page.lines.block[line])
            told += NAMED * bool(measures.nodes[box].get("class") or measures.nodes[own].get("class"))
        is_long = high - low > MAX_BOX or page.features.weight[line] > MAX_ASKED
        return told if is_long or page.values[low:high, _IS_HEADLINE].any() else told + self._beside(line, box)

    def _beside(self, line: int, box: int) -> float:
        """Return the evidence for a notice of forms, buttons and links in a line's box."""
        page, measures = self.page, self.page.lines.measures
        low, high = page.lines.within(box)
        first, stop = np.searchsorted(self.marks, (box, measures.end[box])).tolist()
        links = box + (measures.kinds[box : measures.end[box]] == _LINK).nonzero()[0]
        is_boxed = box != page.lines.block[line]
        own = page.url or "" if is_boxed else None
        is_linked = any(is_service(measures.nodes[row].get("href") or "", own) for row in links.tolist())
        beside = [at for at in range(low, high) if not self.is_body[at] and page.features.is_links[at]]
        is_asked = (is_linked or bool(beside)) and self._asks(line)
        if is_asked and not is_linked:
            is_linked = bool(wording(page.lines.texts(beside), page.lines.wide[beside] > 0).max() >= MIN_ASKED)
        is_said = is_asked or is_boxed or page.features.weight[line] <= SHORT
        return WITH_FORM * int(stop > first) + (LINKED + ASKED * is_asked) * (is_linked and is_said)

    def _asks(self, line: int) -> bool:
        """Tell whether a line may ask something of the reader."""
        return self.worded.get(line, MIN_ASKED - 1) >= MIN_ASKED


def _at_ends(said: dict[int, float], around: Floats, found: set[int], kept: list[int]) -> set[int]:
    """Return lines at the end of the text that count as notices there, and those after notices at its head."""
    more: set[int] = set()
    between = {line for above, line, below in zip(kept, kept[1:], kept[2:], strict=False) if {above, below} <= found}
    for order in (kept[::-1], kept):
        for line in order:
            near = AT_END * (order[0] == kept[-1] or line != kept[0]) + BETWEEN * (line in between)
            if line not in found and said.get(line, 0.0) + around[line] + near < NOTICE:
                break
            more.add(line)
    return more


def _beside(page: NetworkInput, found: set[int], kept: NDArray[np.intp], main: int) -> set[int]:
    """Return the lines in one element with notices and without a paragraph of the story's flow."""
    around, weight = page.named.near[0], page.features.weight
    more: set[int] = set()
    for row in {int(around[line]) for line in found} - {main}:
        inside = kept[around[kept] == row]
        told = [line for line in inside.tolist() if line in found]
        if len(inside) <= MAX_BOX and weight[told].sum() >= MIN_BESIDE * weight[inside].sum():
            more.update(inside.tolist())
    return more


def _regions(page: NetworkInput, is_body: Bools) -> tuple[Floats, Bools, Ints]:
    """Return the evidence of forms and buttons for each line, the lines of dialogues, the rows of forms and buttons.

    A form counts for the lines in one element with it.
    """
    measures = page.lines.measures
    found, laid_over = np.zeros(len(is_body)), np.zeros(len(is_body), dtype=np.bool_)
    asking: list[int] = []
    seen: set[int] = set()  # elements around forms and buttons before
    mass = np.append(0.0, np.where(is_body, page.features.weight, 0.0).cumsum())
    dialogues = set(measures.rows_among([node for node in measures.marked if node.get("role") in _DIALOGUES]).tolist())
    marks = (_MARKS[measures.kinds] & (measures.chars > 0)).nonzero()[0].tolist()
    for shown in (*dialogues, *marks):
        is_dialogue = shown in dialogues or measures.tags[shown] == "dialog"
        if not is_dialogue and measures.nodes[shown].get("aria-controls"):
            continue
        asking.append(shown)
        row = shown
        while row > 0 and (is_dialogue or row not in seen):
            if not is_dialogue:
                seen.add(row)
            low, high = page.lines.within(row)
            held = mass[high] - mass[low]
            if held > (MAX_DIALOGUE if is_dialogue else MAX_REGION) * mass[-1]:
                break
            if held:
                if is_dialogue:
                    laid_over[low:high] = True
                else:
                    found[low:high] = WITH_FORM
                break
            row = int(measures.parent[row]) if not is_dialogue else -1
    return found, laid_over, np.sort(np.array(asking, dtype=np.int32))
