"""Pages about harvests: sites, runs (live while they go on), the frontier, topics."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import RedirectResponse, StreamingResponse

from newscrawl.console.command import one_of
from newscrawl.console.files import write_text
from newscrawl.exceptions import NewscrawlError, UserError, in_a_line
from newscrawl.focus.crawl import unpack_state
from newscrawl.frontier.manage import (
    AddressFilter,
    counts,
    forget,
    list_requests,
    put_first,
    rates,
    requeue,
    set_drain,
    workers,
)
from newscrawl.outcomes import OUTCOMES, REJECTIONS
from newscrawl.serve.browse import (
    failures_by_reason,
    queue_by_host,
    run_progress,
    site_health,
    topic_figures,
    topic_pages,
    topics,
)
from newscrawl.serve.fetching import run_scrapy
from newscrawl.serve.reports.charts import curve
from newscrawl.serve.reports.runs import NAMES, counts_plot, plots_of_many, plots_of_one, runs_of
from newscrawl.serve.running import can_start, schedule, start_harvest, start_site, stop
from newscrawl.serve.safety import RefusedError, checked_form
from newscrawl.serve.shown import rendered, shown
from newscrawl.sites import standing
from newscrawl.sites.files import NAME_PATTERN, list_sites, parse_site
from newscrawl.store.columns import State
from newscrawl.store.coverage import coverage, dead_feeds
from newscrawl.store.focused import crawls, crawls_of, draw_sample, load_state, read_estimate
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from newscrawl.serve.desk import Desk
    from newscrawl.serve.reports.runs import RunView

LIVE_SECONDS: Final = 2.0
"""Between two looks at a run that goes on."""
LIVE_MOST: Final = 3600.0
"""A client that stays longer asks again by itself."""
LISTED: Final = 100


async def health_of(desk: Desk) -> list[dict[str, Any]]:
    """Return a row for each harvested site, with the events that still stand."""
    rows = await desk.ask(site_health)
    return [row | {"drifts": standing(row["drifts"], desk.options.sites)} for row in rows]


async def sites(request: Request) -> Response:
    """Show the harvested sites; start a harvest of any that is known."""
    desk: Desk = request.app.state.desk
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        started = await start_site(request, form.get("name", "").strip())
        return RedirectResponse(f"/runs?started={started.name}", 303)
    health = await health_of(desk)
    harvested = {row["name"] for row in health}
    new = [name for name in list_sites(desk.options.sites) if name not in harvested]
    return shown(request, "sites.html.jinja", sites=health, new=new)


async def site(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    name = request.path_params["name"]
    health = next((row for row in await health_of(desk) if row["name"] == name), None)
    if health is None:
        raise RefusedError("no such site was harvested", 404)
    found = await desk.ask(runs_of, site=name)
    last = found[0] if found else None
    plots = (plots_of_many(found)[:3] if len(found) > 1 else []) + [
        counts_plot(title, told, meanings)
        for title, told, meanings in (
            ("How addresses of the last run ended", last.outcomes if last else {}, OUTCOMES),
            ("Addresses refused in the last run, by reason", last.rejections if last else {}, REJECTIONS),
        )
        if told
    ]
    days = await desk.ask(coverage, name, datetime.now(UTC))
    return shown(
        request,
        "site.html.jinja",
        site=health,
        runs=found,
        plots=plots,
        coverage=days,
        can_start=can_start(desk, name),
        feeds=await desk.ask(dead_feeds, name, desk.declared_feeds(name)),
    )


async def add_site(request: Request) -> Response:
    """Show what ``scrapy addsite`` would write; write it when it was read and sent back."""
    desk: Desk = request.app.state.desk
    form, mistake, status = {"name": "", "url": "", "text": ""}, "", 200
    if request.method == "POST":
        form |= await checked_form(request, desk.keys)
        desk.check_changes()
        try:
            if await _is_added(request, form):
                return RedirectResponse("/sites", 303)
        except NewscrawlError as error:  # what was written stays in the form
            mistake, status = in_a_line(error), getattr(error, "status", 400)
    return shown(request, "addsite.html.jinja", status=status, form=form, mistake=mistake)


async def _is_added(request: Request, form: dict[str, str]) -> bool:
    """Write the site's file, or read its home page into the form first; tell whether it is written.

    :raises NewscrawlError: for a name, an address or a file that is not accepted, and a page that does not come.
    """
    desk: Desk = request.app.state.desk
    name, url = form["name"].strip(), canonicalize(form["url"].strip())
    if not NAME_PATTERN.fullmatch(name):
        raise RefusedError(f"{name[:40]!r} is no name: a lower-case letter, then letters, digits, '-' or '_'")
    if name in list_sites(desk.options.sites):
        raise RefusedError(f"there is a site {name!r} already")
    if form["text"].strip():
        parse_site(name, form["text"], origin=f"{name}.toml")
        write_text(desk.options.sites / f"{name}.toml", form["text"].replace("\r\n", "\n"))
        desk.note(request, f"wrote the site {name}")
        return True
    desk.rates.check(request)
    if url is None:
        raise RefusedError("expected an address: http://HOST/ or https://HOST/")
    form["text"] = await run_scrapy("addsite", "--print", name, url, settings=desk.options.settings)
    return False


async def all_runs(request: Request) -> Response:
    """Show runs, what was started here, and the schedule; start a harvest of the schedule."""
    desk: Desk = request.app.state.desk
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        started = await start_harvest(request, form.get("harvest", ""))
        return RedirectResponse(f"/runs?started={started.name}", 303)
    found = await desk.ask(runs_of)
    rows, mistake = await schedule(desk)
    return shown(
        request,
        "all_runs.html.jinja",
        runs=found,
        plots=plots_of_many(found),
        schedule=rows,
        mistake=mistake,
        started=list(desk.started.values())[::-1],
    )


async def run(request: Request) -> Response:
    """Show a run, live while it goes on; stop it."""
    if request.method == "POST":
        desk: Desk = request.app.state.desk
        await checked_form(request, desk.keys)
        await stop(request, request.path_params["number"])
        return RedirectResponse(f"/runs/{request.path_params['number']}", 303)
    view = await run_of(request)
    progress = await _progress(request, view) if view.finished_at is None else None
    return shown(request, "one_run.html.jinja", run=view, plots=plots_of_one(view), names=NAMES, progress=progress)


async def live(request: Request) -> Response:
    """Server-sent events: what the run has done so far as a piece of the page, ``end`` when it has ended."""
    view = await run_of(request)

    async def events() -> AsyncIterator[str]:
        for _ in range(round(LIVE_MOST / LIVE_SECONDS)):
            now = await run_of(request)
            if now.finished_at is not None:
                yield "event: end\ndata: end\n\n"
                return
            piece = rendered(request, "progress.html.jinja", run=now, progress=await _progress(request, now))
            yield "".join(f"data: {line}\n" for line in piece.splitlines()) + "\n"
            if await request.is_disconnected():
                return
            await asyncio.sleep(LIVE_SECONDS)

    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(events(), media_type="text/event-stream", headers=headers if view else None)


async def run_of(request: Request) -> RunView:
    """:raises RefusedError: there is none of the address's number."""
    found = await request.app.state.desk.ask(runs_of, run_id=request.path_params["number"])
    if not found:
        raise RefusedError("no such run", 404)
    view: RunView = found[0]
    return view


async def _progress(request: Request, view: RunView) -> dict[str, Any]:
    found: dict[str, Any] = await request.app.state.desk.ask(run_progress, view.id, view.site)
    return found


async def frontier(request: Request) -> Response:
    """Show what waits, what failed, and who works; it is changed where changes are allowed."""
    desk: Desk = request.app.state.desk
    done = await _change_frontier(request) if request.method == "POST" else None
    given = request.query_params
    state = given.get("state", "")
    if state and state not in list(State):
        raise UserError(f"state {state!r}: one of {', '.join(State)}")
    selection = AddressFilter(
        crawl=given.get("crawl") or None,
        host=given.get("host") or None,
        state=State(state) if state else None,
        reason=given.get("reason") or None,
    )
    is_asked = any(given.get(name) for name in ("crawl", "host", "state", "reason"))
    return shown(
        request,
        "frontier.html.jinja",
        counts=await desk.ask(counts, AddressFilter()),
        workers=await desk.ask(workers),
        rates=await desk.ask(rates),
        queue=await desk.ask(queue_by_host, None),
        failures=await desk.ask(failures_by_reason),
        listed=await desk.ask(list_requests, selection, LISTED) if is_asked else None,
        selection=selection,
        states=list(State),
        most=LISTED,
        done=done,
    )


async def _change_frontier(request: Request) -> tuple[str, int]:
    """Do what a form asks for; return its name, and of how many requests or workers that was.

    :raises UserError: for another action, and for all requests at once.
    """
    desk: Desk = request.app.state.desk
    form = await checked_form(request, desk.keys)
    desk.check_changes()
    action = one_of(form.get("action", "requeue"), (*_CHANGES, "drain", "resume"), "action")
    names = ("crawl", "host", "address", "reason")
    given: dict[str, Any] = {name: form.get(name, "").strip() or None for name in names}
    if action in _CHANGES:
        chosen = AddressFilter(**given, state=State.FAILED if action == "requeue" else State.QUEUED)
        if action != "requeue" and not (chosen.host or chosen.address):
            raise UserError("which requests? Give a host or a form of address")
        n = await desk.change(lambda connection: _CHANGES[action](connection, chosen))
    else:
        process, machine = form.get("process", ""), form.get("machine", "")
        n = await desk.change(lambda connection: set_drain(connection, process, machine, drains=action == "drain"))
        given |= {"process": process}
    said = ", ".join(f"{name} {value}" for name, value in given.items() if value)
    desk.note(request, f"frontier: {action} {n} ({said})")
    return action, n


_CHANGES: Final = {"requeue": requeue, "forget": forget, "raise": put_first}


async def all_topics(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    return shown(request, "topics.html.jinja", topics=await desk.ask(topics), crawls=await desk.ask(crawls))


async def topic(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    name = request.path_params["name"]
    found = await desk.ask(topic_pages, name)
    if not found:
        raise RefusedError("no such topic", 404)
    figures = topic_figures(found)
    title, by = "Relevant pages among those fetched", "by the crawler's judgement"
    picture = curve(title, figures["curve"], name=by, x_label="pages", y_label="share")
    relevant = [row for row in found if row["probability"] is not None]
    near = sorted(relevant, key=lambda row: abs(row["probability"] - row["threshold"]))[:20]
    names = await desk.ask(crawls_of, name)
    saved = await desk.ask(load_state, names[0]) if names else None
    state = unpack_state(saved[1]) if saved else None
    checks = {
        "named": state["named"] if state else [0, 0],
        "estimate": await desk.ask(read_estimate, names[0]) if names else None,
        "sample": await desk.ask(draw_sample, names[0]) if names else [],
    }
    figures |= checks
    return shown(request, "topic.html.jinja", name=name, pages=found, figures=figures, picture=picture, near=near)
