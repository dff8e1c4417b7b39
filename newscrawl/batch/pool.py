"""Many WARC files over the processes of one machine. What a dying worker was at is tried once more, alone."""

from __future__ import annotations

import multiprocessing
import queue
import signal
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from newscrawl.batch.files import FileReport, extract_file
from newscrawl.network.model import use_one_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.queues import Queue

    from newscrawl.batch.files import FileJob

#: Seconds between two looks at what the workers tell.
_LOOK_SECONDS: Final = 0.2

#: (path, bytes, pages): bytes and pages read since the last note; 0 and 0 when a file is begun.
Note = tuple[str, int, int]


def extract_files(
    jobs: Sequence[FileJob], workers: int, progress: Callable[[Note], object] = lambda _note: None
) -> Iterator[FileReport]:
    """Extract the files, as many at a time as there are workers; yield each report as its file ends."""
    left = {str(job.path): job for job in jobs}
    while left:
        suspects: set[str] = set()
        n_left = len(left)
        for report in _round(list(left.values()), workers, progress, suspects):
            del left[report.path]
            yield report
        for path in sorted(suspects):  # alone, so that none pays for another
            yield from _round([left[path]], 1, progress, suspects)
            job = left.pop(path)
            if path in suspects:
                yield _given_up(job)
        if len(left) == n_left:  # workers die before they take anything up
            yield from map(_given_up, left.values())
            return


def _round(
    jobs: Sequence[FileJob], workers: int, progress: Callable[[Note], object], begun: set[str]
) -> Iterator[FileReport]:
    """Until all files are done or a worker dies; ``begun`` holds the paths that workers were at then."""
    context = multiprocessing.get_context("spawn")  # a forked process would share our threads' locks
    notes: Queue[Note] = context.Queue()
    ended: set[str] = set()

    def look() -> None:
        with suppress(queue.Empty):
            while True:
                note = notes.get_nowait()
                if note[0] not in ended:  # a note may come later than the report
                    begun.add(note[0])
                    progress(note)

    pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context, initializer=_begin, initargs=(notes,))
    try:
        waiting = {pool.submit(_work, job) for job in jobs}
        while waiting:
            done, waiting = wait(waiting, timeout=_LOOK_SECONDS)
            look()
            for report in _reports(done):
                ended.add(report.path)
                begun.discard(report.path)
                yield report
    except BrokenProcessPool:
        look()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        notes.close()


def _reports(done: set[Future[FileReport]]) -> Iterator[FileReport]:
    """Reports of what ended well; those first, so that a broken pool hides none."""
    broken = [future for future in done if future.exception() is not None]
    yield from (future.result() for future in done if future not in broken)
    for future in broken:
        future.result()


def _given_up(job: FileJob) -> FileReport:
    return FileReport(
        path=str(job.path),
        output=str(job.output),
        method=job.method,
        formats=list(job.wants.formats),
        bytes=job.path.stat().st_size,
        error="workers died at it, out of memory perhaps",
    )


_notes: Queue[Note] | None = None


def _begin(notes: Queue[Note]) -> None:
    global _notes  # noqa: PLW0603 (a queue reaches a pool's process in no other way)
    _notes = notes
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches all processes of a terminal: one says so
    use_one_thread()  # a process of the pool is one core's


def _work(job: FileJob) -> FileReport:
    path = str(job.path)

    def tell(n_bytes: int, n_pages: int) -> None:
        if _notes is not None:
            _notes.put((path, n_bytes, n_pages))

    tell(0, 0)
    return extract_file(job, tell)
