"""The address of a picture, whatever attribute holds it: pictures that are loaded late have theirs in any."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from newscrawl.urls.canonical import joined_at_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_URL_CHARS: Final = 2_000
MAX_SRCSET: Final = 8_192
"""Characters of a ``srcset`` that are read."""
MIN_SET_WIDTH: Final = 600
"""Pixels from which the largest candidate of a set is chosen before a single address."""
_SCHEMES: Final = frozenset(("http", "https", "mailto"))
_HELD: Final = ("img", "amp-img", "source")
_CANDIDATE: Final = re.compile(r"(\S*[^\s,])(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)")
_IS_SET: Final = re.compile(r"\S\s+\d+(?:\.\d+)?[wx]\s*(?:,|$)")
_FILE: Final = re.compile(
    r"[^\s<>{}\"']*\.(?:jpe?g|png|webp|avif|gif|bmp|jfif|heic)(?:$|[?!@#&:/;_-])[^\s<>{}\"']*", re.IGNORECASE
)
_IN_LIST: Final = re.compile(
    r"\"((?:https?:)?\\?/[^\s<>{}\"']+?\.(?:jpe?g|png|webp|avif)[^\s<>{}\"']*)\"", re.IGNORECASE
)
_ADDRESS: Final = re.compile(r"(?:https?:)?/[^\s<>{}\"']+", re.IGNORECASE)
_LATE: Final = re.compile(
    r"(?:^|[-_])(?:lazy[-_]?)?(?:src|original|real|echo)$|orig|full|large|hi-?res|zoom", re.IGNORECASE
)
"""Attributes of the picture that a reader is shown at last, before its ``src``."""
_OF_PICTURE: Final = re.compile(r"src|image|img|photo|picture|lazy|file|bg|background|poster", re.IGNORECASE)
_OF_COPY: Final = re.compile(
    r"thumb|small|low|preview|place-?holder|blur|tiny|lqip|fallback|default|error|icon|avatar|share|pin|link|href|page",
    re.IGNORECASE,
)
"""Attributes of lesser pictures, and of what is none."""
_BLANK: Final = re.compile(
    r"(?:^|[/_.=-])(?:blank|spacer|clear|pixel|place[-_]?holder|transparent|trans|loading|loader|lazy(?:load)?|gr[ae]y"
    r"|dummy|empty|1x1|dot|no-?(?:img|image|pic))(?:[-_.\d][-_.\w]{0,30})?\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])",
    re.IGNORECASE,
)
"""Files that stand for a picture until it is loaded."""
_VECTOR: Final = re.compile(r"\.(?:svg|gif)(?:$|[?#])", re.IGNORECASE)
_TINY: Final = re.compile(r"[?&/,_-](?:w|width|h|q|resize|fit)[=_:-]?\d{1,2}(?!\d)|blur", re.IGNORECASE)
_STYLE: Final = re.compile(r"url\(\s*['\"]?([^'\")]+)")


class _Found(NamedTuple):
    rank: int
    """The least counts first."""
    less: float
    """Width of a candidate of a set, negative."""
    address: str


def image_source(node: HtmlElement, base: str | None) -> str:
    """Return the address on the web of a picture, ``""`` for none.

    The largest candidate of a set is taken first, then what is loaded late, ``src``, another attribute, what readers
    without scripts are shown, and an inline style.

    :param node: an ``img``, ``amp-img`` or ``picture``, or what holds nothing but a picture.
    """
    found = sorted(_candidates(node), key=lambda one: one[:2])
    addresses = (address(one.address, base) for one in found if not _BLANK.search(one.address))
    return next((source for source in addresses if source.startswith("http")), "") or _beside(node, base)


def holds_picture(value: str) -> bool:
    """Tell whether an attribute's value is the address of a picture, or a list that holds some."""
    return bool(_FILE.fullmatch(value.strip()) or (value.lstrip()[:1] in "[{" and _listed(value)))


def _listed(value: str) -> str:
    """Return the first address of a picture in a list written for scripts, ``""`` for none."""
    found = _IN_LIST.search(value[:MAX_SRCSET])
    return found[1].replace("\\/", "/") if found else ""


def _candidates(node: HtmlElement) -> Iterator[_Found]:
    for held in node.iter(*_HELD):
        for name, value in held.items():
            is_read = held.tag != "source" or "srcset" in name
            if value and is_read and (found := _read(str(name), value.strip())):
                yield found
    for held in node.iter("noscript"):
        yield from (one._replace(rank=_UNSCRIPTED) for image in held.iter("img") for one in _candidates(image))
    if node.tag not in _HELD:
        stated = (value for name, value in node.items() if name.startswith("data-") and holds_picture(value))
        yield from (_Found(_STYLED, 0.0, _listed(value) or value) for value in stated)
    for name in ("style", "data-bg", "data-background", "data-background-image", "data-src"):
        value = node.get(name) or ""
        written = _STYLE.search(value)
        if written or (name != "style" and value):
            yield _Found(_STYLED, 0.0, written[1] if written else value)


_LARGE_SET, _SHOWN_LATE, _OWN, _OTHER, _SMALL_SET, _UNSCRIPTED, _STYLED, _COPY = range(8)


def _read(name: str, value: str) -> _Found | None:
    """Return what an attribute says of where the picture is."""
    if "srcset" in name or (name.startswith("data-") and _IS_SET.search(value[:MAX_URL_CHARS])):
        width, source = _widest(value)
        return _Found(_LARGE_SET if width >= MIN_SET_WIDTH else _SMALL_SET, -width, source) if source else None
    if name == "src":
        is_own = not (_TINY.search(value) or _VECTOR.search(value))
        return _Found(_OWN if is_own else _COPY, 0.0, value)
    if name in {"alt", "title", "class", "id", "style", "href"} or name.startswith("on"):
        return None
    is_named = _OF_PICTURE.search(name) or _LATE.search(name)
    if not _FILE.fullmatch(value) and not (is_named and _ADDRESS.fullmatch(value)):
        return None
    if _OF_COPY.search(name):
        return _Found(_COPY, 1.0, value)
    return _Found(_SHOWN_LATE if _LATE.search(name) else _OTHER, 0.0, value)


def _beside(node: HtmlElement, base: str | None) -> str:
    """Return the address of the picture that readers without scripts are shown in place of one that has none."""
    parent = node.getparent()
    following = node.getnext()
    around = (following, None if parent is None else parent.getnext())
    shown = next((one for one in around if one is not None and one.tag == "noscript"), None)
    images = () if shown is None else shown.iter("img")
    return next((source for image in images if (source := image_source(image, base))), "")


def _widest(srcset: str) -> tuple[float, str]:
    """Return the greatest width or density of a ``srcset``, with its address.

    >>> _widest("a.jpg 320w, b,c.jpg 1024w, d.jpg 640w"), _widest("a.jpg"), _widest("")
    ((1024.0, 'b,c.jpg'), (1.0, 'a.jpg'), (0.0, ''))
    """
    candidates = [(float(size or 1), source) for source, size in _CANDIDATE.findall(srcset[:MAX_SRCSET])]
    return max(candidates, default=(0.0, ""), key=lambda candidate: candidate[0])


def address(href: str | None, base: str | None) -> str:
    """Return the absolute address, ``""`` where it is none of http, https or mailto.

    >>> address("/a b", "http://example.org/x"), address("javascript:alert(1)", None)
    ('http://example.org/a%20b', '')
    """
    if not href or len(href) > MAX_URL_CHARS:
        return ""
    cleaned = href.strip()
    if not cleaned.isprintable():
        cleaned = "".join(filter(str.isprintable, cleaned))
    if plain := joined_at_once(cleaned, base):
        return plain
    try:
        url = urljoin(base or "", cleaned.replace(" ", "%20"))
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in _SCHEMES or not (parts.netloc or parts.scheme == "mailto"):
        return ""
    return url.replace("<", "%3C").replace(">", "%3E").replace('"', "%22")
