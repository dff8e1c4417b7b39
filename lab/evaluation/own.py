"""The project's own extractors, as the worker runs them."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from lab.evaluation.wire import Answer, WirePage
from lab.training.held_out import fold_path, split_variant
from newscrawl.classify.kind.judge import page_kind
from newscrawl.classify.lines import cohesion
from newscrawl.classify.lines.model import judge_lines
from newscrawl.extractors import Needs, get_extractor
from newscrawl.page.document import Document
from newscrawl.read.model import DATA
from newscrawl.read.script_data import fullest
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.extractors import Extraction


FOLD_NUMBER: Final = re.compile(r"-fold(\d+)\.npz$")
"""Number of the fold in the name of a model that has not seen its sites."""


class OwnMethod:
    """An extractor of the registry; one that needs other pages is told all others of the group, never the page.

    A page that is empty until its scripts run, or shows a part of its story, is given the body in its data, whatever
    the method, as the crawl does.
    The page's cost holds its own decoding, parse and extraction. To ``reference`` methods it adds the mean cost of
    parsing and observing another page, to ``site`` methods that of observing one: in a crawl every page is parsed
    once anyway.
    """

    def __init__(self, name: str, constants: dict[str, Any] | None = None) -> None:
        self.name = name
        fold = FOLD_NUMBER.search(str((constants or {}).get("model", "")))
        cohesion.wording_model = fold_path(int(fold[1]), cohesion.WORDING_MODEL) if fold else cohesion.WORDING_MODEL
        self.constants = constants or {}
        self.needs: str = get_extractor(name).needs.value
        self.versions = {package: version(package) for package in ("lxml", "numpy")}
        self._extractor = get_extractor(name, **self.constants)
        self._others: dict[str, Document] = {}
        self._shared_seconds = 0.0

    def begin(self, pages: Sequence[WirePage]) -> None:
        if self.needs == Needs.PAGE:
            return
        start = time.process_time()
        self._others = {page.id: Document.from_html(page.html, page.url) for page in pages}
        parsed = time.process_time()
        trial = get_extractor(self.name)
        for document in self._others.values():
            trial.observe(document)
        observed = time.process_time()
        seconds = observed - (start if self.needs == Needs.REFERENCE else parsed)
        self._shared_seconds = seconds / max(1, len(pages))

    def run(self, page: WirePage) -> Answer:
        extractor = self._extractor
        if self.needs != Needs.PAGE:
            extractor = get_extractor(self.name)
            for name, document in self._others.items():
                if name != page.id:
                    extractor.observe(document)
        start = time.process_time()
        document = Document.from_html(page.html, page.url)
        extraction = extractor.extract(document)
        verdict = document.once(getattr(extractor, "judge", judge_lines))
        shown = fullest(document, verdict, extraction, full_text=DATA)  # as the crawl does
        seconds = time.process_time() - start
        answer = _answer(page, shown.document or document, extraction, seconds + self._shared_seconds)
        return replace(answer, text=shown.text, confidence=shown.confidence)


def make(name: str) -> OwnMethod:
    """Return the method; ``news@2`` is the one that has not seen the sites of fold 2.

    :raises UserError: if no extractor has this name.
    """
    method, constants = split_variant(name)
    return OwnMethod(method, constants)


def _answer(page: WirePage, document: Document, extraction: Extraction, seconds: float) -> Answer:
    spans = tuple(
        (block.start, block.end, block.label.value)
        for block in extraction.blocks
        if block.label is not None and block.start >= 0
    )
    page_type = _page_type(document) if spans else None
    return Answer(
        id=page.id,
        text=extraction.text,
        seconds=seconds,
        spans=spans,
        page_type=page_type,
        confidence=extraction.confidence,
    )


def _page_type(document: Document) -> str:
    """Judge the page as the crawl does; its cost is not the method's, so it is not timed."""
    kind = url_shape(document.url) if document.url else None
    return page_kind(document, document.once(judge_lines), url_kind=kind).page_type.value
