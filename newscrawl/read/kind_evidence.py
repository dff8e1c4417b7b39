"""Evidence of a page's kind: its own declaration, its titles, the places of its lines, the stories it announces.

The crawl weighs it together with everything else the site has shown (:mod:`newscrawl.sites.kinds`).
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from newscrawl.classify.kind.links import MIN_RECORDS, named_links
from newscrawl.classify.kind.short import asked_by, is_dateline, is_search
from newscrawl.classify.kind.titles import holds_error
from newscrawl.items import PageType
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold, similarity, stems
from newscrawl.page.hints import speaks_for_boilerplate
from newscrawl.page.jsonld import types_of
from newscrawl.page.lines import weight_of
from newscrawl.page.rows import inside
from newscrawl.page.statements import gather
from newscrawl.read.memory import place_keys
from newscrawl.sites.shown import Asks, KindEvidence, Said, address_key, text_key, title_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    from newscrawl.classify.kind.judge import PageJudgement
    from newscrawl.classify.verdict import Verdict
    from newscrawl.items import Article
    from newscrawl.page.document import Document
    from newscrawl.page.lines import LineFeatures
    from newscrawl.read.model import RawPage

LEAST_ODDS: Final = -3.0
"""Log-odds of an article below which the site is unlikely to make a page one."""
FIRST_LINES: Final = 3
"""Lines of the body whose places and titles count."""
MAX_HEADINGS: Final = 4
MAX_LINE: Final = 300
"""Characters of a line that are compared."""
MIN_CALLED: Final = 16.0
"""Least letters of a link that may be a title. Shorter ones say *read on* or name channels."""
SAME_TITLE: Final = 0.6
"""Least similarity of two spellings of one title."""
COMPARED: Final = 24
"""Letters and digits of a title that are searched for in the lines of a page."""
MIN_STEMS: Final = 3
"""Least stems of a title that are looked for in the text."""
BY_CHANCE: Final = 0.1
"""Share of them that any text may have, pairs of letters above all."""
MAX_NOTICE: Final = 1_500.0
"""Most letters of a text that may be a notice. Longer texts are not compared with those of other addresses."""
MIN_ENTRY: Final = 16.0
"""Least letters of a link to the same host that may be a story's title. Bylines, days and channels have fewer."""
MAX_SUMMARY: Final = 2
"""Lines of sentences below a link that may be its summary."""
MAX_PLAIN: Final = 800.0
"""Most letters of a text that may be notes to a form, figures or a life."""
SENTENCE: Final = 60.0
"""Most letters of the sentence with which a form or an offer begins."""
NEAR: Final = 4
"""Lines below the heading that may hold a dateline."""
MAX_BYLINE: Final = 120
"""Characters of a line near the heading that may hold the day."""
HELD: Final = 0.8
"""Least share of the text's sentences in the part around the heading; else the heading is the site's own."""
MAX_VITA: Final = 200
"""Characters of a life in which the birth is told."""
NUMBERED: Final = 0.25
"""Least share of lines with a number in a table of figures."""

_NOT_SHOWN: Final = frozenset(("url", "hint"))
"""Sources of a date that are not the page."""
_FORM: Final = frozenset(("form",))
_CONTROLS: Final = frozenset("input textarea select button".split())
_PUT: Final = frozenset(("form", "button"))
_BORN: Final = WordPattern(r"{people.born}", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_DIGITS: Final = re.compile(r"\d+")
_SAID: Final[tuple[tuple[Said, frozenset[str], tuple[str, ...]], ...]] = (
    (
        Said.PAGE,
        frozenset(
            """single-product single-attachment attachment error404 page-template-default node-type-page
            page-node-type-page page-template""".split()
        ),
        ("page-id-",),
    ),
    (
        Said.ARTICLE,
        frozenset(
            """single-post post-template post-template-default node-type-article page-node-type-article
            layout--post""".split()
        ),
        (),
    ),
    (
        Said.LIST,
        frozenset(
            """archive search-results search-no-results post-type-archive tag-template author-template home-template
            page-taxonomy-term layout--archive""".split()
        ),
        ("tax-", "paged-"),
    ),
)
"""Words, or beginnings of words, that content systems write into the class of ``body``. The first match counts."""
_LISTS: Final = frozenset(("collectionpage", "searchresultspage"))
_PAGES: Final = frozenset(("aboutpage", "contactpage", "checkoutpage", "faqpage", "profilepage"))


def kind_evidence(
    document: Document,
    verdict: Verdict,
    judgement: PageJudgement,
    *,
    announced: Mapping[str, str] | None = None,
    called: str | None = None,
    article: Article | None = None,
) -> KindEvidence:
    """Return the evidence of a page's kind.

    :param announced: address → title of the stories that it announces.
    :param called: words of the link that led here.
    :param article: the article that the page would be.
    """
    features = verdict.features
    first = verdict.is_body.nonzero()[0][:FIRST_LINES].tolist()
    headings = features.is_heading.nonzero()[0][:MAX_HEADINGS].tolist()
    own = [verdict.headline, *first] if verdict.headline >= 0 else first
    numbers = list(dict.fromkeys((*headings, *own)))
    shown = [text[:MAX_LINE] for text in (document.title, *features.lines.texts(numbers))]
    keys = dict.fromkeys(map(title_key, shown))
    keys.pop(0, None)
    is_short = verdict.weight < MAX_NOTICE
    is_called, is_foreign = _compared(features, shown, called) if is_short and called else (None, False)
    instead = shown_instead(document, verdict)
    return KindEvidence(
        page_type=judgement.page_type,
        confidence=judgement.confidence,
        odds=judgement.odds,
        said=Said.PAGE if judgement.is_stated and judgement.page_type is PageType.OTHER else document.once(own_word),
        titles=tuple(keys),
        places=place_keys(document, own),
        announced=tuple((address_key(url), title_key(title)) for url, title in (announced or {}).items()),
        letters=verdict.weight,
        is_called=is_called,
        is_titled=verdict.headline >= 0 or not headings,
        asks=_asks(document) if is_short else None,
        is_signed=instead.is_dated if instead else article is not None and _is_signed(article),
        says_missing=is_short and any(map(holds_error, features.lines.texts(headings))),
        text=_text_key(document, shown[1:]) if is_short else 0,
        absence=judgement.absence,
        is_foreign=is_foreign,
        instead=instead and instead.page_type,
    )


def own_word(document: Document) -> Said | None:
    """Return the kind that a page declares: in the class of ``body``, else in the type of its JSON-LD."""
    body = None if document.root is None else document.root.find("body")
    names = (body.get("class") or "").lower().split() if body is not None else []
    for said, named, beginnings in _SAID:
        if any(name in named or name.startswith(beginnings) for name in names):
            return said
    if {"single"} <= set(names) and not any(name.startswith("single-") for name in names):
        return Said.ARTICLE
    nodes = document.once(gather).nodes
    types = frozenset[str]().union(*map(types_of, nodes)) if nodes else frozenset[str]()
    if types & _LISTS:
        return Said.LIST
    return Said.PAGE if types & _PAGES and not document.once(gather).articles else None


def _compared(features: LineFeatures, shown: list[str], called: str) -> tuple[bool | None, bool]:
    """Tell whether a page has the title of the link that led here, and whether it shows hardly a word of it.

    The first is None if the link has no title. A story repeats some words of it, however it is titled.
    """
    plain = features.lines.texts((~features.is_links).nonzero()[0].tolist())
    sought = stems(called)
    found = sought & stems("\n".join((*shown, *plain))) if len(sought) >= MIN_STEMS else sought
    is_foreign = len(sought) >= MIN_STEMS and len(found) <= BY_CHANCE * len(sought)
    if weight_of(called) < MIN_CALLED:
        return None, is_foreign
    words = fold(called)
    for title in filter(None, map(fold, shown)) if words else ():
        if words in title or title in words or similarity(words, title) >= SAME_TITLE:
            return True, is_foreign
    return words[:COMPARED] in fold("".join(plain)), is_foreign


def _is_signed(article: Article) -> bool:
    """Tell whether the page itself shows a date or an author. Its address and lists do not count."""
    shown = article.fieldSources.get("datePublished") not in _NOT_SHOWN
    printed, own = ("".join(filter(str.isdigit, text)) for text in (article.datePublishedRaw or "", article.url))
    is_echo = bool(printed) and printed in own  # error pages print the address
    return (article.datePublished is not None and shown and not is_echo) or bool(article.authors)


def _asks(document: Document) -> Asks | None:
    """Return what the first of the page's forms asks for that asks for a password or a choice."""
    measures = document.measures
    forms = (
        measures.nodes[row].iter("input", "textarea", "select", "button") for row in measures.rows_of(_FORM).tolist()
    )
    asked = next(filter(None, map(asked_by, forms)), None)
    return None if asked is None else Asks(asked)


def _text_key(document: Document, shown: list[str]) -> int:
    """Return a key of the first text that the page shows, without numbers and its own address."""
    path = urlsplit(document.url or "").path
    parts = [part for part in (path, path.rpartition("/")[2]) if len(part) > 1]
    text = "\n".join(shown)
    for part in parts:
        text = text.replace(part, "")
    folded = fold(_DIGITS.sub("", text))
    return text_key(folded) if folded else 0


class Instead(NamedTuple):
    """What stands below a page's own heading where a story would have its text."""

    page_type: PageType
    is_dated: bool
    """A line near the heading has a day, or the page states one; days in sentences and beside entries do not count."""


def shown_instead(document: Document, verdict: Verdict) -> Instead | None:
    """Return what a page shows in place of a story: entries, a form or an offer, figures, a life; None for a text.

    A page has few sentences of its own then. An entry is a link with a name, and up to two lines of sentences below it.
    """
    part = _Part(document, verdict) if len(verdict.features) else None
    if part is None or part.heading < 0 or not part.holds_text:
        return None
    own = float(part.told.sum()) - part.listed
    is_hub = len(part.entries) >= MIN_RECORDS and (own < part.listed or own < SENTENCE)
    if is_hub and not (part.shows_picture and not part.listed):
        return Instead(PageType.HUB, part.is_dated(part.entries[0]))
    if verdict.weight >= MAX_PLAIN or part.shows_picture:
        return None
    control = part.first_control()
    if control >= 0 and part.told[: control + 1].sum() < SENTENCE:
        return Instead(PageType.OTHER, part.is_dated(control))
    if part.is_of_figures or part.is_of_life:
        return Instead(PageType.OTHER, part.is_dated(part.stop))
    return None


class _Part:
    """The part of a page around its own heading that holds the beginning of its text, from the heading on."""

    def __init__(self, document: Document, verdict: Verdict) -> None:
        self.document, self.features, measures = document, verdict.features, document.measures
        self.is_body = verdict.is_body
        lines, is_own = self.features.lines, self.features.is_heading & ~verdict.is_boilerplate
        self.heading = verdict.headline if verdict.headline >= 0 else next(iter(is_own.nonzero()[0].tolist()), -1)
        after = verdict.is_body[self.heading + 1 :].nonzero()[0]
        first = self.heading + 1 + int(after[0]) if len(after) else min(self.heading + NEAR, len(lines)) - 1
        row = int(lines.start[self.heading])
        while row > 0 and lines.within(row)[1] <= first:
            row = int(measures.parent[row])
        self.node = measures.nodes[max(row, 0)]
        self.stop = lines.within(max(row, 0))[1]
        is_put = inside(measures.rows_of(_PUT), measures.end)[lines.start]
        is_told = self.features.is_prose & ~is_put & (lines.currencies == 0)
        told = np.where(is_told, self.features.free, 0.0)
        self.holds_text = told[self.heading + 1 : self.stop].sum() >= HELD * told[verdict.is_body].sum()
        told[: self.heading + 1] = told[self.stop :] = 0.0
        self.told: NDArray[np.float64] = told
        """Letters of the sentences, line by line; one with a price, or in a form, is none."""
        links = document.once(named_links)
        is_own = np.array([path is not None for path in links.paths], dtype=np.bool_)
        named = is_own & (links.line > self.heading) & (links.line < self.stop) & (links.weight >= MIN_ENTRY)
        texts = [measures.nodes[row].text_content().strip() for row in links.rows[named].tolist()]
        pairs = zip(links.line[named].tolist(), texts, strict=True)
        self.entries: list[int] = [line for line, text in pairs if not is_dateline(text)]

    @property
    def shows_picture(self) -> bool:
        return next(self.node.iter("figure", "video", "audio", "iframe"), None) is not None

    @cached_property
    def listed(self) -> float:
        """Letters of the sentences of entries; 0.0 where fewer than ``MIN_RECORDS`` have any."""
        spans = [self.told[start:stop] for start, stop in pairwise((*self.entries, self.stop))]
        texts = [float(span.sum()) for span in spans if 0 < np.count_nonzero(span) <= MAX_SUMMARY]
        return sum(texts) if len(texts) >= MIN_RECORDS else 0.0

    def is_dated(self, line: int) -> bool:
        """Tell whether the page states a day, or has one of its own before a line, be it in a byline."""
        if self.document.once(gather).states_date:
            return True
        near = range(max(0, self.heading - 2), min(line, self.heading + 1 + NEAR))
        numbers = [number for number in near if not (self.is_body[number] and self.features.is_prose[number])]
        texts = [text for text in self.features.lines.texts(numbers) if len(text) <= MAX_BYLINE]
        return 0 < sum(next(find_dates(text), None) is not None for text in texts) < MIN_RECORDS

    def first_control(self) -> int:
        """Return the line before which the first button or field stands, searches left out; -1 without any."""
        nodes, lines = self.document.measures.nodes, self.features.lines
        blocks = {nodes[row]: line for line, row in enumerate(lines.block.tolist())}
        line = self.heading
        for node in self.node.iter():
            line = max(line, blocks.get(node, -1))
            is_seen = line >= self.heading and node.tag in _CONTROLS and node.get("type") != "hidden"
            if is_seen and not (is_search(node) or _is_tool(node)):
                return line
        return -1

    @property
    def is_of_figures(self) -> bool:
        """Tell whether no line is a sentence, and many have numbers."""
        numbers = [line for line in range(self.heading + 1, self.stop) if not self.features.is_links[line]]
        texts = self.features.lines.texts(numbers)
        n_numbered = sum(any(map(str.isdigit, text)) for text in texts if not is_dateline(text))
        return not self.told.any() and n_numbered >= max(MIN_RECORDS, NUMBERED * len(numbers))

    @property
    def is_of_life(self) -> bool:
        """Tell whether the first sentences say when somebody was born."""
        first = self.told.nonzero()[0][:MAX_SUMMARY].tolist()
        text = "\n".join(self.features.lines.texts(first))[:MAX_VITA]
        return _BORN.search(text) is not None and _YEAR.search(text) is not None


def _is_tool(button: HtmlElement) -> bool:
    """Tell whether the name of a button, or of the element around it, says that it shares or prints the page."""
    around = button.getparent()
    names = (button.get("class"), None if around is None else around.get("class"))
    return button.tag == "button" and speaks_for_boilerplate(" ".join(filter(None, names)))


def may_be_story(document: Document, judgement: PageJudgement, page: RawPage) -> bool:
    """Tell whether the site may make a page an article against its own evidence. Its text is then extracted, too."""
    is_near = judgement.absence is None and (page.is_expected or judgement.odds >= LEAST_ODDS)
    return is_near and page.site.told is None and document.once(own_word) in {None, Said.ARTICLE}
