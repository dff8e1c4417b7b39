"""What the JSON API answers, as JSON Schema: a table by name, which ``/api/v1/openapi.json`` refers to."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Float, Integer, Text

from newscrawl.items import record_schema
from newscrawl.store.columns import UtcTime
from newscrawl.store.export import KEPT_ARTICLE
from newscrawl.store.runs import Figures
from newscrawl.store.schema import articles, frontier_workers, runs
from newscrawl.store.schema import sites as harvested_sites

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Table

_TEXT: Final = {"type": "string"}
_WHOLE: Final = {"type": "integer"}
_NUMBER: Final = {"type": "number"}
_FLAG: Final = {"type": "boolean"}
_TEXT_OR_NONE: Final = {"type": ["string", "null"]}
_WHOLE_OR_NONE: Final = {"type": ["integer", "null"]}
_NUMBER_OR_NONE: Final = {"type": ["number", "null"]}
_MOMENT: Final = {"type": "string", "format": "date-time"}
_MOMENT_OR_NONE: Final = {"type": ["string", "null"], "format": "date-time"}
_OF_COLUMN: Final[Mapping[Any, dict[str, Any]]] = {UtcTime: _MOMENT, Text: _TEXT, Integer: _WHOLE, Float: _NUMBER}
_OBJECT: Final = {"type": "object"}
_COUNTS: Final = {"type": "object", "additionalProperties": _WHOLE}
_PIECE: Final = {"type": "array", "prefixItems": [_TEXT, _FLAG], "minItems": 2, "maxItems": 2}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _of_columns(table: Table, *names: str) -> dict[str, dict[str, Any]]:
    """Return the schemas of values that come from columns as they are."""
    found = {}
    for name in names:
        column = table.c[name]
        schema = next(schema for kind, schema in _OF_COLUMN.items() if isinstance(column.type, kind))
        found[name] = schema | ({"type": [schema["type"], "null"]} if column.nullable else {})
    return found


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: Final[Mapping[str, dict[str, Any]]] = {
    "Article": record_schema(KEPT_ARTICLE),
    "Changes": _record(articles=_list(reference("Article")), next=_WHOLE),
    "Hit": _record(
        article_id=_WHOLE,
        **_of_columns(articles, "url", "headline", "site", "source", "date_published", "duplicate_of", "confidence"),
        authors=_list(_TEXT),
        language=_TEXT_OR_NONE,
        snippet=_list(_PIECE) | {"description": "Pieces of text, each with whether it is a match."},
    ),
    "Found": _record(total=_WHOLE, is_capped=_FLAG, hits=_list(reference("Hit")), notes=_list(_TEXT), page=_WHOLE),
    "Stories": _list(
        _record(
            story=_WHOLE,
            headline=_TEXT_OR_NONE,
            firstSite=_TEXT,
            firstPublished=_TEXT,
            lastPublished=_TEXT,
            nSites=_WHOLE,
            nArticles=_WHOLE,
        )
    ),
    "Story": _list(
        _record(
            **_of_columns(articles, "id", "url", "source", "headline"),
            site=_TEXT,
            datePublished=_TEXT,
            firstFetchedAt=_MOMENT,
            copied=_NUMBER,
            copiedFrom=_TEXT_OR_NONE,
            changes=_list(_TEXT),
            numbers=_list(_TEXT),
        )
    ),
    "Site": _record(
        **_of_columns(harvested_sites, "name", "title", "language", "last_run_id"),
        hosts=_list(_TEXT),
        n_new=_WHOLE,
        n_latest=_WHOLE,
        undated=_NUMBER_OR_NONE,
        unsigned=_NUMBER_OR_NONE,
        confidence=_NUMBER_OR_NONE,
        n_drifts=_WHOLE,
    ),
    "Sites": _list(reference("Site")),
    "Run": _record(
        **_of_columns(runs, "id", "spider", "site", "started_at", "finished_at", "finish_reason"),
        arguments=_OBJECT,
        why=_TEXT,
        is_running=_FLAG,
        state=_TEXT,
        seconds=_NUMBER_OR_NONE,
        figures=_record(**{figure.name: _WHOLE for figure in fields(Figures)}, failed_share=_NUMBER),
        outcomes=_COUNTS,
        rejections=_COUNTS,
        statuses=_COUNTS,
    ),
    "Runs": _list(reference("Run")),
    "Worker": _record(
        crawl=_TEXT,
        machine=_TEXT,
        process=_TEXT,
        **_of_columns(frontier_workers, "started_at"),
        lease_seconds=_NUMBER,
        drains=_FLAG,
        hosts=_WHOLE,
        requests=_WHOLE,
        pages_a_minute=_NUMBER,
    ),
    "Rate": _record(**_of_columns(runs, "id", "site", "started_at"), pages=_WHOLE, pages_a_minute=_NUMBER),
    "Workers": _record(workers=_list(reference("Worker")), runs=_list(reference("Rate"))),
    "StopAsked": _record(stop_asked=_FLAG),
    "Started": _record(name=_TEXT, log=_TEXT),
    "DeadFeed": _record(
        url=_TEXT,
        fault=_TEXT,
        why=_TEXT_OR_NONE,
        n_failures=_WHOLE_OR_NONE,
        visited_at=_MOMENT_OR_NONE,
        last_new_at=_MOMENT_OR_NONE,
    ),
    "DeadFeeds": _list(reference("DeadFeed")),
    "Schedule": _list(_OBJECT),
    "Explanation": _OBJECT,
    "Page": _record(pageType=_TEXT, pageTypeConfidence=_NUMBER, evidence=_list(_TEXT), leftOut=_list(_OBJECT))
    | {"description": "Of an article, its fields stand beside these."},
    "Description": _OBJECT,
    "Error": _record(error=_TEXT),
}
