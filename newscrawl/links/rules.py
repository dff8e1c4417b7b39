"""Whether a link is worth following, and how soon: one decision, with its reason. Copies of an article never are."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words
from newscrawl.outcomes import Rejection
from newscrawl.urls.domains import zone_named
from newscrawl.urls.shape import UrlKind, list_days, sitemap_days, url_date, url_shape

if TYPE_CHECKING:
    from newscrawl.links.model import Link, ListedEntry
    from newscrawl.sites.model import NewsSite


#: Extensions of what is never a page. Scripts and styles too: their addresses appear in ``a href`` by mistake.
_FILE_TYPES = frozenset(
    """jpg jpeg jfif png gif bmp webp svg ico tif tiff avif heic psd eps raw
    mp3 m4a wav ogg oga aac flac wma mid amr aif aiff mp4 m4v mov avi wmv flv mkv webm mpg mpeg 3gp rmvb swf asf f4v
    m3u m3u8 ts vtt srt zip rar 7z gz tgz bz2 xz tar zst jar war cab torrent
    apk ipa exe msi dmg pkg deb rpm iso img bin
    pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub mobi azw3 djvu ps key pages csv tsv
    css js mjs json map wasm woff woff2 ttf otf eot ics vcf wsdl xsd dtd opml txt md log sql patch diff""".split()
)
#: What an address does in place of showing a page: forums and wikis have one or more of them for each post.
_ACTION = re.compile(
    r"""(?:^|&)(?:do|action|act|cmd|op|task|mode?)=(?: edit | delete | rename | move | log-?in | log-?out | register
      | reply
      | newreply | newthread | newtopic | quote | report | diff | revisions | history | backlink | subscribe
      | unsubscribe | vote | print | lostpw | lostpassword | info | redirect | logging | spacecp | viewprofile | email
      | sendpassword )(?:&|$)
      | (?:^|&)(?:oldid=\d | diff=(?:\d|prev|next|cur) | returnto= | redirect_to=
      | mod=space&(?:uid|username)=[^&]*$)""",
    re.VERBOSE | re.IGNORECASE,
)
#: Pages of a wiki that talk about pages, or make them up when asked: ``/wiki/Special:WhatLinksHere/Flood``.
_WIKI_PAGE = WordPattern(
    r"[/=](?:{pages.special}:(?!allpages|newpages|recentchanges|categories)|(?:\w+_)?{~pages.talk}:)", re.IGNORECASE
)
_SCHEME_END = len("https://")
#: Actions that the path names, or the part of the system that is asked: forms to log in, to reply, to tell a friend.
_ACTION_PATH = re.compile(
    r"""/(?:comments?/(?:reply|edit|delete|flag) | users?/(?:register|login|logout|password|reset)
      | account/(?:register|login|logout) | node/\d+/(?:edit|delete|revisions) | node/add)(?:/|$)
      | /plus/(?:stow|erraddsave|recommend|feedback|count|digg\w*|vote|guestbook|download|carbuyaction)\.php$
      | /e/(?:member|pl|tool|public|enews|DownSys|ShopSys|extend)/""",
    re.VERBOSE | re.IGNORECASE,
)
_ACTION_PART = re.compile(
    r"(?:^|&)(?:option=com_(?:mailto|users?|search|finder|contact)|m=(?:comment|member|mood|vote|digg|pay|poster))(?:&|$)",
    re.IGNORECASE,
)
#: A script that hands out files: ``/downfile.jsp?classid=0&filename=plan.doc``.
_DOWNLOAD = re.compile(r"/[^/?]*(?:down|attach)[^/?]*\?(?:.*[&=/])?[^&=/]+\.(\w+)(?:&|$)", re.IGNORECASE)
#: How much sooner a list of the time that is asked for comes than other links.
OF_THE_TIME = 200
#: How much sooner an article-like address is asked for than others found in the same place.
KIND_PRIORITY = {UrlKind.ARTICLE: 40, UrlKind.HUB: 20, UrlKind.UNKNOWN: 10, UrlKind.OTHER: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the user asked for."""

    since: datetime | None = None
    """Aware; articles published before are not wanted."""
    until: datetime | None = None
    """Aware; articles published at this moment or later are not wanted."""
    channels: tuple[str, ...] = ()
    """Names of the site's channels; empty: all."""
    max_url_length: int = 1024
    is_history: bool = False
    """Lists and sitemaps whose address names a time are chosen by it, and come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlDecision:
    """Whether to follow an address. ``why`` is one phrase for people, for either answer."""

    kind: UrlKind
    why: str
    rejection: Rejection | None = None
    priority: int = 0

    @property
    def follow(self) -> bool:
        return self.rejection is None


def judge_url(
    url: str, site: NewsSite, wanted: Wanted, *, published: date | None = None, modified: date | None = None
) -> UrlDecision:
    """Judge a canonical address by the site's rules and the user's wishes, without fetching anything.

    :param published: day or time a feed or sitemap states; it wins over the day in the address.
    :param modified: an upper bound of the time of publication: can be too early, never too late.
    """
    kind = site.url_kind(url) if site.covers(url) else UrlKind.UNKNOWN
    refusal = _unfit(url, site, wanted.max_url_length) or _refuse_unwanted(url, kind, site, wanted, published, modified)
    if refusal is not None:
        rejection, why = refusal
        return UrlDecision(kind=kind, why=why, rejection=rejection)
    priority = KIND_PRIORITY[kind]
    if wanted.is_history and kind is not UrlKind.ARTICLE and (days := list_days(url)) is not None:
        if outside := outside_days(days, wanted, site.timezone):
            return UrlDecision(kind=kind, why=outside[1], rejection=outside[0])
        priority += OF_THE_TIME
    return UrlDecision(kind=kind, why=f"{kind} by its address", priority=priority)


def _unfit(url: str, site: NewsSite, max_length: int) -> tuple[Rejection, str] | None:
    """Why nobody should ask the site for this address."""
    if not url.startswith(("http://", "https://")):
        return Rejection.SCHEME, "neither http nor https"
    if len(url) > max_length:
        return Rejection.URL_TOO_LONG, f"{len(url)} characters, limit {max_length}"
    if not site.covers(url):
        return Rejection.OFFSITE, f"not on {', '.join(site.hosts)}"
    address, _, query = url.partition("?")
    extensions = [address.rpartition(".")[2]]
    if query and (download := _DOWNLOAD.search(url)):
        extensions.append(download[1])
    for extension in extensions:
        if extension.lower() in _FILE_TYPES:
            return Rejection.FILE_TYPE, f"a .{extension} file"
    action = _ACTION_PATH.search(address)
    if not action and query:
        action = _ACTION.search(query) or _ACTION_PART.search(query)
    if not action and url.find(":", _SCHEME_END) > 0:
        action = _WIKI_PAGE.search(unquote(url), _SCHEME_END)
    if action:
        return Rejection.PATTERN, f"an action, {action[0].strip('&/=')}"
    denied = site.denied_by(url)
    return None if denied is None else (Rejection.PATTERN, f"denied by {denied}")


def _refuse_unwanted(
    url: str, kind: UrlKind, site: NewsSite, wanted: Wanted, published: date | None, modified: date | None
) -> tuple[Rejection, str] | None:
    """Why this user does not want it."""
    if wanted.channels and kind is not UrlKind.ARTICLE and not in_channels(url, site, wanted.channels):
        return Rejection.CHANNEL, f"outside the channels {', '.join(wanted.channels)}"
    if kind is not UrlKind.ARTICLE:
        return None
    if not (wanted.since or wanted.until):
        return None
    published = published or site.url_date(url)
    if published is None:
        return outside_dates(modified, replace(wanted, until=None), site.timezone)
    return outside_dates(published, wanted, site.timezone)


def in_channels(url: str, site: NewsSite, channels: tuple[str, ...]) -> bool:
    """Whether the address is one of the channels' hubs, or below one of them."""
    bare = url.partition("://")[2]
    return any(bare.startswith(prefix) for prefix in _channel_prefixes(tuple(site.channels[c] for c in channels)))


@lru_cache(maxsize=256)
def _channel_prefixes(hubs: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(url.partition("://")[2].rpartition("/")[0] + "/" for urls in hubs for url in urls)


def outside_dates(published: date | None, wanted: Wanted, timezone: str) -> tuple[Rejection, str] | None:
    """Compare a day or time of publication with what is wanted; an unknown one is inside.

    A day is the whole day in the site's zone: refused only when none of it is wanted.
    """
    if published is None:
        return None
    return _outside(published, published, f"published {published}", wanted, timezone)


def outside_days(days: tuple[date, date], wanted: Wanted, timezone: str) -> tuple[Rejection, str] | None:
    """Compare a span of days with what is wanted; one that overlaps it is inside."""
    return _outside(*days, f"of {days[0]} to {days[1]}", wanted, timezone)


def _outside(first: date, last: date, said: str, wanted: Wanted, timezone: str) -> tuple[Rejection, str] | None:
    if wanted.since and _span(last, timezone)[1] < wanted.since:
        return Rejection.BEFORE_SINCE, f"{said}, before {wanted.since:%Y-%m-%d %H:%M}"
    if wanted.until and _span(first, timezone)[0] >= wanted.until:
        return Rejection.AFTER_UNTIL, f"{said}, not before {wanted.until:%Y-%m-%d %H:%M}"
    return None


def lists_wanted(entry: ListedEntry, wanted: Wanted, timezone: str) -> bool:
    """Tell whether a sitemap may list articles that are wanted, by its last change and the time in its address."""
    old = outside_dates(entry.changed, wanted, timezone)
    days = sitemap_days(entry.url) if wanted.is_history else None
    is_outside = days is not None and outside_days(days, wanted, timezone) is not None
    return not is_outside and (old is None or old[0] is not Rejection.BEFORE_SINCE)


def _span(published: date, timezone: str) -> tuple[datetime, datetime]:
    """First and last moment that ``published`` can mean."""
    zone = zone_named(timezone) or UTC
    if isinstance(published, datetime):
        moment = published if published.tzinfo else published.replace(tzinfo=zone)
        return moment, moment
    return datetime.combine(published, time.min, tzinfo=zone), datetime.combine(published, time.max, tzinfo=zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedUrl:
    """One address that would be asked for; an item, so that ``-O plan.jsonl`` writes it."""

    url: str
    kind: str
    why: str
    source: str
    """``sitemap``, ``feed`` or ``link``."""
    found_on: str | None = None
    date: str | None = None
    priority: int = 0

    @classmethod
    def from_decision(
        cls, url: str, decision: UrlDecision, *, source: str, found_on: str | None, date: str | None = None
    ) -> Self:
        """:param date: what a feed or sitemap states; else the address may."""
        return cls(
            url=url,
            kind=str(decision.kind),
            why=decision.why,
            source=source,
            found_on=found_on,
            date=date or (day.isoformat() if (day := url_date(url)) else None),
            priority=decision.priority,
        )


# --- links to copies ----------------------------------------------------------------------------------------

_SUFFIX: Final = re.compile(
    r"(?:print|printable|print-?version|print-?view|printer-?friendly|drucken|druckversion|druckansicht"
    r"|imprimir|imprimer|impression|stampa|amp)(?:\.\w{2,5})?",
    re.IGNORECASE,
)
"""Last part of an address behind that of an article: ``/2024/05/some-story/print``."""
_SCRIPT: Final = re.compile(
    r"(?:print|drucken|imprimir|imprimer)(?:er)?(?:[-_]?(?:article|news|story|content|page|version|view|friendly))?"
    r"|(?:article|news|story|content|page|post)[-_]?print(?:er)?",
    re.IGNORECASE,
)
"""Name of a script that shows the article its query numbers: ``print.php?id=7``."""
_SWITCHES: Final = frozenset("print printable printpage printer printview printversion drucken imprimir amp".split())
_CHOICES: Final = frozenset("view format output outputtype mode type layout display style version".split())
_OFF: Final = frozenset(("0", "false", "no", "off"))
_COMMENTS: Final = frozenset("comment comments cmt pinglun comentarios kommentare commentaires".split())
"""Names of hosts, parts of paths and parameters."""
_COMMENTS_ANCHOR: Final = WordPattern(
    r"\W*+(?:\d[\d.,]*+\s*+(?:[kKmM万萬]\s*+)?(?:[条條]\s*+)?)?(?:{links.comments_before}\s*+)*+"
    r"{~links.comments}\W*+(?:\d[\d.,]*+\s*+[kKmM万萬]?)?\W*",
    re.IGNORECASE,
)
_ONE_COMMENT: Final = re.compile(r"/comments?/\d+/?", re.IGNORECASE)
"""A path below which content systems show an article once more, at one of its comments."""
_NUMBERED_PRINT: Final = re.compile(r"^https?://[^/]+/print(?:er|able|pdf|mail)?/(?:node/)?\d+/?$", re.IGNORECASE)
"""Addresses that print Drupal's pages, whatever they are called."""
_POPUP: Final = re.compile(r"(?:^|&)tmpl=component(?:&|$)", re.IGNORECASE)
"""Joomla's page without anything around it, for printing."""
_EDGES: Final = " \t\r\n\u00a0　[]()（）【】<>《》«»|:：.…·"
MAX_LABEL: Final = 40
"""A longer name of a link is a headline."""
_PARTS: Final = re.compile(r"[/.]")
MIN_CODE: Final = 6
"""Characters of a name, digits among them, that may stand behind other letters."""
_MARK: Final = re.compile(r"\d{3,}|[A-Za-z0-9_-]{8,}")
"""What an address calls its article: a number, a code, a slug."""


def copy_of(link: Link, page_url: str) -> str | None:
    """Tell why a link leads to another form of an article that has an address of its own, None where it does not.

    The address says so alone, or the link is called *Print* and names the article of the page it stands on, or it is
    called *Comments*, and its address as well.
    """
    if _is_copy(link.url):
        return "the address of a print or phone version, or of a comment"
    label = link.anchor.strip(_EDGES)
    if len(label) > MAX_LABEL:
        return None
    if label.lower() in words("links.print") and (_share_mark(page_url, link.url) or _NUMBERED_PRINT.search(link.url)):
        return f"a link called {label!r} to the same article"
    if _COMMENTS_ANCHOR.fullmatch(label) and _names_comments(link.url):
        return "comments by its name and address"
    return None


@lru_cache(maxsize=8192)
def _names_comments(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    names = {*parts.netloc.split(".")[:-2], *_PARTS.split(parts.path.lower())}
    names |= {name.lower() for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    return not names.isdisjoint(_COMMENTS)


@lru_cache(maxsize=8192)
def _is_copy(url: str) -> bool:
    """Tell whether an address is that of a print or phone version, or of a comment, by its form.

    >>> _is_copy("http://example.org/2024/05/some-long-story/print/"), _is_copy("http://example.org/print/")
    (True, False)
    """
    head, _, query = url.partition("#")[0].partition("?")
    scheme, _, rest = head.partition("://")
    host, _, path = rest.partition("/")
    before, _, last = unquote(f"/{path}").rstrip("/").rpartition("/")
    if query:
        pairs = [(name.lower(), value.lower()) for name, value in parse_qsl(query, keep_blank_values=True)]
        names = [(name, value) for name, value in pairs if value not in _OFF]
        if any(name in _SWITCHES or (name in _CHOICES and value in _SWITCHES) for name, value in names):
            return True
        if _POPUP.search(query) or (
            _SCRIPT.fullmatch(last.partition(".")[0]) and any(value.isdigit() for _, value in pairs)
        ):
            return True
    if _ONE_COMMENT.fullmatch(f"/{path}"):
        return True
    return bool(before and _SUFFIX.fullmatch(last)) and url_shape(f"{scheme}://{host}{before}") is UrlKind.ARTICLE


def _share_mark(url: str, other: str) -> bool:
    """Tell whether two addresses name one article, the one maybe by the end of the other's name: ``doc-i7f2a``."""
    marks, others = _marks(url), _marks(other)
    if not marks.isdisjoint(others):
        return True
    ends = ((name, end) for these, those in ((marks, others), (others, marks)) for name in these for end in those)
    return any(len(end) >= MIN_CODE and name.endswith(end) and any(map(str.isdigit, end)) for name, end in ends)


@lru_cache(maxsize=1024)
def _marks(url: str) -> frozenset[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return frozenset()
    return frozenset(_MARK.findall(f"{unquote(parts.path)}?{parts.query}"))
