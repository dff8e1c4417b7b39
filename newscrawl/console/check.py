"""What a user writes is held against a table: arguments of spiders, files of sites, topics and schedules.

A table says of each name what its value may be. A mistake is one line: where it stands, the value, what is accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping


class ValueKind(NamedTuple):
    """What a value may be."""

    accepted: str
    """For people, behind the value."""
    read: Callable[[Any], Any]
    """Gives the value as it is used; None, or a ValueError that says why, for one that is not accepted."""
    each: ValueKind | None = None
    """What each entry of a list is, and each value of a table whose names are free."""
    names: ValueKind | None = None
    """What such names are."""
    table: Mapping[str, ValueKind] | None = None
    """What stands in a table, by name."""
    required: Collection[str] = ()


def text(accepted: str = "a string", takes: Callable[[str], object] = lambda _text: True) -> ValueKind:
    """Return the kind of the strings that a function takes."""
    return ValueKind(accepted, lambda value: value if isinstance(value, str) and takes(value) else None)


def number(accepted: str, takes: Callable[[float], object]) -> ValueKind:
    """Return the kind of the numbers that a function takes."""
    is_number = (int, float)
    return ValueKind(accepted, lambda value: value if type(value) in is_number and takes(value) else None)


def each_of(each: ValueKind, accepted: str = "a list of strings") -> ValueKind:
    """Return the kind of the lists of entries of one kind."""
    return ValueKind(accepted, lambda value: value if isinstance(value, list) else None, each=each)


def table(accepted: str = "a table", **kinds: Any) -> ValueKind:
    """Return the kind of tables: ``table``, ``each``, ``names``, ``required`` are those of :class:`ValueKind`."""
    return ValueKind(accepted, lambda value: value if isinstance(value, dict) else None, **kinds)


SWITCH: Final = ValueKind("true or false", lambda value: value if isinstance(value, bool) else None)


def mistakes(value: object, kind: ValueKind, place: str = "") -> Iterator[str]:
    """Yield a line for each mistake in a value, and in what it holds.

    >>> list(mistakes({"feeds": ["x", 1]}, table(table={"feeds": each_of(text())})))
    ['feeds, entry 2 = 1; accepted: a string']
    """
    if (why := _refusal(value, kind)) is not None:
        yield f"{place} = {value!r}; accepted: {why}"
    elif isinstance(value, list) and kind.each is not None:
        for n, entry in enumerate(value, 1):
            yield from mistakes(entry, kind.each, f"{place}, entry {n}")
    elif isinstance(value, dict):
        yield from _mistakes_within(value, kind, place)


def _mistakes_within(values: dict[str, Any], kind: ValueKind, place: str) -> Iterator[str]:
    known = kind.table or {}
    for name in kind.required:
        if not values.get(name):
            yield f"{_within(place, name)} is missing; accepted: {known[name].accepted}"
    for name, value in values.items():
        at = _within(place, name)
        one = kind.each if kind.table is None else known.get(name)
        if one is None:
            yield f"{at} is not a key; accepted: {', '.join(sorted(known))}"
            continue
        if kind.names is not None and (why := _refusal(name, kind.names)) is not None:
            yield f"{at} is no name; accepted: {why}"
        yield from mistakes(value, one, at)


def _within(place: str, name: str) -> str:
    return f"{place}{': ' if ', entry ' in place else '.' if place else ''}{name}"


def _refusal(value: object, kind: ValueKind) -> str | None:
    """Return what is accepted in the place of a value, with what is wrong where that is known; None for a good one."""
    try:
        return kind.accepted if kind.read(value) is None else None
    except ValueError as error:
        return f"{kind.accepted} ({error})"


def read_values(values: Mapping[str, str], kinds: Mapping[str, ValueKind]) -> dict[str, Any]:
    """Return what the values mean, by name; names that are in no table are left out.

    :raises UserError: for the first value that is not accepted.
    """
    for name, kind in kinds.items():
        for line in mistakes(values[name], kind, name) if name in values else ():
            raise UserError(line)
    return {name: kind.read(values[name]) for name, kind in kinds.items() if name in values}
