"""Refuses settings of the project that are misspelt, or whose values cannot be read, before anything is opened."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from newscrawl import default_settings
from newscrawl.exceptions import MistakesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

PREFIX: Final = "NEWSCRAWL_"
DEFAULTS: Final[Mapping[str, object]] = {
    name: value for name, value in vars(default_settings).items() if name.startswith(PREFIX)
}
#: Least and greatest value, where these are not 0 and infinity.
_RANGES: Final = {
    "NEWSCRAWL_JOIN_MAX_PARTS": (1, math.inf),
    "NEWSCRAWL_LOW_CONFIDENCE": (0, 1),
}
#: Settings that name one of a few things.
_CHOICES: Final = {"NEWSCRAWL_STORE_LINKS": ("rejected", "all", "none")}
#: Settings of Scrapy's that it reads as real numbers, though their defaults are whole ones, and those below zero.
_REAL: Final = ("_DELAY", "_TIMEOUT", "_JITTER", "_INTERVAL", "_SECONDS", "_CONCURRENCY")
_ANY_SIGN: Final = ("_PRIORITY", "_ADJUST", "_INDENT")
#: What Scrapy reads as true or false beside whole numbers.
_BOOLEANS: Final = ("True", "true", "False", "false")
_MOST_NAMES: Final = 3
#: difflib's ratio of a name that may have been meant, over what follows the prefix. 0..1.
_LIKE: Final = 0.7


def check_settings(values: Mapping[str, object]) -> None:
    """Refuse what is wrong with the ``NEWSCRAWL_*`` settings among ``values``; others are Scrapy's.

    Names of methods, files, networks … are checked by what reads them.

    :raises MistakesError: a line for each name that is not known, and each value of another kind than the default's.
    """
    mistakes = list(setting_mistakes(values))
    if mistakes:
        raise MistakesError(mistakes)


def setting_mistakes(values: Mapping[str, object]) -> Iterator[str]:
    """Give the lines of :func:`check_settings`."""
    yield from name_mistakes(values)
    for name in sorted(DEFAULTS.keys() & values):
        accepted = _accepted(name)
        if accepted is not None and not _is_accepted(name, values[name]):
            yield f"{name} is {values[name]!r}; accepted: {accepted}"


def check_scrapy_settings(values: Mapping[str, object], defaults: Mapping[str, object]) -> None:
    """Refuse numbers and switches of Scrapy's own that it could not read: it would say so in a traceback.

    :param defaults: Scrapy's; the kind of a default is the kind that is accepted. Others are not checked.
    :raises MistakesError: a line for each value.
    """
    mistakes = []
    for name in sorted(defaults.keys() & values):
        default, value = defaults[name], values[name]
        if isinstance(default, bool) or name.endswith("_ENABLED"):  # TELNETCONSOLE_ENABLED is 1
            is_read, accepted = value is None or value in _BOOLEANS or _in_range(value, int), "True or False"
        elif isinstance(default, int | float):
            is_real = isinstance(default, float) or name.endswith(_REAL)
            least = -math.inf if name.endswith(_ANY_SIGN) else 0
            is_read = value is None or _in_range(value, float if is_real else int, least)
            accepted = ("a number" if is_real else "a whole number") + (" from 0 up" if least == 0 else "")
        else:
            continue
        if not is_read:
            mistakes.append(f"{name} is {value!r}; accepted: {accepted}")
    if mistakes:
        raise MistakesError(mistakes)


def name_mistakes(names: Iterable[str]) -> Iterator[str]:
    """Give a line for each name that begins as the project's do and is none of them, with those most like it."""
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in DEFAULTS:
            nouns = [known.removeprefix(PREFIX) for known in DEFAULTS]
            nearest = get_close_matches(name.removeprefix(PREFIX), nouns, n=_MOST_NAMES, cutoff=_LIKE)
            hint = (
                f"did you mean {' or '.join(PREFIX + noun for noun in nearest)}?"
                if nearest
                else "see newscrawl/default_settings.py"
            )
            yield f"unknown setting {name}; {hint}"


def _accepted(name: str) -> str | None:
    """Say what the setting accepts; None for text, which is not checked here."""
    default = DEFAULTS[name]
    if name in _CHOICES:
        return ", ".join(_CHOICES[name])
    if isinstance(default, bool):
        return "True or False"
    if not isinstance(default, int | float):
        return None
    least, most = _RANGES.get(name, (0, math.inf))
    upper = f" to {most:g}" if most < math.inf else " up"
    return f"{'a number' if _is_real(name) else 'a whole number'} from {least:g}{upper}"


def _is_real(name: str) -> bool:
    return isinstance(DEFAULTS[name], float) or name.endswith("_SECONDS")


def _is_accepted(name: str, value: object) -> bool:
    if name in _CHOICES:
        return str(value) in _CHOICES[name]
    if isinstance(DEFAULTS[name], bool) and value in _BOOLEANS:
        return True
    least, most = _RANGES.get(name, (0, math.inf))
    return _in_range(value, float if _is_real(name) else int, least, most)


def _in_range(value: object, read: Callable[[Any], float], least: float = -math.inf, most: float = math.inf) -> bool:
    """Tell whether ``value`` can be read, and is a finite number between the two."""
    try:
        number = read(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return least <= number <= most and abs(number) < math.inf
