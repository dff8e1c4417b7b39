"""The server's pages put together."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from newscrawl.exceptions import NewscrawlError, StorageError, in_a_line
from newscrawl.serve import api, articles, crawls, labels, metrics, verdicts
from newscrawl.serve.desk import Desk
from newscrawl.serve.safety import SESSION, Guard, RefusedError, checked_form
from newscrawl.serve.shown import shown

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from newscrawl.serve.desk import Options


def make_app(options: Options) -> Starlette:
    """Return the server as an ASGI application.

    :raises UserError: the database or an archive is not there.
    """
    desk = Desk(options)

    @asynccontextmanager
    async def open_while(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await desk.close()

    app = Starlette(
        routes=_routes(),
        middleware=[Middleware(Guard, keys=desk.keys, names=options.names)],
        exception_handlers={
            NewscrawlError: refused,
            HTTPException: refused,
            ClientDisconnect: broken_off,
            Exception: failed,
        },
        lifespan=open_while,
    )
    app.state.desk = desk
    return app


def _routes() -> list[Route]:
    both = ["GET", "POST"]
    return [
        Route("/", articles.articles),
        Route("/articles/{number:int}", articles.article),
        Route("/articles/{number:int}/page", articles.archived),
        Route("/stories", articles.stories),
        Route("/stories/{number:int}", articles.story),
        Route("/changes", articles.changes),
        Route("/explain", articles.explained, methods=both),
        Route("/sites", crawls.sites, methods=both),
        Route("/sites/{name}", crawls.site),
        Route("/add-site", crawls.add_site, methods=both),
        Route("/runs", crawls.all_runs, methods=both),
        Route("/runs/{number:int}", crawls.run, methods=both),
        Route("/runs/{number:int}/live", crawls.live),
        Route("/frontier", crawls.frontier, methods=both),
        Route("/topics", crawls.all_topics),
        Route("/topics/{name:path}", crawls.topic),
        Route("/judge", verdicts.judge, methods=both),
        Route("/kinds/{site}", verdicts.judge_kind, methods=both),
        Route("/kinds/{site}/page", verdicts.one_page),
        Route("/label", labels.all_labels),
        Route("/label/{site}", labels.label_site, methods=both),
        Route("/label/{site}/{page}", labels.label_page, methods=both),
        Route("/metrics", metrics.metrics),
        Route("/login", login, methods=both),
        Route("/app.css", style),
        Route("/app.js", script),
        *api.routes(),
    ]


async def login(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        desk.rates.check(request)
        if desk.keys.is_token(form.get("token", "").strip()):
            answer: Response = RedirectResponse("/", 303)
            answer.set_cookie(SESSION, desk.keys.session(), httponly=True, samesite="strict")
            return answer
    return shown(request, "login.html.jinja", is_wrong=request.method == "POST", status=200)


async def refused(request: Request, error: Exception) -> Response:
    """Say in one line what is wrong with a request: as JSON to programs, as a page to people."""
    status, message = 400, in_a_line(error)
    if isinstance(error, RefusedError):
        status = error.status
    elif isinstance(error, StorageError):
        status = 503
    elif isinstance(error, HTTPException):
        status, message = error.status_code, error.detail
    if request.url.path.startswith(api.PREFIX):
        return api.as_json({"error": message}, status=status)
    return shown(request, "refused.html.jinja", status=status, message=message)


async def broken_off(_request: Request, _error: Exception) -> Response:
    """End a request that did not come whole: nobody hears the answer."""
    return Response(status_code=400)


async def failed(request: Request, _error: Exception) -> Response:
    """Say that the mistake is ours; the log has what it was."""
    return await refused(request, RefusedError("a mistake of newscrawl: the server's log says which", 500))


@cache
def _own_file(package: str, name: str) -> bytes:
    return files(package).joinpath(name).read_bytes()


async def style(_request: Request) -> Response:
    text = _own_file("newscrawl.serve.reports", "templates/style.css") + _own_file("newscrawl.serve", "static/app.css")
    return _kept(text, "text/css")


async def script(_request: Request) -> Response:
    return _kept(_own_file("newscrawl.serve", "static/app.js"), "text/javascript")


def _kept(content: bytes, kind: str) -> Response:
    headers: dict[str, Any] = {"cache-control": "max-age=3600"}
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)
