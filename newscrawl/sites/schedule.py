"""The schedule: which harvests run, and how often. It is one TOML file; every mistake in it is named."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.console.check import SWITCH, ValueKind, mistakes, table, text
from newscrawl.console.files import parse_toml, read_text
from newscrawl.console.wording import ACCEPTED_AGE, parse_age

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

#: Shorter intervals are no schedule: a harvest must have time to end.
MIN_INTERVAL = timedelta(minutes=1)
#: A harvest that names no limit of time.
DEFAULT_TIME_LIMIT = timedelta(hours=6)
NAME_PATTERN = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
#: The schedule and all its harvests share one database; a replay or a dry run is not scheduled.
_REFUSED_SETTINGS = frozenset({"NEWSCRAWL_DATABASE", "NEWSCRAWL_HARVEST"})
_SETTING = re.compile(rf"(?!(?:{'|'.join(_REFUSED_SETTINGS)})$)[A-Z][A-Z0-9_]*")


def _span(value: object) -> timedelta | None:
    span = parse_age(value) if isinstance(value, str) else None
    return None if span is None or span < MIN_INTERVAL else span


def _address(value: object) -> object:
    """:raises ValueError: an address cannot be split."""
    return urlsplit(str(value) if "://" in str(value) else f"//{value}")


_SPAN: Final = ValueKind(f"a time of a minute or more, such as {ACCEPTED_AGE}", _span)
_SCALAR: Final = ValueKind(
    "a string, a number, true or false", lambda value: value if isinstance(value, str | int | float) else None
)
_DEFAULTS: Final[Mapping[str, ValueKind]] = {
    "every": _SPAN,
    "arguments": table(each=_SCALAR),
    "settings": table(
        each=_SCALAR,
        names=text("names in capitals, but the database and the harvest, which are the tick's", _SETTING.fullmatch),
    ),
    "time_limit": _SPAN,
}
_HARVEST: Final = table(
    table={
        **_DEFAULTS,
        "spider": text("the name of a spider, as in scrapy crawl NAME", bool),
        "enabled": SWITCH,
    }
)
_SCHEDULE: Final = table(
    table={
        "defaults": table(table=_DEFAULTS),
        "harvest": table(
            "one table or more, [harvest.NAME] with every = '1h'",
            each=_HARVEST,
            names=text("small letters, digits, - and _, at most 60", NAME_PATTERN.fullmatch),
        ),
    },
    required=("harvest",),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    name: str
    spider: str
    every: timedelta
    """Between two starts."""
    time_limit: timedelta = DEFAULT_TIME_LIMIT
    """After it the harvest is stopped; what it left is the next one's."""
    arguments: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def site(self) -> str:
        """What must not be harvested twice at a time: the spider, or the host of ``crawl site -a url=…``."""
        url = self.arguments.get("url")
        host = urlsplit(url if "://" in url else f"//{url}").hostname if url else None
        return f"{self.spider} {host.removeprefix('www.')}" if host else self.spider

    def is_due(self, last_start: datetime | None, now: datetime) -> bool:
        """Whether its interval is over; a clock that was set back does not stop it for good."""
        return last_start is None or now - last_start >= self.every or last_start - now > self.every


def load_schedule(path: Path) -> tuple[Harvest, ...]:
    """Read the schedule.

    :raises MistakesError: one line for each.
    """
    absent = f"no schedule {str(path)!r}; data/schedule.toml is an example"
    return parse_schedule(read_text(path, what=f"schedule {str(path)!r}", absent=absent), origin=str(path))


def parse_schedule(source: str, *, origin: str = "schedule") -> tuple[Harvest, ...]:
    """Return the harvests that are enabled, in the order of the file; ``origin`` begins each line of an error.

    :raises MistakesError: one line for each.
    """
    data = parse_toml(source, origin=origin, kind=_SCHEDULE, more=_lacks)
    defaults = data.get("defaults", {})
    return tuple(
        _harvest(name, values, defaults) for name, values in data["harvest"].items() if values.get("enabled", True)
    )


def _harvest(name: str, values: dict[str, Any], defaults: dict[str, Any]) -> Harvest:
    limit = parse_age(values.get("time_limit") or defaults.get("time_limit") or "")
    tables = {key: {**defaults.get(key, {}), **values.get(key, {})} for key in ("arguments", "settings")}
    return Harvest(
        name=name,
        spider=values.get("spider", name),
        every=parse_age(values.get("every") or defaults.get("every") or "") or MIN_INTERVAL,
        time_limit=limit or DEFAULT_TIME_LIMIT,
        **{key: MappingProxyType({n: _as_text(v) for n, v in table.items()}) for key, table in tables.items()},
    )


def _as_text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _lacks(data: dict[str, Any]) -> Iterator[str]:
    """Say which harvests have no interval, nor one of the defaults, and which have no address."""
    harvests, defaults = data.get("harvest"), data.get("defaults")
    for name, values in harvests.items() if isinstance(harvests, dict) else ():
        if not isinstance(values, dict):
            continue
        if "every" not in {**values, **(defaults if isinstance(defaults, dict) else {})}:
            yield f"harvest.{name}: every is missing; accepted: {_SPAN.accepted}"
        arguments = values.get("arguments")
        if isinstance(arguments, dict) and "url" in arguments:
            yield from mistakes(arguments["url"], ValueKind("an address", _address), f"harvest.{name}.arguments.url")
