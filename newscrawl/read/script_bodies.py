"""Bodies of articles in a page's data: the strings beside the article's title, in order, with date and authors."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from newscrawl.languages.characters import SPACELESS, SPACELESS_LETTER, STOPS
from newscrawl.languages.text import fold, similarity, visible_text
from newscrawl.page.document import Document, parse
from newscrawl.page.literals import opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.html import HtmlElement

MIN_BODY_WEIGHT: Final = 200.0
"""Least prose of a body in the data."""
MIN_CODED: Final = 100
"""Characters from which a string may hold data."""
MIN_PROSE: Final = 40.0
"""Least weight of a string that is prose; shorter ones are labels, except in a list of paragraphs."""
MAX_DEPTH: Final = 60
MAX_NESTED: Final = 3
"""Depth to which JSON inside strings of JSON is opened."""
MAX_CANDIDATES: Final = 40
MAX_SCRIPT_CHARS: Final = 4_000_000
MIN_TITLED_WEIGHT: Final = 60.0
"""Least prose of a body beside the page's own title."""
TITLE_GAIN: Final = 3.0
"""Factor of the prose of a body beside the page's own title."""
MIN_TITLED_GAIN: Final = 1.5
"""Least gain of a text found under a body-like key next to the page's own title."""

DATE_KEYS: Final = (
    "datePublished", "publishedAt", "published_at", "publishDate", "publish_date", "publishTime", "publish_time",
    "publicationDate", "pubDate", "pubdate", "pubTime", "pub_time", "published", "publishedTime", "published_time",
    "firstPublishedAt", "displayDate", "releaseTime", "ptime", "date", "createdAt", "created_at", "createTime",
    "create_time", "ctime",
)  # fmt: skip
AUTHOR_KEYS: Final = (
    "author", "authors", "byline", "bylines", "authorName", "author_name", "writer", "reporter", "creator",
)  # fmt: skip
NAME_KEYS: Final = ("name", "displayName", "display_name", "fullName", "title")
MAX_NAME: Final = 80
_DATED: Final = re.compile(r"(?:19|20)\d\d|\d{10}")
_TITLE_KEY: Final = re.compile(r"headline|name|subject|(?!sub|meta|page|site)[a-z]*_?(?:title|headline)", re.IGNORECASE)
_BODY_KEYS: Final = re.compile(
    r"body|content|html|text|cooked|paragraph|article|story|markdown|rendered|detail|value|post|^data$|^children$",
    re.IGNORECASE,
)
POOR_KEYS: Final = re.compile(
    r"descri|summary|excerpt|teaser|lead|abstract|comment|seo|meta|caption|bio|legal|privacy|cookie|terms|copyright"
    r"|related|recommend|footer|translations?|messages|i18n|config|query|css|style",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(
    r"heading(?:-?[1-6])?|header|subheading|subhead|h[1-6]|(?:(?:un)?ordered-?|bullet-?)?list|list-?item|li|ul|ol|bullets?"
    r"|table",
    re.IGNORECASE,
)
"""Types of body parts whose words count, however few."""
_LINE: Final = re.compile(
    r"p|paragraph|block|(?:block-?)?quote|(?:sub)?heading(?:-?[1-6])?|h[1-6]|list-?item|li", re.IGNORECASE
)
"""Types of parts that are one line, even if each word is a child."""
_APART: Final = re.compile(
    r"(?:interstitial|related)[-_]?links?|links?[-_]?list|image|gallery|video|audio|iframe|(?:raw[-_]?)?embed|ad|advert\w*"
    r"|promo\w*|newsletter\w*|reference|script|style|head|nav|footer|button|form",
    re.IGNORECASE,
)
"""Types of parts that are no text."""
_INSIDE: Final = ("children", "content", "text", "value", "data", "insert")
"""Keys with the words of such a child."""
_WORDED: Final = frozenset("text content value items children data rows html title cells".split())
_DATA_ATTRIBUTES: Final = etree.XPath("//@*[string-length(.) > 100]")
_OTHER_ATTRIBUTES: Final = frozenset("content href src srcset style class alt title d points".split())
_SHORTCODE: Final = re.compile(r"\[/?[a-z][\w-]{0,40}(?:\s+[\w-]{1,40}=(?:\"[^\"\]]*\"|'[^'\]]*'))+\s*/?\]")
"""Placeholder that a blog's server replaces by a widget: ``[gallery ids="1,2"]``."""
HELD: Final = etree.XPath(
    "//noscript[count(descendant::p) > 2 and string-length(.) > 100]"
    " | //template[count(descendant::p) > 2 and string-length(.) > 100]"
    " | //textarea[string-length(.) > 60 and (contains(substring-after(., '<p'), '<p')"
    " or contains(@style, 'none') or contains(@class, 'hid') or @hidden)]"
    " | //iframe[string-length(@srcdoc) > 100]"
)
"""Markup that a page holds for readers without scripts, or for its scripts to show."""
TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_STOP: Final = re.compile(rf"[.{STOPS}]|[\u0e01-\u0eff]{{20}}")
"""End of a sentence. Thai and Lao have no mark."""
_SPACED: Final = re.compile(rf"[ {SPACELESS}]|[\u0e01-\u0eff]{{20}}")
"""What a text of several words has."""


def attributes(root: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield names and values of the attributes that may hold data."""
    found = (value for value in _DATA_ATTRIBUTES(root) if value.attrname not in _OTHER_ATTRIBUTES)
    short = (value for value in islice(found, MAX_CANDIDATES) if len(value) <= MAX_SCRIPT_CHARS)
    return ((str(value.attrname), str(value)) for value in short)


def held(root: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield names and markup of the elements that hold a text for other readers."""
    yield from ((str(node.tag), held_markup(node)) for node in HELD(root)[:MAX_CANDIDATES])


def held_markup(node: HtmlElement) -> str:
    """Return the markup that an element holds."""
    if node.tag in {"textarea", "iframe"}:
        return str(node.get("srcdoc") or node.text or "")
    return "".join(etree.tostring(part, encoding="unicode") for part in node)


def as_page(texts: list[str], page: Document) -> Document | None:
    """Return a page of texts and markup; None if they tell little."""
    parts: list[str] = []
    for text in texts:
        bare = _SHORTCODE.sub("", text) if "[" in text else text
        lines = [] if TAG.search(bare) else html.unescape(bare).split("\n")
        parts.append("".join(f"<p>{html.escape(line)}</p>" for line in lines) or bare)
    root = parse("<html><body><article>" + "\n".join(parts) + "</article></body></html>")
    body = Document(root, url=page.url, encoding=page.encoding)
    return body if letters(visible_text(body.measures)) >= MIN_TITLED_WEIGHT else None


def resolved(rows: list[Any]) -> Any:
    """Return the value whose parts a list numbers (devalue, turbo-stream); any other list as it is.

    >>> resolved([["Reactive", 1], {"a": 2, "b": 3}, "x", [2, 2]]), resolved([{"_1": 2}, "a", "x"])
    ({'a': 'x', 'b': ['x', 'x']}, {'a': 'x'})
    """
    inner = [_numbers(row) for row in rows[:MAX_DEPTH] if isinstance(row, (dict, list))]
    if len(rows) < 3 or not isinstance(rows[0], (dict, list)) or not inner[0]:
        return rows
    if not all(isinstance(n, int) and -9 < n < len(rows) for numbers in inner for n in numbers):
        return rows
    return _numbered(rows, 0, {}, 0)


def _numbers(row: Any) -> list[Any]:
    """Return the numbers of a row's parts; the first of a list may name its type."""
    if isinstance(row, dict):
        return list(row.values())
    return list(row[1:] if row and isinstance(row[0], str) else row)


def _numbered(rows: list[Any], at: Any, known: dict[int, Any], depth: int) -> Any:
    if depth > MAX_DEPTH or not isinstance(at, int) or not 0 <= at < len(rows):
        return None
    if at in known or not isinstance(rows[at], (dict, list)):
        return known.get(at, rows[at])
    known[at] = None  # a part that holds itself
    known[at] = _made(rows, rows[at], known, depth + 1)
    return known[at]


def _made(rows: list[Any], row: Any, known: dict[int, Any], depth: int) -> Any:
    """Return a row with the values of its parts; a name may be numbered, too."""
    if isinstance(row, dict):
        names = [int(key[1:]) if _NUMBERED.fullmatch(key) else -1 for key in row]
        said = [str(rows[n]) if 0 <= n < len(rows) else key for n, key in zip(names, row, strict=True)]
        return {key: _numbered(rows, item, known, depth) for key, item in zip(said, row.values(), strict=True)}
    if row and isinstance(row[0], str):
        return _numbered(rows, row[-1], known, depth)
    return [_numbered(rows, item, known, depth) for item in row]


_NUMBERED: Final = re.compile(r"_\d{1,7}")


class Walk:
    """One walk over a JSON value, to the depth of ``MAX_DEPTH``."""

    def __init__(self, title: str, budget: int) -> None:
        self.title = title
        self.budget = budget
        self._found: list[tuple[float, str, list[str], dict[str, Any]]] = []
        self._titled: dict[str, Any] = {}
        self._known: dict[str, Any] = {}
        """Name by which others refer to an object → that object."""

    def bodies(self, value: Any) -> list[tuple[float, str, list[str], dict[str, Any]]]:
        """Return candidates: their score, path, strings in order, and the object with the title."""
        self._known = value if isinstance(value, dict) else {}
        self._visit(value, "", 0, 0, gain=1.0)
        return self._found

    def _visit(self, value: Any, path: str, depth: int, nested: int, *, gain: float) -> list[str]:
        """Note the candidates at and below ``value``; return its prose in order, for the list around it."""
        self.budget -= 1
        if depth > MAX_DEPTH or self.budget <= 0:
            return []
        if isinstance(value, str):
            return self._string(value, path, depth, nested, gain)
        if isinstance(value, list):
            value = resolved(value)
        if isinstance(value, list):
            if value[:1] == ["$"] and len(value) > 3 and isinstance(value[3], dict):  # an element of React
                return self._object({**value[3], "type": value[1]}, path, depth, nested, gain)
            texts: list[str] = []
            for at, item in enumerate(value):
                texts += self._visit(item, f"{path}[{at}]", depth + 1, nested, gain=gain)
            if len(value) > 1 and texts:
                self._note(texts, path, gain)
            return texts
        if isinstance(value, dict):
            return self._object(value, path, depth, nested, gain)
        return []

    def _object(self, value: dict[str, Any], path: str, depth: int, nested: int, gain: float) -> list[str]:
        if (known := _referred(value, self._known)) is not value:
            return self._visit(known, path, depth + 1, nested, gain=gain)
        if _is_part(value, _APART):
            return []
        if isinstance(pieces := value.get("ops"), list):  # of Quill: pieces of lines, with their ends
            return self._string("".join(_words(piece, depth) for piece in pieces), path, depth, nested, gain)
        if _is_part(value, _LISTED):
            return list(_strings(value, depth))
        if _is_line(value):
            return [text] if (text := _words(value, depth)).strip() else []
        outer = self._titled
        if self._is_titled(value):
            gain, self._titled = TITLE_GAIN, value
        own: list[str] = []
        for key, item in value.items():
            if not isinstance(item, (str, list, dict)) or not item:
                continue
            worth = _worth(key)
            texts = self._visit(item, f"{path}.{key}" if path else key, depth + 1, nested, gain=gain * worth)
            if worth == OF_BODY and sum(map(len, texts)) > sum(map(len, own)):
                own = texts  # an object has one body
        self._titled = outer
        return own

    def _is_titled(self, value: dict[str, Any]) -> bool:
        for key, item in value.items() if len(self.title) >= 4 else ():
            if isinstance(item, str) and _TITLE_KEY.fullmatch(key):
                folded = fold(item)
                if len(folded) >= 4 and (folded in self.title or similarity(folded, self.title) > 0.7):
                    return True
        return False

    def _string(self, value: str, path: str, depth: int, nested: int, gain: float) -> list[str]:
        if value[:1] in _CODED and len(value) > MIN_CODED:
            inner = opened(value) if nested < MAX_NESTED else None
            if inner is not None or value[:1] in "{[":
                return self._visit(inner, path, depth + 1, nested + 1, gain=gain)
        if not _is_text(value):
            return []
        self._note([value], path, gain)
        return [value]

    def _note(self, texts: list[str], path: str, gain: float) -> None:
        weight = sum(map(letters, texts))
        if weight >= (MIN_BODY_WEIGHT if gain < MIN_TITLED_GAIN else MIN_TITLED_WEIGHT):
            self._found.append((weight * gain, path, texts, self._titled))
            if len(self._found) > MAX_CANDIDATES:
                self._found = sorted(self._found, key=lambda item: -item[0])[: MAX_CANDIDATES // 2]


@lru_cache(maxsize=4096)
def _worth(key: str) -> float:
    """Return the factor of what stands under a key: its name speaks for a body, against one, or says nothing."""
    return 0.2 if POOR_KEYS.search(key) else OF_BODY if _BODY_KEYS.search(key) else 0.6


OF_BODY: Final = 1.0
_CODED: Final = frozenset("{[%&eWPJ")
"""First characters of the texts that hold data or markup in one of ``DECODINGS``."""


def _referred(value: dict[str, Any], known: dict[str, Any]) -> Any:
    """Return what an object of a cache refers to by name; else the object."""
    name = value.get("__ref") or (value.get("id") if value.get("type") == "id" else None)
    if isinstance(name, str):
        return known.get(name)
    names = value.get("__refs")
    return [known.get(name) for name in names if isinstance(name, str)] if isinstance(names, list) else value


def _is_part(value: dict[str, Any], types: re.Pattern[str]) -> bool:
    """Tell whether an object is a body part of one of these types."""
    kind = value.get("type") or value.get("_type") or value.get("nodeType") or value.get("tag")
    return isinstance(kind, str) and types.fullmatch(kind) is not None


def _is_line(value: dict[str, Any]) -> bool:
    """Tell whether an object is a line of a tree, whose words, links and emphases are its children."""
    children = value.get("children") or value.get("content") or value.get("data")
    if isinstance(children, dict):  # a block of EditorJS
        children = children.get("text")
    if isinstance(children, str):
        return _is_part(value, _LINE) and not TAG.search(children)
    if not isinstance(children, list) or not _is_part(value, _LINE):
        return False
    nodes = [child for child in children if isinstance(child, (dict, list))]
    return bool(nodes) and not any(
        isinstance(node, dict) and (_is_part(node, _LINE) or _is_part(node, _LISTED)) for node in nodes
    )


def _words(value: Any, depth: int) -> str:
    """Return the words of a line's part."""
    if isinstance(value, list) and value[:1] == ["$"]:
        return _words(value[3], depth + 1) if len(value) > 3 else ""
    if isinstance(value, list) and depth <= MAX_DEPTH:
        return "".join(_words(item, depth + 1) for item in value)
    if isinstance(value, dict) and depth <= MAX_DEPTH:
        return _words(next((value[key] for key in _INSIDE if value.get(key)), ""), depth + 1)
    return value if isinstance(value, str) else ""


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Yield the words of a heading, list or table, however short."""
    if isinstance(value, str):
        if value.strip() and not value.startswith(("http://", "https://", "data:", "/")):
            yield value
    elif depth <= MAX_DEPTH and isinstance(value, list):
        for item in value:
            is_row = isinstance(item, list) and all(isinstance(cell, str) for cell in item)
            yield from [" ".join(item)] if is_row else _strings(item, depth + 1)
    elif isinstance(value, dict) and _is_line(value):
        yield _words(value, depth)
    elif depth <= MAX_DEPTH and isinstance(value, dict):
        for key, item in value.items():
            if key in _WORDED:
                yield from _strings(item, depth + 1)


def _is_text(value: str) -> bool:
    """Tell a sentence or markup from an address, a name or code."""
    if not value or value.isspace() or value.startswith(("http://", "https://", "data:", "/")):
        return False
    if TAG.search(value):
        return True
    if "{" in value[:200] and ";" in value[:400]:
        return False  # style sheets and scripts
    return letters(value) >= MIN_PROSE and bool(_SPACED.search(value)) and bool(_STOP.search(value))


def letters(value: str) -> float:
    """Return the letters of a text without markup; an ideograph counts 2.5."""
    text = TAG.sub("", value)
    return len(text) + 1.5 * len(SPACELESS_LETTER.findall(text))


def script_facts(value: Mapping[str, Any], data: Any) -> dict[str, Any]:
    """Return the facts as JSON-LD has them, ``{}`` where the object states none.

    :param value: the object that holds the article's title.
    :param data: the data around it, in which references are looked up.
    """
    date = next((str(value[key]) for key in DATE_KEYS if _has_day(value.get(key))), None)
    names = next((found for key in AUTHOR_KEYS if (found := list(_names_of(value.get(key), data)))), [])
    if not date and not names:
        return {}
    facts: dict[str, Any] = {"@type": "Article"}
    if date:
        facts["datePublished"] = date
    if names:
        facts["author"] = [{"@type": "Person", "name": name} for name in names]
    return facts


def _has_day(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and bool(_DATED.match(str(value)))


def _names_of(value: Any, data: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value[:10]:
            if not isinstance(item, list):
                yield from _names_of(item, data)
    elif isinstance(value, dict):
        known = _referred(value, data if isinstance(data, dict) else {})
        if isinstance(known, dict):
            name = next((known[key] for key in NAME_KEYS if isinstance(known.get(key), str)), "")
            yield from _names_of(name, data)
    elif isinstance(value, str) and 1 < len(value.strip()) <= MAX_NAME and "/" not in value:
        yield value.strip()
