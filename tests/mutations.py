"""Pages broken on purpose, the same way for the same seed."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TAG = re.compile(rb"(<[^>]*>)")


def truncated(page: bytes, rng: random.Random) -> bytes:
    return page[: rng.randrange(len(page) + 1)]


def shuffled_tags(page: bytes, rng: random.Random) -> bytes:
    """Leave the text where it is and deal its tags out anew."""
    parts = _TAG.split(page)
    tags = parts[1::2]
    rng.shuffle(tags)
    parts[1::2] = tags
    return b"".join(parts)


def with_nuls(page: bytes, rng: random.Random) -> bytes:
    places = sorted(rng.randrange(len(page) + 1) for _ in range(rng.randrange(1, 50)))
    pieces = [page[start:end] for start, end in zip([0, *places], [*places, len(page)], strict=True)]
    return b"\x00".join(pieces)


def with_noise(page: bytes, rng: random.Random) -> bytes:
    """Overwrite one byte in a hundred."""
    broken = bytearray(page)
    for _ in range(len(page) // 100):
        broken[rng.randrange(len(page))] = rng.randrange(256)
    return bytes(broken)


MUTATIONS = (truncated, shuffled_tags, with_nuls, with_noise)


def mutated(pages: Sequence[bytes], n: int, seed: int = 0) -> Iterator[bytes]:
    """Yield ``n`` broken pages, the kinds of damage in turn."""
    rng = random.Random(seed)
    for number in range(n):
        yield MUTATIONS[number % len(MUTATIONS)](rng.choice(pages), rng)
