"""What a page, a server or a database says never steers a terminal, and reaches files as it is."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from newscrawl.console.program import without_controls
from tests.crawling import PROJECT

STEERING = {
    "clear the screen": "\x1b[2J",
    "a title": "\x1b]0;owned\x07",
    "a colour": "\x1b[31m",
    "a link": "\x1b]8;;http://evil/\x1b\\here\x1b]8;;\x1b\\",
    "the clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "a colour in C1": "\x9b31m",
    "a device string": "\x90+q544e\x9c",
    "the cursor": "\x1b[5A\x1b[1G",
    "backspaces": "safe\x08\x08\x08\x08evil",
    "another order": "\u202etxt.exe\u202c \u2066a\u2069",
    "carried over": "a\x0bb\x0cc",
    "NUL and delete": "a\x00b\x7f",
}
CODE = """
import logging, sys
from newscrawl.console.command import make_console, plain_table
from newscrawl.console.program import print_any_text
print_any_text()
text = sys.argv[1].encode("ascii").decode("unicode_escape")
sys.stdout.write(f"begin {text} end\\n")
print("begin", text, "end", file=sys.stderr)
logging.basicConfig(stream=sys.stderr)
logging.warning("begin %s end", text)
table = plain_table("begin " + text, "one")
table.add_row(f"begin {text} end")
make_console().print(table)
"""


@pytest.mark.parametrize("text", STEERING.values(), ids=STEERING)
def test_a_text_without_controls(text: str) -> None:
    shown = without_controls(f"begin {text} end\t\n")
    assert shown.startswith("begin ")
    assert shown.endswith(" end\t\n")
    assert not any(char in "\x07\x08\x0b\x0c\x1b\x7f\x9b\x90\x9c\u202e\u2066\x00" for char in shown)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_nothing_steers_a_terminal(is_terminal: bool) -> None:
    text = "".join(text for name, text in STEERING.items() if "NUL" not in name)
    words = [sys.executable, "-c", CODE, text.encode("unicode_escape").decode("ascii")]
    if not is_terminal:
        done = subprocess.run(words, cwd=PROJECT, capture_output=True, check=True)  # noqa: S603 (our words)
        assert done.stdout.decode().startswith(f"begin {text} end\n")
        return
    master, slave = pty.openpty()
    with subprocess.Popen(words, cwd=PROJECT, stdout=slave, stderr=slave) as process:  # noqa: S603 (our words)
        os.close(slave)
        said = b""
        try:
            while data := os.read(master, 65_536):
                said += data
        except OSError:  # the other end is closed
            pass
        process.wait(30)
    os.close(master)
    shown = said.decode().replace("\r\n", "\n").replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert shown.count("begin") == 5
    assert not any(char in "\x07\x08\x0b\x0c\x1b\x7f\x9b\x90\x9c\u202e\u2066" for char in shown)
