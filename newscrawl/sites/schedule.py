"""The schedule: which harvests run, and how often. It is one TOML file; every mistake in it is named."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newscrawl.console.files import parse_toml, read_text
from newscrawl.sites.ages import ACCEPTED_AGE, parse_age

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

#: Shorter intervals are no schedule: a harvest must have time to end.
MIN_INTERVAL = timedelta(minutes=1)
#: A harvest that names no limit of time.
DEFAULT_TIME_LIMIT = timedelta(hours=6)
NAME_PATTERN = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_SETTING = re.compile(r"[A-Z][A-Z0-9_]*")
_KEYS = ("every", "spider", "arguments", "settings", "time_limit", "enabled")
_DEFAULT_KEYS = ("every", "arguments", "settings", "time_limit")
#: The schedule and all its harvests share one database; a replay or a dry run is not scheduled.
_REFUSED_SETTINGS = frozenset({"NEWSCRAWL_DATABASE", "NEWSCRAWL_HARVEST"})


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


def parse_schedule(text: str, *, origin: str = "schedule") -> tuple[Harvest, ...]:
    """Return the harvests that are enabled, in the order of the file; ``origin`` begins each line of an error.

    :raises MistakesError: one line for each.
    """
    data = parse_toml(text, origin=origin, mistakes=_mistakes)
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


def _mistakes(data: dict[str, Any]) -> Iterator[str]:
    for key in data.keys() - {"defaults", "harvest"}:
        yield f"{key} is not a key; accepted: defaults, harvest"
    defaults, harvests = data.get("defaults", {}), data.get("harvest", {})
    if isinstance(defaults, dict):
        yield from _value_mistakes("defaults", defaults, _DEFAULT_KEYS)
    else:
        yield f"defaults = {defaults!r}: a table"
    if not isinstance(harvests, dict) or not harvests:
        yield "no harvest; write one as [harvest.NAME] with every = '1h'"
        return
    for name, values in harvests.items():
        at = f"harvest.{name}"
        if not isinstance(values, dict):
            yield f"{at} = {values!r}: a table"
            continue
        if not NAME_PATTERN.fullmatch(name):
            yield f"{at}: a name of small letters, digits, - and _, at most 60"
        if "every" not in values and not (isinstance(defaults, dict) and "every" in defaults):
            yield f"{at}: every is missing, e.g. every = '1h'"
        yield from _value_mistakes(at, values, _KEYS)


def _value_mistakes(at: str, values: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for key, value in values.items():
        if key not in keys:
            yield f"{at}: {key} is not a key; accepted: {', '.join(keys)}"
        elif key in ("every", "time_limit"):
            yield from _span_mistakes(f"{at}.{key}", value)
        elif key in ("arguments", "settings"):
            yield from _table_mistakes(f"{at}.{key}", value, is_settings=key == "settings")
        elif key == "enabled" and not isinstance(value, bool):
            yield f"{at}.enabled = {value!r}: true or false"
        elif key == "spider" and not (isinstance(value, str) and value):
            yield f"{at}.spider = {value!r}: the name of a spider, as in scrapy crawl NAME"


def _span_mistakes(at: str, value: object) -> Iterator[str]:
    span = parse_age(value) if isinstance(value, str) else None
    if span is None or span < MIN_INTERVAL:
        yield f"{at} = {value!r}: a time of a minute or more, such as {ACCEPTED_AGE}"


def _is_splittable(url: str) -> bool:
    try:
        urlsplit(url if "://" in url else f"//{url}")
    except ValueError:
        return False
    return True


def _table_mistakes(at: str, value: object, *, is_settings: bool) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at} = {value!r}: a table"
        return
    for name, entry in value.items():
        if not isinstance(entry, str | int | float | bool):
            yield f"{at}.{name} = {entry!r}: a string, a number, true or false"
        elif name == "url" and not is_settings and not _is_splittable(str(entry)):
            yield f"{at}.{name} = {entry!r}: an address"
        elif is_settings and not _SETTING.fullmatch(name):
            yield f"{at}.{name}: names of settings are in capitals"
        elif is_settings and name in _REFUSED_SETTINGS:
            yield f"{at}.{name}: not set here; harvests use the database of the tick"
