"""Baselines: the whole visible text, which every method has to beat in precision, and the library readability-lxml."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from lxml import etree

from newscrawl.exceptions import UserError
from newscrawl.languages.text import visible_text
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from lxml.html import HtmlElement


class ReadabilityExtractor(PageExtractor):
    """Text of the summary that readability-lxml makes of a serialised copy of the tree.

    :raises UserError: if the library is not installed.
    """

    name: ClassVar[str] = "readability"

    def __init__(self) -> None:
        if find_spec("readability") is None:
            raise UserError(
                "method 'readability' needs readability-lxml: "
                "pip install -r requirements-readability.txt, or 'newscrawl[readability]'"
            )

    def extract(self, document: Document) -> Extraction:
        summary, why = self._summary(document.root)
        return Extraction(text=visible_text(Document.from_html(summary).measures), method=self.name, evidence=why)

    def _summary(self, root: HtmlElement | None) -> tuple[str, tuple[str, ...]]:
        from readability import Document as Readable  # noqa: PLC0415 (an extra)
        from readability.readability import Unparseable  # noqa: PLC0415

        if root is None:
            return "", ("no element",)
        logging.getLogger("readability.readability").setLevel(logging.CRITICAL)
        page = etree.tostring(root, encoding="unicode", method="html")
        try:
            return str(Readable(page).summary(html_partial=True)), ()
        except (Unparseable, RecursionError, ValueError, TypeError) as error:  # what it raises on odd markup
            return "", (f"readability-lxml: {error!r}",)


class FullTextExtractor(PageExtractor):
    name: ClassVar[str] = "fulltext"

    def extract(self, document: Document) -> Extraction:
        return Extraction(text=visible_text(document.measures), method=self.name)
