"""Reader processes under pages that hang them, kill them or fill their memory."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from multiprocessing import active_children
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from newscrawl import default_settings
from newscrawl.exceptions import UserError
from newscrawl.outcomes import Rejection
from newscrawl.read import pool
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.pool import BACKLOG, Readers, UnreadableError
from newscrawl.read.readers import n_readers, readers_for
from tests.newspages import SUBJECTS, article

if TYPE_CHECKING:
    from newscrawl.read.model import Reading

FETCHED = datetime(2024, 4, 1, tzinfo=UTC)
DEFAULTS = {name: value for name, value in vars(default_settings).items() if name.startswith("NEWSCRAWL_")}
STUCK = Wants(method="tests.stuck:Stuck")


def page(number: int, word: str = "") -> RawPage:
    body = article(number % len(SUBJECTS)) + f"<p>{word}</p>"
    return RawPage(body=body, url=f"http://news.example/{number}.html", fetched_at=FETCHED)


def test_readers_give_what_the_process_itself_gives() -> None:
    async def both() -> tuple[list[Reading], list[Reading]]:
        readers = Readers(Wants(blocks=True, lines=True), n=1, seconds=20, megabytes=1024)
        try:
            pages = [page(number) for number in range(20, 26)]
            return await asyncio.gather(*map(readers.read, pages)), [readers.own.read(one) for one in pages]
        finally:
            await readers.close()

    theirs, own = asyncio.run(both())
    assert [reading.article for reading in theirs] == [reading.article for reading in own]
    assert [reading.links for reading in theirs] == [reading.links for reading in own]
    assert [reading.blocks for reading in theirs] == [tuple(reading.blocks) for reading in own]


def test_a_page_that_ruins_its_reader_costs_itself_alone() -> None:
    words = ("LOOPS", "BACKTRACKS", "DIES", "SWELLS")

    async def read_all() -> list[Reading | BaseException]:
        readers = Readers(STUCK, n=1, seconds=2, megabytes=1024)
        try:
            bad = [page(100 + number, word) for number, word in enumerate(words)]
            good = [page(number) for number in range(4)]
            mixed = [one for pair in zip(bad, good, strict=True) for one in pair]
            return await asyncio.gather(*map(readers.read, mixed), return_exceptions=True)
        finally:
            await readers.close()

    answers = asyncio.run(read_all())
    reasons = [answer.reason for answer in answers[::2] if isinstance(answer, UnreadableError)]
    assert reasons == [Rejection.TOO_SLOW, Rejection.TOO_SLOW, Rejection.READER_DIED, Rejection.TOO_MUCH_MEMORY]
    assert [getattr(answer, "article", None) is not None for answer in answers[1::2]] == [True] * len(words)


@pytest.mark.slow
def test_a_crawl_too_busy_to_hear_of_a_reader_charges_no_neighbour() -> None:
    """The end of a reader is seen before the last page that it did read is heard of."""
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            sum(range(1000))

    async def read_all() -> list[Reading | BaseException]:
        readers = Readers(STUCK, n=1, seconds=3, megabytes=1024)
        try:
            await readers.read(page(0))
            threading.Thread(target=busy, daemon=True).start()
            pages = [page(number, "DIES" if number % 5 == 4 else "") for number in range(20)]
            return await asyncio.gather(*map(readers.read, pages), return_exceptions=True)
        finally:
            over.set()
            await readers.close()

    before = sys.getswitchinterval()
    sys.setswitchinterval(0.05)
    try:
        answers = asyncio.run(read_all())
    finally:
        sys.setswitchinterval(before)
    unread = [number for number, answer in enumerate(answers) if isinstance(answer, UnreadableError)]
    assert unread == [4, 9, 14, 19]
    assert sum(getattr(answer, "article", None) is not None for answer in answers) == 16


def test_a_clock_that_somebody_sets_costs_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time

    async def read_long() -> Reading:
        readers = Readers(Wants(), n=1, seconds=20, megabytes=1024)
        try:
            await readers.read(page(0))
            asyncio.get_running_loop().call_later(0.1, monkeypatch.setattr, time, "time", lambda: now() + 3_600)
            return await readers.read(page(1, "<p>The mayor said that the bridge will open in May.</p>" * 40_000))
        finally:
            await readers.close()

    assert asyncio.run(read_long()).url == page(1).url


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_reader_that_ends_or_stops_between_two_pages_is_replaced(
    how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 0.5)

    async def read_three() -> list[Reading]:
        readers = Readers(Wants(), n=1, seconds=3, megabytes=1024)
        before = set(active_children())
        try:
            found = [await readers.read(page(0))]
            for child in set(active_children()) - before:
                assert child.pid is not None
                os.kill(child.pid, how)
            return [*found, *await asyncio.gather(readers.read(page(1)), readers.read(page(2)))]
        finally:
            await readers.close()

    assert all(reading.article for reading in asyncio.run(read_three()))


def test_a_loop_in_the_crawls_own_process_is_interrupted() -> None:
    readers = Readers(STUCK, n=0, seconds=0.5, megabytes=1024)
    with pytest.raises(UnreadableError, match=r"longer than 0\.5 s"):
        asyncio.run(readers.read(page(1, "LOOPS")))
    assert asyncio.run(readers.read(page(2))).article is not None


def test_a_crawl_that_others_read_for_loads_nothing_to_read_with() -> None:
    heavy = "newscrawl.read.read", "newscrawl.classify.lines.model"
    code = f"""
import sys
from newscrawl.read.pool import Readers
from newscrawl.read.model import Wants
Readers(Wants(), n=1, seconds=20, megabytes=1024)
sys.exit(" ".join(name for name in {heavy} if name in sys.modules) or None)
"""
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own code


def test_another_reader_starts_when_pages_wait() -> None:
    async def reads() -> tuple[list[int], list[str]]:
        readers = Readers(Wants(), n=2, seconds=20, megabytes=1024)
        try:
            counts = []
            for pages in ([page(0)], [page(number) for number in range(3 * BACKLOG)]):
                readings = await asyncio.gather(*map(readers.read, pages))
                counts.append(len(readers._readers))
            return counts, [reading.url or "" for reading in readings]
        finally:
            await readers.close()

    counts, urls = asyncio.run(reads())
    assert counts == [1, 2]
    assert urls == [page(number).url for number in range(3 * BACKLOG)]


@pytest.mark.slow
def test_a_crawl_that_ends_while_its_reader_loads_leaves_no_traceback() -> None:
    code = (
        "import asyncio\n"
        "from newscrawl.read.pool import Readers\n"
        "from newscrawl.read.model import Wants\n"
        "async def main():\n"
        "    readers = Readers(Wants(), n=1, seconds=10, megabytes=2000)\n"
        "    readers.start()\n"
        "    await asyncio.sleep(WAIT)\n"
        "    await readers.close()\n"
        "asyncio.run(main())\n"
    )
    for wait in (0, 0.2, 1):
        command = [sys.executable, "-c", code.replace("WAIT", str(wait))]
        done = subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own
        assert done.stderr == b""


def test_a_method_that_learns_reads_all_pages_in_one_process() -> None:
    assert Readers(Wants(method="cluster"), n=3, seconds=20, megabytes=1024).n == 0


@pytest.mark.parametrize(("value", "least"), [("auto", 1), ("0", 0), ("3", 3)])
def test_how_many(value: str, least: int) -> None:
    found = n_readers(Settings({**DEFAULTS, "NEWSCRAWL_READERS": value}))
    assert found >= least
    assert value == "auto" or found == least


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("NEWSCRAWL_READERS", "many", "NEWSCRAWL_READERS is 'many'; accepted: auto, or a whole number from 0 on"),
        ("NEWSCRAWL_READERS", "-1", "NEWSCRAWL_READERS is '-1'"),
        ("NEWSCRAWL_READ_SECONDS", 0, "NEWSCRAWL_READ_SECONDS is 0; accepted: a number above 0"),
        ("NEWSCRAWL_READER_MEGABYTES", -5, "NEWSCRAWL_READER_MEGABYTES is -5"),
    ],
)
def test_wrong_settings_are_refused(setting: str, value: object, said: str) -> None:
    with pytest.raises(UserError, match=said):
        readers_for(Settings({**DEFAULTS, setting: value}), Wants())


@pytest.mark.parametrize(("n_pages", "n"), [(1, 0), (2, 3), (0, 3)])
def test_a_crawl_of_one_page_starts_no_process(n_pages: int, n: int) -> None:
    settings = {**DEFAULTS, "NEWSCRAWL_READERS": 3, "CLOSESPIDER_PAGECOUNT": n_pages}
    assert readers_for(Settings(settings), Wants()).n == n
