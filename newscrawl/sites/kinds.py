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
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from newscrawl.items import PageType
from newscrawl.outcomes import REJECTIONS, Rejection
from newscrawl.sites.shown import Asks, PageCounts, Said, SeenPage, address_key, seen_page, trust_of
from newscrawl.urls.canonical import host_of
from newscrawl.urls.patterns import address_folder, address_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from newscrawl.sites.shown import KindEvidence, SiteEvidence


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
"""Bound of the log odds against a page whose form of address no article by itself has."""
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
    key, page, counts = address_key(url), seen_page(url, evidence, asked), site.counts
    terms = _terms_of(site, key, page)
    terms.form, terms.template = _by_likeness(counts, key, page)
    is_unlike = not evidence.is_signed and not evidence.is_told and _are_stories_signed(counts, key, page, anew=anew)
    absence = reason_without_story(site, terms, evidence, is_unlike=is_unlike)
    instead = (evidence.instead or _type_apart(counts, page, evidence)) if is_unlike else None
    named = PageType.OTHER if absence else instead
    if named is None:  # the type of the page alone, unless the site says otherwise
        named = PageType.ARTICLE if terms.total >= 0 else evidence.page_type
        if terms.total < 0 and named is PageType.ARTICLE:
            is_list = evidence.said is None and bool(evidence.announced) and terms.titles is None
            named = PageType.HUB if is_list or evidence.said is Said.LIST else PageType.OTHER
    return PageKind(
        page_type=named,
        confidence=_sigmoid(abs(terms.total)),
        score=terms.total,
        reason=REJECTIONS[absence] if absence else INSTEAD if instead else _reason(site, key, page, terms),
        absence=absence,
    )


def _are_stories_signed(counts: PageCounts, key: int, page: SeenPage, *, anew: bool) -> bool:
    """Tell whether the site's other articles show a date or an author, or are too few to say so before its end."""
    own = counts.pages.get(key)
    is_one = own is not None and _is_settled(own)
    n, n_signed = counts.n_settled - is_one, counts.n_signed - (is_one and page.is_signed)
    return n_signed >= (1 - MAX_UNSIGNED) * n if n >= MIN_SIGNED else not anew


def _type_apart(counts: PageCounts, page: SeenPage, evidence: KindEvidence) -> PageType | None:
    """Return the type of a page whose address has no number, where nearly all articles have a day or number."""
    if _is_numbered(page) or counts.n_numbered < (1 - MAX_UNSIGNED) * (counts.n_settled - 1):
        return None
    return PageType.OTHER if evidence.page_type is PageType.ARTICLE else evidence.page_type


def both_words(evidence: KindEvidence, kind: PageKind) -> str:
    """Return what a page is by itself, and why its site says otherwise."""
    return f"by itself {evidence.page_type}, {evidence.confidence:.2f}; by its site {kind.page_type}: {kind.reason}"


def reason_without_story(
    site: SiteEvidence, terms: _Terms, evidence: KindEvidence, *, is_unlike: bool = False
) -> Rejection | None:
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
    if evidence.text in site.missing and evidence.letters < MAX_ABSENT:
        return Rejection.SOFT_404
    is_untitled = bool(terms.titles) and not terms.is_titled
    is_foreign = is_unlike or (evidence.is_foreign and evidence.is_called is False and is_untitled)
    is_template = evidence.said is not None and not is_foreign
    if evidence.letters >= MAX_ABSENT or evidence.is_signed or is_template:
        return None
    is_another = evidence.is_called is False or is_untitled
    is_repeated = site.counts.texts[evidence.text] >= MIN_REPEATED if evidence.text else False
    is_bare = not evidence.is_titled or evidence.asks is not None or is_repeated or evidence.says_missing or is_foreign
    is_list = evidence.page_type in _LISTS and bool(evidence.announced)
    if evidence.is_called or not (is_another and is_bare) or (is_list and terms.total < 0):
        return None
    if evidence.asks is not None:
        return Rejection.LOGIN if evidence.asks is Asks.LOGIN else Rejection.CONSENT
    return Rejection.SOFT_404 if is_repeated or evidence.says_missing else Rejection.NOTICE


def expects_story(site: SiteEvidence, url: str) -> bool:
    """Tell whether an address is likely to be an article's before its page is looked at."""
    nothing = SeenPage(
        0.0, None, is_goods=False, form=address_form(url), folder=address_folder(url), titles=(), places=()
    )
    key = address_key(url)
    terms = _terms_of(site, key, nothing)
    form, _ = _by_likeness(site.counts, key, nothing)
    return form + ANNOUNCED * (terms.titles is not None) + terms.furniture >= EXPECTED


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
        counts.probability[key] = chance = _sigmoid(_terms_of(site, key, page).total)
        names: set[str | int] = {page.form, page.folder, *page.places}
        for name in names:
            counts.shares[name].articles += chance
            counts.shares[name].pages += 1
    site.n_changes = 0


def _is_settled(page: SeenPage) -> bool:
    return page.said is Said.ARTICLE or (page.said is None and page.odds >= SETTLED and not page.is_goods)


def _is_numbered(page: SeenPage) -> bool:
    return "#" in page.form or "?" in page.form


@dataclass(slots=True, kw_only=True)
class _Terms:
    """The parts of a page's score: log odds, each with a sign that is fixed."""

    titles: tuple[int, ...] | None
    """Keys of the titles that lists give the page; None where they say nothing of it."""
    is_titled: bool
    """It has one of them."""
    own: float
    said: float
    announced: float
    furniture: float
    place: float
    form: float = 0.0
    """What the other pages of its form of address are, and those of its ``template``: counted by the parts above."""
    template: float = 0.0

    @property
    def total(self) -> float:
        return self.own + self.said + self.announced + self.furniture + self.place + self.form + self.template


def _terms_of(site: SiteEvidence, key: int, page: SeenPage) -> _Terms:
    """Return the parts of a page's score, but for what the forms and templates of other pages say."""
    counts, n = site.counts, site.counts.n_settled
    titles = site.titles_of(key, page)
    is_titled = any(title in titles for title in page.titles) if titles else False
    # What the page calls itself; against one that says nothing where the site's articles do.
    said = -_missed(n, counts.n_said) if page.said is None else SAID if page.said is Said.ARTICLE else -SAID
    # What lists say of it; against one of which they say nothing where they name articles.
    if titles is not None:
        announced = counts.trust.get(key, 1.0) * (ANNOUNCED + TITLED * is_titled)
    else:
        n_beside = counts.unannounced[page.folder]
        announced = -_missed(n, counts.n_announced) * min(MAX_BESIDE, max(1, n_beside))
    # Against a page that nearly all pages link to: more where it alone has no date or author. A box of the most read
    # hangs on all pages, too, with the titles of articles.
    furniture, is_unsigned = 0.0, not page.is_signed and _missed(n, counts.n_signed) >= UNSIGNED
    if is_unsigned or not is_titled:
        low, high = LINKED
        share = min(1.0, max(0.0, (site.linked_share(key) - low) / (high - low)))
        furniture = -(FURNITURE + UNSIGNED * is_unsigned) * share
    # Against a page of a form of which no page is an article alone, be it announced or not.
    is_apart = counts.forms[page.form] >= MIN_PAGES and not counts.settled[page.form] and not _is_settled(page)
    return _Terms(
        titles=titles,
        is_titled=is_titled,
        own=OWN * _bounded(page.odds, MAX_ODDS) - GOODS * page.is_goods,
        said=said,
        announced=announced,
        furniture=furniture,
        place=-min(APART, _missed(n, counts.n_among)) if is_apart else 0.0,
    )


def _by_likeness(counts: PageCounts, key: int, page: SeenPage) -> tuple[float, float]:
    """Return what the other pages of a page's form of address say, and those of its template."""
    share = counts.share(page.form, key).shrunk(0.5)
    if page.folder != page.form:
        share = counts.share(page.folder, key).shrunk(share)
    shares = [counts.share(place, key) for place in page.places]
    odds = [_logit(share.shrunk(0.5)) for share in shares if share.pages]
    template = TEMPLATE * _bounded(math.fsum(odds) / len(odds), MAX_SHARE_ODDS) if odds else 0.0
    return FORM * _bounded(_logit(share), MAX_SHARE_ODDS), template


def _reason(site: SiteEvidence, key: int, page: SeenPage, terms: _Terms) -> str:
    """Return what the site says of a page, the weightiest first."""
    counts, share = site.counts, site.counts.share(page.form, key)
    known = f"{counts.n_announced} of {counts.n_settled}"
    lists = f"no list announces it, as lists do {known} articles" if terms.titles is None else "lists announce it"
    of_form = f"{share.articles:.0f} of {share.pages} other pages of the form {page.form} are articles"
    told = (
        (terms.said, _SAID_WORDS[page.said]),
        (terms.form, of_form),
        (terms.template, "other pages of its template are " + ("articles" if terms.template > 0 else "no articles")),
        (terms.announced, lists + " by its title" * terms.is_titled),
        (terms.furniture, f"{site.linked_share(key):.0%} of the pages link to it"),
        (terms.place, "no page that is an article by itself has an address of its form"),
    )
    weighty = [(weight, words) for weight, words in told if abs(weight) >= TOLD]
    return "; ".join(words for _, words in sorted(weighty, key=lambda part: -abs(part[0])))


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
