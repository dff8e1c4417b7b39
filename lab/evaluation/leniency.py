"""What each set's gold means: the parts of a page that are neither rewarded nor punished, taken from both sides.

The rules are those the corpus states for its sets. They see labels and output only, never the method.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from lxml import etree
from lxml.html import HTMLParser

from newscrawl.languages.text import lower, tokens

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from lab.evaluation.corpus import CorpusPage

HEADLINE_FIRST: Final = frozenset({"daniel", "cleanportal"})
"""Sets whose gold text begins with the headline."""
DATELINES: Final = frozenset({"daniel"})
CREDITS: Final = frozenset({"gne", "cx163", "cxhit"})
MARKDOWN: Final = frozenset({"webmain"})
MARKUP_ENTITIES: Final = frozenset({"cleanportal"})
SUPPLEMENTS: Final = frozenset({"l3s"})

LEADING_LINES: Final = 5
"""Headlines and datelines are looked for in this many first lines."""
MIN_TITLE_TOKENS: Final = 3
"""A part of the ``title`` element with fewer tokens is rather a section's or the site's name."""
MAX_DATELINE_TOKENS: Final = 40

_TITLE_PARTS: Final = re.compile(r"\s*[|_»·–—-]+\s*")
_DATE: Final = re.compile(
    r"(?:19|20)\d\d\s*[年./-]\s*\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|\d{1,2}月\d{1,2}日"
    r"|\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b"
)
_SOURCE: Final = re.compile(r"来源\s*:|來源\s*:|我要评论|发表评论|分享到")
_SENTENCE_END: Final = re.compile(r"[。!?]|[.]\s*$|[^\W\d][.]\s+[^\W\d]")
_CREDIT: Final = re.compile(
    r"[(\[【]?\s*(?:责任编辑|责编|编辑|本文来源|文章来源|来源|原标题|本文作者)\s*:[^。!?]{0,40}$", re.MULTILINE
)
_MARKDOWN_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headlines:
    """Token sequences of a page's headline."""

    labelled: frozenset[tuple[str, ...]]
    """Labelled headlines: cut also where the first line begins with one."""
    likely: frozenset[tuple[str, ...]]
    """The labelled ones, ``h1`` texts, the page title and its parts: cut where a whole line equals one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A page's gold text made ready once, to score the output of any number of methods."""

    text: str
    set: str
    headlines: Headlines
    neutral: tuple[str, ...] = ()

    def comparable(self, output: str) -> str:
        """Return ``output`` without what the set does not judge."""
        return _strip(output, self.set, self.headlines)


def expect(page: CorpusPage, markup: bytes) -> Expected:
    """Return what ``page`` should give, or an empty text where it has no gold text."""
    gold = page.gold.text or ""
    if page.set in MARKUP_ENTITIES:
        gold = html.unescape(gold)
    if page.set in MARKDOWN:
        gold = _MARKDOWN_LINK.sub(r"\1", gold)
    headlines = _headlines(page, gold, markup)
    return Expected(
        text=_strip(gold, page.set, headlines), set=page.set, headlines=headlines, neutral=_supplements(page)
    )


def _headlines(page: CorpusPage, gold: str, markup: bytes) -> Headlines:
    texts = [page.gold.title or "", gold.partition("\n")[0] if page.set in HEADLINE_FIRST else ""]
    labelled = frozenset(words for text in texts if (words := tuple(tokens(text))))
    titles = (tuple(tokens(text)) for text in _titles(page, markup))
    return Headlines(
        labelled=labelled, likely=labelled.union(words for words in titles if len(words) >= MIN_TITLE_TOKENS)
    )


def _titles(page: CorpusPage, markup: bytes) -> list[str]:
    """Return the ``h1`` texts, the ``title`` text, its parts and its beginnings up to each separator."""
    text = markup.decode(page.encoding, "replace").replace("\x00", "")
    parser = HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root: HtmlElement | None = etree.fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        return []
    if root is None:
        return []
    found = ["".join(str(part) for part in node.itertext()) for node in root.iter("h1")]
    for node in root.iter("title"):
        title = "".join(str(part) for part in node.itertext())
        parts = _TITLE_PARTS.split(title)
        found += [title, *parts, *accumulate(parts, lambda left, right: f"{left} {right}")]
    return found


def _supplements(page: CorpusPage) -> tuple[str, ...]:
    if page.set not in SUPPLEMENTS:
        return ()
    return tuple(text for label, text in page.extra.get("blocks", ()) if label == "supplemental")


def _strip(text: str, name: str, headlines: Headlines) -> str:
    lines = _without_headlines([line for line in text.splitlines() if line.strip()], headlines)
    if name in DATELINES:
        lines = [line for place, line in enumerate(lines) if not _is_dateline(line, place)]
    if name in CREDITS:
        lines = [_CREDIT.sub("", lower(line)) for line in lines]
    return "\n".join(lines)


def _without_headlines(lines: list[str], headlines: Headlines) -> list[str]:
    """Drop leading lines that are a headline, and a labelled headline that the first line begins with."""
    head = [line for line in lines[:LEADING_LINES] if tuple(tokens(line)) not in headlines.likely]
    kept = head + lines[LEADING_LINES:]
    if kept:
        kept[0] = _without_prefix(kept[0], headlines.labelled)
    return kept


def _without_prefix(line: str, headlines: frozenset[tuple[str, ...]]) -> str:
    words = tokens(line)
    for headline in sorted(headlines, key=len, reverse=True):
        if len(headline) >= MIN_TITLE_TOKENS and tuple(words[: len(headline)]) == headline:
            return " ".join(words[len(headline) :])
    return line


def _is_dateline(line: str, place: int) -> bool:
    folded = lower(line)
    if len(tokens(folded)) > MAX_DATELINE_TOKENS or _SENTENCE_END.search(folded):
        return False
    return bool(_SOURCE.search(folded) or (place < LEADING_LINES and _DATE.search(folded)))
