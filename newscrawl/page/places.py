"""The visible lines of a page, made when they are asked for; and where among them the facts stand."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.languages.text import fold
from newscrawl.page.lines import line_features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines

HEADING_TAGS: Final = frozenset(("h1", "h2", "h3"))
PARAGRAPH_CHARS: Final = 50
"""Unlinked lines from this length on are paragraphs; half of it in scripts without spaces. White space left out."""
YEAR: Final = re.compile(r"(?:19|20)\d\d")
"""The beginning of a year. The digit that may stand before is looked at later: a pattern that begins with fixed
characters is found several times faster."""

_WORD: Final = re.compile(r"\w+")
_RIGHT: Final = re.compile(
    r"text-align:\s*(?:right|end)|(?<![\w-])(?:text-?right|align-?right)(?![\w-])", re.IGNORECASE
)


class Line(NamedTuple):
    """A visible line of the page."""

    text: str
    number: int
    tag: str
    """Tag of the innermost heading it stands in, else ``""``."""
    linked: bool
    """True if all of it lies inside links."""
    spaced: str
    """The text with two spaces where one text node ends: links and labels in one line are told apart by it."""


class PageLines:
    """The lines in document order."""

    def __init__(self, document: Document) -> None:
        self._lines: Lines = document.once(line_features).lines
        self._made: dict[int, Line] = {}
        self.texts: list[str] = self._lines.shown
        """The text of each line."""
        self._first = self._lines.bounds
        self._linked: list[bool] = (self._lines.link_chars >= self._lines.chars).tolist()
        self._rows: list[int] = self._lines.rows.tolist()
        self.starts: list[int] = self._lines.start.tolist()
        """Row of each line's first text in the page's measures."""
        self.chars = self._lines.chars
        """Characters of each line, white space left out."""

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Line]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Line:
        line = self._made.get(number)
        if line is None:
            text, is_one = self.texts[number], self._first[number + 1] == self._first[number] + 1
            parts = [text] if is_one else self.parts(number)
            spaced = text if len(parts) == 1 else _spaced(parts)
            line = Line(text, number, self._tags.get(number, ""), self._linked[number], spaced)
            self._made[number] = line
        return line

    def parts(self, number: int) -> list[str]:
        """Return the text nodes of a line, as they are."""
        return self._lines.pieces[self._first[number] : self._first[number + 1]]

    def has_word(self, word: str) -> bool:
        """Tell whether the page has a word, or each part of one with a hyphen, its letters as they are."""
        return self._words.issuperset(_WORD.findall(word))

    def count(self, text: str) -> int:
        """Return how often a text of whole words stands on the page, its letters as they are."""
        return len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", self._lines.joined))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self._lines.joined))

    @cached_property
    def _tags(self) -> dict[int, str]:
        """Line → its heading's tag."""
        measures, starts = self._lines.measures, self.starts
        tags: dict[int, str] = {}
        for row in measures.rows_of(HEADING_TAGS).tolist():
            for number in range(bisect_left(starts, row), bisect_left(starts, int(measures.end[row]))):
                tags[number] = measures.tags[row]
        return tags

    @cached_property
    def headings(self) -> tuple[Line, ...]:
        """The lines inside ``h1``, ``h2`` and ``h3``."""
        return tuple(map(self.__getitem__, sorted(self._tags)))

    @cached_property
    def paragraphs(self) -> list[int]:
        """Numbers of the lines that are long enough to be running text, and neither links nor headings."""
        lines = self._lines
        is_wide = 2 * lines.wide > lines.chars
        is_long = lines.chars >= np.where(is_wide, PARAGRAPH_CHARS // 2, PARAGRAPH_CHARS)
        numbers = (is_long & (lines.link_chars < lines.chars)).nonzero()[0].tolist()
        return [number for number in numbers if number not in self._tags]

    def longest(self, n: int) -> list[Line]:
        """Return the ``n`` longest lines that are not all links, longest first."""
        lines = self._lines
        length = np.where(lines.link_chars < lines.chars, lines.chars, 0)
        order = np.argsort(-length, kind="stable")[:n].tolist()
        return [self[number] for number in order if length[number]]

    def years(self, max_chars: int) -> list[int]:
        """Return the lines of at most ``max_chars`` characters, white space left out, in which a year stands."""
        return [number for number in self._dated if self.chars[number] <= max_chars]

    @cached_property
    def _dated(self) -> list[int]:
        """The lines in which a year stands."""
        joined = self._lines.joined
        found: dict[int, None] = {}
        text_number = last = 0
        numbers = np.repeat(np.arange(len(self)), np.diff(self._lines.first))
        for match in YEAR.finditer(joined):
            start = match.start()
            if start and joined[start - 1].isdecimal():
                continue
            text_number += joined.count("\x00", last, start)
            last = start
            found[int(numbers[text_number])] = None
        return list(found)

    def is_at_the_right(self, number: int) -> bool:
        """Tell whether a line is set at the right by style, class or attribute, as names that sign a text are."""
        node = self._lines.measures.nodes[self._lines.block[number]]
        return (
            node.get("align") == "right"
            or _RIGHT.search(f"{node.get('style', '')} {node.get('class', '')}") is not None
        )

    def of_row(self, row: int) -> int:
        """Return the line that a row's first text stands on, else the one before; 0 for a page without lines."""
        rows = self._rows
        at = bisect_left(rows, row)
        has_text = at < len(rows) and rows[at] < self._lines.measures.end[row]
        return max(0, bisect_right(self.starts, rows[at] if has_text else row) - 1)


def _spaced(parts: list[str]) -> str:
    """Return text nodes two spaces apart; a word's first or last letter, set apart for its looks, stays with it."""
    spaced = parts[0]
    for before, part in pairwise(parts):
        is_cut = 1 in {len(before), len(part)} and before[-1:].isalpha() and part[:1].islower()
        spaced += part if is_cut else f"\0{part}"
    return "  ".join([" ".join(part.split()) for part in spaced.split("\0")])


BEFORE_HEADLINE: Final = 8
AFTER_HEADLINE: Final = 30
"""Lines searched on either side of the headline; share bars and tool bars stand in between."""
AFTER_BODY: Final = 12
MAX_LISTED: Final = 60
"""Lines after the body among which those of other stories are passed over."""
IN_BODY: Final = 5
"""Lines of the body that may still hold a byline."""
SHORT_CHARS: Final = 20
MIN_BODY_CHARS: Final = 5
"""Shorter lines are not looked for in the body's text."""


@dataclass(frozen=True)
class Places:
    """Line numbers; ``headline`` is -1 where it is not visible, and an empty body has ``body_start == body_end``."""

    headline: int
    body_start: int
    body_end: int
    """One past the last line of the body."""
    n_lines: int
    """Number of the page's lines."""
    n_short: int = 0
    """Lines at the body's beginning that are no running text: name, date and the like in cells of their own."""
    others: frozenset[int] = frozenset()
    """The lines of lists of other stories, whose dates and names are not the article's."""

    @cached_property
    def header(self) -> range:
        """The lines near the headline, the first of the body among them."""
        start = max(0, self.headline - BEFORE_HEADLINE)
        stop = self.headline + AFTER_HEADLINE if self.headline >= 0 else max(self.body_start + 2, AFTER_HEADLINE)
        if self.body_end > self.body_start and self.body_start > self.headline:
            stop = min(stop, self.body_start + (IN_BODY if self.headline >= 0 else 2 * IN_BODY) + self.n_short)
            if self.headline < 0:
                start = max(0, self.body_start - AFTER_HEADLINE)
        return range(start, min(stop, self.n_lines))

    @cached_property
    def tail(self) -> range:
        """The last lines of the body and those below it."""
        between = sum(self.body_end <= number < self.body_end + MAX_LISTED for number in self.others)
        return range(max(self.body_end - 3, 0), min(self.body_end + AFTER_BODY + between, self.n_lines))

    @cached_property
    def around(self) -> tuple[int, ...]:
        """The lines of ``header`` and ``tail``, each once, without those of other stories."""
        return tuple(number for number in dict.fromkeys((*self.header, *self.tail)) if number not in self.others)


NOWHERE: Final = Places(-1, 0, 0, 0)


MIN_FOUND_CHARS: Final = 10
"""Shorter lines of the body's text are not looked for on the page."""
_COMPARED: Final = 40
"""Letters and digits of a line that tell it from others."""
_CUT: Final = 8
"""Characters folded beyond a cut: the last ones before a cut may fold otherwise than in the whole line."""
_BEGINNINGS: Final = (64, 128)
"""Characters of a line that are folded first."""


@lru_cache(maxsize=512)
def _beginning(line: str) -> str:
    """Return what the line begins with, folded."""
    for start in _BEGINNINGS:  # enough of most lines, and cheaper than all of a paragraph
        folded = fold(line[:start])
        if len(folded) >= _COMPARED + _CUT or len(line) <= start:
            return folded[:_COMPARED]
    return fold(line)[:_COMPARED]


def locate(lines: PageLines, headline: int, body_text: str | None) -> Places:
    """Find the body's lines: by ``body_text`` where it is known, else by the paragraphs below the headline."""
    found = _in_text(lines, headline, body_text.splitlines()) if body_text else None
    if found is not None:
        return found
    paragraphs = [index for index in lines.paragraphs if index > headline]
    if not paragraphs:
        return Places(headline, headline + 1, headline + 1, len(lines))
    end = paragraphs[0]
    for index in paragraphs:
        if index - end > 15:
            break  # what follows so far below is another text: comments, teasers, the footer
        end = index
    return Places(headline, paragraphs[0], end + 1, len(lines))


def _in_text(lines: PageLines, headline: int, text: list[str]) -> Places | None:
    """Find the lines below the headline that the text begins and ends with; None where there are none.

    Lines of the same length are looked at first, and the same lines before those that begin alike: to fold is dear.
    """
    long = [(number, line) for number, line in enumerate(text) if len(line) >= MIN_FOUND_CHARS]
    whole, shown = {line for _, line in long}, lines.texts

    @cache
    def beginnings() -> set[str]:
        return {_beginning(line) for line in whole}

    def is_wanted(index: int) -> bool:
        return shown[index] in whole or _beginning(shown[index]) in beginnings()

    chars, lengths = lines.chars.tolist(), {_length(line) for _, line in long}
    below = [number for number in range(headline + 1, len(lines)) if chars[number] >= MIN_BODY_CHARS]
    alike = [number for number in below if chars[number] in lengths]
    first = next(filter(is_wanted, alike), None) or next(filter(is_wanted, below), None)
    if first is None:
        return None
    last_line = long[-1][1]  # its first place counts: a table of contents repeats headings below
    length = _length(last_line)
    ends = (index for index in alike if chars[index] == length)
    last = -1
    for index in chain(ends, below):
        if index >= first and (shown[index] == last_line or _beginning(shown[index]) == _beginning(last_line)):
            last = index
            break
    if last < 0:
        last = next(filter(is_wanted, reversed(below)))
    n_after = len(text) - 1 - long[-1][0]  # short lines that end the text, such as cells of a table
    n_short = sum(length < SHORT_CHARS for length in chars[first : first + AFTER_BODY])
    return Places(headline, first, min(last + 1 + n_after, len(lines)), len(lines), n_short)


def _length(line: str) -> int:
    return sum(map(len, line.split()))
