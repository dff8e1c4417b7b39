"""Make both editions of the demo and their truths: ``python data/demo/build.py [--out DIR] [--per-channel N]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from demosite.archive import write_truth, write_warc  # noqa: E402
from demosite.model import SECOND_START  # noqa: E402
from demosite.portal import build  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (default: beside this file)")
    parser.add_argument("--seed", type=int, default=20251120)
    parser.add_argument("--per-channel", type=int, default=28, help="articles a channel, apart from the special ones")
    options = parser.parse_args()
    first, second = build(options.seed, options.per_channel)
    options.out.mkdir(parents=True, exist_ok=True)
    write_warc(options.out / "demo.warc.gz", first.records)
    write_truth(options.out / "truth.jsonl", first.truth)
    write_warc(options.out / "demo2.warc.gz", second.records, SECOND_START)
    write_truth(options.out / "truth2.jsonl", second.truth)
    for edition in (first, second):
        n_articles = sum(row["kind"] == "article" for row in edition.truth)
        counts = f"{len(edition.records)} records, {n_articles} articles, {len(edition.truth)} rows of truth"
        sys.stdout.write(f"{counts} in {options.out}\n")


if __name__ == "__main__":
    main()
