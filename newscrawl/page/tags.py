"""Sets of element names, in lower case as libxml2's HTML parser gives them, and names as small numbers.

By the numbers, a question about tags is one look-up for a whole page.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Kinds = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

DROPPED: Final = frozenset(
    "script style noscript template title meta link base iframe frame frameset noframes object embed applet "
    "param svg canvas audio video source track map area select datalist textarea input "
    "noembed meter progress annotation annotation-xml rt rp rtc marquee".split()
)
"""Elements without text that a reader sees, readings beside ruby, and text that runs: neither they nor their subtree
get rows in the measures."""

BLOCK_LEVEL: Final = frozenset(
    "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html isindex legend li listing main "
    "menu nav ol optgroup option p plaintext pre section summary table tbody td tfoot th thead tr ul xmp".split()
)
"""Elements that begin and end a line of text. A ``br`` ends a line too, without being a block."""

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

FORMATTING: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q rb ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
"""Inline elements: similar to bare text when blocks are fused."""

_OTHERS: Final = frozenset("amp-img body button head img label main picture slot".split())

NAMES: Final[tuple[str, ...]] = ("#text", "", *sorted((BLOCK_LEVEL | FORMATTING | _OTHERS) - DROPPED))
"""Kind → tag: the kind of text rows is 0, that of all elements without a number of their own is 1."""
TEXT_KIND: Final = 0
OTHER_KIND: Final = 1
KIND_OF: Final[dict[str, int]] = {name: kind for kind, name in enumerate(NAMES) if name}


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
