"""Notices of the site inside its pages: consent, letters, donations, rights and liability, offers to subscribe.

No single word decides. A line is a notice if several signs agree: its wording, as a model has learnt it from notices
and stories, or words on such subjects, names of the site's own things and speech to the reader; and its place (a
dialogue, a form, a box, either end of the text).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.cohesion import wording
from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.repeats import N_KINDS, line_places, main_place, markup, stand_apart
from newscrawl.languages.patterns import WordList, every_language, words_inside
from newscrawl.languages.tables import words
from newscrawl.page.lines import median
from newscrawl.page.tags import KIND_OF, kinds_among
from newscrawl.urls.shape import is_service

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools, Ints

    Floats = NDArray[np.float64]

USUAL: Final = -2.5
"""Evidence in the wording of a story's lines. What a text has more of it counts for none of its lines."""
MAX_SAID: Final = 5.5
"""Most evidence of a line's wording."""
MIN_WORDED, N_LAST = 40.0, 4
"""Least weight of a line whose wording is judged: shorter ones say too little; and the number of them at the end."""
MAX_BRIEF, SURELY = 4, 0.99
"""Lines of a text whose notices a network takes for its story; probability from which it does not doubt a line."""
BEYOND_DOUBT: Final = 10.0
"""Evidence in a wording, at the end of a text, against which a sure network counts nothing."""
MAX_WEIGHT: Final = 700.0
"""Most weight of a notice, unless it stands in a dialogue."""
NOTICE: Final = 3.0
"""Evidence that makes a line a notice."""
IS_SURE, IS_OWN, ASKED, BOXED, LINKED, AT_END, WITH_FORM = 1.0, 1.5, 1.0, 0.75, 1.0, 0.5, 1.0
DOUBT, MIN_DOUBT, MAX_DOUBT = 0.3, 0.5, 1.25
"""Evidence of the network's doubt per unit of log-odds below the story's usual line; the least doubt from which
structure counts without words; and the most evidence."""
LEAST_DOUBT, CERTAIN = 0.15, 2.0
"""Doubt below which a line of the story's flow counts as certain, and the evidence of that against a notice."""
OUTSIDE: Final = 1.5
"""Evidence of a line after the story that stands outside the element of headline and story, with other markup than its
paragraphs."""
NAMED: Final = 0.5
"""Evidence of an element with a class of its own that holds a line and little more, if the doubt is great."""
SHORT: Final = 200.0
"""Weight per statement of a line: longer lines need one more sign per such length."""
ORDER: Final = 100.0
"""Most weight of a line that only tells the reader to do something."""
MAX_TOPICS: Final = 3
"""Most topic words that count: news about the press has many."""
TOPICAL, SURE_ALONE = 2.0, 2.5
"""Most evidence of words on such subjects if nothing says that they are the site's own, and no short line addresses the
reader; and the same with a phrase of notices among them."""
MIN_LEFT: Final = 0.2
"""Least share of the text that must remain. Otherwise the page itself is about such things, unless all notices stand
below a text without topic words."""
ALONE: Final = 4.5
"""Least evidence in the words of each notice below a text that is shorter than ``MIN_LEFT``."""
MAX_WITHIN: Final = 3
MAX_SHARE: Final = 0.12
MIN_LONG: Final = 12
"""Lines from which a text has at most ``MAX_WITHIN`` notices between its paragraphs, or ``MAX_SHARE`` of its lines.
A text with more is about such things."""
MIN_BESIDE: Final = 0.5
"""Share of notices from which a whole element outside the story's flow is a notice."""
MAX_ASKED: Final = 300.0
"""Most weight of a line that speaks to the reader on no such subject."""
ADVICE, MIN_ADVICE, MAX_ASKED_LINES = 0.3, 3, 40
"""Share of paragraphs from which a text speaks to its reader, their least number, and the number examined."""
MAX_BOX: Final = 6
"""Most lines of a box with a line and a link."""
MAX_DIALOGUE: Final = 0.9
MAX_REGION: Final = 0.6
"""Most share of the text in one element with a form or dialogue, if that counts as evidence."""

TOPICS, SURE, OWN, ASK = (WordList(f"notices.{name}") for name in ("topics", "sure", "own", "ask"))
_RIGHTS: Final = re.compile(r"©|(?:\(c\)|copyright).{0,60}?\b(?:19|20)\d\d\b", re.IGNORECASE)
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
    texts = page.lines.texts(asked.tolist())
    whole = "\n".join(texts)
    is_unspaced = (page.lines.wide + page.lines.unmarked).take(asked) > 0
    said_in = [
        _said(text, weight[line], whole if is_so else "")
        for line, text, is_so in zip(asked.tolist(), texts, is_unspaced.tolist(), strict=True)
    ]
    both = {line: of for line, of in zip(asked.tolist(), said_in, strict=True) if of[0]}
    is_open = any(alone != beside_advice for alone, beside_advice in both.values())
    is_advice = is_open and _speaks_to_reader(page, [line for line in asked.tolist() if line not in both], whole)
    said = {line: of[is_advice] for line, of in both.items() if of[is_advice]}
    for line, n in _worded(texts, asked, page, probabilities):
        said[line] = max(n, said.get(line, 0.0))
    story = [line for line in kept.tolist() if line not in said and line not in found] or kept.tolist()
    main = main_place(page, story)
    places = line_places(page, story)
    if 2 * places.count(main) >= len(places):
        flow = [line for line, place in zip(story, places, strict=True) if place == main]
        inner = np.clip(probabilities, 1e-6, 1 - 1e-6)
        odds = np.log(inner / (1 - inner))
        doubt = np.clip(DOUBT * (median(odds[flow]) - odds), 0.0, MAX_DOUBT)
        near = _Surroundings(page=page, is_body=is_body, flow=flow, doubt=doubt, marks=marks)
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
    if is_text or (left and left[-1] < min(found) and min(said.get(line, 0.0) for line in found) >= ALONE):
        is_body[list(found)] = False


def _worded(
    texts: Sequence[str], asked: NDArray[np.intp], page: NetworkInput, probabilities: NDArray[np.float32]
) -> Iterator[tuple[int, float]]:
    """Yield sentences at the ends of the text whose wording speaks for a notice, beyond what is usual in the text.

    In a text of many lines the network must doubt them, unless their wording leaves no doubt: those who sell and advise
    speak to their readers, too.
    """
    if not texts:
        return
    may_say = page.features.is_prose[asked] & (page.features.weight[asked] >= MIN_WORDED)
    may_say[1:-N_LAST] = False
    places, is_wide = may_say.nonzero()[0].tolist(), page.lines.wide[asked] > 0
    if not places or wording([texts[place] for place in places], is_wide[places]).max() <= 0:
        return  # what is usual in the text, which all its lines tell, only takes away
    told = wording(texts, is_wide)
    told -= max(0.0, float(np.sort(told)[(len(told) - 1) // 4]) - USUAL)
    may_say &= told > 0
    if len(texts) > MAX_BRIEF:
        may_say[:1] &= probabilities[asked[:1]] < SURELY
        may_say &= (probabilities[asked] < SURELY) | (told >= BEYOND_DOUBT)
    for place in may_say.nonzero()[0].tolist():
        if texts[place][0] not in _SPOKEN:
            yield int(asked[place]), min(float(told[place]), MAX_SAID)


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

    def evidence(self, asked: Sequence[int], said: Mapping[int, float]) -> Iterator[tuple[int, float, float]]:
        """Yield the lines apart from the flow, with the evidence of what is beside them, and of place and doubt.

        Lines without a word of notices come only if the network doubts them, and below the story's first line.
        """
        flow, page = self.flow, self.page
        lines = [
            line
            for line in asked
            if line in said or (self.doubt[line] >= MIN_DOUBT and (line > flow[0] or _asks(page, line)))
        ]
        main = line_places(page, flow[:1])[0]
        for line, is_other in zip(lines, stand_apart(page, lines, flow, main), strict=True):
            doubt = float(self.doubt[line])
            if is_other or (line == flow[-1] and page.lines.link_chars[line] > 0):
                told = self._told(line, self._box(line), is_other=is_other) if doubt >= MIN_DOUBT else 0.0
                if told or line in said:
                    yield line, told, BOXED + min(doubt, MAX_DOUBT if told else said[line] / 2)
            elif line in said and doubt < LEAST_DOUBT:
                yield line, 0.0, -CERTAIN

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
        is_asked = (is_linked or bool(beside)) and _asks(page, line)
        if is_asked and not is_linked:
            is_linked = any(TOPICS.among(text, words_inside(TOPICS, text)) for text in page.lines.texts(beside))
        is_said = is_asked or is_boxed or page.features.weight[line] <= SHORT
        return WITH_FORM * int(stop > first) + (LINKED + ASKED * is_asked) * (is_linked and is_said)


def _asks(page: NetworkInput, line: int) -> bool:
    """Tell whether a line has a word, standing alone, by which sites address their readers."""
    text = page.lines.text(line)
    return bool(ASK.among(text))


def _speaks_to_reader(page: NetworkInput, lines: Sequence[int], whole: str) -> bool:
    """Tell whether the text itself addresses its reader, as advice does."""
    prose = [line for line in lines if page.features.is_prose[line]][:MAX_ASKED_LINES]
    is_unspaced, inside = (page.lines.wide + page.lines.unmarked)[prose] > 0, words_inside(ASK, whole)
    missing = max(MIN_ADVICE, int(ADVICE * len(prose)) + 1)
    for place, text in enumerate(page.lines.texts(prose)):
        if not 0 < missing <= len(prose) - place:
            break
        missing -= bool(ASK.among(text, inside if is_unspaced[place] else ()))
    return missing <= 0


def _said(text: str, weight: float, whole: str) -> tuple[float, float]:
    """Return the evidence for a notice in the words of a line, and what it is if the text around it addresses the
    reader, too; 0.0 without any.

    :param whole: the text of all lines, if the line's script sets no words apart; else ``""``.
    """
    if text[0] in _SPOKEN:
        return 0.0, 0.0

    def said(words: WordList) -> Collection[frozenset[str]]:
        return words.among(text, words_inside(words, whole) if whole else ()).values()

    topics = [*said(TOPICS), *(every_language() for _ in range("©" in text))]
    if not topics:
        return 0.0, 0.0
    sure, own, ask = [frozenset[str]().union(*said(words)) for words in (SURE, OWN, ASK)]
    own = every_language() if _RIGHTS.search(text) else own
    length = max(0.0, weight - SHORT) / SHORT
    if whole and not length and _orders(text):
        ask, sure = every_language(), every_language() if weight <= ORDER else sure
    n_topics = Counter(code for codes in topics for code in codes)
    alone = advised = 0.0
    for n, is_sure, is_own, is_ask in {(n, code in sure, code in own, code in ask) for code, n in n_topics.items()}:
        told = min(n, MAX_TOPICS) + IS_SURE * is_sure + IS_OWN * is_own
        least = min(told, SURE_ALONE if is_sure else TOPICAL) if not is_own else told
        asked = told + ASKED if is_own or not length else min(told + ASKED, SURE_ALONE if is_sure else TOPICAL)
        alone = max(alone, asked if is_ask else least)
        advised = max(advised, asked if is_ask and is_sure else least)
    return alone - length, advised - length


def _orders(text: str) -> bool:
    """Tell whether a text orders its reader: at the head of a clause, or to do something with the site's own things."""
    for word in words("notices.do"):
        begin = text.find(word)
        while begin >= 0:
            is_head = not begin or not (text[begin - 1].isalnum() or text[begin - 1] == "_")
            if is_head or text.startswith(tuple(own.strip("*") for own in words("notices.own")), begin + len(word)):
                return True
            begin = text.find(word, begin + 1)
    return False


def _at_ends(said: dict[int, float], around: Floats, found: set[int], kept: list[int]) -> set[int]:
    """Return lines at the end of the text that count as notices there, and those after notices at its head."""
    more: set[int] = set()
    for order in (kept[::-1], kept):
        for line in order:
            is_next = order[0] == kept[-1] or line != kept[0]
            if line not in found and said.get(line, 0.0) + around[line] + AT_END * is_next < NOTICE:
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
