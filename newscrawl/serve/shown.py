"""From values to a page in the reader's language; every value is escaped."""

from __future__ import annotations

import secrets
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import pass_context
from starlette.responses import HTMLResponse, Response

from newscrawl.console.program import as_typed
from newscrawl.console.wording import quantity
from newscrawl.serve.reports.page import environment, text_of
from newscrawl.serve.safety import CSRF_COOKIE, CSRF_FIELD, FRAME_POLICY

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context
    from starlette.requests import Request

    from newscrawl.serve.desk import Desk

LANGUAGES: Final = {"en": "English", "zh": "中文"}
LANGUAGE_COOKIE: Final = "newscrawl_language"
_YEAR_SECONDS: Final = 365 * 86_400


def language_of(request: Request) -> str:
    """Return the language asked for in the address, in an earlier one, or by the browser."""
    chosen = [request.query_params.get("lang", ""), request.cookies.get(LANGUAGE_COOKIE, "")]
    browsers = request.headers.get("accept-language", "").split(",")  # what it prefers comes first
    given = [*chosen, *(name.strip()[:2].lower() for name in browsers)]
    return next((name for name in given if name in LANGUAGES), "en")


@cache
def chinese() -> dict[str, str]:
    """Return the words of the pages in Chinese; the keys are the English ones, as the templates have them."""
    text = files("newscrawl.serve").joinpath("static/chinese.txt").read_text(encoding="utf-8")
    return dict(line.split(" | ") for line in text.splitlines())


@pass_context
def _translated(context: Context, text: str, **values: Any) -> str:
    said = as_typed(chinese().get(text, text) if context.get("language") == "zh" else text)
    return said.format(**values) if values else said


@pass_context
def _counted(context: Context, n: int, one: str, many: str | None = None) -> str:
    """Return the number with its noun, as ``quantity`` does; the key of the Chinese words has the many."""
    said = chinese().get(f"{{n}} {many or one + 's'}") if context.get("language") == "zh" else None
    return said.format(n=f"{n:,}") if said else quantity(n, one, many)


@pass_context
def _address(context: Context, **changed: Any) -> str:
    """Return the page's own address with some of its query changed; None takes a part out."""
    url = context["request"].url.remove_query_params([name for name, value in changed.items() if value is None])
    url = url.include_query_params(**{name: value for name, value in changed.items() if value is not None})
    return f"{url.path}?{url.query}" if url.query else str(url.path)


@cache
def _templates() -> Environment:
    made = environment("newscrawl.serve", "newscrawl.serve.reports")
    made.globals |= {"_": _translated, "quantity": _counted, "address": _address, "languages": LANGUAGES}
    return made


def rendered(request: Request, template: str, **values: Any) -> str:
    """Return a template of ``newscrawl/serve/templates`` as text."""
    desk: Desk = request.app.state.desk
    page = (
        _templates()
        .get_template(template)
        .render(
            request=request,
            language=language_of(request),
            path=request.url.path,
            may_change=desk.options.allow_changes,
            has_login=desk.keys.token is not None,
            **values,
        )
    )
    return text_of(page)


def shown(request: Request, template: str, *, status: int = 200, is_frame: bool = False, **values: Any) -> Response:
    """Answer with a template of ``newscrawl/serve/templates``.

    :param is_frame: it shows what harvested pages hold: nothing in it can run.
    """
    desk: Desk = request.app.state.desk
    cookie = request.cookies.get(CSRF_COOKIE) or secrets.token_urlsafe(16)
    form = {"csrf_field": CSRF_FIELD, "csrf": desk.keys.form_token(cookie)}
    answer = HTMLResponse(rendered(request, template, **form, **values), status_code=status)
    if is_frame:
        answer.headers["content-security-policy"] = FRAME_POLICY
    if CSRF_COOKIE not in request.cookies:
        answer.set_cookie(CSRF_COOKIE, cookie, httponly=True, samesite="strict")
    if request.query_params.get("lang") in LANGUAGES:
        answer.set_cookie(LANGUAGE_COOKIE, language_of(request), max_age=_YEAR_SECONDS, httponly=True, samesite="lax")
    return answer


def is_part(request: Request) -> bool:
    """Tell whether the page's script asks for the results alone."""
    return request.headers.get("x-part") == "1"
