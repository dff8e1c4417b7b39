"""A site of which only the address is known."""

from __future__ import annotations

from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawl.exceptions import UserError
from newscrawl.sites.model import NewsSite
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.domains import registered_domain
from newscrawl.urls.home_zones import zone_of_host


def site_from_url(url: str, *, subdomains: bool = False, timezone: str | None = None) -> NewsSite:
    """Make a site of the host and its ``www.`` twin, or of all hosts below the registered domain.

    :raises UserError: no http(s) address, or no such time zone.
    """
    canonical = canonicalize(url if "://" in url else "about:blank")
    if canonical is None:
        raise UserError(f"url={url!r} is not an http(s) address such as https://example.org/")
    host = urlsplit(canonical).hostname or ""
    twin = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    domain = registered_domain(host)
    return NewsSite(
        name=host,
        title=host,
        hosts=(f".{domain}",) if subdomains and domain else (host, twin) if domain else (host,),
        seeds=(canonical,),
        timezone=_zone(timezone) if timezone else zone_of_host(host) or "UTC",
        timezone_known=bool(timezone or zone_of_host(host)),
    )


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UserError(f"timezone={name!r} is not an IANA name such as Asia/Shanghai") from None
