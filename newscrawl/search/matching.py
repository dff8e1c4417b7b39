"""A query against one article's own text: does it match, how well, and where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.search.terms import INDEXED_CHARS, SEPARATORS, SPACELESS, fold, is_spaceless, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.search.query import Phrase, Query

    Pieces = tuple[tuple[str, bool], ...]

#: Weights of a phrase in headline and author beside one in the text, where many of them count for at most 1.
HEADLINE_WEIGHT: Final = 4.0
AUTHOR_WEIGHT: Final = 3.0
#: BM25's usual constants (Robertson & Zaragoza 2009, §3.3), and a text's usual number of characters.
_K1: Final = 1.2
_B: Final = 0.75
_USUAL_CHARS: Final = 2000

_BREAKS: Final = SPACELESS + SEPARATORS
"""What may stand beside a word."""
#: Characters of a snippet, and of it before the first match.
SNIPPET_CHARS: Final = 160
_BEFORE: Final = 40


def haystack(text: str | None) -> str:
    """Return the runs of the text between spaces, in which :attr:`Phrase.needle` is looked for."""
    return f" {' '.join(runs(text))} " if text else ""


def matches(query: Query, headline: str | None, names: Sequence[str], body: str) -> bool:
    """Tell what the index's terms cannot: whether the phrases stand there, and those excluded do not."""
    if not needs_text(query):
        return True
    authors = [haystack(name) for name in names]
    texts = [haystack(headline), haystack(body), *authors]

    def has(phrase: Phrase, where: Sequence[str]) -> bool:
        return any(phrase.needle in one for one in where)

    wanted = all(has(phrase, texts) for phrase in query.phrases) and all(has(name, authors) for name in query.authors)
    unwanted = any(has(phrase, texts) for phrase in query.excluded)
    return wanted and not unwanted and not any(has(name, authors) for name in query.excluded_authors)


def needs_text(query: Query) -> bool:
    """Tell whether the index's terms do not decide alone."""
    phrases = (*query.phrases, *query.excluded, *query.authors, *query.excluded_authors)
    return not all(phrase.is_exact for phrase in phrases)


def score(query: Query, headline: str | None, names: Sequence[str], body: str) -> float:
    """Return how much of the article is about the query: BM25 without rarity, as all matches have all words. ≥ 0."""
    title, text, authors = haystack(headline), haystack(body), haystack("\n".join(names))
    length = _K1 * (1 - _B + _B * len(body) / _USUAL_CHARS)
    total = 0.0
    for phrase in query.phrases:
        times = text.count(phrase.needle)
        total += times * (_K1 + 1) / (times + length) / (_K1 + 1)
        total += HEADLINE_WEIGHT * (phrase.needle in title) + AUTHOR_WEIGHT * (phrase.needle in authors)
    return total


def snippet(query: Query, body: str) -> Pieces:
    """Return the text around its first match in pieces: a text, and whether it is a match; the start where none is."""
    pattern = _pattern(query)
    folded, places = _folded(body[:INDEXED_CHARS])
    first = pattern.search(folded) if pattern else None
    start = max(0, places[first.start()] - _BEFORE) if first else 0
    end = min(len(body), start + SNIPPET_CHARS)
    pieces: list[tuple[str, bool]] = [("…", False)] if start else []
    at = start
    for found in pattern.finditer(folded) if pattern else ():
        left, right = places[found.start()], places[found.end() - 1] + 1
        if left >= end:
            break
        if left >= at:
            pieces += [(body[at:left], False), (body[left:right], True)]
            at = right
    pieces += [(body[at:end], False)] if at < end else []
    pieces += [("…", False)] if max(at, end) < len(body) else []
    return _joined(pieces)


def _joined(pieces: list[tuple[str, bool]]) -> Pieces:
    """Leave out empty pieces and join those of a kind; line ends are spaces."""
    out: list[tuple[str, bool]] = []
    for text, is_match in pieces:
        plain = text.replace("\n", " ")
        if out and out[-1][1] == is_match:
            out[-1] = (out[-1][0] + plain, is_match)
        elif plain:
            out.append((plain, is_match))
    return tuple(out)


def _pattern(query: Query) -> re.Pattern[str] | None:
    parts = []
    for phrase in sorted(query.phrases, key=lambda one: -sum(map(len, one.runs))):
        first = "" if is_spaceless(phrase.runs[0]) else f"(?<![^{_BREAKS}])"
        last = "" if is_spaceless(phrase.runs[-1]) else f"(?![^{_BREAKS}])"
        parts.append(first + f"[{SEPARATORS}]*".join(map(re.escape, phrase.runs)) + last)
    return re.compile("|".join(parts)) if parts else None


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text, and for each of its characters the place of the one it came from."""
    folded = fold(text)
    if len(folded) == len(text):
        return folded, range(len(text))
    letters = [fold(letter) for letter in text]
    return "".join(letters), [place for place, letter in enumerate(letters) for _ in letter]
