"""Features of the links of a page: where named links lead, and what stands beside the links of the main list.

A list holds links of one form, each with its record, the part of the page that belongs to it
(:mod:`newscrawl.page.forms`). Here arrays over all links count only what stands beside them, which is enough to tell
stories from goods; :mod:`newscrawl.extract.lists` reads what records say.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.page.forms import LinkForms, record_tops
from newscrawl.page.jsonld import types_of
from newscrawl.page.lines import find_boilerplate, line_features, median, span_sums
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Numbers
    from newscrawl.page.measures import Ints
    from newscrawl.page.statements import Evidence

MIN_NAME_WEIGHT: Final = 8.0
"""Least letters of a link that may name its target. Shorter ones are buttons and page numbers."""
MIN_TITLE_WEIGHT: Final = 10.0
MAX_TITLE_WEIGHT: Final = 80.0
"""Most letters of a title that count when the list with most titles is sought."""
MIN_RECORDS: Final = 3
MAX_LINKS: Final = 300
"""Number of named links that are examined, from the top."""
MAX_ADDRESS: Final = 500
"""Characters of an address that patterns see: their time grows with the square of its length."""
SHORT_LINE: Final = 40.0
"""Most letters of a line that may be a price or a date."""
MIN_SENTENCE: Final = 25.0
LONG_LINE: Final = 2
"""Lines of prose from which a record is a text."""

_LINK: Final = frozenset(("a",))
_IMAGE: Final = frozenset(("img",))
_TIME: Final = frozenset(("time",))
_ROW: Final = frozenset(("td", "tr"))
_ITEM: Final = frozenset(("li",))
# For paths and queries in lower case, one a line.
_STORY: Final = re.compile(
    r"/(?:(?:19|20)\d\d[/-]?[01]\d|(?:news|articles?|story|stories|blog|posts?)/[^?#\n]{0,300}[-\d])"
)
_SLUG: Final = re.compile(r"(?:-[^/\n-]++){3,}+/?$", re.MULTILINE)
_NUMBER: Final = re.compile(r"\d{5,}+")

_TARGETS: Final = {
    "thread": re.compile(
        r"/(?:threads?|topics?|t|questions|discussions?|comments|forums?|bbs)/|[?&]tid=|(?:show|view)(?:thread|topic|forum)"
    ),
    "product": re.compile(r"/(?:products?|items?|dp|pd?|prod|sku|buy)[/_-]|[?&](?:product_?id|pid|sku)="),
    "story": _STORY,
    "list": re.compile(r"/(?:category|categories|tags?|collections?|authors?|topics?|c|cat|shop)/"),
}
_FEED: Final = re.compile(r"feed|rss|atom|\.xml")
_NODE_GROUPS: Final = {
    "goods": frozenset("product productgroup offer aggregateoffer".split()),
    "entries": frozenset(
        "event musicevent course jobposting recipe movie place localbusiness person podcastepisode".split()
    ),
    "items": frozenset("listitem itemlist searchresultspage offercatalog collectionpage".split()),
    "stories": frozenset("article newsarticle blogposting".split()),
}

LINK_FEATURES: Final = (
    "named_links", "named_share",
    *(f"to_{name}" for name in _TARGETS), *(f"to_{name}_share" for name in _TARGETS),
    "to_child", "to_sibling", "to_foreign", "to_alike", "to_alike_share", "feed",
    *(f"nodes_{name}" for name in _NODE_GROUPS), *(f"types_{name}" for name in _NODE_GROUPS),
)  # fmt: skip
LIST_FEATURES: Final = (
    "records", "records_second", "lists", "record_text", "record_linked", "title", "title_spread", "title_heading",
    "title_short", "record_summary", "record_prose", "record_long", "record_image", "record_images", "record_year",
    "record_time", "record_price", "record_prices", "record_one_link", "record_links", "record_lines", "record_even",
    "record_story", "record_slug", "record_number", "record_query", "record_depth", "list_place", "list_span",
    "own_inside", "own_outside", "outside_share", "record_foreign", "record_share", "in_row", "in_item", "list_prose",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLinks:
    """Links outside boilerplate and sentences whose text may be a name, each address once, in page order."""

    rows: Ints
    """Shape ``(n,)``, as ``weight`` and ``line``."""
    weight: Floats
    """Letters of the link's text."""
    line: Numbers
    """Where it begins."""
    paths: list[str | None]
    """Path and query in lower case; None for an address on another host."""
    groups: list[list[int]]
    """Places of the links of one form."""


def named_links(document: Document) -> NamedLinks:
    """Return the named links of a page."""
    features = document.once(line_features)
    measures = document.measures
    rows = measures.rows_of(_LINK)
    if not len(rows) or not len(features):
        return NamedLinks(rows=rows[:0], weight=np.zeros(0), line=np.zeros(0, dtype=np.intp), paths=[], groups=[])
    starts = features.lines.start
    first = starts.searchsorted(rows)
    stop = starts.searchsorted(measures.end[rows])
    is_inside = stop <= first  # a link within a line: only its own text counts
    line = np.clip(first - is_inside, 0, len(features) - 1)
    part = features.weight[line] * features.link_share[line]
    weight = np.where(is_inside, part, span_sums(features.weight, first, stop))
    is_named = (
        (weight >= MIN_NAME_WEIGHT) & ~document.once(find_boilerplate)[line] & ~(features.is_prose[line] & is_inside)
    )
    heaviest: dict[str, int] = {}
    nodes = measures.nodes
    for place in is_named.nonzero()[0][:MAX_LINKS].tolist():
        href = (nodes[rows[place]].get("href") or "")[:MAX_ADDRESS]
        if href and href[0] != "#" and not href.startswith("javascript:"):
            known = heaviest.get(href)
            if known is None or weight[place] > weight[known]:
                heaviest[href] = place
    chosen = sorted((place, href) for href, place in heaviest.items())
    at = np.array([place for place, _ in chosen], dtype=np.intp)
    host = urlsplit(document.url or "").netloc
    paths = [_path(href, host) for _, href in chosen]
    is_heading = features.is_heading[line[at]].tolist()
    groups = document.once(LinkForms).groups(rows[at].tolist(), [href for _, href in chosen], is_heading)
    return NamedLinks(rows=rows[at], weight=weight[at], line=line[at], paths=paths, groups=groups)


def _path(href: str, host: str) -> str | None:
    """Return path and query in lower case; None for an address on another host."""
    head, colon, rest = href.partition("://")
    if not colon or "?" in head:
        return href.lower()
    other, slash, path = rest.partition("/")
    return (slash + path).lower() if not host or other == host else None


def link_values(links: NamedLinks, n_linked: int, url: str | None, evidence: Evidence) -> list[float]:
    """Return the features ``LINK_FEATURES``.

    :param n_linked: lines of the page that are mostly links.
    """
    paths = [path for path in links.paths if path is not None]
    text = "\n".join(paths)
    counts = [min(len(paths), len(pattern.findall(text))) for pattern in _TARGETS.values()]
    page = urlsplit(url or "").path.rstrip("/").lower()
    folder = page.rpartition("/")[0] + "/"
    n_children = sum(path.startswith(page + "/") for path in paths) if page else 0
    n_siblings = sum(path.startswith(folder) for path in paths) - n_children if folder != "/" else 0
    # pages of one kind share the beginning and the depth of their addresses
    shapes = ((path[: path.find("/", 1)] if depth > 1 else "", depth) for path in paths for depth in [path.count("/")])
    alike = max(Counter(shapes).values(), default=0)
    nodes, types = Counter(name for node in evidence.nodes for name in types_of(node)), Counter(evidence.item_types)
    n = len(links.paths)
    total = n + 3.0
    return [
        math.log1p(n),
        n / (n_linked + 3),
        *map(math.log1p, counts),
        *(count / total for count in counts),
        n_children / total,
        n_siblings / total,
        (n - len(paths)) / total,
        math.log1p(alike),
        alike / total,
        float(any(_FEED.search(href.lower()) for href in evidence.links.get("alternate", ()))),
        *(math.log1p(sum(said[name] for name in of)) for said in (nodes, types) for of in _NODE_GROUPS.values()),
    ]


def list_values(body: Verdict, links: NamedLinks, dated: Sequence[int]) -> list[float]:
    """Return the features ``LIST_FEATURES``.

    :param dated: numbers of the short lines in which a year stands.
    """
    sizes, chosen = _main_list(links)
    own = body.weight
    if not len(chosen):
        values = dict.fromkeys(LIST_FEATURES, 0.0) | {"own_outside": math.log1p(own), "outside_share": own / (own + 30)}
        return list(values.values())
    features = body.features
    starts = features.lines.start
    top, stop = _records(body, links.rows[chosen])
    first, last = starts.searchsorted(top), starts.searchsorted(stop)
    first = np.where(last <= first, np.maximum(first - 1, 0), first)  # the record stands in a line with others
    last = np.maximum(last, first + 1)
    weight, line = links.weight[chosen], links.line[chosen]
    inside = float(min(own, span_sums(features.free * body.is_body, first, last).sum()))
    total, linked = (float(letters.sum()) + 1 for letters in (features.weight, features.weight * features.link_share))
    kinds = features.lines.measures.kinds[top]
    known = [path for place in chosen.tolist() if (path := links.paths[place]) is not None]
    text, n_known = "\n".join(known), len(known) + 1.0
    return [
        *sizes,
        min(1.0, float(span_sums(features.weight, first, last).sum()) / total),
        min(1.0, float(weight.sum()) / linked),
        math.log1p(median(weight)),
        float(weight.std() / (weight.mean() + 1)),
        _share(features.is_heading[line]),
        _share(weight < MIN_SENTENCE),
        *_beside(body, (top, stop), (first, last), dated),
        *(min(1.0, len(pattern.findall(text)) / n_known) for pattern in (_STORY, _SLUG, _NUMBER)),
        text.count("?") / n_known,
        math.log1p(text.count("/") / n_known),
        float(first[0]) / len(features),
        float(last[-1] - first[0]) / len(features),
        math.log1p(inside),
        math.log1p(own - inside),
        (own - inside) / (own + 30),
        (len(chosen) - len(known)) / len(chosen),
        len(chosen) / (len(links.rows) + MIN_RECORDS),
        _share(kinds_among(_ROW)[kinds]),
        _share(kinds_among(_ITEM)[kinds]),
        math.log1p(span_sums(features.is_prose, first, last).sum()),
    ]


def _main_list(links: NamedLinks) -> tuple[list[float], Numbers]:
    """Return the links of the main list, whose titles have most text; none if no form has enough links.

    The numbers are the logarithms of its size, of the second list's size, and of the number of lists.
    """
    lists = [group for group in links.groups if len(group) >= MIN_RECORDS]
    said = np.minimum(links.weight, MAX_TITLE_WEIGHT) * (links.weight >= MIN_TITLE_WEIGHT)
    ranked = sorted(((float(said[group].sum()), group) for group in lists), key=lambda pair: -pair[0])
    titled = [group for score, group in ranked if score > 0]
    if not titled:
        return [0.0, 0.0, 0.0], np.zeros(0, dtype=np.intp)
    second = len(titled[1]) if len(titled) > 1 else 0
    return [*map(math.log1p, (len(titled[0]), second, len(lists)))], np.array(titled[0], dtype=np.intp)


def _records(body: Verdict, rows: Ints) -> tuple[Ints, Ints]:
    """Return first row and end of each link's record; those without an element of their own reach to the next link."""
    measures = body.features.lines.measures
    top = record_tops(measures, rows)
    stop = measures.end[top]
    is_beside = measures.parent[top[:-1]] == measures.parent[top[1:]]
    stop[:-1] = np.where(is_beside, top[1:], stop[:-1])
    return top, stop


def _beside(
    body: Verdict, rows: tuple[Ints, Ints], lines: tuple[Numbers, Numbers], dated: Sequence[int]
) -> list[float]:
    """Return what stands beside the titles: the share of records that have it, and how much."""
    features = body.features
    measures = features.lines.measures
    is_label = (features.weight <= SHORT_LINE) & ~features.is_prose
    is_dated = np.zeros(len(features), dtype=np.bool_)
    is_dated[list(dated)] = True
    free = np.where(features.is_prose | (features.free >= MIN_SENTENCE), features.free, 0.0)
    is_price = is_label & (features.lines.currencies > 0)
    prices, weight, said, prose, dates = span_sums(
        np.array([is_price, features.weight, free, features.is_prose, is_dated]), *lines
    )
    links, images, times = (
        found.searchsorted(rows[1]) - found.searchsorted(rows[0])
        for found in map(measures.rows_of, (_LINK, _IMAGE, _TIME))
    )
    return [
        _share(said > 0),
        math.log1p(float(said.mean())),
        _share(prose >= LONG_LINE),
        _share(images > 0),
        _share(images > 1),
        _share(dates > 0),
        _share(times > 0),
        _share(prices > 0),
        _share(prices > 1),
        _share(links == 1),
        math.log1p(median(links)),
        math.log1p(median(lines[1] - lines[0])),
        float(weight.std() / (weight.mean() + 1)),
    ]


def _share(tests: NDArray[np.bool_]) -> float:
    return np.count_nonzero(tests) / len(tests)
