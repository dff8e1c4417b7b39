"""The numbers that the line network sees of each line, by name and in order."""

from __future__ import annotations

from typing import Final

from newscrawl.classify.lines.names import HINTS

LEVELS: Final = 6
"""Elements around a line's block that are looked at; those with the same lines count as one."""
GROUP_LEVELS: Final = 4

TAG_GROUPS: Final[dict[str, str]] = {
    "paragraph": "p", "item": "li dd dt", "cell": "td th", "heading": "h1 h2 h3 h4 h5 h6",
    "link": "a", "figure": "figure figcaption caption", "quote": "blockquote q", "code": "pre code", "header": "header",
    "footer": "footer", "nav": "nav", "aside": "aside", "article": "article", "main": "main", "form": "form fieldset",
    "bold": "strong b", "italic": "em i", "list": "ul ol dl menu", "section": "section", "button": "button label",
    "table": "table", "details": "details summary dialog", "time": "time address", "image": "img picture",
}  # fmt: skip
"""Tags that say the same of the text in them."""

OWN_TAGS: Final = ("paragraph", "item", "cell", "heading", "figure", "quote", "code", "link")
FIRST_TAGS: Final = ("link", "bold", "italic", "time")
PER_LEVEL: Final = ("prose", "links", "lines", "density", "link_lines", "prose_lines", "headings", "place", "before")
PER_GROUP: Final = ("size", "linked", "images", "link_share")

COHESION: Final = (
    "in_prose", "in_title", "in_links", "alone", "prose_count", "prose_cosine", "in_description", "n_words",
    "in_near_prose", "in_first_prose",
)  # fmt: skip
"""Shares of a line's words that stand there, too; but for the mean log count in prose, and the number of words."""


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
