"""Spider arguments (``-a NAME=VALUE``), parsed once, wrong ones refused in one line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

from newscrawl.exceptions import UserError
from newscrawl.links.rules import Wanted
from newscrawl.sites.ages import ACCEPTED_MOMENT, parse_moment

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
}
#: What a harvest fetches of the addresses known from earlier ones.
MODES = ("due", "new", "all", "again")
_T = TypeVar("_T")
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    wanted: Wanted
    limit: int | None = None
    mode: str = "due"
    """One of ``MODES``."""
    dry_run: bool = False
    languages: frozenset[str] = frozenset()
    """Those of the articles wanted; empty for any."""


def parse_options(arguments: Mapping[str, str], site: NewsSite, *, now: datetime) -> Options:
    """Read the arguments of every news spider.

    :param now: aware; ages are counted back from it.
    :raises UserError: a value is not accepted.
    """
    zone = ZoneInfo(site.timezone)
    since = read_option(arguments, "since", lambda text: parse_moment(text, now, zone))
    until = read_option(arguments, "until", lambda text: parse_moment(text, now, zone))
    if since and until and since >= until:
        raise UserError(f"since={arguments['since']!r} is not before until={arguments['until']!r}")
    return Options(
        wanted=Wanted(since=since, until=until, channels=_channels(arguments.get("channels", ""), site)),
        limit=read_option(arguments, "limit", whole()),
        mode=read_option(arguments, "mode", lambda text: text if text in MODES else None) or MODES[0],
        dry_run=bool(read_option(arguments, "dry_run", flag)),
        languages=read_option(arguments, "language", _languages) or frozenset(),
    )


def refuse_unknown(arguments: Mapping[str, str], accepted: Mapping[str, str]) -> None:
    """:raises UserError: an argument is none of those accepted."""
    for name in arguments:
        if name not in accepted:
            raise UserError(f"unknown option {name!r}; accepted: {', '.join(accepted)}")


def read_option(
    arguments: Mapping[str, str],
    name: str,
    parse: Callable[[str], _T | None],
    accepted: Mapping[str, str] = MappingProxyType(ACCEPTED),
) -> _T | None:
    """Return the value of an option, None where it is not given.

    :param parse: gives None for what is not accepted.
    :param accepted: what the options accept, for people.
    :raises UserError: the value is not accepted.
    """
    if name not in arguments:
        return None
    value = parse(arguments[name].strip())
    if value is None:
        raise UserError(f"{name}={arguments[name]!r} is not accepted; give {accepted[name]}")
    return value


def whole(least: int = 1) -> Callable[[str], int | None]:
    """Return what reads a whole number of at least ``least``."""
    return lambda text: int(text) if re.fullmatch(r"\d{1,9}", text) and int(text) >= least else None


def flag(text: str) -> bool | None:
    """Read ``1`` or ``0``."""
    return True if text.lower() in _TRUE else False if text.lower() in _FALSE else None


def _languages(text: str) -> frozenset[str] | None:
    codes = frozenset(code.strip().lower() for code in text.split(","))
    return codes if all(re.fullmatch("[a-z]{2}", code) for code in codes) else None


def _channels(text: str, site: NewsSite) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in site.channels:
            known = ", ".join(site.channels) or "none"
            raise UserError(f"channels={text!r}: {site.name} has no channel {name!r}; accepted: {known}")
    return names
