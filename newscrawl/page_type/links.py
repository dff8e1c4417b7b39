"""Numbers about the links of a page: where those with a name lead, and what the page declares its entries to be."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.metadata.jsonld import types_of

if TYPE_CHECKING:
    from newscrawl.metadata.gather import Evidence
    from newscrawl.page_type.lists import NamedLinks

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


def link_values(links: NamedLinks, n_linked: int, url: str | None, evidence: Evidence) -> list[float]:
    """Return the numbers named ``LINK_FEATURES``.

    :param n_linked: lines of the page that are mostly links.
    """
    paths = [path for path in links.paths if path is not None]
    text = "\n".join(paths)
    counts = [min(len(paths), len(pattern.findall(text))) for pattern in _TARGETS.values()]
    page = urlsplit(url or "").path.rstrip("/").lower()
    folder = page.rpartition("/")[0] + "/"
    n_children = sum(path.startswith(page + "/") for path in paths) if page else 0
    n_siblings = sum(path.startswith(folder) for path in paths) - n_children if folder != "/" else 0
    alike = max(Counter(map(_shape, paths)).values(), default=0)
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
        *_node_counts(evidence),
    ]


def _shape(path: str) -> tuple[str, int]:
    """Return what the addresses of one kind of page share: where they begin and how deep they are."""
    depth = path.count("/")
    return (path[: path.find("/", 1)] if depth > 1 else "", depth)


def _node_counts(evidence: Evidence) -> list[float]:
    nodes = Counter(name for node in evidence.nodes for name in types_of(node))
    types = Counter(value.rstrip("/").rsplit("/", 1)[-1].lower() for value in evidence.item_types)
    return [
        math.log1p(sum(found[name] for name in group)) for found in (nodes, types) for group in _NODE_GROUPS.values()
    ]
