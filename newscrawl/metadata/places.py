"""Where on the page the facts stand: the lines around the headline and at the end of the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.dom.text import fold

if TYPE_CHECKING:
    from newscrawl.metadata.lines import PageLines

BEFORE_HEADLINE: Final = 8
AFTER_HEADLINE: Final = 30
"""Lines searched on either side of the headline; share bars and tool bars stand in between."""
AFTER_BODY: Final = 12
IN_BODY: Final = 5
"""Lines of the body that may still hold a byline."""
MIN_BODY_CHARS: Final = 5
"""Shorter lines are not looked for in the body's text."""


@dataclass(frozen=True, slots=True)
class Places:
    """Line numbers; ``headline`` is -1 where it is not visible, and an empty body has ``body_start == body_end``."""

    headline: int
    body_start: int
    body_end: int
    """One past the last line of the body."""

    def header(self, n_lines: int) -> range:
        """Return the lines near the headline, the first of the body among them."""
        start = max(0, self.headline - BEFORE_HEADLINE)
        stop = self.headline + AFTER_HEADLINE if self.headline >= 0 else max(self.body_start + 2, AFTER_HEADLINE)
        if self.body_end > self.body_start and self.body_start > self.headline:
            stop = min(stop, self.body_start + (IN_BODY if self.headline >= 0 else 2 * IN_BODY))
            if self.headline < 0:
                start = max(0, self.body_start - AFTER_HEADLINE)
        return range(start, min(stop, n_lines))

    def tail(self, n_lines: int) -> range:
        """Return the last lines of the body and those below it."""
        return range(max(self.body_end - 3, 0), min(self.body_end + AFTER_BODY, n_lines))


MIN_FOUND_CHARS: Final = 10
"""Shorter lines of the body's text are not looked for on the page."""
_READ: Final = 120
_COMPARED: Final = 40
"""Folded characters of a line that tell it from others."""


def _beginning(line: str) -> str:
    """Return what the line begins with, folded. Half as much again is asked for: the last character may be cut."""
    folded = fold(line[:_READ])
    return (folded if len(folded) >= 1.5 * _COMPARED else fold(line))[:_COMPARED]


def locate(lines: PageLines, headline: int, body_text: str | None) -> Places:
    """Find the body's lines: by ``body_text`` where it is known, else by the paragraphs below the headline."""
    text = body_text.splitlines() if body_text else []
    if text:
        long = [(number, line) for number, line in enumerate(text) if len(line) >= MIN_FOUND_CHARS]
        wanted = {_beginning(line) for _, line in long}

        def key(index: int) -> str:
            return fold(lines[index].text[:_READ])[:_COMPARED]

        below = [headline + 1 + int(index) for index in np.flatnonzero(lines.chars[headline + 1 :] >= MIN_BODY_CHARS)]
        first = next((index for index in below if key(index) in wanted), None)
        if first is not None:
            last_line = _beginning(long[-1][1])  # its first place: a table of contents repeats headings below the text
            last = next((index for index in below if index >= first and key(index) == last_line), None)
            if last is None:
                last = next(index for index in reversed(below) if key(index) in wanted)
            n_after = len(text) - 1 - long[-1][0]  # the cells of a table that ends it, short items
            return Places(headline, first, min(last + 1 + n_after, len(lines)))
    paragraphs = [index for index in lines.paragraphs if index > headline]
    if not paragraphs:
        return Places(headline, headline + 1, headline + 1)
    end = paragraphs[0]
    for index in paragraphs:
        if index - end > 15:
            break  # another text: comments, teasers, the footer
        end = index
    return Places(headline, paragraphs[0], end + 1)
