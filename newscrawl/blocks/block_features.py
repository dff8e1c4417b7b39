"""The numbers by which the shipped model classifies a block: the densities of eq. 5, and what they leave out.

All arrays over the blocks of one page; no box on a screen, which would cost as much as everything else together.
"""

from __future__ import annotations

import bisect
import itertools
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.hints import BOILERPLATE_TAGS, CONTENT_WORDS
from newscrawl.dom.measures import TEXT
from newscrawl.dom.tags import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Measures

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

WIDE_WEIGHT: Final = 2.5
"""Letters that an ideograph is worth."""
CLIMB: Final = 4
"""Elements around a block whose names are read."""
MAX_DEPTH: Final = 40
"""Deeper blocks count as this deep."""

_NAME_GROUPS: Final[tuple[frozenset[str], ...]] = (
    CONTENT_WORDS,
    frozenset(
        """related relate relevant recommend recommended recommendation recommendations tuijian xiangguan guess
        relacionadas hot popular mostread trending rank ranking paihang more also read next teaser teasers latest list
        newslist headlines topics outbrain taboola promo yaowen redian""".split()
    ),
    frozenset(
        """nav navi navigation menu menus topnav subnav breadcrumb breadcrumbs crumb crumbs mianbaoxie daohang header
        top topbar head logo channel search login channels""".split()
    ),
    frozenset("footer foot bottom copyright copy copyrights disclaimer legal about".split()),
    frozenset("comment comments kommentar kommentare reply replies disqus pinglun liuyan post_comment gentie".split()),
    frozenset(
        """share sharing social sns bshare jiathis addthis fenxiang ad ads adv advert adverts advertisement banner
        sponsor guanggao tags tag keywords author byline source info meta editor toolbar tools""".split()
    ),
    frozenset("sidebar side aside right rightcol column widget widgets left".split()),
)
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def _one_of(*words: str) -> re.Pattern[str]:
    """Compile a search for any of ``words``, in lower case; flags would cost the search for first letters."""
    return re.compile("|".join(map(re.escape, words)))


_RELATED_TITLES: Final = _one_of(
    "相关", "推荐", "热门", "热点", "热榜", "排行", "更多", "延伸阅读", "精彩", "猜你喜欢", "要闻", "今日", "最新",
    "大家都在", "关联", "新闻榜", "related", "recommend", "more on", "more from", "more stories", "more news",
    "most read", "most popular", "most viewed", "latest", "see also", "top stories", "you may", "trending",
    "mehr zum thema", "lesen sie auch", "meistgelesen",
)  # fmt: skip
"""Words above lists of other stories, searched for in the first characters of a block."""
_SERVICE_WORDS: Final = _one_of(
    "版权", "备案", "许可证", "icp", "举报", "联系我们", "关于我们", "责任编辑", "评论", "登录", "注册", "免责",
    "客户端", "网站地图", "©", "copyright", "all rights reserved", "privacy", "terms of", "contact us", "about us",
    "sign in", "log in", "register", "subscribe",
)  # fmt: skip
"""Words of page furniture, searched for in the last characters of a block."""
_UNITS: Final = 0x10000


def _half_marks() -> NDArray[np.uint8]:
    """Return for each unit of UTF-16 2 if it ends a sentence, 1 if it divides one."""
    table = np.zeros(_UNITS, dtype=np.uint8)
    table[[ord(mark) for mark in "。！？!?؟।…"]] = 2
    table[[ord(mark) for mark in "，、；,;،"]] = 1
    return table


_HALF_MARKS: Final = _half_marks()
_FIRST_WIDE: Final = 0x2E80
"""Code points from here on are nearly all ideographs, kana, Hangul and full-width marks."""
_TITLE_CHARS: Final = 60
_TAIL_CHARS: Final = 120
_KINDS: Final = {
    **dict.fromkeys(("ul", "ol", "dl", "li"), 0),
    **dict.fromkeys(("table", "tr", "td", "tbody"), 1),
    **dict.fromkeys(("p", "blockquote", "article", "main"), 2),
    **dict.fromkeys(HEADINGS, 3),
    **dict.fromkeys(BOILERPLATE_TAGS, 4),
    **dict.fromkeys(("header", "address"), 4),
}
_N_KINDS: Final = 5
_N_GROUPS: Final = len(_NAME_GROUPS)

_OWN: Final = (
    "text_density", "link_density", "link_text_density", "link_share", "weight", "free_weight", "links", "anchor",
    "lines", "line_weight", "longest_text", "marks", "mark_share", "page_marks", "start", "end", "depth",
    "related_title", "service_words",
)  # fmt: skip
_AROUND: Final = (
    "link_share_before", "free_weight_before", "link_share_after", "free_weight_after", "steps_from_body",
    "is_before_body", "share_of_body", "beside_body", "number", "blocks",
)  # fmt: skip
_NAMES: Final = ("content", "related", "navigation", "footer", "comments", "service", "side")
FEATURES: Final = (
    *_OWN,
    *_AROUND,
    *(f"is_{kind}" for kind in ("list", "table", "paragraph", "heading", "boilerplate_tag")),
    *(f"own_{name}_name" for name in _NAMES),
    *(f"outer_{name}_name" for name in _NAMES),
)


def block_features(blocks: Sequence[Block], document: Document) -> Floats:
    """Return the features of a page's blocks, shape ``(n_blocks, n_features)``, columns as in ``FEATURES``."""
    if not blocks:
        return np.empty((0, len(FEATURES)))
    measures = document.measures
    counts = np.array(
        [
            (block.n_chars, block.n_link_chars, block.n_links, block.start, block.end, block.text.count("\n") + 1)
            for block in blocks
        ],
        dtype=np.float64,
    )
    chars, link_chars, links, start, end, n_lines = counts.T
    longest = _longest_texts(measures, counts[:, 3:5].astype(np.int64))
    marks, wide = _marks_and_wide([block.text for block in blocks])
    letters = 1 + (WIDE_WEIGHT - 1) * wide / np.maximum(chars, 1)
    link_share = link_chars / np.maximum(chars, 1)
    free = chars - link_chars
    weight, free_weight = chars * letters, free * letters
    page_chars, page_link_chars, page_links = _page_counts(measures)
    body_score = marks * (1 - link_share) * np.sqrt(free_weight)
    body = int(body_score.argmax())
    n = len(blocks)
    table = np.zeros((n, len(FEATURES)))
    rows = max(len(measures), 1)
    number = np.arange(n)
    surroundings = _Surroundings(measures)
    around = np.array([surroundings.of_block(block.start) for block in blocks])
    log_free = np.log1p(free_weight)
    parents = measures.parent[start.astype(np.int64)]
    columns = (
        np.sqrt(free / max(page_chars - page_link_chars, 1)),
        np.sqrt(links / max(page_links, 1)),
        np.sqrt(link_chars / max(page_link_chars, 1)),
        link_share,
        np.log1p(weight),
        log_free,
        np.log1p(links),
        np.log1p(link_chars * letters / np.maximum(links, 1)),
        np.log1p(n_lines),
        np.log1p(weight / n_lines),
        np.log1p(longest * letters),
        np.log1p(marks),
        np.minimum(marks / np.maximum(weight, 1), 0.1),
        np.sqrt(marks / max(marks.sum(), 1)),
        start / rows,
        end / rows,
        np.log1p(around[:, 0]),
        _holding(_RELATED_TITLES, [block.text[:_TITLE_CHARS] for block in blocks]),
        _holding(_SERVICE_WORDS, [block.text[-_TAIL_CHARS:] for block in blocks]),
        _before(link_share),
        _before(log_free),
        _after(link_share),
        _after(log_free),
        np.log1p(np.abs(number - body)),
        (number < body) * 1.0,
        np.sqrt(body_score / max(float(body_score[body]), 1e-9)),
        (parents == parents[body]) * 1.0,
        number / n,
        np.full(n, np.log1p(n)),
    )
    for place, column in enumerate(columns):
        table[:, place] = column
    at = len(columns)
    for place, block in enumerate(blocks):
        kind = _KINDS.get(block.tag)
        if kind is not None:
            table[place, at + kind] = 1
    table[:, at + _N_KINDS :] = np.concatenate((_bits(around[:, 1]), _bits(around[:, 2])), axis=1)
    return table


def _bits(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    bits: NDArray[np.int64] = groups[:, None] >> np.arange(_N_GROUPS) & 1
    return bits


def _page_counts(measures: Measures) -> tuple[int, int, int]:
    return (int(measures.chars[0]), int(measures.link_chars[0]), int(measures.links[0])) if len(measures) else (0, 0, 0)


def _marks_and_wide(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the sentence marks (a comma counts half) and the ideographs, kana and Hangul of each text.

    Characters beyond the basic plane, two units of UTF-16, count as two ideographs.
    """
    units = [f"{text}\n".encode("utf-16-le", "replace") for text in texts]
    codes = np.frombuffer(b"".join(units), dtype=np.uint16)
    halves = _HALF_MARKS[codes]
    dots = np.flatnonzero(codes == ord("."))
    halves[dots[codes[dots + 1] <= ord(" ")]] = 2  # a full stop has white space behind it, a decimal point has not
    at = np.cumsum([0, *map(len, units[:-1])]) // 2
    wide = np.add.reduceat(codes >= _FIRST_WIDE, at, dtype=np.int32)
    return np.add.reduceat(halves, at, dtype=np.int32) / 2, wide.astype(np.float64)


def _longest_texts(measures: Measures, bounds: Ints) -> Floats:
    """Return the characters of the longest text node in each block.

    :param bounds: first row and end of each block, shape ``(n_blocks, 2)``, in document order.
    """
    is_leaf = measures.end == np.arange(1, len(measures) + 1)
    own = np.append(np.where(is_leaf, measures.chars, 0), 0)
    longest: Floats = np.maximum.reduceat(own, bounds.ravel())[::2].astype(np.float64)
    return longest


def _before(values: Floats) -> Floats:
    return np.concatenate((np.zeros(1), values[:-1]))


def _after(values: Floats) -> Floats:
    return np.concatenate((values[1:], np.zeros(1)))


def _holding(words: re.Pattern[str], texts: Sequence[str]) -> Floats:
    """Return 1 for each text that holds one of ``words``, else 0; all texts are searched in one go."""
    found = np.zeros(len(texts))
    lower = [text.lower() for text in texts]
    ends = list(itertools.accumulate(len(text) + 1 for text in lower))
    for match in words.finditer("\n".join(lower)):
        found[bisect.bisect_right(ends, match.start())] = 1
    return found


class _Surroundings:
    """Depth and names of the elements around the blocks; most blocks share them."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures
        self.groups: dict[int, int] = {}
        self.outer: dict[int, tuple[int, int]] = {-1: (0, 0), 0: (0, 0)}

    def of_block(self, start: int) -> tuple[int, int, int]:
        """Return depth, own and outer word groups of the block that begins at row ``start``."""
        measures = self.measures
        row = start if measures.tags[start] is not TEXT else measures.parent.item(start)
        own = self._groups(row)
        if not own:
            child = row + 1
            if child < measures.end.item(row) and measures.tags[child] is not TEXT:
                own = self._groups(child)
        above = measures.parent.item(row)
        found = self.outer.get(above)
        if found is None:
            found = self.outer[above] = self._climb(above)
        return found[0], own, found[1]

    def _climb(self, row: int) -> tuple[int, int]:
        parent = self.measures.parent
        depth = outer = 0
        while row > 0 and depth < MAX_DEPTH:
            if depth < CLIMB:
                outer |= self._groups(row)
            depth += 1
            row = parent.item(row)
        return depth, outer

    def _groups(self, row: int) -> int:
        groups = self.groups.get(row)
        if groups is None:
            get = self.measures.nodes[row].get
            names, identity = get("class"), get("id")
            groups = _word_groups(f"{names} {identity}") if names or identity else 0
            self.groups[row] = groups
        return groups


@lru_cache(maxsize=8192)
def _word_groups(names: str) -> int:
    words = {word.lower() for word in _WORD.findall(names)}
    return sum(1 << place for place, group in enumerate(_NAME_GROUPS) if not words.isdisjoint(group))
