"""What the shape of an address says about the page behind it: a prior, before the page itself is seen.

Each rule is one idea about how news systems and blogs name their pages; none knows a site.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

from newscrawl.languages.characters import SPACELESS_LETTER
from newscrawl.languages.tables import words
from newscrawl.urls.canonical import without_index


class UrlKind(StrEnum):
    ARTICLE = "article"
    HUB = "hub"  # lists other pages: home, channel, tag, archive, pagination
    OTHER = "other"  # neither: log-in, search, comments, about
    UNKNOWN = "unknown"


#: Path segments that name lists of pages.
HUB_WORDS = frozenset(
    """tag tags category categories cat author authors user users profile people column columnist columnists
    channel channels section sections topic topics subject list lists index home archive archives page pages
    latest hot rank ranking roll more series collection collections keyword keywords newsletter newsletters
    special specials zt zhuanti feed feeds rss atom sitemap label labels blogs group groups date""".split()
)
#: Names of the pages on which a site speaks of itself, or asks its readers for something.
SITE_WORDS = frozenset(
    """login logout signin sign-in signup sign-up register registration search subscribe help faq
    password-reset reset-password resetpassword password_reset reset_password forgot-password forgotpassword
    forgot_password lost-password lostpassword lost_password recover-password recover_password password-recovery
    create-account createaccount create_account my-account myaccount my_account
    about aboutus about-us about-me contact contacts contactus contact-us privacy privacy-policy privacy-notice terms
    terms-of-service terms-of-use terms-and-conditions copyright legal-notice imprint impressum disclaimer cookies
    cookie-policy accessibility accessibility-statement editorial-policy masthead advertise-with-us write-for-us
    """.split()
)
#: Path segments that name pages a news reader never wants as articles.
OTHER_WORDS = SITE_WORDS | frozenset(
    """legal account passport auth oauth help faq support advertise
    advertising ads adv jobs careers subscribe subscription cart checkout shop store search so s.php download
    downloads app apps print comment comments reply api cgi-bin wp-admin wp-login.php wp-json xmlrpc.php ajax
    redirect go goto share mailto forum forums bbs thread threads viewthread newreply member members calendar
    sitemap.html weather games game lottery video videos photo photos gallery galleries slideshow live""".split()
)
#: First names of hosts, below a site's own, whose pages are never news.
OTHER_HOSTS = frozenset(
    """comment comments pinglun login passport account accounts auth sso search mail shop store bbs forum forums
    ad ads""".split()
)
#: Names of hosts on which a site has a channel, sells its app, or takes gifts.
CHANNEL_HOSTS = frozenset(
    """facebook fb twitter x instagram threads t telegram whatsapp wa youtube youtu linkedin line lin weibo tiktok vk
    viber zalo kakao discord bsky play apps itunes news patreon paypal buymeacoffee ko-fi steadyhq liberapay
    donorbox opencollective""".split()
)
_CHANNEL_TOPS = frozenset("com me be ee org net ru page gg app google apple".split())
_COMMENT_HOSTS = frozenset(("comment", "comments", "pinglun"))
#: Path segments under which articles stand.
ARTICLE_WORDS = frozenset(
    """article articles a story stories post posts news p content detail details read view blog node entry
    archive archives opinion review reviews press-release press-releases releases essay""".split()
)
#: Query parameters that number an article.
_ID_PARAMETERS = frozenset("p id aid nid newsid news_id articleid article_id docid storyid tid contentid".split())
#: Digits of ``p`` below a folder, where it counts the pages of a list.
_PAGE_DIGITS = 3
_SEARCH_PARAMETERS = frozenset("s q query search keyword keywords wd kw".split())
_PAGE_PARAMETERS = frozenset("page paged pageno pageindex pagen_1 start offset cat category tag tags".split())

_EXTENSION = re.compile(r"\.(?:s?html?|xhtml|php\d?|aspx?|jspx?|do|cgi|ece|story|page|amp)$", re.IGNORECASE)
_INDEX = re.compile(
    r"(?:index|default|home|main|list|channel|more)(?:[-_]?\d++){0,2}|node(?:_\d++){1,2}", re.IGNORECASE
)
_NUMBERED_ARTICLE = re.compile(
    r"(?:article|art|news|story|post|content|doc|detail|blog|c|t|n|p|a)-?\w++(?<=\d)(?:-\d++(?:_\d++)*+)*+"
)
_HEX_ID = re.compile(r"(?=.*\d)[0-9a-f]{7,64}")
_CODE_ID = re.compile(r"(?=\D*\d)(?=[^A-Z]*[A-Z])[A-Z0-9]{9,}")
_LONG_NUMBER = re.compile(r"(?<!\d)\d{5,}(?!\d)")
_WORDS = re.compile(r"[^\W\d_]+(?:'[a-z])?")
_DIGITS = re.compile(r"\d+")
#: The last part of a path that names its page by words: at least three.
_SLUG = re.compile(r"(?<![^/._-])[^/._-]++(?:[_-][^/._-]++){2,}")
_YEAR = re.compile(r"(?:19[89]\d|20[0-4]\d)")

#: Words behind a number that begins a folder's name: of ``/2021/08/10-ways-to-cook-rice/`` it is no day.
NUMBERED_WORDS = r"(?:(?<=/\d)|(?<=/[1-3]\d))[-_][^\W\d]"
_DAY = rf"(?P<d>0?[1-9]|[12]\d|3[01])(?!\d|{NUMBERED_WORDS})"
_DATE_PATTERNS = (
    re.compile(rf"(?<!\d)(?P<y>19[89]\d|20[0-4]\d)[-_/.](?P<m>0?[1-9]|1[0-2])[-_/.]{_DAY}"),
    re.compile(rf"(?<!\d)(?P<y>19[89]\d|20[0-4]\d)[-_/.]?(?P<m>0[1-9]|1[0-2])[-_/.]?(?=\d\d){_DAY}"),
)
_MONTH = re.compile(r"(?<!\d)(?:19[89]\d|20[0-4]\d)[-_/](?:0?[1-9]|1[0-2])(?!\d)")


def url_date(url: str) -> date | None:
    """Return the day written in the path (not in the host or query), or None.

    >>> url_date("https://news.example.org/c/2019-09-07/doc-x.shtml")
    datetime.date(2019, 9, 7)
    """
    path = urlsplit(url).path
    for pattern in _DATE_PATTERNS:
        match = pattern.search(path)
        if match:
            try:
                return date(int(match["y"]), int(match["m"]), int(match["d"]))
            except ValueError:  # 31 February
                continue
    return None


@lru_cache(maxsize=1 << 14)
def url_shape(url: str) -> UrlKind:
    """Judge an address of an unknown site by its shape alone.

    >>> url_shape("http://example.org/article-1-1.html"), url_shape("http://example.org/tag/linux/")
    (<UrlKind.ARTICLE: 'article'>, <UrlKind.HUB: 'hub'>)
    """
    head, _, query = url.partition("#")[0].partition("?")
    host, _, path = head.partition("://")[2].partition("/")
    path = unquote(f"/{path}")
    segments = [segment for segment in path.split("/") if segment]
    by_query = _kind_of_query(query, segments) if query else None
    labels = host.split(".")
    if len(labels) > 2 and labels[0] in OTHER_HOSTS:
        return UrlKind.OTHER
    if by_query is not None:
        return by_query
    if not query and without_index(path) != path:  # an index file with a query is a script
        return _kind_of_folder(segments[:-1])
    return _kind_of_path(segments, directory=path.endswith("/")) if segments else UrlKind.HUB


def is_about_site(url: str) -> bool:
    """Tell whether an address names a page on which the site speaks of itself: who makes it, what it does with data;
    or its readers do, on a host of their comments.

    >>> is_about_site("https://example.org/en/about-us.html"), is_about_site("https://example.org/2024/05/about/")
    (True, False)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.netloc.partition(".")[0] in _COMMENT_HOSTS:
        return True
    path = without_index(unquote(parts.path))
    segments = [segment.lower() for segment in _EXTENSION.sub("", path).split("/") if segment]
    return 0 < len(segments) <= 2 and (segments[-1] in SITE_WORDS or segments[-1] in _own_words())


def is_service(href: str, url: str | None) -> bool:
    """Tell whether a link on a page leads to what its site offers: mail, a page of its own, a channel, an app, gifts.

    :param url: address of the page; without one, only channels, apps and gifts count.

    >>> page = "https://example.org/2024/05/a-story.html"
    >>> [is_service(href, page) for href in ("/subscribe", "mailto:a@e.org", "https://t.me/e", "/2024/b-story/")]
    [True, True, True, False]
    """
    try:
        parts, own = urlsplit(href.strip()), urlsplit(url or "")
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return url is not None
    host = parts.netloc.lower().removeprefix("www.").split(":")[0]
    if host and host != own.netloc.lower().removeprefix("www.").split(":")[0]:
        name, _, top = host.partition(".")
        return name in CHANNEL_HOSTS and top in _CHANNEL_TOPS | {"google.com", "apple.com"}
    path = parts.path.strip("/")
    is_page = bool(path) and "/" not in path and not any(map(str.isdigit, path))
    return url is not None and parts.scheme in {"", "http", "https"} and is_page and not _is_slug(path)


@cache
def _own_words() -> frozenset[str]:
    """Return the names of such pages in other languages than English."""
    return frozenset(words("pages.addresses"))


def is_other_word(segment: str) -> bool:
    """Tell whether a part of a path names pages that a news reader never wants as articles."""
    return segment in OTHER_WORDS or segment in _own_words()


def _kind_of_query(query: str, segments: list[str]) -> UrlKind | None:
    """What the parameters say, or None when they say nothing."""
    names = {name.lower(): value for name, value in parse_qsl(query, keep_blank_values=True)}
    named = {_EXTENSION.sub("", segment.lower()) for segment in segments}
    if names.keys() & _SEARCH_PARAMETERS or any(map(is_other_word, named)):
        return UrlKind.OTHER
    if segments and _EXTENSION.sub("", segments[-1].lower()) in {"story", "article", "viewarticle"}:
        return UrlKind.ARTICLE
    if names.keys() == {"p"} and segments and len(names["p"]) <= _PAGE_DIGITS and "." not in segments[-1]:
        return UrlKind.HUB
    if any(names[name].isdigit() for name in names.keys() & _ID_PARAMETERS):
        return UrlKind.HUB if named & (HUB_WORDS - {"index", "home", "archives", "archive"}) else UrlKind.ARTICLE
    return UrlKind.HUB if names.keys() & _PAGE_PARAMETERS else None


def _kind_of_folder(segments: list[str]) -> UrlKind:
    """Return what a folder with an index file is: a hub, unless it has a date or is named by a headline.

    A number alone names a day, ``/2013/09/05/``, or a special topic, ``/zt/16902462/``. Sections have names of up to
    four words, ``/middle-east-and-africa/``.
    """
    kind = _kind_of_path(segments, directory=True) if segments else UrlKind.HUB
    if kind is UrlKind.OTHER:
        return kind
    above, name = "/".join(segments[:-1]), segments[-1] if segments else ""
    is_named = any(map(str.isalpha, name))
    is_dated = any(pattern.search(above) for pattern in _DATE_PATTERNS) or (
        is_named and any(pattern.search(f"{above}/{name}") for pattern in (*_DATE_PATTERNS, _MONTH))
    )
    words = name.replace("_", "-")
    is_headline = _is_slug(name) and (len(_WORDS.findall(words)) > 4 or len(SPACELESS_LETTER.findall(name)) >= 8)
    return UrlKind.ARTICLE if kind is UrlKind.ARTICLE and (is_dated or is_headline) else UrlKind.HUB


def _kind_of_path(segments: list[str], *, directory: bool) -> UrlKind:
    last = segments[-1]
    stem = _EXTENSION.sub("", last)
    has_extension = stem != last
    lower = [segment.lower() for segment in segments[:-1]]
    if any(map(is_other_word, (stem.lower(), last.lower(), *lower[:1]))):
        return UrlKind.OTHER
    if _INDEX.fullmatch(stem) or stem.lower() in HUB_WORDS:
        return UrlKind.HUB
    if _is_list(segments, lower, stem, has_extension=has_extension):
        return UrlKind.HUB
    if _is_article(segments, lower, stem, has_extension=has_extension):
        return UrlKind.ARTICLE
    if (directory or not has_extension) and len(segments) <= 3 and not any(c.isdigit() for c in stem):
        return UrlKind.HUB if len(_WORDS.findall(stem)) <= 2 else UrlKind.UNKNOWN
    return UrlKind.UNKNOWN


def _is_list(segments: list[str], lower: list[str], stem: str, *, has_extension: bool) -> bool:
    """Tags, categories, authors, pagination, and archives by date."""
    days = segments[1:] if lower and lower[0] in {"archive", "archives"} else segments
    if all(segment.isdigit() for segment in days) and _YEAR.fullmatch(days[0]) and len(days) <= 3:
        return True
    if lower and lower[-1] in {"page", "pages", "p"} and stem.isdigit() and len(stem) <= 4 and not has_extension:
        return True
    named = [i for i, segment in enumerate(lower) if segment in HUB_WORDS and segment not in ARTICLE_WORDS]
    if not named:
        return False
    below = segments[named[-1] + 1 :]
    # /topics/2024/03/05/a-long-story is a story under a topic; /tags/a-long-story is a tag
    return not any(_YEAR.fullmatch(segment) for segment in below) and not (
        has_extension and (_LONG_NUMBER.search(stem) or _CODE_ID.fullmatch(stem))
    )


def _is_article(segments: list[str], lower: list[str], stem: str, *, has_extension: bool) -> bool:
    path = "/".join([*segments[:-1], stem])
    # /2013/09/05/ is a day's archive; /2013/0905/17.html and /2016_5_21/ are pages of a day
    is_archive = not has_extension and all(segment.isdigit() for segment in [*segments[:-1], stem])
    if not is_archive and any(pattern.search(path) for pattern in _DATE_PATTERNS):
        return True
    if _MONTH.search("/".join(segments[:-1])) and not stem.isdigit():
        return True
    if _CODE_ID.fullmatch(stem) or _HEX_ID.fullmatch(stem) or _LONG_NUMBER.search(stem):
        return True
    if _is_slug(stem):
        return True
    if has_extension and _NUMBERED_ARTICLE.fullmatch(stem.lower()):
        return True
    named = any(segment in ARTICLE_WORDS for segment in lower)
    return named and (any(c.isdigit() for c in stem) or len(_WORDS.findall(stem)) >= 2 or len(lower) >= 2)


def _is_slug(stem: str) -> bool:
    """A headline in the address: three words or more, or eight CJK characters."""
    text = stem.replace("_", "-")
    return (text.count("-") >= 2 and len(_WORDS.findall(text)) >= 3) or len(SPACELESS_LETTER.findall(stem)) >= 8


def url_form(target: str) -> str:
    """Return an address without what differs from page to page: numbers, titles, values of parameters.

    :param target: an address without its scheme.

    >>> url_form("e.org/2024/05/12-a-new-bridge-opens.html?id=7"), url_form("e.org/tag/linux")
    ('e.org/0/0/*.html?id', 'e.org/tag/linux')
    """
    path, _, query = target.partition("?")
    folder, slash, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    name = _SLUG.sub("*", stem or name) + (dot + extension if stem else "")
    names = "&".join(sorted({part.partition("=")[0] for part in query.split("&") if part}))
    return _DIGITS.sub("0", folder + slash + name) + (f"?{names}" if names else "")


_NAMED_YEAR = r"(?P<y>19[89]\d|20\d\d)"
_NAMED_MONTH = r"(?P<m>1[0-2]|0[1-9]|(?<=[-_./])[1-9](?!\d))"
_NAMED_DAY = r"(?P<d>3[01]|[12]\d|0[1-9]|(?<=[-_./])[1-9](?!\d))"
#: A folder of a year, a month or a day: ``/2019/``, ``/2019/05/12``, ``/2019-05``, ``/20190512.html``.
_LIST_TIME = re.compile(
    rf"/{_NAMED_YEAR}(?:[/-]?{_NAMED_MONTH}(?:[/-]?{_NAMED_DAY})?)?"
    r"(?:/?(?:\.\w{2,5})?(?:[?#]|$)|/(?:index|page[/-]?\d|\d{1,3}/?$))"
)
_ASKED_TIME = re.compile(rf"{_NAMED_YEAR}(?:-?{_NAMED_MONTH}(?:-?{_NAMED_DAY})?)?")
_ASKED_YEAR, _ASKED_MONTH, _ASKED_DAY = (
    ("year", "yr", "yyyy", "y"),
    ("month", "mon", "mo", "mm", "m"),
    ("day", "dd", "d"),
)
_SITEMAP_TIME = re.compile(rf"(?<!\d){_NAMED_YEAR}(?:[-_./]?{_NAMED_MONTH}(?:[-_./]?{_NAMED_DAY})?)?(?!\d)")


def list_days(url: str) -> tuple[date, date] | None:
    """Return the first and the last day that the address of a list names in a folder or a parameter of its own.

    >>> [str(day) for day in list_days("https://example.org/archive/2019/02/") or ()]
    ['2019-02-01', '2019-02-28']
    """
    return _asked_days(url) or _days(_LIST_TIME.search(url))


def sitemap_days(url: str) -> tuple[date, date] | None:
    """Return the first and the last day that the address of a sitemap names, wherever: ``/post-2019-05.xml``."""
    return _asked_days(url) or _days(_SITEMAP_TIME.search(url.partition("://")[2]))


def _asked_days(url: str) -> tuple[date, date] | None:
    """Return the days that the parameters of an address ask for: ``?date=2019-05-12``, ``?year=2019&month=5``."""
    asked = {name.lower(): value for name, value in parse_qsl(url.partition("?")[2])}
    names = ("date", "dt", *_ASKED_DAY, *_ASKED_MONTH, *_ASKED_YEAR)
    whole = next((asked[name] for name in names if len(asked.get(name, "")) > 3), "")
    month, day = (next((asked[name] for name in names if name in asked), "") for names in (_ASKED_MONTH, _ASKED_DAY))
    parts = [whole, month, day] if len(whole) == 4 else [whole]
    return _days(_ASKED_TIME.fullmatch("-".join(part for part in parts if part)))


def _days(found: re.Match[str] | None) -> tuple[date, date] | None:
    if found is None:
        return None
    year, month, day = int(found["y"]), int(found["m"] or 0), int(found["d"] or 0)
    try:
        if month and day:
            return date(year, month, day), date(year, month, day)
        first = date(year, month or 1, 1)
        after = date(year + month // 12, month % 12 + 1, 1) if month else date(year + 1, 1, 1)
    except ValueError:
        return None
    return first, after - timedelta(days=1)
