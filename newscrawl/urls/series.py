"""Pages of one article, pages of one list, and the file that stands for a folder: what of an address is the same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from newscrawl.urls.canonical import host_of, without_index

MAX_PAGE_NUMBER: Final = 300
"""Larger numbers in an address are identifiers, not pages."""

_INDEX: Final = re.compile(r"/(?:index|default|content)$", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"\.(?:s?html?|php|aspx?|jsp|do|cgi)$", re.IGNORECASE)
_PATH_PAGE: Final = (
    re.compile(r"^(.+?)/(?:page|seite|pagina|pag|p)[-_/]?(\d{1,3})$", re.IGNORECASE),
    re.compile(r"^(.+?)/(?:slide|photo|foto|image|img|picture|pic|bild)[-_]?(\d{1,3})$", re.IGNORECASE),
    re.compile(r"^(.+?)[_-](?:page|seite|pagina|pag|p)[-_]?(\d{1,3})$", re.IGNORECASE),
    re.compile(r"^(.*?[^/])[_-](\d{1,3})$"),
    re.compile(r"^(.+?)[,;](\d{1,2})$"),
    re.compile(r"^(.*)/(\d{1,3})$"),
)
_NAMED_PAGE: Final = _PATH_PAGE[:1]
"""The form that counts pages by a folder of its own: ``/story/page/2/``."""
_DAY: Final = re.compile(
    r"(?:(?<!\d)|(?<=%[\dA-F]{2}))(?:19|20)\d\d[-_/](?:0?[1-9]|1[0-2])[-_/](?:0?[1-9]|[12]\d|3[01])$"
)
"""The day that an address ends with; its number counts no pages."""
_WHOLE: Final = re.compile(
    r"[_-](?:all|full|whole|0|q|qw|single)$|/(?:all|full|single-page|komplettansicht|view-all)$", re.IGNORECASE
)
_PAGE_PARAMETERS: Final = frozenset(
    (
        "page p pn pg pageno page_no pagenum page_num pagenumber pageindex currentpage curpage cur_page paged "
        "pagen_1 seite pagina strona sayfa s start limitstart "
        "slide photo foto image img picture pic bild"
    ).split()
)
_NUMBER: Final = re.compile(r"\d{1,9}")
_PAGER_LIST: Final = re.compile(r"(?:0,)+(\d{1,3})")
"""Drupal's page of one of several pagers: ``0,2`` is the third page of the second."""
_LIST_PAGE: Final = re.compile(
    r"/(?:page|pages|p|pn|list|index|default)[-_/]?\d{1,5}(?:\.\w{2,5})?/?$|/(?:list|index|default)(?:\.\w{2,5})?$",
    re.IGNORECASE,
)
_LIST_SUFFIX: Final = re.compile(r"[-_]\d{1,4}(?=(?:\.\w{2,5})?$)")
_LIST_PARAMETERS: Final = frozenset("page p paged pageno pageindex pg pn start offset from".split())
_WHOLE_PARAMETERS: Final = frozenset(
    "all full showall show_all single viewall view_all singlepage pagewanted onepage".split()
)


def series_key(url: str) -> tuple[str, int]:
    """Return what all pages of one article have in common, and the page's number (1 where the address has none).

    The key leaves out scheme, ``www.``, file extension, page number and fragment. It says "may belong together",
    not more: ``article-15.html`` and ``article-16.html`` share a key.

    >>> series_key("http://news.example.com/a/123_2.html")
    ('news.example.com/a/123', 2)
    >>> series_key("https://www.example.com/story?id=7&page=3")
    ('example.com/story?id=7', 3)
    """
    key, number = series_and_number(url)
    return key, 1 if number is None else number


@lru_cache(maxsize=4096)
def series_and_number(url: str) -> tuple[str, int | None]:
    """Return the series and the page number of an address; the number is None if the address has none."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return url, None
    stem, number = _stem(parts.path), None
    path = _INDEX.sub("", stem)
    counted_so = () if _DAY.search(path) else _PATH_PAGE if path == stem else _NAMED_PAGE
    for match in filter(None, (pattern.match(path) for pattern in counted_so)):
        if int(match[2]) <= MAX_PAGE_NUMBER:
            path, number = _INDEX.sub("", match[1]), int(match[2])
            break
    query = []
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        lower = name.lower()
        listed = _PAGER_LIST.fullmatch(value)
        counted = listed[1] if listed else value
        if lower in _PAGE_PARAMETERS and _NUMBER.fullmatch(counted) and int(counted) <= MAX_PAGE_NUMBER:
            number = int(counted) + (listed is not None)
        elif lower in _WHOLE_PARAMETERS or (lower in _PAGE_PARAMETERS and value in {"all", "full"}):
            continue
        else:
            query.append((name, value))
    key = host + path + ("?" + urlencode(sorted(query)) if query else "")
    return key, number


def numbered_in(series: str, url: str) -> tuple[str, int | None]:
    """Return the :func:`series_and_number` of an address that may belong to ``series``, the key of another page.

    A number at the end of an article's own address counts nothing where further pages have theirs behind it.

    >>> numbered_in("example.com/top-10", "https://example.com/top-10/")
    ('example.com/top-10', None)
    """
    return (series, None) if _whole_address(url) == series else series_and_number(url)


@lru_cache(maxsize=4096)
def _whole_address(url: str) -> str:
    """Return the key that ``url`` would have if no number in its path counted pages."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return url
    return host + _stem(parts.path) + (f"?{parts.query}" if parts.query else "")


def _stem(path: str) -> str:
    return _EXTENSION.sub("", path.rstrip("/"))


def whole_key(url: str) -> str:
    """Return the key of an address that shows an article on one page, its marker (``_all``, ``?page=all``) left out."""
    parts = urlsplit(url)
    stem = _WHOLE.sub("", _stem(parts.path))
    return series_and_number(parts._replace(path=stem).geturl())[0]


def same_host(first: str, second: str) -> bool:
    """Tell whether two addresses are on one host, ``www.`` or not."""
    hosts = [host_of(url).removeprefix("www.") for url in (first, second)]
    return bool(hosts[0]) and hosts[0] == hosts[1]


def is_later_page(url: str) -> bool:
    """Tell whether a part of its own at the end of an address counts a page behind the first.

    >>> [is_later_page(f"http://e.org/{path}") for path in ("page/2/", "news/seite-3", "news/index_2.html", "page/1/")]
    [True, True, False, False]
    """
    match = _NAMED_PAGE[0].match(_whole_address(url))
    return match is not None and int(match[2]) > 1


_FIRST_PAGE: Final = re.compile(r"/page/1(?=/?$)")


def first_page(url: str) -> str:
    """Return the address of a list without what calls a page its first; other addresses as they are.

    Numbers in a query say less: some sites count from 0 there.

    >>> first_page("http://e.org/tag/x/page/1/"), first_page("http://e.org/tag/x/page/12/")
    ('http://e.org/tag/x/', 'http://e.org/tag/x/page/12/')
    """
    return _FIRST_PAGE.sub("", url)


@lru_cache(maxsize=8192)
def list_of(url: str) -> str:
    """Return the address without what numbers a page of a list: the pages of one list have the same.

    >>> list_of("http://e.org/tag/x/page/3/index.html"), list_of("http://e.org/news/index_2.html")
    ('e.org/tag/x', 'e.org/news')
    >>> list_of("http://e.org/l?page=4")
    'e.org/l'
    """
    head, _, query = url.partition("://")[2].partition("?")
    path = without_index(head).rstrip("/")
    path = (_LIST_PAGE.sub("", path) if _LIST_PAGE.search(path) else _LIST_SUFFIX.sub("", path)).rstrip("/")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0].lower() not in _LIST_PARAMETERS]
    return path + ("?" + "&".join(kept) if kept else "")


_COUNTED: Final = re.compile(r"(?<!\d)\d{1,6}(?!\d)")
_ESCAPED: Final = re.compile(r"%[\dA-Fa-f]{2}")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_IN_DATE: Final = re.compile(r"[-_/.]|&[a-z_-]{1,20}=", re.IGNORECASE)
"""What stands between the numbers of one date."""


@lru_cache(maxsize=8192)
def counted_places(url: str) -> tuple[tuple[str, str], ...]:
    """Return what stands before and behind each number that may count the pages of a list; the days of a year do not.

    >>> counted_places("http://e.org/list_2.html?cat=7")
    (('http://e.org/list_', '.html?cat=7'), ('http://e.org/list_2.html?cat=', ''))
    >>> counted_places("http://e.org/agenda/2024/05/18"), counted_places("http://e.org/2024/05/page/3/")
    ((), (('http://e.org/2024/05/page/', '/'),))
    """
    start = url.find("/", url.find("://") + 3)
    places = []
    n_of_date, end = 0, 0
    plain = _ESCAPED.sub("%zz", url)
    for number in _COUNTED.finditer(plain, start) if start > 0 else ():
        follows = 0 < n_of_date < 3 and _IN_DATE.fullmatch(url[end : number.start()])
        n_of_date = n_of_date + 1 if follows and int(number[0]) <= 31 else int(bool(_YEAR.fullmatch(number[0])))
        end = number.end()
        if not n_of_date:
            places.append((url[: number.start()], url[end:]))
    return tuple(places[-4:])


_PAGER: Final = re.compile(
    r"createPageHTML\w{0,40}\(\s*(?P<place>[\"'][^\"']*[\"']\s*,\s*)?(?P<pages>\d{1,4})\s*,\s*(?P<page>\d{1,4})\s*,"
    r"\s*[\"'](?P<name>[\w-]{1,80})[\"']\s*,\s*[\"'](?P<extension>\w{2,5})[\"']"
)
"""TRS's call for links to the pages of a list. Where the place to write them to comes first, pages count from 1, else
from 0; the second page is called ``index_1`` or ``index_2`` for that.
"""
_PAGER_PAGE: Final = re.compile(r"\bcurrentPage\s*=\s*(\d{1,4})\s*[;,/]")
_PAGER_PAGES: Final = re.compile(r"\bcountPage\s*=\s*(\d{1,4})\s*[;,/]")
_PAGER_NAME: Final = re.compile(
    r"""\b(\w{1,80})["']?\s{0,9}\+?\s{0,9}["']?_["']\s*\+\s*nextPage\s*\+\s*["']\.["']?\s*+(?:\+\s*+)?["']?(\w{2,5})\b"""
)
"""A pager's script that writes the address out, as on older pages."""


def next_in_script(text: str) -> str | None:
    """Return the relative address of the next page, of a list or an article, None where the script writes none.

    >>> [next_in_script(f"createPageHTML(3, {page}, 'index', 'html');") for page in (0, 2)]
    ['index_1.html', None]
    """
    if "Page" not in text:
        return None
    call = _PAGER.search(text) if "createPageHTML" in text else None
    if call is not None:
        following = int(call["page"]) + 1
        is_last = following >= int(call["pages"]) + bool(call["place"])
        return None if is_last else f"{call['name']}_{following}.{call['extension']}"
    if "currentPage" not in text or "countPage" not in text:
        return None
    pages, page = _PAGER_PAGES.search(text), _PAGER_PAGE.search(text)
    name = _PAGER_NAME.search(text) if pages and page else None
    if not (pages and page and name) or int(page[1]) + 1 >= int(pages[1]):
        return None
    return f"{name[1]}_{int(page[1]) + 1}.{name[2]}"
