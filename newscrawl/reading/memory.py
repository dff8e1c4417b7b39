"""A reading, corrected by what is known of the page's host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newscrawl.dedupe import content_hash

if TYPE_CHECKING:
    from newscrawl.reading.model import Reading
    from newscrawl.sites.memory.site import SiteMemory


def with_memory(reading: Reading, host: str, memory: SiteMemory) -> Reading:
    """Return the reading without lines that recur or are misplaced on the host, with lines at its places of text.

    What was changed is in the evidence and in the sources of ``articleBody``. Unchanged without lines, and where the
    memory knows nothing.
    """
    if reading.lines is None:
        return reading
    keys, chosen, odds = reading.lines
    refined = memory.refine(host, keys, chosen, odds)
    if not refined.evidence:
        return reading
    text, article = keys.joined(refined.chosen), reading.article
    if article is not None:
        said = [*filter(None, [article.fieldSources.get("articleBody")]), *refined.evidence]
        sources = article.fieldSources | {"articleBody": "; ".join(said)}
        article = replace(article, articleBody=text, fieldSources=sources, contentHash=content_hash(text))
    return replace(
        reading,
        text=text,
        article=article,
        evidence=(*reading.evidence, *refined.evidence),
        lines=reading.lines._replace(chosen=refined.chosen),
    )
