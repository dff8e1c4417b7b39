"""What a page is, by itself and by its site.

A page's score is the sum of log odds: what the page alone looks like, what it calls itself, what the other pages of
its form of address and of its template are, whether a list announces it and by its title, and whether all pages link
to it. Each sign is fixed. Each share of the site is shrunk by pseudo-counts, so that a site says little before it has
shown much, and a page of a silent site is judged by itself alone.

Two things come of it for the site as a whole: hosts whose answers look alike are asked for an address that cannot be,
and a template of articles and other pages is a contradiction that its user learns of.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from newscrawl.items import PageType
from newscrawl.outcomes import REJECTIONS, Rejection
from newscrawl.sites.kinds.evidence import Asks, Said, address_key
from newscrawl.sites.kinds.site import PageCounts, SeenPage, seen_page, trust_of
from newscrawl.urls.canonical import host_of
from newscrawl.urls.patterns import address_folder, address_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from newscrawl.sites.kinds.evidence import KindEvidence
    from newscrawl.sites.kinds.site import SiteEvidence


OWN: Final = 0.8
"""Weight of the page's own log odds."""
MAX_ODDS: Final = 3.0
"""Bound of a page's own log odds, on either side."""
GOODS: Final = 4.0
"""Log odds against a page that looks like goods or a thread: shops and boards announce theirs, too."""
SAID: Final = 4.0
"""Log odds of what a page calls itself."""
FORM: Final = 1.0
"""Weight of what the other pages of a form of address are."""
TEMPLATE: Final = 0.5
"""Weight of what the other pages of a template are."""
MAX_SHARE_ODDS: Final = 4.0
"""Bound of the log odds of a form or template, on either side."""
ANNOUNCED: Final = 0.5
"""Log odds of an address that a list announces."""
TITLED: Final = 2.0
"""Log odds of a page that has the title a list announced, beside ``ANNOUNCED``."""
FURNITURE: Final = 2.0
"""Log odds against a page that nearly all pages link to, and no list announces by its title."""
UNSIGNED: Final = 1.0
"""Log odds against such a page without date and author, where so much speaks against an article without them."""
LINKED: Final = (0.3, 0.8)
"""Shares of a site's pages that link to an address: from the first on it is furniture in part, from the second all."""
SETTLED: Final = 1.0
"""Own log odds from which on a page counts as an article when it is asked how the site treats its articles."""
STALE: Final = 0.25
"""Share of a site's pages that may be new before its shares are counted again."""
APART: Final = 1.0
"""Bound of the log odds against a page whose form of address no article by itself has, and no list announces."""
MAX_BESIDE: Final = 3
"""Pages of a folder, none of which a list announces, that count: each speaks against the others."""
MAX_ABSENT: Final = 800.0
"""Letters of a text that may say why there is no story."""
MIN_REPEATED: Final = 3
"""Pages that show one short text, from which on it is no story's."""
MAX_UNSIGNED: Final = 0.1
"""Share of a site's articles without date and author, up to which a page without them has to show a text."""
MIN_SIGNED: Final = 2
"""Articles from which on that is known."""
INSTEAD: Final = (
    "it has no date or author, as the site's articles have, and no text, or no number in its address, as they have"
)
EXPECTED: Final = 1.0
"""Log odds of form and announcement from which on a page is expected to be an article."""
TOLD: Final = 0.4
"""Log odds from which on a part of the score is told."""

_LISTS: Final = frozenset((PageType.HUB, PageType.LISTING))
_SAID_WORDS: Final[Mapping[Said | None, str]] = {
    Said.ARTICLE: "it calls itself an article",
    Said.LIST: "it calls itself a list",
    Said.PAGE: "it calls itself a page, not a story",
    None: "it does not call itself an article, as the site's articles do",
}
SURE: Final = 0.9
"""Probability from which on a page is an article without what its form and template say; one less the same is none."""
MIN_PAGES: Final = 3
MIN_SHARE: Final = 0.2
"""Pages of either kind that a template must have, at least, and their share of it."""
PROBE: Final = "probe"
"""How such an address was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKind:
    """What a page is, by itself and its site."""

    page_type: PageType
    confidence: float
    """Probability of an article, or of none."""
    score: float
    """Log odds of an article."""
    reason: str
    """What the site says, in words; empty where it says nothing."""
    absence: Rejection | None = None
    """Why a page that would be an article has no story."""


def judge_kind(
    site: SiteEvidence, url: str, evidence: KindEvidence, *, asked: str | None = None, anew: bool = False
) -> PageKind:
    """Tell what a page is. What was observed of the page itself does not speak for it.

    :param asked: the address that was asked for, where it led to the page's.
    :param anew: count what was observed to the last page; else shares may be a little behind.
    """
    if site.n_changes and (anew or site.n_changes > STALE * (len(site.pages) + len(site.announced))):
        count_pages(site)
    terms = _Terms(site, address_key(url), seen_page(url, evidence, asked))
    score = terms.total()
    is_unlike = not evidence.is_signed and not evidence.is_told and terms.are_stories_signed(anew=anew)
    absence = reason_without_story(terms, evidence, is_unlike=is_unlike)
    instead = (evidence.instead or terms.type_apart(evidence)) if is_unlike else None
    named = PageType.OTHER if absence else instead
    return PageKind(
        page_type=named or _type_of(score, evidence, is_listed=terms.is_announced),
        confidence=_sigmoid(abs(score)),
        score=score,
        reason=REJECTIONS[absence] if absence else INSTEAD if instead else terms.reason(),
        absence=absence,
    )


def both_words(evidence: KindEvidence, kind: PageKind) -> str:
    """Return what a page is by itself, and why its site says otherwise."""
    return f"by itself {evidence.page_type}, {evidence.confidence:.2f}; by its site {kind.page_type}: {kind.reason}"


def reason_without_story(terms: _Terms, evidence: KindEvidence, *, is_unlike: bool = False) -> Rejection | None:
    """Tell why a page shows no story, though one was announced at its address; None for all other pages.

    The page itself says so, or it shows what its host answers to an address that cannot be, or all of this holds: its
    short text is neither dated nor signed; it has another title than the link that led to it, or than the lists say;
    its ``title`` is not on the page, or a form or the same words on other pages stand where the story should be, or it
    has hardly a word of that title, or all other articles are dated or signed. A list that announces stories is none of
    these, unless it would be an article else.

    :param is_unlike: it has neither date nor author, as the site's articles have.
    """
    if evidence.absence is not None:
        return Rejection(evidence.absence)
    if evidence.text in terms.site.missing and evidence.letters < MAX_ABSENT:
        return Rejection.SOFT_404
    is_untitled = terms.is_announced and terms.is_named and not terms.is_titled
    is_foreign = is_unlike or (evidence.is_foreign and evidence.is_called is False and is_untitled)
    is_template = evidence.said is not None and not is_foreign
    if evidence.letters >= MAX_ABSENT or evidence.is_signed or is_template:
        return None
    is_another = evidence.is_called is False or is_untitled
    is_repeated = terms.counts.texts[evidence.text] >= MIN_REPEATED if evidence.text else False
    is_bare = not evidence.is_titled or evidence.asks is not None or is_repeated or evidence.says_missing or is_foreign
    is_list = evidence.page_type in _LISTS and bool(evidence.announced)
    if evidence.is_called or not (is_another and is_bare) or (is_list and terms.total() < 0):
        return None
    if evidence.asks is not None:
        return Rejection.LOGIN if evidence.asks is Asks.LOGIN else Rejection.CONSENT
    return Rejection.SOFT_404 if is_repeated or evidence.says_missing else Rejection.NOTICE


def expects_story(site: SiteEvidence, url: str) -> bool:
    """Tell whether an address is likely to be an article's before its page is looked at."""
    nothing = SeenPage(
        0.0, None, is_goods=False, form=address_form(url), folder=address_folder(url), titles=(), places=()
    )
    terms = _Terms(site, address_key(url), nothing)
    return terms.form() + ANNOUNCED * terms.is_announced + terms.furniture() >= EXPECTED


def count_pages(site: SiteEvidence) -> None:
    """Count what the pages of a site are: each by itself and by what is said of it alone."""
    settled = {key: page for key, page in site.pages.items() if _is_settled(page)}
    site.counts = counts = PageCounts(
        pages=dict(site.pages),
        n_settled=len(settled),
        n_announced=sum(site.titles_of(key, page) is not None for key, page in settled.items()),
        n_said=sum(page.said is not None for page in settled.values()),
        n_signed=sum(page.is_signed for page in settled.values()),
        n_numbered=sum(map(_is_numbered, settled.values())),
    )
    counts.forms.update(page.form for page in site.pages.values())
    counts.settled.update(page.form for page in settled.values())
    counts.n_among = sum(counts.settled[page.form] > 1 for page in settled.values())
    announced = {page.folder for key, page in site.pages.items() if site.titles_of(key, page) is not None}
    counts.unannounced.update(page.folder for page in site.pages.values() if page.folder not in announced)
    counts.trust = trust_of(site, {key for key, page in site.pages.items() if page.odds > 0 or _is_settled(page)})
    for key, page in site.pages.items():
        counts.texts.update([page.text] if page.text else ())
        chance = _sigmoid(_Terms(site, key, page).alone())
        counts.probability[key] = chance
        names: set[str | int] = {page.form, page.folder, *page.places}
        for name in names:
            counts.shares[name].add(chance)
    site.n_changes = 0


def _is_settled(page: SeenPage) -> bool:
    return page.said is Said.ARTICLE or (page.said is None and page.odds >= SETTLED and not page.is_goods)


def _is_numbered(page: SeenPage) -> bool:
    return "#" in page.form or "?" in page.form


class _Terms:
    """The parts of a page's score, each log odds with a sign that is fixed."""

    def __init__(self, site: SiteEvidence, key: int, page: SeenPage) -> None:
        self.site, self.key, self.page, self.counts = site, key, page, site.counts
        titles = site.titles_of(key, page)
        self.is_announced, self.is_named = titles is not None, bool(titles)
        self.is_titled = any(title in titles for title in page.titles) if titles else False

    def are_stories_signed(self, *, anew: bool) -> bool:
        """Tell whether the site's other articles show a date or an author, or are too few to say so before its end."""
        own = self.counts.pages.get(self.key)
        is_one = own is not None and _is_settled(own)
        n, n_signed = self.counts.n_settled - is_one, self.counts.n_signed - (is_one and self.page.is_signed)
        return n_signed >= (1 - MAX_UNSIGNED) * n if n >= MIN_SIGNED else not anew

    def type_apart(self, evidence: KindEvidence) -> PageType | None:
        """Return the type of a page whose address has no number, where nearly all articles have a day or number."""
        if _is_numbered(self.page) or self.counts.n_numbered < (1 - MAX_UNSIGNED) * (self.counts.n_settled - 1):
            return None
        return PageType.OTHER if evidence.page_type is PageType.ARTICLE else evidence.page_type

    @cached_property
    def linked(self) -> float:
        """The share of the site's pages that link to the page."""
        return self.site.linked_share(self.key)

    def total(self) -> float:
        return self.alone() + self.form() + self.template()

    def alone(self) -> float:
        """Return the score without what forms and templates say: these are counted by it."""
        return self.own() + self.said() + self.announcement() + self.furniture() + self.place()

    def own(self) -> float:
        return OWN * _bounded(self.page.odds, MAX_ODDS) - GOODS * self.page.is_goods

    def said(self) -> float:
        """Return what the page calls itself; against a page that says nothing where the site's articles do."""
        if self.page.said is None:
            return -_missed(self.counts.n_settled, self.counts.n_said)
        return SAID if self.page.said is Said.ARTICLE else -SAID

    def announcement(self) -> float:
        """Return what lists say of the page; against a page of which they say nothing where they name articles."""
        if self.is_announced:
            return self.counts.trust.get(self.key, 1.0) * (ANNOUNCED + TITLED * self.is_titled)
        n_beside = self.counts.unannounced[self.page.folder]
        return -_missed(self.counts.n_settled, self.counts.n_announced) * min(MAX_BESIDE, max(1, n_beside))

    def place(self) -> float:
        """Return what speaks against a page that no list announces, where no page of its form is an article alone."""
        is_alone = self.counts.forms[self.page.form] < MIN_PAGES
        if self.is_announced or is_alone or self.counts.settled[self.page.form] or _is_settled(self.page):
            return 0.0
        return -min(APART, _missed(self.counts.n_settled, self.counts.n_among))

    def furniture(self) -> float:
        """Return what speaks against a page that nearly all pages link to: more where it alone has no date or author.

        A box of the most read hangs on all pages, too, with the titles of articles.
        """
        low, high = LINKED
        misses = 0.0 if self.page.is_signed else _missed(self.counts.n_settled, self.counts.n_signed)
        is_unsigned = misses >= UNSIGNED
        if self.is_titled and not is_unsigned:
            return 0.0
        return -(FURNITURE + UNSIGNED * is_unsigned) * min(1.0, max(0.0, (self.linked - low) / (high - low)))

    def form(self) -> float:
        share = self.counts.share(self.page.form, self.key).shrunk(0.5)
        if self.page.folder != self.page.form:
            share = self.counts.share(self.page.folder, self.key).shrunk(share)
        return FORM * _bounded(_logit(share), MAX_SHARE_ODDS)

    def template(self) -> float:
        shares = [self.counts.share(place, self.key) for place in self.page.places]
        odds = [_logit(share.shrunk(0.5)) for share in shares if share.pages]
        return TEMPLATE * _bounded(math.fsum(odds) / len(odds), MAX_SHARE_ODDS) if odds else 0.0

    def reason(self) -> str:
        """Return what the site says, the weightiest first."""
        told = sorted(self._told(), key=lambda part: -abs(part[0]))
        return "; ".join(words for weight, words in told if abs(weight) >= TOLD)

    def _told(self) -> Iterator[tuple[float, str]]:
        counts, template = self.counts, self.template()
        share = counts.share(self.page.form, self.key)
        yield self.said(), _SAID_WORDS[self.page.said]
        yield (
            self.form(),
            f"{share.articles:.0f} of {share.pages} other pages of the form {self.page.form} are articles",
        )
        yield template, "other pages of its template are " + ("articles" if template > 0 else "no articles")
        known = f"{counts.n_announced} of {counts.n_settled}"
        lists = "lists announce it" if self.is_announced else f"no list announces it, as lists do {known} articles"
        yield self.announcement(), lists + " by its title" * self.is_titled
        yield self.furniture(), f"{self.linked:.0%} of the pages link to it"
        yield self.place(), "no page that is an article by itself has an address of its form"


def _type_of(score: float, evidence: KindEvidence, *, is_listed: bool) -> PageType:
    """Return the type: that of the page alone, unless the site says otherwise."""
    if score >= 0:
        return PageType.ARTICLE
    if evidence.page_type is not PageType.ARTICLE:
        return evidence.page_type
    is_list = evidence.said is Said.LIST or (evidence.said is None and bool(evidence.announced) and not is_listed)
    return PageType.HUB if is_list else PageType.OTHER


def _missed(n: int, n_with: int) -> float:
    """Return the log odds against an article without what ``n_with`` of ``n`` articles have; 0.0 where few have it."""
    return max(0.0, math.log((n + 2) / (n - n_with + 1) / 2))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def _bounded(odds: float, most: float) -> float:
    return min(most, max(-most, odds))


def _sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


class Contradiction(NamedTuple):
    """A template of articles and other pages."""

    articles: str
    others: str
    n_pages: int


def contradiction(site: SiteEvidence) -> Contradiction | None:
    """Return the template with the most pages of either kind; None where each template has one kind."""
    count_pages(site)
    kinds: defaultdict[int, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
    for key, page in site.pages.items():
        chance = site.counts.probability[key]
        if chance >= SURE or chance <= 1 - SURE:
            for place in page.places:
                kinds[place][chance < SURE][page.form] += 1
    found = [(min(ours.total(), theirs.total()), ours, theirs) for ours, theirs in kinds.values()]
    n, articles, others = max(found, key=lambda pair: (pair[0], pair[1].total()), default=(0, Counter(), Counter()))
    n_pages = articles.total() + others.total()
    if n < max(MIN_PAGES, MIN_SHARE * n_pages):
        return None
    named = ("articles of a template", articles), ("other pages of it", others)
    said = [f"{counts.total()} {what}, as {counts.most_common(1)[0][0]}" for what, counts in named]
    return Contradiction(articles=said[0], others=said[1], n_pages=n_pages)


def suspects(site: SiteEvidence, judged: Iterable[tuple[str, KindEvidence, PageKind]]) -> dict[str, str]:
    """Return host → address of a page that is taken for an article, though others show the same short text."""
    found: dict[str, str] = {}
    for url, evidence, kind in judged:
        is_repeated = evidence.text and site.counts.texts[evidence.text] >= MIN_REPEATED
        if is_repeated and evidence.letters < MAX_ABSENT and kind.page_type is PageType.ARTICLE:
            host = host_of(url)
            found[host] = min(url, found.get(host, url))
    return found


def probe_address(url: str) -> str:
    """Return an address beside this one that cannot be, the same at each call.

    >>> probe_address("https://a.example/2024/05/story.html")
    'https://a.example/2024/05/nothing-cc8844b3c5d6320e.html'
    """
    path = urlsplit(url).path
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    name = f"nothing-{blake2b(host_of(url).encode(), digest_size=8).hexdigest()}"
    if path.endswith("/") and len(path) > 1:
        return urljoin(url, f"../{name}/")
    return urljoin(url, f"{name}{dot}{ending if dot else ''}")
