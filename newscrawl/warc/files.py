"""One WARC file → one file of articles and one report, which is also the mark that the file is done; many files over
the processes of one machine.
"""

from __future__ import annotations

import json
import multiprocessing
import queue
import signal
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from newscrawl.classify.lines.model import use_one_thread
from newscrawl.console.interrupts import held_back, on_interrupt
from newscrawl.exceptions import UserError
from newscrawl.items import ARTICLE
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.sites import catalogued_host, site_at
from newscrawl.store.row_files import need_parquet, row_writer, whole_file
from newscrawl.warc import FORMATS
from newscrawl.warc.archive import responses
from newscrawl.warc.archives import local_copy, local_path
from newscrawl.warc.pages import AnswerReader, PageResult
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.queues import Queue
    from pathlib import Path

    from newscrawl.read.model import Wants

MAX_BYTES: Final = 16 * 2**20
"""Size of an unpacked page."""
#: Version of reports. A report of another version does not mark its file as done.
VERSION: Final = 3
#: Pages between two notes of progress.
_STEP: Final = 20
_OTHER_HOST: Final = PageResult(None, Rejection.OFFSITE)


def check_form(form: str) -> None:
    """Refuse what cannot be written.

    :raises UserError: a name that is not in ``FORMATS``; Parquet without pyarrow.
    """
    if form not in FORMATS:
        raise UserError(f"unknown output format {form!r}; accepted: {', '.join(FORMATS)}")
    need_parquet(form)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJob:
    """A WARC file to extract, and how. Goes to another process."""

    path: str  # or an address, of which the folder holds a copy meanwhile
    folder: Path
    wants: Wants
    form: str
    hosts: frozenset[str] = frozenset()  # whose pages are read; empty: all
    sites: Path | None = None  # folder of the user's sites
    max_bytes: int = MAX_BYTES
    seconds: float = 30.0  # of work on one page

    @property
    def method(self) -> str:
        return self.wants.method

    @property
    def name(self) -> str:
        return (self.path if local_path(self.path) else self.path.partition("?")[0]).rpartition("/")[2]

    @property
    def output(self) -> Path:
        return self.folder / f"{self.name}.{self.form}"

    @property
    def mark(self) -> Path:
        return self.folder / f"{self.name}.report.json"

    @property
    def bytes(self) -> int | None:
        """Size of the WARC file; None for an address."""
        path = local_path(self.path)
        if path is None:
            return None
        try:
            return path.stat().st_size
        except (OSError, ValueError):
            return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What a file gave."""

    path: str
    output: str
    method: str
    formats: list[str]  # in which the articles have their text beside plain text
    hosts: list[str]  # whose pages were read; empty: all
    bytes: int  # of the WARC file
    pages: int = 0  # answers read
    articles: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """Reason → pages: why they gave no article, and ``stored``."""
    broken: int = 0  # records that could not be read
    seconds: float = 0.0
    error: str | None = None  # why the file as a whole gave nothing
    version: int = VERSION


def finished_report(job: FileJob) -> FileReport | None:
    """Return the report of an earlier run, if it did the same to the same file and its articles are there."""
    try:
        report = FileReport(**json.loads(job.mark.read_text(encoding="utf-8")))
        size = report.bytes if job.bytes is None else job.bytes  # published archives stay as they are
        made = (report.version, report.method, report.formats, report.hosts, report.bytes)
        same = made == (VERSION, job.wants.method, list(job.wants.formats), sorted(job.hosts), size)
    except (OSError, ValueError, TypeError):
        return None
    return report if same and report.error is None and job.output.is_file() else None


def extract_file(job: FileJob, progress: Callable[[int, int], object] = lambda _bytes, _pages: None) -> FileReport:
    """Extract all articles of a file.

    :param progress: called now and then with how many more bytes and pages were read.
    :returns: a report with ``error`` where the file cannot be read or written.
    """
    started = perf_counter()
    copy = job.folder / f"{job.name}.part"
    try:
        with local_copy(job.path, copy, lambda n_bytes: progress(n_bytes, 0)) as path:
            size = path.stat().st_size if path == copy else job.bytes or 0
            counts, broken = _extract(job, path, progress if path != copy else lambda _, pages: progress(0, pages))
    except (UserError, OSError) as error:
        return replace(_unread(job), error=str(error), seconds=perf_counter() - started)
    report = replace(
        _unread(job),
        bytes=size,
        pages=counts.total(),
        articles=counts[Outcome.STORED],
        reasons=dict(sorted(counts.items())),
        broken=broken,
        seconds=round(perf_counter() - started, 3),
    )
    with whole_file(job.mark, job.mark.with_name(job.mark.name + ".part")) as mark:
        mark.write((json.dumps(asdict(report), ensure_ascii=False, indent=2) + "\n").encode())
    return report


def _unread(job: FileJob) -> FileReport:
    return FileReport(
        path=job.path,
        output=str(job.output),
        method=job.wants.method,
        formats=list(job.wants.formats),
        hosts=sorted(job.hosts),
        bytes=job.bytes or 0,
    )


def _extract(job: FileJob, path: Path, progress: Callable[[int, int], object]) -> tuple[Counter[str], int]:
    reader = AnswerReader(
        wants=job.wants,
        hosts=job.hosts,
        site_at=catalogued_host if job.sites is None else partial(site_at, folder=job.sites),
        max_bytes=job.max_bytes,
        seconds=job.seconds,
    )
    counts: Counter[str] = Counter()
    reported_bytes = reported_pages = 0
    part = job.output.with_name(job.output.name + ".part")
    with (
        WarcFile(path) as file,
        whole_file(job.output, part) as output,
        row_writer(output, ARTICLE, job.form) as write,
    ):
        for position, result in results_of(file, reader):
            counts[result.reason] += 1
            if result.row is not None:
                write(result.row)
            if counts.total() - reported_pages >= _STEP:
                progress(position - reported_bytes, counts.total() - reported_pages)
                reported_bytes, reported_pages = position, counts.total()
        return counts, file.broken


def results_of(file: WarcFile, reader: AnswerReader) -> Iterator[tuple[int, PageResult]]:
    """Yield the position in the file, in bytes, and the result of each answer."""
    for position, answer in responses(file, limit=reader.max_bytes, wanted=reader.is_wanted):
        if isinstance(answer, str):
            yield position, _OTHER_HOST
        elif answer is not None:
            yield position, reader.read(answer)


#: Seconds between two looks at what the workers tell.
_LOOK_SECONDS: Final = 0.2

#: (path, bytes, pages): bytes and pages read since the last note; 0 and 0 when a file is begun.
Note = tuple[str, int, int]


def extract_files(
    jobs: Sequence[FileJob], workers: int, progress: Callable[[Note], object] = lambda _note: None
) -> Iterator[FileReport]:
    """Extract the files, as many at a time as there are workers; yield each report as its file ends."""
    left = {job.path: job for job in jobs}
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
    """Extract files until all are done or a worker dies; ``begun`` then holds the paths that workers were at."""
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
        with held_back():
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
    return replace(_unread(job), error="workers died at it, out of memory perhaps")


_notes: Queue[Note] | None = None


def _begin(notes: Queue[Note]) -> None:
    global _notes  # noqa: PLW0603 (a queue reaches a pool's process in no other way)
    _notes = notes
    on_interrupt(signal.SIG_DFL)
    use_one_thread()  # a process of the pool is one core's


def _work(job: FileJob) -> FileReport:
    def tell(n_bytes: int, n_pages: int) -> None:
        if _notes is not None:
            _notes.put((job.path, n_bytes, n_pages))

    tell(0, 0)
    return extract_file(job, tell)
