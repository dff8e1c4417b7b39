"""One key for the addresses of one document."""

from __future__ import annotations

from urllib.parse import urlsplit


def url_key(url: str) -> str:
    """Return the URL without scheme, ``www.``, default port, fragment and final slash.

    Meant for canonical URLs: trackers and defaults are gone already (``newscrawl.urls.canonical``).

    >>> url_key("https://www.example.org/a/?id=1#top"), url_key("http://example.org/a?id=1")
    ('example.org/a?id=1', 'example.org/a?id=1')
    """
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url.strip()
    host = parts.netloc.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    path = parts.path.rstrip("/")
    return host + path + (f"?{parts.query}" if parts.query else "")
