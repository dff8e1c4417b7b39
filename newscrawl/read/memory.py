"""A reading, corrected by what is known of the page's host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from newscrawl.classify.verdict import Speaker
from newscrawl.extract.simhash import with_text
from newscrawl.page.lines import line_features

if TYPE_CHECKING:
    from newscrawl.methods.base import Extraction
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools
    from newscrawl.read.model import Reading
    from newscrawl.sites.memory.site import SiteMemory


def with_memory(reading: Reading, host: str, memory: SiteMemory) -> Reading:
    """Leave out lines that recur or are misplaced on the host; add lines where its text usually stands.

    What was changed is in the evidence and in the sources of ``articleBody``. Unchanged without lines, and where the
    memory knows nothing.
    """
    lines = reading.lines
    if lines is None:
        return reading
    refined = memory.refine(host, lines.keys, lines.chosen, lines.odds)
    if not refined.evidence:
        return reading
    text, article = lines.keys.joined(refined.chosen), reading.article
    if article is not None:
        said = [*filter(None, [article.fieldSources.get("articleBody")]), *refined.evidence]
        sources = article.fieldSources | {"articleBody": "; ".join(said)}
        images = tuple(
            [replace(image, position=_moved(image.position, lines.chosen, refined.chosen)) for image in article.images]
        )
        article = with_text(article, text, fieldSources=sources, images=images)
    return replace(
        reading,
        text=text,
        simhash=None,
        article=article,
        evidence=(*reading.evidence, *refined.evidence),
        lines=lines._replace(chosen=refined.chosen, by=Speaker.MEMORY),
    )


def _moved(position: int, before: Bools, now: Bools) -> int:
    """Return how many lines are chosen now before the place that had so many before it."""
    lines = np.flatnonzero(before)
    if not len(lines):
        return position
    end = lines[min(position, len(lines)) - 1] + 1 if position else lines[0]
    return int(now[:end].sum())


def with_lines(extraction: Extraction, document: Document, chosen: Bools) -> Extraction:
    """Return the extraction with these lines instead of those that the method chose."""
    text = "\n".join(document.once(line_features).lines.texts(chosen.nonzero()[0].tolist()))
    return replace(extraction, chosen=chosen, text=text)
