"""Look-up keys of archived URLs: what differs only in writing is one page."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes, urlsplit

_DEFAULT_PORTS = (None, 80, 443)


def key_of(url: str) -> bytes | None:
    """Return host and path as bytes, or None for what is no http(s) URL.

    http and https are one; the host is lower case, a default port and the fragment are dropped, percent
    escapes are decoded.

    >>> key_of("https://Example.org:443/a%20b?q=1#top")
    b'example.org/a b?q=1'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host:
        return None
    netloc = _ascii_host(host) + (b"" if port in _DEFAULT_PORTS else b":%d" % port)
    path = unquote_to_bytes(parts.path or "/")
    return netloc + path + (b"?" + unquote_to_bytes(parts.query) if parts.query else b"")


def _ascii_host(host: str) -> bytes:
    try:
        return host.encode("ascii" if host.isascii() else "idna")
    except UnicodeError:
        return host.encode()


def near_keys(key: bytes) -> tuple[bytes, ...]:
    """Keys that differ by a final slash or ``index.html``, the likelier first.

    >>> near_keys(b"example.org/a/?p=2")
    (b'example.org/a/index.html?p=2', b'example.org/a?p=2')
    """
    path, mark, query = key.partition(b"?")
    tail = mark + query
    if path.endswith(b"/index.html"):
        found = (path[: -len(b"index.html")], path[: -len(b"/index.html")])
    elif path.endswith(b"/"):
        found = (path + b"index.html", path[:-1])
    else:
        found = (path + b"/", path + b"/index.html")
    return tuple(near + tail for near in found if b"/" in near)
