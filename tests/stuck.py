"""A method that does what no page may do to a crawl; the word is in the page."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING, ClassVar

from newscrawl.languages.text import visible_text
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.methods.news import NewsExtractor

if TYPE_CHECKING:
    from newscrawl.page.document import Document

#: Takes 2 ** n steps for a text of n letters, in C, where no timer of Python's is heard.
SLOW_PATTERN = re.compile(r"(x+x+)+y")


class Stuck(PageExtractor):
    name: ClassVar[str] = "stuck"

    def __init__(self) -> None:
        self.news = NewsExtractor()

    def extract(self, document: Document) -> Extraction:
        text = visible_text(document.measures)
        if "LOOPS" in text:
            while True:
                pass
        if "BACKTRACKS" in text:
            SLOW_PATTERN.search("x" * 60)
        if "DIES" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "SWELLS" in text:
            return Extraction(text="x" * (4 * 2**30), method=self.name)
        return self.news.extract(document)
