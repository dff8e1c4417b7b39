"""Read pages broken on purpose until one raises, takes too long, or takes too much memory.

``make fuzz SECONDS=600``; ``python -m tests.fuzz --pages 20000 --seed 1``. Exit status 1 if anything was found. Pages
come of ``$NEWSCRAWL_SHARED/corpus``, else ``../shared/corpus``, and of those made by hand, which alone are taken where
there is no corpus. What is found is printed with the arguments that make it again, and kept in ``build/fuzz``.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import re
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.extractors import get_extractor, names
from newscrawl.links.feed import parse_feed
from newscrawl.links.sitemap import parse_sitemap
from newscrawl.page import Document
from newscrawl.read.model import Wants
from tests.mutations import ALL_MUTATIONS, ODD_PIECES, spliced
from tests.reading import read
from tests.test_extractors_robustness import ODD, PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 2.0
"""Processor time that a step may need for a page."""
MEGABYTES: Final = 500
"""Memory that a step may take beyond what the process held before it."""
HANG_SECONDS: Final = 120
"""After so long the process says where it hangs, and ends."""
N_CORPUS: Final = 500
MAX_BYTES: Final = 300_000
SHARED: Final = Path(os.environ.get("NEWSCRAWL_SHARED", Path(__file__).parents[2] / "shared"))
URL: Final = "https://www.example.com/2024/03/05/story-{}.html"
EVERYTHING: Final = Wants(formats=("markdown", "html"), blocks=True, contexts=True, lines=True, any_type=True)
METHODS: Final = "methods"
STATUS: Final = Path("/proc/self/status")
PEAK: Final = re.compile(r"VmHWM:\s+(\d+)")


@dataclass(slots=True, kw_only=True)
class Findings:
    folder: Path
    found: Counter[str] = field(default_factory=Counter)
    n_steps: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0

    def add(self, step: str, what: str, label: str, detail: str = "") -> None:
        self.found[f"{step}: {what}"] += 1
        sys.stdout.write(f"{label}: {step}: {what}\n{detail}")
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1_000_000, help="end after so many")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no page after so many seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first page")
    parser.add_argument("--methods-every", type=int, default=10, help="each so many pages are read by every method")
    parser.add_argument("--no-corpus", action="store_true", help="only pages made by hand")
    arguments = parser.parse_args()
    bases = base_pages(arguments.seed, None if arguments.no_corpus else SHARED / "corpus")
    findings = Findings(folder=Path("build/fuzz"))
    findings.folder.mkdir(parents=True, exist_ok=True)
    begin, done = time.monotonic(), 0
    for number in range(arguments.start, arguments.start + arguments.pages):
        if time.monotonic() - begin > arguments.seconds:
            break
        with_methods = number % arguments.methods_every == 0
        try_page(broken(bases, arguments.seed, number), number, arguments.seed, findings, with_methods=with_methods)
        done += 1
    steps = ", ".join(f"{n} {step}" for step, n in findings.n_steps.items())
    sys.stdout.write(
        f"{done} pages made of {len(bases)} with seed {arguments.seed} in {time.monotonic() - begin:.0f} s "
        f"({steps}): {findings.found.total()} finds; the slowest step took {findings.slowest:.2f} s\n"
    )
    return 1 if findings.found else 0


def base_pages(seed: int, corpus: Path | None) -> list[bytes]:
    """Return the hand-made pages, and ``N_CORPUS`` pages of the corpus where there is one."""
    paths = sorted(corpus.glob("*/pages/*")) if corpus else []
    random.Random(seed).shuffle(paths)
    small = (page for path in paths if len(page := path.read_bytes()) <= MAX_BYTES)
    by_hand = [PAGE, *(page for page in ODD if len(page) < MAX_BYTES // 10), *(PAGE + piece for piece in ODD_PIECES)]
    return [*by_hand, *(page for _, page in zip(range(N_CORPUS), small, strict=False))]


def broken(bases: list[bytes], seed: int, number: int) -> bytes:
    """Return page ``number``: one to three kinds of damage on top of each other, the same for the same seed."""
    rng = random.Random(f"{seed}:{number}")
    page = rng.choice(bases)
    for _ in range(rng.randrange(1, 4)):
        kind = rng.randrange(len(ALL_MUTATIONS) + 1)
        page = ALL_MUTATIONS[kind](page, rng) if kind < len(ALL_MUTATIONS) else spliced(page, rng.choice(bases), rng)
    return page[: 2 * MAX_BYTES]


def try_page(page: bytes, number: int, seed: int, findings: Findings, *, with_methods: bool) -> None:
    """Run every step on the page; the page's file stays if anything was found, or the process dies of it."""
    kept = findings.folder / f"{seed}-{number}.html"
    kept.write_bytes(page)
    before = findings.found.total()
    label = f"--seed {seed} --start {number} --pages 1"
    for step in ("read", "feeds", *((f"method {name}" for name in names()) if with_methods else ())):
        findings.n_steps[METHODS if step.startswith("method") else step] += 1
        limited(step, page, number, findings, label)
    if findings.found.total() == before:
        kept.unlink()


def limited(step: str, page: bytes, number: int, findings: Findings, label: str) -> None:
    """Run one step on the page, and note what it raises and takes."""
    held, start = memory(), time.process_time()
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
    try:
        for problem, detail in run(step, page, number):
            findings.add(step, problem, label, detail)
    except Exception as error:  # noqa: BLE001 (what this looks for)
        findings.add(step, type(error).__name__, label, traceback.format_exc(limit=-4))
    faulthandler.cancel_dump_traceback_later()
    spent, grown = time.process_time() - start, memory(peak=True) - held
    findings.slowest = max(findings.slowest, spent)
    if spent > SECONDS:
        findings.add(step, "too slow", label, f"{spent:.1f} s for {len(page)} bytes\n")
    if grown > MEGABYTES:
        findings.add(step, "too much memory", label, f"{grown} MB for {len(page)} bytes\n")


def run(step: str, page: bytes, number: int) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the answer of a step."""
    url = URL.format(number)
    if step == "read":
        reading = read(page, url, wants=EVERYTHING)
        for failure in reading.failures:
            yield f"failed in {failure.step}", failure.traceback
        if reading.article is not None and "\x00" in (reading.article.articleBody or ""):
            yield "NUL in a text", ""
    elif step == "feeds":
        for parsed in (parse_feed(page, url), parse_sitemap(page, url)):
            list(parsed)
    else:
        extractor = get_extractor(step.removeprefix("method "))
        document = Document.from_html(page, url)
        extractor.observe(document)
        answer = extractor.extract(document)
        if "\x00" in answer.text or not 0.0 <= answer.confidence <= 1.0:
            yield "an answer out of bounds", ""


def memory(*, peak: bool = False) -> int:
    """Return what the process holds, or held at most since the last call without ``peak``, in MB; 0 off Linux."""
    if not STATUS.exists():
        return 0
    if not peak:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak starts anew
    found = PEAK.search(STATUS.read_text(encoding="ascii"))
    return int(found[1]) // 1024 if found else 0


if __name__ == "__main__":
    sys.exit(main())
