"""Pages on which a user labels blocks of a site's pages, trains a model of them, and has the site read by it.

A page to label stands in a sandboxed frame: made anew from its lines, without scripts, links or pictures. Its buttons
are a form, which needs no script either.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import TYPE_CHECKING, Final

import numpy as np
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from newscrawl.classify.blocks.classify import places_in
from newscrawl.classify.lines.site_model import save_site_model
from newscrawl.console.files import make_folder
from newscrawl.exceptions import UserError
from newscrawl.extract.formats.output import inert_html
from newscrawl.page.charset import decode
from newscrawl.page.lines import line_features
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.browse import addresses_of_site
from newscrawl.serve.desk import Collection, Desk
from newscrawl.serve.fetching import fetch
from newscrawl.serve.safety import RefusedError, checked_form
from newscrawl.serve.shown import shown
from newscrawl.serve.training.labelling import least_certain, proposals, read_labels, set_label
from newscrawl.serve.training.site import train_site
from newscrawl.sites.files import list_sites, model_path
from newscrawl.store.facts import harvested_sites

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from newscrawl.read.model import RawPage
    from newscrawl.serve.training.label_file import UserPage
    from newscrawl.serve.training.labelling import Proposal
    from newscrawl.serve.training.site import SiteTraining

COLLECTED: Final = 12
"""Pages that are put before the user, at most; five labelled ones do."""
MAX_PAGES: Final = 60
_SAFE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


async def all_labels(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    names = dict.fromkeys(row["name"] for row in await desk.ask(harvested_sites))
    names |= dict.fromkeys(list_sites(desk.options.sites))
    rows = []
    for name in filter(_SAFE_NAME.fullmatch, names):
        folder = desk.options.labels / name
        n_pages = len(list((folder / "pages").glob("*.html"))) if (folder / "pages").is_dir() else 0
        rows.append((name, n_pages, model_path(name, desk.options.sites).is_file()))
    return shown(request, "labels.html.jinja", sites=rows)


async def label_site(request: Request) -> Response:
    """Show the pages of a site, one of them in its frame; collect pages, train, use."""
    desk: Desk = request.app.state.desk
    name, folder = await _site_folder(request)
    trained = None
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        desk.check_changes()
        action = form.get("action")
        desk.note(request, f"labels of {name}: {action}")
        if action == "collect":
            desk.rates.check(request)
            await _collect(desk, name, folder, form.get("url", "").strip())
            return RedirectResponse(f"/label/{name}", 303)
        if action == "train":
            trained = await run_in_threadpool(_train, folder)
        elif action == "use":
            target = model_path(name, desk.options.sites)
            make_folder(target.parent)
            if not (folder / "model.npz").is_file():
                raise RefusedError("train first")
            target.write_bytes((folder / "model.npz").read_bytes())
        elif action == "unuse":
            model_path(name, desk.options.sites).unlink(missing_ok=True)
    pages = await run_in_threadpool(_proposals, folder)
    chosen = next((page for page in pages if page.name == request.query_params.get("page")), None)
    at_work = desk.collections.get(name)
    return shown(
        request,
        "label.html.jinja",
        name=name,
        pages=pages,
        chosen=chosen or least_certain(pages) or (pages[0] if pages else None),
        trained=trained,
        has_model=(folder / "model.npz").is_file(),
        is_used=model_path(name, desk.options.sites).is_file(),
        is_collecting=at_work is not None and not at_work.task.done(),
        failures=at_work.failures if at_work else [],
    )


async def label_page(request: Request) -> Response:
    """Show a page with the buttons of its blocks; note what the user says of one."""
    desk: Desk = request.app.state.desk
    name, folder = await _site_folder(request)
    page_name = request.path_params["page"]
    pages = await run_in_threadpool(_proposals, folder)
    page = next((page for page in pages if page.name == page_name), None)
    if page is None:
        raise RefusedError("no such page", 404)
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        desk.check_changes()
        number, _, label = form.get("say", "").partition(":")
        if number not in map(str, range(len(page.blocks))) or label not in {*BlockLabel, "none"}:
            raise RefusedError("expected NUMBER:LABEL")
        said = None if label == "none" else BlockLabel(label)
        await run_in_threadpool(set_label, folder, page, int(number), said)
        desk.note(request, f"block {number} of {name} {page_name}: {label}")
        return RedirectResponse(f"/label/{name}/{page_name}#b{number}", 303)
    following = least_certain([other for other in pages if other is not page])
    return shown(
        request,
        "label_page.html.jinja",
        is_frame=True,
        page=page,
        boxes=list(zip(page.blocks, page.given, _boxes(page), strict=True)),
        labels=list(BlockLabel),
        following=following.name if following else None,
        site=name,
        n_labelled=sum(any(other.given) for other in pages),
    )


def _boxes(page: Proposal) -> list[Markup]:
    """Return each block as inert HTML: its structure is kept, nothing of it can run, load or lead away."""
    lines = page.document.once(line_features).lines
    place = places_in(page.blocks, lines.start, lines.start + 1)
    numbers = [np.flatnonzero(place == number).tolist() for number in range(len(page.blocks))]
    return [Markup(inert_html(page.document, of)) for of in numbers]  # noqa: S704 (escaped by inert_html) # nosec B704


async def known_site(request: Request) -> str:
    """Return the site that an address names.

    :raises RefusedError: it is not known.
    """
    desk: Desk = request.app.state.desk
    name: str = request.path_params["site"]
    known = {row["name"] for row in await desk.ask(harvested_sites)} | {*list_sites(desk.options.sites)}
    if name not in known or not _SAFE_NAME.fullmatch(name):
        raise RefusedError("no such site", 404)
    return name


async def _site_folder(request: Request) -> tuple[str, Path]:
    """:raises RefusedError: the site is not known."""
    desk: Desk = request.app.state.desk
    name = await known_site(request)
    return name, desk.options.labels / name


# --- pages to label ------------------------------------------------------------------------------------------


async def _collect(desk: Desk, name: str, folder: Path, url: str) -> None:
    """Begin to put pages into the folder: that at ``url``, or a dozen of the site, archived ones if there are any."""
    make_folder(folder / "pages")
    known = [url] if url else await desk.ask(addresses_of_site, name)
    urls = ([url for url in known if desk.archived(url)] or known)[:: max(1, len(known) // COLLECTED)][:COLLECTED]
    if not urls:
        raise RefusedError("no page of this site is known: give an address")
    failures: list[str] = []
    if name not in desk.collections or desk.collections[name].task.done():
        task = asyncio.create_task(_gather(desk, folder, urls, failures))
        desk.collections[name] = Collection(task, failures)
        await asyncio.wait({task}, timeout=2.0)  # what is archived is there at once


async def _gather(desk: Desk, folder: Path, urls: list[str], failures: list[str]) -> None:
    for url in urls:
        if len(list((folder / "pages").glob("*.html"))) >= MAX_PAGES:
            return
        try:
            page = desk.recorded(desk.archived(url) or await fetch(url, desk.options.settings))
            await run_in_threadpool(_keep, folder, page)
        except (RefusedError, UserError, OSError) as error:
            failures.append(f"{url}: {error}")


def _keep(folder: Path, page: RawPage) -> None:
    """Write a page in UTF-8, named after its address."""
    body = page.body if isinstance(page.body, str) else decode(page.body, page.content_type)[0]
    words = re.sub(r"[^a-z0-9]+", "-", (page.url or "").lower().rpartition("://")[2]).strip("-")[-60:].strip("-")
    name = f"{words}-{hashlib.sha256((page.url or '').encode()).hexdigest()[:8]}.html"
    (folder / "pages" / name).write_text(f"\ufeff{body}", encoding="utf-8", errors="replace")


# --- labels --------------------------------------------------------------------------------------------------


def _pages(folder: Path) -> list[UserPage]:
    return read_labels(folder) if list((folder / "pages").glob("*.html")) else []


def _proposals(folder: Path) -> list[Proposal]:
    pages = _pages(folder)
    return proposals(pages) if pages else []


def _train(folder: Path) -> SiteTraining:
    """Train on the labels and keep the model beside them.

    :raises UserError: there are too few.
    """
    result = train_site(_pages(folder))
    about = {
        "command": "scrapy serve",
        "counts": {"labelled_pages": result.n_pages, "labelled_blocks": result.n_blocks},
        "strength": result.strength,
    }
    save_site_model(folder / "model.npz", result.model, about)
    return result
