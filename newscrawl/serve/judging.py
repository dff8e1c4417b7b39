"""A page on which a user says of doubtful articles whether they are about a topic: its focused crawl learns from it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse

from newscrawl.serve.safety import RefusedError, checked_form
from newscrawl.serve.shown import shown
from newscrawl.storage.focused import crawls, decide, doubtful, known_decisions, page_texts, undo

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from newscrawl.serve.desk import Desk

VERDICTS: Final = {"yes": True, "no": False}
AHEAD: Final = 50
"""Doubtful articles looked for beside those judged already."""


async def judge(request: Request) -> Response:
    """Show the most doubtful article without a verdict; take a verdict, or the last one back."""
    desk: Desk = request.app.state.desk
    crawl = request.query_params.get("crawl", "")
    if crawl not in await desk.ask(crawls):
        raise RefusedError("no focused crawl of that name has learnt anything", 404)
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        url, verdict = form.get("url", ""), form.get("verdict", "")
        if not await desk.ask(page_texts, [url]):
            raise RefusedError("no stored article has this address", 404)
        if verdict in VERDICTS:
            await desk.change(partial(decide, crawl=crawl, kind="page", names=[url], belongs=VERDICTS[verdict]))
        else:
            await desk.change(partial(undo, crawl=crawl, kind="page", names=[url]))
        desk.note(request, f"judged {url} for {crawl}: {verdict}")
        last = {"last": url} if verdict in VERDICTS else {"last": None}
        target = request.url.remove_query_params("last").include_query_params(**{k: v for k, v in last.items() if v})
        return RedirectResponse(f"{target.path}?{target.query}", 303)
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
