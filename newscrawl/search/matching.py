"""A query against one article's own text: does it match, how well, and where."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from newscrawl.search.terms import INDEXED_CHARS, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newscrawl.search.query import Phrase, Query

    Pieces = tuple[tuple[str, bool], ...]

#: Weights of a phrase in headline and author beside one in the text, where many of them count for at most 1.
HEADLINE_WEIGHT: Final = 4.0
AUTHOR_WEIGHT: Final = 3.0
#: BM25's usual constants (Robertson & Zaragoza 2009, §3.3), and a text's usual number of characters.
_K1: Final = 1.2
_B: Final = 0.75
_USUAL_CHARS: Final = 2000

#: Characters of a snippet, and of it before the first match.
SNIPPET_CHARS: Final = 160
_BEFORE: Final = 40


def matches(query: Query, headline: str | None, names: Sequence[str], body: str) -> bool:
    """Tell what the index's terms cannot: whether the phrases stand there, and those excluded do not."""
    if not needs_text(query):
        return True
    authors = [_indexed(name) for name in names]
    texts = [_indexed(headline), _indexed(body), *authors]
    wanted = all(map(_has(texts), query.phrases)) and all(map(_has(authors), query.authors))
    return wanted and not any(map(_has(texts), query.excluded)) and not any(map(_has(authors), query.excluded_authors))


def _has(texts: Sequence[str]) -> Callable[[Phrase], bool]:
    """Return what tells whether a phrase stands in one of the folded texts."""
    return lambda phrase: any(map(_compiled(phrase.pattern).search, texts))


def needs_text(query: Query) -> bool:
    """Tell whether the index's terms do not decide alone."""
    phrases = (*query.phrases, *query.excluded, *query.authors, *query.excluded_authors)
    return not all(phrase.is_exact for phrase in phrases)


def score(query: Query, headline: str | None, names: Sequence[str], body: str) -> float:
    """Return how much of the article is about the query: BM25 without rarity, as all matches have all words. ≥ 0."""
    title, text, authors = _indexed(headline), _indexed(body), _indexed("\n".join(names))
    length = _K1 * (1 - _B + _B * len(body) / _USUAL_CHARS)
    total = 0.0
    for phrase in query.phrases:
        pattern = _compiled(phrase.pattern)
        times = len(pattern.findall(text))
        total += times / (times + length)
        total += HEADLINE_WEIGHT * bool(pattern.search(title)) + AUTHOR_WEIGHT * bool(pattern.search(authors))
    return total


def _indexed(text: str | None) -> str:
    return fold(text)[:INDEXED_CHARS] if text else ""


_compiled: Final = lru_cache(maxsize=256)(re.compile)


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
    """Return what finds any of the phrases, the longest first; None where there is none."""
    longest = sorted(query.phrases, key=lambda phrase: -sum(map(len, phrase.runs)))
    return _compiled("|".join(phrase.pattern for phrase in longest)) if longest else None


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text, and for each of its characters the place of the one it came from."""
    folded = fold(text)
    if len(folded) == len(text):
        return folded, range(len(text))
    letters = [fold(letter) for letter in text]
    return "".join(letters), [place for place, letter in enumerate(letters) for _ in letter]
