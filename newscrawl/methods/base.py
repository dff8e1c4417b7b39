"""What every extraction method is and gives, and the names of all: a method's module is imported at its first use."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Protocol, runtime_checkable

from newscrawl.exceptions import UserError
from newscrawl.extract.formats.output import as_html, as_markdown, body_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from newscrawl.classify.verdict import Verdict
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
    odds: NDArray[np.float32] | None = field(default=None, repr=False, compare=False)
    """Log odds of each visible line to be article text; None where a method gives none."""
    document: Document | None = field(default=None, repr=False, compare=False)
    """The page that the text stands on; without it, Markdown and HTML are plain paragraphs."""

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


@runtime_checkable
class VerdictExtractor(Protocol):
    """A method whose text follows the verdict on the page's lines, which a user's labels and a site's rules change."""

    def extract_by(self, verdict: Verdict, document: Document) -> Extraction:
        """Return the text as the verdict has it."""


class PageExtractor:
    """Base of the methods that need the page alone."""

    needs: ClassVar[Needs] = Needs.PAGE

    def observe(self, document: Document) -> None:
        """Nothing to learn from other pages."""


class Method(NamedTuple):
    path: str
    about: str
    """Its idea and source, in a line."""


EXTRACTORS: Final[dict[str, Method]] = {
    "cetd": Method(
        "newscrawl.methods.cetd:CETDExtractor",
        "subtrees of the greatest density sum (Sun, Song, Liao 2011)",
    ),
    "cluster": Method(
        "newscrawl.methods.cluster:ClusterExtractor",
        "the block that is best on most pages of a cluster (基于网页聚类的正文信息提取方法); learns from pages",
    ),
    "density": Method(
        "newscrawl.methods.density:DensityExtractor",
        "blocks by node density entropy, main ones by their densities (Zhang, Cao, Li 2015, Algorithm 1)",
    ),
    "density_svm": Method(
        "newscrawl.methods.density:DensitySVMExtractor",
        "blocks by node density entropy, main ones by a trained classifier (Zhang, Cao, Li 2015)",
    ),
    "fulltext": Method(
        "newscrawl.methods.baselines:FullTextExtractor",
        "all visible text: what every method has to beat",
    ),
    "layout": Method(
        "newscrawl.methods.layout:LayoutExtractor",
        "what a page does not share with another of its template (杨柳青 et al. 2015); learns from pages",
    ),
    "lineblock": Method(
        "newscrawl.methods.lineblock:LineBlockExtractor",
        "lines between steep rises and falls of their length (中山大学 2022, improved cx-extractor)",
    ),
    "lineblock_original": Method(
        "newscrawl.methods.lineblock:OriginalLineBlockExtractor",
        "the same without the improvements (陈鑫, cx-extractor)",
    ),
    "localrel": Method(
        "newscrawl.methods.localrel:LocalRelExtractor",
        "text per link of a table, div or p (提取网页主题相关内容)",
    ),
    "news": Method(
        "newscrawl.methods.news:NewsExtractor",
        "a network that judges each line by text, place and surroundings: the default",
    ),
    "readability": Method(
        "newscrawl.methods.baselines:ReadabilityExtractor",
        "the library readability-lxml, as a baseline",
    ),
    "rules": Method(
        "newscrawl.methods.rules:RulesExtractor",
        "blocks by density entropy, rules, then line by line: the project's first",
    ),
}

#: What is used where no method is named; ``NEWSCRAWL_EXTRACTOR`` names the crawl's.
DEFAULT_METHOD: Final = "news"


def names() -> tuple[str, ...]:
    """Return the names that ``get_extractor`` takes, sorted."""
    return tuple(sorted(EXTRACTORS))


def describe_methods() -> Iterator[tuple[str, str]]:
    """Yield each name with what the method is."""
    yield from ((name, EXTRACTORS[name].about) for name in names())


def get_extractor(name: str, **constants: object) -> Extractor:
    """Return a new extractor; ``constants`` replace its published defaults.

    :param name: a registered name, or the path of a class of your own: ``package.module:Class``.
    :raises UserError: for another name, or a path that leads to no class.
    """
    if name not in EXTRACTORS and ":" not in name:
        raise UserError(f"unknown extraction method {name!r}; known are {', '.join(names())}, or package.module:Class")
    path = EXTRACTORS[name].path if name in EXTRACTORS else name
    module, _, attribute = path.partition(":")
    try:
        make = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"extraction method {name!r} cannot be loaded: {error}") from error
    extractor: Extractor = make(**constants)
    return extractor
