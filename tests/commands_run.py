"""Runs ``scrapy`` as a user does, in a process of its own, or, where nothing is fetched, in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from scrapy.utils.project import get_project_settings

from tests.conftest import PROJECT

if TYPE_CHECKING:
    import pytest
    from scrapy.commands import ScrapyCommand

DEMO = PROJECT / "data" / "demo" / "demo.warc.gz"
REPLAY = ("-s", f"NEWSCRAWL_REPLAY={DEMO}")


def scrapy(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "scrapy", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "160"}
    return subprocess.run(  # noqa: S603
        command, input=stdin, capture_output=True, cwd=PROJECT, env=environment, timeout=300, check=False
    )


def assert_refused(done: subprocess.CompletedProcess[bytes], *expected: str) -> None:
    """One line that names the value and what is accepted, a status, no traceback."""
    error = done.stderr.decode()
    assert done.returncode == 2, error
    assert error.count("\n") == 1, error
    for words in expected:
        assert words in error
    assert done.stdout == b""


def run_command(command: ScrapyCommand, *arguments: str) -> int:
    """Run the command in this process; return its exit status."""
    command.settings = get_project_settings()
    parser = ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args(list(arguments))
    command.process_options(rest, options)
    command.run(rest, options)
    return command.exitcode


def answer(command: ScrapyCommand, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command in this process; return what it printed."""
    assert run_command(command, *arguments) == 0
    return capsys.readouterr().out


def refusal(command: ScrapyCommand, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command on arguments it must refuse, without a crawler process; return its one line."""
    status = run_command(command, *arguments)
    output = capsys.readouterr()
    assert status == 2
    assert output.out == ""
    assert len(output.err.strip().splitlines()) == 1
    return output.err
