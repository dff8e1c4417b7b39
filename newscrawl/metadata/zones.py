"""The zone of times that state none: the site's, else the home zone of the page's country or language."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import cache
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawl.urls.home_zones import zone_of_host, zone_of_language


def assumed_zone(site_timezone: str | None, url: str | None, language: str | None) -> tzinfo:
    """Return the zone for times without one: the site's, by the host's country, by language, else UTC.

    An unknown ``site_timezone`` counts as none.
    """
    if site_timezone:
        zone = _zone(site_timezone)
        if zone is not None:
            return zone
    host = urlsplit(url or "").hostname or ""
    name = zone_of_host(host) or zone_of_language(language)
    return (_zone(name) if name else None) or UTC


@cache
def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None
