"""No pattern takes quadratic time: each is used as the code uses it, on texts made of its own parts."""

from __future__ import annotations

import re
import signal
import time
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from newscrawl.extract.facts.date_names import MAX_NAME_CHARS
from newscrawl.extract.facts.names import MAX_BYLINE_CHARS
from newscrawl.extract.formats.pictures import MAX_SRCSET
from newscrawl.page.packed import _TAIL_BYTES
from newscrawl.settings import URLLENGTH_LIMIT
from tests.patterns import Use, texts, uses

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORT, LONG, GROWTH = 10_000, 100_000, 15.0
"""Characters of the two texts, and how many times as long the longer one may take."""
GLANCE, SUSPECT = 3_000, 0.0005
"""Characters, and the processor seconds that a pattern of linear time hardly needs for them."""
TRIES = 5
"""A machine that does other things makes one measurement in many wrong, and not the same one again."""
AT_MOST = 0.1
"""Processor seconds that a pattern may need for the longest text that reaches it."""
BOUNDED = {
    "newscrawl.extract.formats.pictures._CANDIDATE": MAX_SRCSET,
    "newscrawl.links.rules._DOWNLOAD": URLLENGTH_LIMIT,
    "newscrawl.extract.facts.date_names._PUBLISHED_NAME": MAX_NAME_CHARS,
    "newscrawl.extract.facts.names._BRACKETS": MAX_BYLINE_CHARS,
    "newscrawl.page.packed._PAGE_END": _TAIL_BYTES,
}
"""Patterns that need quadratic time, by the characters that the code gives them at most."""


class TooLongError(Exception):
    pass


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    def ring(_number: int, _frame: object) -> NoReturn:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def seconds(use: Use, text: str, *, limit: float) -> float:
    """Return the processor time of all that the code does with the pattern; ``limit`` if it needs more."""
    given: Any = text.encode("utf-8", "replace") if isinstance(use.pattern.pattern, bytes) else text
    start = time.process_time()
    try:
        with at_most(limit):
            for method in use.methods & {"match", "fullmatch", "search"}:
                getattr(use.pattern, method)(given)
            if use.methods - {"match", "fullmatch", "search"}:
                for _ in use.pattern.finditer(given):
                    pass
    except TooLongError:
        return limit
    return time.process_time() - start


def growth(use: Use, number: int) -> float:
    """Return how many times as long as the short text the long one takes: the best of some tries."""
    short, long = (_text(use, number, size) for size in (SHORT, LONG))
    best = float("inf")
    for _ in range(TRIES):
        if (took := seconds(use, short, limit=0.2)) >= 0.2:
            return best
        best = min(best, seconds(use, long, limit=max(GROWTH * took * 1.2, 0.05)) / max(took, 1e-6))
        if best <= GROWTH:
            break
    return best


def _text(use: Use, number: int, n: int) -> str:
    return next(text for at, text in enumerate(texts(use.pattern, n)) if at == number)


def suspects(use: Use) -> list[int]:
    """Return the numbers of the texts that need a closer look."""
    return [
        number
        for number, text in enumerate(texts(use.pattern, GLANCE))
        if (took := min(seconds(use, text, limit=0.05) for _ in range(2))) > SUSPECT
        and seconds(use, _text(use, number, 4 * GLANCE), limit=0.5) > min(6 * took, 0.2)
    ]


def slow_text(use: Use) -> str:
    """Return the beginning of a text that takes the pattern too long; empty where there is none."""
    most = URLLENGTH_LIMIT if use.is_of_addresses else BOUNDED.get(use.name)
    if most is not None:
        slow = (text for text in texts(use.pattern, most) if seconds(use, text, limit=2 * AT_MOST) > AT_MOST)
    else:
        slow = (_text(use, number, SHORT) for number in suspects(use) if growth(use, number) > GROWTH)
    return next(slow, "")[:40]


@pytest.mark.slow
def test_no_pattern_takes_quadratic_time() -> None:
    found = {f"{use.name} {use.pattern.pattern[:60]!r}": text for use in every_use() if (text := slow_text(use))}
    assert not found, "\n".join(f"{name}: {text!r}" for name, text in found.items())


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"\s+x", r"<!--.*?-->", r"a*b*c*d", r"(?:a|a)+b", r"x[^>]*>"])
def test_the_law_finds_what_is_quadratic(pattern: str) -> None:
    assert slow_text(Use(re.compile(pattern), "made", {"search"}))


@pytest.mark.slow
def test_each_bound_is_of_a_pattern_that_is_there() -> None:
    assert BOUNDED.keys() <= {use.name for use in every_use()}


@cache
def every_use() -> list[Use]:
    return uses()
