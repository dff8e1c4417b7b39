"""Comments of readers below a story: what each says, who signs it, and when it was written."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.comments import thread_lines
from newscrawl.classify.lines.features import page_lines
from newscrawl.extract.facts.moments import RELATIVE_CHARS, line_date, read_date
from newscrawl.items import Comment
from newscrawl.languages.text import fold_space
from newscrawl.page.hints import form_of
from newscrawl.page.statements import gather
from newscrawl.page.tags import KIND_OF

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.extract.facts.moments import DateContext, Dated
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools

    Days = Mapping[int, Dated]

MAX_COMMENTS: Final = 1_000
MAX_NAME: Final = 60
MAX_CLIMB: Final = 50
"""Elements around a line that are looked at for the one that holds its comment."""
MAX_ACTION: Final = 24
"""Characters of a line that stands in several comments and is none of their text: *Reply*, *3 likes*."""
_TIME: Final = KIND_OF["time"]
_IN_FORM, _IN_BUTTON = map(FEATURES.index, ("in_form", "in_button"))
_PARTS: Final = re.compile(r"(?<=\s)[-–—](?=\s)|[·|•:：,，(（]")


def read_comments(document: Document, is_body: Bools, context: DateContext) -> tuple[Comment, ...]:
    """Return the comments that a page states as data, else those that it shows, in its order."""
    stated = tuple(_stated(document))
    page = None if stated else document.once(page_lines)
    thread = None if page is None else thread_lines(page, is_body)
    if page is None or thread is None or not thread.any():
        return stated[:MAX_COMMENTS]
    numbers = thread.nonzero()[0].tolist()
    days = _days(page, numbers, context)
    items = _items(page, numbers, days)
    times = Counter(text for item in items for text in set(page.lines.texts(item)))
    again = {text for text, n in times.items() if n > 1 and len(text) <= MAX_ACTION}
    found = (_comment(page, item, days, again) for item in items[:MAX_COMMENTS])
    return tuple(comment for comment in found if comment is not None)


def _stated(document: Document) -> Iterator[Comment]:
    """Yield the comments that JSON-LD states of the article."""
    for node in document.once(gather).articles:
        told: Any = node.get("comment")
        for one in told if isinstance(told, list) else [told]:
            if isinstance(one, dict) and isinstance(text := one.get("text"), str) and text.strip():
                author = one.get("author")
                name = author.get("name") if isinstance(author, dict) else author
                day = one.get("dateCreated") or one.get("datePublished")
                yield Comment(
                    text=text.strip(),
                    author=fold_space(name) if isinstance(name, str) else None,
                    datePublished=day if isinstance(day, str) else None,
                )


def _days(page: NetworkInput, numbers: Sequence[int], context: DateContext) -> Days:
    """Return the days that lines of a thread tell: as their elements state them, else as they show them."""
    lines, measures = page.lines, page.lines.measures
    days: dict[int, Dated] = {}
    for row in (measures.kinds == _TIME).nonzero()[0].tolist():
        stamp = measures.nodes[row].get("datetime")
        line = int(np.searchsorted(lines.start, measures.end[row])) - 1
        if stamp and (dated := read_date(stamp, "time", context)) is not None:
            days[line] = dated
    shown = [line for line in numbers if lines.chars[line] <= RELATIVE_CHARS and not page.features.is_prose[line]]
    for line, text in zip(shown, lines.texts(shown), strict=True):
        if line not in days and (dated := line_date(text, context)) is not None:
            days[line] = dated
    return days


def _items(page: NetworkInput, numbers: list[int], days: Days) -> list[list[int]]:
    """Return the lines of each comment: they begin where elements of that markup do which most often holds a day."""
    lines, measures = page.lines, page.lines.measures
    first, last = int(lines.start[numbers[0]]), int(lines.start[numbers[-1]])
    held: dict[str, dict[int, list[int]]] = {}
    for line in numbers:
        row, met = int(lines.block[line]), set()
        for _ in range(MAX_CLIMB):
            if row <= 0 or (row <= first and measures.end[row] > last):
                break
            node = measures.nodes[row]
            form = form_of(str(node.tag), node.get("class", ""))
            if form not in met:
                met.add(form)
                held.setdefault(form, {}).setdefault(row, []).append(line)
            row = int(measures.parent[row])
    best, most = [numbers], (0, 0.0)
    for rows in held.values():
        told = [found for found in rows.values() if any(line in days for line in found)]
        told = told or [found for found in rows.values() if len(found) > 1]
        score = len(told), float(sum(page.chars[found].sum() for found in told))
        if score > most:
            best, most = told, score
    starts = sorted({found[0] for found in best})
    places = np.searchsorted(numbers, [*starts, numbers[-1] + 1]).tolist()
    return [numbers[low:high] for low, high in itertools.pairwise(places)]


def _comment(page: NetworkInput, item: Sequence[int], days: Days, again: set[str]) -> Comment | None:
    """Return the comment of some lines: a name, a day, and what is left without buttons; None without text."""
    name: str | None = None
    dated: Dated | None = None
    told: list[str] = []
    is_prose, is_links = page.features.is_prose, page.features.is_links
    for line, text in zip(item, page.lines.texts(item), strict=True):
        if page.values[line, _IN_FORM] or page.values[line, _IN_BUTTON]:
            continue
        day = None if dated or is_prose[line] else days.get(line)
        if day is not None:
            dated = day
            name = name or (None if told else _name(text.partition(day.raw)[0]))
        elif name is None and not told and len(text) <= MAX_NAME and not is_prose[line] and line != item[-1]:
            name = _name(text)
        elif text not in again and not (is_links[line] and len(text) <= MAX_ACTION):
            told.append(text)
    if not told:
        return None
    when = None if dated is None else dated.isoformat()
    return Comment(text="\n".join(told), author=name, datePublished=when)


def _name(text: str) -> str | None:
    """Return the name that a line begins with: *Anna says:* is Anna's."""
    first = _PARTS.split(text.strip(), maxsplit=1)
    words = first[0].split()
    if len(first) > 1 and len(words) > 1 and words[-1].islower():
        words = words[:-1]
    name = " ".join(words).strip(" \"'«»„“”")
    return name if any(map(str.isalpha, name)) and len(name) <= MAX_NAME else None
