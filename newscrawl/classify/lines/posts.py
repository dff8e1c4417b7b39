"""The posts of a thread: elements side by side with one markup, each with prose and a line that may have a date.

Posts repeat at least ``MIN_POSTS`` times and hold most of the page's prose. No names are used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.page.forms import Paths
from newscrawl.page.hints import form_of
from newscrawl.page.lines import median

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools

    Span = tuple[int, int]

MIN_POSTS: Final = 3
MIN_SHARE: Final = 0.5
"""Least share of the page's prose that stands in the posts."""
MOST: Final = 0.7
"""Least share of the posts that have a line on the same path."""
MIN_DIGITS: Final = 3
"""Least digits of a line that may have a date; from ``FULL_DATE`` on it has one."""
FULL_DATE: Final = 6
MAX_PROSE: Final = 0.3
"""Most share of prose among the lines on a path of the posts' heads."""
MAX_TEXTS: Final = 2 / 3
"""Most different texts per line on a path of heads: names of authors and labels repeat."""
MAX_ODDS: Final = 4.0
"""Most log-odds that one line adds to its thread."""
SURE: Final = 1.0
"""Mean log-odds of the first post from which its answers are text, too."""
MIN_TITLE: Final = 16.0
"""Weight from which linked text is a story's title. A page with one in each post is a list."""

_DIGIT_SHARE, _IS_HEADLINE = FEATURES.index("digits"), FEATURES.index("is_headline")


@dataclass(frozen=True, slots=True, kw_only=True)
class Posts:
    """Lines of all posts, by their path within the post."""

    body: list[int]
    """Lines on the path that holds the most prose."""
    opening: list[int]
    """Lines of ``body`` in the first post."""
    heads: list[int]
    """Lines outside the element of the body that name author or date, repeat, or equal the page's headline."""


def find_posts(page: NetworkInput) -> Posts | None:
    """Return the posts of a page; None if it is no thread. O(elements around lines of prose)."""
    prose = page.features.is_prose.nonzero()[0]
    if len(prose) < MIN_POSTS:
        return None
    weight = np.where(page.features.is_prose, page.features.free, 0.0)
    before = np.append(0.0, weight.cumsum())
    best: list[Span] = []
    most, around = MIN_SHARE * before[-1], -1
    for above, spans in _repeated(page, prose.tolist()):
        held = sum(float(before[stop] - before[first]) for first, stop in spans)
        if held > most:
            best, most, around = spans, held, above
    return _read(page, best, around) if best else None


def _repeated(page: NetworkInput, prose: Sequence[int]) -> list[tuple[int, list[Span]]]:
    """Return the lines of similar elements side by side, each with prose and another line, and the row around them."""
    lines = page.lines
    low, high, parent = (of.tolist() for of in (*lines.spans, lines.measures.parent))
    inside: defaultdict[int, list[int]] = defaultdict(list)
    seen = {0, -1}
    for block in lines.block.take(prose).tolist():
        row = block
        while row not in seen:
            seen.add(row)
            inside[parent[row]].append(row)
            row = parent[row]
    found, nodes = [], lines.measures.nodes
    for above, rows in inside.items():
        if len(rows) < MIN_POSTS:
            continue
        alike: defaultdict[str, list[Span]] = defaultdict(list)
        for row in rows:
            if high[row] > low[row] + 1:
                alike[form_of(str(nodes[row].tag), nodes[row].get("class", ""))].append((low[row], high[row]))
        found += [(above, spans) for spans in alike.values() if len(spans) >= MIN_POSTS]
    return found


def _is_within(above: Sequence[int], path: int, body: int) -> bool:
    """Tell whether a path leads through the element that holds the body's lines, below the post itself.

    :param above: path that holds each.
    """
    element = above[body]
    if above[element] == 0:
        return False
    while path > element:
        path = above[path]
    return path == element


def _read(page: NetworkInput, spans: list[Span], around: int) -> Posts | None:
    features, n_digits = page.features, page.values[:, _DIGIT_SHARE] * page.chars
    blocks = page.lines.block.tolist()
    by_path: defaultdict[int, list[int]] = defaultdict(list)
    n_posts: Counter[int] = Counter()
    nodes, parent = page.lines.measures.nodes, page.lines.measures.parent.tolist()
    # a post that is an inline element holds lines whose block stands above all posts
    paths = Paths(parent, around, lambda row: form_of(str(nodes[row].tag), nodes[row].get("class", "")))
    for first, stop in spans:
        met = [paths.of(block) for block in blocks[first:stop]]
        for line, path in enumerate(met, first):
            by_path[path].append(line)
        n_posts.update(set(met))
    common = {path: of for path, of in by_path.items() if n_posts[path] >= MOST * len(spans)}
    free = features.free * features.is_prose
    weight = {path: float(free[of].sum()) for path, of in common.items()}
    body = max(weight, key=lambda path: weight[path], default=0)
    if not body or not weight[body]:
        return None
    digits = {path: median(n_digits[of]) for path, of in common.items()}
    if max((n for path, n in digits.items() if path != body), default=0.0) < MIN_DIGITS:
        return None
    outside = {
        path: of
        for path, of in common.items()
        if path != body and not _is_within(paths.above, path, body) and features.is_prose[of].mean() < MAX_PROSE
    }
    opening = [line for line in common[body] if line < spans[0][1]]
    return Posts(body=common[body], opening=opening, heads=_heads(page, outside, digits))


def _heads(page: NetworkInput, outside: dict[int, list[int]], digits: dict[int, float]) -> list[int]:
    """Return the lines of repeating paths, with lines of dates; none on a list of stories."""
    features = page.features
    for of in outside.values():
        if median(features.weight[of]) >= MIN_TITLE and features.is_links[of].mean() > 0.5:
            return []
    headline = page.lines.texts(page.values[:, _IS_HEADLINE].nonzero()[0].tolist()[:1])
    again = []
    for path, of in outside.items():
        texts = page.lines.texts(of)
        is_title = bool(headline) and all(headline[0] in text for text in texts)
        if len(set(texts)) <= MAX_TEXTS * len(of) and (is_title or not features.is_heading[of].any()):
            again.append(path)
    dated = [path for path in outside if digits[path] >= FULL_DATE] if again else []
    return sorted({line for path in (*again, *dated) for line in outside[path]})


def unite_posts(is_body: Bools, posts: Posts, probabilities: NDArray[np.float32], threshold: float) -> None:
    """Add all posts to the text if their lines together, or those of the first post, say so.

    A line says by how much its log-odds exceed the threshold's, at most ``MAX_ODDS`` either way.
    """
    inner = np.clip(np.append(probabilities, threshold).astype(np.float64), 1e-6, 1 - 1e-6)
    odds = np.log(inner / (1 - inner))
    over = np.clip(odds[:-1] - odds[-1], -MAX_ODDS, MAX_ODDS)
    if over[posts.body].sum() > 0 or over[posts.opening].sum() > SURE * len(posts.opening) > 0:
        is_body[posts.body] = True


def drop_heads(posts: Posts | None, is_body: Bools, _page: NetworkInput) -> None:
    """Leave out the heads of posts, if most lines of the posts are text."""
    if posts is not None and posts.heads and 2 * np.count_nonzero(is_body[posts.body]) >= len(posts.body):
        is_body[posts.heads] = False
