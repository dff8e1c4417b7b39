"""Which addresses of a site a crawl asks for, by what it has learnt of the site's hosts so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.links.model import LinkPosition
from newscrawl.links.rules import UrlDecision, copy_of, in_channels, judge_url
from newscrawl.links.traps import RecentUrls, TrapGuard
from newscrawl.outcomes import Rejection
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.parameters import ParameterWatch, SchemeWatch, SessionWatch
from newscrawl.urls.patterns import AddressForms, url_pattern
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from newscrawl.links.model import Link
    from newscrawl.links.rules import Wanted
    from newscrawl.sites.model import NewsSite

#: What the place of a link adds to its priority: main text, then beside it, then the rest.
POSITION_PRIORITY: Final = {LinkPosition.IN_BODY: 200, LinkPosition.ADJACENT: 100, LinkPosition.ELSEWHERE: 0}
#: Entries of feeds and sitemaps remembered for pages that a link had asked for before.
MAX_HINTS: Final = 5_000
#: Sitemaps, and entries of them, that are read before the first page; more of them wait behind the pages.
SITEMAPS_AHEAD: Final = 10
ENTRIES_AHEAD: Final = 50_000
#: How many times more they are where a time of the past is asked for.
HISTORY_TIMES: Final = 6
#: Feeds of one address pattern that no page may offer any more, where all of them were dead.
MAX_DEAD_FEEDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Most that is asked for; 0 is no limit for hosts, patterns and depth."""

    per_host: int = 0
    per_pattern: int = 10_000
    depth: int = 0
    sitemaps: int = 0
    feeds: int = 0


class Gate:
    """Judges each address of a crawl once, and learns from every answer how the site's hosts spell theirs.

    :param site: what is known of the site beforehand; ``self.site`` grows with what is learnt.
    """

    def __init__(self, site: NewsSite, wanted: Wanted, limits: Limits | None = None) -> None:
        self.site = site
        self.wanted = wanted
        self.limits = limits or Limits()
        self.recent = RecentUrls()
        """Addresses judged in this run."""
        self.forms = AddressForms()
        """How hosts spell their addresses."""
        self.traps = TrapGuard(
            host_budget=self.limits.per_host,
            pattern_budget=self.limits.per_pattern,
            max_depth=self.limits.depth,
        )
        self.nofollow = RecentUrls()
        """Addresses of links that must not be followed; another page may lead there."""
        self._schemes = SchemeWatch()
        self._parameters = ParameterWatch()
        self._sessions = SessionWatch()
        self._hints: dict[str, dict[str, str]] = {}
        self._sitemaps_left = self.limits.sitemaps
        self._n_sitemaps = 0
        self.n_entries = 0
        """Entries of sitemaps read so far."""
        self._feeds_left = self.limits.feeds
        self._asked_feeds: dict[str, str] = {}
        """Address → its pattern, until it is answered."""
        self._dead_feeds: Counter[str] = Counter()
        """Dead feeds by pattern; far below 0 where one of the pattern was read."""

    # --- judging -----------------------------------------------------------------------------------------

    def admit(
        self,
        url: str,
        *,
        depth: int = 0,
        published: date | None = None,
        modified: date | None = None,
        called: str = "",
    ) -> UrlDecision:
        """Judge an address by the rules, the user's wishes and the budgets; counts it against the budgets.

        An address judged before in this run is a duplicate, whatever came of it.

        :param called: text of the link to it.
        """
        if not self.recent.add(url):
            return _JUDGED_BEFORE
        decision = judge_url(url, self.site, self.wanted, published=published, modified=modified)
        if decision.follow and (refusal := self.traps.judge(url, decision.kind, depth, called)):
            if refusal[0] is Rejection.DEPTH:
                self.recent.forget(url)  # another page may lead there in fewer steps
            return _refused(decision.kind, *refusal)
        return decision

    def judge_link(self, link: Link, page_url: str, *, depth: int, modified: date | None = None) -> UrlDecision:
        """Judge a link of a page.

        :param depth: links from the seeds to where it leads.
        :param modified: the last day on which the page says that the story came out.
        """
        url = self.site.clean_url(link.url)
        if url in self.recent:  # most links of a page: nothing else is asked of them
            self.recent.add(url)
            return _JUDGED_BEFORE
        copied = copy_of(link, page_url) if self.site.covers(url) else None
        if copied is not None:
            return _refused(UrlKind.OTHER, Rejection.PATTERN, copied)
        if self.traps.is_behind_end(url, self.site.clean_url(page_url)):
            return _refused(UrlKind.HUB, Rejection.LIST_END, "behind pages of its list that show nothing new")
        decision = self.admit(url, depth=depth, modified=modified, called=link.anchor)
        if not decision.follow:
            return decision
        channels = self.wanted.channels if decision.kind is UrlKind.ARTICLE else ()
        if channels and not any(in_channels(one, self.site, channels) for one in (url, page_url)):
            return _refused(decision.kind, Rejection.CHANNEL, "an article of another channel")
        return replace(decision, priority=decision.priority + POSITION_PRIORITY[link.position] + link.priority)

    def same_page(self, url: str) -> str | None:
        """Return another spelling of the address that this run asks for, where one is known by now.

        It is that without the parameters that change nothing, or with the final slash that the host's redirects add.
        """
        plain = self.site.clean_url(url)
        if plain != url:
            return None if self.recent.add(plain) else plain
        plain = self.forms.spell(url)
        return plain if plain != url and plain in self.recent else None

    def opens_sitemap(self, url: str, *, is_named: bool) -> bool:
        """Tell whether a sitemap is to be read; counts it.

        :param is_named: the site itself names it: it may be on another host.
        """
        if self._sitemaps_left <= 0 or not (is_named or self.site.covers(url)) or not self.recent.add(url):
            return False
        self._sitemaps_left -= 1
        self._n_sitemaps += 1
        return True

    @property
    def is_sitemap_ahead(self) -> bool:
        """Whether the sitemap opened last comes before pages: of many, or of long ones, the rest waits behind them."""
        times = HISTORY_TIMES if self.wanted.is_history else 1
        return self._n_sitemaps <= times * SITEMAPS_AHEAD and self.n_entries <= times * ENTRIES_AHEAD

    def opens_feed(self, url: str, *, is_named: bool) -> str:
        """Return ``asked`` for a feed to be read; ``spared`` where those of its pattern were dead; else ``""``."""
        if self._feeds_left <= 0 or not (is_named or self.site.covers(url)) or not self.recent.add(url):
            return ""
        pattern = url_pattern(url)
        if not is_named and self._dead_feeds[pattern] >= MAX_DEAD_FEEDS:
            return "spared"
        self._feeds_left -= 1
        self._asked_feeds[url] = pattern
        return "asked"

    def note_feed(self, url: str, *, is_dead: bool, is_read: bool) -> None:
        """Learn which patterns are of dead feeds: each tag's page may offer one that nobody made."""
        pattern = self._asked_feeds.pop(url, None)
        if pattern is not None and is_dead:
            self._dead_feeds[pattern] += 1
        elif pattern is not None and is_read:
            self._dead_feeds[pattern] = -self._feeds_left

    # --- learning ----------------------------------------------------------------------------------------

    def keep_hints(self, url: str, hints: dict[str, str]) -> None:
        """Remember what a feed or sitemap says of an address that a link had asked for before."""
        self._hints[url] = hints
        if len(self._hints) > MAX_HINTS:
            del self._hints[next(iter(self._hints))]

    def hints(self, url: str) -> dict[str, str]:
        """Return what is remembered of an address."""
        return self._hints.get(self.site.clean_url(canonicalize(url) or url), {})

    def take_hints(self, url: str) -> dict[str, str]:
        """Return what was remembered of an address asked for, and forget it."""
        return self._hints.pop(self.site.clean_url(canonicalize(url) or url), {})

    def adopt(self, asked: str, answered: str) -> bool:
        """Take in the host that a seed redirects to: the site lives there now. Tell whether it is a new one."""
        host = urlsplit(answered).hostname or ""
        if not self.site.covers(asked) or self.site.covers_host(host):
            return False
        self.site = replace(self.site, hosts=(*self.site.hosts, host))
        return True

    def note_answer(self, asked: str, redirected_from: str | None, url: str, transport_security: str) -> bool:
        """Learn from an answer how its host spells addresses; tell whether its links are asked for as https now."""
        self.forms.note(asked, url)
        host = self._schemes.sees(redirected_from or url, url, transport_security)
        if host is None or host in self.site.https_hosts:
            return False
        self.site = replace(self.site, https_hosts=self.site.https_hosts | {host})
        return True

    def note_canonical(self, redirected_from: str | None, url: str, canonical: str | None) -> int:
        """Learn which parameters the host's pages leave out of their own addresses; return how many are new."""
        if canonical is not None:
            self.forms.note_own(url, canonical)
        asked = canonicalize(redirected_from or url)
        if asked is None or "?" not in asked:
            return 0
        own = canonicalize(url)
        if own == asked:
            own = canonical
        return self._leave_out(self._parameters.sees(asked, own)) if own is not None else 0

    def note_article(self, url: str, headline: str, text: str) -> int:
        """Learn which parameters change nothing: those of two addresses with one text; return how many are new.

        :param text: the text, or a hash of it.
        """
        self.forms.note_text(url, text)
        n_new = self._leave_out(self._parameters.reads(url, headline, text))
        sessions = self._sessions.reads(url, headline, text)
        if wrong := self._parameters.find_needed(self.site.referrers):
            self.site = replace(self.site, referrers=self.site.referrers - wrong)
        if not sessions:
            return n_new
        referrers = self.site.referrers | {place for place in sessions if place[1][:1] not in "/;"}
        known = MappingProxyType({**self.site.sessions, **sessions})
        self.site = replace(self.site, referrers=referrers, sessions=known)
        for address in self._sessions.addresses:
            self.recent.add(self.site.clean_url(address))
        return n_new + len(sessions)

    def recall(self, stored: Iterable[tuple[str, str, str]], empty: Iterable[str] = ()) -> None:
        """Learn from what earlier runs read, before the first address is judged.

        :param stored: address, headline and hash of the text of each article.
        :param empty: addresses of pages that were no articles and listed no story.
        """
        self.traps.recall_empty(empty)
        for url, headline, text in stored:
            self.note_article(url, headline, text)
            self.traps.note(url, {}, is_article=True)
        self.recent = RecentUrls()

    def _leave_out(self, found: frozenset[tuple[str, str]]) -> int:
        if found:
            self.site = replace(self.site, referrers=self.site.referrers | found)
        return len(found)

    def note_page(
        self,
        url: str,
        text: str,
        links: Iterable[Link],
        *,
        is_article: bool,
        n_revisits: int = 0,
        called: str = "",
    ) -> None:
        """Learn what became of a page: hosts, families of addresses and lists that give nothing new are left.

        :param called: text of the link that led to it.
        :param n_revisits: pages of known addresses that are asked again in this run.
        """
        self.traps.n_revisits = n_revisits
        is_new = self.traps.note_text(url, text if is_article else "")
        anchors = {self.site.clean_url(link.url): link.anchor for link in links}
        self.traps.note(self.site.clean_url(url), anchors, is_article=is_article and is_new, called=called)


def _refused(kind: UrlKind, rejection: Rejection, why: str) -> UrlDecision:
    return UrlDecision(kind=kind, why=why, rejection=rejection)


_JUDGED_BEFORE: Final = _refused(UrlKind.UNKNOWN, Rejection.DUPLICATE, "judged before in this run")
