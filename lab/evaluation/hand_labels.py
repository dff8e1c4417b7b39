"""Pages of the corpora whose lines we labelled by hand: sets that have snippets, or no gold text, from their makers.

``hand_labels.jsonl`` beside this module holds no text of a page: a line of it is named by a digest of its words, and by
its number among the lines of the same words. What was asked of the annotator is in ``data/results/news-extractor.md``.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.serve.training.metrics import comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.corpus import CorpusPage

PATH: Final = Path(__file__).with_name("hand_labels.jsonl")
DIGEST_BYTES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLabel:
    """What the annotator said of a page; lines by :func:`line_names`."""

    page_type: str
    body: frozenset[str]
    doubtful: frozenset[str]
    """Lines that one may see otherwise, of the body or not."""
    headline: frozenset[str]


def hand_label(page: CorpusPage) -> HandLabel | None:
    """Return the label of a page, None where it has none of ours."""
    return read_labels().get(page_name(page))


def page_name(page: CorpusPage) -> str:
    """Return corpus, set and id of a page."""
    return f"{page.corpus}/{page.set}/{page.id}"


def line_names(texts: Sequence[str]) -> list[str]:
    """Name each line of a page: digest of its words, with ``#2`` behind it for the second line of the same words.

    >>> line_names(["Read more", "A story.", "read more"])
    ['4c15a0bd', '16f4b83b', '4c15a0bd#2']
    """
    seen: Counter[str] = Counter()
    names = []
    for text in texts:
        digest = hashlib.blake2s(comparable(text).encode(), digest_size=DIGEST_BYTES).hexdigest()
        seen[digest] += 1
        names.append(digest if seen[digest] == 1 else f"{digest}#{seen[digest]}")
    return names


@cache
def read_labels(path: Path = PATH) -> dict[str, HandLabel]:
    """Return the labels in a file by :func:`page_name`."""
    with path.open(encoding="utf-8") as lines:
        return {record["page"]: _label(record) for record in map(json.loads, lines)}


def _label(record: dict[str, str]) -> HandLabel:
    body, doubtful, headline = (frozenset(record.get(part, "").split()) for part in ("body", "doubtful", "headline"))
    return HandLabel(page_type=record["type"], body=body, doubtful=doubtful, headline=headline)
