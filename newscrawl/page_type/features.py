"""Numbers about a whole page that tell its type: text, lists, declarations, names, forms, and the address."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.dom.tags import kinds_among
from newscrawl.metadata.gather import gather
from newscrawl.metadata.jsonld import ARTICLE_TYPES, LIST_TYPES, types_of
from newscrawl.page_type.links import ITEM_FEATURES, LINK_FEATURES, item_values, link_values
from newscrawl.page_type.rules import article_reasons, page_teasers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from newscrawl.blocks.body import Body
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Measures
    from newscrawl.metadata.gather import Evidence

    Floats = NDArray[np.float64]

MIN_ITEMS: Final = 4
"""So many siblings of one shape make a list."""
STORY_WEIGHT: Final = 20.0
SHORT_LINE: Final = 40
"""Letters: a line that may be a price, a date or a button."""
MAX_SAID: Final = 6_000
"""Characters of short lines in which a page's sayings are looked for."""

_DOCUMENTATION_TYPES: Final = frozenset(
    "techarticle apireference howto softwareapplication faqpage softwaresourcecode".split()
)
_TYPE_GROUPS: Final = {
    "article": ARTICLE_TYPES - _DOCUMENTATION_TYPES,
    "list": LIST_TYPES | {"offercatalog"},
    "forum": frozenset("discussionforumposting qapage question answer conversation".split()),
    "product": frozenset("product productgroup individualproduct offer aggregateoffer book".split()),
    "docs": _DOCUMENTATION_TYPES,
}
# All patterns are for text in lower case: without a flag for it they are several times faster.
_NAME_GROUPS: Final = {
    "forum": re.compile(r"\b(?:thread|topic|forum|phpbb|vb(?:ulletin)?|xenforo|discourse|bbs|postbit|viewtopic|replies"
                        r"|reply|signature|message|author\w*info|poster|user\w*info|usertitle|reputation)"),
    "post": re.compile(r"\b(?:post|comment|answer|message)(?:s|[-_]?(?:body|text|content|item|list|id|\d+"
                       r"|message|author"
                       r"|container|wrap\w*))?\b"),
    "product": re.compile(r"product|price|cart|basket|sku|warenkorb|checkout|wishlist|swatch|variant|buy|quantity"),
    "docs": re.compile(r"\b(?:docs?|documentation|toc|table[-_]?of[-_]?contents|sphinx|mkdocs|docusaurus"
                       r"|markdown|highlight"
                       r"|codehilite|prism|rst|wy-|md-|admonition|theme-doc|api|reference|devsite|mw-|wiki)"),
    "list": re.compile(r"\b(?:listing|results?|grid|cards?|tiles?|teasers?|archive|loop|list-?item|items?"
                       r"|catalog|category)"
                       r"\b"),
    "article": re.compile(r"article[-_]?(?:body|text|content)|story[-_]?(?:body|text)|entry[-_]?content"
                          r"|post[-_]?content"
                          r"|single[-_]?post|byline|news[-_]?text"),
    "pager": re.compile(r"\bpag(?:er|ination|enav\w*|e-numbers|e-link)|\bpages\b|next-page|wp-pagenavi"),
}  # fmt: skip
_URL_GROUPS: Final = {
    "forum": re.compile(r"forum|thread|topic|/t/|viewtopic|community|discuss|/questions?/|bbs|board|/comments/"),
    "product": re.compile(r"/(?:products?|item|dp|buy|isbn|gp|pd|prod|p)(?:/|[-_.]|$)|[?&](?:sku|productid|pid)="),
    "list": re.compile(r"/(?:collections?|categor(?:y|ies)|c|shop|catalog(?:ue)?|tags?|search|browse|topics?|archives?"
                       r"|authors?|jobs|listings?|store|s|all|page)(?:/|\?|$)|[?&](?:q|s|search|query|page|paged|start"
                       r"|cat)=|/page/?\d"),
    "docs": re.compile(r"\bdocs?\b|documentation|/(?:api|reference|manual|guide|guides|help|kb|wiki|learn"
                       r"|tutorials?|book"
                       r"|latest|stable|man|faq|support|howto|v\d[\d.]*)(?:/|[-_.]|$)|readthedocs|developer"),
    "article": re.compile(r"/(?:19|20)\d\d[/-]?[01]\d|/(?:news|articles?|story|stories|blog|posts?)/.+|[-/]\d{5,}"),
}  # fmt: skip
_BUTTONS: Final = {
    "cart": re.compile(r"add to (?:cart|bag|basket)|buy now|in den warenkorb|ajouter au panier"
                       r"|añadir al carrito|checkout"
                       r"|加入购物车|立即购买|カートに入れる|sku\b|in stock|out of stock|free shipping|quantity"),
    "goods": re.compile(r"\bisbn|list price|our price|you save|price\s?:|retail|item (?:#|no)|model (?:#|no)"
                        r"|shipping|warranty"
                        r"|customer reviews?|\bratings?\b|\bships\b|specifications|availability|delivery"
                        r"|returns? policy"
                        r"|versand|lieferzeit|artikelnummer|livraison|商品|价格|规格|运费|评价"),
    "reply": re.compile(r"\b(?:reply|quote|quoted|replies|report post|permalink|posts?:\s?\d|joined:?|thread starter"
                        r"|like this|registered:?|member since|upvote|best answer|#\d+$|antworten|zitieren"
                        r"|répondre|citer)\b"
                        r"|回复|回帖|引用|楼主|发表于|只看该作者|返信|(?<!\d)\d+楼|#\s?\d+"),
    "docs": re.compile(r"on this page|table of contents|edit (?:this )?page|view source|next\s?:|previous\s?:|copy code"
                       r"|inhaltsverzeichnis|目录|本页内容|was this (?:page )?helpful|parameters|returns|syntax"
                       r"|example"),
    "sort": re.compile(r"sort by|filter|results?\b|showing \d|items? per page|view all|load more|sortieren"
                       r"|trier par|排序|筛选"
                       r"|refine|relevance|price:? low|newest"),
    "story": re.compile(r"read more|continue reading|weiterlesen|lire la suite|leer más|阅读全文|继续阅读"
                        r"|(?<!\d)\d+ comments?\b"
                        r"|阅读更多|查看全文|more »"),
}  # fmt: skip
_GENERATORS: Final = {
    "forum": re.compile(r"phpbb|vbulletin|discourse|xenforo|discuz|mybb|smf|vanilla|nodebb|invision|phpwind"),
    "docs": re.compile(r"sphinx|mkdocs|docusaurus|mediawiki|gitbook|hugo|jekyll|vuepress|doxygen|javadoc"),
    "shop": re.compile(r"shopify|woocommerce|magento|prestashop|opencart"),
}
_BLOCKS: Final = frozenset("div li article section tr ul ol table dl figure main".split())
_NUMBER_OF_BLOCK: Final = np.cumsum(kinds_among(_BLOCKS), dtype=np.int32) - 1
"""Kind → number among the kinds of ``_BLOCKS``."""
_FORMS: Final = tuple("form textarea select input pre code table img dl time video article li".split())


def feature_names() -> tuple[str, ...]:
    groups = ("forum", "post", "product", "docs", "list", "article", "pager")
    return (
        "own", "announced", "stories", "titled", "untitled", "headline_far", "teasers", "body_share", "lines", "prose",
        "prose_share", "link_share", "links", "mean_prose", "prices", "price_share", "years", "year_share", "h1", "h2",
        "numbers", "short_share", "wide",
        "list_items", "list_share", "list_weight", "list_links", "list_prose", "list_long",
        *(f"n_{tag}" for tag in _FORMS),
        *(f"names_{name}" for name in groups),
        *(f"says_{name}" for name in _BUTTONS),
        *(f"says_{name}_many" for name in _BUTTONS),
        *(f"url_{name}" for name in _URL_GROUPS), "url_root", "url_depth", "url_slug", "url_query", "url_unknown",
        "shop_list", "shop_page", "cart_page", "list_of_links", "article_rules",
        *(f"ld_{name}" for name in _TYPE_GROUPS), *(f"micro_{name}" for name in _TYPE_GROUPS),
        "og_article", "og_website", "og_product", "og_none",
        "date_stated", "author_stated", "pager_stated", *(f"generator_{name}" for name in _GENERATORS),
        *LINK_FEATURES, *ITEM_FEATURES,
    )  # fmt: skip


FEATURES: Final = feature_names()


def page_features(document: Document) -> NDArray[np.float64]:
    """Return the numbers, shape ``(len(FEATURES),)``; no words of a site, and no more than lists and logarithms."""
    body = document.once(find_body)
    evidence = document.once(gather)
    values: list[float] = []
    values += _text_values(document, body, evidence)
    described, items = _list_values(body)
    values += described
    counts = Counter(body.features.lines.measures.tags)
    values += [math.log1p(counts[tag]) for tag in _FORMS]
    values += _name_values(body)
    values += _saying_values(body)
    values += _url_values(document.url)
    values += _joint_values(values)
    values.append(max(-8.0, min(8.0, sum(weight for weight, _ in document.once(article_reasons)))))
    values += _stated_values(evidence)
    values += link_values(document, body, evidence)
    values += item_values(body, items, evidence.lines)
    return np.array(values, dtype=np.float64)


def _joint_values(values: list[float]) -> list[float]:
    """Return products of the features so far that tell goods on a list from goods on a page of their own."""
    known = dict(zip(FEATURES, values, strict=False))
    is_list = known["list_share"]
    shop = min(1.0, known["names_product"] / 3) + known["says_cart"]
    return [
        known["prices"] * is_list,
        shop * (1 - is_list),
        known["says_cart"] * (1 - min(1.0, known["says_cart_many"])),
        is_list * known["list_links"],
    ]


def _text_values(document: Document, body: Body, evidence: Evidence) -> list[float]:
    features = body.features
    n = len(features)
    if not n:
        return [0.0] * FEATURES.index("list_items")
    teasers = document.once(page_teasers)
    announced = float(features.free[body.is_body & teasers.is_teaser].sum())
    own = max(0.0, body.weight - announced)
    is_story = features.is_links & ~body.is_boilerplate & (features.weight >= STORY_WEIGHT)
    stories = float(features.weight[is_story].sum())
    prose = float(features.free[features.is_prose].sum())
    total = float(features.weight.sum())
    distance = int(body.is_body.argmax()) - body.headline if body.headline >= 0 else 0
    short = features.weight <= SHORT_LINE
    prices = int(((features.lines.currencies > 0) & short & ~features.is_prose).sum())
    years = len(evidence.lines.with_years(SHORT_LINE))
    texts = [evidence.lines[line].text for line in np.flatnonzero(features.lines.chars <= 3).tolist()]
    headings = Counter(line.tag for line in evidence.lines.headings)
    return [
        math.log1p(own),
        announced / (own + announced + 1),
        math.log2(1 + stories / (own + 30)),
        float(body.headline >= 0 and 0 <= distance <= 15),
        float(body.headline < 0),
        max(0.0, min(3.0, (distance - 15) / 20)) if body.headline >= 0 else 0.0,
        math.log1p(teasers.n_items),
        body.weight / (prose + 1),
        math.log1p(n),
        math.log1p(int(features.is_prose.sum())),
        prose / (total + 1),
        float((features.weight * features.link_share).sum()) / (total + 1),
        math.log1p(int(features.is_links.sum())),
        math.log1p(prose / (int(features.is_prose.sum()) + 1)),
        math.log1p(prices),
        prices / n,
        math.log1p(years),
        years / n,
        math.log1p(headings["h1"]),
        math.log1p(headings["h2"] + headings["h3"]),
        math.log1p(sum(text.isdigit() for text in texts)),
        float(short.mean()),
        float(2 * features.lines.wide.sum() > features.lines.chars.sum()),
    ]


def _list_values(body: Body) -> tuple[list[float], NDArray[np.int32]]:
    """Describe the list that holds most text, siblings of one tag and class, and return its filled items' rows."""
    features = body.features
    measures = features.lines.measures
    n = len(measures)
    if not len(features):
        return [0.0] * 6, np.zeros(0, dtype=np.int32)
    before = np.zeros((n + 1, 3))
    starts = features.lines.start
    before[starts + 1, 0] = features.weight
    before[starts + 1, 1] = features.weight * features.link_share
    before[starts + 1, 2] = features.is_prose
    before = np.cumsum(before, axis=0)
    groups: dict[tuple[int, int, str], list[int]] = {}
    for row, parent, kind in _likely_items(measures, before[measures.end, 0] - before[:-1, 0]):
        name = measures.nodes[row].get("class") or ""
        groups.setdefault((parent, kind, name.split(" ", 1)[0]), []).append(row)
    total = float(features.weight.sum()) + 1
    best, best_weight = [0.0] * 6, 0.0
    items = np.zeros(0, dtype=np.int32)
    for rows in groups.values():
        if len(rows) < MIN_ITEMS:
            continue
        at = np.array(rows)
        sums = before[measures.end[at]] - before[at]
        weights = sums[:, 0]
        filled = weights > STORY_WEIGHT
        weight = float(weights.sum())
        if filled.sum() < MIN_ITEMS or weight <= best_weight:
            continue
        best_weight = weight
        items = at[filled].astype(np.int32)
        best = [
            math.log1p(int(filled.sum())),
            weight / total,
            math.log1p(float(np.median(weights[filled]))),
            float(sums[:, 1].sum()) / weight,
            math.log1p(float(sums[filled, 2].mean())),
            float((sums[filled, 2] >= 1).mean()),
        ]
    return best, items


def _likely_items(measures: Measures, weights: Floats) -> Iterator[tuple[int, int, int]]:
    """Yield row, parent and kind of the block-level elements with enough siblings of their kind that have text."""
    rows = measures.rows_of(_BLOCKS)
    parents, kinds = measures.parent[rows], measures.kinds[rows]
    sign = (parents + 1) * len(_BLOCKS) + _NUMBER_OF_BLOCK[kinds]
    n_filled = np.bincount(sign[weights[rows] > STORY_WEIGHT], minlength=(len(measures) + 1) * len(_BLOCKS))
    likely = n_filled[sign] >= MIN_ITEMS
    return zip(rows[likely].tolist(), parents[likely].tolist(), kinds[likely].tolist(), strict=True)


def _name_values(body: Body) -> list[float]:
    measures = body.features.lines.measures
    nodes = measures.nodes
    names = Counter([nodes[row].get("class") for row in measures.rows_of(_BLOCKS).tolist()])
    del names[None], names[""]
    counts = np.zeros(len(_NAME_GROUPS))
    for name, count in names.items():
        counts += count * np.array(_name_hits(name))
    values: list[float] = np.log1p(counts).tolist()
    return values


@lru_cache(maxsize=16_384)
def _name_hits(names: str) -> tuple[bool, ...]:
    return tuple(pattern.search(names.lower()) is not None for pattern in _NAME_GROUPS.values())


def _saying_values(body: Body) -> list[float]:
    features = body.features
    lines = features.lines
    numbers = np.flatnonzero((features.weight <= SHORT_LINE) & ~features.is_prose).tolist()
    text = "\n".join(lines.texts(numbers))[:MAX_SAID].lower()
    counts = [len(pattern.findall(text)) for pattern in _BUTTONS.values()]
    return [*(float(count > 0) for count in counts), *(math.log1p(max(0, count - 1)) for count in counts)]


def _url_values(url: str | None) -> list[float]:
    parts = urlsplit(url or "")
    path = unquote(parts.path)
    address = (f"{path}?{parts.query}" if parts.query else path).lower()
    hits = [float(pattern.search(address) is not None) for pattern in _URL_GROUPS.values()]
    host = (parts.hostname or "").rpartition(".")[0]
    for place, name in enumerate(_URL_GROUPS):
        if name in {"forum", "docs"} and _URL_GROUPS[name].search(host):
            hits[place] = 1.0
    segments = [segment for segment in path.split("/") if segment]
    slug = segments[-1].count("-") + segments[-1].count("_") if segments else 0
    root = float(bool(url) and not segments and not parts.query)
    return [*hits, root, float(len(segments)), math.log1p(slug), float(bool(parts.query)), float(not url)]


def states_date(evidence: Evidence) -> bool:
    """Tell whether the page states when it was published, for machines."""
    names = ("article:published_time", "datepublished", "pubdate", "publishdate")
    return any(name in evidence.metas for name in names) or any(node.get("datePublished") for node in evidence.articles)


def _stated_values(evidence: Evidence) -> list[float]:
    stated = frozenset().union(*(types_of(node) for node in evidence.nodes)) if evidence.nodes else frozenset()
    micro = _microdata_types(evidence)
    kind = " ".join(evidence.metas.get("og:type", ())).lower()
    author = any(evidence.metas.get(name) for name in ("author", "article:author", "byl"))
    author = author or any(node.get("author") for node in evidence.articles)
    generator = " ".join(evidence.metas.get("generator", ())).lower()
    return [
        *(float(bool(stated & group)) for group in _TYPE_GROUPS.values()),
        *(float(bool(micro & group)) for group in _TYPE_GROUPS.values()),
        float("article" in kind or "news" in kind),
        float("website" in kind or "blog" in kind),
        float("product" in kind or "book" in kind),
        float(not kind),
        float(states_date(evidence)),
        float(bool(author)),
        float("next" in evidence.links or "prev" in evidence.links),
        *(float(pattern.search(generator) is not None) for pattern in _GENERATORS.values()),
    ]


def _microdata_types(evidence: Evidence) -> frozenset[str]:
    nodes: Iterable[Any] = evidence.item_types
    return frozenset(str(value).rstrip("/").rsplit("/", 1)[-1].lower() for value in nodes)
