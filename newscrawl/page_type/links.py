"""What a page's links lead to, and what the items of its longest list are made of: a list is known by both."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.metadata.jsonld import types_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.blocks.body import Body
    from newscrawl.dom.document import Document
    from newscrawl.metadata.gather import Evidence
    from newscrawl.metadata.lines import PageLines

    Ints = NDArray[np.int32]

MIN_NAME_WEIGHT: Final = 8.0
"""A link's text from here on may be the name of what it leads to; shorter ones are buttons and page numbers."""
MAX_LINKS: Final = 120
"""Named links that are looked at: the first ones."""
MAX_ADDRESS: Final = 500
"""So many characters of an address are looked at: patterns over longer ones take time that grows with its square."""
SHORT_LINE: Final = 40
"""Letters: a line that may be a price or a date."""

_LINK: Final = frozenset(("a",))
_IMAGE: Final = frozenset(("img",))
# For paths and queries in lower case, one a line.
_TARGETS: Final = {
    "thread": re.compile(
        r"/(?:threads?|topics?|t|questions|discussions?|comments|forums?|bbs)/|[?&]tid=|(?:show|view)(?:thread|topic|forum)"
    ),
    "product": re.compile(r"/(?:products?|items?|dp|pd?|prod|sku|buy)[/_-]|[?&](?:product_?id|pid|sku)="),
    "story": re.compile(
        r"/(?:(?:19|20)\d\d[/-]?[01]\d|(?:news|articles?|story|stories|blog|posts?)/[^?#\n]{0,300}[-\d])"
    ),
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
ITEM_FEATURES: Final = (
    "item_images", "item_links", "item_one_link", "item_prices", "item_many_prices", "item_years", "item_headings",
    "item_lines", "item_even",
)  # fmt: skip


def link_values(document: Document, body: Body, evidence: Evidence) -> list[float]:
    """Return the numbers named ``LINK_FEATURES``."""
    own = urlsplit(document.url or "")
    hrefs = _named_links(body)
    paths = [path for href in hrefs if (path := _path(href, own.netloc)) is not None]
    text = "\n".join(paths)
    counts = [min(len(paths), len(pattern.findall(text))) for pattern in _TARGETS.values()]
    page = own.path.rstrip("/").lower()
    folder = page.rpartition("/")[0] + "/"
    n_children = sum(path.startswith(page + "/") for path in paths) if page else 0
    n_siblings = sum(path.startswith(folder) for path in paths) - n_children if folder != "/" else 0
    alike = max(Counter(map(_shape, paths)).values(), default=0)
    total = len(hrefs) + 3.0
    return [
        math.log1p(len(hrefs)),
        len(hrefs) / (int(body.features.is_links.sum()) + 3),
        *map(math.log1p, counts),
        *(count / total for count in counts),
        n_children / total,
        n_siblings / total,
        (len(hrefs) - len(paths)) / total,
        math.log1p(alike),
        alike / total,
        float(any(_FEED.search(href.lower()) for href in evidence.links.get("alternate", ()))),
        *_node_counts(evidence),
    ]


def _path(href: str, host: str) -> str | None:
    """Return path and query in lower case; None for an address on another host."""
    head, colon, rest = href.partition("://")
    if not colon or "?" in head:
        return href.lower()
    other, slash, path = rest.partition("/")
    return (slash + path).lower() if not host or other == host else None


def _shape(path: str) -> tuple[str, int]:
    """Return what the addresses of one kind of page share: where they begin and how deep they are."""
    depth = path.count("/")
    return (path[: path.find("/", 1)] if depth > 1 else "", depth)


def _named_links(body: Body) -> list[str]:
    """Return the addresses of links outside boilerplate whose text may be a name, each once, in page order."""
    features = body.features
    measures = features.lines.measures
    rows = measures.rows_of(_LINK)
    if not len(rows) or not len(features):
        return []
    before = np.zeros(len(features) + 1)
    np.cumsum(features.weight, out=before[1:])
    starts = features.lines.start
    first = starts.searchsorted(rows)
    stop = starts.searchsorted(measures.end[rows])
    inner = before[stop] - before[first]
    is_inside = stop <= first  # of a line, which counts as far as it is link text
    line = np.clip(first - is_inside, 0, len(features) - 1)
    weight = np.where(is_inside, features.weight[line] * features.link_share[line], inner)
    chosen = rows[(weight >= MIN_NAME_WEIGHT) & ~body.is_boilerplate[line]]
    nodes = measures.nodes
    hrefs = dict.fromkeys([(nodes[row].get("href") or "")[:MAX_ADDRESS] for row in chosen[:MAX_LINKS].tolist()])
    return [href for href in hrefs if href and href[0] != "#" and not href.startswith("javascript:")]


def _node_counts(evidence: Evidence) -> list[float]:
    nodes = Counter(name for node in evidence.nodes for name in types_of(node))
    types = Counter(value.rstrip("/").rsplit("/", 1)[-1].lower() for value in evidence.item_types)
    return [
        math.log1p(sum(found[name] for name in group)) for found in (nodes, types) for group in _NODE_GROUPS.values()
    ]


def item_values(body: Body, rows: Ints, page: PageLines) -> list[float]:
    """Return the numbers named ``ITEM_FEATURES`` for the elements of a list; zeros where there is none."""
    if not len(rows):
        return [0.0] * len(ITEM_FEATURES)
    features = body.features
    measures = features.lines.measures
    ends = measures.end[rows]
    starts = features.lines.start
    first, stop = starts.searchsorted(rows), starts.searchsorted(ends)

    def inside(found: Ints) -> Ints:
        return found.searchsorted(ends) - found.searchsorted(rows)

    marks = np.zeros((len(features) + 1, 4))
    marks[1:, 0] = (features.lines.currencies > 0) & (features.weight <= SHORT_LINE) & ~features.is_prose
    marks[[line.number + 1 for line in page.with_years(SHORT_LINE)], 1] = 1
    marks[1:, 2] = features.is_heading
    marks[1:, 3] = features.weight
    marks = marks.cumsum(axis=0)
    sums = marks[stop] - marks[first]
    links = inside(measures.rows_of(_LINK))
    weight = sums[:, 3]
    has = (sums[:, :3] > 0).mean(axis=0).tolist()
    return [
        float((inside(measures.rows_of(_IMAGE)) > 0).mean()),
        float((links > 0).mean()),
        float((links == 1).mean()),
        has[0],
        float((sums[:, 0] > 1).mean()),
        has[1],
        has[2],
        math.log1p(float(np.median(stop - first))),
        float(weight.std() / (weight.mean() + 1)),
    ]
