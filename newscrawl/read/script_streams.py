"""The rows of a React server payload, which pages push to a stream in pieces: ``1:["$","p",null,{"children":"…"}]``."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, Final

MAX_DEPTH: Final = 60
_ROW: Final = re.compile(rb"([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),)?")
_REFERENCE: Final = re.compile(r"\$[L@]?([0-9a-f]{1,8})")


def stream_rows(stream: str) -> list[Any]:
    """Return the values of a stream's rows, in order, with the texts that they refer to by number in their places."""
    data = stream.encode("utf-8", "replace")
    rows: dict[str, Any] = {}
    at = 0
    while (match := _ROW.match(data, at)) is not None:
        if match[2] is not None:  # a text, and its length in bytes
            at = match.end() + int(match[2], 16)
            rows[match[1].decode()] = data[match.end() : at].decode("utf-8", "replace")
            continue
        end = data.find(b"\n", match.end())
        end = len(data) if end < 0 else end
        with suppress(ValueError, RecursionError):  # a module, a hint
            rows[match[1].decode()] = json.loads(data[match.end() : end], strict=False)
        at = end + 1
    return [_referred(value, rows, 0) for value in rows.values() if not isinstance(value, str)]


def _referred(value: Any, rows: dict[str, Any], depth: int) -> Any:
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, str):
        match = _REFERENCE.fullmatch(value)
        found = rows.get(match[1]) if match else None
        return found if isinstance(found, str) else value
    if isinstance(value, list):
        return [_referred(item, rows, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _referred(item, rows, depth + 1) for key, item in value.items()}
    return value
