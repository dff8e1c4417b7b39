"""A selection of ``make fault-test``: what is stored is what a crawl without faults stores; failed pages are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.__main__ import EVERY, Row, run
from tests.faults.kinds import FAULTS, Good

if TYPE_CHECKING:
    from pathlib import Path

CHOSEN = ("reset in the body", "bomb, zstd", "robots.txt: redirects without end", "disk full")


@pytest.mark.slow
def test_what_is_stored_beside_faults_is_what_is_stored_without(tmp_path: Path) -> None:
    chosen = [fault for fault in EVERY if fault.name in CHOSEN]
    rows = [row for row in run(chosen, 5.0, tmp_path) if isinstance(row, Row)]
    assert {row.name for row in rows} >= set(CHOSEN) - {"disk full"}  # which needs a compiler
    assert [row for row in rows if not row.is_clean] == []
    assert {row.name: bool(row.failed) for row in rows}["bomb, zstd"]


def test_faults_that_last_hit_pages_that_lead_nowhere_else() -> None:
    lasting = next(fault for fault in FAULTS if fault.name == "empty")
    listed = [f"http://www.kill.example/2024/03/a{n}.html" for n in range(15)]
    hit = [url for url in listed if lasting.is_hit(url, 0)]
    assert hit
    assert not set(hit) & {listed[7], *listed[9:]}
    assert not lasting.is_hit("http://www.kill.example/", 0)


def test_a_zstd_bomb_of_a_few_kilobytes_is_one() -> None:
    bomb = next(fault for fault in FAULTS if fault.name == "bomb, zstd")
    sent = bomb.breaks(Good("http://www.kill.example/", 200, (), b""))
    assert isinstance(sent, bytes)
    assert len(sent) < 20_000
    assert sent.count(b" ") >= 2_048
