"""Names and order of the line network's input columns."""

from __future__ import annotations

from typing import Final

LEVELS: Final = 6
"""Elements around a line's block that are inputs; elements with the same lines count as one."""
GROUP_LEVELS: Final = 4

TAG_GROUPS: Final[dict[str, str]] = {
    "paragraph": "p", "item": "li dd dt", "cell": "td th", "heading": "h1 h2 h3 h4 h5 h6",
    "link": "a", "figure": "figure figcaption caption", "quote": "blockquote q", "code": "pre code", "header": "header",
    "footer": "footer", "nav": "nav", "aside": "aside", "article": "article", "main": "main", "form": "form fieldset",
    "bold": "strong b", "italic": "em i", "list": "ul ol dl menu", "section": "section", "button": "button label",
    "table": "table", "details": "details summary dialog", "time": "time address", "image": "img picture",
}  # fmt: skip
"""Tags that mean the same for their text."""

#: Parts of names, in the languages of site code. No text of the page is read.
PARTS: Final[dict[str, str]] = {
    "comment": r"comment|disqus|repl(?:y|ies)|pinglun|liuyan|review|respon[ds]|discuss|kommentar",
    "navigation": r"nav|menu|crumb|daohang|topbar|channel|pag(?:ination|er|ing)|pagenum",
    "foot": r"foot|bottom|copyright|banquan|colophon|legal|disclaim|imprint|impressum",
    "head": r"^head(?:er)?$|masthead|banner|logo|^top$",
    "side": r"^side|aside|^right|^left|^col|widget|rail|complementary",
    "related": r"relat|recommend|^more|also|popular|^hot|rank|latest|similar|tuijian|xiangguan|next|prev|trend|most",
    "share": r"shar(?:e|ing)|social|sns|follow|weibo|weixin|wechat|qrcode|facebook|twitter|tool|button|^btn|print",
    "advert": r"^ads?$|advert|sponsor|guanggao|adsense|promo|^gg$|outbrain|taboola|anzeige|werbung",
    "body": r"content|article|body|text|story|entry|post|^main|zhengwen|neirong|detail|news|artikel",
    "title": r"title|headline|heading|biaoti|^h1",
    "facts": r"meta|byline|author|date|time|source|^info|laiyuan|publish|editor|credit",
    "picture": r"caption|photo|image|^img|^pic|figure|gallery|media|video|player|slide",
    "topic": r"^tags?$|keyword|categor|label|topic",
    "form": r"form|login|subscri|newsletter|search|regist|sign|modal|popup|cookie|consent|paywall|overlay|dialog",
    "list": r"list|item|card|grid|tile|^box|module",
    "lead": r"lead|intro|summary|abstract|standfirst|teaser|subtitle|zhaiyao|daodu|deck|excerpt|descri",
    "answer": r"question|answer|faq|thread|message|forum|topic|reply|product|price",
}
HINTS: Final = (*PARTS, "article_body", "boilerplate")
"""Bits in order: parts, ``itemprop=articleBody``, names that the rules call boilerplate."""

OWN_TAGS: Final = ("paragraph", "item", "cell", "heading", "figure", "quote", "code", "link")
FIRST_TAGS: Final = ("link", "bold", "italic", "time")
PER_LEVEL: Final = ("prose", "links", "lines", "density", "link_lines", "prose_lines", "headings", "place", "before")
PER_GROUP: Final = ("size", "linked", "images", "link_share")

COHESION: Final = (
    "in_prose", "in_title", "in_links", "alone", "prose_count", "prose_cosine", "in_description", "n_words",
    "in_near_prose", "in_first_prose",
)  # fmt: skip
"""Shares of a line's words found in each place, then the mean log count in prose, and the number of words."""


def _names() -> tuple[str, ...]:
    own = (
        "weight", "link_share", "link_chars", "texts", "stops", "pauses", "wide", "unmarked", "currencies", "digits",
        "capitals", "separators", "quotes", "n_stops", "n_pauses", "ends_sentence", "ends_pause", "ends_colon",
        "starts_capital", "starts_digit", "repeated", "same_block", "next_same_block",
    )  # fmt: skip
    page = ("page_lines", "page_text", "page_links", "page_wide", "page_prose", "place", "text_before")
    prose = ("is_prose", "is_links", "is_heading", "free", "prose_before", "prose_after")
    headline = ("from_headline", "has_headline", "is_headline")
    return (
        *own,
        *page,
        *prose,
        *headline,
        *(f"in_{name}" for name in tuple(TAG_GROUPS)[:-1]),
        *(f"own_{name}" for name in OWN_TAGS),
        *(f"first_{name}" for name in FIRST_TAGS),
        *(f"{where}_{name}" for where in ("in", "own", "parent") for name in HINTS),
        *(f"level{level}_{name}" for name in PER_LEVEL for level in range(LEVELS)),
        *(f"group{level}_{name}" for name in PER_GROUP for level in range(GROUP_LEVELS)),
        *(f"images{level}" for level in range(GROUP_LEVELS)),
        *(f"words_{name}" for name in COHESION),
    )


FEATURES: Final = _names()
