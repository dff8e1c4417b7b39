"""The whole visible text of the page: the floor that every method has to beat in precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from newscrawl.dom.text import visible_text
from newscrawl.methods.base import Extraction, PageExtractor

if TYPE_CHECKING:
    from newscrawl.dom.document import Document


class FullTextExtractor(PageExtractor):
    name: ClassVar[str] = "fulltext"

    def extract(self, document: Document) -> Extraction:
        return Extraction(text=visible_text(document.measures), method=self.name)
