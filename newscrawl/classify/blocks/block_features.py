"""Features by which the shipped model classifies a block: the densities of eq. 5, and more.

Arrays hold all blocks of one page. There are no screen boxes, which would cost as much as everything else together.
"""

from __future__ import annotations

import bisect
import itertools
import re
from functools import cache, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.languages.characters import FIRST_WIDE
from newscrawl.languages.tables import words
from newscrawl.page.hints import BOILERPLATE_TAGS, CONTENT_WORDS, name_words
from newscrawl.page.lines import WIDE_WEIGHT
from newscrawl.page.measures import TEXT
from newscrawl.page.tags import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats, Ints
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures
    from newscrawl.page.segment import Block

CLIMB: Final = 4
"""Elements around a block whose names are read."""
MAX_DEPTH: Final = 40
"""Deeper blocks count as this deep."""

NAME_GROUPS: Final[dict[str, frozenset[str]]] = {
    "content": CONTENT_WORDS,
    "related": frozenset(
        """related relate relevant recommend recommended recommendation recommendations tuijian xiangguan guess
        relacionadas hot popular mostread trending rank ranking paihang more also read next teaser teasers latest list
        newslist headlines topics outbrain taboola promo yaowen redian""".split()
    ),
    "navigation": frozenset(
        """nav navi navigation menu menus topnav subnav breadcrumb breadcrumbs crumb crumbs mianbaoxie daohang header
        top topbar head logo channel search login channels""".split()
    ),
    "footer": frozenset("footer foot bottom copyright copy copyrights disclaimer legal about".split()),
    "comments": frozenset(
        "comment comments kommentar kommentare reply replies disqus pinglun liuyan post_comment gentie".split()
    ),
    "service": frozenset(
        """share sharing social sns bshare jiathis addthis fenxiang ad ads adv advert adverts advertisement banner
        sponsor guanggao tags tag keywords author byline source info meta editor toolbar tools""".split()
    ),
    "side": frozenset("sidebar side aside right rightcol column widget widgets left".split()),
}
"""Group → words of class and id names."""
_GROUP_OF_WORD: Final[dict[str, int]] = {}
for _place, _words in enumerate(NAME_GROUPS.values()):
    for _word in _words:
        _GROUP_OF_WORD[_word] = _GROUP_OF_WORD.get(_word, 0) | 1 << _place
_PLACES: Final = np.arange(len(NAME_GROUPS))[:, None]


def depths(rows: Ints, measures: Measures) -> Ints:
    """Return the depth of each row, not counting the page's first row; at most ``MAX_DEPTH``."""
    closed = np.bincount(measures.end, minlength=len(measures) + 1).cumsum()
    found: Ints = np.minimum(np.maximum(rows - 1 - closed.take(rows), 0), MAX_DEPTH)
    return found


def first_elements(starts: Ints, measures: Measures) -> Ints:
    """Return the row of the element that each block begins with, or of the element around a bare text."""
    tags = measures.tags
    is_text = [tags[row] is TEXT for row in starts.tolist()]
    rows: Ints = np.where(is_text, measures.parent.take(starts), starts)
    return rows


def name_groups(rows: Ints, measures: Measures) -> Ints:
    """Return which of ``NAME_GROUPS`` the names of each row hold, and those of ``CLIMB`` elements around it.

    The names of an element that says nothing are those of its first child. The page's first row surrounds nothing.

    :returns: zeros and ones, shape ``(2 · n_groups, n_rows)``: own groups, then those around.
    """
    ladder = np.empty((CLIMB + 2, len(rows)), dtype=np.int64)  # first child, the row itself, what is around it
    children = rows + 1
    ladder[0] = np.where(children < measures.end.take(rows), children, rows)
    ladder[1] = rows
    for step in range(1, CLIMB + 1):
        np.maximum(measures.parent.take(ladder[step]), 0, out=ladder[step + 1])
    places = ladder.ravel().tolist()
    nodes = measures.nodes  # of a text, the element around it
    of_row = {row: groups_of_names(nodes[row].get("class"), nodes[row].get("id")) for row in set(places)}
    groups = np.array([of_row[row] for row in places]).reshape(ladder.shape)
    groups[2:] *= ladder[2:] > 0
    both = np.empty((2, len(rows)), dtype=np.int64)
    both[0] = np.where(groups[1], groups[1], groups[0])
    np.bitwise_or.reduce(groups[2:], axis=0, out=both[1])
    bits: Ints = (both[:, None] >> _PLACES & 1).reshape(-1, len(rows))
    return bits


@lru_cache(maxsize=8192)
def groups_of_names(*names: str | None) -> int:
    """Return the groups of the words in ``names``, a bit for each; None says nothing.

    >>> groups_of_names("articleBody", None, "relatedLinks") == 0b11
    True
    """
    groups = 0
    for name in filter(None, names):
        for word in name_words(name):
            groups |= _GROUP_OF_WORD.get(word, 0)
    return groups


_UNITS: Final = 0x10000
_WIDE: Final = 1 << 32


def _worth() -> NDArray[np.int64]:
    """Return for each unit of UTF-16 its half marks, 2 at the end of a sentence, 1 within; above, 1 if it is wide."""
    table = np.zeros(_UNITS, dtype=np.int64)
    table[FIRST_WIDE:] = _WIDE
    table[[ord(mark) for mark in "。！？!?؟।…"]] += 2
    table[[ord(mark) for mark in "，、；,;،"]] += 1
    return table


_WORTH: Final = _worth()


def marks_and_wide(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the sentence marks (a comma counts half) and the ideographs, kana and Hangul of each text.

    Characters beyond the basic plane, two units of UTF-16, count as two ideographs. A full stop counts where white
    space stands behind it: a decimal point has none.
    """
    joined = "\n".join((*texts, ""))
    codes = np.frombuffer(joined.encode("utf-16-le", "replace"), dtype=np.uint16)
    lengths = [len(text) + 1 for text in texts]
    if len(codes) != len(joined):
        lengths = [len(text.encode("utf-16-le", "replace")) // 2 + 1 for text in texts]
    worth = _WORTH.take(codes)
    dots = (codes == ord(".")).nonzero()[0]
    worth[dots[codes.take(dots + 1) <= ord(" ")]] = 2
    sums = np.add.reduceat(worth, [0, *itertools.accumulate(lengths[:-1])])
    return (sums & (_WIDE - 1)) / 2, (sums >> 32).astype(np.float64)


class Words:
    """Words to search many short texts for.

    Ideographs are rare enough for one pattern to find fast; ASCII words are found faster one after another.
    """

    def __init__(self, found: Sequence[str]) -> None:
        self._plain = tuple(word for word in found if word.isascii())
        # flags would cost the pattern its search for first letters
        self._others = re.compile("|".join(re.escape(word) for word in found if not word.isascii()))

    def held_by(self, texts: Sequence[str]) -> list[int]:
        """Return the places of the texts that hold one of the words, in any case; in no order, and maybe repeated."""
        lower = "\n".join(texts).lower()
        found = [] if lower.isascii() else [match.start() for match in self._others.finditer(lower)]
        found += [at for word in self._plain if word in lower for at in _all_of(word, lower)]
        if not found:
            return []
        ends = list(itertools.accumulate(len(text) + 1 for text in texts))
        if ends[-1] != len(lower) + 1:  # some letters grow in lower case
            ends = list(itertools.accumulate(len(text.lower()) + 1 for text in texts))
        return [bisect.bisect_right(ends, at) for at in found]


@cache
def related_titles() -> Words:
    """Return the words above lists of other stories."""
    return Words(words("lines.related"))


@cache
def service_words() -> Words:
    """Return words of page furniture."""
    return Words(("©", *words("lines.service")))


def _all_of(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


TITLE_CHARS: Final = 60
"""Characters at the start of a block that may hold its title."""
TAIL_CHARS: Final = 120
"""Characters at the end of a block that may hold page furniture."""

_KINDS: Final = {
    "list": ("ul", "ol", "dl", "li"),
    "table": ("table", "tr", "td", "tbody"),
    "paragraph": ("p", "blockquote", "article", "main"),
    "heading": tuple(HEADINGS),
    "boilerplate_tag": (*BOILERPLATE_TAGS, "header", "address"),
}
_KIND_OF_TAG: Final = {tag: place for place, tags in enumerate(_KINDS.values()) for tag in tags}
_NO_KIND: Final = len(_KINDS)
_KIND_ROWS: Final = np.eye(len(_KINDS), len(_KINDS) + 1)

_DENSITIES: Final = ("text_density", "link_density", "link_text_density")
_AMOUNTS: Final = ("weight", "free_weight", "links", "anchor", "lines", "line_weight", "longest_text", "marks")
_OTHERS: Final = (
    "mark_share", "page_marks", "start", "end", "depth", "related_title", "service_words", "link_share_before",
    "free_weight_before", "link_share_after", "free_weight_after", "steps_from_body", "is_before_body", "share_of_body",
    "beside_body", "number", "blocks",
)  # fmt: skip
FEATURES: Final = (
    *_DENSITIES,
    "link_share",
    *_AMOUNTS,
    *_OTHERS,
    *(f"is_{kind}" for kind in _KINDS),
    *(f"own_{name}_name" for name in NAME_GROUPS),
    *(f"outer_{name}_name" for name in NAME_GROUPS),
)
_AT: Final = {name: place for place, name in enumerate(FEATURES)}
_FIRST_AMOUNT: Final = _AT[_AMOUNTS[0]]
_FIRST_KIND: Final = _AT["is_list"]
_FIRST_NAME: Final = _FIRST_KIND + len(_KINDS)

_COUNTS: Final = attrgetter("n_chars", "n_link_chars", "n_links", "start", "end")


def block_features(blocks: Sequence[Block], document: Document) -> Floats:
    """Return the features of a page's blocks, shape ``(n_blocks, n_features)``, columns as in ``FEATURES``.

    Densities are square roots of shares; amounts and distances are logarithms.
    """
    if not blocks:
        return np.empty((0, len(FEATURES)))
    measures = document.measures
    table = np.zeros((len(FEATURES), len(blocks)))  # transposed: a feature is filled in for all blocks at once
    counts = np.array(list(map(_COUNTS, blocks)))
    texts = [block.text for block in blocks]
    body = _fill_own(table, texts, counts, measures)
    np.sqrt(table[: len(_DENSITIES)], out=table[: len(_DENSITIES)])
    amounts = table[_FIRST_AMOUNT : _FIRST_AMOUNT + len(_AMOUNTS)]
    np.log1p(amounts, out=amounts)
    table[_AT["related_title"], related_titles().held_by([text[:TITLE_CHARS] for text in texts])] = 1
    table[_AT["service_words"], service_words().held_by([text[-TAIL_CHARS:] for text in texts])] = 1
    _fill_neighbours(table)
    _fill_places(table, counts[:, 3:], body, measures)
    kinds = [_KIND_OF_TAG.get(block.tag, _NO_KIND) for block in blocks]
    table[_FIRST_KIND:_FIRST_NAME] = _KIND_ROWS.take(kinds, axis=1)
    first = first_elements(counts[:, 3], measures)
    table[_AT["depth"]] = np.log1p(depths(first, measures))
    table[_FIRST_NAME:] = name_groups(first, measures)
    return table.T


def _fill_own(table: Floats, texts: Sequence[str], counts: Ints, measures: Measures) -> int:
    """Fill in features of each block alone, before roots and logarithms; return the place of the likeliest body."""
    chars, link_chars, links = counts[:, :3].T
    marks, wide = marks_and_wide(texts)
    some_chars = np.maximum(chars, 1)
    letters = 1 + (WIDE_WEIGHT - 1) * wide / some_chars
    free = chars - link_chars
    weight = chars * letters
    page_chars, page_link_chars, page_links = (
        int(column[0]) for column in (measures.chars, measures.link_chars, measures.links)
    )
    n_lines = np.array([text.count("\n") + 1 for text in texts])
    table[_AT["text_density"]] = free / max(page_chars - page_link_chars, 1)
    table[_AT["link_density"]] = links / max(page_links, 1)
    table[_AT["link_text_density"]] = link_chars / max(page_link_chars, 1)
    table[_AT["link_share"]] = link_share = link_chars / some_chars
    table[_AT["weight"]] = weight
    table[_AT["free_weight"]] = free_weight = free * letters
    table[_AT["links"]] = links
    table[_AT["anchor"]] = link_chars * letters / np.maximum(links, 1)
    table[_AT["lines"]] = n_lines
    table[_AT["line_weight"]] = weight / n_lines
    table[_AT["longest_text"]] = _longest_texts(measures, counts[:, 3:]) * letters
    table[_AT["marks"]] = marks
    table[_AT["mark_share"]] = np.minimum(marks / np.maximum(weight, 1), 0.1)
    table[_AT["page_marks"]] = np.sqrt(marks / max(marks.sum(), 1))
    score = marks * (1 - link_share) * np.sqrt(free_weight)
    body = int(score.argmax())
    table[_AT["share_of_body"]] = np.sqrt(score / max(float(score[body]), 1e-9))
    return body


def _fill_neighbours(table: Floats) -> None:
    """Fill in features of the blocks before and after; zeros before the first and after the last."""
    for name in ("link_share", "free_weight"):
        values = table[_AT[name]]
        table[_AT[f"{name}_before"], 1:] = values[:-1]
        table[_AT[f"{name}_after"], :-1] = values[1:]


def _fill_places(table: Floats, spans: Ints, body: int, measures: Measures) -> None:
    """Fill in the places of blocks: on the page, and relative to block ``body``."""
    start, end = spans.T
    n, rows = len(spans), max(len(measures), 1)
    number = np.arange(n)
    parents = measures.parent.take(start)
    table[_AT["start"]] = start / rows
    table[_AT["end"]] = end / rows
    table[_AT["steps_from_body"]] = np.log1p(np.abs(number - body))
    table[_AT["is_before_body"], :body] = 1
    table[_AT["beside_body"]] = parents == parents[body]
    table[_AT["number"]] = number / n
    table[_AT["blocks"]] = np.log1p(n)


def _longest_texts(measures: Measures, spans: Ints) -> Ints:
    """Return the characters of the longest text node in each block.

    :param spans: first row and end of each block, shape ``(n_blocks, 2)``, in document order.
    """
    n = len(measures)
    own = np.zeros(n + 1, dtype=np.int64)
    np.multiply(measures.chars, measures.end == np.arange(1, n + 1), out=own[:n])
    longest: Ints = np.maximum.reduceat(own, spans.ravel())[::2]
    return longest
