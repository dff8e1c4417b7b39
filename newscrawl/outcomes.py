"""The end of each URL: an outcome of each that was to be requested, a reason of each refused, and their counts."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


class Outcome(StrEnum):
    """End of a URL that was to be requested, written once to ``pages.outcome``."""

    STORED = "stored"
    NOT_ARTICLE = "not_article"
    DUPLICATE = "duplicate"
    PART = "part"
    REDIRECTED = "redirected"
    ROBOTS = "robots"
    HTTP_ERROR = "http_error"
    REJECTED = "rejected"
    REFUSED = "refused"
    FAILED = "failed"


class Rejection(StrEnum):
    """Reason why a link was not followed, or an answer not used; counted in stats, shown by ``scrapy explain``."""

    OFFSITE = "offsite"
    SCHEME = "scheme"
    BAD_URL = "bad_url"
    URL_TOO_LONG = "url_too_long"
    FILE_TYPE = "file_type"
    PATTERN = "pattern"
    CHANNEL = "channel"
    BEFORE_SINCE = "before_since"
    AFTER_UNTIL = "after_until"
    LANGUAGE = "language"
    NOFOLLOW = "nofollow"
    DUPLICATE = "duplicate"
    DEPTH = "depth"
    BUDGET = "budget"
    TRAP = "trap"
    LIST_END = "list_end"
    LIMIT = "limit"
    ROBOTS = "robots"
    NOINDEX = "noindex"
    NOT_HTML = "not_html"
    TOO_LARGE = "too_large"
    EMPTY = "empty"
    SCRIPT_ONLY = "script_only"
    SHORT = "short"
    SOFT_404 = "soft_404"
    LOGIN = "login"
    CONSENT = "consent"
    NOTICE = "notice"
    TOO_SLOW = "too_slow"
    TOO_MUCH_MEMORY = "too_much_memory"
    READER_DIED = "reader_died"
    BROKEN = "broken"
    REDIRECT_LOOP = "redirect_loop"
    BLOCKED = "blocked"
    ADDRESS = "address"


#: Ends of addresses for which no request is sent.
UNASKED: Final = frozenset((Outcome.ROBOTS, Outcome.REFUSED))
#: Ends of addresses whose page came, whether it is kept or not.
FETCHED: Final = frozenset((Outcome.STORED, Outcome.NOT_ARTICLE, Outcome.DUPLICATE, Outcome.PART, Outcome.REJECTED))


class Addresses(NamedTuple):
    """Addresses, each once, as a report, the page of a run and the last lines of a crawl count them."""

    asked: int
    fetched: int
    stored: int


def count_addresses(outcomes: Mapping[str, int]) -> Addresses:
    """Count the addresses that were asked for, those whose page came, and those whose page is a kept article.

    >>> count_addresses({"stored": 3, "http_error": 1, "robots": 2})
    Addresses(asked=4, fetched=3, stored=3)
    """
    return Addresses(
        asked=sum(n for outcome, n in outcomes.items() if outcome not in UNASKED),
        fetched=sum(n for outcome, n in outcomes.items() if outcome in FETCHED),
        stored=outcomes.get(Outcome.STORED, 0),
    )


#: Reasons of pages without a story at the address of one.
ABSENCES: Final = frozenset((Rejection.SOFT_404, Rejection.LOGIN, Rejection.CONSENT, Rejection.NOTICE))

#: Meaning of each, for people: in reports, and in ``docs/outcomes.md``.
OUTCOMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        Outcome.STORED: "an article",
        Outcome.NOT_ARTICLE: "a list, a feed, a sitemap, robots.txt, a page of another kind",
        Outcome.DUPLICATE: "an article that repeats another, or a page that is as it was at the last visit",
        Outcome.PART: "a later page of a multi-page article, joined into the first one",
        Outcome.REDIRECTED: "led to another address, which has an outcome of its own",
        Outcome.ROBOTS: "forbidden by robots.txt, and not fetched",
        Outcome.HTTP_ERROR: "answered with an error: 404, 410, 500 …",
        Outcome.REJECTED: "answered, but refused: not HTML, too large, noindex, outside the asked dates …",
        Outcome.REFUSED: "not asked for: on a private network, off the site, neither http nor https …",
        Outcome.FAILED: "never answered, or broken beyond reading",
    }
)
REJECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        Rejection.OFFSITE: "on a host that is not the site's",
        Rejection.SCHEME: "neither http nor https",
        Rejection.BAD_URL: "no address that can be asked for",
        Rejection.URL_TOO_LONG: "longer than URLLENGTH_LIMIT",
        Rejection.FILE_TYPE: "images, archives, video … by the URL's extension",
        Rejection.PATTERN: "the site's rules deny it, or it edits, replies, compares",
        Rejection.CHANNEL: "outside the channels asked for",
        Rejection.BEFORE_SINCE: "older than asked for",
        Rejection.AFTER_UNTIL: "newer than asked for",
        Rejection.LANGUAGE: "not one of those asked for",
        Rejection.NOFOLLOW: "the page or the link asks not to be followed",
        Rejection.DUPLICATE: "judged before in this run; left out of reports",
        Rejection.DEPTH: "too many links away from the pages to start from",
        Rejection.BUDGET: "a host's or a URL pattern's allowance is used up",
        Rejection.TRAP: "calendar, repeated path segments, parameter explosion",
        Rejection.LIST_END: "further pages of a list that showed nothing new twice in a row",
        Rejection.LIMIT: "beyond the number of articles asked for; the next run asks again",
        Rejection.ROBOTS: "forbidden by robots.txt",
        Rejection.NOINDEX: "the page asks not to be kept; `NEWSCRAWL_OBEY_META_ROBOTS=False` keeps it all the same",
        Rejection.NOT_HTML: "another kind of file",
        Rejection.TOO_LARGE: "larger than DOWNLOAD_MAXSIZE",
        Rejection.EMPTY: "an answer without content",
        Rejection.SCRIPT_ONLY: "empty until its scripts run, and no body in its data",
        Rejection.SHORT: "an article with fewer letters than NEWSCRAWL_MIN_BODY",
        Rejection.SOFT_404: "a page that says it is not there, answered like one that is",
        Rejection.LOGIN: "a form that asks for a password in place of the story",
        Rejection.CONSENT: "a question for consent in place of the story",
        Rejection.NOTICE: "a notice in place of the story that was announced",
        Rejection.TOO_SLOW: "took longer to read than NEWSCRAWL_READ_SECONDS",
        Rejection.TOO_MUCH_MEMORY: "took more memory to read than NEWSCRAWL_READER_MEGABYTES",
        Rejection.READER_DIED: "the process that read it died",
        Rejection.BROKEN: "data loss, broken compression",
        Rejection.REDIRECT_LOOP: "redirects in a circle, or too many",
        Rejection.BLOCKED: "a page that only tests for a human reader",
        Rejection.ADDRESS: "a private or local network address",
    }
)
