"""The process that runs one method: ``python -m lab.evaluation.worker METHOD``.

A process of its own makes peak memory a figure of the method, keeps the peers' versions away from ours, and lets
the rest of a run go on where a page takes an extractor down.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol

from lxml import etree
from lxml.html import HTMLParser

from lab.evaluation.wire import Answer, Group, Hello, WirePage, dump, load_group

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.html import HtmlElement

PEER: Final = "peer:"
PARSES: Final = 3
"""lxml's parse is timed this often and the fastest counts: it is the yardstick."""
_KIB_PER_MB: Final = 1024 if sys.platform != "darwin" else 1024 * 1024


class Method(Protocol):
    """One extraction method, as the worker sees it."""

    needs: str
    versions: dict[str, str]

    def begin(self, pages: Sequence[WirePage]) -> None:
        """Take note of the pages that the next ones may be compared with."""

    def run(self, page: WirePage) -> Answer:
        """Extract one page; ``seconds`` may stay 0, then the call's time counts."""


def main(name: str) -> None:
    """Answer groups from standard input until it ends."""
    source = sys.stdin.buffer
    # What a library prints must not get between the answers.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        method = make_method(name)
    except (ImportError, ValueError) as error:
        _write(sink, dump(Hello(refused=f"{name}: {error}")))
        return
    _write(sink, dump(Hello(needs=method.needs, versions=method.versions)))
    for line in source:
        answer_group(method, load_group(line), lambda answer: _write(sink, dump(answer)))


def make_method(name: str) -> Method:
    """Return the method; ``peer:NAME`` comes from the adapters, another name from the registry of extractors.

    :raises ImportError: if a library is not installed here.
    :raises ValueError: for an unknown name.
    """
    module = "lab.evaluation.peers.adapters" if name.startswith(PEER) else "lab.evaluation.own"
    method: Method = import_module(module).make(name.removeprefix(PEER))
    return method


def answer_group(method: Method, group: Group, send: Callable[[Answer], None]) -> None:
    """Send one answer for each target, whatever the pages hold."""
    pages = {page.id: page for page in group.pages}
    try:
        method.begin(group.pages)
    except Exception as error:  # noqa: BLE001 (a page must not end the run: counted, and shown by the harness)
        for name in group.targets:
            send(_failure(name, error))
        return
    for name in group.targets:
        send(_answer(method, pages[name], group.repeats))


def _answer(method: Method, page: WirePage, repeats: int) -> Answer:
    parse_seconds = min(_parse_seconds(page.html) for _ in range(PARSES))
    best: Answer | None = None
    for _ in range(repeats):
        start = time.process_time()
        try:
            answer = method.run(page)
        except Exception as error:  # noqa: BLE001 (as above)
            return replace(_failure(page.id, error), seconds=time.process_time() - start, parse_seconds=parse_seconds)
        seconds = answer.seconds or time.process_time() - start
        if best is None or seconds < best.seconds:
            best = replace(answer, seconds=seconds)
    if best is None:
        raise ValueError(f"repeats is {repeats}: at least 1")
    return replace(best, parse_seconds=parse_seconds, peak_mb=_peak_mb())


def _failure(name: str, error: Exception) -> Answer:
    message = " ".join(str(error).split())[:200]
    return Answer(id=name, error=f"{type(error).__name__}: {message}", peak_mb=_peak_mb())


def _parse_seconds(markup: bytes) -> float:
    start = time.process_time()
    try:
        root: HtmlElement | None = etree.fromstring(markup, parser=HTMLParser(huge_tree=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        root = None
    return 0.0 if root is None else time.process_time() - start


def _peak_mb() -> float:
    """Linux hands the parent's peak down in ``getrusage``, so the process's own is read where the system has it."""
    try:
        with Path("/proc/self/status").open(encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_PER_MB


def _write(sink: BinaryIO, line: bytes) -> None:
    sink.write(line)
    sink.flush()


if __name__ == "__main__":
    main(sys.argv[1])
