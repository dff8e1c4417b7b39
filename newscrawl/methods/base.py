"""What every extraction method is and gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Protocol

from newscrawl.extract.formats.output import as_html, as_markdown, body_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools
    from newscrawl.page.segment import Block


class Needs(StrEnum):
    """What a method must have seen before it can extract."""

    PAGE = "page"  # the page alone
    REFERENCE = "reference"  # one other page of the same template
    SITE = "site"  # several pages of the site


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that a rule left out of the text, and why."""

    line: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """A method's answer for one page."""

    text: str
    """Main text, one paragraph a line; ``""`` if the method found none."""
    method: str
    confidence: float = 0.0
    """0..1; 0 where the method has no notion of it."""
    blocks: Sequence[Block] = ()
    """The page's blocks with their labels, for methods that work on blocks."""
    evidence: tuple[str, ...] = ()
    """Why the text is what it is, one reason a line, for ``scrapy explain`` and people."""
    left_out: tuple[LeftOut, ...] = ()
    """Lines that the method's judge took for text and a rule left out, in the page's order."""
    chosen: Bools | None = None
    """Which of the page's visible lines (:func:`newscrawl.page.lines.lines`) are in the text; None where a method does
    not work line by line."""
    find_odds: Callable[[], NDArray[np.float32]] | None = field(default=None, repr=False, compare=False)
    """What gives ``odds``; None where a method has none."""
    document: Document | None = field(default=None, repr=False, compare=False)
    """The page that the text stands on; without it, Markdown and HTML are plain paragraphs."""

    @property
    def odds(self) -> NDArray[np.float32] | None:
        """Log odds of each visible line to be article text; None if the method gives none."""
        return None if self.find_odds is None else self.find_odds()

    @property
    def markdown(self) -> str:
        """The text with its headings, lists, quotes, links, pictures, tables and code as Markdown."""
        return as_markdown(body_parts(self.text, self.document, self.chosen))

    @property
    def html(self) -> str:
        """The text as clean HTML, safe to show: no script, style or handler; http, https and mailto links only."""
        return as_html(body_parts(self.text, self.document, self.chosen))


class Extractor(Protocol):
    """A method with its constants. ``__init__`` takes them as keyword arguments, published values as defaults."""

    name: ClassVar[str]
    needs: ClassVar[Needs]

    def extract(self, document: Document) -> Extraction:
        """Return the main text. Never raises for what is in the page."""

    def observe(self, document: Document) -> None:
        """Take note of another page of the same site; does nothing where ``needs`` is ``PAGE``.

        Memory may grow with a site's templates, never with its pages.
        """


class PageExtractor:
    """Base of the methods that need the page alone."""

    needs: ClassVar[Needs] = Needs.PAGE

    def observe(self, document: Document) -> None:
        """Nothing to learn from other pages."""
