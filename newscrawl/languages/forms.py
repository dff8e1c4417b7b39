"""Dates in the forms that a page's language writes them in, as CLDR has them: ``y. 'gada' d. MMMM``."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.languages.months import names_of
from newscrawl.languages.patterns import alternatives, case_folded
from newscrawl.languages.tables import language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.languages.model import Language

_FIELD: Final = re.compile(r"'([^']*)'|(E+|M+|L+|y+|d+)|([^'EMLyd]+)")
_NUMBERED: Final = r"(?<!\d)(?P<M>\d{1,2})(?!\d)"
_USUAL: Final = re.compile(r"(?:^|[^M])M{1,2}[./-]")
"""A month's number before one of the usual separators."""
_PARTS: Final = {"y": r"(?P<y>(?:19|20)\d\d)", "d": r"(?<!\d)(?P<d>\d{1,2})(?!\d)"}


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    numbers: dict[str, int]


def days_in_form(text: str, code: str | None) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield start, end, year, month and day of each date in a form of the language; a day may not exist."""
    table = language(code)
    for pattern, numbers in _forms(table) if table is not None else ():
        for match in pattern.finditer(text):
            said = case_folded(match["M"])
            month = int(said) if said.isdigit() else numbers.get(said, 0)
            yield *match.span(), int(match["y"]), month, int(match["d"])


@cache
def _forms(table: Language) -> tuple[_Form, ...]:
    """Return the forms with a month's name, or its number between spaces, each once."""
    numbers = {name: number for number, name in names_of(table)}
    folded = {case_folded(name): number for name, number in numbers.items()}
    sources = dict.fromkeys(source for form in table.forms if (source := _pattern(form, numbers)))
    return tuple(_Form(re.compile(source, re.IGNORECASE), folded) for source in sources)


def _pattern(form: str, numbers: dict[str, int]) -> str | None:
    """Return the regular expression of a form without its weekday, None for one that the usual patterns read."""
    if ("MMM" in form and not numbers) or _USUAL.search(form):
        return None
    parts: list[str] = []
    for quoted, field, other in _FIELD.findall(form):
        if field:
            parts.append(_part(field, numbers))
        elif quoted or parts or other.strip():
            parts.append(_literal(quoted or other))
    while parts and "(?P" not in parts[0]:
        parts.pop(0)
    while parts and "(?P" not in parts[-1]:
        parts.pop()
    source = "".join(parts)
    return source if all(f"(?P<{name}>" in source for name in "yMd") else None


def _part(field: str, numbers: dict[str, int]) -> str:
    if field[0] in "ML":
        if len(field) < len("MMM"):
            return _NUMBERED
        return f"(?P<M>{alternatives((f'*{name}' for name in numbers), may_go_on=True)})"
    return _PARTS.get(field[0], "")


def _literal(text: str) -> str:
    return r"\s{0,2}".join(map(re.escape, text.split())).join(
        (r"\s{0,2}" if text[:1].isspace() else "", r"\s{0,2}" if text[-1:].isspace() and text.strip() else "")
    )
