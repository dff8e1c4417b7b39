"""Element names as small numbers, so that questions about tags are one look-up for a whole page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.dom.tags import BLOCK_LEVEL, DROPPED, FORMATTING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Kinds = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_OTHERS: Final = frozenset("body button head img label main picture slot".split())

NAMES: Final[tuple[str, ...]] = ("#text", "", *sorted((BLOCK_LEVEL | FORMATTING | _OTHERS) - DROPPED))
"""Kind → tag: the kind of text rows is 0, that of all elements without a number of their own is 1."""
TEXT_KIND: Final = 0
OTHER_KIND: Final = 1
KIND_OF: Final[dict[str, int]] = {name: kind for kind, name in enumerate(NAMES) if name}


def kind_of(tag: str) -> int:
    return KIND_OF.get(tag, OTHER_KIND)


@cache
def kinds_among(tags: frozenset[str]) -> Bools:
    """Return for each kind whether its tag is one of ``tags``, shape ``(256,)``.

    :raises ValueError: for a tag without a kind of its own, other than those that have no rows.
    """
    unknown = tags - DROPPED - KIND_OF.keys()
    if unknown:
        raise ValueError(f"no kind for {', '.join(sorted(unknown))}")
    table = np.zeros(256, dtype=np.bool_)
    table[[KIND_OF[tag] for tag in tags - DROPPED]] = True
    return table
