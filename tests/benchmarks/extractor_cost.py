"""Cost of each method over lxml's parse of the same page, decoding and the method's own parse included.

    python -m tests.benchmarks.extractor_cost ../shared/corpus [--pages 200] [--json FILE]

For ``layout`` and ``cluster`` another page of the site is decoded, parsed and observed within the time; ``, crawl`` is
the cost in a harvest, where a page is parsed once, extracted, and observed for those after it. CPU time, the fastest of
several rounds; all methods of a page are timed next to its parse.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lxml import etree, html

from lab.evaluation.corpus import CorpusPage, digest, load
from newscrawl.exceptions import UserError
from newscrawl.extractors import Needs, get_extractor, names
from newscrawl.page import Document

if TYPE_CHECKING:
    from collections.abc import Callable

MIN_BYTES: Final = 20_000
ROUNDS: Final = 5
LIMITS: Final = {"density": 4.0, "lineblock": 2.0, "localrel": 3.0, "layout": 6.0}


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the CPU time of the fastest round."""
    best = float("inf")
    gc.collect()
    gc.disable()  # as timeit does: a collection would land on whichever round it comes due in
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    gc.enable()
    return best


def task(method: str, page: bytes, reference: bytes) -> Callable[[], object]:
    """Return one extraction from bytes, with another page of the site where the method needs one."""

    def alone() -> object:
        return get_extractor(method).extract(Document.from_html(page, "http://a.cn/news/1.html"))

    def beside() -> object:
        extractor = get_extractor(method)
        extractor.observe(Document.from_html(reference, "http://a.cn/news/2.html"))
        return extractor.extract(Document.from_html(page, "http://a.cn/news/1.html"))

    return alone if get_extractor(method).needs is Needs.PAGE else beside


def harvest(method: str, page: bytes, reference: bytes) -> Callable[[], object]:
    """Return one step of a crawl: a page is extracted and observed by a method that has seen another."""
    extractor = get_extractor(method)
    extractor.observe(Document.from_html(reference, "http://a.cn/news/2.html"))

    def step() -> object:
        document = Document.from_html(page, "http://a.cn/news/1.html")
        extraction = extractor.extract(document)
        extractor.observe(document)
        return extraction

    return step


def measure(pages: list[tuple[CorpusPage, CorpusPage]], methods: list[str]) -> dict[str, list[float]]:
    """Return for each method its ratio to lxml's parse, page by page."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for page, reference in pages:
        content, other = page.read(), reference.read()
        base = seconds(lambda content=content: html.document_fromstring(content))  # type: ignore[misc]
        ratios["(decode and parse)"].append(seconds(lambda content=content: Document.from_html(content)) / base)  # type: ignore[misc]
        for method in methods:
            ratios[method].append(seconds(task(method, content, other)) / base)
            if get_extractor(method).needs is not Needs.PAGE:
                ratios[f"{method}, crawl"].append(seconds(harvest(method, content, other)) / base)
    return ratios


def doubling(page: bytes) -> float:
    """Return how much longer ``layout`` takes when the body of a page and of its reference is there twice."""
    start, end = page.find(b"<body"), page.rfind(b"</body")
    start = page.find(b">", start) + 1
    if not 0 < start < end:
        return float("nan")
    twice = page[:start] + page[start:end] * 2 + page[end:]
    return seconds(task("layout", twice, twice + b"<p>x")) / seconds(task("layout", page, page + b"<p>x"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--methods", default=",".join(names()))
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    try:
        chosen = sample(load(arguments.folder), arguments.pages)
    except UserError as error:
        parser.error(str(error))
    methods = arguments.methods.split(",")
    ratios = measure(chosen, methods)
    factors = [factor for page, _ in chosen[:50] if (factor := doubling(page.read())) == factor]
    for method, values in ratios.items():
        quartiles = statistics.quantiles(values, n=4)
        limit = f"limit {LIMITS[method]:.0f}" if method in LIMITS else ""
        sys.stdout.write(
            f"{method:20} median {quartiles[1]:6.2f}  quartiles {quartiles[0]:.2f} {quartiles[2]:.2f}  {limit}\n"
        )
    sys.stdout.write(f"layout, page doubled: time × {statistics.median(factors):.2f} (median of {len(factors)})\n")
    if arguments.json:
        result = {
            "n_pages": len(chosen),
            "min_bytes": MIN_BYTES,
            "seed": 0,
            "corpus": digest(page for page, _ in chosen),
            "python": sys.version.split()[0],
            "lxml": ".".join(map(str, etree.LXML_VERSION)),
            "ratios": {method: statistics.quantiles(values, n=4) for method, values in ratios.items()},
            "layout_doubling": statistics.median(factors),
        }
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


def sample(pages: tuple[CorpusPage, ...], n: int) -> list[tuple[CorpusPage, CorpusPage]]:
    """Return pages of 20 kB or more, each with another of its site; where there is none, with itself."""
    rng = random.Random(0)
    large = [page for page in pages if page.path.stat().st_size >= MIN_BYTES]
    of_site: dict[str, list[CorpusPage]] = defaultdict(list)
    for page in large:
        of_site[page.group].append(page)
    chosen = rng.sample(large, min(n, len(large)))
    return [
        (page, rng.choice([other for other in of_site[page.group] if other is not page] or [page])) for page in chosen
    ]


if __name__ == "__main__":
    main()
