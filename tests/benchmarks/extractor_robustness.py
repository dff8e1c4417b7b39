"""Ask every method for every page of a corpus and for 500 broken ones; print what raised.

python -m tests.benchmarks.extractor_robustness ../shared/corpus
"""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path

from lab.evaluation.corpus import load
from newscrawl.extractors import get_extractor, names
from newscrawl.page import Document
from tests.mutations import mutated

N_BROKEN = 500
MAX_BROKEN_BYTES = 100_000


def main(folder: Path) -> int:
    """Return the number of pages that a method raised on."""
    pages = load(folder)
    whole = [(f"{page.set}/{page.id}", page.url, page.read()) for page in pages]
    small = [content for _, _, content in whole if len(content) <= MAX_BROKEN_BYTES]
    broken = [(f"broken {number}", None, content) for number, content in enumerate(mutated(small, N_BROKEN))]
    extractors = {name: get_extractor(name) for name in names()}
    seconds = dict.fromkeys(extractors, 0.0)
    failures = 0
    for label, url, content in whole + broken:
        document = Document.from_html(content, url)
        for name, extractor in extractors.items():
            start = time.perf_counter()
            try:
                extractor.observe(document)
                extractor.extract(document)
            except Exception:  # noqa: BLE001 (what this looks for)
                failures += 1
                sys.stdout.write(f"{name}: {label}\n{traceback.format_exc(limit=-3)}\n")
            seconds[name] += time.perf_counter() - start
    for name, spent in seconds.items():
        sys.stdout.write(f"{name:20} {spent:8.1f} s\n")
    sys.stdout.write(f"{len(whole)} pages, {len(broken)} broken ones, {failures} failures\n")
    return failures


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1])) else 0)
