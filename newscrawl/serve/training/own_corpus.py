"""Labelled pages of a user's own: saved pages, and beside them what their text is; methods are compared on them.

A folder of pages is a site: its pages lie in it, or in its folder ``pages``. The text of a page is that of a file of
its name (``story.html``, ``story.txt``), else what ``labels.jsonl`` labels as main text
(:mod:`newscrawl.serve.training.label_file`). A corpus is such a folder, or a folder of several.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.console.files import read_text
from newscrawl.exceptions import UserError
from newscrawl.extractors import Needs, get_extractor
from newscrawl.languages.text import VisibleTexts
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.label_file import PAGE_SUFFIXES, read_user_pages
from newscrawl.serve.training.metrics import TextScore, f1_of_means, interval, means_row, summarise, text_score
from newscrawl.serve.training.rows import row_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from newscrawl.extractors import Extractor
    from newscrawl.serve.training.label_file import UserPage

LABELS: Final = "labels.jsonl"
PAGES: Final = "pages"
MAX_OTHERS: Final = 30
"""Other pages of the site that a method which learns from them is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """A page whose text is known."""

    site: str
    name: str
    html: bytes
    url: str | None
    text: str
    """The true one, one paragraph a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    text: str
    seconds: float
    """Processor time of parsing and extracting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodRow:
    """A method on all pages; figures are shares, 0..1."""

    method: str
    n: int
    precision: float
    recall: float
    f1: float
    """F1 of mean precision and mean recall of 4-grams."""
    low: float
    high: float
    """Ends of the 95 % bootstrap interval of ``f1``."""
    unit: str
    """What the interval draws: ``site`` where there are 8 sites or more, else ``page``."""
    right: float
    """Share of pages whose own F1 is .9 or more."""
    empty: int
    ms: float
    """Mean processor time a page, in milliseconds."""
    pages: tuple[float, ...]
    """F1 of each page."""


def read_own_corpus(folder: Path) -> tuple[list[OwnPage], list[str]]:
    """Return the pages whose text is known, and a line for each mistake in the labels.

    :raises UserError: the folder holds no page, or the text of none is known.
    """
    sites = [site for site in (folder, *sorted(folder.glob("*/"))) if _pages_folder(site) is not None]
    if not sites:
        raise UserError(f"no corpus in {str(folder)!r}: expected saved pages (*.html), in it or in folders of sites")
    pages: list[OwnPage] = []
    mistakes: list[str] = []
    for site in sites:
        if site.name == PAGES and site.parent in sites:
            continue
        found, wrong = _read_site(site)
        pages += found
        mistakes += wrong
    if not pages and not mistakes:
        raise UserError(f"no page in {str(folder)!r} has its text: expected NAME.txt beside NAME.html, or {LABELS}")
    return pages, mistakes


def _pages_folder(site: Path) -> Path | None:
    for folder in (site / PAGES, site):
        if folder.is_dir() and any(path.suffix.lower() in PAGE_SUFFIXES for path in folder.iterdir()):
            return folder
    return None


def _read_site(site: Path) -> tuple[list[OwnPage], list[str]]:
    folder = _pages_folder(site)
    assert folder is not None  # noqa: S101 (the caller looked)
    labels = site / LABELS
    known, mistakes = read_user_pages(folder, labels if labels.is_file() else None)
    pages = []
    for page in known:
        file = (folder / page.name).with_suffix(".txt")
        text = read_text(file, what=str(file), absent=str(file)) if file.is_file() else labelled_text(page)
        if text.strip():
            html = (folder / page.name).read_bytes()
            pages.append(OwnPage(site=site.name, name=page.name, html=html, url=page.document.url, text=text))
    return pages, mistakes


def labelled_text(page: UserPage) -> str:
    """Return what the labels call main text; ``""`` without such a label."""
    rows, _ = row_labels(page.document, page.labels)
    main = [row for row, label in enumerate(rows) if label == BlockLabel.MAIN and page.document.measures.is_text(row)]
    return "\n".join(VisibleTexts(page.document.measures).of_rows(main))


def compare(
    methods: Sequence[str], pages: Sequence[OwnPage], *, seed: int, advance: Callable[[str], None] = lambda _: None
) -> list[MethodRow]:
    """Return a row for each method, the best first.

    :param advance: is told the method after each page.
    :raises UserError: a method is unknown, or not installed.
    """
    rows = [_row(method, pages, list(_answers(method, pages, advance)), seed) for method in methods]
    return sorted(rows, key=lambda row: -row.f1)


def _answers(method: str, pages: Sequence[OwnPage], advance: Callable[[str], None]) -> Iterator[Answer]:
    alone = get_extractor(method)
    others = {} if alone.needs is Needs.PAGE else _by_site(pages)
    for page in pages:
        extractor = alone if alone.needs is Needs.PAGE else _taught(method, others[page.site], page)
        start = time.process_time()
        text = extractor.extract(Document.from_html(page.html, page.url)).text
        yield Answer(text=text, seconds=time.process_time() - start)
        advance(method)


def _by_site(pages: Sequence[OwnPage]) -> dict[str, list[tuple[OwnPage, Document]]]:
    found: dict[str, list[tuple[OwnPage, Document]]] = {}
    for page in pages:
        found.setdefault(page.site, []).append((page, Document.from_html(page.html, page.url)))
    return found


def _taught(method: str, of_site: Sequence[tuple[OwnPage, Document]], page: OwnPage) -> Extractor:
    """Return an extractor that has seen other pages of the site, never the page."""
    extractor = get_extractor(method)
    for document in [document for other, document in of_site if other is not page][:MAX_OTHERS]:
        extractor.observe(document)
    return extractor


def _row(method: str, pages: Sequence[OwnPage], answers: Sequence[Answer], seed: int) -> MethodRow:
    scores: list[TextScore] = [text_score(page.text, answer.text) for page, answer in zip(pages, answers, strict=True)]
    summary = summarise(scores)
    spread = interval([means_row(score) for score in scores], [page.site for page in pages], f1_of_means, seed=seed)
    return MethodRow(
        method=method,
        n=summary.n,
        precision=summary.precision,
        recall=summary.recall,
        f1=summary.f1,
        low=spread.low,
        high=spread.high,
        unit=spread.unit,
        right=summary.right,
        empty=sum(not answer.text.strip() for answer in answers),
        ms=1000 * sum(answer.seconds for answer in answers) / max(1, len(answers)),
        pages=tuple(score.f1 for score in scores),
    )
