"""Twenty clicks on five pages of a site that the default reads badly, and how its other pages are read then.

The sites are those of the corpus with at least ``MIN_PAGES`` pages on which the network, trained without them, is
worst. A simulated user labels what the browser would show him, through the same code: the first page, then each time
the page whose blocks are most in doubt; on each he corrects the longest blocks that are proposed wrongly, and where
nothing is wrong, confirms the longest. A block's true label is what most of its text is in the gold text. The site's
model is trained on the clicks and on the pages of the pool that nobody labelled; all other pages are unseen.
"""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.blocks.classify import crawl_blocks
from newscrawl.blocks.model import BlockLabel
from newscrawl.dom.charset import decode
from newscrawl.dom.document import Document
from newscrawl.exceptions import UserError
from newscrawl.lab.evaluation.block_gold import row_labels
from newscrawl.lab.evaluation.corpus import corpora, load
from newscrawl.lab.evaluation.score import Scorer
from newscrawl.lab.experiments.base import ExperimentResult, ResultTable, document_of, is_labelled, score_texts
from newscrawl.lab.training.held_out import judge_unseen
from newscrawl.methods.registry import get_extractor
from newscrawl.network.site_model import SiteClassifier
from newscrawl.training.gold import NOT_MAIN, block_labels
from newscrawl.training.labelling import least_certain, proposals, read_labels, set_label
from newscrawl.training.site import train_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from newscrawl.lab.evaluation.corpus import CorpusPage
    from newscrawl.lab.experiments.base import Cell, Options
    from newscrawl.training.label_file import UserPage
    from newscrawl.training.labelling import Proposal

MIN_PAGES: Final = 10
N_SITES: Final = 3
N_PAGES: Final = 5
CLICKS: Final = 4
"""On each page."""
POOL: Final = 12
"""Pages that the browser collects; at least five are left unseen."""
HOSTERS: Final = frozenset({"blogspot.com", "typepad.com", "google.com", "posterous.com", "wordpress.com"})
"""Their users' sites look each another way."""


def run(options: Options) -> ExperimentResult:
    """Values: ``sites``, how many; ``clicks``, on each page."""
    n_sites = int(options.values.get("sites", N_SITES))
    clicks = int(options.values.get("clicks", CLICKS))
    scorer = Scorer()
    sites = _sites(options)
    defaults = {name: score_texts(pages, _reader(None), scorer, options) for name, pages in sites.items()}
    worst = sorted(defaults, key=lambda name: (mean(score.f1 for score in defaults[name]), name))[:n_sites]
    rows: list[tuple[Cell, ...]] = []
    for name in worst:
        pages = sites[name]
        pool = _pool(pages, options.seed)
        unseen = [page for page in pages if page not in pool]
        before = [score.f1 for score, page in zip(defaults[name], pages, strict=True) if page in unseen]
        model = _clicked(pool, clicks)
        after = [score.f1 for score in score_texts(unseen, _reader(model), scorer, options)]
        error, left = 1 - mean(before), 1 - mean(after)
        rows.append(
            (name, len(pages), len(unseen), mean(before), mean(after), error, left, left / error if error else None)
        )
    return ExperimentResult(
        title="Worst sites after clicks",
        source="the project's own",
        tables=(
            ResultTable(
                title=f"{clicks} clicks on each of {N_PAGES} pages; F1 of 4-grams on the site's unseen pages",
                columns=("site", "pages", "unseen", "F1", "F1 after", "error", "error after", "left of it"),
                rows=tuple(rows),
                note=f"The worst {n_sites} of {len(sites)} sites with at least {MIN_PAGES} pages.",
            ),
        ),
        pages=tuple(page for name in worst for page in sites[name]),
    )


def _sites(options: Options) -> dict[str, list[CorpusPage]]:
    """Return set and host → pages, of those with enough."""
    found: dict[str, list[CorpusPage]] = {}
    for folder in corpora(options.corpus):
        for page in filter(is_labelled, load(folder, limit=options.limit)):
            host = urlsplit(page.url).hostname if page.url else page.site
            if host and page.site not in HOSTERS:
                found.setdefault(f"{page.set} {host.removeprefix('www.')}", []).append(page)
    return {name: pages for name, pages in found.items() if len(pages) >= MIN_PAGES}


def _pool(pages: Sequence[CorpusPage], seed: int) -> list[CorpusPage]:
    return random.Random(seed).sample(list(pages), max(N_PAGES, min(POOL, len(pages) // 2)))  # noqa: S311 (no secret)


def _clicked(pool: Iterable[CorpusPage], clicks: int) -> SiteClassifier | None:
    """Label pages as a user does in the browser; return the model that comes of it, None where labels lack a class."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pages").mkdir()
        truth: dict[str, list[BlockLabel | None]] = {}
        of_name: dict[str, CorpusPage] = {}
        for number, page in enumerate(pool):
            of_name[f"{number:03d}.html"] = page
            text = f"\ufeff{decode(page.read(), None)[0]}"
            (folder / "pages" / f"{number:03d}.html").write_text(text, encoding="utf-8", errors="replace")
            truth[f"{number:03d}.html"] = _true_labels(page, Document.from_html(text.encode(errors="replace"), None))

        def labelled(folder: Path) -> list[UserPage]:
            pages = read_labels(folder)
            for page in pages:
                judge_unseen(page.document, of_name[page.name])
            return pages

        for _ in range(N_PAGES):
            chosen = least_certain(proposals(labelled(folder)))
            if chosen is None:
                break
            for _ in range(clicks):
                shown = next(one for one in proposals(labelled(folder)) if one.name == chosen.name)
                for number, label in islice(_wishes(shown, truth[chosen.name]), 1):
                    set_label(folder, shown, number, label)
        try:
            return SiteClassifier(train_site(labelled(folder)).model)
        except UserError:
            return None


def _true_labels(page: CorpusPage, document: Document) -> list[BlockLabel | None]:
    labels = row_labels(page, document)
    blocks = crawl_blocks(document)
    if labels is None:
        return [None] * len(blocks)
    names = block_labels(blocks, document.measures, labels)
    return [BlockLabel.OTHER if name == NOT_MAIN else BlockLabel(name) if name else None for name in names]


def _wishes(page: Proposal, truth: Sequence[BlockLabel | None]) -> Iterator[tuple[int, BlockLabel]]:
    """Yield the clicks that a user would make next, the best first: mistakes, then one of each class, by length."""
    given = {label is BlockLabel.MAIN for label in page.given if label is not None}
    free = [
        (number, label)
        for number, (block, label, said) in enumerate(zip(page.blocks, truth, page.given, strict=True))
        if label is not None and said is None and block.text.strip()
    ]

    def order(wish: tuple[int, BlockLabel]) -> tuple[bool, bool, int]:
        block, is_main = page.blocks[wish[0]], wish[1] is BlockLabel.MAIN
        is_wrong = block.label is not None and (block.label is BlockLabel.MAIN) != is_main
        return not is_wrong, is_main in given, -len(block.text)

    yield from sorted(free, key=order)


def _reader(model: SiteClassifier | None) -> Callable[[CorpusPage], str]:
    """Return what gives a page's text, by the site's model where there is one; the network has not seen the site."""

    def text_of(page: CorpusPage) -> str:
        document = document_of(page)
        judge_unseen(document, page)
        if model is not None:
            model.classify(crawl_blocks(document), document)
        return get_extractor("news").extract(document).text

    return text_of
