"""Evidence of a page's kind: its own declaration, its titles, the places of its lines, the stories it announces.

The crawl weighs it together with everything else the site has shown (:mod:`newscrawl.sites.kinds.judge`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.items import PageType
from newscrawl.languages.tables import words
from newscrawl.languages.text import fold, similarity, stems
from newscrawl.page.jsonld import types_of
from newscrawl.page.lines import weight_of
from newscrawl.page.statements import gather
from newscrawl.sites.kinds.evidence import Asks, KindEvidence, Said, address_key, text_key, title_key
from newscrawl.sites.memory.keys import place_keys

if TYPE_CHECKING:
    from collections.abc import Mapping

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
MAX_NOTICE: Final = 1_500.0
"""Most letters of a text that may be a notice. Longer texts are not compared with those of other addresses."""
MIN_BUTTONS: Final = 2
LONG_TITLE: Final = 10
"""Least characters of an error's title that stands within a longer line; ``WIDE_TITLE`` beyond ASCII."""
WIDE_TITLE: Final = 5

_NOT_SHOWN: Final = frozenset(("url", "hint"))
"""Sources of a date that are not the page."""
_FORM: Final = frozenset(("form",))
_BUTTONS: Final = frozenset(("submit", "button"))
_UNTYPED: Final = _BUTTONS | {"hidden", "checkbox"}
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
    return KindEvidence(
        page_type=judgement.page_type,
        confidence=judgement.confidence,
        odds=judgement.odds,
        said=Said.PAGE if judgement.is_stated and judgement.page_type is PageType.OTHER else document.once(own_word),
        titles=tuple(keys),
        places=place_keys(document, own),
        announced=tuple((address_key(url), title_key(title)) for url, title in (announced or {}).items()),
        letters=verdict.weight,
        is_called=_is_called(features, shown, called) if is_short else None,
        is_titled=verdict.headline >= 0 or not headings,
        asks=_asks(document) if is_short else None,
        is_signed=article is not None and _is_signed(article),
        says_missing=is_short and any(map(_is_error_title, features.lines.texts(headings))),
        text=_text_key(document, shown[1:]) if is_short else 0,
        absence=judgement.absence,
        is_foreign=is_short and _is_foreign(features, shown, called),
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


def _is_called(features: LineFeatures, shown: list[str], called: str | None) -> bool | None:
    """Tell whether the page has the title of the link that led here; None if the link has no title."""
    if not called or weight_of(called) < MIN_CALLED:
        return None
    words = fold(called)
    if any(_is_same(words, fold(title)) for title in shown):
        return True
    plain = (~features.is_links).nonzero()[0].tolist()
    return words[:COMPARED] in fold("".join(features.lines.texts(plain)))


def _is_foreign(features: LineFeatures, shown: list[str], called: str | None) -> bool:
    """Tell whether a page shows no word of the link that led here. A story repeats some, however it is titled."""
    sought = stems(called or "")
    if len(sought) < MIN_STEMS:
        return False
    plain = (~features.is_links).nonzero()[0].tolist()
    return sought.isdisjoint(stems("\n".join((*shown, *features.lines.texts(plain)))))


def _is_same(first: str, second: str) -> bool:
    if not first or not second:
        return False
    return first in second or second in first or similarity(first, second) >= SAME_TITLE


def _is_signed(article: Article) -> bool:
    """Tell whether the page itself shows a date or an author. Its address and lists do not count."""
    shown = article.fieldSources.get("datePublished") not in _NOT_SHOWN
    printed = _digits(article.datePublishedRaw or "")
    is_echo = bool(printed) and printed in _digits(article.url)  # error pages print the address
    return (article.datePublished is not None and shown and not is_echo) or bool(article.authors)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _asks(document: Document) -> Asks | None:
    """Tell what the page's forms ask for: a password, or only a choice between buttons."""
    measures = document.measures
    for row in measures.rows_of(_FORM).tolist():
        form = measures.nodes[row]
        inputs = [(field.get("type") or "text").lower() for field in form.iter("input", "textarea", "select")]
        if "password" in inputs:
            return Asks.LOGIN
        typed = [kind for kind in inputs if kind not in _UNTYPED]
        n_buttons = sum(1 for _ in form.iter("button")) + sum(kind in _BUTTONS for kind in inputs)
        if n_buttons >= MIN_BUTTONS and not typed:
            return Asks.CONSENT
    return None


def _text_key(document: Document, shown: list[str]) -> int:
    """Return a key of the first text that the page shows, without numbers and its own address."""
    path = urlsplit(document.url or "").path
    parts = [part for part in (path, path.rpartition("/")[2]) if len(part) > 1]
    text = "\n".join(shown)
    for part in parts:
        text = text.replace(part, "")
    folded = fold(_DIGITS.sub("", text))
    return text_key(folded) if folded else 0


def may_be_story(document: Document, judgement: PageJudgement, page: RawPage) -> bool:
    """Tell whether the site may make a page an article against its own evidence. Its text is then extracted, too."""
    is_near = judgement.absence is None and (page.is_expected or judgement.odds >= LEAST_ODDS)
    return is_near and page.site.told is None and document.once(own_word) in {None, Said.ARTICLE}


def _is_error_title(text: str) -> bool:
    """Tell whether a line is, or holds, the title of an error page."""
    line = text.strip(" .!。！:").casefold()
    titles, long = _error_titles()
    return line in titles or any(title in line for title in long)


@cache
def _error_titles() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return titles of error pages, and those that say so within a longer line, too."""
    titles = frozenset(map(str.casefold, words("pages.errors")))
    long = (title for title in titles if len(title) >= LONG_TITLE or (len(title) >= WIDE_TITLE and not title.isascii()))
    return titles, tuple(long)
