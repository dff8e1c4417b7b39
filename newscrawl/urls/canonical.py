"""One spelling for each address, so that a page is asked for once; and what the references of a page are relative to.

RFC 3986 §6.2 (syntax-based normalisation) and the WHATWG URL parser where browsers are kinder than the RFC
(backslashes, white space, non-ASCII). The order of parameters is kept: some servers read it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.html import HtmlElement

    from newscrawl.page.document import Document


_PATH: Final = r"[\w.~%+,@:=/-]*(?:\?[\w.~%+,@:=/&-]+)?(?:#[\w.~%+,@:=/-]+)?"
_ORDINARY: Final = re.compile(rf"https?://[A-Za-z0-9.-]+(?:/{_PATH})?")
_ORDINARY_PATH: Final = re.compile(rf"/(?!/){_PATH}")
_ORDINARY_RELATIVE: Final = re.compile(r"((?:\.\./)*)" rf"(?=[\w~%+,@=-]+(?:[./?#]|$)){_PATH}")
_ORIGIN: Final = re.compile(r"(https?://[A-Za-z0-9.-]+)(?:[/?#]\S*)?")


def joined_at_once(href: str, base: str | None) -> str | None:
    """Return what ``urljoin(base, href)`` gives for a plain http(s) address or path, at a tenth of its cost.

    None for what ``urljoin`` has to look at: dots and empty parts within a path, unusual characters.
    """
    origin = _origin_of(base)
    if origin is None:
        return None
    if href[:1] == "/":
        return origin + href if origin and "/." not in href and _ORDINARY_PATH.fullmatch(href) else None
    if _ORDINARY.fullmatch(href):
        return href
    relative = _ORDINARY_RELATIVE.fullmatch(href) if base and "//" not in href else None
    if relative is None or "/." in href[relative.end(1) :]:
        return None
    return _folder_of(base, relative[1] or "./") + href[relative.end(1) :]


@lru_cache(maxsize=1024)
def _folder_of(base: str, steps: str) -> str:
    """Return the folder that some steps up from an address lead to."""
    return urljoin(base, steps)


@lru_cache(maxsize=1024)
def _origin_of(base: str | None) -> str | None:
    """Return the scheme and host of a base address, ``""`` where there is none; None for an unusual one."""
    found = _ORIGIN.fullmatch(base) if base else None
    return found[1] if found else None if base else ""


def absolute(href: str, base: str | None) -> str | None:
    """Return the http(s) address that ``href`` means on a page with the base address ``base``, None where it is none.

    >>> absolute("../b.html", "http://example.org/a/c.html"), absolute("mailto:a@example.org", None)
    ('http://example.org/b.html', None)
    """
    href = href.strip()
    if address := joined_at_once(href, base):
        return address
    try:
        address = _joined(base or "", href)
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return None
    return address if parts.scheme in {"http", "https"} and host else None


def _joined(base: str, url: str) -> str:
    """Return ``urljoin(base, url)``, ``""`` for a relative one on a base of more folders than any site has.

    ``urljoin`` takes such a base apart for each link.
    """
    if base.count("/") > _MAX_FOLDERS and not _ABSOLUTE.match(url):
        origin = _origin(base) if url[:1] == "/" else None
        return urljoin(origin, url) if origin else ""
    return urljoin(base, url)


def base_address(document: Document) -> str | None:
    """Return the address that the page's references are relative to; None if it has no address of its own.

    To be called through :meth:`Document.once`.
    """
    return _first_base(document.by_tag["base"], document.url)


def base_of(root: HtmlElement | None, url: str | None) -> str | None:
    """Return what the first ``<base href>`` below ``root`` states, read against ``url``; else ``url``.

    Browsers read the base of any ``base`` element that has a ``href``, wherever it stands, and the first one alone.
    One of more folders than any site has is not heard.
    """
    return url if root is None else _first_base(root.iter("base"), url)


def _first_base(elements: Iterable[HtmlElement], url: str | None) -> str | None:
    for element in elements:
        href = element.get("href")
        if href is not None:
            stated = absolute(href[: _MAX_LENGTH + 1], url) or ""
            return url if len(stated) > _MAX_LENGTH or stated.count("/") > _MAX_FOLDERS else stated or url
    return url


#: Parameters that say who sent the reader, never which page it is.
_TRACKING = re.compile(
    r"""(?: utm_\w* | _?hs\w*enc | _hsmi | hsa_\w+ | mtm_\w+ | pk_(?:campaign|kwd|source|medium) | piwik_\w+
      | fbclid | gclid | gclsrc | dclid | gbraid | wbraid | msclkid | yclid | twclid | ttclid | igshid | igsh
      | mc_cid | mc_eid | _ga | _gl | ga_\w+ | spm | scm | spmid | vero_id | vero_conv | oly_\w+_id | srsltid
      | cmpid | ncid | icid | xtor | at_(?:medium|campaign|custom\d) | share_token | sharer_\w+ | wxfrom
      | wx_share\w* | weibo_id | isappinstalled | jsessionid | phpsessid | aspsessionid\w* )""",
    re.VERBOSE | re.IGNORECASE,
)
#: Parameters that are referrers on static files, but may be a page's own number elsewhere (``?from=20``).
_REFERRERS = frozenset({"from", "f", "fr", "ref", "refer", "referer", "source", "src", "cre", "elsechannel"})
_STATIC = (".html", ".shtml", ".htm")

_SEGMENT = r"(?:[A-Za-z0-9_~-]|%[89A-F][0-9A-F])(?:[A-Za-z0-9_.~-]|%[89A-F][0-9A-F])*+"
_SEGMENTS = rf"/(?:{_SEGMENT}/)*(?:{_SEGMENT})?"
_RELATIVE = rf"(?:{_SEGMENT}/)*{_SEGMENT}/?"
#: The common cases: nothing to lower, decode, resolve or drop. Escapes of non-ASCII bytes only.
_CLEAN_PATH = re.compile(rf"{_SEGMENTS}|{_RELATIVE}")
_CLEAN = re.compile(rf"https?://(?:[a-z0-9-]++\.)+[a-z][a-z0-9-]*{_SEGMENTS}")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%")
_SPACE = re.compile(r"[\t\r\n]")
#: Sessions in a path: known names, long hexadecimal numbers under any name, and those of ASP.NET.
_SESSION_PATH = re.compile(
    r";(?:jsessionid|phpsessid)=[^/?#;]*|;[a-z_]{1,20}=(?=[a-f]*\d)[0-9a-f]{16,}(?![^/;])|/\(S\([0-9a-z]{8,}\)\)(?=/)",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(r"https?://[^/]", re.IGNORECASE)
_SURELY_ABSOLUTE = re.compile(r"https?://[^/\\\s]", re.IGNORECASE)
#: Text that needs no escaping, in paths and in queries.
_PLAIN = re.compile(r"[A-Za-z0-9/:@!$&'()*+,;=._~-]*")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST = re.compile(r"[a-z0-9_-][a-z0-9_.-]*")
_PLAIN_HOST = re.compile(r"[a-z0-9_.-]+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
#: Characters that may stand unescaped in a path, in a query.
_SAFE_PATH = "%/:@!$&'()*+,;=-._~"
_SAFE_QUERY = "%/:@!$&'()*+,;=-._~?"
#: Longer than any address of a page; hostile attribute values are megabytes.
_MAX_LENGTH = 8192
_MAX_FOLDERS = 100
#: Longer ones are worked out each time.
_MAX_REMEMBERED = 300
_C0_AND_SPACE = "".join(map(chr, range(0x21)))


def canonicalize(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str | None:
    """Return the canonical absolute http(s) address, or None for what cannot be fetched; never raises.

    :param base: address that relative references are resolved against; must itself be absolute.
    :param encoding: of the page the link stands on; browsers encode non-ASCII *queries* in it.

    >>> canonicalize("../b/?utm_source=x&id=7#top", "HTTP://Example.ORG:80/a/c")
    'http://example.org/b/?id=7'
    """
    if len(url) > _MAX_LENGTH:
        return None
    head, _, query = url.partition("#")[0].partition("?")
    if not query or _PLAIN.fullmatch(query):
        if _CLEAN.fullmatch(head):
            return _join(head, query, encoding)
        if base is not None and _CLEAN_PATH.fullmatch(head):
            start = _origin(base) if head[0] == "/" else _directory(base)
            return None if start is None else _join(start + head, query, encoding)
    if len(url) > _MAX_REMEMBERED:
        return _canonicalize.__wrapped__(url, base, encoding)
    if base is not None and _SURELY_ABSOLUTE.match(url):
        base = None
    elif base is not None and url[:1] == "/":  # as much of it as needed, so that those of all pages of a site are one
        origin = _origin(base)
        base = base if origin is None else origin + "/"
    return _canonicalize(url, base, encoding)


def is_web_address(text: str) -> bool:
    """Tell whether a text is an absolute http(s) address: what a user's file must give.

    >>> is_web_address("https://example.org/"), is_web_address("example.org"), is_web_address("ftp://example.org/")
    (True, False, False)
    """
    return _SURELY_ABSOLUTE.match(text) is not None and canonicalize(text) is not None


def host_of(url: str) -> str:
    """Return an address's host, without its port; ``""`` for what is no address.

    >>> host_of("http://example.org:8000/a"), host_of("http://[::1]/a"), host_of("a/b")
    ('example.org', '::1', '')
    """
    host = url.partition("://")[2].partition("/")[0]
    if _PLAIN_HOST.fullmatch(host):
        return host
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _join(head: str, query: str, encoding: str) -> str | None:
    """Join a clean address and its plain query."""
    if not query:
        return head
    canonical = head + _query(query, head, encoding)
    return canonical if len(canonical) <= _MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _directory(base: str) -> str | None:
    """What a reference that begins with a name is put behind, canonical."""
    canonical = _canonicalize("x", base, "utf-8")
    return canonical[:-1] if canonical else None


@lru_cache(maxsize=4096)
def _origin(base: str) -> str | None:
    """``scheme://host`` of a base address, canonical."""
    try:
        canonical = _canonicalize(urljoin(base, "/"), None, "utf-8")
    except ValueError:
        return None
    return canonical[:-1] if canonical else None


@lru_cache(maxsize=8192)
def _canonicalize(url: str, base: str | None, encoding: str) -> str | None:
    """The links of a site's header stand on each of its pages: they are remembered."""
    url = _SPACE.sub("", url.strip(_C0_AND_SPACE))
    scheme = _SCHEME.match(url)
    if scheme and scheme[1].lower() not in {"http", "https"}:
        return None
    url = url.partition("#")[0]
    head, mark, query = url.partition("?")
    url = head.replace("\\", "/") + mark + query
    try:
        parts = urlsplit(url if base is None or _ABSOLUTE.match(url) else _joined(base, url))
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    ascii_host = _host(host)
    if ascii_host is None:
        return None
    if port is not None and port != (80 if parts.scheme == "http" else 443):
        ascii_host += f":{port}"
    path = _path(parts.path)
    query = _query(parts.query, path, encoding)
    canonical = f"{parts.scheme}://{ascii_host}{path}{query}"
    return canonical if len(canonical) <= _MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _host(host: str) -> str | None:
    """Lower case, punycode, without the root's dot; None for what is no host name."""
    host = host.rstrip(".").lower()
    if ":" in host:  # IPv6; urlsplit has checked it
        return f"[{host}]" if re.fullmatch(r"[0-9a-f:.]+", host) else None
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii").lower()
        except UnicodeError:
            return None
    return host if len(host) <= 253 and ".." not in host and _HOST.fullmatch(host) else None


def _path(path: str) -> str:
    """A path escaped once, without sessions and dots (RFC 3986 §5.2.4): what climbs above the root stays there."""
    path = _escape(_SESSION_PATH.sub("", path), _SAFE_PATH, "utf-8")
    if "/." in path:
        kept: list[str] = []
        segments = path.split("/")
        for segment in segments:
            if segment == "..":
                del kept[max(1, len(kept) - 1) :]
            elif segment != ".":
                kept.append(segment)
        path = "/".join([*kept, ""] if segments[-1] in {".", ".."} else kept)
    return path if path.startswith("/") else "/" + path


def _query(query: str, path: str, encoding: str) -> str:
    """``?query`` without tracking parameters, or ``""``."""
    if not query:
        return ""
    static = path.lower().endswith(_STATIC)
    kept = []
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if not pair or _TRACKING.fullmatch(name):
            continue
        if static and name.lower() in _REFERRERS and not value.isdigit():
            continue
        kept.append(pair)
    return "?" + _escape("&".join(kept), _SAFE_QUERY, encoding) if kept else ""


def _escape(text: str, safe: str, encoding: str) -> str:
    """Normalise percent-encoding: unreserved characters bare, the rest escaped once, in upper case."""
    if _PLAIN.fullmatch(text):
        return text
    if "%" in text:
        text = _ESCAPE.sub(_one_escape, text)
    try:
        return quote(text, safe=safe, encoding=encoding, errors="strict")
    except (UnicodeError, LookupError):
        return quote(text, safe=safe, encoding="utf-8", errors="replace")


def _one_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else "%" + match[1].upper()


def stated_canonicals(document: Document) -> Iterator[str]:
    """Yield what a page calls its own address by ``<link rel="canonical">``, canonical in spelling."""
    base = document.once(base_address)
    for link in document.by_tag["link"]:
        if (link.get("rel") or "").lower() == "canonical" and (own := canonicalize(link.get("href") or "", base)):
            yield own


_INDEX_FILE: Final = re.compile(r"/(?:index|default)(?:\.\w{2,5})?$", re.IGNORECASE)


def without_index(path: str) -> str:
    """Return the folder that a path's index file stands for; another path as it is.

    >>> without_index("/2010/08/30/story/index.html"), without_index("/index_2.html")
    ('/2010/08/30/story/', '/index_2.html')
    """
    return _INDEX_FILE.sub("/", path)
