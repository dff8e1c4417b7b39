"""A query against one article's own text: does it match, how well, and where."""

from __future__ import annotations

from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, Final

from newscrawl.serve.search.terms import INDEXED_CHARS, fold, stands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newscrawl.serve.search.query import Phrase, Query

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
    return lambda phrase: any(_stands(phrase, text) for text in texts)


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
        times = sum(1 for _ in stands(phrase.runs, text))
        total += times / (times + length)
        total += HEADLINE_WEIGHT * _stands(phrase, title) + AUTHOR_WEIGHT * _stands(phrase, authors)
    return total


def _indexed(text: str | None) -> str:
    return fold(text)[:INDEXED_CHARS] if text else ""


def _stands(phrase: Phrase, text: str) -> bool:
    return next(stands(phrase.runs, text), None) is not None


def snippet(query: Query, body: str) -> Pieces:
    """Return the text around its first match in pieces: a text, and whether it is a match; the start where none is."""
    folded, places = _folded(body[:INDEXED_CHARS])
    # of those that begin together the longest first
    found = merge(*(stands(phrase.runs, folded) for phrase in query.phrases), key=lambda place: (place[0], -place[1]))
    matched = ((places[left], places[right - 1] + 1) for left, right in found)
    first = next(matched, None)
    start = max(0, first[0] - _BEFORE) if first else 0
    end = min(len(body), start + SNIPPET_CHARS)
    pieces: list[tuple[str, bool]] = [("…", False)] if start else []
    at = start
    for left, right in chain([first] if first else [], matched):
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


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text, and for each of its characters the place of the one it came from."""
    folded = fold(text)
    if len(folded) == len(text):
        return folded, range(len(text))
    letters = [fold(letter) for letter in text]
    return "".join(letters), [place for place, letter in enumerate(letters) for _ in letter]
