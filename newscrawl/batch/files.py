"""One WARC file → one file of articles and one report, which is also the mark that the file is done; many files over
the processes of one machine.
"""

from __future__ import annotations

import json
import multiprocessing
import queue
import shutil
import signal
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from newscrawl.batch import FORMATS
from newscrawl.batch.pages import PageReader
from newscrawl.exceptions import UserError
from newscrawl.fields import ARTICLE
from newscrawl.network.model import use_one_thread
from newscrawl.outcomes import Outcome
from newscrawl.replay.archive import responses
from newscrawl.replay.records import WarcFile
from newscrawl.storage.row_files import need_parquet, row_writer, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.queues import Queue

    from newscrawl.batch.pages import PageResult
    from newscrawl.reading.model import Wants

MAX_BYTES: Final = 16 * 2**20
"""Of an unpacked page."""
#: Of reports; another one is not read as a mark that a file is done.
VERSION: Final = 2
#: Pages between two notes of progress.
_STEP: Final = 20


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

    path: Path
    folder: Path
    wants: Wants
    form: str
    max_bytes: int = MAX_BYTES
    seconds: float = 30.0
    """Of work on one page."""

    @property
    def method(self) -> str:
        return self.wants.method

    @property
    def output(self) -> Path:
        return self.folder / f"{self.path.name}.{self.form}"

    @property
    def mark(self) -> Path:
        return self.folder / f"{self.path.name}.report.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What a file gave."""

    path: str
    output: str
    method: str
    formats: list[str]
    """In which the articles have their text beside plain text."""
    bytes: int
    """Of the WARC file."""
    pages: int = 0
    """Answers read."""
    articles: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """Reason → pages: why they gave no article, and ``stored``."""
    broken: int = 0
    """Records that could not be read."""
    seconds: float = 0.0
    error: str | None = None
    """Why the file as a whole gave nothing."""
    version: int = VERSION


def finished(job: FileJob) -> FileReport | None:
    """Return the report of an earlier run, if it did the same to the same file and its articles are there."""
    try:
        report = FileReport(**json.loads(job.mark.read_text(encoding="utf-8")))
        made = (report.version, report.method, report.formats, report.bytes)
        same = made == (VERSION, job.method, list(job.wants.formats), job.path.stat().st_size)
    except (OSError, ValueError, TypeError):
        return None
    return report if same and report.error is None and job.output.is_file() else None


def extract_file(job: FileJob, progress: Callable[[int, int], object] = lambda _bytes, _pages: None) -> FileReport:
    """Extract all articles of a file.

    :param progress: told now and then how many more bytes and pages were read.
    :returns: a report with ``error`` where the file cannot be read or written.
    """
    started = perf_counter()
    size = job.path.stat().st_size if job.path.is_file() else 0
    facts = {"path": str(job.path), "output": str(job.output), "method": job.method, "bytes": size}
    facts["formats"] = list(job.wants.formats)
    try:
        counts, broken = _extract(job, progress)
    except (UserError, OSError) as error:
        return FileReport(**facts, error=str(error), seconds=perf_counter() - started)  # type: ignore[arg-type]
    report = FileReport(
        **facts,  # type: ignore[arg-type]
        pages=counts.total(),
        articles=counts[Outcome.STORED],
        reasons=dict(sorted(counts.items())),
        broken=broken,
        seconds=round(perf_counter() - started, 3),
    )
    _write_mark(job.mark, report)
    return report


def _extract(job: FileJob, progress: Callable[[int, int], object]) -> tuple[Counter[str], int]:
    reader = PageReader(
        wants=job.wants,
        max_bytes=job.max_bytes,
        seconds=job.seconds,
    )
    counts: Counter[str] = Counter()
    told_bytes = told_pages = 0
    part = job.output.with_name(job.output.name + ".part")
    with (
        WarcFile(job.path) as file,
        whole_file(job.output, part) as output,
        row_writer(output, ARTICLE, job.form) as write,
    ):
        for position, result in _results(file, reader):
            counts[result.reason] += 1
            if result.row is not None:
                write(result.row)
            if counts.total() - told_pages >= _STEP:
                progress(position - told_bytes, counts.total() - told_pages)
                told_bytes, told_pages = position, counts.total()
        return counts, file.broken


def results_of(path: Path, reader: PageReader) -> Iterator[tuple[int, PageResult]]:
    """Yield the position in the file, in bytes, and the result of each answer.

    :raises UserError: for what is no WARC file.
    """
    with WarcFile(path) as file:
        yield from _results(file, reader)


def _results(file: WarcFile, reader: PageReader) -> Iterator[tuple[int, PageResult]]:
    for position, answer in responses(file, limit=reader.max_bytes):
        if answer is not None:
            yield position, reader.read(answer)


@contextmanager
def local_copy(path: str) -> Iterator[Path]:
    """Give a file of this machine: the path itself, or a copy of what fsspec opens, gone afterwards.

    :raises UserError: an address other than ``file:`` without fsspec.
    """
    scheme, colon, rest = path.partition("://")
    if not colon or scheme == "file":
        yield Path(rest if colon else path)
        return
    try:
        import fsspec  # noqa: PLC0415 (optional)
    except ImportError:
        raise UserError(f"{path!r} needs fsspec; accepted without it: file paths") from None
    with tempfile.NamedTemporaryFile(suffix=".warc.gz") as copy:
        with fsspec.open(path, "rb") as remote:
            shutil.copyfileobj(remote, copy)
        copy.flush()
        yield Path(copy.name)


def _write_mark(path: Path, report: FileReport) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(asdict(report), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    part.replace(path)


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
