"""An extractor's answer, corrected by what is known of the host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newscrawl.dom.line_features import line_features

if TYPE_CHECKING:
    from newscrawl.dom.document import Document
    from newscrawl.methods.base import Extraction
    from newscrawl.sites.memory.site import SiteMemory


def with_memory(extraction: Extraction, document: Document, host: str, memory: SiteMemory) -> Extraction:
    """Return the extraction without lines that recur or are misplaced on the host, with lines at its places of text.

    Unchanged for a method that does not say which lines it chose, and where the memory knows nothing.
    """
    if extraction.chosen is None:
        return extraction
    refined = memory.refine(host, document, extraction.chosen, extraction.odds)
    if not refined.evidence:
        return extraction
    lines = document.once(line_features).lines
    return replace(
        extraction,
        text="\n".join(lines.texts(refined.chosen.nonzero()[0].tolist())),
        chosen=refined.chosen,
        evidence=(*extraction.evidence, *refined.evidence),
    )
