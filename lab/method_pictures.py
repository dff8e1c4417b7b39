"""Pictures of the published methods at work on made pages, for ``docs/methods.md``.

``python -m lab.method_pictures docs/methods`` writes them; a test compares. The pages are invented.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.charts import Curve, Mark, chart
from lab.learn.graphs import nearest
from lab.learn.label_propagation import KNNLP
from lab.pictures import as_file
from newscrawl.console.files import write_text
from newscrawl.methods.cluster import ClusterExtractor, PageCluster, block_paths
from newscrawl.methods.density import DensityRule
from newscrawl.methods.layout import CleanPage, subtract
from newscrawl.methods.lineblock import LineBlockExtractor, OriginalLineBlockExtractor
from newscrawl.methods.localrel import LOCAL_REL, LocalRelExtractor
from newscrawl.page.document import Document
from newscrawl.page.rows import inside
from newscrawl.page.segment import BlockLabel, segment
from newscrawl.serve.reports.charts import FLOOR, LABEL, PLANE_HEIGHT, ROW, WIDTH, Drawing, line_between, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from newscrawl.page.segment import Block

COLOURS: Final[Mapping[BlockLabel | None, int]] = {BlockLabel.MAIN: 2, BlockLabel.RELATED: 1, BlockLabel.OTHER: 7}
ROOM: Final = WIDTH - LABEL - 130
MAX_SHOWN: Final = 24
"""Characters of a text that name a bar."""

_STORIES: Final = (
    ("The bridge opens", "The new bridge over the Elm opened on Monday after six years of work.", 8),
    ("Ferries stop", "The last ferry crossed the river at noon, and its crew was given flowers.", 6),
    ("A mild winter", "Farmers in the valley expect an early harvest, as frost came late and left soon.", 9),
    ("School wins prize", "Pupils of the harbour school have built a boat that cleans itself at night.", 1),
)
_MENU: Final = "".join(f"<li><a href=/{name.lower()}/>{name}</a></li>" for name in ("News", "Sport", "Town", "Weather"))
_FOOT: Final = "<p>All rights reserved.</p>\n" + "<p></p>\n" * 8
_RELATED: Final = "".join(
    f"<li><a href=/s{number}.html>{title}</a></li>" for number, (title, _, _) in enumerate(_STORIES)
)


def page(number: int) -> Document:
    """Return a page of the made site: a menu, a story, links to other stories, a foot."""
    title, sentence, n = _STORIES[number]
    told = ("On its own bank", "In the market hall", "At the town council", "By the old mill", "In the evening")
    body = "".join(
        f"<p>{sentence} {told[at % len(told)]}, {at + number + 2} people spoke about it.</p>\n" for at in range(n)
    )
    return Document.from_html(
        f"<html><head><title>{title} - Elm Valley News</title></head><body>\n"
        f"<div class=top><ul>{_MENU}</ul></div>\n<div class=mid><div class=story><h1>{title}</h1>\n{body}</div>\n"
        f"<div class=more><h3>More stories</h3><ul>{_RELATED}</ul></div></div>\n"
        "<div class=foot><p>Elm Valley News, Mill Street 4. <a href=/imprint>Imprint</a> <a href=/terms>Terms</a></p>\n"
        f"{_FOOT}</div>\n</body></html>".encode(),
        f"http://news.example.org/s{number}.html",
    )


def rows(title: str, values: Sequence[tuple[str, float, int, str]]) -> Drawing:
    """Return lying bars, each with its label, length, colour and what is said of it."""
    top = max((value for _, value, _, _ in values), default=0.0) or 1.0
    parts = []
    for at, (label, value, colour, said) in enumerate(values):
        y, width = at * ROW + 4, max(1.5, value / top * ROOM)
        parts += [
            text_at(LABEL - 8, y + 13, label, "end"),
            f'<rect class="part c{colour}" x="{LABEL}" y="{y + 2}" width="{width:.1f}" height="14" rx="2"/>',
            text_at(LABEL + width + 6, y + 13, said, "start"),
        ]
    return Drawing(title=title, height=len(values) * ROW + 6, content="".join(parts))


def segmented() -> Drawing:
    """Draw the blocks of a page by Algorithm 1 and the labels of the rule on their densities."""
    document = page(0)
    blocks = segment(document, lossless=True)
    labels = labels_of(blocks, document)
    return rows(
        "Blocks of a page, from top to bottom: green main text, orange related links, grey other",
        [
            (_shown(block.text), float(block.n_chars), COLOURS[label], f"{block.n_chars} chars, {block.n_links} links")
            for block, label in zip(blocks, labels, strict=True)
        ],
    )


def labels_of(blocks: Sequence[Block], document: Document) -> list[BlockLabel]:
    return [block.label or BlockLabel.OTHER for block in DensityRule().classify(blocks, document)]


def graph() -> Drawing:
    """Draw blocks of four pages in the plane of two densities: those of the first page are labelled, others learn."""
    pages = [segment(page(number), lossless=True) for number in range(len(_STORIES))]
    blocks = [block for of_page in pages for block in of_page]
    points = np.array([_vector(block, of_page) for of_page in pages for block in of_page])
    classes = list(BlockLabel)
    known = [classes.index(label) for label in labels_of(pages[0], page(0))]
    start = np.array(known + [-1] * (len(blocks) - len(known)))
    model = KNNLP(n_neighbours=3).fit(points, start)
    found = [classes[int(label)] for label in model.transduction_]
    near = nearest((points - points.mean(axis=0)) / points.std(axis=0), 3)
    places = [(70 + x * (WIDTH - 120), FLOOR - 16 - y * (FLOOR - 60)) for x, y in points / points.max(axis=0)]
    parts = [
        line_between("axis", *places[one], *places[other])
        for one, row in enumerate(near.index)
        for other in row.tolist()
    ]
    for at, (x, y) in enumerate(places):
        fill = "" if at < len(known) else ' fill-opacity="0.35"'
        parts.append(f'<circle class="part c{COLOURS[found[at]]}" cx="{x:.1f}" cy="{y:.1f}" r="8"{fill}/>')
    parts += [
        text_at(WIDTH / 2, FLOOR + 30, "share of the page's text outside links", "mid"),
        text_at(8, 14, "share of its links; full: labelled, pale: learnt", "start"),
    ]
    title = "Labels pass from the blocks of one page to those of three others"
    return Drawing(title=title, height=PLANE_HEIGHT, content="".join(parts))


def _vector(block: Block, of_page: Sequence[Block]) -> tuple[float, float]:
    text = sum(other.n_chars - other.n_link_chars for other in of_page) or 1
    links = sum(other.n_links for other in of_page) or 1
    return (block.n_chars - block.n_link_chars) / text, block.n_links / links


def line_blocks() -> Drawing:
    """Draw the curve of line blocks of a page, by the original and by the improved method."""
    document = page(2)
    before, after = OriginalLineBlockExtractor().curve(document), LineBlockExtractor().curve(document)
    return chart(
        "Characters in a line and the two below it: the text lies between a steep rise and a fall",
        [
            Curve(label="original", points=tuple(enumerate(map(float, before.lengths)))),
            Curve(label="improved", points=tuple(enumerate(map(float, after.lengths)))),
        ],
        x_label="line of the page",
        y_label="characters",
        marks=(Mark(x=after.first, label="first"), Mark(x=after.last, label="last")),
    )


def clusters() -> Drawing:
    """Draw what the blocks of a cluster's pages have scored: the highest sum is the rule for all of them."""
    extractor = ClusterExtractor()
    for number in range(len(_STORIES)):
        extractor.observe(page(number))
    cluster = extractor.clusters.find(page(0).once(block_paths).path_set)
    assert isinstance(cluster, PageCluster)  # noqa: S101
    scores = sorted(cluster.scores.items(), key=lambda pair: -pair[1])
    title = f"Sum of H over the best blocks of a cluster's {cluster.n_pages} pages: the rule is the first"
    return rows(
        title,
        [
            (f".{feature.class_name or feature.path}", score, 2 if not at else 7, f"{score:.2f}")
            for at, (feature, score) in enumerate(scores)
        ],
    )


def layout() -> Drawing:
    """Draw the lines of a page: those that another page of the template has too are out."""
    document, other = page(0), page(2)
    cleaned = document.once(CleanPage)
    is_shared = inside(subtract(cleaned, other.once(CleanPage).counts()), document.measures.end)
    measures = document.measures
    texts = [row for row in range(len(measures)) if measures.is_text(row) and cleaned.own[row] > 0]
    return rows(
        "Lines of a page: grey ones stand on another page of the template too, green ones are the text",
        [(_shown(measures.texts[row]), float(measures.chars[row]), 7 if is_shared[row] else 2, "") for row in texts],
    )


def local_relevance() -> Drawing:
    """Draw characters outside links for each link, of every paragraph: below a threshold it is no text."""
    measures = page(1).measures
    extractor = LocalRelExtractor()
    found = []
    for row in [row for row in range(len(measures)) if measures.tags[row] in ("p", "li", "h1", "h3")]:
        words, links = int(measures.chars[row] - measures.link_chars[row]), int(measures.links[row])
        is_text = bool(extractor.locally_relevant(np.array([words]), np.array([links]))[0])
        text = " ".join(measures.texts[at] for at in range(row, int(measures.end[row])) if measures.is_text(at))
        found.append((_shown(text), words / max(links, 1), 2 if is_text else 7, f"{words} : {links}"))
    title = f"Characters outside links : links. Below {LOCAL_REL:g} characters a link, a paragraph is no text (grey)"
    return rows(title, found)


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]}…"


PICTURES: Final[Mapping[str, Callable[[], Drawing]]] = {
    "blocks": segmented,
    "graph": graph,
    "lineblock": line_blocks,
    "cluster": clusters,
    "layout": layout,
    "localrel": local_relevance,
}


def main(folder: Path) -> None:
    for name, draw in PICTURES.items():
        write_text(folder / f"{name}.svg", as_file(draw()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
