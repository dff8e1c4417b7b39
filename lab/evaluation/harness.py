"""Runs methods over pages, each method in a process of its own."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from lab.evaluation.wire import Answer, Group, Hello, WirePage, dump_group, load_answer, load_hello
from lab.evaluation.worker import PEER
from lab.training.held_out import variant_of
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType
    from typing import IO

    from lab.evaluation.corpus import CorpusPage

PROJECT: Final = Path(__file__).resolve().parents[2]
PEERS_PYTHON: Final = PROJECT / ".venv-peers" / "bin" / "python"
PAGE_SECONDS: Final = 60.0
"""A page that takes longer is given up."""
START_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodRun:
    """A method's answers to all pages, in the pages' order."""

    method: str
    needs: str
    versions: dict[str, str]
    answers: tuple[Answer, ...]

    @property
    def peak_mb(self) -> float:
        return max((answer.peak_mb for answer in self.answers), default=0.0)


@dataclass(slots=True, kw_only=True)
class Harness:
    """How to run methods.

    :param repeats: times each page is extracted; the fastest counts.
    :param on_page: called after each answer, for progress.
    """

    repeats: int = 1
    page_seconds: float = PAGE_SECONDS
    on_page: Callable[[str, Answer], None] = field(default=lambda _method, _answer: None)

    def run(self, method: str, pages: Sequence[CorpusPage]) -> MethodRun:
        """Extract every page: exactly one answer each, also where the method raised, hung or died.

        A trained method answers for a page with a model that has not seen the page's site.

        :raises UserError: if the method is unknown or not installed.
        """
        answers: dict[str, Answer] = {}
        variants = [variant_of(method, page) for page in pages]
        hello = Hello()
        for variant in dict.fromkeys(variants) or (method,):
            chosen = [page for page, name in zip(pages, variants, strict=True) if name == variant]
            with Worker(variant) as worker:
                hello = worker.hello
                for group in _groups(chosen, alone=hello.needs == "page", repeats=self.repeats):
                    for answer in worker.ask(group, self.page_seconds):
                        answers[answer.id] = answer
                        self.on_page(method, answer)
        return MethodRun(
            method=method,
            needs=hello.needs,
            versions=hello.versions,
            answers=tuple(answers[_key(page)] for page in pages),
        )


class Worker:
    """The process of one method; started again after a page that took it down.

    :param command: the program to run instead of the worker module.
    """

    def __init__(self, method: str, *, command: Sequence[str] = ()) -> None:
        self.method = method
        self._command = command
        self.hello = Hello()
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the worker)
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._stop()
            self._stderr.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._stderr.close()

    def ask(self, group: Group, seconds: float) -> Iterator[Answer]:
        """Yield one answer for each target of ``group``, in order."""
        waiting = list(group.targets)
        while waiting:
            self._send(replace(group, targets=tuple(waiting)))
            while waiting:
                line = self._line(seconds)
                if not line:
                    yield Answer(id=waiting.pop(0), error=self._reason(seconds, ended=line is not None))
                    self._stop()
                    self._start()
                    break
                answer = load_answer(line)
                waiting.remove(answer.id)
                yield answer

    def _start(self) -> None:
        self._lines = queue.Queue()
        process = subprocess.Popen(  # noqa: S603 (our own module) # nosec B603
            self._command or [str(self._python()), "-m", "lab.evaluation.worker", self.method],
            cwd=PROJECT,
            env=os.environ | {"PYTHONPATH": str(PROJECT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        self._process = process
        threading.Thread(target=_pump, args=(process.stdout, self._lines), daemon=True).start()
        line = self._line(START_SECONDS)
        if not line:
            raise UserError(f"method {self.method!r} did not start: {self._last_words()}")
        self.hello = load_hello(line)
        if self.hello.refused:
            raise UserError(self.hello.refused)

    def _python(self) -> Path:
        if not self.method.startswith(PEER):
            return Path(sys.executable)
        if not PEERS_PYTHON.exists():
            raise UserError(f"{self.method!r} needs the peers' environment: run `make peers` first")
        return PEERS_PYTHON

    def _send(self, group: Group) -> None:
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the worker is not running")
        try:
            self._process.stdin.write(dump_group(group))
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # it has ended: the answer that does not come says so

    def _line(self, seconds: float) -> bytes | None:
        """Return the next line; empty once the worker has ended, None after ``seconds`` without one."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def _reason(self, seconds: float, *, ended: bool) -> str:
        if not ended or self._process is None:
            return f"no answer in {seconds:g} s"
        return f"worker ended with status {self._process.wait()}: {self._last_words()}"

    def _last_words(self) -> str:
        self._stderr.seek(0)
        lines = self._stderr.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "no message")

    def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()
        self._process = None


def _pump(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Move lines to the queue; an empty one says that the stream has ended."""
    try:
        for line in stream:
            lines.put(line)
    except ValueError:  # closed while reading
        pass
    lines.put(b"")


def _groups(pages: Sequence[CorpusPage], *, alone: bool, repeats: int) -> Iterator[Group]:
    """Yield pages one by one, or the pages of each set and site together."""
    if alone:
        for page in pages:
            yield Group(pages=(_wire(page, page.url),), targets=(_key(page),), repeats=repeats)
        return
    ordered = sorted(pages, key=_site_key)
    for _, members in groupby(ordered, key=_site_key):
        group = tuple(_wire(page, page.url or stand_in(page)) for page in members)
        yield Group(pages=group, targets=tuple(page.id for page in group), repeats=repeats)


def _wire(page: CorpusPage, url: str | None) -> WirePage:
    return WirePage(id=_key(page), html=page.read(), url=url)


def stand_in(page: CorpusPage) -> str:
    """An address for a page that lost its own: a site's pages must differ in it, and it tells nothing else."""
    return f"http://{page.site or 'example.invalid'}/{page.id}"


def _site_key(page: CorpusPage) -> tuple[str, str]:
    return page.set, page.group


def _key(page: CorpusPage) -> str:
    return f"{page.set}/{page.id}"
