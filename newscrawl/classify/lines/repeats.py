"""Repetitions within a text (copies for other screens, pull quotes, summaries, cut teasers), which are kept once."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.languages.text import fold
from newscrawl.page.tags import HEADINGS, kinds_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools

MIN_COPY: Final = 40.0
"""Least weight of a line that is a copy if it stands twice. Verse and speech repeat shorter ones."""
MIN_PART: Final = 30.0
"""Least weight of a part of another line that is a quote or summary."""
MAX_RUN: Final = 50
"""Lines of a run of copies before and behind each of its longer ones."""
MIN_QUOTED: Final = 16.0
"""Least weight of such a part in an element for quotes."""
MAX_PREFIX: Final = 14
"""Most characters of a label before a summary."""
HEADLINE_SLACK: Final = 6
"""Most characters that a line may have beyond the headline that it repeats."""

RARE: Final = 0.2
"""Most share of the story's lines of a class that stands apart."""
N_KINDS: Final = 256
_QUOTES: Final = [FEATURES.index(f"in_{name}") for name in ("quote", "aside", "figure")]
_IS_HEADING: Final = kinds_among(HEADINGS)
_STAYS: Final = kinds_among(HEADINGS | frozenset(("li", "dd", "dt", "td", "th", "pre")))
_LABEL: Final = re.compile(rf"[^\W\d_][^:：]{{1,{MAX_PREFIX}}}[:：]\s*|[【\[][^】\]]{{1,{MAX_PREFIX}}}[】\]]\s*")
_CUT: Final = re.compile(r"\s{0,9}[\[(（【]?\s{0,9}(?=…|⋯|\.\.\.|。。。)[.…。⋯]{1,60}+\s{0,9}[\])）】]?\W{0,9}$")
_ASKED: Final = ("?", "？", "؟")
_IN_CODE, _IN_ITEM, _IS_CELL, _IS_HEADLINE = map(FEATURES.index, ("in_code", "in_item", "own_cell", "is_headline"))
_EDGES: Final = " \t\"'“”„‟‘’«»‹›「」『』《》〈〉*_—–-.,;，。、،।!！"


def drop_headlines(is_body: Bools, page: NetworkInput) -> None:
    """Leave out each line that equals the headline, the last also behind a label, if other lines remain."""
    found = page.values[:, _IS_HEADLINE].nonzero()[0].tolist()
    if not found:
        return
    headline = found[0]
    lines = page.lines
    told = fold(lines.text(headline))
    near = is_body & (np.abs(lines.chars - lines.chars[headline]) <= HEADLINE_SLACK)
    found = [line for line in near.nonzero()[0].tolist() if line == headline or fold(lines.text(line)) == told]
    last = is_body.nonzero()[0][-1:].tolist()
    found += [line for line in last if told and fold(_LABEL.sub("", lines.text(line), count=1)) == told]
    if found and np.count_nonzero(is_body) > len(found):
        is_body[found] = False


def drop_copies(is_body: Bools, page: NetworkInput) -> None:
    """Leave out paragraphs that stand in another part of the text already, and the short lines among them.

    Of two copies the one stays whose element holds more of the text, else the first. Code stays, and repetitions within
    one element, except a summary at its head. Single lines stay if they are questions, no sentences, or stand there
    three times, as lists have them for each item.
    """
    kept = (is_body & ~(page.values[:, _IN_CODE] > 0)).nonzero()[0].tolist()
    texts = page.lines.texts(kept)
    if len(set(texts)) == len(texts) or _is_of_items(is_body, page):
        return
    is_prose, around = page.features.is_prose, page.named.near[0].take(kept).tolist()
    pairs: list[tuple[int, int]] = []
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        other = first.setdefault(text, place)
        if other != place and page.features.weight[kept[place]] >= MIN_COPY:
            pairs.append((other, place))
    gone: set[int] = set()
    times = Counter(texts)
    mass = _masses(page, kept) if pairs else {}
    held = [mass[place] for place in line_places(page, kept)] if pairs else []
    for other, place in pairs:
        is_less = held[place] > held[other]
        run = _run(other, place, texts)
        is_alone = len(run) == 1
        is_one = around[place] == around[other] and markup(page, kept[place]) == markup(page, kept[other])
        if is_one and (other or not is_alone):
            continue
        if not is_alone or (times[texts[place]] == 2 and is_prose[kept[place]] and not texts[place].endswith(_ASKED)):
            gone.update(pair[0 if is_less and other not in gone else 1] for pair in run)
    is_body[[kept[place] for place in gone]] = False


def markup(page: NetworkInput, line: int) -> tuple[str, str | None]:
    """Return tag and class of the outermost element with the same lines as a line's block."""
    node = page.lines.measures.nodes[int(page.named.own[1][line])]
    return str(node.tag), node.get("class")


def _is_of_items(is_body: Bools, page: NetworkInput) -> bool:
    """Tell whether most of the text stands in items or cells, which may repeat each other."""
    chars = np.where(is_body, page.chars, 0.0)
    is_item = (page.values[:, _IN_ITEM] > 0) | (page.values[:, _IS_CELL] > 0)
    return bool(chars[is_item].sum() > chars.sum() / 2)


def _run(other: int, place: int, texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the run of pairs of equal lines around one pair, itself included."""
    low, high = 0, 1
    while (
        low > -MAX_RUN
        and other + low > 0
        and place + low - 1 > other
        and texts[other + low - 1] == texts[place + low - 1]
    ):
        low -= 1
    while high < min(MAX_RUN, len(texts) - place, place - other) and texts[other + high] == texts[place + high]:
        high += 1
    return [(other + step, place + step) for step in range(low, high)]


def _masses(page: NetworkInput, kept: Sequence[int]) -> dict[int, float]:
    """Return the characters of the kept lines by place (blocks of one tag side by side)."""
    found: dict[int, float] = {}
    for place, chars in zip(line_places(page, kept), page.chars[kept].tolist(), strict=True):
        found[place] = found.get(place, 0.0) + chars
    return found


def line_places(page: NetworkInput, lines: Sequence[int]) -> list[int]:
    """Return a number of each line's place: the element around its block, and the block's tag."""
    kinds = page.lines.measures.kinds.take(page.lines.block.take(lines))
    of: list[int] = (page.named.near[0].take(lines) * N_KINDS + kinds).tolist()
    return of


def main_place(page: NetworkInput, kept: Sequence[int]) -> int:
    """Return the place with most of the text."""
    mass = _masses(page, kept)
    return max(mass, key=lambda place: mass[place])


def stand_apart(page: NetworkInput, lines: Sequence[int], kept: Sequence[int], main: int) -> list[bool]:
    """Tell which lines stand in another place than most of the text, or there in an element unlike most.

    :param kept: the lines of the text.
    :param main: their place.
    """
    times = Counter(
        markup(page, line) for line, place in zip(kept, line_places(page, kept), strict=True) if place == main
    )
    rare = RARE * times.total()
    places = line_places(page, lines)
    return [place != main or times[markup(page, line)] <= rare for line, place in zip(lines, places, strict=True)]


def drop_parts(is_body: Bools, page: NetworkInput) -> None:
    """Leave out pull quotes, summaries and cut teasers that another line of the text holds word for word.

    The first line may be one, with a label or a class of its own, in the story's place.
    """
    lines = page.lines
    kept = is_body.nonzero()[0]
    if len(kept) < 2:
        return
    weight = page.features.weight[kept]
    kinds = lines.measures.kinds.take(lines.block.take(kept))
    in_quote = (page.values[kept[:, None], _QUOTES] > 0).any(axis=1)
    is_told = weight >= np.where(in_quote, MIN_QUOTED, MIN_PART)
    asked = kept[is_told & ~(_STAYS.take(kinds) & ((kept != is_body.argmax()) | ~_IS_HEADING.take(kinds)))]
    if len(asked) < 2 or _is_of_items(is_body, page):
        return
    main, is_prose = main_place(page, kept.tolist()), page.features.is_prose
    is_quoted = np.count_nonzero(page.values[asked[:, None], _QUOTES] > 0, axis=1).tolist()
    texts, shown, first_line = lines.texts(kept.tolist()), lines.shown, int(kept[0])
    joined, times = "\n".join(texts), Counter(texts)
    apart = stand_apart(page, asked.tolist(), kept.tolist(), main)
    for line, is_apart, quoted in zip(asked.tolist(), apart, is_quoted, strict=True):
        text = shown[line]
        is_cut = "…" in text[-5:] or "..." in (end := text[-6:]) or "。。" in end
        is_told_apart = is_apart and (
            is_prose[line] or text[0] in _EDGES or (len(text) >= MIN_COPY and not page.values[line, _IN_CODE])
        )
        is_summary = line == first_line and (is_apart or _LABEL.match(text) is not None)
        if not (is_cut or quoted or is_told_apart or is_summary):
            continue
        bare = _CUT.sub("", text) if is_cut else text
        label, first = _LABEL.match(bare), lines.pieces[lines.bounds[line]]
        start = label.end() if label else len(first) if line == first_line and len(first) <= MAX_PREFIX else 0
        for part in (bare, bare[start:]) if start else (bare,):
            told = part.strip(_EDGES)
            is_most = page.features.weight[line] * len(told) >= MIN_PART / 2.5 * len(text) and len(told) * 2 > len(text)
            # in a longer line, too: drop_copies handles equal lines
            if not is_most or joined.count(told) <= times[text] * text.count(told):
                continue
            is_body[line] = False
            times[text] -= 1
            joined = joined.replace(text, "", 1) if joined.startswith(text) else joined.replace("\n" + text, "\n", 1)
            break
