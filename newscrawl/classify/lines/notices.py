"""What a site says of itself inside its pages: consent, letters, donations, rights and liability, offers to subscribe.

No word decides. A line is a notice where words on such subjects, what the site calls its own, speech to the reader,
and its place (a dialogue, a form, a box, either end of the text) together say so.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.repeats import N_KINDS, line_places, main_place
from newscrawl.languages.characters import SPACELESS
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools

    Floats = NDArray[np.float64]
    Held = Mapping[str, Sequence[str]]

MAX_WEIGHT: Final = 700.0
"""A longer paragraph is no notice, unless it stands in a dialogue."""
N_BEGUN: Final = 5
"""Letters of a word by which it is looked for first."""
NOTICE: Final = 3.0
"""What has to speak for a notice."""
SURE, OWN, ASKED, BOXED, LINKED, AT_END, WITH_FORM = 1.0, 1.5, 1.0, 0.75, 1.5, 0.5, 1.0
SHORT: Final = 200.0
"""Weight up to which a line says one thing; of longer ones, each such length has to say one thing more."""
ORDER: Final = 100.0
"""Weight up to which a line that tells the reader to do something tells nothing else."""
TOPICAL, SURE_ALONE = 2.0, 2.5
"""What words on such subjects are worth at most where nothing says that they are the site's own, and no short line
speaks to the reader; with a phrase of notices among them."""
MIN_LEFT: Final = 0.2
"""Share of the text that must be left: with less, the page itself is about such things."""
MIN_LINES_LEFT: Final = 2
MAX_WITHIN: Final = 3
MAX_SHARE: Final = 0.12
MIN_LONG: Final = 12
"""A text of so many lines has at most ``MAX_WITHIN`` notices between its paragraphs, or ``MAX_SHARE`` of its lines:
with more, it is about such things."""
MIN_BESIDE: Final = 0.5
"""Share of notices in an element outside the story's flow from which on all of it is one."""
MAX_ASKED: Final = 300.0
"""Weight of a line that speaks to the reader, and on no such subject."""
ADVICE, MIN_ADVICE, MAX_ASKED_LINES = 0.3, 3, 40
"""Share of the paragraphs from which on a text speaks to its reader, least number of them, and how many are asked."""
MAX_BOX: Final = 6
"""Lines of a box with a line and a link."""
MAX_DIALOGUE: Final = 0.9
MAX_REGION: Final = 0.6
"""Share of the text up to which a form or a dialogue speaks for what stands in one element with it."""

_PATTERNS: Final = {
    name: WordPattern(rf"{{notices.{name}}}", re.IGNORECASE) for name in ("topics", "sure", "own", "ask")
}
_DO: Final = WordPattern(r"(?:^|\W){~notices.do}|{~notices.do}{~notices.own}")
"""An order to the reader: at the head of a clause, or to do something with what is the site's own."""
_RIGHTS: Final = re.compile(r"©|(?:\(c\)|copyright).{0,60}?\b(?:19|20)\d\d\b", re.IGNORECASE)
_SPOKEN: Final = "\"“„«「『‘'"
_UNSPACED: Final = re.compile(rf"[{SPACELESS}\u0e01-\u0eff]")
"""Letters of scripts that set no words apart."""
_WORD: Final = re.compile(r"[^\W\d_][\w-]*")
_BEGINNING: Final = itemgetter(slice(N_BEGUN))
_MARKS: Final = kinds_among(frozenset(("dialog", "form", "button")))
_DIALOGUES: Final = frozenset(("dialog", "alertdialog"))
_IN_BUTTON, _IN_CODE = map(FEATURES.index, ("in_button", "in_code"))


def drop_notices(is_body: Bools, page: NetworkInput) -> None:
    """Leave out what the site says of itself, where enough of the text is left."""
    kept = is_body.nonzero()[0]
    if len(kept) <= MIN_LINES_LEFT:
        return
    weight = page.features.weight
    around, laid_over = _regions(page, is_body)
    found = {line for line in kept.tolist() if laid_over[line]}
    asked = kept[(page.features.free[kept] > 0) & ~(page.values[kept, _IN_CODE] > 0) & (weight[kept] <= MAX_WEIGHT)]
    texts = page.lines.texts(asked.tolist())
    held = _held("\n".join(texts))
    on_topic = _on_topic(texts, held)
    said = {line: n for line in asked[on_topic].tolist() if (n := _said(page, line, held))}
    if said and _speaks_to_reader(page, [line for line in asked.tolist() if line not in said], held):
        said = {line: n for line in said if (n := _said(page, line, held, is_spoken_to=True))}
    story = [line for line in kept.tolist() if line not in said and line not in found] or kept.tolist()
    main = main_place(page, story)
    places = line_places(page, story)
    if 2 * places.count(main) >= len(places):
        for line, place in zip(asked.tolist(), line_places(page, asked.tolist()), strict=True):
            linked = _beside_link(page, line, is_body) if place != main else 0.0
            if place != main and (linked or line in said):
                around[line] += BOXED
                said[line] = said.get(line, 0.0) + linked
    within = {line for line, n in said.items() if n + around[line] >= NOTICE}
    if len(within) <= max(MAX_WITHIN, MAX_SHARE * len(kept)) or len(kept) < MIN_LONG:
        found |= within
    found |= _at_ends(said, around, found, kept.tolist())
    if not found:
        return
    found |= _beside(page, found, kept, main // N_KINDS)
    left = [line for line in kept.tolist() if line not in found]
    if len(left) >= MIN_LINES_LEFT and weight[left].sum() >= MIN_LEFT * weight[kept].sum():
        is_body[list(found)] = False


def _held(text: str) -> Held:
    """Return the words of each list that set no others apart and stand in a text: of so many a page holds few."""
    letters = frozenset(text)
    of_first = {name: _beginnings(name)[1] for name in _PATTERNS}
    return {
        name: [
            word
            for first in letters.intersection(known)
            for word in known[first]
            if letters.issuperset(word) and word in text
        ]
        for name, known in of_first.items()
    }


def _on_topic(texts: Sequence[str], held: Held) -> list[int]:
    """Return the places of the texts that may hold a word on such subjects: on most pages none does."""
    joined = "\n".join(texts)
    words_begin = _beginnings("topics")[0].intersection(map(str.lower, map(_BEGINNING, _WORD.findall(joined))))
    signs = [sign.casefold() for sign in (*words_begin, *held["topics"], "©")]
    return [place for place, text in enumerate(map(str.casefold, texts)) if any(sign in text for sign in signs)]


def _held_at(page: NetworkInput, line: int, held: Held) -> Held:
    return held if page.lines.wide[line] or page.lines.unmarked[line] else {}


def _speaks_to_reader(page: NetworkInput, lines: Sequence[int], held: Held) -> bool:
    """Tell whether the text itself speaks to its reader, as advice does."""
    prose = [line for line in lines if page.features.is_prose[line]][:MAX_ASKED_LINES]
    n = sum(bool(_among("ask", text, _begun(text), _held_at(page, line, held)))
            for line, text in zip(prose, page.lines.texts(prose), strict=True))  # fmt: skip
    return n >= MIN_ADVICE and n > ADVICE * len(prose)


@lru_cache(maxsize=512)
def _begun(text: str) -> frozenset[str]:
    """Return how the words of a text begin; remembered, as a line is asked more than once."""
    return frozenset(map(str.lower, map(_BEGINNING, _WORD.findall(text))))


def _said(page: NetworkInput, line: int, held: Held, *, is_spoken_to: bool = False) -> float:
    """Return how far the words of a line speak for a notice; 0.0 for a line without any.

    :param held: the words of each list that the page's lines hold within others.
    :param is_spoken_to: the text around it speaks to the reader, too.
    """
    text = page.lines.text(line)
    if text[0] in _SPOKEN:
        return 0.0
    begun, inner = _begun(text), _held_at(page, line, held)
    topics = len(_among("topics", text, begun, inner)) + ("©" in text)
    if not topics:
        return 0.0
    sure, own, ask = [bool(_among(name, text, begun, inner)) for name in ("sure", "own", "ask")]
    own = own or _RIGHTS.search(text) is not None
    length = max(0.0, float(page.features.weight[line]) - SHORT) / SHORT
    if inner is held and not length and _DO.search(text):
        ask, sure = True, sure or page.features.weight[line] <= ORDER
    ask = ask and (sure or not is_spoken_to)
    told = topics + SURE * sure + OWN * own + ASKED * ask
    most = told if own or (ask and not length) else SURE_ALONE if sure else TOPICAL
    return min(told, most) - length


def _among(name: str, text: str, begun: AbstractSet[str], inner: Held) -> set[str]:
    """Return the stems of the words of one of the lists that a line holds.

    Patterns of so many words are slow: they are tried where a word begins as one of them does.

    :param begun: how the words of the line begin.
    :param inner: words of each list that may stand within others.
    """
    beginnings = _beginnings(name)[0]
    found = {word for word in inner.get(name, ()) if word in text}
    if beginnings.isdisjoint(begun):
        return found
    for start, beginning in _spots(text):
        if beginning in beginnings and (match := _PATTERNS[name].match(text, start)):
            found.add(match[0][:N_BEGUN].lower())
    return found


@lru_cache(maxsize=128)
def _spots(text: str) -> Sequence[tuple[int, str]]:
    """Return where words of a text begin, and how; remembered, as a line is asked for the words of several lists."""
    return [(word.start(), word[0][:N_BEGUN].lower()) for word in _WORD.finditer(text)]


@cache
def _beginnings(name: str) -> tuple[frozenset[str], Mapping[str, Sequence[str]]]:
    """Return how the words of a list begin, and those of scripts that set no words apart, by their first letter."""
    found = [word.strip("*") for word in words(f"notices.{name}")]
    firsts = (_WORD.search(word) for word in found)
    begun = frozenset(first[0][:N_BEGUN].lower() for first in firsts if first)
    of_first: dict[str, list[str]] = {}
    for word in found:
        if not word.isascii() and _UNSPACED.search(word):
            of_first.setdefault(word[0], []).append(word)
    return begun, of_first


def _beside_link(page: NetworkInput, line: int, is_body: Bools) -> float:
    """Return how far a link or button beside a line, in one box with it, speaks for a notice."""
    measures = page.lines.measures
    if page.features.weight[line] > MAX_ASKED:
        return 0.0
    row = int(page.named.near[0][line])
    low, high = np.searchsorted(page.lines.start, (row, measures.end[row])).tolist()
    if high - low > MAX_BOX:
        return 0.0
    linked = [
        at for at in range(low, high) if not is_body[at] and (page.features.is_links[at] or page.values[at, _IN_BUTTON])
    ]
    if not linked or _PATTERNS["ask"].search(page.lines.text(line)) is None:
        return 0.0
    return ASKED + LINKED if any(_PATTERNS["topics"].search(page.lines.text(at)) for at in linked) else 0.0


def _at_ends(said: dict[int, float], around: Floats, found: set[int], kept: list[int]) -> set[int]:
    """Return the lines at the end of the text that are notices because they stand there, and those behind notices at
    its head.
    """
    more: set[int] = set()
    for order in (kept[::-1], kept):
        for line in order:
            is_next = order[0] == kept[-1] or line != kept[0]
            if line not in found and said.get(line, 0.0) + around[line] + AT_END * is_next < NOTICE:
                break
            more.add(line)
    return more


def _beside(page: NetworkInput, found: set[int], kept: NDArray[np.intp], main: int) -> set[int]:
    """Return the lines that stand in one element with notices, and with no paragraph of the story's flow."""
    around, weight = page.named.near[0], page.features.weight
    more: set[int] = set()
    for row in {int(around[line]) for line in found} - {main}:
        inside = kept[around[kept] == row]
        told = [line for line in inside.tolist() if line in found]
        if len(inside) <= MAX_BOX and weight[told].sum() >= MIN_BESIDE * weight[inside].sum():
            more.update(inside.tolist())
    return more


def _regions(page: NetworkInput, is_body: Bools) -> tuple[Floats, Bools]:
    """Return how far forms and buttons in one element with each line speak for a notice, and the lines of dialogues."""
    measures, starts = page.lines.measures, page.lines.start
    found, laid_over = np.zeros(len(is_body)), np.zeros(len(is_body), dtype=np.bool_)
    mass = np.append(0.0, np.where(is_body, page.features.weight, 0.0).cumsum())
    dialogues = set(measures.rows_among([node for node in measures.marked if node.get("role") in _DIALOGUES]).tolist())
    marks = (_MARKS[measures.kinds] & (measures.chars > 0)).nonzero()[0].tolist()
    for shown in (*dialogues, *marks):
        is_dialogue = shown in dialogues or measures.tags[shown] == "dialog"
        if not is_dialogue and measures.nodes[shown].get("aria-controls"):
            continue
        row = shown
        while row > 0:
            low, high = np.searchsorted(starts, (row, measures.end[row])).tolist()
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
    return found, laid_over
