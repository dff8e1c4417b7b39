"""Labels of a page's blocks, for training and for scores a block: from XPaths, from labelled text, from the body alone.

A block takes the class that most of its labelled characters have; without labelled characters it has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from lab.evaluation.gold import NEUTRAL, NOT_MAIN, gold_rows
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.metrics import comparable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lab.evaluation.corpus import CorpusPage
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures

Origin = Literal["xpaths", "labelled text", "body text"]
"""``gold.blocks`` (three classes), ``extra.blocks`` (three classes), ``gold.text`` (main text or not)."""

MIN_BODY_LINE: Final = 8
"""Shorter lines may occur in a body by chance. Characters without white space."""
_L3S: Final[Mapping[str, str]] = {
    "fulltext": BlockLabel.MAIN.value,
    "related": BlockLabel.RELATED.value,
    "comment": BlockLabel.OTHER.value,
    "headline": NEUTRAL,
    "supplemental": NEUTRAL,
}
_XPATH_CLASSES: Final[Mapping[str | None, str | None]] = {"ambiguous": NEUTRAL, None: None}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLabels:
    """The class of each row of a page's measures: a :class:`BlockLabel`, ``NOT_MAIN``, ``NEUTRAL`` or None."""

    rows: list[str | None]
    origin: Origin


def row_labels(page: CorpusPage, document: Document) -> RowLabels | None:
    """Return the best labels the page has; None where it has neither block gold nor gold text."""
    if page.gold.blocks is not None:
        rows, _ = gold_rows(document, page.gold.blocks)
        return RowLabels(rows=[_XPATH_CLASSES.get(row, row) for row in rows], origin="xpaths")
    blocks = page.extra.get("blocks")
    if page.set == "l3s" and blocks:
        return RowLabels(rows=_labelled_text_rows(document.measures, blocks), origin="labelled text")
    if page.gold.text is not None and page.gold_where != "script":
        return RowLabels(rows=_body_rows(document.measures, page.gold.text, page.gold.title), origin="body text")
    return None


def _text_lines(measures: Measures) -> Iterator[tuple[list[int], str]]:
    """Yield the rows and the squeezed text of each visible line."""
    rows: list[int] = []
    number = -1
    for row, line in enumerate(measures.line.tolist()):
        if not measures.is_text(row) or not measures.chars[row]:
            continue
        if line != number and rows:
            yield rows, comparable("".join(measures.texts[at] for at in rows))
            rows = []
        rows.append(row)
        number = line
    if rows:
        yield rows, comparable("".join(measures.texts[at] for at in rows))


def _labelled_text_rows(measures: Measures, blocks: Sequence[Sequence[str]]) -> list[str | None]:
    """Label the lines that occur in a labelled block of text; everything else is other."""
    texts = {name: "\n".join(comparable(text) for label, text in blocks if label == name) for name in _L3S}
    rows: list[str | None] = [BlockLabel.OTHER.value] * len(measures)
    for at, line in _text_lines(measures):
        # exact blocks first: a teaser may repeat words of the body
        name = next((name for name, text in texts.items() if line in text.split("\n")), None)
        if name is None and len(line) >= MIN_BODY_LINE:
            name = next((name for name, text in texts.items() if line in text), None)
        for row in at:
            rows[row] = BlockLabel.OTHER.value if name is None else _L3S[name]
    return rows


def _body_rows(measures: Measures, text: str, title: str | None) -> list[str | None]:
    """Label the lines that stand in the body's text; everything else is not main text."""
    body, headline = comparable(text), comparable(title or "")
    rows: list[str | None] = [None] * len(measures)
    for at, line in _text_lines(measures):
        if line == headline or (len(line) < MIN_BODY_LINE and line in body):
            label = NEUTRAL
        else:
            label = BlockLabel.MAIN.value if line in body else NOT_MAIN
        for row in at:
            rows[row] = label
    return rows
