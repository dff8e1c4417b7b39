"""Input and result of a reading: ``Wants``, ``RawPage``, ``Reading``. Processes exchange them; they hold no tree."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl.console.wording import separated
from newscrawl.exceptions import UserError
from newscrawl.items import PageType
from newscrawl.links.next_page import ONE_PAGE, Continuation
from newscrawl.sites.files import model_for
from newscrawl.sites.rules import NO_RULES, SiteRules

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date, datetime
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from newscrawl.items import Article, Comment
    from newscrawl.links.context import LinkContext
    from newscrawl.links.model import Link
    from newscrawl.methods.base import Extraction, LeftOut
    from newscrawl.page.charset import EncodingDecision
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools
    from newscrawl.page.segment import Block
    from newscrawl.sites.model import NewsSite
    from newscrawl.sites.shown import KindEvidence
    from newscrawl.sites.sightings import PageKeys, Sighting
    from newscrawl.urls.shape import UrlKind


DATA: Final = "data"
SHOWN: Final = "shown"
FULL_TEXTS: Final = (DATA, SHOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """Everything a reading is to give; the same for all pages of a crawl or a collection."""

    method: str = "news"
    """A name of :func:`newscrawl.extractors.names`."""
    classifier: str = "news"
    """``NEWSCRAWL_CLASSIFIER``: the classifier of blocks."""
    models: Path | None = None
    """Folder of the sites' own models, which come before ``classifier``; None where the user names one."""
    formats: tuple[str, ...] = ()
    """Formats of the article's text beside plain text: ``markdown``, ``html``."""
    full_text: str = DATA
    """``NEWSCRAWL_FULL_TEXT``: ``data``, the whole story in a page's data counts where a teaser is shown; ``shown``."""
    comments: bool = False
    """``NEWSCRAWL_COMMENTS``: whether the comments of readers below an article are read."""
    blocks: bool = False
    """Whether the blocks come, with their text and XPath; their labels always come."""
    lossless: bool = True
    """False: blocks as published, which leave small parts out."""
    contexts: bool = False
    """Whether links come with their surroundings, by which a focused crawl scores them."""
    lines: bool = False
    """Whether the lines come, which site memory counts."""
    listed: bool = False
    """Whether lists give the days of their stories, which save a harvest with ``since=`` some fetches."""
    kinds: bool = False
    """Whether the evidence of a page's kind comes, and the article that a doubtful page would be."""
    simhash: bool = False
    """Whether the SimHash of the text comes, which a database looks for near-duplicates by."""
    pages: bool = False
    """Whether pages about the site are kept as articles are."""
    any_type: bool = False
    """Whether pages that are no articles give a text and an article, too."""

    def of_site(self, name: str | None) -> Wants:
        """Return these wants for a site: its own model labels the blocks, if it has one."""
        own = None if self.models is None else model_for(name, self.models)
        return replace(self, classifier=own or self.classifier, models=None)


class SiteFacts(NamedTuple):
    """Statements of a site about one page. ``NewsSite`` itself is large, and changes during a crawl."""

    name: str | None = None
    url_kind: UrlKind | None = None
    """None: the shape of the address tells."""
    told: UrlKind | None = None
    """Kind of the page as the user says, or ``hub`` if the site file names the address."""
    timezone: str | None = None
    names: tuple[str, ...] = ()
    rules: SiteRules = NO_RULES


NO_SITE: Final = SiteFacts()


def site_facts(site: NewsSite | None, url: str | None) -> SiteFacts:
    """Return a site's statements about the page at ``url``; empty if either is unknown."""
    if site is None or url is None:
        return NO_SITE
    return SiteFacts(
        name=site.name,
        url_kind=site.url_kind(url),
        told=site.stated_kind(url),
        timezone=site.timezone if site.timezone_known else None,
        names=site.site_names,
        rules=site.rules,
    )


class RawPage(NamedTuple):
    """An answer as it came, with facts known beforehand."""

    body: bytes | str
    url: str | None
    fetched_at: datetime
    content_type: str | None = None
    robots: tuple[str, ...] = ()
    """Values of ``X-Robots-Tag``."""
    rights: tuple[tuple[str, str], ...] = ()
    """Headers that reserve rights (:data:`newscrawl.extract.facts.facts.RIGHTS_HEADERS`), with their values."""
    charset: EncodingDecision | None = None
    """Charset, if it is already decided."""
    site: SiteFacts = NO_SITE
    told: Mapping[str, str] | None = None
    """Hints of the feed or sitemap: ``title``, ``date``."""
    is_part: bool = False
    """The page was requested as a part of an article, so its text counts, whatever its type."""
    called: str | None = None
    """Words of the link that led to the page."""
    is_expected: bool = False
    """The site has shown that the page may be an article."""
    chosen: tuple[int, ...] | None = None
    """Lines of the article, if site memory knows better than the method."""


class ArticleLines(NamedTuple):
    """Lines of an article's page for site memory, as the extractor judged them from the page alone."""

    keys: PageKeys
    """Lines that are the article's, or may become so when more is known of the host."""
    chosen: Bools
    odds: NDArray[np.float64]
    seen: Sighting
    images: tuple[tuple[str, int], ...] = ()
    """Address and position of each picture, in paragraphs of this page."""
    numbers: tuple[int, ...] = ()
    """Which of the page's lines these are."""
    raw: RawPage | None = None
    """The page itself, where its text is wanted in other formats, too."""


class Failure(NamedTuple):
    """A step that raised an exception."""

    step: str
    traceback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a page was read as. Frozen; pickled without ``extraction``, which holds the page's tree."""

    url: str | None
    """Address of the answer."""
    fetched_at: datetime
    encoding: str = "utf-8"
    encoding_source: str = ""
    is_undecodable: bool = False
    """More of the bytes than ``MAX_UNDECODABLE`` fit no charset."""
    title: str = ""
    """Text of the ``title`` element, white space folded."""
    page_type: PageType = PageType.OTHER
    page_type_confidence: float = 0.0
    method: str = ""
    text: str = ""
    """Main text, a paragraph per line; ``""`` without a text, and for pages that are no articles unless requested."""
    confidence: float = 0.0
    evidence: tuple[str, ...] = ()
    """Reasons for the text, one per line."""
    left_out: tuple[LeftOut, ...] = ()
    """Lines that the method took for text, and a rule left out."""
    script_state: str = ""
    """``script_data``: the page is empty until its scripts run, the text comes from its data. ``script_only``: its data
    hold none. Else ``""``."""
    absence: str | None = None
    """Reason why a page at a story's address has no story (a ``Rejection``), by the page or its site."""
    site_says: str = ""
    """What the page is by itself, and why by its site, where these are two."""
    article: Article | None = None
    """None where the page is no article, or has no text; where ``kind`` is asked for, a doubtful page has one, too."""
    comments: tuple[Comment, ...] = ()
    """Comments of readers that an article's page shows below the text; where asked for."""
    simhash: int | None = None
    """SimHash of ``text``, where the article has it, it is long enough, and it was asked for."""
    labels: tuple[str, ...] = ()
    """Label of each block, in document order."""
    blocks: Sequence[Block] = ()
    """Empty unless asked for."""
    links: tuple[Link, ...] = ()
    contexts: tuple[LinkContext, ...] = ()
    """Context of each link; empty unless requested."""
    terms: tuple[str, ...] = ()
    """Tags and categories in the classes of the post's element; empty unless contexts are requested."""
    listed: Mapping[str, date] = field(default_factory=dict)
    """Address of a story that the page lists → the last day on which it can have been published; where asked for."""
    kind: KindEvidence | None = None
    """What the page tells of its kind; where asked for."""
    feeds: tuple[str, ...] = ()
    """Feeds that a page which is no article by its address offers."""
    canonical: str | None = None
    """The address that the page states as its own."""
    robots: frozenset[str] = frozenset()
    """Directives of ``<meta name="robots">`` and ``X-Robots-Tag``."""
    continuation: Continuation = ONE_PAGE
    lines: tuple[ArticleLines, ...] = ()
    """For site memory, of each page of the article, where they are asked for and its text is made of lines."""
    rules_missed: tuple[str, ...] = ()
    """Fields of an article that its site has rules for, and whose rules matched nothing."""
    failures: tuple[Failure, ...] = ()
    extraction: Extraction | None = field(default=None, repr=False, compare=False)

    @property
    def reasons(self) -> dict[str, Any]:
        """Why the text is what it is, as commands and API print it."""
        return {"evidence": self.evidence, "leftOut": [asdict(line) for line in self.left_out]}

    @property
    def markdown(self) -> str:
        """The text with its headings, lists, quotes, links, pictures, tables and code as Markdown."""
        return _in_format(self, "articleBodyMarkdown", "markdown")

    @property
    def html(self) -> str:
        """The text as clean HTML, safe to show: no script, style or handler; http, https and mailto links only."""
        return _in_format(self, "articleBodyHtml", "html")

    def __getstate__(self) -> list[Any]:
        """All fields but the last, in order."""
        return [getattr(self, name) for name in _PICKLED]

    def __setstate__(self, state: list[Any]) -> None:
        for name, value in zip(_PICKLED, state, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "extraction", None)


_PICKLED = tuple(name for name in Reading.__slots__ if name != "extraction")


def _in_format(reading: Reading, name: str, form: str) -> str:
    kept: str | None = getattr(reading.article, name, None)
    if kept is not None:
        return kept
    return "" if reading.extraction is None else str(getattr(reading.extraction, form))


FIELDS: Final[Mapping[str, str]] = MappingProxyType({"markdown": "articleBodyMarkdown", "html": "articleBodyHtml"})
"""Format, as ``Extraction`` names it → field of ``Article``."""


def is_kept(page_type: PageType, *, pages: bool) -> bool:
    """Tell whether a page is stored.

    :param pages: pages about the site are, too.
    """
    return page_type is PageType.ARTICLE or (pages and page_type is PageType.OTHER)


def format_names(value: str | list[str]) -> tuple[str, ...]:
    """Return the formats that a setting names, separated by commas.

    :raises UserError: for one that is not known.
    """
    found = tuple(dict.fromkeys(separated(value)))
    unknown = [name for name in found if name not in FIELDS]
    if unknown:
        raise UserError(f"unknown format {unknown[0]!r} of the text; accepted: {', '.join(FIELDS)}")
    return found


def with_formats(article: Article, extraction: Extraction, document: Document, formats: Collection[str]) -> Article:
    """Return the article with its text in these formats, too."""
    if not formats:
        return article
    shown = extraction if extraction.document is not None else replace(extraction, document=document)
    fields = {FIELDS[name]: getattr(shown, name) for name in formats}
    return replace(article, **fields)
