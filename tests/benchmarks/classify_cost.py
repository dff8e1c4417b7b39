"""Cost of classifying a page's blocks over lxml's parse of the same page.

    python -m tests.benchmarks.classify_cost ../shared/corpus [--pages 200] [--seed 1] [--json FILE]

Timed: ``LearnedClassifier.classify(blocks, document)`` with the shipped model, from blocks and measures that are there
(their cost is segmentation's) to labelled blocks: features, model, confidences and, on pages where the model finds no
main text, the rules. The parse is ``lxml.html.document_fromstring`` of the page's bytes. Both are CPU times, the
fastest of several rounds. "new names" forgets the class and id names seen before each round; a crawl meets a site's
names again on each of its pages.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lxml import etree, html

from lab.evaluation.corpus import digest, load
from newscrawl.classify.blocks.block_features import groups_of_names
from newscrawl.classify.blocks.classifiers import SVM, get_classifier
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.page import Document
from tests.benchmarks.extractor_cost import MIN_BYTES, seconds

if TYPE_CHECKING:
    from lab.evaluation.corpus import CorpusPage
    from newscrawl.classify.blocks.classify import BlockClassifier

LIMIT: Final = 0.5
SETS: Final = ("gne", "daniel", "zhwced", "cx163", "cxhit", "fundus", "l3s", "dragnet")


def times(page: CorpusPage, classifier: BlockClassifier) -> tuple[float, float, float]:
    """Return the seconds of the parse, of the classification, and of it with new names."""
    content = page.read()
    document = Document.from_html(content)
    blocks = crawl_blocks(document)

    def classify() -> None:
        fresh = copy(document)  # with the measures, without what an earlier round derived from them
        fresh._derived = {}
        classifier.classify(blocks, fresh)

    def classify_new() -> None:
        groups_of_names.cache_clear()
        classify()

    classify()
    return seconds(lambda: html.document_fromstring(content)), seconds(classify), seconds(classify_new)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    large = [page for page in load(arguments.folder, SETS) if page.path.stat().st_size >= MIN_BYTES]
    chosen = random.Random(arguments.seed).sample(large, min(arguments.pages, len(large)))
    classifier = get_classifier(SVM)
    measured = [times(page, classifier) for page in chosen]
    result: dict[str, object] = {"n_pages": len(chosen), "min_bytes": MIN_BYTES, "seed": arguments.seed}
    for name, place in (("known names", 1), ("new names", 2)):
        ratios = [found[place] / found[0] for found in measured]
        whole = sum(found[place] for found in measured) / sum(found[0] for found in measured)
        deciles = statistics.quantiles(ratios, n=10)
        result[name] = {"median": statistics.median(ratios), "p90": deciles[-1], "all pages together": whole}
        sys.stdout.write(
            f"{name:12} median {statistics.median(ratios):.3f}  p90 {deciles[-1]:.3f}  "
            f"all pages together {whole:.3f}  limit {LIMIT}  n {len(ratios)}\n"
        )
    if arguments.json:
        result |= {
            "corpus": digest(chosen),
            "python": sys.version.split()[0],
            "lxml": ".".join(map(str, etree.LXML_VERSION)),
        }
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
