"""Kinds of answers, judged by their bytes as well as their Content-Type."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.extract.facts.facts import RIGHTS_HEADERS
from newscrawl.languages.patterns import WordPattern
from newscrawl.links.feed import looks_like
from newscrawl.outcomes import Rejection
from newscrawl.page.charset import decide_encoding, is_binary
from newscrawl.read.model import RawPage, site_facts
from newscrawl.signals import ENCODING, FETCHED_AT
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.http import Response

    from newscrawl.sites.model import NewsSite

#: First bytes of files that are never pages, however they are labelled.
OTHER_FILES: Final = (
    b"%PDF", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"RIFF", b"ID3", b"OggS", b"\x7fELF",
    b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xd0\xcf\x11\xe0", b"wOFF", b"wOF2", b"\x00\x00\x01\x00", b"FLV", b"CWS", b"FWS",
)  # fmt: skip
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
#: Types under which servers also send pages; the body decides.
_LOOSE_TYPES = frozenset(
    {"", "text/plain", "text/xml", "application/xml", "application/octet-stream", "unknown/unknown"}
)
_MARKUP = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table|article|script)[\s>]|<!\[CDATA\[\s*<(?:li|a|tr)[\s>]",
    re.IGNORECASE,
)
"""Markup of a page, or of rows of a list that a script asks for."""
_SNIFFED = 4096


def content_type(response: Response) -> str:
    """Return the Content-Type as sent, decoded; ``""`` if there is none."""
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


def no_page(body: bytes, media_type: str | None = None) -> str | None:
    """Return why bytes are no page, as a user is told: ``""`` for another kind of file; None for what may be one."""
    if body.startswith(OTHER_FILES):
        return ""
    return "its bytes are no text in any charset" if is_binary(body, decide_encoding(body, media_type)) else None


def kind_of(response: Response) -> str | Rejection:
    """Return ``"html"``, ``"sitemap"`` or ``"feed"``, else why the answer cannot be used."""
    head = response.body[:_SNIFFED].lstrip(b"\xef\xbb\xbf \t\r\n\x00")
    if not head:
        return Rejection.EMPTY if not response.body.strip() else "html"
    if head.startswith(OTHER_FILES):
        return Rejection.NOT_HTML
    media_type = content_type(response).partition(";")[0].strip().lower()
    if media_type in _HTML_TYPES:
        return "html"
    markup = head.lstrip(b"\xff\xfe").replace(b"\0", b"")  # UTF-16 and UTF-32 read as ASCII
    xml = looks_like(markup) if markup.startswith((b"<", b"{")) else None
    if xml is not None:
        return xml
    if media_type in _LOOSE_TYPES and _MARKUP.search(markup):
        return "html"
    return Rejection.NOT_HTML


def found_by(one: Request | Response) -> dict[str, Any]:
    """Return how one of our spiders found the address, ``meta["newscrawl"]``; ``{}`` for other requests."""
    info = one.meta.get("newscrawl")
    return info if isinstance(info, dict) else {}


def requested_url(response: Response) -> str:
    """Return the address that was asked for first, before redirects."""
    return str((response.meta.get("redirect_urls") or [response.url])[0])


def redirected_from(response: Response) -> str | None:
    """Return the address that redirected to the one that answered; None without a redirect."""
    urls = response.meta.get("redirect_urls")
    return str(urls[-1]) if urls else None


def fetched_at(response: Response) -> datetime:
    """Return when the answer was fetched: now, unless an archive says when."""
    known = response.meta.get(FETCHED_AT)
    return known if isinstance(known, datetime) else datetime.now(UTC)


def raw_page(response: Response, site: NewsSite, *, hints: dict[str, str]) -> RawPage:
    """Return the input of a reader.

    :param hints: titles and dates of the address by feeds and sitemaps that did not lead to it.
    """
    info, url = found_by(response), response.url
    is_own = same_site(requested_url(response), url)  # hints of an address do not count for another site
    return RawPage(
        body=response.body,
        url=url,
        fetched_at=fetched_at(response),
        content_type=content_type(response),
        robots=tuple([value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]),
        rights=tuple(
            (name, value.decode("latin-1")) for name in RIGHTS_HEADERS if (value := response.headers.get(name))
        ),
        charset=response.meta.get(ENCODING),
        site=site_facts(site, url),
        told=hints | info.get("hints", {}) if is_own else None,
        is_part=is_own and info.get("found") == "part",
        called=info.get("anchor") if is_own else None,
    )


def speaks_for(response: Response, url: str) -> bool:
    """Tell whether titles and dates of a feed or sitemap count for the page at ``url``.

    They count for pages of its own site and of the site that named it. If the user's site file names it, they always
    count.
    """
    info = found_by(response)
    named_by = info.get("named_by")
    return bool(
        info.get("found") == "site"
        or same_site(response.url, url)
        or (named_by is not None and same_site(named_by, url))
    )


def validators_of(response: Response) -> dict[str, str]:
    """Return the values for a later conditional request: ``etag``, ``last_modified``."""
    names = {"etag": b"ETag", "last_modified": b"Last-Modified"}
    headers = {hint: response.headers.get(name) for hint, name in names.items()}
    return {hint: value.decode("latin-1") for hint, value in headers.items() if value}


def referer_header(page_url: str, url: str) -> dict[str, str]:
    """Return the Referer header for a link; empty if the page is encrypted and the target is not."""
    is_hidden = page_url.startswith("https:") and url.startswith("http:")
    return {} if is_hidden else {"Referer": page_url}


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


# --- answers that keep the crawler out ----------------------------------------------------------------------

#: Statuses by which a server says that it does not want this crawler, or not so fast.
_REFUSED: Final = frozenset({401, 403, 407, 429, 451})
#: Bytes looked at for the marks of a test page, which is short.
_HEAD_BYTES: Final = 32 * 1024
_TITLE_BYTES: Final = 2048
#: Most visible characters of a test page.
_MAX_VISIBLE: Final = 800

#: Strings in the scripts of test pages. Ordinary pages behind the same services do not have them.
_MARKS: Final = (
    b"_cf_chl_opt", b'id="main-iframe" src="/_Incapsula_Resource', b"captcha-delivery.com", b"px-captcha",
    b"AwsWafIntegration", b"awsWafCookieDomainList", b"sucuri_cloudproxy_js", b"sec-if-cpt-container", b"bm-verify=",
    b"__jsl_clearance", b"acw_sc__v2", b"TencentCaptcha(", b"aliyun_waf", b"/.within.website/x/cmd/anubis",
    b"ddos-guard/js-challenge",
)  # fmt: skip
_TITLES: Final = WordPattern("{pages.challenge}", re.IGNORECASE)
_CONSENT_TITLES: Final = WordPattern(
    r"\W*(?:{pages.consent}|.{0,20}{pages.consent_behind})\W*(?:$|\s[|–—-]\s)", re.IGNORECASE
)
_AGREE: Final = WordPattern(r"<(?:form|button|input|a)\b[^<>]{0,400}>[^<]{0,40}{pages.agree}", re.IGNORECASE)
_MAX_CONSENT: Final = 1_500
"""Visible characters of a page that asks for consent in place of an article."""
_TITLE: Final = re.compile(r"<title[^>]{0,200}>([^<]{0,200})", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(rb"<p(?:>|\s[^<>]*>)([^<]*)")
_UNSEEN: Final = re.compile(
    r"<(script|style|noscript|head)\b(?:(?!<\1\b).)*?</\1\s*>|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)

#: Headers that say so.
BLOCKING_HEADERS: Final = ("cf-mitigated", "x-amzn-waf-action")


def blocked_by(status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return what kept the crawler out: the status as text, ``challenge``, ``consent``, or None.

    :param headers: names in lower case.
    :param body: unpacked.
    """
    if headers.get("cf-mitigated", "").lower() == "challenge" or headers.get("x-amzn-waf-action"):
        return "challenge"
    if _is_challenge(body[:_HEAD_BYTES]):
        return "challenge"
    if _asks_for_consent(body):
        return "consent"
    return str(status) if status in _REFUSED else None


def _is_challenge(head: bytes) -> bool:
    # most pages need no closer look: their paragraphs alone have more text than a test page may have
    n_left = 4 * _MAX_VISIBLE  # bytes, white space included
    for paragraph in _PARAGRAPH.finditer(head):
        n_left -= paragraph.end(1) - paragraph.start(1)
        if n_left < 0:
            return False
    if not any(mark in head for mark in _MARKS):
        title = _TITLE.search(_decode(head[:_TITLE_BYTES]))
        if title is None or not _TITLES.search(title[1]):
            return False
    return len("".join(_UNSEEN.sub(" ", _decode(head)).split())) <= _MAX_VISIBLE


def _asks_for_consent(body: bytes) -> bool:
    """Tell whether a page only asks for consent: its title says so, it has a button, and little text."""
    title = _TITLE.search(_decode(body[:_TITLE_BYTES]))
    if title is None or len(body) > _HEAD_BYTES * 4 or not _CONSENT_TITLES.match(title[1]):
        return False
    text = _decode(body)
    return bool(_AGREE.search(text)) and len("".join(_UNSEEN.sub(" ", text).split())) <= _MAX_CONSENT


def _decode(head: bytes) -> str:
    """Return text that is good enough to read a title and to count characters."""
    try:
        return head.decode()
    except UnicodeDecodeError:
        return head.decode("gb18030", "replace")
