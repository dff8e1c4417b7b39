"""What stands before every page: who may ask, under which name, how often, and what a page may load."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from newscrawl.exceptions import NewscrawlError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY: Final = 8 * 2**20
"""Bytes of a request; a larger one is refused."""
MAX_DIGITS: Final = 18
"""Digits of the length that a client declares."""
PER_MINUTE: Final = 30
"""Requests of one client that cost much: pages read, addresses fetched, passwords tried."""
WINDOW_SECONDS: Final = 60.0
MAX_CLIENTS: Final = 10_000
SESSION: Final = "newscrawl_session"
CSRF_COOKIE: Final = "newscrawl_form"
CSRF_FIELD: Final = "form_token"
_HOST: Final = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::\d*)?")
"""A name or address, and a port."""
LOOPBACK_NAMES: Final = frozenset(("localhost", "127.0.0.1", "::1"))
_OPEN: Final = frozenset(("/login", "/app.css", "/app.js"))
_COMMON: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
"""Policy of every page that names no other: files of ours alone, and nothing inline."""
FRAME_POLICY: Final = (
    "sandbox allow-same-origin allow-forms; default-src 'none'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
"""Policy of what is made of harvested pages: no script runs, whatever stands in it."""


class RefusedError(NewscrawlError):
    """A request that is not served; ``status`` says why to programs."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach what listens at the address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Keys:
    """The secrets of one server, made when it starts: forms and sessions of an earlier one are refused."""

    def __init__(self, token: str | None = None) -> None:
        self.token = token
        self._secret = secrets.token_bytes(32)

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())

    def session(self) -> str:
        """Return the cookie of a client that showed the token."""
        return self._sign(f"session {self.token}")

    def may_enter(self, request: Request) -> bool:
        if self.token is None:
            return True
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        return hmac.compare_digest(request.cookies.get(SESSION, "").encode(), self.session().encode())

    def form_token(self, cookie: str) -> str:
        """Return what a form has to send back beside the cookie, which other sites cannot read."""
        return self._sign(f"form {cookie}")

    def is_form(self, request: Request, given: str) -> bool:
        cookie = request.cookies.get(CSRF_COOKIE, "")
        return bool(cookie) and hmac.compare_digest(given.encode(), self.form_token(cookie).encode())


def client_of(request: Request) -> str:
    """Return whom a request counts for: its address, or the network in which its sender picks addresses at will.

    All of this machine are one, and so are those of a /64 of IPv6.
    """
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return "localhost"
    return str(address if address.version == 4 else ip_network((address, 64), strict=False))


class Rates:
    """Counts of dear requests, by client, from the first of a minute on."""

    def __init__(self, per_minute: int = PER_MINUTE) -> None:
        self.per_minute = per_minute
        self._seen: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def is_spent(self, request: Request) -> bool:
        """Tell whether the client has none left of this minute; counts nothing."""
        began, count = self._seen.get(client_of(request), (0.0, 0))
        return count >= self.per_minute and time.monotonic() - began <= WINDOW_SECONDS

    def check(self, request: Request) -> None:
        """Count a request.

        :raises RefusedError: the client sent too many.
        """
        client, now = client_of(request), time.monotonic()
        began, count = self._seen.pop(client, (now, 0))
        if now - began > WINDOW_SECONDS:
            began, count = now, 0
        count += 1
        self._seen[client] = (began, count)
        if len(self._seen) > MAX_CLIENTS:
            self._seen.popitem(last=False)
        if count > self.per_minute:
            raise RefusedError(f"more than {self.per_minute} such requests in a minute: wait a little", 429)


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form; of several with one name the last.

    :raises RefusedError: it has too many.
    """
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise RefusedError("a form of at most 100 fields") from None


async def checked_form(request: Request, keys: Keys) -> dict[str, str]:
    """Return the fields of a form of our own.

    :raises RefusedError: it comes from another site, or from a page of an earlier server.
    """
    form = await form_of(request)
    if not keys.is_form(request, form.pop(CSRF_FIELD, "")):
        raise RefusedError("this form is not of a page that this server gave: load the page again", 403)
    return form


class Guard:
    """Refuses requests under foreign names, from foreign pages, without the token, or too large; sets the headers.

    :param names: host names that count beside literal addresses: any other name may be one that an attacker's name
        server pointed here.
    """

    def __init__(self, app: ASGIApp, *, keys: Keys, names: frozenset[str] = LOOPBACK_NAMES) -> None:
        self.app = app
        self.keys = keys
        self.names = names | LOOPBACK_NAMES
        self.wrong_tokens = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self._refusal(request)
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and (len(declared) > MAX_DIGITS or int(declared) > MAX_BODY):
            refusal = PlainTextResponse(f"a request may hold {MAX_BODY} bytes\n", 413)
        left = MAX_BODY

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise RefusedError(f"a request may hold {MAX_BODY} bytes", 413)
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                names = {name.lower() for name, _ in headers}
                headers += [pair for pair in _COMMON if pair[0] not in names]
                if b"content-security-policy" not in names:
                    headers.append((b"content-security-policy", POLICY.encode()))
                message["headers"] = headers
            await send(message)

        await (refusal or self.app)(scope, counted, headed)

    def _refusal(self, request: Request) -> Response | None:
        if not self._is_ours(request.headers.get("host", "")):
            return PlainTextResponse("this server does not answer under that name\n", 421)
        if request.method not in {"GET", "HEAD"} and self._is_foreign(request):
            return PlainTextResponse("a page of another site sent this\n", 403)
        tries = "authorization" in request.headers and self.keys.token is not None
        if tries and self.wrong_tokens.is_spent(request):
            return PlainTextResponse("too many wrong tokens: wait a minute\n", 429)
        if request.url.path in _OPEN or self.keys.may_enter(request):
            return None
        if tries:
            self.wrong_tokens.check(request)
        if request.url.path.startswith("/api/") or request.method != "GET":
            return PlainTextResponse("a token is needed: Authorization: Bearer TOKEN\n", 401)
        return RedirectResponse("/login", 303)

    def _is_ours(self, host: str) -> bool:
        name = ""
        if not _HOST.fullmatch(host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname or ""
            ip_address(name)
        except ValueError:
            return name.rstrip(".") in self.names
        return True

    @staticmethod
    def _is_foreign(request: Request) -> bool:
        site = request.headers.get("sec-fetch-site")
        if site is not None:
            return site not in {"same-origin", "none"}
        origin = request.headers.get("origin")
        return origin is not None and origin.partition("://")[2] != request.headers.get("host")
