"""Pages on which a user gives verdicts on what is in doubt, one after the other, and may take the last one back.

Of a site's pages, whether they are articles or lists: crawls go by it. Of articles, whether they are about a topic: its
focused crawl learns from it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from newscrawl.serve.articles import recorded_page
from newscrawl.serve.browse import is_page_of, unsure_pages
from newscrawl.serve.labels import known_site
from newscrawl.serve.safety import RefusedError, checked_form
from newscrawl.serve.shown import shown
from newscrawl.sites.files import KINDS, agreed_forms, read_verdicts, set_verdict
from newscrawl.store.focused import crawls, doubtful, forget_decisions, known_decisions, page_texts, save_decisions
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from newscrawl.serve.desk import Desk

AHEAD: Final = 50
"""Doubtful pages, or articles, looked for beside those with a verdict."""
UNDO: Final = "undo"
VERDICTS: Final = {"yes": True, "no": False}
_KEYS: Final = {UrlKind.ARTICLE: "a", UrlKind.HUB: "h", UrlKind.OTHER: "o"}


async def judge_kind(request: Request) -> Response:
    """Show the page whose type is least certain and that has no verdict; take a verdict, or the last one back."""
    desk: Desk = request.app.state.desk
    site = await known_site(request)
    if request.method == "POST":
        return await _take(request, desk, site)
    verdicts = await run_in_threadpool(read_verdicts, site, desk.options.sites)
    found = await desk.ask(unsure_pages, site, AHEAD + len(verdicts))
    page = next((row for row in found if row["url"] not in verdicts), None)
    texts = await desk.ask(page_texts, [page["url"]]) if page else {}
    last = request.query_params.get("last", "")
    return shown(
        request,
        "page_kinds.html.jinja",
        site=site,
        page=page,
        text=texts[page["url"]]["text"] if page and page["url"] in texts else "",
        is_archived=page is not None and desk.archived(page["url"]) is not None,
        keys=_KEYS,
        n_judged=len(verdicts),
        rules=agreed_forms({url.partition("://")[2]: kind for url, kind in verdicts.items()}),
        last=last if last in verdicts else None,
    )


async def _take(request: Request, desk: Desk, site: str) -> Response:
    """:raises RefusedError: the server only shows, or was asked something else."""
    form = await checked_form(request, desk.keys)
    desk.check_changes()
    url, verdict = form.get("url", ""), form.get("verdict", "")
    if not await desk.ask(is_page_of, url, site):
        raise RefusedError("no page of this site has this address", 404)
    if verdict not in {*KINDS, UNDO}:
        raise RefusedError(f"expected one of {', '.join((*KINDS, UNDO))}")
    kind = None if verdict == UNDO else UrlKind(verdict)
    await run_in_threadpool(set_verdict, site, desk.options.sites, url, kind)
    desk.note(request, f"a page of {site}: {url} is {verdict}")
    return _next(request, None if kind is None else url)


def _next(request: Request, last: str | None) -> RedirectResponse:
    """Lead to what is most in doubt now; the address names what a verdict was given on last."""
    target = request.url.remove_query_params("last")
    target = target if last is None else target.include_query_params(last=last)
    return RedirectResponse(f"{target.path}?{target.query}" if target.query else target.path, 303)


async def one_page(request: Request) -> Response:
    await known_site(request)
    return await recorded_page(request, request.query_params.get("url"))


async def judge(request: Request) -> Response:
    """Show the most doubtful article without a verdict; take a verdict, or the last one back."""
    desk: Desk = request.app.state.desk
    crawl = request.query_params.get("crawl", "")
    if crawl not in await desk.ask(crawls):
        raise RefusedError("no focused crawl of that name has learnt anything", 404)
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        url, verdict = form.get("url", ""), form.get("verdict", "")
        if verdict not in {*VERDICTS, UNDO}:
            raise RefusedError(f"expected one of {', '.join((*VERDICTS, UNDO))}")
        if not await desk.ask(page_texts, [url]):
            raise RefusedError("no stored article has this address", 404)
        if verdict in VERDICTS:
            await desk.change(partial(save_decisions, crawl=crawl, kind="page", names=[url], belongs=VERDICTS[verdict]))
        else:
            await desk.change(partial(forget_decisions, crawl=crawl, kind="page", names=[url]))
        desk.note(request, f"judged {url} for {crawl}: {verdict}")
        return _next(request, url if verdict in VERDICTS else None)
    verdicts = (await desk.ask(known_decisions, crawl))[1]
    found = await desk.ask(doubtful, crawl, AHEAD + len(verdicts))
    left = [row for row in found if row["url"] not in verdicts]
    texts = await desk.ask(page_texts, [row["url"] for row in left[:1]])
    return shown(
        request,
        "judge.html.jinja",
        crawl=crawl,
        page=left[0] if left else None,
        text=texts[left[0]["url"]]["text"] if left else "",
        n_judged=len(verdicts),
        last=request.query_params.get("last"),
        last_verdict=verdicts.get(request.query_params.get("last", "")),
    )
