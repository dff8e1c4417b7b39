"""The product's regular expressions, how the code uses each, and texts made to keep each of them busy."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import re._constants as c  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import newscrawl
from newscrawl.sites import catalogue

METHODS = frozenset({"search", "finditer", "findall", "sub", "subn", "split", "match", "fullmatch"})
#: What measures and trains is no part of the product.
APART = ("lab",)
#: What is not in every installation.
OPTIONAL = frozenset({"pyspark", "torch"})
GENERIC = (*' \naA1<"汉-.,/', "\t\u3000", "<a ", "<!--", "a1", "a ", "1 ", "A. ")
#: Matches next to nothing, so that a pattern that got here has to go back.
TAIL = "\x00"
_CHARACTERS = " \n1aAé汉-_.,/:;|<>\"'=&()[]{}%+*#?!~@$^\\\t\u3000"
_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_WORD: r"\W",
}
_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
#: What repeats less often costs no time worth naming.
_FEW = 64


@dataclass(slots=True)
class Use:
    """A pattern, and the methods that the code calls of it."""

    pattern: re.Pattern[Any]
    name: str
    """Of the constant, or the function that has it, and the module."""
    methods: set[str] = field(default_factory=set)
    is_of_addresses: bool = False
    """A site's: it sees addresses alone, which have at most ``URLLENGTH_LIMIT`` characters."""


def uses() -> list[Use]:
    """Return all patterns of the product: constants, those in tables and classes, in calls, and of sites."""
    found: dict[re.Pattern[Any], Use] = {}
    modules = list(_modules())
    for module in modules:
        for name, value in vars(module).items():
            for pattern in _within(value):
                found.setdefault(pattern, Use(pattern, f"{module.__name__}.{name}"))
    for module in modules:
        _note_methods(module, found)
    for site in catalogue():
        for source in (*site.article_patterns, *site.guessed_patterns, *site.hub_patterns, *site.deny_patterns):
            use = Use(re.compile(source), f"site {site.name}", {"search"}, is_of_addresses=True)
            found.setdefault(use.pattern, use)
    for use in found.values():
        use.methods = use.methods or {"search"}
    return sorted(found.values(), key=lambda use: use.name)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(newscrawl.__path__, "newscrawl."):
        if found.name.startswith(APART) or found.name.endswith(".__main__"):
            continue
        try:
            yield importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] not in OPTIONAL:
                raise


def _within(value: object) -> Iterator[re.Pattern[Any]]:
    """Yield a pattern, those in a table, and those of a class of the product."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Mapping):
        yield from _within(tuple(value.values()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from _within(one)
    elif isinstance(value, type) and value.__module__.startswith("newscrawl."):
        yield from (one for one in vars(value).values() if isinstance(one, re.Pattern))


def _note_methods(module: ModuleType, found: dict[re.Pattern[Any], Use]) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        tables = [p for name in names for value in [vars(module).get(name)] for p in _of_table(value)]
        for node in ast.walk(function):
            if not isinstance(node, ast.Attribute) or node.attr not in METHODS:
                continue
            owner = vars(module).get(node.value.id) if isinstance(node.value, ast.Name) else None
            if isinstance(owner, re.Pattern):
                found[owner].methods.add(node.attr)
            elif not isinstance(owner, ModuleType):
                for pattern in tables:  # one of them, under a name of the function's own
                    found[pattern].methods.add(node.attr)
        for call in ast.walk(function):
            _note_call(call, f"{module.__name__}.{function.name}", found)


def _of_table(value: object) -> Iterable[re.Pattern[Any]]:
    return () if isinstance(value, (re.Pattern, type)) else _within(value)


def _note_call(node: ast.AST, name: str, found: dict[re.Pattern[Any], Use]) -> None:
    """Note ``re.sub("…", …)`` within a function."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re"), attr=method),
            args=[ast.Constant(value=str() | bytes() as source), *_],
            keywords=keywords,
        ) if method in METHODS:
            flags = re.IGNORECASE if any(word.arg == "flags" for word in keywords) else re.NOFLAG
            pattern = re.compile(source, flags)
            found.setdefault(pattern, Use(pattern, name)).methods.add(method)


def texts(pattern: re.Pattern[Any], n: int) -> Iterator[str]:
    """Yield texts of about ``n`` characters: what a repeat takes, again and again, behind what leads there."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE))
    whole = _sample(tree)
    for pump in dict.fromkeys((*GENERIC, whole, *(whole[:end] for end in range(1, min(len(whole), 16))))):
        yield pump * (n // max(len(pump), 1)) + TAIL
    for lead, atom in dict.fromkeys(_repeats(tree, "")):
        if atom:
            yield lead + atom * (n // len(atom)) + TAIL
            yield atom * (n // len(atom)) + TAIL
            yield (lead + atom) * (n // len(lead + atom)) + TAIL


def _repeats(tree: Iterable[Any], lead: str) -> Iterator[tuple[str, str]]:
    """Yield what leads to each repeat, and each text that it may take once."""
    for operation, value in tree:
        if operation in _REPEATS:
            _, most, body = value
            if most > _FEW:
                yield from ((lead, atom) for atom in _atoms(body))
            yield from _repeats(body, lead)
        for branch in _branches(operation, value):
            yield from _repeats(branch, lead)
        lead += _sample([(operation, value)])


def _atoms(body: Any) -> tuple[str, ...]:
    """Return texts that a repeat's body takes: for a class its members, for others one."""
    if len(body) == 1 and body[0][0] is c.IN:
        members = [one for one in _CHARACTERS if _is_in(body[0][1], one)]
        return (*members[:6], *(_sample(body) if len(members) < 6 else ()))
    if len(body) == 1 and body[0][0] in {c.ANY, c.NOT_LITERAL}:
        return ("a", " ", "<")
    return (_sample(body),)


def _branches(operation: Any, value: Any) -> Collection[Any]:
    if operation is c.BRANCH:
        return list(value[1])
    if operation in {c.SUBPATTERN, c.ASSERT}:
        return [value[-1]]
    return [value] if operation is c.ATOMIC_GROUP else []


def _sample(tree: Iterable[Any]) -> str:
    """Return a short text that the pattern takes, look-arounds aside."""
    return "".join(_one(operation, value) for operation, value in tree)


def _one(operation: Any, value: Any) -> str:
    if operation is c.LITERAL:
        return chr(value)
    if operation is c.NOT_LITERAL:
        return next(one for one in "a1" if ord(one) != value)
    if operation is c.ANY:
        return "a"
    if operation is c.IN:
        literal = next((chr(v) for o, v in value if o is c.LITERAL), None)
        fit = (one for one in _CHARACTERS if _is_in(value, one))
        return str(next(fit, None) or literal or next((chr(v[0]) for o, v in value if o is c.RANGE), ""))
    if operation in _REPEATS:
        least, _, body = value
        return _sample(body) * int(min(max(least, 1), _FEW))
    branches = _branches(operation, value)
    return _sample(next(iter(branches))) if branches and operation is not c.ASSERT else ""


def _is_in(members: Iterable[Any], one: str) -> bool:
    negated, found = False, False
    for operation, value in members:
        if operation is c.NEGATE:
            negated = True
        elif operation is c.LITERAL:
            found |= ord(one) == value
        elif operation is c.RANGE:
            found |= value[0] <= ord(one) <= value[1]
        elif operation is c.CATEGORY:
            found |= re.match(_CATEGORIES[value], one) is not None
    return found != negated
