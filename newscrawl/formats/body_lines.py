"""Which of a page's lines make a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.dom.text import fold_space
from newscrawl.metadata.lines import PageLines

if TYPE_CHECKING:
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools

MIN_MATCHED: Final = 0.5
"""Where fewer of a text's lines are found on the page, the text does not stand on it."""


def lines_of(text: str, document: Document) -> dict[int, int]:
    """Return the numbers of the page's lines that are equal to those of the text, in their order, with their places.

    A place is the number of the text's paragraphs before.
    """
    page = document.once(PageLines)
    at: dict[str, list[int]] = {}
    for number, shown in enumerate(page.texts):
        at.setdefault(shown, []).append(number)
    found: dict[int, int] = {}
    last = -1
    for place, line in enumerate(filter(str.strip, text.splitlines())):
        first = next((number for number in at.get(fold_space(line), ()) if number > last), None)
        if first is not None:
            found[first] = place
            last = first
    return found


def body_lines(text: str, document: Document | None, chosen: Bools | None) -> dict[int, int]:
    """Return the numbers of the page's lines that make the text, ascending, with their places in it.

    Empty where a method gives a text that is not the page's lines.

    :param chosen: which of the page's lines make the text; None where the method does not say, and they are looked for.
    """
    if document is None:
        return {}
    if chosen is None:
        found = lines_of(text, document)
    else:
        found = {number: place for place, number in enumerate(chosen.nonzero()[0].tolist())}
    n_lines = sum(1 for line in text.splitlines() if line.strip())
    return found if len(found) >= MIN_MATCHED * n_lines else {}
