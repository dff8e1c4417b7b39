"""Object literals of JavaScript, read without running anything: what scripts assign, return, and give to calls.

JSON is a part of it. Names without quotes, single quotes, trailing commas, comments and templates are read, too. A
value that would have to be computed is None. A name that a function gives its value is that value. Texts that hold
markup or data in one of ``DECODINGS`` are opened.
"""

from __future__ import annotations

import base64
import html
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_DEPTH: Final = 100
MAX_TOKENS: Final = 400_000
"""Tokens of one script that are looked at."""
MIN_CHARS: Final = 100
"""A shorter literal holds no text."""

_BASE64: Final = r"(?:e[wy]|W[3y]|P[C-H]|JT)[\w+/-]{60}"
"""How ``{``, ``[``, ``<`` and ``%`` begin in base 64."""
_BEGIN: Final = re.compile(
    rf"""(?:\+?=|[(,]|\breturn\b)\s*+(?:(?=\{{\s*+(?:"|'|[\w$]+\s*+:)|\[\s*+[\[{{"'`\d])|(?<=\+=)\s*+(?P<more>(?=["'`]))"""
    rf"""|(?:[\w$.]{{1,40}}+\(\s*+){{0,4}}+(?P<said>(?=["'`]\s*+(?:[<{{\[]|%(?:[57]B|3C)|\\(?:x|u00)(?:[57]B|3C)|{_BASE64}))))""",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"([\w$.\[\]'\"]{1,80})\s*+(?:\+?=|\()\s*+$")
_TOKEN: Final = re.compile(
    r"""\s++|//[^\n]*+|/\*.*?\*/|(?P<string>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)"""
    r"""|(?P<mark>[{}\[\]():,])|(?P<word>[^\s{}\[\]():,"'`]++)""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3][0-7]{1,2}|[4-7][0-7]?)|(\r\n|.))", re.DOTALL
)
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
    """Yield the objects, lists and markup of a script that are long enough, and what they are called.

    A name is ``""`` where there is none. Markup that is added piece by piece under one name is one.
    """
    position, budget = 0, MAX_TOKENS
    markup: dict[str, list[str]] = {}
    while budget > 0 and (match := _BEGIN.search(script, position)) is not None:
        start = position = match.end()
        found = _NAMED.search(script, max(0, match.start() - 80), match.start() + 2)
        name = found[1].strip("'\"[]") if found else ""
        value, end, budget = _read(script, start, budget)
        if end < 0:
            continue
        is_given = match[0].startswith("return") and isinstance(value, dict)
        if is_given:
            given = _given(script, start, end, budget)
            budget -= WRAPPER_TOKENS
            value, is_given = _with_names(value, given), bool(given)
        if isinstance(value, str):
            value, position = (value if match["more"] is not None else opened(value)), end
            if isinstance(value, str) and (name in markup or match["more"] is None):
                markup.setdefault(name, []).append(value)
        if isinstance(value, (dict, list)) and (is_given or end - start >= MIN_CHARS or _is_piece(value)):
            yield name, value
            position = end
    yield from ((name, text) for name, parts in markup.items() if len(text := "\n".join(parts)) >= MIN_CHARS)


def _is_piece(value: Any) -> bool:
    """Tell whether a value is a piece of a React server payload; the last one may be short."""
    return isinstance(value, list) and len(value) == 2 and value[0] == 1 and isinstance(value[1], str)


def _read(script: str, start: int, budget: int) -> tuple[Any, int, int]:
    """Return the value that begins at a place, the place behind it, -1 for no value, and the tokens left."""
    if script[start] in "{[":
        with suppress(ValueError, RecursionError):
            return *_DECODER.raw_decode(script, start), budget - 1
    reader = _Reader(script, start, budget)
    try:
        return *reader.value(), reader.budget
    except LiteralError:
        return None, -1, reader.budget


MAX_LAYERS: Final = 4
"""Decodings of one text, each within another."""
_DECODER: Final = json.JSONDecoder(strict=False)
_ANGULAR: Final = {"&q;": '"', "&s;": "'", "&l;": "<", "&g;": ">", "&a;": "&"}

#: Ways of writing data or markup as a text: how such a text begins, and what reads it.
DECODINGS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (re.compile(r"[{\[]\s*+&q;"), lambda text: re.sub("&[qslga];", lambda match: _ANGULAR[match[0]], text)),
    (re.compile(r"[{\[]?\s*+&(?:quot|lt|#0*+(?:34|60)|#x0*+(?:22|3c));", re.IGNORECASE), html.unescape),
    (re.compile(r"%(?:[57]B|3C|22)", re.IGNORECASE), unquote),
    (re.compile(rf"(?={_BASE64})[\w+/\s-]++={{0,2}}$"), lambda text: base64.b64decode(text + "==", b"+/").decode()),
)


def opened(text: str) -> Any:
    """Return the data that a text holds, its markup, or None for any other text.

    >>> opened("%5B%7B%22body%22:%22%3Cp%3EWords%22%7D%5D"), opened("eyJhIjogMX0="), opened("Words")
    ([{'body': '<p>Words'}], None, None)
    """
    for _ in range(MAX_LAYERS):
        text = text.strip().rstrip(";")
        decode = next((decode for head, decode in DECODINGS if head.match(text)), None)
        if decode is None:
            break
        try:
            text = decode(text)
        except ValueError:
            return None
    value: Any = text if text[:1] == "<" else _loads(text) if text[:1] in {"{", "[", '"'} else None
    if value is None and text[:1] in {"{", "[", "'", "`"}:
        value = _read(text, 0, MAX_TOKENS)[0]
    return value if not isinstance(value, str) or value[:1] == "<" else opened(value) if value != text else None


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
            return self._sum(unquoted(said))
        if said == self.opening or said in {"{", "["}:
            return self._container(said, 0), self.at
        raise LiteralError(said)

    def _sum(self, text: str) -> tuple[str, int]:
        """Return a string with those that are added to it, and the place behind them."""
        parts, end = [text], self.at
        with suppress(LiteralError):
            while self._next()[1] == "+":
                kind, said = self._next()
                if kind != "string":
                    break
                parts.append(unquoted(said))
                end = self.at
        return "".join(parts), end

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
    if parts[1] == Name(".join") and isinstance(parts[0], list) and all(isinstance(part, str) for part in parts[0]):
        return "\n".join(parts[0])
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
    return chr(int(match[4], 8)) if match[4] else _ESCAPED.get(match[5], match[5])


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
