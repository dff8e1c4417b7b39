"""Pages about articles: search, one article, why an address is where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from newscrawl.exceptions import UserError
from newscrawl.extract.formats.output import inert_html
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features
from newscrawl.serve.browse import blocks_of, copies_of, newest_edits, one_article
from newscrawl.serve.fetching import fetch
from newscrawl.serve.reports.painting import paint
from newscrawl.serve.safety import RefusedError, checked_form
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.shown import is_part, shown
from newscrawl.serve.stories import day_after, newest_stories, one_story
from newscrawl.store.explained import explanation_lines
from newscrawl.store.export import Selection, read_revisions
from newscrawl.store.facts import explain, harvested_sites, read_facts, site_of_row, spellings
from newscrawl.store.focused import topic_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from newscrawl.read.model import RawPage
    from newscrawl.serve.desk import Desk
    from newscrawl.serve.search.search import Found
    from newscrawl.store.facts import Explanation

PER_PAGE: Final = 25
MOST: Final = 10_000
"""Articles after which nobody turns the pages."""
FILTERS: Final = (
    "site", "source", "author", "language", "topic", "confidence", "day_from", "day_to", "duplicates", "sort"
)  # fmt: skip
BLOCK_CHARS: Final = 400


def whole(request: Request, name: str, default: int, *, least: int = 0, most: int) -> int:
    """Return a number of the query.

    :raises RefusedError: for anything but a whole number from ``least`` to ``most``.
    """
    text = request.query_params.get(name) or str(default)
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
        raise RefusedError(f"{name}={text[:20]!r}: expected a whole number from {least} to {most}")
    return int(text)


def refuse_others(request: Request, accepted: Sequence[str]) -> None:
    """:raises UserError: the address asks for something by another name: it would be left out silently."""
    unknown = next((name for name in request.query_params if name not in {*accepted, "lang"}), None)
    if unknown is not None:
        raise UserError(f"unknown {unknown[:40]!r} in the address; accepted: {', '.join(accepted) or 'nothing'}")


def place_in(request: Request, *, limit: int = PER_PAGE) -> tuple[int, int]:
    """Return the page's number, from 1, and where its articles begin.

    :raises RefusedError: for another number.
    """
    number = whole(request, "page", 1, least=1, most=MOST // limit)
    return number, (number - 1) * limit


async def find(request: Request, *, limit: int, offset: int) -> Found:
    """Return the articles that the query of an address asks for.

    :raises UserError: for a query that is not accepted.
    """
    refuse_others(request, ("q", *FILTERS, "page", "limit"))
    given = {name: request.query_params.get(name, "") for name in FILTERS}
    query = parse_query(request.query_params.get("q", ""), **given)
    desk: Desk = request.app.state.desk
    return await desk.search(query, limit=limit, offset=offset)


async def articles(request: Request) -> Response:
    number, offset = place_in(request)
    mistake, found = "", None
    try:
        found = await find(request, limit=PER_PAGE, offset=offset)
    except UserError as error:  # as one types, a query is often half written
        mistake = str(error)
    desk: Desk = request.app.state.desk
    sites, topics = [], []
    if not is_part(request):
        sites, topics = await desk.ask(harvested_sites), await desk.ask(topic_names)
    is_last = found is None or len(found.hits) < PER_PAGE or (number + 1) * PER_PAGE > MOST
    return shown(
        request,
        "results.html.jinja" if is_part(request) else "articles.html.jinja",
        found=found,
        mistake=mistake,
        number=number,
        is_last=is_last,
        given={name: request.query_params.get(name, "") for name in ("q", *FILTERS)},
        sites=[row["name"] for row in sites],
        topics=topics,
    )


async def article(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    row = await desk.ask(one_article, request.path_params["number"])
    if row is None:
        raise RefusedError("no such article", 404)
    revisions = await desk.ask(lambda connection: list(read_revisions(connection, Selection(number=row["id"]))))
    blocks = await desk.ask(blocks_of, row["url"])
    return shown(
        request,
        "article.html.jinja",
        article=row,
        copies=await desk.ask(copies_of, row),
        revisions=revisions[::-1],
        painting=paint(blocks, max_chars=BLOCK_CHARS) if blocks else None,
        is_archived=desk.archived(row["url"]) is not None,
    )


async def changes(request: Request) -> Response:
    refuse_others(request, ("site",))
    desk: Desk = request.app.state.desk
    site = request.query_params.get("site") or None
    names = [row["name"] for row in await desk.ask(harvested_sites)]
    return shown(
        request, "changes.html.jinja", edits=await desk.ask(newest_edits, site, PER_PAGE), sites=names, given=site
    )


async def stories(request: Request) -> Response:
    found = await found_stories(request)
    return shown(request, "stories.html.jinja", stories=found, until=request.query_params.get("until", ""))


async def found_stories(request: Request, *, limit: int = PER_PAGE) -> list[dict[str, Any]]:
    """Return the newest stories, those up to a day where one is named.

    :raises UserError: for another name, and for what is no day.
    """
    refuse_others(request, ("until", "limit"))
    desk: Desk = request.app.state.desk
    until = day_after(request.query_params.get("until"), "until")
    await desk.group()
    return await desk.ask(newest_stories, limit, until=until)


async def story(request: Request) -> Response:
    return shown(request, "story.html.jinja", rows=await story_rows(request))


async def story_rows(request: Request) -> list[dict[str, Any]]:
    """:raises RefusedError: there is no such story."""
    desk: Desk = request.app.state.desk
    rows = await desk.ask(one_story, request.path_params["number"])
    if not rows:
        raise RefusedError("no such story", 404)
    return rows


async def archived(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    row = await desk.ask(one_article, request.path_params["number"])
    return await recorded_page(request, None if row is None else row["url"])


async def recorded_page(request: Request, url: str | None) -> Response:
    """Show a recorded page: its text with its structure, made anew; nothing of it can run.

    :raises RefusedError: there is none.
    """
    desk: Desk = request.app.state.desk
    answer = None if url is None else desk.archived(url)
    if answer is None:
        raise RefusedError("this page is in no archive of the server", 404)
    page = desk.recorded(answer)
    reading = await desk.read(page)
    html = Markup(_plain(page))  # noqa: S704 (escaped by inert_html) # nosec B704
    return shown(request, "archived.html.jinja", is_frame=True, answer=answer, title=reading.title, html=html)


def _plain(page: RawPage) -> str:
    document = Document.from_html(page.body, page.url, page.content_type)
    return inert_html(document, range(len(document.once(line_features))))


async def explained(request: Request) -> Response:
    """Say of an address what the database knows; of a page pasted, or fetched, what it is read as."""
    desk: Desk = request.app.state.desk
    url = request.query_params.get("url", "").strip()
    values: dict[str, Any] = {"explanation": None, "reading": None, "painting": None}
    if request.method == "POST":
        form = await checked_form(request, desk.keys)
        desk.rates.check(request)
        url, html = form.get("url", "").strip(), form.get("html", "")
        page = desk.given(html, url or None) if html.strip() else desk.recorded(await fetch(url, desk.options.settings))
        url = page.url or ""
        reading = await desk.read(page)
        values |= {"reading": reading, "painting": paint(reading.blocks, max_chars=BLOCK_CHARS)}
    if url:
        values["explanation"] = await explanation_of(desk, url)
    return shown(request, "explain.html.jinja", url=url, explanation_lines=explanation_lines, **values)


async def explanation_of(desk: Desk, url: str) -> Explanation:
    """:raises UserError: for what is no address."""
    urls = spellings(url)
    facts = await desk.ask(read_facts, urls)
    harvested = [site_of_row(row) for row in await desk.ask(harvested_sites)]
    known = desk.site_at(urls[0])
    return explain(url, facts, harvested if known is None else [known, *harvested])
