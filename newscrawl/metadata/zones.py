"""The zone of times that state none: the site's, else the home zone of the page's country or language."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import cache
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_BY_COUNTRY: Final = {
    "cn": "Asia/Shanghai", "tw": "Asia/Taipei", "hk": "Asia/Hong_Kong", "sg": "Asia/Singapore",
    "jp": "Asia/Tokyo", "kr": "Asia/Seoul", "my": "Asia/Kuala_Lumpur", "in": "Asia/Kolkata",
    "de": "Europe/Berlin", "at": "Europe/Vienna", "ch": "Europe/Zurich", "fr": "Europe/Paris",
    "it": "Europe/Rome", "es": "Europe/Madrid", "nl": "Europe/Amsterdam", "be": "Europe/Brussels",
    "pl": "Europe/Warsaw", "cz": "Europe/Prague", "gr": "Europe/Athens", "uk": "Europe/London",
    "ie": "Europe/Dublin", "se": "Europe/Stockholm", "no": "Europe/Oslo", "dk": "Europe/Copenhagen",
    "fi": "Europe/Helsinki", "tr": "Europe/Istanbul", "ua": "Europe/Kyiv", "ru": "Europe/Moscow",
    "za": "Africa/Johannesburg", "br": "America/Sao_Paulo", "ar": "America/Argentina/Buenos_Aires",
    "hu": "Europe/Budapest",
}  # fmt: skip
_BY_LANGUAGE: Final = {
    "zh": "cn", "ja": "jp", "ko": "kr", "de": "de", "fr": "fr", "it": "it", "pl": "pl", "cs": "cz",
    "el": "gr", "sv": "se",
    "no": "no", "da": "dk", "fi": "fi", "tr": "tr", "uk": "ua", "ru": "ru", "nl": "nl", "hu": "hu",
}  # fmt: skip


def assumed_zone(site_timezone: str | None, url: str | None, language: str | None) -> tzinfo:
    """Return the zone for times without one: the site's, by the host's country, by language, else UTC.

    An unknown ``site_timezone`` counts as none.
    """
    if site_timezone:
        zone = _zone(site_timezone)
        if zone is not None:
            return zone
    host = urlsplit(url or "").hostname or ""
    name = _BY_COUNTRY.get(host.rsplit(".", 1)[-1]) or _BY_COUNTRY.get(_BY_LANGUAGE.get(language or "", ""))
    return (_zone(name) if name else None) or UTC


@cache
def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None
