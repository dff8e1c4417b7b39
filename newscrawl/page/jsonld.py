"""JSON-LD as news pages write it: read leniently, size capped, and the node of the article picked out."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Node: TypeAlias = dict[str, Any]

MAX_SCRIPT_CHARS: Final = 400_000
"""Longer scripts are left out: they are product or event catalogues."""
MAX_NODES: Final = 2_000
MAX_DEPTH: Final = 12

_RANKS: Final = {
    kind: rank
    for rank, kinds in enumerate(
        (
            (
                "newsarticle reportagenewsarticle analysisnewsarticle opinionnewsarticle backgroundnewsarticle "
                "reviewnewsarticle askpublicnewsarticle satiricalarticle"
            ),
            "liveblogposting article blogposting report techarticle scholarlyarticle advertisercontentarticle",
            "socialmediaposting discussionforumposting",
            "medicalwebpage creativework videoobject recipe",
            "webpage itempage",
        )
    )
    for kind in kinds.split()
}
"""Rank of a type as carrier of the article's facts; lower is better."""
ARTICLE_TYPES: Final = frozenset(kind for kind, rank in _RANKS.items() if rank <= 1)
"""Types of a page that is an article."""
LIST_TYPES: Final = frozenset("collectionpage itemlist searchresultspage blog profilepage".split())
"""Types of a page that lists others."""

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_WRAPPER: Final = re.compile(r"<!--|-->|<!\[CDATA\[|\]\]>")
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_STRING_FIELD: Final = re.compile(
    r'"(headline|datePublished|dateModified|dateCreated|description|articleSection)"\s*:\s*"((?:[^"\\\n]|\\.)*)"'
)
_AUTHOR_FIELD: Final = re.compile(r'"author"\s*:\s*+(?:\[\s*+)?\{[^{}]*?"name"\s*:\s*"((?:[^"\\\n]|\\.)*)"')


def parse_scripts(scripts: Iterable[str]) -> list[Node]:
    """Return every node of the pages' JSON-LD scripts, graphs and nested articles laid flat, references resolved.

    A broken script gives what can be read of it, at worst nothing.
    """
    nodes: list[Node] = []
    for script in scripts:
        if len(script) <= MAX_SCRIPT_CHARS:
            for value in _load(script):
                nodes.extend(_flatten(value, 0))
            if len(nodes) >= MAX_NODES:
                break
    by_id = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1}
    return [{key: _resolved(value, by_id) for key, value in node.items()} for node in nodes[:MAX_NODES]]


def _load(script: str) -> Iterator[Any]:
    text = script.strip().lstrip("\ufeff").rstrip(";").strip()
    if not text:
        return
    try:
        yield json.loads(text, strict=False)
    except ValueError:
        yield from _load_broken(text)
    except RecursionError:
        return


def _load_broken(text: str) -> Iterator[Any]:
    """Read concatenated values, comments, trailing commas and escaped quotes; else single fields by pattern."""
    text = _TRAILING_COMMA.sub(r"\1", _WRAPPER.sub("", _without_comments(text))).strip()
    if "&quot;" in text and '"' not in text:
        text = html.unescape(text)
    decoder = json.JSONDecoder(strict=False)
    position, found = 0, False
    try:
        while position < len(text):
            value, position = decoder.raw_decode(text, position)
            found = True
            yield value
            while position < len(text) and text[position] in " \t\r\n,;":
                position += 1
    except (ValueError, RecursionError):
        if not found:
            yield _fields_by_pattern(text)


def _without_comments(text: str) -> str:
    """Return the text without its ``/* … */``. None is looked for behind the last ``*/``: that would be quadratic."""
    end = text.rfind("*/") + 2
    return _COMMENT.sub("", text[:end]) + text[end:] if end > 1 else text


def _fields_by_pattern(text: str) -> Node:
    node: Node = {}
    for name, value in _STRING_FIELD.findall(text):
        node.setdefault(name, _unescape(value))
    authors = [{"@type": "Person", "name": _unescape(name)} for name in _AUTHOR_FIELD.findall(text)[:1]]
    if authors:
        node["author"] = authors
    if "datePublished" in node or "headline" in node:
        node["@type"] = "Article"
    return node


def _unescape(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"', strict=False))
    except ValueError:
        return value


def _flatten(value: Any, depth: int) -> Iterator[Node]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value[:MAX_NODES]:
            yield from _flatten(item, depth + 1)
    elif isinstance(value, dict):
        yield value
        for key in ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed", "hasPart"):
            if isinstance(value.get(key), (dict, list)):
                yield from _flatten(value[key], depth + 1)


def _resolved(value: Any, by_id: dict[str, Node]) -> Any:
    """Return a value with references such as ``{"@id": "#person"}`` replaced by what they name."""
    if isinstance(value, list):
        return [_resolved(item, by_id) for item in value]
    if isinstance(value, dict) and isinstance(value.get("@id"), str) and "name" not in value:
        return by_id.get(value["@id"], value)
    return value


def types_of(node: Node) -> frozenset[str]:
    """Return the node's types in lower case, without name space."""
    kinds = node.get("@type", ())
    names = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    return frozenset(name.rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for name in names if isinstance(name, str))


def article_nodes(nodes: Iterable[Node]) -> list[Node]:
    """Return the nodes that may describe the page's article, best type first, else in page order."""
    ranked = [(min(ranks), node) for node in nodes if (ranks := [_RANKS[k] for k in types_of(node) if k in _RANKS])]
    return [node for _, node in sorted(ranked, key=lambda pair: pair[0])]


def text_of(value: Any) -> str | None:
    """Return a JSON-LD value as text: a string, the first of a list, or a node's ``@value``, ``name`` or ``url``."""
    if isinstance(value, list):
        value = next((item for item in value if item), None)
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name") or value.get("url") or value.get("@id")
    if not isinstance(value, str):
        return None
    folded = " ".join(html.unescape(value).split())
    return folded or None
