"""Leave near-duplicates out of an export, by MinHash of datatrove (pip install datatrove orjson regex tokenizers).

    newscrawl export --output articles.jsonl
    python examples/near_duplicates.py articles.jsonl corpus

``corpus/kept`` holds one article of each group of texts that are nearly the same, ``corpus/left_out`` the others. A
larger corpus takes more tasks, and the same steps on Slurm or Ray (https://github.com/huggingface/datatrove).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import (
    MinhashConfig,
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
    MinhashDedupSignature,
)
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.hashing import HashConfig

_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff\u3040-\u30ff]|\w+")
"""A word, or a character of a script that sets no words apart."""


class Words:
    """Words of any language, without a model of each."""

    def word_tokenize(self, text: str) -> list[str]:
        return _WORD.findall(text)


class Signature(MinhashDedupSignature):
    def __init__(self, folder: str, config: MinhashConfig) -> None:
        super().__init__(folder, config=config, language="aii")  # one that datatrove cuts at spaces
        self.word_tokenizer = Words()


def leave_out(articles: Path, folder: Path) -> None:
    """Run the four steps of MinHash; texts of which some 75 % of five words in a row are the same count as copies."""
    config = MinhashConfig(hash_config=HashConfig(hash_fc="sha1"), n_grams=5, num_buckets=14, hashes_per_bucket=8)
    reader = JsonlReader(str(articles.parent), glob_pattern=articles.name, text_key="articleBody", id_key="url")
    work = folder / "work"
    signatures, buckets, clusters = (str(work / name) for name in ("signatures", "buckets", "clusters"))
    left_out = JsonlWriter(str(folder / "left_out"), compression=None)
    steps = (
        ([reader, Signature(signatures, config=config)], 1),
        ([MinhashDedupBuckets(signatures, buckets, config=config)], config.num_buckets),
        ([MinhashDedupCluster(buckets, clusters, config=config)], 1),
        ([reader, MinhashDedupFilter(clusters, exclusion_writer=left_out),
          JsonlWriter(str(folder / "kept"), compression=None)], 1),
    )  # fmt: skip
    for number, (pipeline, tasks) in enumerate(steps):
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=1, logging_dir=str(work / f"logs{number}")).run()


if __name__ == "__main__":
    leave_out(Path(sys.argv[1]), Path(sys.argv[2]))
