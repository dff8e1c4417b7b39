"""Is a link one to the same article once more: for the printer, for phones, or for its comments alone?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from newscrawl.links.model import Link

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
