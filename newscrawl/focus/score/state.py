"""What a focused crawl has learnt, as bytes: JSON for names and numbers, plain arrays for the rest; no pickle."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any, Final

import numpy as np

VERSION: Final = 2
_ARRAY: Final = "\x00array"


def pack(state: dict[str, Any]) -> bytes:
    """Return a state as an npz file. Arrays may stand anywhere in its nested dicts."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    text = json.dumps({"version": VERSION, "state": _without_arrays(state, arrays)})
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, text=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)
    return file.getvalue()


def unpack(data: bytes) -> dict[str, Any] | None:
    """Return the state; None if the bytes are of another version or damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = json.loads(arrays["text"].tobytes())
            if found["version"] != VERSION:
                return None
            state: dict[str, Any] = _with_arrays(found["state"], arrays)
            return state
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
        return None


def _without_arrays(value: Any, arrays: dict[str, np.ndarray[Any, Any]]) -> Any:
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, dict):
        return {key: _without_arrays(part, arrays) for key, part in value.items()}
    return value


def _with_arrays(value: Any, arrays: Any) -> Any:
    if isinstance(value, dict):
        if _ARRAY in value:
            return arrays[value[_ARRAY]]
        return {key: _with_arrays(part, arrays) for key, part in value.items()}
    return value
