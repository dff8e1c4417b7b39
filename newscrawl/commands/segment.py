"""``scrapy segment``: the blocks of one page, as a table, as JSON, or drawn in colour."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from newscrawl.commands.source import read_page, tell_of_mistakes, with_site
from newscrawl.console.command import FOLDERS_ARE_MADE, PageCommand, make_console, one_argument, print_json
from newscrawl.console.files import write_text
from newscrawl.console.place import sites_folder
from newscrawl.read.model import Wants
from newscrawl.read.read import PageReader
from newscrawl.read.readers import wants_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from newscrawl.page.segment import Block

_STYLES = {"main": "green", "related": "yellow", "other": "dim", "none": ""}
_TEXT_SHOWN = 48
_PATH_SHOWN = 36


class SegmentCommand(PageCommand):
    summary = "Show the blocks of a page and their labels"
    details = (
        "Divides a page into blocks (Algorithm 1 of the source) and labels them main text, related links or other, "
        "by the crawl's classifier (setting NEWSCRAWL_CLASSIFIER). "
        "Example: scrapy segment page.html --lossless --classifier own.npz --html blocks.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument(
            "--html", metavar="FILE", help=f"draw the blocks in colour, as a self-contained page; {FOLDERS_ARE_MADE}"
        )
        parser.add_argument("--classifier", metavar="NAME", help="news, svm, rules or a model file of scrapy train")
        parser.add_argument("--lossless", action="store_true", help="keep small parts too, as the crawl does")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        argument = one_argument(args, "URL, file or -")
        settings = self.project_settings
        page = read_page(argument, opts.url, self.crawler_process)
        tell_of_mistakes(sites_folder(settings), "segment")
        page = with_site(page, sites_folder(settings))
        classifier = opts.classifier or wants_of(settings).of_site(page.site.name).classifier
        reader = PageReader(Wants(classifier=classifier, blocks=True, lossless=opts.lossless))
        blocks = reader.read(page).blocks
        if opts.html:
            from newscrawl.serve.reports.painting import painted_page  # noqa: PLC0415 (this alone draws)

            write_text(Path(opts.html), painted_page(page.url or argument, blocks))
        if opts.json:
            rows = [block._asdict() | density_columns(block, blocks) for block in blocks]
            print_json(rows)
        else:
            _show(blocks)


def density_columns(block: Block, blocks: Sequence[Block]) -> dict[str, float]:
    """Return the block's shares of what all blocks hold: text outside links, links, text of links (def. 5–7).

    Zhang, Cao, Li (2015), §3.1; 0/0 = 0.
    """
    n_text = sum(other.n_chars - other.n_link_chars for other in blocks)
    n_links = sum(other.n_links for other in blocks)
    n_link_chars = sum(other.n_link_chars for other in blocks)
    return {
        "text_density": (block.n_chars - block.n_link_chars) / n_text if n_text else 0.0,
        "link_density": block.n_links / n_links if n_links else 0.0,
        "link_text_density": block.n_link_chars / n_link_chars if n_link_chars else 0.0,
    }


def _show(blocks: Sequence[Block]) -> None:
    table = Table("#", "label", "tag", "xpath", "chars", "links", "ρtext", "ρlink", "ρltext", "text", box=None)
    for block in blocks:
        label = str(block.label or "none")
        numbers = (f"{value:.3f}" for value in density_columns(block, blocks).values())
        text = " ".join(block.text.split())
        path = block.xpath if len(block.xpath) <= _PATH_SHOWN else "…" + block.xpath[1 - _PATH_SHOWN :]
        cells = [str(block.index), label, block.tag, path, str(block.n_chars), str(block.n_links)]
        cells += [*numbers, text[:_TEXT_SHOWN]]
        table.add_row(*map(Text, cells), style=_STYLES[label])
    make_console().print(table)
