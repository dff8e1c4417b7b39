"""What the name of a host tells: who registered it, and the time zone of its readers."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawl.languages.tables import language as find_language
from newscrawl.languages.tables import languages
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    import tldextract


def same_site(url: str, other: str) -> bool:
    """Tell whether two addresses are on hosts that one owner registered, or on one host.

    >>> same_site("https://www.example.co.uk/a", "http://m.example.co.uk/b")
    True
    >>> same_site("https://a.github.io/", "https://b.github.io/"), same_site("http://10.0.0.1/", "http://10.0.0.2/")
    (False, False)
    >>> same_site("https://a.wordpress.com/", "https://b.wordpress.com/")
    False
    """
    hosts = host_of(url), host_of(other)
    if hosts[0] == hosts[1]:
        return bool(hosts[0])
    if hosts[0].rsplit(".", 2)[-2:] != hosts[1].rsplit(".", 2)[-2:]:
        return False  # what one registers has two labels at least; the list of suffixes costs a tenth of a second
    domain = registered_domain(hosts[0])
    return bool(domain) and domain == registered_domain(hosts[1])


def site_of(url: str) -> str:
    """Return what an address's host and its neighbours share: what one owner registered, else the host.

    >>> site_of("http://a.b.example.org/x"), site_of("http://127.0.0.1:80/"), site_of("http://news.site.com.cn/")
    ('example.org', '127.0.0.1', 'site.com.cn')
    """
    host = host_of(url)
    return registered_domain(host) or host


@lru_cache(maxsize=8192)
def registered_domain(host: str) -> str:
    """``example.co.uk`` of ``news.example.co.uk``; ``""`` for addresses and bare names."""
    return str(_extractor()(host).top_domain_under_public_suffix)


@lru_cache(maxsize=1)
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # noqa: PLC0415 (large, and few pages name another host)

    return tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True, extra_suffixes=_HOSTERS)


_HOSTERS: Final = (
    *("beehiiv.com", "blog.163.com", "blog.fc2.com", "blog.jp", "blogfa.com", "blogsky.com", "canalblog.com"),
    *("cocolog-nifty.com", "exblog.jp", "ghost.io", "hashnode.dev", "home.blog", "jimdofree.com", "jimdosite.com"),
    *("jugem.jp", "livedoor.blog", "livejournal.com", "lofter.com", "narod.ru", "neocities.org", "news.blog"),
    *("over-blog.com", "pixnet.net", "seesaa.net", "strikingly.com", "substack.com", "tistory.com", "tumblr.com"),
    *("typepad.com", "ucoz.ru", "webnode.page", "weebly.com", "wordpress.com"),
)
"""Hosts whose names belong to their authors, beside those that the public suffix list has."""


_BY_COUNTRY: Final = {
    "cn": "Asia/Shanghai", "tw": "Asia/Taipei", "hk": "Asia/Hong_Kong", "mo": "Asia/Macau", "sg": "Asia/Singapore",
    "jp": "Asia/Tokyo", "kr": "Asia/Seoul", "my": "Asia/Kuala_Lumpur", "in": "Asia/Kolkata", "vn": "Asia/Ho_Chi_Minh",
    "th": "Asia/Bangkok", "id": "Asia/Jakarta", "ph": "Asia/Manila", "pk": "Asia/Karachi", "bd": "Asia/Dhaka",
    "np": "Asia/Kathmandu", "lk": "Asia/Colombo", "ir": "Asia/Tehran", "il": "Asia/Jerusalem", "sa": "Asia/Riyadh",
    "ae": "Asia/Dubai",
    "iq": "Asia/Baghdad", "jo": "Asia/Amman", "lb": "Asia/Beirut", "eg": "Africa/Cairo", "ma": "Africa/Casablanca",
    "dz": "Africa/Algiers", "tn": "Africa/Tunis", "ke": "Africa/Nairobi", "ng": "Africa/Lagos",
    "za": "Africa/Johannesburg", "de": "Europe/Berlin", "at": "Europe/Vienna", "ch": "Europe/Zurich",
    "fr": "Europe/Paris", "it": "Europe/Rome", "es": "Europe/Madrid", "pt": "Europe/Lisbon", "nl": "Europe/Amsterdam",
    "be": "Europe/Brussels", "lu": "Europe/Luxembourg", "pl": "Europe/Warsaw", "cz": "Europe/Prague",
    "sk": "Europe/Bratislava", "hu": "Europe/Budapest", "ro": "Europe/Bucharest", "bg": "Europe/Sofia",
    "rs": "Europe/Belgrade", "hr": "Europe/Zagreb", "si": "Europe/Ljubljana", "gr": "Europe/Athens",
    "lt": "Europe/Vilnius", "lv": "Europe/Riga", "ee": "Europe/Tallinn", "uk": "Europe/London", "ie": "Europe/Dublin",
    "se": "Europe/Stockholm", "no": "Europe/Oslo", "dk": "Europe/Copenhagen", "fi": "Europe/Helsinki",
    "is": "Atlantic/Reykjavik", "tr": "Europe/Istanbul", "ua": "Europe/Kyiv", "by": "Europe/Minsk",
    "ru": "Europe/Moscow", "ge": "Asia/Tbilisi", "am": "Asia/Yerevan", "az": "Asia/Baku",
    "br": "America/Sao_Paulo", "ar": "America/Argentina/Buenos_Aires", "pe": "America/Lima", "nz": "Pacific/Auckland",
}  # fmt: skip
"""Country's domain → zone; of the country's capital where a second zone has few people."""


def zone_of_host(host: str) -> str | None:
    """Return the zone of the country a host belongs to by its domain, None for others.

    >>> zone_of_host("example.com.cn"), zone_of_host("example.org")
    ('Asia/Shanghai', None)
    """
    return _BY_COUNTRY.get(host.rpartition(".")[2])


def zone_of_language(language: str | None) -> str | None:
    """Return the zone of the country a language has its home in, None where it has several or we know none."""
    table = find_language(language) if language else None
    return _BY_COUNTRY.get(table.home) if table else None


def home_languages(url: str | None) -> frozenset[str]:
    """Return the languages that are at home in the country of an address's host, none for other hosts.

    >>> home_languages("http://www.example.com.tr/a"), home_languages("http://example.org/")
    (frozenset({'tr'}), frozenset())
    """
    country = (urlsplit(url or "").hostname or "").rpartition(".")[2]
    return frozenset(table.code for table in languages() if table.home == country) if country else frozenset()


def assumed_zone(site_timezone: str | None, url: str | None, language: str | None) -> tzinfo:
    """Return the zone for times without one: the site's, by the host's country, by language, else UTC.

    An unknown ``site_timezone`` counts as none.
    """
    host = urlsplit(url or "").hostname or ""
    names = (site_timezone, zone_of_host(host), zone_of_language(language))
    return next((zone for name in names if name and (zone := zone_named(name))), UTC)


@cache
def zone_named(name: str) -> tzinfo | None:
    """Return the zone of an IANA name, None for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None
