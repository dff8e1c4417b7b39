"""Files of sites: ``NAME.toml``, read into ``NewsSite`` with every mistake named, and what lies beside it.

A user's own site is one file; a file of the catalogue (``newscrawl.sites``) holds many such, one a table.
The model that a user trained for a site is ``NAME.npz``. What a user says that its pages are is ``NAME.pages.json``.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import replace
from datetime import date
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawl.console.check import SWITCH, ValueKind, each_of, table, text
from newscrawl.console.files import make_folder, parse_toml, read_text, write_text
from newscrawl.exceptions import UserError
from newscrawl.sites.model import NewsSite
from newscrawl.sites.rules import NO_RULES, RULES, SiteRules, rules_of
from newscrawl.urls.canonical import is_web_address
from newscrawl.urls.shape import UrlKind, url_form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


#: Names of sites are names of spiders and of files.
NAME_PATTERN = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_LANGUAGE = re.compile(r"[a-z]{2}")
HOST = re.compile(r"\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")

#: ``checked`` of a site that nobody has tried.
NEVER: Final = "never"
_DESCRIBED: Final = files("newscrawl.sites") / "described.toml.txt"

_REQUIRED = ("title", "hosts", "seeds")
_REQUIRED_OF_MANY = (*_REQUIRED, "country", "source", "checked")


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _pattern(value: object) -> object:
    """:raises ValueError: a text is no regular expression."""
    try:
        return re.compile(value) if isinstance(value, str) else None
    except re.error as error:
        raise ValueError(error) from None


_ADDRESSES: Final = each_of(text("an http(s) address", is_web_address), "a list of http(s) addresses")
_PATTERNS: Final = each_of(ValueKind("a regular expression", _pattern))
_LISTS: Final[Mapping[str, ValueKind]] = {
    "hosts": each_of(text("a host name in lower case, without port", HOST.fullmatch)),
    "seeds": _ADDRESSES,
    "feeds": _ADDRESSES,
    "sitemaps": _ADDRESSES,
    "article_patterns": _PATTERNS,
    "guessed_patterns": _PATTERNS,
    "hub_patterns": _PATTERNS,
    "deny_patterns": _PATTERNS,
    "site_names": each_of(text()),
}
#: The keys of a site's file.
_KEYS: Final[Mapping[str, ValueKind]] = {
    **_LISTS,
    "title": text(),
    "timezone": text("an IANA name such as 'Asia/Shanghai'", _is_zone),
    "language": text("a two-letter code such as 'zh'", _LANGUAGE.fullmatch),
    "country": text("a two-letter code such as 'cn'", _LANGUAGE.fullmatch),
    "source": text(),
    "checked": text(f"a day such as '2026-11-23', or {NEVER!r}", lambda day: day == NEVER or _is_day(day)),
    "article_query": SWITCH,
    "channels": table("a table of name = [addresses]", each=_ADDRESSES),
    "rules": RULES,
}
_SITE: Final = table(table=_KEYS, required=_REQUIRED)
_MANY: Final = table(
    each=table(table=_KEYS, required=_REQUIRED_OF_MANY),
    names=text("a lower-case letter, then letters, digits, '-' or '_'", NAME_PATTERN.fullmatch),
)


def list_sites(folder: Path) -> list[str]:
    """Return the names of the site files in the folder, sorted; an absent folder holds none."""
    return sorted(path.stem for path in folder.glob("*.toml") if NAME_PATTERN.fullmatch(path.stem))


def load_site(name: str, folder: Path) -> NewsSite:
    """Read ``folder/name.toml``.

    :raises UserError: no such file, or its mistakes, one a line.
    """
    path = folder / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(list_sites(folder)) or "none"
        raise UserError(f"no site {name!r} in {folder}; there are: {known}")
    state = path.stat()
    return _read_site(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4096)
def _read_site(path: Path, _changed: int, _size: int) -> NewsSite:
    """A file is read once, and again when it has changed: commands ask for all of them at every page."""
    return parse_site(path.stem, read_text(path, what=str(path), absent=f"no file {path}"), origin=str(path))


def parse_site(name: str, text: str, *, origin: str = "TOML") -> NewsSite:
    """Build a site from TOML text; ``origin`` begins each line of an error."""
    return _site(name, parse_toml(text, origin=origin, kind=_SITE))


def parse_sites(text: str, *, origin: str) -> dict[str, NewsSite]:
    """Build the sites of a file of many: each table is one, keys above the tables stand for all that lack them.

    :raises MistakesError: each site also needs a country, a source, and when it was checked.
    """
    data = parse_toml(text, origin=origin, kind=_MANY, shaped=_by_site)
    return {name: _site(name, entry) for name, entry in data.items()}


def _by_site(data: dict[str, Any]) -> dict[str, Any]:
    shared = {key: value for key, value in data.items() if not isinstance(value, dict)}
    return {name: shared | entry for name, entry in data.items() if isinstance(entry, dict)}


def _site(name: str, data: Mapping[str, Any]) -> NewsSite:
    values: dict[str, Any] = {key: tuple(value) if key in _LISTS else value for key, value in data.items()}
    channels = {channel: tuple(urls) for channel, urls in data.get("channels", {}).items()}
    values |= {"name": name, "channels": MappingProxyType(channels), "timezone_known": "timezone" in data}
    values["rules"] = rules_of(data.get("rules", {}))
    return NewsSite(**values)


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_toml(site: NewsSite) -> str:
    """Write every field, each with what it means."""
    stated = {key: getattr(site, key) for key in ("language", "country", "source", "checked")}
    return _DESCRIBED.read_text(encoding="utf-8").format(
        comment=_comment(site.title),
        name=site.name,
        title=_string(site.title),
        timezone=f"{'' if site.timezone_known else '# '}timezone = {_string(site.timezone)}",
        stated="".join(f"{key} = {_string(value)}\n" for key, value in stated.items() if value),
        article_query=str(site.article_query).lower(),
        channels="".join(f"{_channel(name, urls)}\n" for name, urls in site.channels.items()),
        **{key: _list(key, getattr(site, key)) for key in _LISTS},
    )


#: Keys of a table, in their order; hosts and seeds are always written.
_TABLE: Final = (
    "title", "hosts", "seeds", "country", "language", "timezone", "feeds", "sitemaps", "site_names", "article_patterns",
    "guessed_patterns", "hub_patterns", "deny_patterns", "source", "checked",
)  # fmt: skip


#: What an entry of the catalogue must state, and a site of one's own need not → its line, to be filled in.
_TO_STATE: Final = {
    "country": 'country = "xx"  # the two-letter code',
    "source": 'source = "where its addresses are stated"',
    "checked": f'checked = "{NEVER}"',
}


def to_state(site: NewsSite) -> list[str]:
    """Return the keys that the site lacks as an entry of the catalogue."""
    return [key for key in _TO_STATE if not getattr(site, key)]


def to_tables(sites: Sequence[NewsSite], notes: Mapping[str, str] = MappingProxyType({})) -> str:
    """Write what the sites have: one as a file of its own, several as tables of a file of many.

    :param notes: address → a remark that follows it.
    """
    if len(sites) == 1:
        return _facts(sites[0], "", notes)
    return "\n".join(f"[{site.name}]\n" + _facts(site, f"{site.name}.", notes) for site in sites)


def _facts(site: NewsSite, prefix: str, notes: Mapping[str, str]) -> str:
    values = {key: getattr(site, key) for key in _TABLE}
    if not site.timezone_known:
        values["timezone"] = ""
    lines = []
    for key, value in values.items():
        if value:
            lines.append(f"{key} = {_string(value)}" if isinstance(value, str) else _list(key, value, notes))
    if not site.article_query:
        lines.append("article_query = false")
    lines += [f"# {_TO_STATE[key]}" for key in to_state(site)]
    if site.channels:
        lines += ["", f"[{prefix}channels]", *(_channel(name, urls) for name, urls in site.channels.items())]
    if site.rules != NO_RULES:
        lines += ["", _rules_table(site.rules, prefix).rstrip()]
    return "\n".join(lines) + "\n"


def _rules_table(rules: SiteRules, prefix: str = "") -> str:
    listed = (_list(field, selectors) for field, selectors in rules._asdict().items() if selectors)
    return f"[{prefix}rules]\n" + "".join(f"{line}\n" for line in listed)


def _channel(name: str, urls: Sequence[str]) -> str:
    return _list(name if _BARE_KEY.fullmatch(name) else _string(name), urls)


def _list(key: str, values: Sequence[str], notes: Mapping[str, str] = MappingProxyType({})) -> str:
    if len(values) <= 1 and not any(value in notes for value in values):
        return f"{key} = [{''.join(map(_string, values))}]"
    remarks = (f"  # {_comment(notes[value])}" if value in notes else "" for value in values)
    lines = (f"    {_string(value)},{remark}\n" for value, remark in zip(values, remarks, strict=True))
    return f"{key} = [\n{''.join(lines)}]"


def _string(value: str) -> str:
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"  # a literal string, for regular expressions
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in value) + '"'


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def file_beside(site: str, folder: Path, suffix: str) -> Path:
    """Return the name of a file that lies beside the site's own.

    :raises ValueError: for a name that is no file's.
    """
    if "/" in site or "\\" in site or site.startswith("."):
        raise ValueError(f"{site!r} is no name of a file")
    return folder / f"{site}{suffix}"


def model_path(site: str, folder: Path) -> Path:
    """Return where a site's model is, if it has one.

    :raises ValueError: for a name that is no file's.
    """
    return file_beside(site, folder, ".npz")


def model_for(site: str | None, folder: Path) -> str | None:
    """Return the path of a site's model; None for a site without one."""
    try:
        path = None if site is None else model_path(site, folder)
    except ValueError:
        return None
    return str(path) if path is not None and path.is_file() else None


#: What a page may be said to be.
KINDS: Final = (UrlKind.ARTICLE, UrlKind.HUB, UrlKind.OTHER)
#: Verdicts that make a rule of a form. One may be of a page that is unlike its neighbours.
AGREEING: Final = 2


def verdicts_path(site: str, folder: Path) -> Path:
    """Return where the verdicts of a site are.

    :raises ValueError: for a name that is no file's.
    """
    return file_beside(site, folder, ".pages.json")


def read_verdicts(site: str, folder: Path) -> dict[str, UrlKind]:
    """Return address → what its page is said to be, in the order said.

    :raises UserError: the file is no object of addresses and kinds.
    """
    path = verdicts_path(site, folder)
    if not path.is_file():
        return {}
    accepted = ", ".join(KINDS)
    text = read_text(path, what=str(path), absent=f"no file {path}")
    try:
        said = json.loads(text)
        found = {str(url): UrlKind(kind) for url, kind in said.items()}
    except (ValueError, AttributeError):
        raise UserError(f"{path}: expected one JSON object of addresses and {accepted}") from None
    if not set(found.values()) <= set(KINDS):
        raise UserError(f"{path}: a page is one of {accepted}")
    return found


def set_verdict(site: str, folder: Path, url: str, kind: UrlKind | None) -> None:
    """Note what a page is; None takes a verdict back."""
    verdicts = read_verdicts(site, folder)
    verdicts.pop(url, None)
    if kind is not None:
        verdicts[url] = kind
    make_folder(folder)
    write_text(verdicts_path(site, folder), json.dumps(verdicts, ensure_ascii=False, indent=1) + "\n")


def with_verdicts(site: NewsSite, folder: Path) -> NewsSite:
    """Return the site with what its user says of its pages.

    A verdict decides for its address. For other addresses of the same form it is evidence, as a site's patterns are:
    where at least :data:`AGREEING` verdicts of the form say the same, and none says something else.

    :raises UserError: the file has mistakes.
    """
    verdicts = read_verdicts(site.name, folder)
    if not verdicts:
        return site
    pages = {url.partition("://")[2] or url: kind for url, kind in verdicts.items()}
    return replace(site, page_verdicts=MappingProxyType(pages), form_verdicts=MappingProxyType(agreed_forms(pages)))


def agreed_forms(pages: Mapping[str, UrlKind]) -> dict[str, UrlKind]:
    """Return form → kind, where the verdicts agree.

    :param pages: address without its scheme → what it is said to be.
    """
    said: defaultdict[str, list[UrlKind]] = defaultdict(list)
    for target, kind in pages.items():
        said[url_form(target)].append(kind)
    return {form: kinds[0] for form, kinds in said.items() if len(kinds) >= AGREEING and len(set(kinds)) == 1}
