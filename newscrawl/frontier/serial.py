"""Requests as text: JSON of what differs from a plain GET, callbacks by name. No pickle."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.request import request_from_dict

if TYPE_CHECKING:
    from scrapy import Spider

#: Keys that one download leaves for its own use; for the next one they are wrong.
_TRANSIENT = frozenset(
    {
        "newscrawl_fetched_at", "newscrawl_archived", "newscrawl_encoding", "newscrawl_validators", "download_latency",
        "download_timeout_reached", "_auth_proxy", "_scheme_proxy", "is_start_request",
    }
)  # fmt: skip
#: Where a request's class may come from: text in the database must not name any other code.
_CLASSES = "scrapy.http."
_DEFAULTS: dict[str, Any] = {
    "callback": None, "errback": None, "method": "GET", "headers": {}, "body": b"", "cookies": {}, "meta": {},
    "encoding": "utf-8", "priority": 0, "dont_filter": False, "flags": [], "cb_kwargs": {},
}  # fmt: skip


_SCALARS = (str, int, float, bool, type(None))
#: Fields with columns of their own.
_COLUMNS = frozenset({"url", "priority"})


class NotSerialisableError(ValueError):
    """A request holds a value that JSON cannot express. It is kept in memory only."""


def request_to_text(request: Request, spider: Spider) -> str:
    """Return the request without its URL and priority, which have columns of their own.

    :raises NotSerialisableError: a callback that is no method of the spider, or values JSON does not know.
    """
    fields = {name: getattr(request, name) for name in request.attributes if name not in _COLUMNS}
    for name in ("callback", "errback"):
        fields[name] = _method_name(spider, fields[name])
    if type(request) is not Request:
        fields["_class"] = f"{type(request).__module__}.{type(request).__name__}"
        if not fields["_class"].startswith(_CLASSES):
            raise NotSerialisableError(f"{fields['_class']} is not a class of Scrapy's")
    fields["headers"] = dict(fields["headers"])
    fields["meta"] = _lasting_meta(fields["meta"])
    kept = {name: value for name, value in fields.items() if value != _DEFAULTS.get(name, ...)}
    if "headers" in kept:
        kept["headers"] = {_text(name): [_text(value) for value in values] for name, values in kept["headers"].items()}
    if "body" in kept:
        kept["body"] = base64.b64encode(kept["body"]).decode()
    _check(kept)
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()  # no database takes half a surrogate pair as it is


def request_from_text(text: str, url: str, priority: int, spider: Spider) -> Request:
    """Return the request that was kept.

    :raises ValueError: the text is damaged, or names a callback the spider no longer has.
    """
    try:
        fields: dict[str, Any] = json.loads(text)
        if not str(fields.get("_class", _CLASSES)).startswith(_CLASSES):
            raise ValueError(f"not a class of Scrapy's: {fields['_class']!r}")
        if "body" in fields:
            fields["body"] = base64.b64decode(fields["body"])
        if "headers" in fields:
            headers = fields["headers"].items()
            fields["headers"] = {name: [value.encode("latin-1") for value in values] for name, values in headers}
        return request_from_dict({**fields, "url": url, "priority": priority}, spider=spider)
    except (AttributeError, TypeError) as error:
        raise ValueError(f"cannot be made a request: {error}") from error


def _method_name(spider: Spider, function: Any) -> str | None:
    """Return the name of the spider's method. Scrapy's ``to_dict`` searches all the spider's attributes each time."""
    if function is None or isinstance(function, str):
        return function
    name = getattr(function, "__name__", "")
    if getattr(function, "__self__", None) is not spider or getattr(type(spider), name, None) is not function.__func__:
        raise NotSerialisableError(f"{function} is no method of {spider}")
    return str(name)


def _lasting_meta(meta: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in meta.items() if name not in _TRANSIENT}
    if "redirect_urls" in kept:
        kept.pop("download_slot", None)  # Scrapy's slot of the host that was left
    return kept


def _text(octets: bytes | str) -> str:
    return octets.decode("latin-1") if isinstance(octets, bytes) else octets


def _check(value: object) -> None:
    """Refuse values that JSON would turn into others."""
    if isinstance(value, _SCALARS):
        return
    if type(value) is list:
        items: Any = value
    elif type(value) is dict and all(type(key) is str for key in value):
        items = value.values()
    else:
        raise NotSerialisableError(f"{type(value).__name__} {value!r:.60} is not JSON")
    for item in items:
        if not isinstance(item, _SCALARS):
            _check(item)
