"""Controls of a page among the lines of a story: players, sizes of letters, buttons, places for advertisements."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.cohesion import controls
from newscrawl.classify.lines.columns import FEATURES
from newscrawl.languages.patterns import WordPattern
from newscrawl.page.hints import is_named
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools

MAX_CONTROL: Final = 24.0
"""Most weight of a line beside a page's controls that is one of them."""
MAX_CONTROLS: Final = 16
"""Most lines in a row at one side of the story that are looked at."""
MAX_SHORT: Final = 90.0
"""Most weight of a line that may stand among controls."""
MAX_AROUND: Final = 8
"""Most lines of an element that is a control."""
MAX_NAMED: Final = 48.0
"""Most weight of a control's label."""
A_CONTROL, SURE_CONTROL = 1.0, 3.0
"""Evidence in the words of a line that makes it a control above or below the story, and anywhere: as much as one in 100
short lines of stories has, and one in 1,000."""
MAX_PLACE_LABEL: Final = 80.0
"""Most weight of a label."""
_AD: Final = WordPattern(r"\W*{lines.advertising}\W*", re.IGNORECASE, is_led=True)
_CONTROLS: Final = re.compile(
    r"(?:^|[\s_-])(?:tools?|tool(?:bar|box)|func|controls?|shar(?:e|ing)|player|listen|tts|read(?:ing)?-?time|bookmarks?)"
    r"(?:$|[\s_-])", re.IGNORECASE,
)  # fmt: skip
_NUMBERED: Final = re.compile(r"\s*\d{1,3}[.)、]\s")
_SAYS_MORE: Final = re.compile(rf"[:：](?!\s*\d)|^{_NUMBERED.pattern}")
_IN_ITEM, _ENDS = map(FEATURES.index, ("in_item", "ends_sentence"))
_IN_CELL_OR_CODE: Final = [FEATURES.index(name) for name in ("own_cell", "in_code")]
_IMAGES: Final = kinds_among(frozenset(("img", "picture", "video", "figure")))
_PLACES: Final = frozenset(("div", "section", "aside", "ins", "iframe", "script", "object"))


def drop_place_labels(is_body: Bools, page: NetworkInput) -> None:
    """Leave out labels of places for advertisements and of a page's controls, or if they stand often beside nothing.

    What stands beside a control above or below the story, without the end of a sentence, is one, too.
    """
    lines, features = page.lines, page.features
    short = (features.weight <= MAX_PLACE_LABEL) & (features.weight > 0)
    kept = (short & is_body).nonzero()[0].tolist()
    if not kept:
        return
    lengths = np.bincount(lines.chars[kept], minlength=int(lines.chars.max()) + 1)  # a repetition is as long
    times = Counter(lines.texts((short & (lengths[lines.chars] > 0)).nonzero()[0].tolist()))
    nodes = lines.measures.nodes
    texts, blocks = lines.texts(kept), lines.block[kept].tolist()
    repeated = {block for block, text in zip(blocks, texts, strict=True) if times[text] > 1}
    beside_none = {
        block
        for block in repeated
        if any(part.tag in _PLACES and not part.text_content().strip() for part in nodes[block])
    }
    is_text = features.is_heading | (page.values[:, _IN_CELL_OR_CODE] > 0).any(axis=1)
    is_item = page.values[:, _IN_ITEM] > 0
    in_control: dict[int, bool] = {}
    asked = [line for line in kept if not (is_text[line] or is_item[line])]
    sure = {line for line, is_said in zip(asked, _are_controls(page, asked, SURE_CONTROL), strict=True) if is_said}
    for line, text, block in zip(kept, texts, blocks, strict=True):
        is_empty = times[text] > 1 and block in beside_none
        is_said = not is_empty and (line in sure or _AD.fullmatch(text))
        may_be = not (is_empty or is_said or is_text[line] or features.is_prose[line] or page.values[line, _ENDS])
        is_body[line] = not (
            is_empty or is_said or (may_be and _is_in_control(page, int(lines.start[line]), in_control))
        )
    _drop_beside_controls(is_body, page, ~is_text)


def _drop_beside_controls(is_body: Bools, page: NetworkInput, may_be: Bools) -> None:
    """Leave out the controls of a page right above and below the story, with short lines among them."""
    features, told = page.features, (is_body & page.features.is_prose).nonzero()[0].tolist()
    is_short = may_be & ~features.is_prose & (page.values[:, _ENDS] == 0) & (features.weight <= MAX_SHORT)
    is_item = page.values[:, _IN_ITEM] > 0
    sides = (range(told[0] - 1, -1, -1), range(told[-1] + 1, len(is_body))) if told else ()
    for side in sides:
        run = list(takewhile(is_short.__getitem__, side[:MAX_CONTROLS]))
        asked = run if is_body[run].any() else ()
        named = [line for line, is_said in zip(asked, _are_controls(page, asked, A_CONTROL), strict=True) if is_said]
        small = [line for line in run if features.weight[line] <= MAX_CONTROL and {line - 1, line + 1} & {*named}]
        small = [line for line in small if is_item[line] == is_item[named[0]]]
        is_body[[*named, *(line for line in small if not _SAYS_MORE.search(page.lines.text(line)))]] = False


def _is_in_control(page: NetworkInput, row: int, known: dict[int, bool]) -> bool:
    """Tell whether a line stands in a button, or in an element of few lines named after controls or a player.

    :param known: rows that were asked before; it grows.
    """
    measures, above = page.lines.measures, list[int]()
    found = False
    while row > 0 and not found:
        if row in known:
            found = known[row]
            break
        low, high = page.lines.within(row)
        node = measures.nodes[row]
        above.append(row)
        if high - low > MAX_AROUND or page.features.is_prose[low:high].any():
            break
        if _IMAGES[measures.kinds[row : measures.end[row]]].any():
            break
        found = node.tag == "button" or node.get("role") in {"button", "toolbar"} or is_named(node, _CONTROLS)
        row = int(measures.parent[row])
    known |= dict.fromkeys(above, found)
    return found


def _are_controls(page: NetworkInput, lines: Sequence[int], least: float) -> list[bool]:
    """Tell which lines read like labels of controls, a reading time, or the size of letters.

    :param least: least evidence in their words.
    """
    texts = page.lines.texts(lines)
    told = (controls(texts) >= least) & (page.features.weight.take(lines) <= MAX_NAMED) if texts else ()
    return [bool(is_told) and not _NUMBERED.match(text) for text, is_told in zip(texts, told, strict=True)]
