from __future__ import annotations

import argparse

import pytest

from newscrawl.console.command import USAGE_STATUS, PlainCommand, no_more_options, one_argument, one_of
from newscrawl.exceptions import StorageError, UserError


class Failing(PlainCommand):
    error: Exception = UserError("bad value 'x';\n accepted: y")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        raise self.error


def test_a_user_error_is_one_line_and_a_status(capsys: pytest.CaptureFixture[str]) -> None:
    command = Failing()
    command.run([], argparse.Namespace())
    assert command.exitcode == USAGE_STATUS
    assert capsys.readouterr().err == "scrapy test_console_command: bad value 'x'; accepted: y\n"


def test_our_other_errors_are_one_line_too(capsys: pytest.CaptureFixture[str]) -> None:
    command = Failing()
    command.error = StorageError("schema 9 is newer than 1")
    command.run([], argparse.Namespace())
    assert "schema 9" in capsys.readouterr().err


def test_defects_keep_their_traceback() -> None:
    command = Failing()
    command.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        command.run([], argparse.Namespace())


def test_arguments() -> None:
    assert one_argument(["-"], "FILE") == "-"
    assert one_of("json", ("text", "json"), "format") == "json"
    with pytest.raises(UserError, match="expected one FILE or URL, got 2"):
        one_argument(["a", "b"], "FILE or URL")
    with pytest.raises(UserError, match="expected one FILE"):
        one_argument([], "FILE")
    with pytest.raises(UserError, match=r"unknown option '--frmat=x'"):
        no_more_options(["a", "--frmat=x"])
    with pytest.raises(UserError, match="unknown format 'xml'; accepted: text, json"):
        one_of("xml", ("text", "json"), "format")
