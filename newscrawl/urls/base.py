"""What the references of a page are relative to."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from newscrawl.dom.document import Document


def absolute(href: str, base: str | None) -> str | None:
    """Return the http(s) address that ``href`` means on a page with the base address ``base``, None where it is none.

    >>> absolute("../b.html", "http://example.org/a/c.html"), absolute("mailto:a@example.org", None)
    ('http://example.org/b.html', None)
    """
    try:
        address = urljoin(base or "", href.strip())
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return None
    return address if parts.scheme in {"http", "https"} and host else None


def base_address(document: Document) -> str | None:
    """Return the address that the page's references are relative to; None if it has no address of its own.

    To be called through :meth:`Document.once`.
    """
    return base_of(document.root, document.url)


def base_of(root: HtmlElement | None, url: str | None) -> str | None:
    """Return what the first ``<base href>`` below ``root`` states, read against ``url``; else ``url``.

    Browsers read the base of any ``base`` element that has a ``href``, wherever it stands, and the first one alone.
    """
    for element in root.iter("base") if root is not None else ():
        href = element.get("href")
        if href is not None:
            return absolute(href, url) or url
    return url
