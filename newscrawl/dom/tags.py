"""Sets of element names, in lower case as libxml2's HTML parser gives them."""

from typing import Final

DROPPED: Final = frozenset(
    "script style noscript template title meta link base iframe frame frameset noframes object embed applet "
    "param svg canvas audio video source track map area select datalist textarea input".split()
)
"""Elements without text that a reader sees: neither they nor their subtree get rows in the measures."""

BLOCK_LEVEL: Final = frozenset(
    "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html isindex legend li listing main "
    "menu nav ol optgroup option p plaintext pre section summary table tbody td tfoot th thead tr ul xmp".split()
)
"""Elements that begin and end a line of text. A ``br`` ends a line too, without being a block."""

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

FORMATTING: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q rb rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
"""Inline elements: similar to bare text when blocks are fused."""
