"""The table of an article's fields, read off :class:`newscrawl.items.Article`, where each is declared once.

Database columns, exports, batches, CSV feeds and ``docs/fields.md`` follow from this table.
``python -m lab.reference_pages docs`` writes that page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from types import MappingProxyType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

from newscrawl.items import OF_BODY, ZONED, Article, KeptFacts, Revision

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, "Field"]


class FieldKind(StrEnum):
    """What a field holds, as each output writes it."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    MOMENT = "moment (UTC)"
    ZONED_MOMENT = "moment with its zone"
    TEXTS = "list of texts"
    FACTS = "text by text"
    RECORD = "record"
    RECORDS = "list of records"


_KINDS: Final = MappingProxyType(
    {str: FieldKind.TEXT, float: FieldKind.NUMBER, int: FieldKind.COUNT, datetime: FieldKind.MOMENT}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    name: str
    """Name of the field in feeds; that of zyte-common-items if it has one."""
    kind: FieldKind
    doc: str
    is_optional: bool = False
    """None where there is no value."""
    is_of_body: bool = False
    """It goes with the text, page by page."""
    parts: Mapping[str, Field] = field(default_factory=dict)
    """Fields of a record."""

    @property
    def column(self) -> str:
        """Name in SQL: ``articleBody`` is ``article_body``."""
        return _column(self.name)

    def plain(self, value: Any) -> Any:
        """Return the value as JSON holds it: text, number, list or mapping; a moment (UTC) stays a ``datetime``."""
        if value is None:
            return None
        if self.kind is FieldKind.ZONED_MOMENT:
            return value.isoformat()
        if self.kind is FieldKind.RECORD:
            return values_of(value, self.parts)
        if self.kind is FieldKind.RECORDS:
            return [values_of(record, self.parts) for record in value]
        if self.kind is FieldKind.TEXTS:
            return list(value)
        return value.value if isinstance(value, StrEnum) else value


@cache
def _column(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def values_of(item: object, fields: Fields) -> dict[str, Any]:
    """Return the plain values of an item's fields, by name."""
    return {name: one.plain(getattr(item, name)) for name, one in fields.items()}


def fields_of(declared: type) -> Fields:
    """Return the fields that a class declares with ``Annotated[type, "what it is"]``, by name, in its order."""
    hints = get_type_hints(declared, include_extras=True)
    return MappingProxyType({name: _field(name, hint) for name, hint in hints.items()})


def _field(name: str, hint: Any) -> Field:
    hint, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    is_optional = isinstance(hint, UnionType)
    if is_optional:
        hint = next(option for option in get_args(hint) if option is not type(None))
    doc = next((note for note in notes if isinstance(note, str)), "")
    kind = FieldKind.ZONED_MOMENT if ZONED in notes else _kind(hint)
    records = {FieldKind.RECORD: (hint,), FieldKind.RECORDS: get_args(hint)}.get(kind, ())
    return Field(
        name=name,
        kind=kind,
        doc=doc,
        is_optional=is_optional,
        is_of_body=OF_BODY in notes,
        parts=fields_of(records[0]) if records else {},
    )


def _kind(hint: Any) -> FieldKind:
    if get_origin(hint) is dict:
        return FieldKind.FACTS
    if get_origin(hint) in {tuple, list}:
        return FieldKind.RECORDS if is_dataclass(get_args(hint)[0]) else FieldKind.TEXTS
    if is_dataclass(hint):
        return FieldKind.RECORD
    return next(kind for known, kind in _KINDS.items() if issubclass(hint, known))


#: Fields of an article, wherever it goes.
ARTICLE: Final = fields_of(Article)
#: Fields of an article that the database exports.
KEPT_ARTICLE: Final = MappingProxyType({**ARTICLE, **fields_of(KeptFacts)})
#: Fields of an earlier text of an article, with its difference to the next.
REVISION: Final = fields_of(Revision)


_SCHEMAS: Final[Mapping[FieldKind, Mapping[str, Any]]] = MappingProxyType(
    {
        FieldKind.TEXT: {"type": "string"},
        FieldKind.NUMBER: {"type": "number"},
        FieldKind.COUNT: {"type": "integer", "minimum": 0},
        FieldKind.MOMENT: {"type": "string", "format": "date-time"},
        FieldKind.ZONED_MOMENT: {"type": "string", "format": "date-time"},
        FieldKind.TEXTS: {"type": "array", "items": {"type": "string"}},
        FieldKind.FACTS: {"type": "object", "additionalProperties": {"type": "string"}},
    }
)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of what JSON outputs write of an article."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Article", **record_schema(ARTICLE)}


def record_schema(fields: Fields) -> dict[str, Any]:
    """Return the JSON Schema of an object with these fields."""
    required = [name for name, one in fields.items() if not one.is_optional]
    return {"type": "object", "properties": {name: _schema(one) for name, one in fields.items()}, "required": required}


def _schema(one: Field) -> dict[str, Any]:
    if one.kind is FieldKind.RECORD:
        schema = record_schema(one.parts)
    elif one.kind is FieldKind.RECORDS:
        schema = {"type": "array", "items": record_schema(one.parts)}
    else:
        schema = dict(_SCHEMAS[one.kind])
    if one.is_optional:
        schema["type"] = [schema["type"], "null"]
    return {**schema, "description": one.doc} if one.doc else schema


def iso(value: object) -> str:
    """Return what JSON has no value for as text: a moment in ISO 8601 and UTC."""
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)
