"""Texts from a page's data: of pages that are empty until their scripts run, and of pages that show only a teaser.

Empty pages are recognised and filled from their data. Of a teaser and a whole story the longer one is the text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from newscrawl.classify.lines.model import judge_lines
from newscrawl.classify.verdict import Speaker
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold, stems, visible_text
from newscrawl.page.document import Document, parse
from newscrawl.page.literals import literals, opened, stream_rows
from newscrawl.page.statements import gather
from newscrawl.read.model import DATA
from newscrawl.read.script_bodies import (
    HELD,
    MAX_CANDIDATES,
    MAX_SCRIPT_CHARS,
    MIN_BODY_WEIGHT,
    POOR_KEYS,
    Walk,
    as_page,
    attributes,
    held,
    held_markup,
    letters,
    script_facts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from newscrawl.classify.verdict import Verdict
    from newscrawl.methods.base import Extraction
    from newscrawl.page.statements import Evidence


MAX_VISIBLE_WEIGHT: Final = 200.0
"""Most text of an empty page. Letters; an ideograph counts 2.5."""
MIN_SWALLOWED: Final = 1_000
MIN_SCRIPT: Final = 20
MAX_VALUES: Final = 200_000
"""Most values of one page's data that are examined."""
MIN_STEMS: Final = 3
"""Least stems of a title of which a body without that title has one."""
MIN_SHOWN: Final = 2
"""Least shown paragraphs of a story whose rest the data hold."""
SCRIPT_CONFIDENCE: Final = 0.5
SCRIPTS_MISSING: Final = "empty until its scripts run, and no body in its data"

_JAVASCRIPT: Final = re.compile(r"|module|.*(?:java|ecma)script.*", re.IGNORECASE)
_CODED: Final = ("%7B", "%5B", "%3C", "eyJ", "W3s", "PHA", "PGRpd", "PGFyd", "JTdC", "JTNC")
"""Beginnings of data and markup in which no word is found as it is written."""
_DATA_VALUES: Final = tuple(
    b"""="{ ='{ ="[ ='[ ="< ="&lt; ="&quot; ="&# ="'< ="'&lt; ="%7b ='%7b ="eyj ="pha ="pgr""".split()
)
"""Beginnings of attributes' values, in small letters, that may hold data or markup."""
_HOLDERS: Final = (b"<textarea", b"<template", b"<noscript", b"srcdoc")
_BODY_KEYS: Final = ("articleBody", "text")
_HOLES: Final = re.compile(r"\{\{|<%|\$\{")
"""Places of a template that scripts fill: it holds no text of its own."""
_APP_ROOT: Final = etree.XPath(
    "boolean(//*[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='main-app' or @id='react-root'"
    " or @ng-app or @data-reactroot or self::app-root])"
)
_NOSCRIPT: Final = etree.XPath("string(//noscript)")
_ENABLE: Final = WordPattern(r"javascript|js\b|{pages.scripts}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptBody:
    """A body found in a page's data."""

    document: Document
    """Page of its own: the body alone, or the part of the page around it."""
    text: str
    origin: str
    """Place of the body in the data: ``__NEXT_DATA__: props.pageProps.article.body``."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Date and authors by the data, as JSON-LD; ``{}`` if they state none."""


def shows_text(verdict: Verdict) -> bool:
    """Tell whether a page has enough text for :func:`fullest` to leave it as it is."""
    return verdict.weight > MAX_VISIBLE_WEIGHT


def is_script_only(body: bytes, url: str, content_type: str | None) -> bool:
    """Tell whether only a browser shows the page's text, and its data hold none."""
    document = Document.from_html(body, url, content_type)
    return is_empty_without_scripts(document, document.once(judge_lines)) and document.once(script_body) is None


def is_empty_without_scripts(document: Document, verdict: Verdict) -> bool:
    """Tell whether a page shows no story, and has scripts that would fill it.

    Signs of such scripts: data with a body, the root element of an application, a note to readers without JavaScript.
    A player or another script beside a headline and a sentence fills nothing.
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
    """Tell whether the page shows its own title, and below it a sentence that is no note on scripts."""
    text = (verdict.is_body & verdict.features.is_prose).nonzero()[0]
    below = verdict.features.lines.texts(text[text > verdict.headline].tolist()) if verdict.headline >= 0 else ()
    return any(_ENABLE.search(line) is None for line in below)


def script_body(document: Document) -> ScriptBody | None:
    """Return the body in the page's data, or None. Call it through :meth:`Document.once`."""
    if document.root is None:
        return None
    return _swallowed(document, document.once(gather)) or next(data_bodies(document, 3), None)


def data_bodies(document: Document, n: int) -> Iterator[ScriptBody]:
    """Yield those of the ``n`` best bodies in a page's data that have text, the best first."""
    if document.root is None:
        return
    evidence = document.once(gather)
    title = fold(evidence.title)
    named = _named(evidence)
    found: list[tuple[float, str, list[str], dict[str, Any]]] = []
    budget = MAX_VALUES
    for origin, value in _data(document.root, evidence):
        walk = Walk(title, budget)
        found += [
            (score, f"{origin}: {path}" if path else origin, texts, script_facts(around, value))
            for score, path, texts, around in walk.bodies(value)
            if around or (path and not named) or not named.isdisjoint(stems("\n".join(texts)))
        ]
        budget = walk.budget
        if budget <= 0:
            break
    for _, origin, texts, facts in sorted(found, key=lambda item: -item[0])[:n]:
        body = as_page(texts, document)
        if body is not None:
            yield ScriptBody(document=body, text=visible_text(body.measures), origin=origin, facts=facts)


def _named(evidence: Evidence) -> frozenset[str]:
    """Return the stems of the page's title, none where these are too few to tell.

    A string in a script that has a body's form and no name is a story only if it has one of them: consent, terms, forms
    for comments and letters to subscribers share none with the story.
    """
    site = stems(" ".join(evidence.metas.get("og:site_name", ())))
    titles = (stems(title) - site for title in (*evidence.metas.get("og:title", ()), evidence.title))
    return next((found for found in titles if len(found) >= MIN_STEMS), frozenset())


def _swallowed(document: Document, evidence: Evidence) -> ScriptBody | None:
    """Return the page inside a script tag that was never closed."""
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


def _data(root: HtmlElement, evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield the page's data with their names; strings are markup."""
    for origin, title, stated in _stated(evidence):
        yield origin, {"headline": title, "articleBody": stated}
    code: list[str] = []
    for script in evidence.scripts:
        text, kind = script.text or "", (script.get("type") or "").strip()
        if not MIN_SCRIPT < len(text) <= MAX_SCRIPT_CHARS:
            continue
        value = None if _JAVASCRIPT.fullmatch(kind) else opened(text)
        if value is None:
            code.append(text)
        elif not isinstance(value, str) or not _HOLES.search(value):
            yield script.get("id") or "json", value
    yield from _assigned(code)
    for name, text in attributes(root):
        value = opened(text)
        if value is not None:
            yield name, value
    for name, markup in held(root):
        if not _HOLES.search(markup):
            yield name, {"content": markup}


def _assigned(scripts: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the literals of scripts, and the rows of streams that scripts push in pieces."""
    stream: list[str] = []
    for text in scripts:
        for name, value in islice(literals(text), MAX_CANDIDATES):
            if isinstance(value, list) and len(value) == 2 and value[0] == 1 and isinstance(value[1], str):
                stream.append(value[1])
            elif not isinstance(value, str) or not POOR_KEYS.search(name):
                yield name or "script", value
    if stream:
        yield "stream", stream_rows("".join(stream))


def _behind_shown(body: ScriptBody, document: Document, verdict: Verdict) -> ScriptBody:
    """Return a body behind the paragraphs that the page shows, if it is the rest of their story."""
    shown, begun = verdict.text.split("\n"), _begun(verdict)
    article = None if body.document.root is None else body.document.root.find("body/article")
    told = fold(body.text)
    if article is None or len(begun) < MIN_SHOWN or any(fold(start[:MIN_BEGUN]) in told for start in begun):
        return body
    page = as_page([*shown, etree.tostring(article, encoding="unicode")], document) if _shows_story(verdict) else None
    return replace(body, document=page, text=visible_text(page.measures)) if page else body


def _rest(document: Document, verdict: Verdict) -> ScriptBody | None:
    """Return the story whose last shown paragraph is followed by markup that a script shows."""
    prose = (verdict.is_body & verdict.features.is_prose).nonzero()[0]
    if document.root is None or len(prose) < MIN_SHOWN or not document.may_hold(*_HOLDERS):
        return None
    lines = verdict.features.lines
    last, first = (lines.measures.nodes[row] for row in lines.block[[prose[-1], prose[-2]]].tolist())
    for node in HELD(document.root)[:MAX_CANDIDATES]:
        before = node.getprevious()
        while before is not None and before is not last and not _is_shown(before):
            before = before.getprevious()
        markup = held_markup(node)
        is_story = markup.count("<p") > 1 and "<form" not in markup and not _HOLES.search(markup)
        is_next = before is last or before in last.iterancestors()
        if is_story and is_next and node.getparent() in first.iterancestors():
            found = as_page([markup], document)
            body = found and ScriptBody(document=found, text=visible_text(found.measures), origin=str(node.tag))
            joined = _behind_shown(body, document, verdict) if body else None
            if joined is not body:
                return joined
    return None


def _is_shown(node: HtmlElement) -> bool:
    """Tell whether an element has text; a comment shows none."""
    return isinstance(node.tag, str) and bool(node.text_content().strip())


def take_body(body: ScriptBody, extraction: Extraction, document: Document, why: str) -> Extraction:
    """Return an extraction with a body of the page's data as its text."""
    if body.facts:
        document.once(gather).articles.append(body.facts)
    return replace(
        extraction,
        text=body.text,
        confidence=max(SCRIPT_CONFIDENCE, extraction.confidence),
        blocks=(),
        evidence=(*extraction.evidence, f"{why} from {body.origin}"),
        left_out=(),
        chosen=None,
        odds=None,
        document=body.document,
    )


MAX_TEASER: Final = 3_000
"""Letters of a text from which a page's scripts are not searched; JSON-LD costs nothing."""
MAX_BRIEF: Final = 1_000
"""Characters of a text from which attributes and templates are not searched."""
MIN_GAIN: Final = 1.3
"""Least ratio of the story in the data to the shown text, in characters."""
MIN_BEGUN: Final = 30
MAX_BEGUN: Final = 80
"""Characters of a shown paragraph that the data must contain."""
N_BEGUN: Final = 3
"""First paragraphs of which the data must contain one."""
MAX_BEFORE: Final = 600
"""Most characters of the data before that paragraph. More means that the data hold other texts, too."""
_MARKUP: Final = "](http"
"""Link in Markdown: the data hold the source of the text."""
N_BODIES: Final = 5


def fullest(document: Document, verdict: Verdict, shown: Extraction, *, full_text: str) -> Extraction:
    """Return the shown text, or the body in the data if the page is empty until its scripts run, or shows a teaser.

    :param full_text: one of ``FULL_TEXTS``.
    """
    text = shown.text if shown.chosen is None else ""
    is_plain = "<" not in text and len(text) > MAX_VISIBLE_WEIGHT  # without counting letters
    is_long = is_plain or letters(text) > MAX_VISIBLE_WEIGHT
    if is_long or not is_empty_without_scripts(document, verdict):
        is_asked = full_text == DATA and verdict.by is not Speaker.BODY
        return whole(document, verdict, shown) if is_asked else shown
    body = document.once(script_body)
    if body is None:
        return replace(shown, evidence=(*shown.evidence, SCRIPTS_MISSING))
    return take_body(_behind_shown(body, document, verdict), shown, document, "empty until its scripts run; body")


def whole(document: Document, verdict: Verdict, extraction: Extraction) -> Extraction:
    """Return the extraction, or the shortest body in the data that has one of its first paragraphs and continues it.

    Captions of a gallery repeat it. Longer bodies hold other data, too.
    """
    begun = _begun(verdict)
    if (rest := _rest(document, verdict)) is not None:
        return take_body(rest, extraction, document, "shown in part; rest")
    if not begun or not _may_go_on(document, extraction.text, begun):
        return extraction
    starts = [fold(start) for start in begun]
    for body in sorted(data_bodies(document, N_BODIES), key=lambda body: len(body.text)):
        told = fold(body.text)
        begins = any(told.count(start) == 1 and told.find(start) <= MAX_BEFORE for start in starts)
        is_same = begins and _MARKUP not in body.text
        if is_same and len(body.text) >= max(len(extraction.text), MIN_GAIN * _story_chars(verdict, told)):
            return take_body(body, extraction, document, "shown in part; body")
    return extraction


def _begun(verdict: Verdict) -> list[str]:
    """Return the beginnings of the text's first paragraphs; the first one may be a standfirst."""
    prose = (verdict.is_body & verdict.features.is_prose).nonzero()[0][:N_BEGUN]
    texts = verdict.features.lines.texts(prose.tolist())
    return [text[:MAX_BEGUN] for text in texts if len(text) >= MIN_BEGUN]


def _may_go_on(document: Document, text: str, begun: list[str]) -> bool:
    """Tell whether some data contain the first words of a paragraph and are longer."""
    if any(len(said) >= MIN_GAIN * len(text) for _, _, said in _stated(document.once(gather))):
        return True
    if len(text) > MAX_TEASER:
        return False
    words = [start[:MIN_BEGUN].strip() for start in begun]
    forms = (str, lambda one: json.dumps(one)[1:-1], lambda one: json.dumps(one, ensure_ascii=False)[1:-1])
    sought = (*_CODED, *{form(one) for one in words for form in forms})
    written = (
        said
        for said in _written(document, is_brief=len(text) <= MAX_BRIEF)
        if len(text) < len(said) <= MAX_SCRIPT_CHARS
    )
    return any(any(form in said for form in sought) for said in written)


def _written(document: Document, *, is_brief: bool) -> Iterator[str]:
    """Yield the texts of a page that may hold data; all but scripts are looked at only where it shows little."""
    yield from (script.text or "" for script in document.once(gather).scripts)
    if document.root is None or not is_brief:
        return
    if document.may_hold(*_DATA_VALUES):
        yield from (text for _, text in attributes(document.root))
    if document.may_hold(*_HOLDERS):
        yield from (markup for _, markup in held(document.root))


def _stated(evidence: Evidence) -> Iterator[tuple[str, Any, str]]:
    """Yield the bodies that JSON-LD and microdata state, with their origin and headline."""
    for node in evidence.articles:
        told = (node.get(key) for key in _BODY_KEYS)
        yield from (("json-ld", node.get("headline"), text) for text in told if isinstance(text, str))
    yield from (("microdata", evidence.title, text) for text in evidence.metas.get("articlebody", ()))


def _story_chars(verdict: Verdict, told: str) -> int:
    """Return the characters of shown lines that the data contain, too, so without offers to subscribe."""
    lines = verdict.features.lines
    texts = lines.texts((verdict.is_body & verdict.features.is_prose).nonzero()[0].tolist())
    return sum(len(text) for text in texts if fold(text[:MIN_BEGUN]) in told)
