"""What the JSON API answers, as JSON Schema: a table by name, which ``/api/v1/openapi.json`` refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from newscrawl.items import record_schema
from newscrawl.store.export import KEPT_ARTICLE

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT: Final = {"type": "string"}
_WHOLE: Final = {"type": "integer"}
_NUMBER: Final = {"type": "number"}
_FLAG: Final = {"type": "boolean"}
_TEXT_OR_NONE: Final = {"type": ["string", "null"]}
_WHOLE_OR_NONE: Final = {"type": ["integer", "null"]}
_NUMBER_OR_NONE: Final = {"type": ["number", "null"]}
_MOMENT: Final = {"type": "string", "format": "date-time"}
_MOMENT_OR_NONE: Final = {"type": ["string", "null"], "format": "date-time"}
_OBJECT: Final = {"type": "object"}
_COUNTS: Final = {"type": "object", "additionalProperties": _WHOLE}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: Final[Mapping[str, dict[str, Any]]] = {
    "Article": record_schema(KEPT_ARTICLE),
    "Changes": _record(articles=_list(reference("Article")), next=_WHOLE),
    "Hit": _record(
        article_id=_WHOLE,
        url=_TEXT,
        headline=_TEXT_OR_NONE,
        site=_TEXT_OR_NONE,
        source=_TEXT_OR_NONE,
        authors=_list(_TEXT),
        date_published=_TEXT_OR_NONE,
        language=_TEXT_OR_NONE,
        duplicate_of=_TEXT_OR_NONE,
        confidence=_NUMBER,
        snippet=_list({"type": "array"}) | {"description": "Pieces of text, each with whether it is a match."},
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
            id=_WHOLE,
            url=_TEXT,
            site=_TEXT,
            source=_TEXT_OR_NONE,
            headline=_TEXT_OR_NONE,
            datePublished=_TEXT,
            firstFetchedAt=_MOMENT,
            copied=_NUMBER,
            copiedFrom=_TEXT_OR_NONE,
            changes=_list(_TEXT),
            numbers=_list(_TEXT),
        )
    ),
    "Site": _record(
        name=_TEXT,
        title=_TEXT_OR_NONE,
        hosts=_list(_TEXT),
        language=_TEXT_OR_NONE,
        last_run_id=_WHOLE_OR_NONE,
        n_new=_WHOLE,
        n_latest=_WHOLE,
        undated=_NUMBER_OR_NONE,
        unsigned=_NUMBER_OR_NONE,
        confidence=_NUMBER_OR_NONE,
        n_drifts=_WHOLE,
    ),
    "Sites": _list(reference("Site")),
    "Run": _record(
        id=_WHOLE,
        spider=_TEXT,
        site=_TEXT_OR_NONE,
        arguments=_OBJECT,
        started_at=_MOMENT,
        finished_at=_MOMENT_OR_NONE,
        finish_reason=_TEXT_OR_NONE,
        why=_TEXT,
        is_running=_FLAG,
        state=_TEXT,
        seconds=_NUMBER_OR_NONE,
        figures=_OBJECT,
        outcomes=_COUNTS,
        rejections=_COUNTS,
        statuses=_COUNTS,
    ),
    "Runs": _list(reference("Run")),
    "Worker": _record(
        crawl=_TEXT,
        machine=_TEXT,
        process=_TEXT,
        started_at=_MOMENT,
        lease_seconds=_NUMBER,
        drains=_FLAG,
        hosts=_WHOLE,
        requests=_WHOLE,
        pages_a_minute=_NUMBER,
    ),
    "Rate": _record(id=_WHOLE, site=_TEXT_OR_NONE, started_at=_MOMENT, pages=_WHOLE, pages_a_minute=_NUMBER),
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
    "Page": _record(pageType=_TEXT, pageTypeConfidence=_NUMBER, evidence=_OBJECT, leftOut=_list(_OBJECT))
    | {"description": "Of an article, its fields stand beside these."},
    "Description": _OBJECT,
}
