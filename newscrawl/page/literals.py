"""Object literals of JavaScript, read without running anything: what scripts assign, return, and give to calls.

JSON is a part of it. Names without quotes, single quotes, trailing commas, comments and templates are read, too. A
value that would have to be computed is None. A name that a function gives its value is that value.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH: Final = 100
MAX_TOKENS: Final = 400_000
"""Tokens of one script that are looked at."""
MIN_CHARS: Final = 100
"""A shorter literal holds no text."""

_BEGIN: Final = re.compile(
    r"""(?:[=(,]|\breturn)\s*+(?:(?P<parse>JSON\.parse\(\s*+(?=["'`]))|(?=\{\s*+(?:"|'|[\w$]+\s*+:)|\[\s*+[\[{"'`\d]))"""
)
_NAMED: Final = re.compile(r"([\w$.\[\]'\"]{1,80})\s*+(?:=|\()\s*+$")
_TOKEN: Final = re.compile(
    r"""\s++|//[^\n]*+|/\*.*?\*/|(?P<string>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)"""
    r"""|(?P<mark>[{}\[\]():,])|(?P<word>[^\s{}\[\]():,"'`]++)""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "", "\n": "", "\r\n": ""}
MAX_WRAPPER: Final = 100_000
"""Characters before a literal in which the function that returns it begins."""
WRAPPER_TOKENS: Final = 1_000
"""What it costs to look for it, in tokens."""
_WRAPPER: Final = re.compile(r"function\s*+[\w$]{0,60}+\s*+\(([\w$,\s]{1,4000})\)\s*+\{\s*+")
_SET: Final = re.compile(r"[\s;]*+([\w$]{1,60})\.([\w$]{1,60})\s*+=\s*+(?:([\w$!.-]{1,60})(?=\s*+[;}])|(?=[\"'`{\[]))")
"""A statement that gives an object a member; its value follows, or is a word."""
_GIVEN: Final = re.compile(r"\s*+;?\s*+\}\s*+\)?\s*+\(")
_CLOSES: Final = {"{": "}", "[": "]", "(": ")"}
_KNOWN: Final = {"true": True, "!0": True, "false": False, "!1": False}


class Name(NamedTuple):
    """A name whose value is not known yet."""

    name: str


class LiteralError(ValueError):
    """The text is no literal."""


def literals(script: str) -> Iterator[tuple[str, Any]]:
    """Yield the objects and lists of a script that are long enough, and what they are called; ``""`` for no name."""
    decoder = json.JSONDecoder(strict=False)
    position, budget = 0, MAX_TOKENS
    while (match := _BEGIN.search(script, position)) is not None:
        start = position = match.end()
        given: dict[str, Any] = {}
        named = _NAMED.search(script, max(0, match.start() - 80), match.start() + 1)
        try:
            value, end = decoder.raw_decode(script, start)
        except (ValueError, RecursionError):
            reader = _Reader(script, start, budget)
            try:
                value, end = reader.value()
            except LiteralError:
                continue
            finally:
                budget = reader.budget
            if match[0].startswith("return"):
                given = _given(script, start, end, budget)
                budget -= WRAPPER_TOKENS
            value = _with_names(value, given)
        if match["parse"] and isinstance(value, str):
            value = _loads(value)
        if (given or end - start >= MIN_CHARS) and isinstance(value, (dict, list)):
            yield named[1].strip("'\"[]") if named else "", value
            position = end
        if budget <= 0:
            return


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _given(script: str, start: int, end: int, budget: int) -> dict[str, Any]:
    """Return the values of the names of the function that returns a literal, where it is called at once."""
    call = _GIVEN.match(script, end)
    wrapper = _WRAPPER.search(script, max(0, start - MAX_WRAPPER), start) if call is not None else None
    if wrapper is None or call is None:
        return {}
    names = [name.strip() for name in wrapper[1].split(",")]
    try:
        values, _ = _Reader(script, call.end() - 1, budget, opening="(").value()
        given = dict(zip(names, values, strict=False)) if isinstance(values, list) else {}
        at = wrapper.end()
        while at < start and (told := _SET.match(script, at)) is not None:
            value, at = (_word(told[3]), told.end()) if told[3] else _Reader(script, told.end(), budget).value()
            if isinstance(given.get(told[1]), dict):
                given[told[1]][told[2]] = _with_names(value, given)
    except LiteralError:
        return {}
    return given if script[at:start].strip("; \t\r\n") == "return" else {}


def _with_names(value: Any, given: dict[str, Any], depth: int = 0) -> Any:
    if isinstance(value, Name):
        found = given.get(value.name)
        return None if isinstance(found, Name) else found
    if depth <= MAX_DEPTH and isinstance(value, dict):
        return {key: _with_names(item, given, depth + 1) for key, item in value.items()}
    if depth <= MAX_DEPTH and isinstance(value, list):
        return [_with_names(item, given, depth + 1) for item in value]
    return value


class _Reader:
    """Reads one literal from a place on.

    :param opening: a bracket that opens a list, beside ``[``.
    """

    def __init__(self, text: str, start: int, budget: int, *, opening: str = "[") -> None:
        self.text, self.at, self.budget, self.opening = text, start, budget, opening

    def value(self) -> tuple[Any, int]:
        """Return the value and the place behind it.

        :raises LiteralError: where there is none.
        """
        kind, said = self._next()
        if kind == "string":
            return unquoted(said), self.at
        if said == self.opening or said in {"{", "["}:
            return self._container(said, 0), self.at
        raise LiteralError(said)

    def _next(self) -> tuple[str, str]:
        """Return kind and text of the next said that is neither white space nor a comment."""
        while True:
            match = _TOKEN.match(self.text, self.at)
            self.budget -= 1
            if match is None or self.budget <= 0:
                raise LiteralError("the end")
            self.at = match.end()
            if match.lastgroup is not None:
                return match.lastgroup, match[0]

    def _container(self, opening: str, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise LiteralError("too deep")
        closing, found, key = _CLOSES[opening], [], None
        keyed: dict[str, Any] = {}
        while True:
            if opening == "{":
                key = self._key()
                if key is None:
                    return keyed
            value, said = self._item(closing, depth)
            if opening == "{":
                keyed[str(key)] = value
            elif value is not _NOTHING:
                found.append(value)
            if said == closing:
                return keyed if opening == "{" else found

    def _key(self) -> str | None:
        """Return the name of the next pair; None at the end of the object."""
        kind, said = self._next()
        while said == ",":
            kind, said = self._next()
        if said == "}":
            return None
        name = unquoted(said) if kind == "string" else said
        if kind == "mark" or self._next()[1] != ":":
            raise LiteralError(said)
        return name

    def _item(self, closing: str, depth: int) -> tuple[Any, str]:
        """Return the next value of a container, and what ends it: a comma, or the closing bracket."""
        parts: list[Any] = []
        while True:
            kind, said = self._next()
            if said in {",", closing} and kind == "mark":
                return _combined(parts), said
            if kind == "string":
                parts.append(unquoted(said))
            elif said in _CLOSES:
                is_code = said == "(" or parts  # what is called, looked up, or the body of a function
                if is_code:
                    self._skip(said)
                parts.append(None if is_code else self._container(said, depth + 1))
            elif kind == "word":
                parts.append(_word(said))
            elif said != ":":
                raise LiteralError(said)
            else:
                parts.append(None)

    def _skip(self, opening: str) -> None:
        """Pass over what stands in brackets."""
        opened = [opening]
        while opened:
            kind, said = self._next()
            if kind == "mark" and said in _CLOSES:
                opened.append(said)
            elif kind == "mark" and said in ")]}":
                opened.pop()


_NOTHING: Final = object()


def _word(said: str) -> Any:
    if said in _KNOWN:
        return _KNOWN[said]
    if said[0].isdigit() or said[0] == "-":
        try:
            return int(said) if said.lstrip("-").isdecimal() else float(said)
        except ValueError:
            return None
    return Name(said)


def _combined(parts: list[Any]) -> Any:
    """Return the value of an item's parts: strings that are added make one; what would have to be computed is None."""
    if not parts:
        return _NOTHING
    if len(parts) == 1:
        return None if isinstance(parts[0], Name) and parts[0].name in {"null", "undefined", "NaN"} else parts[0]
    strings = parts[::2]
    if all(isinstance(part, str) for part in strings) and all(part == Name("+") for part in parts[1::2]):
        return "".join(strings)
    return None


def unquoted(said: str) -> str:
    r"""Return what a string says.

    >>> unquoted(r"'it\'s \u4e2d'")
    "it's 中"
    """
    inner = said[1:-1]
    if "\\" not in inner:
        return inner
    return _ESCAPE.sub(_unescaped, inner).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF else "\ufffd"
    return _ESCAPED.get(match[4], match[4])


MAX_STREAM_DEPTH: Final = 60
_ROW: Final = re.compile(rb"([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),)?")
_REFERENCE: Final = re.compile(r"\$[L@]?([0-9a-f]{1,8})")


def stream_rows(stream: str) -> list[Any]:
    r"""Return the values of the rows of a React server payload, which pages push to a stream in pieces.

    Texts that rows refer to by number stand in their places.

    >>> stream_rows('1:T2,ab2:["$","p",null,{"children":"$1"}]\n')
    [['$', 'p', None, {'children': 'ab'}]]
    """
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
    if depth > MAX_STREAM_DEPTH:
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
