"""Features of a whole page that show its type: text, lists, declarations, names, forms, address."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

import numpy as np

from newscrawl.classify.kind.links import LINK_FEATURES, LIST_FEATURES, link_values, list_values, named_links
from newscrawl.classify.lines.columns import FEATURES as LINE_FEATURES
from newscrawl.classify.lines.columns import HINTS
from newscrawl.classify.lines.features import page_lines
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import ARTICLE_TYPES, LIST_TYPES, text_of, types_of
from newscrawl.page.statements import gather, item_type
from newscrawl.page.tags import KIND_OF, NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.kind.links import NamedLinks
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.lines import LineFeatures
    from newscrawl.page.measures import Measures
    from newscrawl.page.statements import Evidence

STORY_WEIGHT: Final = 20.0
SHORT_LINE: Final = 40
"""Most letters of a line that may be a price, a date or a button."""
NEAR_LINES: Final = 15
"""Most lines between a headline and the text that is its own."""
MAX_DIGITS: Final = 3
MAX_SAYINGS: Final = 400
"""Number of short lines that are examined, from the top."""
MAX_SAID: Final = 4_000
"""Characters of short lines that are searched for a page's phrases."""

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
# Patterns expect text in lower case, because patterns without flags are several times faster. They are faster still
# when all alternatives begin with a character and look behind for what must stand before it.
_NAME_GROUPS: Final = {
    "forum": re.compile(r"\b(?:thread|topic|forum|phpbb|vb(?:ulletin)?|xenforo|discourse|bbs|postbit|viewtopic"
                        r"|replies|reply|signature|message|author\w*info|poster|user\w*info|usertitle|reputation)"),
    "post": re.compile(r"\b(?:post|comment|answer|message)(?:s|[-_]?(?:body|text|content|item|list|id|\d+|message"
                       r"|author|container|wrap\w*))?\b"),
    "product": re.compile(r"product|price|cart|basket|sku|warenkorb|checkout|wishlist|swatch|variant|buy|quantity"),
    "docs": re.compile(r"\b(?:docs?|documentation|toc|table[-_]?of[-_]?contents|sphinx|mkdocs|docusaurus|markdown"
                       r"|highlight|codehilite|prism|rst|wy-|md-|admonition|theme-doc|api|reference|devsite|mw-|wiki)"),
    "list": re.compile(r"\b(?:listing|results?|grid|cards?|tiles?|teasers?|archive|loop|list-?item|items?|catalog"
                       r"|category)\b"),
    "article": re.compile(r"article[-_]?(?:body|text|content)|story[-_]?(?:body|text)|entry[-_]?content"
                          r"|post[-_]?content|single[-_]?post|byline|news[-_]?text"),
    "pager": re.compile(r"\bpag(?:er|ination|enav\w*|e-numbers|e-link)|\bpages\b|next-page|wp-pagenavi"),
}  # fmt: skip
_URL_GROUPS: Final = {
    "forum": re.compile(r"forum|thread|topic|/t/|viewtopic|community|discuss|/questions?/|bbs|board|/comments/"),
    "product": re.compile(r"/(?:products?|item|dp|buy|isbn|gp|pd|prod|p)(?:/|[-_.]|$)|[?&](?:sku|productid|pid)="),
    "list": re.compile(r"/(?:collections?|categor(?:y|ies)|c|shop|catalog(?:ue)?|tags?|search|browse|topics?"
                       r"|archives?|authors?|jobs|listings?|store|s|all|page)(?:/|\?|$)|[?&](?:q|s|search|query|page"
                       r"|paged|start|cat)=|/page/?\d"),
    "docs": re.compile(r"\bdocs?\b|documentation|/(?:api|reference|manual|guide|guides|help|kb|wiki|learn|tutorials?"
                       r"|book|latest|stable|man|faq|support|howto|v\d[\d.]*)(?:/|[-_.]|$)|readthedocs|developer"),
    "article": re.compile(r"/(?:19|20)\d\d[/-]?[01]\d|/(?:news|articles?|story|stories|blog|posts?)/.+|[-/]\d{5,}"),
}  # fmt: skip
_BUTTONS: Final = {
    "cart": WordPattern("{buttons.cart}"),
    "goods": WordPattern("{buttons.goods}"),
    "reply": WordPattern(r"{buttons.reply}|{buttons.posts}:\s?\d|{buttons.floor}(?<=\d.)|#\s?\d+{buttons.floor}?"),
    "docs": WordPattern("{buttons.docs}"),
    "sort": WordPattern(r"{buttons.sort}|{buttons.showing} \d"),
    "story": WordPattern(r"{buttons.more}| (?<=\d ){buttons.comments}"),
}
_GENERATORS: Final = {
    "forum": re.compile(r"phpbb|vbulletin|discourse|xenforo|discuz|mybb|smf|vanilla|nodebb|invision|phpwind"),
    "docs": re.compile(r"sphinx|mkdocs|mediawiki|gitbook|doxygen|javadoc"),  # other generators build blogs as well
    "shop": re.compile(r"shopify|woocommerce|magento|prestashop|opencart"),
}
_COUNTED_TAGS: Final = [
    KIND_OF[tag]
    for tag in """form pre code table img dl time article li h1 h2 h3 h4 h5 option optgroup button label section main
    aside nav footer header figure figcaption blockquote p ul ol strong b em small details address hr picture""".split()
]
_IMAGE: Final = KIND_OF["img"]
_USUAL_LINKS: Final = 5
_HALF: Final = 0.5
"""Share of a heading's text in links."""
_WORD_END: Final = re.compile(r"[/-]")
_THING: Final = re.compile(r"\w*event|eventseries|festival|hackathon|jobposting|course")
"""Types of what a page may offer or announce, other than a story."""
_H1: Final = frozenset(("h1",))
_MAX_H1: Final = 4
_HINT_COLUMNS: Final = [LINE_FEATURES.index(f"own_{name}") for name in HINTS]


STATED_FEATURES: Final = (
    *(f"ld_{name}" for name in _TYPE_GROUPS), *(f"micro_{name}" for name in _TYPE_GROUPS),
    "og_article", "og_website", "og_product", "og_none",
    "date_stated", "author_stated", "pager_stated", *(f"generator_{name}" for name in _GENERATORS),
)  # fmt: skip


FEATURES: Final = (
    "own", "stories", "titled", "untitled", "headline_far", "body_share", "lines", "prose", "prose_share",
    "link_share", "links", "mean_prose", "prices", "price_share", "years", "year_share", "numbers", "short_share",
    "wide", "confidence",
    *(f"hint_{name}" for name in HINTS),
    *(f"n_{NAMES[kind]}" for kind in _COUNTED_TAGS),
    *(f"names_{name}" for name in _NAME_GROUPS),
    *(f"says_{name}" for name in _BUTTONS), *(f"says_{name}_many" for name in _BUTTONS),
    *(f"url_{name}" for name in _URL_GROUPS), "url_root", "url_depth", "url_slug", "url_query", "url_unknown",
    "headings", "headings_linked", "headings_plain", "headline_words", "headline_length", "headline_in_links",
    "prices_distinct", "price_first", "body_linked", "prose_first", "images_per_link", "canonical_root",
    "canonical_same", *STATED_FEATURES, *LINK_FEATURES, *LIST_FEATURES,
)  # fmt: skip


def page_features(document: Document, verdict: Verdict) -> NDArray[np.float64]:
    """Return the features, shape ``(len(FEATURES),)``: counts, shares and logarithms, no words of a site."""
    if not len(verdict.features):
        return np.zeros(len(FEATURES))
    evidence = document.once(gather)
    measures = document.measures
    links = document.once(named_links)
    dated = evidence.lines.years(SHORT_LINE)
    counts = np.bincount(measures.kinds, minlength=len(NAMES))
    page = None if verdict.probabilities is None else document.once(page_lines)
    # for each of HINTS, how many lines stand in elements named so, by the network's names
    hints = [0.0] * len(HINTS) if page is None else np.log1p(page.values[:, _HINT_COLUMNS].sum(axis=0)).tolist()
    values = [
        *_text_values(verdict, len(dated)),
        *hints,
        *np.log1p(counts[_COUNTED_TAGS]).tolist(),
        *_name_values(measures),
        *_saying_values(verdict),
        *_url_values(document.url),
        *_headline_values(verdict, links),
        float(counts[_IMAGE] / (len(links.rows) + _USUAL_LINKS)),
        *_canonical_values(evidence, document.url),
        *document.once(stated_values),
        *link_values(links, int(np.count_nonzero(verdict.features.is_links)), document.url, evidence),
        *list_values(verdict, links, dated),
    ]
    return np.array(values, dtype=np.float64)


def _text_values(body: Verdict, n_dated: int) -> list[float]:
    features, weight = body.features, body.weight
    n = len(features)
    is_story = features.is_links & ~body.is_boilerplate & (features.weight >= STORY_WEIGHT)
    n_prose = np.count_nonzero(features.is_prose)
    prose = float(features.free[features.is_prose].sum())
    total = float(features.weight.sum())
    distance = int(body.is_body.argmax()) - body.headline if body.headline >= 0 else 0
    short = features.weight <= SHORT_LINE
    prices = np.count_nonzero(_is_price(features))
    tiny = features.lines.texts((features.lines.chars <= MAX_DIGITS).nonzero()[0].tolist())
    return [
        math.log1p(weight),
        math.log2(1 + float(features.weight[is_story].sum()) / (weight + 30)),
        float(body.headline >= 0 and 0 <= distance <= NEAR_LINES),
        float(body.headline < 0),
        max(0.0, min(3.0, (distance - NEAR_LINES) / 20)) if body.headline >= 0 else 0.0,
        weight / (prose + 1),
        math.log1p(n),
        math.log1p(n_prose),
        prose / (total + 1),
        float((features.weight * features.link_share).sum()) / (total + 1),
        math.log1p(np.count_nonzero(features.is_links)),
        math.log1p(prose / (n_prose + 1)),
        math.log1p(prices),
        prices / n,
        math.log1p(n_dated),
        n_dated / n,
        math.log1p(sum(map(str.isdigit, tiny))),
        float(short.mean()),
        float(2 * features.lines.wide.sum() > features.lines.chars.sum()),
        body.confidence,
    ]


def _is_price(features: LineFeatures) -> NDArray[np.bool_]:
    """Tell for each line whether it is short, no prose, and has a currency; shape ``(n_lines,)``."""
    return (features.lines.currencies > 0) & (features.weight <= SHORT_LINE) & ~features.is_prose


def _name_values(measures: Measures) -> list[float]:
    names = Counter(measures.shown[2])
    del names[""]
    if not names:
        return [0.0] * len(_NAME_GROUPS)
    hits = np.array([*map(_name_hits, names)], dtype=np.int64)
    values: list[float] = np.log1p(np.array([*names.values()]) @ hits).tolist()
    return values


@lru_cache(maxsize=16_384)
def _name_hits(names: str) -> tuple[bool, ...]:
    return tuple(pattern.search(names.lower()) is not None for pattern in _NAME_GROUPS.values())


def _saying_values(body: Verdict) -> list[float]:
    features = body.features
    numbers = ((features.weight <= SHORT_LINE) & ~features.is_prose).nonzero()[0][:MAX_SAYINGS].tolist()
    text = "\n".join(features.lines.texts(numbers))[:MAX_SAID].lower()
    counts = [len(pattern.findall(text)) for pattern in _BUTTONS.values()]
    return [*(float(count > 0) for count in counts), *(math.log1p(max(0, count - 1)) for count in counts)]


def _url_values(url: str | None) -> list[float]:
    parts = urlsplit(url or "")
    path = unquote(parts.path)
    address = (f"{path}?{parts.query}" if parts.query else path).lower()
    host = (parts.hostname or "").rpartition(".")[0]
    places = {"forum": (address, host), "docs": (address, host)}  # these have hosts of their own
    hits = [float(any(map(pattern.search, places.get(name, (address,))))) for name, pattern in _URL_GROUPS.items()]
    segments = [segment for segment in path.split("/") if segment]
    slug = segments[-1].count("-") + segments[-1].count("_") if segments else 0
    root = float(bool(url) and not segments and not parts.query)
    return [*hits, root, float(len(segments)), math.log1p(slug), float(bool(parts.query)), float(not url)]


def _headline_values(body: Verdict, links: NamedLinks) -> list[float]:
    """Return number and targets of headings, the headline's length, and the share of links with one of its words; the
    number of different prices, places of the first one and of the first prose, and share of link text.

    Entries of a list often have the list's name in their addresses.
    """
    features, n = body.features, len(body.features)
    prices = _is_price(features).nonzero()[0]
    weight = features.weight * body.is_body
    linked = features.link_share[features.is_heading]
    headline = features.lines.texts([body.headline])[0].lower() if body.headline >= 0 else ""
    words = frozenset(headline.split())
    n_shared = sum(not words.isdisjoint(_WORD_END.split(path)) for path in links.paths if path) if words else 0
    return [
        math.log1p(len(linked)),
        float((linked > _HALF).mean()) if len(linked) else 0.0,
        math.log1p(np.count_nonzero(linked < _HALF)),
        float(len(headline.split())),
        math.log1p(len(headline)),
        n_shared / (len(links.paths) + 3),
        math.log1p(len(set(features.lines.texts(prices[:MAX_SAYINGS].tolist())))),
        float(prices[0]) / n if len(prices) else 1.0,
        float((weight * features.link_share).sum() / (weight.sum() + 1)),
        float(features.is_prose.argmax()) / n if features.is_prose.any() else 1.0,
    ]


def _canonical_values(evidence: Evidence, url: str | None) -> list[float]:
    """Return whether the page declares the site's root as its address, and whether its own."""
    stated = evidence.links.get("canonical", ())
    if not stated:
        return [0.0, 0.0]
    path = _path_of(stated[0])
    return [float(not path), float(path == _path_of(url or ""))]


def _path_of(url: str) -> str:
    try:
        return urlsplit(url).path.rstrip("/")
    except ValueError:  # a host like "[x"
        return ""


def stated_values(document: Document) -> list[float]:
    """Return the features ``STATED_FEATURES``: the page's declarations of itself for machines."""
    evidence = document.once(gather)
    stated = frozenset().union(*(types_of(node) for node in evidence.nodes)) if evidence.nodes else frozenset()
    micro = frozenset(evidence.item_types)
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
        float(evidence.states_date),
        float(bool(author)),
        float("next" in evidence.links or "prev" in evidence.links),
        *(float(pattern.search(generator) is not None) for pattern in _GENERATORS.values()),
    ]


def names_thing(document: Document) -> bool:
    """Tell whether a page's title is declared to be that of an event, a job or a course, and no article beside it."""
    evidence = document.once(gather)
    declared = frozenset(evidence.item_types).union(*map(types_of, evidence.nodes))
    if ARTICLE_TYPES & declared or not any(map(_THING.fullmatch, declared)):
        return False
    measures = document.measures
    headings = [measures.nodes[row] for row in measures.rows_of(_H1)[:_MAX_H1].tolist()]
    titles = {fold(text) for text in (evidence.title, *(one.text_content() for one in headings))}
    things = (node for node in evidence.nodes if any(map(_THING.fullmatch, types_of(node))))
    names = {fold(text_of(node.get("name")) or "") for node in things} - {""}
    items = (next((up.get("itemtype") for up in one.iterancestors() if up.get("itemtype")), "") for one in headings)
    is_item = any(_THING.fullmatch(item_type(item)) for item in items)
    return is_item or not names.isdisjoint(titles)
