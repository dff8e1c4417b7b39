"""Spider arguments (``-a NAME=VALUE``), parsed once, wrong ones refused in one line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from newscrawl.console.check import ValueKind, read_values
from newscrawl.console.wording import ACCEPTED_MOMENT, ACCEPTED_PERIOD, parse_moment, parse_period, separated
from newscrawl.exceptions import UserError
from newscrawl.links.rules import Wanted
from newscrawl.links.sitemap import capture_queries
from newscrawl.urls.canonical import is_web_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from newscrawl.sites.model import NewsSite

#: Arguments of every news spider, with what they accept.
ACCEPTED = {
    "since": ACCEPTED_MOMENT,
    "until": "as since; articles of that day or moment, and later, are left out",
    "limit": "a whole number above 0: stop after that many articles, copies of others not counted",
    "channels": "names separated by commas",
    "language": "ISO 639-1 codes separated by commas, as in zh,en: only articles in these languages are stored",
    "mode": "new: what was never fetched; due: also what is due to be looked at again; all: everything again; "
    "again: everything, and what is read now replaces what is stored",
    "dry_run": "1 or 0: list what would be fetched, and fetch no article",
    "from": f"{ACCEPTED_PERIOD}: as since, and lists and sitemaps whose address names a time come first, or not at all",
    "to": f"{ACCEPTED_PERIOD}: articles that came after it are left out",
    "history": "cdx:URL of a CDX server, as in cdx:https://index.example.org/cdx: what it captured then is asked for",
    "captures": "with history: the address at which the archive replays, as in https://web.archive.org/web: pages are "
    "taken from there as they were captured, and not asked of the site",
}
#: Known addresses that a harvest fetches again.
MODES = ("due", "new", "all", "again")
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    wanted: Wanted
    limit: int | None = None
    mode: str = "due"
    """One of ``MODES``."""
    dry_run: bool = False
    languages: frozenset[str] = frozenset()
    """Languages of wanted articles; empty for any."""
    captures: tuple[str, ...] = ()
    """Addresses of indexes of captures."""
    replay: str | None = None
    """Address at which an archive replays these captures; None: pages come from the site."""


def parse_options(arguments: Mapping[str, str], site: NewsSite, *, now: datetime) -> Options:
    """Read the arguments of every news spider.

    :param now: aware; ages are counted back from it.
    :raises UserError: a value is not accepted.
    """
    zone = ZoneInfo(site.timezone)
    read: dict[str, Callable[[str], object]] = {
        "since": lambda text: parse_moment(text.strip(), now, zone),
        "until": lambda text: parse_moment(text.strip(), now, zone),
        "from": lambda text: parse_period(text, zone),
        "to": lambda text: parse_period(text, zone),
        "history": _cdx_server,
        "captures": lambda text: text.strip().rstrip("/") if is_web_address(text.strip()) else None,
        "limit": at_least(),
        "mode": lambda text: text.strip() if text.strip() in MODES else None,
        "dry_run": flag,
        "language": _languages,
    }
    kinds = {name: ValueKind(ACCEPTED[name], one) for name, one in read.items()}
    kinds["channels"] = ValueKind(", ".join(site.channels) or "none", lambda text: _channels(text, site))
    given = read_values(arguments, kinds)
    is_history = not given.keys().isdisjoint({"from", "to"})
    since, until = _span(arguments, given, ("from", "to") if is_history else ("since", "until"))
    if "captures" in given and "history" not in given:
        raise UserError(f"captures={arguments['captures']!r} needs history=cdx:URL, which says what was captured")
    wanted = Wanted(since=since, until=until, channels=given.get("channels", ()), is_history=is_history)
    return Options(
        wanted=wanted,
        captures=tuple(capture_queries(given["history"], site.hosts, since, until)) if "history" in given else (),
        replay=given.get("captures"),
        limit=given.get("limit"),
        mode=given.get("mode", MODES[0]),
        dry_run=given.get("dry_run", False),
        languages=given.get("language", frozenset()),
    )


def _span(
    arguments: Mapping[str, str], given: Mapping[str, Any], names: tuple[str, str]
) -> tuple[datetime | None, datetime | None]:
    """Return the moments from which on and before which articles are wanted.

    :raises UserError: one of them is given twice, or the second is not after the first.
    """
    for name, other in (("from", "since"), ("to", "until")):
        if name in given and other in given:
            raise UserError(
                f"{name}={arguments[name]!r} and {other}={arguments[other]!r} are one thing; give one of them"
            )
    since = given["from"][0] if "from" in given else given.get("since")
    until = given["to"][1] if "to" in given else given.get("until")
    if since and until and since >= until:
        first, last = (f"{name}={arguments[name]!r}" if name in given else "what else is given" for name in names)
        raise UserError(f"{first} is not before {last}")
    return since, until


def refuse_unknown(arguments: Mapping[str, str], accepted: Mapping[str, str]) -> None:
    """:raises UserError: an argument is none of those accepted."""
    for name in arguments:
        if name not in accepted:
            raise UserError(f"unknown option {name!r}; accepted: {', '.join(accepted)}")


def at_least(least: int = 1) -> Callable[[str], int | None]:
    """Return a function that reads a whole number of at least ``least``."""
    return lambda text: int(text) if re.fullmatch(r"\s*\d{1,9}\s*", text) and int(text) >= least else None


def flag(text: str) -> bool | None:
    """Read ``1`` or ``0``."""
    text = text.strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _cdx_server(text: str) -> str | None:
    kind, _, url = text.strip().partition(":")
    return url.strip() if kind == "cdx" and is_web_address(url.strip()) else None


def _languages(text: str) -> frozenset[str] | None:
    codes = frozenset(code.strip().lower() for code in text.split(","))
    return codes if all(re.fullmatch("[a-z]{2}", code) for code in codes) else None


def _channels(text: str, site: NewsSite) -> tuple[str, ...]:
    """:raises ValueError: the site has no such channel."""
    names = separated(text)
    for name in names:
        if name not in site.channels:
            raise ValueError(f"{site.name} has no channel {name!r}")
    return names
