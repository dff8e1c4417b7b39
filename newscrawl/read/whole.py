"""Pages that show a teaser, and hold the whole story in their data: the longer of the two is the text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from newscrawl.classify.verdict import Speaker
from newscrawl.languages.text import fold
from newscrawl.page.lines import line_features
from newscrawl.page.statements import gather
from newscrawl.read.model import DATA
from newscrawl.read.script_data import data_bodies, fill_from_data, take_body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.classify.verdict import Verdict
    from newscrawl.items import Article
    from newscrawl.methods.base import Extraction
    from newscrawl.page.document import Document

MAX_TEASER: Final = 3_000
"""Letters of a text from which on a page's scripts are not searched; what JSON-LD states costs nothing."""
MIN_GAIN: Final = 1.3
"""The story in the data has so many times the characters that are shown."""
MIN_BEGUN: Final = 30
MAX_BEGUN: Final = 80
"""Characters of a paragraph that the data must have, too."""
N_BEGUN: Final = 3
"""Paragraphs of which the data have one."""
MAX_LONGER: Final = 2
MAX_MARKS: Final = 10
"""Characters beside letters and digits that a line has at most."""
MAX_SCRIPT: Final = 4_000_000
MAX_BEFORE: Final = 600
"""Characters of the data before that paragraph: of a page's strings all together the story is a part."""
_MARKUP: Final = "](http"
"""A link in Markdown: the data hold what the text was made from."""
N_BODIES: Final = 5


def fullest(document: Document, verdict: Verdict, shown: Extraction, *, full_text: str) -> Extraction:
    """Return what a page shows, or the body in its data where it is empty until its scripts run, or shows a teaser.

    :param full_text: one of ``FULL_TEXTS``.
    """
    extraction = fill_from_data(document, verdict, shown)
    is_asked = extraction is shown and full_text == DATA and verdict.by is not Speaker.BODY
    return whole(document, verdict, shown) if is_asked else extraction


def whole(document: Document, verdict: Verdict, extraction: Extraction) -> Extraction:
    """Return the extraction, or the shortest body in the page's data that has one of its first paragraphs, and goes on.

    Captions of a gallery have it again and again. Longer bodies hold other data, too.
    """
    begun = _begun(verdict)
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


def without_headline(extraction: Extraction, document: Document, article: Article) -> tuple[Extraction, Article]:
    """Return both without the lines of the text that say what the headline says, where there are others."""
    told, lines = fold(article.headline or ""), extraction.text.split("\n")
    n_told = sum(_says(line, told) for line in lines) if told and article.articleBody == extraction.text else 0
    if n_told in {0, len(lines)}:
        return extraction, article
    text, chosen = "\n".join(line for line in lines if not _says(line, told)), extraction.chosen
    if chosen is not None:
        numbers = chosen.nonzero()[0].tolist()
        again = [
            number
            for number, line in zip(numbers, document.once(line_features).lines.texts(numbers), strict=True)
            if _says(line, told)
        ]
        chosen = chosen.copy()
        chosen[again] = False
    return replace(extraction, text=text, chosen=chosen), replace(article, articleBody=text)


def _says(line: str, told: str) -> bool:
    return len(told) <= len(line) <= MAX_LONGER * len(told) + MAX_MARKS and fold(line) == told


def _begun(verdict: Verdict) -> list[str]:
    """Return how the first paragraphs of the text begin: the very first may be a standfirst."""
    prose = (verdict.is_body & verdict.features.is_prose).nonzero()[0][:N_BEGUN]
    texts = verdict.features.lines.texts(prose.tolist())
    return [text[:MAX_BEGUN] for text in texts if len(text) >= MIN_BEGUN]


def _may_go_on(document: Document, text: str, begun: list[str]) -> bool:
    """Tell whether some of the data hold the first words of a paragraph and are longer."""
    if any(len(said) >= MIN_GAIN * len(text) for said in _stated(document)):
        return True
    if len(text) > MAX_TEASER:
        return False
    words = [start[:MIN_BEGUN].strip() for start in begun]
    forms = (str, lambda one: json.dumps(one)[1:-1], lambda one: json.dumps(one, ensure_ascii=False)[1:-1])
    spelled = {form(one) for one in words for form in forms}
    scripts = (script.text or "" for script in document.once(gather).scripts)
    return any(any(form in code for form in spelled) for code in scripts if len(text) < len(code) <= MAX_SCRIPT)


def _stated(document: Document) -> Iterator[str]:
    """Yield the bodies that JSON-LD states."""
    for node in document.once(gather).articles:
        if isinstance(node.get("articleBody"), str):
            yield node["articleBody"]


def _story_chars(verdict: Verdict, told: str) -> int:
    """Return the characters of the shown lines that the data tell, too: offers to subscribe are none of them."""
    lines = verdict.features.lines
    texts = lines.texts((verdict.is_body & verdict.features.is_prose).nonzero()[0].tolist())
    return sum(len(text) for text in texts if fold(text[:MIN_BEGUN]) in told)
