"""Lines that hold facts of the page and no text: ``Thu Sep 12, 2019 | 4000 Words | 5 min read``.

All parts of such a line are dates, counts, short labels, bylines with their label, links, or the headline told again.
No word is looked for but names of months and labels of bylines, by which dates and authors are read, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.page.lines import Lines

MAX_CHARS: Final = 160
"""A longer line tells something, whatever stands between its parts."""
MAX_LABEL: Final = 16
"""Letters of a label, alone or around a date or a number: *Posted on*, *min read*, *大约需要阅读 … 分钟*."""
MAX_NAMES: Final = 50
"""Letters behind the label of a byline."""

_SEPARATOR: Final = re.compile(r"(?:(?<!\s)\s++)?[|｜·•]\s*")
_COUNT: Final = re.compile(rf"\D{{0,{MAX_LABEL}}}\d{{1,3}}(?:[.,\s]?\d{{1,3}}){{0,3}}\s?[kKmM万千]?\D{{0,{MAX_LABEL}}}")
_BYLINE: Final = WordPattern(
    rf"(?:{{people.written_by,people.by}}|\w{{2,12}}\s?[:：])\s*\S.{{0,{MAX_NAMES}}}", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"[!?。！？؟।]")


def is_fact_line(lines: Lines, line: int, headline: str) -> bool:
    """Tell whether a line is made of facts alone: two parts or more, one of them a date.

    :param headline: of the page; ``""`` where it has none.
    """
    text = lines.text(line)
    if len(text) > MAX_CHARS + len(headline) or not _SEPARATOR.search(text):
        return False
    shown = _without_links(lines, line)
    parts = _SEPARATOR.split(shown.replace(headline, "").strip() if headline else shown)
    return any(map(_is_date, parts)) and all(map(_is_fact, parts))


def _without_links(lines: Lines, line: int) -> str:
    """Return the line's text without linked texts that hold no number: they lead to a section, a tag, an author."""
    first, stop = lines.first[line : line + 2].tolist()
    linked: Sequence[int] = lines.measures.link_chars.take(lines.rows[first:stop]).tolist()
    pieces = zip(lines.pieces[first:stop], linked, strict=True)
    kept = (piece for piece, of_link in pieces if not of_link or any(map(str.isdigit, piece)))
    return " ".join(" ".join(kept).split())


def _is_fact(part: str) -> bool:
    if _SENTENCE.search(part):
        return False
    return len(part) <= MAX_LABEL or _is_date(part) or bool(_COUNT.fullmatch(part) or _BYLINE.fullmatch(part))


def _is_date(part: str) -> bool:
    found = next(find_dates(part), None)
    return found is not None and len(part) - (found.end - found.start) <= MAX_LABEL
