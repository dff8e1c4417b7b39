"""The result file: figures, and what is needed to get them again. Numbers and names only, no corpus text."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import Counter
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from lab.evaluation.corpus import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lab.evaluation.corpus import CorpusPage
    from lab.evaluation.harness import MethodRun
    from lab.evaluation.score import Evaluation

PACKAGES: Final = ("scrapy", "lxml", "numpy", "scikit-learn", "readability-lxml")
_DIGITS: Final = 4


def result(
    evaluation: Evaluation, runs: Sequence[MethodRun], pages: Sequence[CorpusPage], *, command: str, seed: int
) -> dict[str, Any]:
    """Return the whole result as plain values."""
    return {
        **provenance(pages, command=command, seed=seed),
        "methods": {run.method: {"needs": run.needs, "versions": run.versions} for run in runs},
        **{name: round_numbers(rows) for name, rows in asdict(evaluation).items()},
    }


def provenance(pages: Sequence[CorpusPage], *, command: str, seed: int) -> dict[str, Any]:
    """Return command, seed, counts, versions and the digest of the pages used."""
    return {
        "command": command,
        "seed": seed,
        "counts": {
            "pages": len(pages),
            "sites": len({page.group for page in pages}),
            "sets": dict(sorted(Counter(page.set for page in pages).items())),
            "languages": dict(Counter(page.lang for page in pages).most_common()),
        },
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        "corpus_digest": digest(pages),
    }


def archive_provenance(archives: Mapping[Path, int]) -> dict[str, Any]:
    """Return counts and digest of whole sites, in the form of :func:`provenance`.

    :param archives: file of a site → how many pages it has.
    """
    contents = sorted(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in archives)
    sets = {path.name.partition(".")[0]: n for path, n in archives.items()}
    return {
        "counts": {"pages": sum(sets.values()), "sites": len(sets), "sets": dict(sorted(sets.items()))},
        "corpus_digest": hashlib.sha256("\n".join(contents).encode()).hexdigest(),
    }


def round_numbers(value: Any) -> Any:
    """Return ``value`` with every float cut to four digits after the point."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: round_numbers(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [round_numbers(item) for item in value]
    return value


def dumps(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
