"""What a page tells of its kind, and what the pages of a site have shown: forms of address, templates, announcements.

Values go to other processes and to the database. What is seen is kept as a set of pages, so that their order does not
matter. Where a site has more pages than are kept, those with the smallest keys stay, which are the same in any order. A
database keeps it as bytes for the next harvest.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from heapq import nsmallest
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from newscrawl.extract.simhash import url_key
from newscrawl.items import PageType
from newscrawl.languages.text import fold
from newscrawl.urls.patterns import address_folder, address_form

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from newscrawl.outcomes import Rejection


MIN_TITLE: Final = 2
"""Letters of a title that can be compared."""
TITLE_PREFIX: Final = 12
"""Letters by which titles are compared: lists cut them."""


class Said(StrEnum):
    """What a page calls itself, in so many words of its markup."""

    ARTICLE = "article"
    LIST = "list"
    PAGE = "page"  # about the site, goods, a form: neither of the others


class Asks(StrEnum):
    """What the forms of a page ask for, before it shows anything."""

    LOGIN = "login"
    CONSENT = "consent"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindEvidence:
    """What reading tells of a page, for its site to judge by."""

    page_type: PageType
    """By the page alone, as ``confidence`` and ``odds``."""
    confidence: float
    odds: float
    """Log odds of an article against the likeliest other type."""
    said: Said | None = None
    is_told: bool = False
    """``said`` comes from the user or the site's description, and is final."""
    titles: tuple[int, ...] = ()
    """Keys of the titles that the page shows: its ``title``, headings, first lines of the body."""
    places: tuple[int, ...] = ()
    """Keys of the places of headline and first lines of the body: a sketch of its template."""
    announced: tuple[tuple[int, int], ...] = ()
    """Keys of addresses that a list announces as stories, and of their titles."""
    letters: float = 0.0
    """Letters of its body."""
    is_called: bool | None = None
    """Whether it has the title of the link that led to it; None where that has none, or the text is long."""
    is_titled: bool = True
    """Whether a line of the page is what its ``title`` says, or no heading says anything else."""
    asks: Asks | None = None
    is_signed: bool = False
    """The page shows a date or an author of its article."""
    says_missing: bool = False
    """A heading is what pages are called that are not there."""
    text: int = 0
    """Key of what it shows first, without numbers and its own address; 0 for a long text."""
    absence: Rejection | None = None
    """Why it has no story, by the page alone."""
    is_foreign: bool = False
    """It shows no word of the link that led to it, and its text is short."""
    instead: PageType | None = None
    """Type of what it shows below its heading in place of a text; ``is_signed`` leaves that out."""

    def told(self, *, is_article: bool) -> KindEvidence:
        """Return the evidence of a page whose kind its user or the site's description tells."""
        return replace(self, said=Said.ARTICLE if is_article else Said.LIST, is_told=True)


def text_key(text: str) -> int:
    """Return 40 bits that stand for a text, the same in every process: a site has few enough for them."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=5).digest(), "big")


@lru_cache(maxsize=8192)
def address_key(url: str) -> int:
    """Return what an address is known by, however its scheme, ``www.`` and final slash are written."""
    return text_key(url_key(url))


def title_key(title: str | None) -> int:
    """Return what a title is compared by: a key of its first letters; 0 for a title too short to be compared.

    >>> title_key("Night ferry returns to Lowmere") == title_key("NIGHT FERRY, returns …"), title_key("§")
    (True, 0)
    """
    folded = fold(title) if title else ""
    return text_key(folded[:TITLE_PREFIX]) if len(folded) >= MIN_TITLE else 0


MAX_PAGES: Final = 4096
"""Pages of a site that are kept."""
MAX_ANNOUNCED: Final = 100_000
"""Announced addresses of a site that are kept."""
MAX_SAMPLE: Final = 32
"""Pages of a site whose links are kept."""
MIN_SAMPLE: Final = 8
"""Pages whose links are known before any address counts as linked from most."""
MAX_TITLES: Final = 3
"""Titles of an announced address that are kept."""
MIN_THREAD: Final = 0.6
"""Probability from which on a page that looks like a thread is taken for one."""
PSEUDO: Final = 2.0
"""Pseudo-counts that shrink the share of a form's articles towards a half, and a folder's towards its form's."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page that is kept as evidence."""

    odds: float
    said: Said | None
    is_goods: bool
    """Looks like goods or a thread."""
    form: str
    folder: str
    titles: tuple[int, ...]
    places: tuple[int, ...]
    asked: int = 0
    """Key of the address that led to the page's; 0 where none did."""
    text: int = 0
    """Key of a short text."""
    is_signed: bool = False


@dataclass(slots=True)
class Share:
    """How many pages are articles, of how many."""

    articles: float = 0.0
    pages: int = 0

    def shrunk(self, prior: float) -> float:
        return (self.articles + PSEUDO * prior) / (self.pages + PSEUDO)


NO_SHARE: Final = Share()


@dataclass(slots=True)
class PageCounts:
    """What the pages of a site are, counted."""

    pages: dict[int, SeenPage] = field(default_factory=dict)
    """Page key → the page as it was when it was counted."""
    probability: dict[int, float] = field(default_factory=dict)
    """Page key → probability of an article, without what forms and templates say."""
    shares: defaultdict[str | int, Share] = field(default_factory=lambda: defaultdict(Share))
    """Form, folder or place → share."""
    trust: dict[int, float] = field(default_factory=dict)
    """Address key → how far the word of the best list that announces it counts, 0..1."""
    texts: Counter[int] = field(default_factory=Counter)
    """Key of a short text → pages that show it."""
    n_settled: int = 0
    """Pages that are articles by themselves."""
    n_announced: int = 0
    """Those of them that a list announces."""
    n_said: int = 0
    """Those of them that call themselves articles."""
    n_signed: int = 0
    """Those of them that show a date or an author."""
    n_numbered: int = 0
    """Those of them with a number in the address."""
    n_among: int = 0
    """Those of them that share their form of address with another one."""
    forms: Counter[str] = field(default_factory=Counter)
    """Form of address → its pages."""
    settled: Counter[str] = field(default_factory=Counter)
    """Form of address → those of its pages that are articles by themselves."""
    unannounced: Counter[str] = field(default_factory=Counter)
    """Folder → its pages, where no list announces any of them."""

    def share(self, name: str | int, but: int) -> Share:
        """Return the share of a form, folder or place, without the page with the key ``but``."""
        if name not in self.shares:
            return NO_SHARE
        share, page = self.shares[name], self.pages.get(but)
        if page is None or name not in (page.form, page.folder, *page.places):
            return share
        return Share(max(0.0, share.articles - self.probability[but]), share.pages - 1)


def trust_of(site: SiteEvidence, articles: Collection[int]) -> dict[int, float]:
    """Return address key → how far the word of the best list that announces it counts.

    A list is believed as far as pages that it announces are articles by themselves, beside what lists of the site
    usually announce. An index of tags announces lists, a shop its goods.

    :param articles: keys of such pages.
    """
    known = {key for keys in site.lists.values() for key in keys if key in site.pages}
    usual = (sum(key in articles for key in known) + 1) / (len(known) + 2)
    trust: dict[int, float] = {}
    for keys in site.lists.values():
        there = [key for key in keys if key in known]
        share = (sum(key in articles for key in there) + PSEUDO * usual) / (len(there) + PSEUDO)
        for key in keys:
            trust[key] = max(trust.get(key, 0.0), min(1.0, share / usual))
    return trust


class SiteEvidence:
    """What the pages of one site have shown."""

    def __init__(self) -> None:
        self.pages: dict[int, SeenPage] = {}
        self.announced: dict[int, tuple[int, ...]] = {}
        """Key of an address that lists announce → keys of the titles it has there."""
        self.lists: dict[int, tuple[int, ...]] = {}
        """Page key → keys of the addresses that the page announces."""
        self.links: dict[int, frozenset[int]] = {}
        """Page key → keys of the addresses that the page links to, of a sample of pages."""
        self._linking: Counter[int] | None = None
        """Key of an address → pages of ``links`` that link to it; None until it is asked for."""
        self.missing: set[int] = set()
        """Keys of the short texts that hosts answer to addresses that cannot be."""
        self.counts = PageCounts()
        """Latest counts; :func:`~newscrawl.sites.kinds.count_pages` counts them."""
        self.n_changes = 0
        """Pages and announced addresses since then."""

    def observe(
        self, url: str, evidence: KindEvidence, links: Collection[int] = (), *, asked: str | None = None
    ) -> bool:
        """Take note of a page, and of what it announces; tell whether anything of it is kept.

        A page that is seen again replaces what it was.

        :param links: keys of the addresses that it links to.
        :param asked: the address that was asked for, where it led to the page's.
        """
        key = address_key(url)
        is_kept = _keep(self.pages, key, seen_page(url, evidence, asked), MAX_PAGES)
        if self.samples(key):
            _keep(self.links, key, frozenset(links), MAX_SAMPLE)
            self._linking = None
        self.n_changes += 1
        return self.observe_list(key, evidence.announced) or is_kept

    def observe_list(self, key: int, announced: Collection[tuple[int, int]]) -> bool:
        """Take note of what a page, feed or sitemap announces; tell whether anything of it is new.

        :param announced: keys of addresses, and of their titles.
        """
        if announced:
            _keep(self.lists, key, tuple(address for address, _ in announced), MAX_PAGES)
        new = [self.announce(address, title) for address, title in announced if address != key]
        return any(new)

    def samples(self, key: int) -> bool:
        """Tell whether the links of a page are kept."""
        return len(self.links) < MAX_SAMPLE or key <= max(self.links)

    def announce(self, key: int, title: int = 0) -> bool:
        """Take note that a list announces an address, with the key of its title; tell whether that is new."""
        known = self.announced.get(key)
        titles = known or ()
        if title and title not in titles:
            titles = tuple(nsmallest(MAX_TITLES, (*titles, title)))
        if titles == known:
            return False
        self.n_changes += known is None
        return _keep(self.announced, key, titles, MAX_ANNOUNCED)

    def titles_of(self, key: int, page: SeenPage) -> tuple[int, ...] | None:
        """Return the titles that lists give a page; None where they say nothing of it."""
        titles = self.announced.get(key)
        return self.announced.get(page.asked) if titles is None and page.asked else titles

    def linked_share(self, key: int) -> float:
        """Return the share of the site's pages that link to an address; 0.0 while few are known."""
        n = len(self.links) - (key in self.links)
        if n < MIN_SAMPLE:
            return 0.0
        if self._linking is None:
            self._linking = Counter(chain.from_iterable(self.links.values()))
        return (self._linking[key] - (key in self.links.get(key, ()))) / n


def seen_page(url: str, evidence: KindEvidence, asked: str | None = None) -> SeenPage:
    """Return what is kept of a page."""
    is_thread = evidence.page_type is PageType.FORUM and evidence.confidence >= MIN_THREAD
    return SeenPage(
        odds=evidence.odds,
        said=evidence.said,
        is_goods=evidence.page_type is PageType.PRODUCT or is_thread,
        form=address_form(url),
        folder=address_folder(url),
        titles=evidence.titles,
        places=evidence.places,
        asked=address_key(asked) if asked and asked != url else 0,
        text=evidence.text,
        is_signed=evidence.is_signed,
    )


def _keep(kept: dict[int, Value], key: int, value: Value, most: int) -> bool:
    """Keep a value among those with the smallest keys; tell whether it is kept."""
    kept[key] = value
    if len(kept) > most:
        del kept[max(kept)]
    return key in kept


# --- as bytes --------------------------------------------------------------------------------------------------

VERSION: Final = 1
MIN_LINKED: Final = 0.1
"""Share of the sampled pages that must link to an address for its links to be kept."""


def pack_site(site: SiteEvidence) -> bytes:
    """Return what the site has shown. Titles that no list announces are left out but for a page's first."""
    forms = _numbered(name for page in site.pages.values() for name in (page.form, page.folder))
    pages: list[list[Any]] = []
    for key, page in sorted(site.pages.items()):
        announced = site.titles_of(key, page) or ()
        titles = [title for title in page.titles if title in announced] or page.titles[:1]
        signs, said = page.is_goods + 2 * page.is_signed, page.said and page.said.value
        where = forms[page.form], forms[page.folder]
        pages.append([key, round(page.odds, 2), said, signs, *where, titles, page.places, page.asked, page.text])
    addresses = _numbered(site.announced)
    lists = [(key, [addresses[one] for one in of if one in addresses]) for key, of in sorted(site.lists.items())]
    n_linking = Counter(address for of in site.links.values() for address in of)
    least = max(2.0, MIN_LINKED * len(site.links))
    links = [(key, sorted(one for one in of if n_linking[one] >= least)) for key, of in sorted(site.links.items())]
    state = {
        "version": VERSION,
        "forms": list(forms),
        "pages": pages,
        "announced": [[key, *titles] for key, titles in site.announced.items()],
        "lists": [[key, *numbers] for key, numbers in lists],
        "links": [[key, *linked] for key, linked in links],
        "missing": sorted(site.missing),
    }
    return lzma.compress(json.dumps(state, separators=(",", ":")).encode())


def unpack_site(octets: bytes) -> SiteEvidence:
    """Return what :func:`pack_site` wrote; nothing of another version."""
    site = SiteEvidence()
    state: dict[str, Any] = json.loads(lzma.decompress(octets))
    if state["version"] != VERSION:
        return site
    forms, announced = state["forms"], state["announced"]
    for key, odds, said, signs, form, folder, titles, places, asked, text in state["pages"]:
        site.pages[key] = SeenPage(
            odds=odds,
            said=Said(said) if said else None,
            is_goods=bool(signs & 1),
            form=forms[form],
            folder=forms[folder],
            titles=tuple(titles),
            places=tuple(places),
            asked=asked,
            text=text,
            is_signed=bool(signs & 2),
        )
    site.announced = {key: tuple(titles) for key, *titles in announced}
    site.lists = {key: tuple(announced[number][0] for number in numbers) for key, *numbers in state["lists"]}
    site.links = {key: frozenset(of) for key, *of in state["links"]}
    site.missing = set(state["missing"])
    site.n_changes = len(site.pages)
    return site


def _numbered(values: Iterable[Any]) -> dict[Any, int]:
    return {value: number for number, value in enumerate(dict.fromkeys(values))}
