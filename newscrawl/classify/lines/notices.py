"""Notices of the site inside its pages: consent, letters, donations, rights and liability, offers to subscribe.

No single word decides. A line is a notice if several signs agree: words on such subjects, names of the site's own
things, speech to the reader, and its place (a dialogue, a form, a box, either end of the text).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.repeats import N_KINDS, line_places, main_place, stand_apart
from newscrawl.languages.characters import SPACELESS
from newscrawl.languages.patterns import WordPattern, alternatives
from newscrawl.languages.tables import words
from newscrawl.page.tags import KIND_OF, kinds_among
from newscrawl.urls.shape import is_service

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools, Ints

    Floats = NDArray[np.float64]
    Held = Mapping[str, Sequence[str]]

MAX_WEIGHT: Final = 700.0
"""Most weight of a notice, unless it stands in a dialogue."""
N_BEGUN: Final = 5
"""Letters by which words are searched first."""
NOTICE: Final = 3.0
"""Evidence that makes a line a notice."""
SURE, OWN, ASKED, BOXED, LINKED, AT_END, WITH_FORM = 1.0, 1.5, 1.0, 0.75, 1.0, 0.5, 1.0
DOUBT, MIN_DOUBT, MAX_DOUBT = 0.3, 0.5, 1.25
"""What the network's doubt says for each unit of log odds that a line is below the usual one of the story, and at most.
Without words, structure speaks from the least on."""
LEAST_DOUBT, CERTAIN = 0.15, 1.5
"""What its certainty says against a line in the story's flow, with less doubt than that."""
NAMED: Final = 0.5
"""Evidence of an element with a class of its own that holds a line and little more, if the doubt is great."""
SHORT: Final = 200.0
"""Weight per statement of a line: longer lines need one more sign per such length."""
ORDER: Final = 100.0
"""Most weight of a line that only tells the reader to do something."""
TOPICAL, SURE_ALONE = 2.0, 2.5
"""What words on such subjects are worth at most where nothing says that they are the site's own, and no short line
speaks to the reader; with a phrase of notices among them."""
MIN_LEFT: Final = 0.2
"""Least share of the text that must remain. Otherwise the page itself is about such things."""
MIN_LINES_LEFT: Final = 2
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

_LISTS: Final = ("topics", "sure", "own", "ask")
_DO: Final = WordPattern(r"(?:^|\W){~notices.do}|{~notices.do}{~notices.own}")
"""Order to the reader: at the head of a clause, or to do something with the site's own things."""
_RIGHTS: Final = re.compile(r"©|(?:\(c\)|copyright).{0,60}?\b(?:19|20)\d\d\b", re.IGNORECASE)
_SPOKEN: Final = "\"“„«「『‘'"
_UNSPACED: Final = re.compile(rf"[{SPACELESS}\u0e01-\u0eff]")
"""Letters of scripts without spaces between words."""
_WORD: Final = re.compile(r"[^\W\d_][\w-]*")
_BEGINNING: Final = itemgetter(slice(N_BEGUN))
_MARKS: Final = kinds_among(frozenset(("dialog", "form", "button")))
_DIALOGUES: Final = frozenset(("dialog", "alertdialog"))
_LINK: Final = KIND_OF["a"]
_IN_CODE, _IS_HEADLINE = map(FEATURES.index, ("in_code", "is_headline"))
_TOLD: Final = [FEATURES.index(name) for name in ("in_item", "own_cell", "in_quote", "in_figure")]


def drop_notices(probabilities: NDArray[np.float32], is_body: Bools, page: NetworkInput) -> None:
    """Leave out notices of the site, if enough of the text remains."""
    kept = is_body.nonzero()[0]
    if len(kept) <= MIN_LINES_LEFT:
        return
    weight = page.features.weight
    around, laid_over, marks = _regions(page, is_body)
    found = {line for line in kept.tolist() if laid_over[line]}
    may_say = (page.features.free > 0) & ~(page.values[:, _IN_CODE] > 0) & ~page.features.is_heading
    asked = kept[may_say[kept] & (weight[kept] <= MAX_WEIGHT)]
    texts = page.lines.texts(asked.tolist())
    held = _held("\n".join(texts))
    said = {line: n for line in asked[_on_topic(texts, held)].tolist() if (n := _said(page, line, held))}
    if said and _speaks_to_reader(page, [line for line in asked.tolist() if line not in said], held):
        said = {line: n for line in said if (n := _said(page, line, held, is_spoken_to=True))}
    story = [line for line in kept.tolist() if line not in said and line not in found] or kept.tolist()
    main = main_place(page, story)
    places = line_places(page, story)
    if 2 * places.count(main) >= len(places):
        flow = [line for line, place in zip(story, places, strict=True) if place == main]
        for line, told, evidence in _apart(probabilities, is_body, page, asked, flow, said, marks):
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
    if len(left) >= MIN_LINES_LEFT and weight[left].sum() >= MIN_LEFT * weight[kept].sum():
        is_body[list(found)] = False


def _apart(
    probabilities: NDArray[np.float32],
    is_body: Bools,
    page: NetworkInput,
    asked: NDArray[np.intp],
    flow: Sequence[int],
    said: Mapping[int, float],
    marks: Ints,
) -> Iterator[tuple[int, float, float]]:
    """Yield the lines that stand apart from the story's flow, how far what stands beside them speaks for a notice, and
    how far their place and the network's doubt do.

    Lines without a word of notices are yielded where the network doubts them, below the story's first.
    """
    measures, rows = page.lines.measures, page.lines.start.take(flow)
    inner = np.clip(probabilities, 1e-6, 1 - 1e-6)
    odds = np.log(inner / (1 - inner))
    doubt = np.clip(DOUBT * (np.median(odds[list(flow)]) - odds), 0.0, MAX_DOUBT)
    doubtful = [line for line in asked.tolist() if line in said or doubt[line] >= MIN_DOUBT]
    lines = [line for line in doubtful if line in said or line > flow[0] or _asks(page, line)]
    main = line_places(page, flow[:1])[0]
    for line, is_other in zip(lines, stand_apart(page, lines, flow, main), strict=True):
        row = box = int(page.lines.block[line])
        is_apart = is_other or (line == flow[-1] and page.lines.link_chars[line] > 0)
        while is_apart and row > 0 and np.searchsorted(rows, row) == np.searchsorted(rows, measures.end[row]):
            box, row = row, int(measures.parent[row])
        is_doubtful = is_apart and doubt[line] >= MIN_DOUBT
        told = _beside_line(page, line, box, is_body, marks) if is_doubtful else 0.0
        is_named = is_other and measures.nodes[box].get("class") and not (page.values[line, _TOLD] > 0).any()
        if is_named and doubt[line] >= MAX_DOUBT:
            low, high = np.searchsorted(page.lines.start, (box, measures.end[box])).tolist()
            told += NAMED * (high - low <= 2 and bool(page.features.is_prose[line]))
        if told or (is_apart and line in said):
            yield line, told, BOXED + min(float(doubt[line]), MAX_DOUBT if told else said[line] / 2)
        elif line in said and not is_apart and not doubt[line] >= LEAST_DOUBT:
            yield line, 0.0, -CERTAIN


def _beside_line(page: NetworkInput, line: int, box: int, is_body: Bools, marks: Ints) -> float:
    """Return the evidence for a notice in a line's box: forms and buttons, links to the site's own pages and channels.

    The last line of the story's flow is a box of its own. Boxes with the headline, and of lists, tables, quotations or
    pictures, say nothing.
    """
    measures, features = page.lines.measures, page.features
    low, high = np.searchsorted(page.lines.start, (box, measures.end[box])).tolist()
    is_told = high - low > MAX_BOX or features.weight[line] > MAX_ASKED or (page.values[line, _TOLD] > 0).any()
    if is_told or page.values[low:high, _IS_HEADLINE].any():
        return 0.0
    first, stop = np.searchsorted(marks, (box, measures.end[box])).tolist()
    links = box + (measures.kinds[box : measures.end[box]] == _LINK).nonzero()[0]
    own = page.url or "" if box != page.lines.block[line] else None
    is_linked = any(is_service(measures.nodes[row].get("href") or "", own) for row in links.tolist())
    beside = [at for at in range(low, high) if not is_body[at] and features.is_links[at]]
    is_asked = (is_linked or bool(beside)) and _asks(page, line)
    if is_asked and not is_linked:
        texts = page.lines.texts(beside)
        is_linked = any(_among("topics", text, _begun(text), _held(text)) for text in texts)
    is_said = is_asked or box != page.lines.block[line] or features.weight[line] <= SHORT
    return WITH_FORM * int(stop > first) + (LINKED + ASKED * is_asked) * (is_linked and is_said)


def _asks(page: NetworkInput, line: int) -> bool:
    """Tell whether a line has a word, standing alone, by which sites address their readers."""
    text = page.lines.text(line)
    return bool(_among("ask", text, _begun(text), {}))


def _held(text: str) -> Held:
    """Return the words of each list found in a text, for scripts without spaces: a page holds few of so many."""
    letters = frozenset(text)
    of_first = {name: _beginnings(name)[1] for name in _LISTS}
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
    """Return the places of the texts that may hold a word of notices. Most pages have none."""
    begun = map(str.lower, map(_BEGINNING, _WORD.findall("\n".join(texts))))
    signs = [sign.casefold() for sign in (*_beginnings("topics")[0].keys() & set(begun), *held["topics"], "©")]
    return [place for place, text in enumerate(map(str.casefold, texts)) if any(sign in text for sign in signs)]


def _speaks_to_reader(page: NetworkInput, lines: Sequence[int], held: Held) -> bool:
    """Tell whether the text itself addresses its reader, as advice does."""
    prose = [line for line in lines if page.features.is_prose[line]][:MAX_ASKED_LINES]
    is_unspaced = (page.lines.wide + page.lines.unmarked)[prose] > 0
    n = sum(bool(_among("ask", text, _begun(text), held if inside else {}))
            for inside, text in zip(is_unspaced.tolist(), page.lines.texts(prose), strict=True))  # fmt: skip
    return n >= MIN_ADVICE and n > ADVICE * len(prose)


@lru_cache(maxsize=512)
def _begun(text: str) -> frozenset[str]:
    """Return the beginnings of a text's words, cached because a line is examined more than once."""
    return frozenset(map(str.lower, map(_BEGINNING, _WORD.findall(text))))


def _said(page: NetworkInput, line: int, held: Held, *, is_spoken_to: bool = False) -> float:
    """Return the evidence for a notice in the words of a line; 0.0 without any.

    :param held: words of each list that the page's lines hold within other words.
    :param is_spoken_to: whether the text around it addresses the reader, too.
    """
    text = page.lines.text(line)
    if text[0] in _SPOKEN:
        return 0.0
    begun, inner = _begun(text), held if page.lines.wide[line] or page.lines.unmarked[line] else {}
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
    """Return the stems of a list's words that a line holds.

    Patterns of so many words are slow, so they run only at words with the beginning of one of them.

    :param begun: beginnings of the line's words.
    :param inner: words of each list that may stand within others.
    """
    beginnings = _beginnings(name)[0]
    found = {word for word in inner.get(name, ()) if word in text}
    if beginnings.keys().isdisjoint(begun):
        return found
    for start, beginning in _spots(text):
        if beginning in beginnings and (match := _words_there(name, beginning).match(text, start)):
            found.add(match[0][:N_BEGUN].lower())
    return found


@lru_cache(maxsize=128)
def _spots(text: str) -> Sequence[tuple[int, str]]:
    """Return the places and beginnings of a text's words, cached because a line is searched for several lists."""
    return [(word.start(), word[0][:N_BEGUN].lower()) for word in _WORD.finditer(text)]


@lru_cache(maxsize=1024)
def _words_there(name: str, beginning: str) -> re.Pattern[str]:
    """Return the pattern of a list's words with this beginning. One pattern for all would compile slowly."""
    begun = _beginnings(name)[0]
    found = [word.lower() for size in range(1, N_BEGUN + 1) for word in begun.get(beginning[:size], ())]
    return re.compile(alternatives(dict.fromkeys(found)), re.IGNORECASE)


@cache
def _beginnings(name: str) -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """Return the words of a list by their beginnings, and those of scripts without spaces by their first letter."""
    begun: dict[str, list[str]] = {}
    of_first: dict[str, list[str]] = {}
    for word in words(f"notices.{name}"):
        bare = word.strip("*")
        if first := _WORD.search(bare):
            begun.setdefault(first[0][:N_BEGUN].lower(), []).append(word)
        if not bare.isascii() and _UNSPACED.search(bare):
            of_first.setdefault(bare[0], []).append(bare)
    return begun, of_first


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
    measures, starts = page.lines.measures, page.lines.start
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
    return found, laid_over, np.sort(np.array(asking, dtype=np.int32))
