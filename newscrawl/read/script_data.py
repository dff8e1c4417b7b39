"""Pages that are empty until their scripts run: recognised, and the body taken from the data they carry.

Data are JSON in ``application/json`` scripts (``__NEXT_DATA__``, ``__NUXT_DATA__`` …), JSON assigned to a name in a
script (``window.__INITIAL_STATE__ = {…}``, ``JSON.parse("…")``), JSON in attributes (``data-page``,
``data-preloaded``), and ``articleBody`` in JSON-LD. Nothing is run; what is not JSON is not read.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from newscrawl.classify.lines.judge import judge_lines
from newscrawl.languages.characters import SPACELESS_LETTER
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold, similarity, visible_text
from newscrawl.methods.base import Extraction
from newscrawl.page.document import Document, parse
from newscrawl.page.statements import gather
from newscrawl.read.script_facts import script_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.statements import Evidence

MAX_VISIBLE_WEIGHT: Final = 200.0
"""A page with more text of its own is not empty. Letters; an ideograph counts 2.5."""
MIN_BODY_WEIGHT: Final = 200.0
"""Less prose in the data is no body."""
MIN_PROSE: Final = 40.0
"""A string of less is a label, unless it stands in a list of paragraphs."""
MIN_SWALLOWED: Final = 1_000
MAX_SCRIPT_CHARS: Final = 4_000_000
MAX_VALUES: Final = 200_000
"""Values of one page's data that are looked at."""
MAX_DEPTH: Final = 60
MAX_NESTED: Final = 3
"""JSON inside strings of JSON is opened so many times."""
MAX_CANDIDATES: Final = 40
MIN_TITLED_WEIGHT: Final = 60.0
"""Least prose of a body beside the page's own title."""
TITLE_GAIN: Final = 3.0
"""A body beside the page's own title is worth so many times its prose."""
MIN_TITLED_GAIN: Final = 1.5
"""Least gain of a text found under a body-like key next to the page's own title."""
SCRIPT_CONFIDENCE: Final = 0.5
SCRIPTS_MISSING: Final = "empty until its scripts run, and no body in its data"

_ASSIGNED: Final = re.compile(r"""
    (?:^|[;\s{,(])(?:window|self|globalThis|var|let|const)[.\s\[]['"]?([\w$]+)['"]?\]?\s*=\s*
    (?P<parse>JSON\.parse\(\s*)?(?=[\[{"'])""", re.VERBOSE)  # fmt: skip
_JAVASCRIPT: Final = re.compile(r"|module|.*(?:java|ecma)script.*", re.IGNORECASE)
_DATA_ATTRIBUTES: Final = etree.XPath(
    "//@*[starts-with(name(), 'data-') and string-length(.) > 400 and (starts-with(., '{') or starts-with(., '['))]"
)
_APP_ROOT: Final = etree.XPath(
    "boolean(//*[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='main-app' or @id='react-root'"
    " or @ng-app or @data-reactroot or self::app-root])"
)
_NOSCRIPT: Final = etree.XPath("string(//noscript)")
_ENABLE: Final = WordPattern(r"javascript|js\b|{pages.scripts}", re.IGNORECASE)
_TITLE_KEY: Final = re.compile(r"headline|name|subject|(?!sub|meta|page|site)[a-z]*_?(?:title|headline)", re.IGNORECASE)
_BODY_KEYS: Final = re.compile(
    r"body|content|html|text|cooked|paragraph|article|story|markdown|rendered|detail|value|post", re.IGNORECASE
)
_POOR_KEYS: Final = re.compile(
    r"descri|summary|excerpt|teaser|lead|abstract|comment|seo|meta|caption|bio|legal|privacy|cookie|terms|copyright"
    r"|related|recommend|footer|translations?|messages|i18n|config|query|css|style",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(
    r"heading(?:-?[1-6])?|header|subheading|subhead|h[1-6]|(?:(?:un)?ordered-?|bullet-?)?list|list-?item|li|ul|ol|bullets?"
    r"|table",
    re.IGNORECASE,
)
"""Types of parts of a body whose words count, however few."""
_LINE: Final = re.compile(
    r"p|paragraph|block|(?:block-?)?quote|(?:sub)?heading(?:-?[1-6])?|h[1-6]|list-?item|li", re.IGNORECASE
)
"""Types of parts that make one line, though each of its words may be a child of its own."""
_INSIDE: Final = ("children", "content", "text", "value", "data")
"""Where the words of such a child are."""
_WORDED: Final = frozenset("text content value items children data rows html title cells".split())
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_STOP: Final = re.compile(r"[.!?。！？]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptBody:
    """A body found in a page's data."""

    document: Document
    """A page of its own: the body alone, or the part of the page that holds it."""
    text: str
    origin: str
    """Where it stood: ``__NEXT_DATA__: props.pageProps.article.body``."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the data say of date and authors, as JSON-LD; ``{}`` where they do not."""


def shows_text(verdict: Verdict) -> bool:
    """Tell whether a page has so much text that :func:`filled` leaves it as it is, whatever was extracted."""
    return verdict.weight > MAX_VISIBLE_WEIGHT


def is_script_only(body: bytes, url: str, content_type: str | None) -> bool:
    """Tell whether a page shows its text in a browser only, and carries none in its data."""
    document = Document.from_html(body, url, content_type)
    return is_empty_without_scripts(document, document.once(judge_lines)) and document.once(script_body) is None


def is_empty_without_scripts(document: Document, verdict: Verdict) -> bool:
    """Tell whether a page shows nothing of a story, and has scripts that would fill it.

    What speaks for such scripts: data that hold a body, the root element of an application, or a word to readers
    without JavaScript. A player or another script beside a headline and a sentence fills nothing.
    """
    root = document.root
    if root is None or shows_text(verdict):
        return False
    if document.once(script_body) is not None:
        return True
    if not document.once(gather).scripts or _shows_story(verdict):
        return False
    return bool(_APP_ROOT(root)) or _ENABLE.search(str(_NOSCRIPT(root))[:2000]) is not None


def _shows_story(verdict: Verdict) -> bool:
    """Tell whether the page's own title is shown, and below it a sentence that is no word on scripts."""
    if verdict.headline < 0:
        return False
    text = (verdict.is_body & verdict.features.is_prose).nonzero()[0]
    below = verdict.features.lines.texts(text[text > verdict.headline].tolist())
    return any(_ENABLE.search(line) is None for line in below)


def script_body(document: Document) -> ScriptBody | None:
    """Return the body in the page's data, None where there is none. To be called through :meth:`Document.once`."""
    if document.root is None:
        return None
    evidence = document.once(gather)
    swallowed = _swallowed(document, evidence)
    if swallowed is not None:
        return swallowed
    title = fold(evidence.title)
    found: list[tuple[float, str, list[str], dict[str, Any]]] = []
    budget = MAX_VALUES
    for origin, value in _data(document.root, evidence):
        walk = _Walk(title, budget)
        found += [
            (score, f"{origin}: {path}" if path else origin, texts, script_facts(around, value))
            for score, path, texts, around in walk.bodies(value)
        ]
        budget = walk.budget
        if budget <= 0:
            break
    for _, origin, texts, facts in sorted(found, key=lambda item: -item[0])[:3]:
        body = _as_page(texts, document)
        if body is not None:
            return ScriptBody(document=body, text=visible_text(body.measures), origin=origin, facts=facts)
    return None


def _swallowed(document: Document, evidence: Evidence) -> ScriptBody | None:
    """Return the page that stands in a script which was never closed."""
    for script in evidence.scripts:
        text = (script.text or "").lstrip()
        if not _JAVASCRIPT.fullmatch((script.get("type") or "").strip()):
            continue  # a template
        if MIN_SWALLOWED <= len(text) <= MAX_SCRIPT_CHARS and text[0] == "<" and not text.startswith("<!"):
            inner = Document(parse(text), url=document.url, encoding=document.encoding)
            body = inner.once(judge_lines)
            if body.weight >= MIN_BODY_WEIGHT:
                return ScriptBody(document=inner, text=body.text, origin="markup in a script that was never closed")
    return None


def _as_page(texts: list[str], page: Document) -> Document | None:
    parts = [text if _TAG.search(text) else "".join(f"<p>{html.escape(line)}</p>" for line in text.split("\n"))
             for text in texts]  # fmt: skip
    root = parse("<html><body><article>" + "\n".join(parts) + "</article></body></html>")
    body = Document(root, url=page.url, encoding=page.encoding)
    return body if _weight(visible_text(body.measures)) >= MIN_TITLED_WEIGHT else None


def _data(root: HtmlElement, evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield the page's data and what they are called."""
    for node in evidence.articles:
        if isinstance(node.get("articleBody"), str):
            yield "json-ld", {"headline": node.get("headline"), "articleBody": node["articleBody"]}
    for script in evidence.scripts:
        text = script.text or ""
        if not 100 < len(text) <= MAX_SCRIPT_CHARS:
            continue
        if "json" in (script.get("type") or "").lower():
            value = _loads(text)
            if value is not None:
                yield script.get("id") or "json", value
        else:
            yield from _assigned(text)
    for attribute in _DATA_ATTRIBUTES(root)[:MAX_CANDIDATES]:
        value = _loads(str(attribute)) if len(attribute) <= MAX_SCRIPT_CHARS else None
        if value is not None:
            yield str(attribute.attrname), value


def _assigned(text: str) -> Iterator[tuple[str, Any]]:
    decoder = json.JSONDecoder(strict=False)
    position = 0
    for _ in range(MAX_CANDIDATES):
        match = _ASSIGNED.search(text, position)
        if match is None:
            return
        position = match.end()
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            continue
        if match["parse"] and isinstance(value, str):
            value = _loads(value)
        if isinstance(value, (dict, list)):
            yield match[1], value


def _loads(text: str) -> Any:
    try:
        return json.loads(text.strip().rstrip(";"), strict=False)
    except (ValueError, RecursionError):
        return None


class _Walk:
    """One walk over a JSON value, without recursion beyond ``MAX_DEPTH``."""

    def __init__(self, title: str, budget: int) -> None:
        self.title = title
        self.budget = budget
        self._found: list[tuple[float, str, list[str], dict[str, Any]]] = []
        self._titled: dict[str, Any] = {}

    def bodies(self, value: Any) -> list[tuple[float, str, list[str], dict[str, Any]]]:
        """Return candidates: how good they are, their path, their strings in order, and the object with the title."""
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
            texts = [text for at, item in enumerate(value) for text in self._item(item, path, at, depth, nested, gain)]
            if len(value) > 1 and texts:
                self._note(texts, path, gain)
            return texts
        if isinstance(value, dict):
            return self._object(value, path, depth, nested, gain)
        return []

    def _item(self, item: Any, path: str, at: int, depth: int, nested: int, gain: float) -> list[str]:
        return self._visit(item, f"{path}[{at}]", depth + 1, nested, gain=gain)

    def _object(self, value: dict[str, Any], path: str, depth: int, nested: int, gain: float) -> list[str]:
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
            inner = gain * (0.2 if _POOR_KEYS.search(key) else 1.0 if _BODY_KEYS.search(key) else 0.6)
            texts = self._visit(item, f"{path}.{key}" if path else key, depth + 1, nested, gain=inner)
            if _BODY_KEYS.search(key) and not _POOR_KEYS.search(key) and sum(map(len, texts)) > sum(map(len, own)):
                own = texts  # an object has one body, whatever else it says
        self._titled = outer
        return own

    def _is_titled(self, value: dict[str, Any]) -> bool:
        for key, item in value.items():
            if isinstance(item, str) and len(self.title) >= 4 and _TITLE_KEY.fullmatch(key):
                folded = fold(item)
                if len(folded) >= 4 and (folded in self.title or similarity(folded, self.title) > 0.7):
                    return True
        return False

    def _string(self, value: str, path: str, depth: int, nested: int, gain: float) -> list[str]:
        if value[:1] in "{[" and len(value) > MIN_BODY_WEIGHT:
            inner = _loads(value) if nested < MAX_NESTED else None
            return self._visit(inner, path, depth + 1, nested + 1, gain=gain)
        if not _is_text(value):
            return []
        self._note([value], path, gain)
        return [value]

    def _note(self, texts: list[str], path: str, gain: float) -> None:
        weight = sum(map(_weight, texts))
        if weight >= (MIN_BODY_WEIGHT if gain < MIN_TITLED_GAIN else MIN_TITLED_WEIGHT):
            self._found.append((weight * gain, path, texts, self._titled))
            if len(self._found) > MAX_CANDIDATES:
                self._found = sorted(self._found, key=lambda item: -item[0])[: MAX_CANDIDATES // 2]


def _is_part(value: dict[str, Any], types: re.Pattern[str]) -> bool:
    """Tell whether an object is a part of a body, of one of some types."""
    kind = value.get("type") or value.get("_type") or value.get("nodeType") or value.get("tag")
    return isinstance(kind, str) and types.fullmatch(kind) is not None


def _is_line(value: dict[str, Any]) -> bool:
    """Tell whether an object is a line of a tree, its words, links and emphases being its children."""
    children = value.get("children") or value.get("content")
    if not isinstance(children, list) or not _is_part(value, _LINE):
        return False
    nodes = [child for child in children if isinstance(child, dict)]
    return bool(nodes) and not any(_is_part(node, _LINE) or _is_part(node, _LISTED) for node in nodes)


def _words(value: Any, depth: int) -> str:
    """Return the words of a line's part."""
    if isinstance(value, list) and depth <= MAX_DEPTH:
        return "".join(_words(item, depth + 1) for item in value)
    if isinstance(value, dict) and depth <= MAX_DEPTH:
        return _words(next((value[key] for key in _INSIDE if value.get(key)), ""), depth + 1)
    return value if isinstance(value, str) else ""


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Yield the words of a heading, a list or a table, however short."""
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
    if _TAG.search(value):
        return True
    if "{" in value[:200] and ";" in value[:400]:
        return False  # style sheets and scripts
    return (
        _weight(value) >= MIN_PROSE
        and (" " in value or bool(SPACELESS_LETTER.search(value)))
        and bool(_STOP.search(value))
    )


def _weight(value: str) -> float:
    """Return the letters of a text without its markup; an ideograph counts 2.5."""
    text = _TAG.sub("", value)
    return len(text) + 1.5 * len(SPACELESS_LETTER.findall(text))


def _is_long(text: str) -> bool:
    if "<" not in text and len(text) > MAX_VISIBLE_WEIGHT:
        return True  # without a look at each letter
    return _weight(text) > MAX_VISIBLE_WEIGHT


def filled(document: Document, verdict: Verdict, extraction: Extraction) -> Extraction:
    """Return the extraction; for a page whose body comes with its scripts, the body in its data, and a word on it."""
    if _is_long(extraction.text) or not is_empty_without_scripts(document, verdict):
        return extraction
    body = document.once(script_body)
    if body is None:
        return replace(extraction, evidence=(*extraction.evidence, SCRIPTS_MISSING))
    if body.facts:
        document.once(gather).articles.append(body.facts)
    return Extraction(
        text=body.text,
        method=extraction.method,
        confidence=SCRIPT_CONFIDENCE,
        evidence=(*extraction.evidence, f"empty until its scripts run; body from {body.origin}"),
        document=body.document,
    )


def lacks_scripts(extraction: Extraction) -> bool:
    """Tell whether :func:`filled` found a page that only a browser can show."""
    return SCRIPTS_MISSING in extraction.evidence
