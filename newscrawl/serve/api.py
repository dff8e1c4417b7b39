"""The JSON API under ``/api/v1``, with the document that describes it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from newscrawl.frontier.manage import rates, workers
from newscrawl.items import iso
from newscrawl.serve.api_schema import SCHEMAS, reference
from newscrawl.serve.article_feed import ATOM_TYPE, JSON_TYPE, FeedHead, atom, edit_entry, json_feed
from newscrawl.serve.articles import (
    FILTERS,
    explanation_of,
    find,
    found_stories,
    place_in,
    refuse_others,
    story_rows,
    whole,
)
from newscrawl.serve.browse import newest_edits
from newscrawl.serve.crawls import health_of, run_of
from newscrawl.serve.reports.runs import runs_of
from newscrawl.serve.running import schedule, start_harvest, start_site, stop
from newscrawl.serve.safety import RefusedError
from newscrawl.serve.search.search import full_articles
from newscrawl.store.coverage import dead_feeds
from newscrawl.store.export import Selection, nth_change, read_articles

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from newscrawl.serve.desk import Desk

PREFIX: Final = "/api/v1"
VERSION: Final = "1"
MOST: Final = 200
PER_PAGE: Final = 50
HTML: Final = "text/html"
BYTES: Final = "application/octet-stream"
JSON: Final = "application/json"


def as_json(value: object, *, status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False, default=iso)
    return Response(text.encode("utf-8", "replace"), status_code=status, media_type="application/json")


async def search_articles(request: Request) -> Response:
    limit = max(1, whole(request, "limit", PER_PAGE, most=MOST))
    number, offset = place_in(request, limit=limit)
    found = await find(request, limit=limit, offset=offset)
    return as_json(asdict(found) | {"page": number})


async def one(request: Request) -> Response:
    found = await _read(request, Selection(number=request.path_params["number"]))
    if not found:
        raise RefusedError("no such article", 404)
    return as_json(found[0])


async def changes(request: Request) -> Response:
    """Articles that came, changed or went since a cursor, in that order; the next cursor goes with them."""
    after = whole(request, "after", 0, most=2**62)
    limit = max(1, whole(request, "limit", PER_PAGE, most=MOST))
    chosen = Selection(after=after, site=request.query_params.get("site") or None, duplicates=True)
    desk: Desk = request.app.state.desk
    last = await desk.ask(nth_change, chosen, limit)
    found = [] if last is None else await _read(request, replace(chosen, up_to=last))
    return as_json({"articles": found, "next": last or after})


async def _read(request: Request, chosen: Selection) -> list[dict[str, Any]]:
    desk: Desk = request.app.state.desk
    return await desk.ask(lambda connection: list(read_articles(connection, chosen)))


async def stories(request: Request) -> Response:
    limit = max(1, whole(request, "limit", PER_PAGE, most=MOST))
    return as_json(await found_stories(request, limit=limit))


async def story(request: Request) -> Response:
    return as_json(await story_rows(request))


async def sites(request: Request) -> Response:
    health = await health_of(request.app.state.desk)
    names = "name title hosts language last_run_id n_new n_latest undated unsigned confidence".split()
    return as_json([{name: row[name] for name in names} | {"n_drifts": len(row["drifts"])} for row in health])


async def feeds(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    name = request.path_params["name"]
    return as_json(await desk.ask(dead_feeds, name, desk.declared_feeds(name)))


async def all_runs(request: Request) -> Response:
    limit = max(1, whole(request, "limit", PER_PAGE, most=MOST))
    found = await request.app.state.desk.ask(runs_of, site=request.query_params.get("site") or None, most=limit)
    return as_json([run.as_json() for run in found])


async def one_run(request: Request) -> Response:
    return as_json((await run_of(request)).as_json())


async def all_workers(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    return as_json({"workers": await desk.ask(workers), "runs": await desk.ask(rates)})


async def plan(request: Request) -> Response:
    rows, mistake = await schedule(request.app.state.desk)
    if mistake:
        raise RefusedError(mistake)
    return as_json(rows)


async def stop_run(request: Request) -> Response:
    _check_json(request)
    await stop(request, request.path_params["number"])
    return as_json({"stop_asked": True}, status=202)


async def start(request: Request) -> Response:
    _check_json(request)
    begin = start_site if "/sites/" in request.url.path else start_harvest
    started = await begin(request, request.path_params["name"])
    return as_json({"name": started.name, "log": str(started.log)}, status=202)


def _check_json(request: Request) -> None:
    """Refuse what a form of another site could send: no page may post this type elsewhere without asking."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise RefusedError(f"expected Content-Type: {JSON}", 415)


async def explained(request: Request) -> Response:
    return as_json((await explanation_of(request.app.state.desk, request.query_params.get("url", ""))).as_json())


async def extract(request: Request) -> Response:
    """Read the page that the request holds; nothing is fetched."""
    desk: Desk = request.app.state.desk
    desk.rates.check(request)
    page = desk.given(
        await request.body(), request.query_params.get("url") or None, request.headers.get("content-type")
    )
    reading = await desk.read(page)
    article = asdict(reading.article) if reading.article else {}
    kind = {"pageType": reading.page_type, "pageTypeConfidence": reading.page_type_confidence}
    return as_json(kind | article | reading.reasons)


async def feed(request: Request) -> Response:
    """The newest articles of a search, or of a site, with their full text."""
    found = await find(request, limit=PER_PAGE, offset=0)
    desk: Desk = request.app.state.desk
    articles = await desk.ask(full_articles, [hit.article_id for hit in found.hits])
    words = [request.query_params.get(name, "") for name in ("site", "q")]
    title, query = " ".join(filter(None, words)) or "newscrawl", request.url.query
    home = str(request.url.replace(path="/"))
    head = FeedHead(title=title, key=f"serve?{query}", address=str(request.url), home=home)
    is_json = request.url.path.endswith(".json")
    return _as_feed(request, (json_feed if is_json else atom)(articles, head), JSON_TYPE if is_json else ATOM_TYPE)


async def feed_of_changes(request: Request) -> Response:
    """What sites changed of their articles, all of them or one."""
    refuse_others(request, ("site",))
    site = request.query_params.get("site") or None
    desk: Desk = request.app.state.desk
    edits = await desk.ask(newest_edits, site, PER_PAGE)
    title, home = f"newscrawl: {site or 'changes'}", str(request.url.replace(path="/changes"))
    head = FeedHead(title=title, key=f"changes {site or ''}", address=str(request.url), home=home)
    return _as_feed(request, atom([edit_entry(edit) for _, edit in edits], head), ATOM_TYPE)


def _as_feed(request: Request, body: bytes, kind: str) -> Response:
    """Return a feed; to who has it as it is, that alone."""
    tag = f'"{blake2b(body, digest_size=16).hexdigest()}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(body, media_type=kind, headers={"ETag": tag})


async def described(_request: Request) -> Response:
    return as_json(openapi())


class Endpoint(NamedTuple):
    path: str
    method: str
    answer: Callable[[Request], Awaitable[Response]]
    summary: str
    schema: str
    """Name in ``SCHEMAS`` of what is answered."""
    query: tuple[str, ...] = ()
    body: str = ""
    """Media type of what is posted."""


ENDPOINTS: Final = (
    Endpoint("/articles", "GET", search_articles, "Search articles", "Found", ("q", *FILTERS, "page", "limit")),
    Endpoint("/articles/{number:int}", "GET", one, "One article, all fields", "Article"),
    Endpoint(
        "/changes",
        "GET",
        changes,
        "Articles that came, changed or went after a cursor",
        "Changes",
        ("after", "site", "limit"),
    ),
    Endpoint("/stories", "GET", stories, "Events that several sites tell of", "Stories", ("until", "limit")),
    Endpoint("/stories/{number:int}", "GET", story, "Who told of an event, first to last, and who copied", "Story"),
    Endpoint("/sites", "GET", sites, "Harvested sites and their health", "Sites"),
    Endpoint("/sites/{name}/dead-feeds", "GET", feeds, "Feeds that fail, or brought nothing new for long", "DeadFeeds"),
    Endpoint("/runs", "GET", all_runs, "The newest runs", "Runs", ("site", "limit")),
    Endpoint("/runs/{number:int}", "GET", one_run, "One run", "Run"),
    Endpoint(
        "/runs/{number:int}/stop", "POST", stop_run, "Stop a run in order; its queue stays", "StopAsked", body=JSON
    ),
    Endpoint("/sites/{name}/start", "POST", start, "Start a harvest of a known site", "Started", body=JSON),
    Endpoint("/workers", "GET", all_workers, "Workers of all crawls, and the pages a minute of each run", "Workers"),
    Endpoint("/schedule", "GET", plan, "What `newscrawl tick` starts, and when", "Schedule"),
    Endpoint("/schedule/{name}/start", "POST", start, "Start a harvest of the schedule now", "Started", body=JSON),
    Endpoint(
        "/explain",
        "GET",
        explained,
        "Why an address was or was not fetched, judged an article, stored",
        "Explanation",
        ("url",),
    ),
    Endpoint("/extract", "POST", extract, "Read the page in the body: text, facts, page type", "Page", ("url",), HTML),
    Endpoint("/openapi.json", "GET", described, "This description", "Description"),
)


def routes() -> list[Route]:
    feeds = [Route("/changes.atom", feed_of_changes), *(Route(path, feed) for path in ("/feed.atom", "/feed.json"))]
    return feeds + [Route(PREFIX + end.path, _asked_as_described(end), methods=[end.method]) for end in ENDPOINTS]


def _asked_as_described(end: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        refuse_others(request, end.query)
        return await end.answer(request)

    return answer


def openapi() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for end in ENDPOINTS:
        path = end.path.replace(":int", "")
        parameters = [
            {"name": name, "in": "query", "required": False, "schema": {"type": "string"}} for name in end.query
        ]
        if "{" in path:
            name = path.partition("{")[2].partition("}")[0]
            kind_of = {"type": "integer" if name == "number" else "string"}
            parameters.append({"name": name, "in": "path", "required": True, "schema": kind_of})
        kind = {JSON: {"schema": reference(end.schema)}}
        operation: dict[str, Any] = {
            "operationId": "_".join(re.findall(r"\w+", f"{end.method.lower()} {path}")),
            "summary": end.summary,
            "parameters": parameters,
            "responses": {
                "200": {"description": "found", "content": kind},
                "default": {
                    "description": "an object with `error`, one line",
                    "content": {JSON: {"schema": reference("Error")}},
                },
            },
        }
        if end.body:
            page = {HTML: {"schema": {"type": "string"}}, BYTES: {"schema": {"type": "string", "format": "binary"}}}
            content = page if end.body == HTML else {end.body: {"schema": {"type": "object"}}}
            operation["requestBody"] = {"required": True, "content": content}
        paths[path] = {end.method.lower(): operation}
    return {
        "openapi": "3.1.0",
        "info": {"title": "newscrawl", "version": VERSION},
        "servers": [{"url": PREFIX}],
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }
