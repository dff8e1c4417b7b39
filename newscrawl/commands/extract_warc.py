"""``scrapy extract --warc``: the batch, its progress and its table."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from newscrawl.console.command import print_json, print_rows
from newscrawl.console.files import make_folder
from newscrawl.console.program import program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.sites.files import HOST
from newscrawl.warc.archives import COMMON_CRAWL, archives_of, local_path
from newscrawl.warc.files import FileJob, check_form, extract_files, finished_report

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from newscrawl.read.model import Wants
    from newscrawl.warc.files import FileReport, Note

MAX_WORKERS: Final = 256
_LISTED: Final = f"; --root says what the paths of a list are below, e.g. {COMMON_CRAWL}"
#: Exit status when a file gave nothing: what is there is whole, but not all.
PARTIAL_STATUS: Final = 1


def extract_archives(opts: argparse.Namespace, *, wants: Wants, sites: Path, max_bytes: int) -> int:
    """Extract the files that are not done yet; return the exit status.

    :raises UserError: for options that cannot be followed; nothing has been done then.
    """
    jobs = make_jobs(opts, wants=wants, sites=sites, max_bytes=max_bytes)
    workers = _workers(opts.workers)
    make_folder(jobs[0].folder)
    done = [report for job in jobs if (report := finished_report(job))]
    before = {report.path for report in done}
    left = [job for job in jobs if job.path not in before]
    reports = list(done)
    for report in _with_progress(left, workers, done):
        reports.append(report)
        if report.error:
            sys.stderr.write(f"{program()} extract: {report.path}: {report.error}\n")
    if opts.json:
        print_json([asdict(report) for report in reports])
    else:
        _show(reports, before)
    return PARTIAL_STATUS if any(report.error for report in reports) else 0


def make_jobs(opts: argparse.Namespace, *, wants: Wants, sites: Path, max_bytes: int) -> list[FileJob]:
    """Return a job for each file.

    :raises UserError: no folder, an unknown format, a file that is not there, two files of one name, no host's name.
    """
    if not opts.out:
        raise UserError("--warc needs --out DIR: the folder for the articles")
    check_form(opts.out_format)
    folder = Path(opts.out)
    if folder.exists() and not folder.is_dir():
        raise UserError(f"--out {opts.out!r} is a file; accepted: a folder")
    hosts = frozenset(map(_host, opts.host or ()))
    jobs: dict[str, FileJob] = {}
    for name in archives_of(opts.warc, opts.root):
        path = local_path(name)
        if path is not None and not os.path.isfile(path):  # Path's raises for names too long
            raise UserError(f"no WARC file {name!r}" + ("" if name in opts.warc else _LISTED))
        job = FileJob(
            path=name,
            folder=folder,
            wants=wants,
            form=opts.out_format,
            hosts=hosts,
            sites=sites,
            max_bytes=max_bytes,
        )
        if job.name in jobs:
            raise UserError(f"{name!r} and {jobs[job.name].path!r} have one name; extract them into two folders")
        jobs[job.name] = job
    return list(jobs.values())


def _host(name: str) -> str:
    host = name.lower().strip(".")
    if not HOST.fullmatch(host):
        raise UserError(f"--host {name!r}: expected the name of a host, e.g. example.org")
    return host


def _workers(value: str | None) -> int:
    if value is None:
        return os.cpu_count() or 1
    if not value.isdecimal() or len(value) > len(str(MAX_WORKERS)) or not 1 <= int(value) <= MAX_WORKERS:
        raise UserError(f"--workers {value!r}: expected a whole number from 1 to {MAX_WORKERS}")
    return int(value)


def _with_progress(jobs: Sequence[FileJob], workers: int, done: Sequence[FileReport]) -> Iterator[FileReport]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[pages]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    sizes = {job.path: job.bytes or 0 for job in jobs}
    read = dict.fromkeys(sizes, 0)
    pages = dict.fromkeys(sizes, 0)
    done_bytes = sum(report.bytes for report in done)
    total = None if any(job.bytes is None for job in jobs) else done_bytes + sum(sizes.values())
    n_done, n_files = len(done), len(done) + len(jobs)
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("extracting", total=total, completed=done_bytes, pages="")

        def show() -> None:
            files = f"extracting, {n_done} of {quantity(n_files, 'file')} done"
            completed = done_bytes + sum(read.values())
            progress.update(task, description=files, completed=completed, pages=quantity(sum(pages.values()), "page"))

        def update(note: Note) -> None:
            path, n_bytes, n_pages = note
            begun = not n_bytes and not n_pages  # perhaps for the second time
            read[path] = 0 if begun else read[path] + n_bytes
            pages[path] = 0 if begun else pages[path] + n_pages
            show()

        for report in extract_files(jobs, workers, update):
            read[report.path], pages[report.path] = report.bytes, report.pages
            n_done += 1
            show()
            if not console.is_terminal:
                gave = f"{quantity(report.pages, 'page')}, {quantity(report.articles, 'article')}"
                sys.stderr.write(f"{n_done} of {quantity(n_files, 'file')}: {report.path}: {gave}\n")
            yield report


def _show(reports: Sequence[FileReport], before: set[str]) -> None:
    numbers = ("pages", "offsite", "articles", "broken", "seconds")
    rows = [
        {name: getattr(report, name, report.reasons.get(name, 0)) for name in numbers}
        | {"file": report.path, "state": report.error or ("done before" if report.path in before else "done")}
        for report in reports
    ]
    print_rows("Articles of WARC files", ("file", *numbers, "state"), rows, right=numbers)
