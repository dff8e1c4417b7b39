"""What surrounds a block: how deep it stands, and what class and id names say of it and of the elements around it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.hints import CONTENT_WORDS
from newscrawl.page.measures import TEXT

if TYPE_CHECKING:
    from newscrawl.classify.learn import Ints
    from newscrawl.page.measures import Measures


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
"""Words of class and id names, by what they tell."""
_GROUP_OF_WORD: Final[dict[str, int]] = {}
for _place, _words in enumerate(NAME_GROUPS.values()):
    for _word in _words:
        _GROUP_OF_WORD[_word] = _GROUP_OF_WORD.get(_word, 0) | 1 << _place
_PLACES: Final = np.arange(len(NAME_GROUPS))[:, None]
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def depths(rows: Ints, measures: Measures) -> Ints:
    """Return how many elements stand around each row, the page's first row left out; at most ``MAX_DEPTH``."""
    closed = np.bincount(measures.end, minlength=len(measures) + 1).cumsum()
    found: Ints = np.minimum(np.maximum(rows - 1 - closed.take(rows), 0), MAX_DEPTH)
    return found


def first_elements(starts: Ints, measures: Measures) -> Ints:
    """Return the row of the element that each block begins with; of a bare text, the one around it."""
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
        for word in _WORD.findall(name):
            groups |= _GROUP_OF_WORD.get(word.lower(), 0)
    return groups
