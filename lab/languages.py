"""Tables of languages from CLDR: ``python -m lab.languages [CODE …]`` writes the part ``[cldr]`` of each file anew.

Files of languages that CLDR does not have are written by hand alone, and left as they are.

Months, weekdays, relative times, halves of the day, digits, names of zones and of places come from CLDR by Babel. What
is written by hand stands above ``[cldr]`` and is kept. A file that is not there is made; ``locales`` in it names
further locales.
"""

from __future__ import annotations

import re
import sys
import tomllib
import unicodedata
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.core import get_global

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FOLDER: Final = Path(__file__).parent.parent / "newscrawl" / "languages"
_MARK: Final = "[cldr]"
_UNITS: Final = ("second", "minute", "hour", "day", "week", "month", "year")
_PLURALS: Final = ("zero", "one", "two", "few", "many", "other")
_WIDTHS: Final = ("", "-short", "-narrow")
_DAYS: Final = {"today": 0, "yesterday": -1, "before_yesterday": -2}
_INVISIBLE: Final = re.compile("[\u200c-\u200f\u202a-\u202e\u2066-\u2069]")
_SPACES: Final = re.compile("[\u00a0\u202f\u2009]")
_SIGNED: Final = re.compile(r"[+\-−‑]\s?\{0\}|\{0\}\s?[+\-−]")
_ZONES_OF: Final = {"America_Eastern": "America/New_York", "America_Central": "America/Chicago",
                    "America_Mountain": "America/Denver", "America_Pacific": "America/Los_Angeles",
                    "Europe_Central": "Europe/Berlin", "Europe_Eastern": "Europe/Athens",
                    "Europe_Western": "Europe/Lisbon", "Atlantic": "America/Halifax"}  # fmt: skip
"""Zones that stand for a zone of CLDR, where another than the first one is meant."""
_SHORTEST_ZONE: Final = 3
_COUNTRY_CODE, _MAX_PLACE = 2, 4
_PLACE: Final = re.compile(r"[^\d(&/,]+")
_JANUARY, _JULY = datetime(2024, 1, 15), datetime(2024, 7, 15)  # noqa: DTZ001


def main(codes: Iterable[str]) -> None:
    """Write the tables of the languages, all that have a file by default."""
    for code in codes or sorted(path.stem for path in FOLDER.glob("*.toml")):
        path = FOLDER / f"{code}.toml"
        head = path.read_text(encoding="utf-8").partition(f"\n{_MARK}")[0].rstrip() if path.exists() else ""
        names = str(tomllib.loads(head).get("locales", code)).split()
        try:
            path.write_text(f"{head or _new_head(code)}\n\n{_MARK}\n{_table(names)}", encoding="utf-8")
        except (UnknownLocaleError, ValueError):
            if not head:
                sys.exit(f"CLDR has no language {code!r}: write {path.name} by hand, in the form of docs/languages.md")


def _new_head(code: str) -> str:
    return f"name = {_quoted(Locale.parse(code).english_name or code)}"


def _table(names: list[str]) -> str:
    locales = [Locale.parse(name) for name in names]
    lines = [f"# CLDR {get_global('cldr')['version']} by python -m lab.languages; changes are lost.", *_flat(locales)]
    tables = {
        "ago": _ago(locales),
        "one_ago": _single_ago(locales, "one"),
        "two_ago": _single_ago(locales, "two"),
        "units": _units(locales),
        "zones": _zones(locales),
    }
    for name, table in tables.items():
        if table:
            lines += ["", f"[cldr.{name}]", *(f"{_key(key)} = {_listed(words)}" for key, words in table.items())]
    return "\n".join(lines) + "\n"


def _flat(locales: list[Locale]) -> Iterator[str]:
    for name, months in _months(locales).items():
        yield f"{name} = [{', '.join(map(_listed, months))}]"
    for name, width in (("weekdays", "wide"), ("weekdays_short", "abbreviated")):
        yield f"{name} = {_listed(_weekdays(locales, width))}"
    fields = [_plain(locale._data["date_fields"]) for locale in locales]
    for name, distance in _DAYS.items():
        words = [
            field.get(f"day{width}", {}).get("relative", {}).get(distance) for field in fields for width in _WIDTHS
        ]
        yield f"{name} = {_listed(filter(None, words))}"
    for half in ("am", "pm"):
        yield f"{half} = {_listed(_halves(locales, half))}"
    yield f"digits = {_quoted(_digits(locales))}"
    yield f"forms = {_listed(_forms(locales))}"
    yield f"places = {_listed(_places(locales))}"


def _places(locales: list[Locale]) -> Iterator[str]:
    """Give the countries and cities whose names have as many words as a person's."""
    for locale in locales:
        countries = [name for code, name in locale.territories.items() if len(code) == _COUNTRY_CODE and code.isalpha()]
        cities = [zone["city"] for zone in locale.time_zones.values() if "city" in zone]
        if locale.language == "en":  # what CLDR leaves out is called as its zone is
            cities += [zone.rpartition("/")[2].replace("_", " ") for zone in get_global("zone_territories")]
        named = (name for name in (*countries, *cities) if _PLACE.fullmatch(name))
        yield from sorted(name for name in named if 2 <= len(name.split()) <= _MAX_PLACE)


def _plain(value: Any) -> Any:
    return {key: _plain(value[key]) for key in value} if hasattr(value, "items") else value


def _months(locales: list[Locale]) -> dict[str, list[list[str]]]:
    """Return the names of each month: as dates write them in full, shortened, and all other forms."""
    tables = [_plain(locale.months) for locale in locales]
    first = {"months": ("format", "wide"), "months_short": ("format", "abbreviated")}
    named = {
        name: [[word] if (word := _month(tables[0][use][width][n])) else [] for n in range(1, 13)]
        for name, (use, width) in first.items()
    }
    ways = [(use, width) for use in ("format", "stand-alone") for width in ("wide", "abbreviated")]
    named["months_other"] = [
        [
            word
            for table in tables
            for use, width in ways
            if (word := _month(table[use][width][n]))
            and word not in named["months"][n - 1] + named["months_short"][n - 1]
        ]
        for n in range(1, 13)
    ]
    return named


def _month(name: str) -> str:
    """Return a month's name without *of* before it."""
    return re.sub(r"^(?:de |d[’'])", "", _clean(name))


def _weekdays(locales: list[Locale], width: str) -> Iterator[str]:
    for locale in locales:
        days = _plain(locale.days)
        for use in ("format", "stand-alone"):
            yield from (days[use][width][number] for number in range(7))


def _halves(locales: list[Locale], half: str) -> Iterator[str]:
    for locale in locales:
        for use in _plain(locale.day_periods).values():
            yield from (names[half] for width, names in use.items() if half in names and width != "narrow")


def _digits(locales: list[Locale]) -> str:
    """Return the ten digits of the language's own script, ``""`` where they are ASCII."""
    own = {
        system
        for locale in locales
        for system in (locale.default_numbering_system, *locale.other_numbering_systems.values())
    }
    zeros = [char for system in sorted(own) if (char := _ZEROS.get(system))]
    return "".join(chr(ord(zero) + n) for zero in zeros for n in range(10))


_ZEROS: Final = {
    "arab": "\u0660", "arabext": "\u06f0", "deva": "\u0966", "beng": "\u09e6", "guru": "\u0a66", "gujr": "\u0ae6",
    "orya": "\u0b66", "tamldec": "\u0be6", "telu": "\u0c66", "knda": "\u0ce6", "mlym": "\u0d66", "thai": "\u0e50",
    "laoo": "\u0ed0", "tibt": "\u0f20", "mymr": "\u1040", "khmr": "\u17e0", "mong": "\u1810",
}  # fmt: skip


def _forms(locales: list[Locale]) -> Iterator[str]:
    for locale in locales[:1]:
        for width in ("full", "long", "medium"):
            yield locale.date_formats[width].pattern


def _ago(locales: list[Locale]) -> dict[str, list[str]]:
    return {unit: [text for _, text in _past(locales, unit) if re.search(r"(?<!\()\{0\}", text)] for unit in _UNITS}


def _single_ago(locales: list[Locale], number: str) -> dict[str, list[str]]:
    """Return how one, or two, of a unit are said without a number: *час назад*, *قبل ساعتين*."""
    found: dict[str, list[str]] = {}
    for unit in _UNITS:
        texts = [text for category, text in _past(locales, unit) if category == number]
        if number == "two":
            texts = [text for text in texts if not re.search(r"(?<!\()\{0\}", text)]
        found[unit] = [" ".join(re.sub(r"\(?\{0\}\)?", " ", text).split()) for text in texts]
    return {unit: texts for unit, texts in found.items() if texts}


def _past(locales: list[Locale], unit: str) -> Iterator[tuple[str, str]]:
    """Yield plural category and pattern of relative times; those with a sign, as *-3 h*, are left out."""
    for locale in locales:
        for width in _WIDTHS:
            past = _plain(locale._data["date_fields"]).get(unit + width, {}).get("past", {})
            yield from ((number, _clean(text)) for number, text in past.items() if not _SIGNED.search(text))


def _units(locales: list[Locale]) -> dict[str, list[str]]:
    """Return how spans of time are counted: *{0} hours*, *{0} hr*, *{0}h*."""
    found: dict[str, list[str]] = {}
    for unit in _UNITS:
        patterns = [
            _clean(text)
            for locale in locales
            for form in _plain(locale._data["unit_patterns"].get(f"duration-{unit}", {})).values()
            for number, text in (form.items() if isinstance(form, dict) else ())
            if number in _PLURALS and "{0}" in text
        ]
        found[unit] = [text for text in patterns if not _single(text)]
    return found


def _single(pattern: str) -> bool:
    """Tell whether a unit is one Latin letter, as *m*, which stands for too much."""
    rest = pattern.replace("{0}", "").strip(" .")
    return len(rest) == 1 and rest.isascii() and rest not in "hds"


def _zones(locales: list[Locale]) -> dict[str, list[str]]:
    """Return short names of zones: an offset for that of a season, the zone's own name for one of the whole year."""
    found: dict[str, list[str]] = {}
    zones = _metazones()
    for locale in locales:
        for zone in filter(zones.__contains__, locale.meta_zones):
            short = _short_names(locale, zone)
            for use, name in short.items():
                if len(name) >= _SHORTEST_ZONE and name.isalpha() and name.isupper():
                    found.setdefault(name, [_stands_for(ZoneInfo(zones[zone]), use, short)])
    return found


def _short_names(locale: Locale, zone: str) -> Mapping[str, str]:
    try:
        return dict(locale.meta_zones[zone].get("short", {}))
    except KeyError:  # an alias that leads nowhere
        return {}


def _stands_for(own: ZoneInfo, use: str, short: Mapping[str, str]) -> str:
    if use == "generic" and short.get("standard") != short["generic"]:
        return own.key
    return _offset(own, daylight=use == "daylight")


def _offset(zone: ZoneInfo, *, daylight: bool) -> str:
    offsets = [moment.replace(tzinfo=zone).utcoffset() for moment in (_JANUARY, _JULY)]
    seconds = (max if daylight else min)(offset.total_seconds() for offset in offsets if offset is not None)
    sign, minutes = "-" if seconds < 0 else "+", abs(int(seconds)) // 60
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}"


def _metazones() -> dict[str, str]:
    found = dict(_ZONES_OF)
    for zone, metazone in get_global("meta_zones").items():
        found.setdefault(metazone, zone)
    return found


def _clean(text: str) -> str:
    return unicodedata.normalize("NFC", _SPACES.sub(" ", _INVISIBLE.sub("", text))).strip()


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def _listed(words: Iterable[str]) -> str:
    return _quoted(" | ".join(dict.fromkeys(map(_clean, words))))


def _quoted(text: str) -> str:
    return f"'{text}'" if "'" not in text else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    main(sys.argv[1:])
