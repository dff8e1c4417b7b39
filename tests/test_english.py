"""Docstrings and ``#:`` comments stand alone: none begins without its subject."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADLESS = re.compile(r"(?:Of|So|As|Nor|The same|Likewise)\b")
COMMENT = re.compile(r"^\s*#: ((?:Of|So|As|Nor|The same|Likewise)\b.*)", re.MULTILINE)
FILES = sorted(path for folder in ("newscrawl", "lab") for path in (PROJECT / folder).rglob("*.py"))


def headless(source: str) -> Iterator[str]:
    """Give the first lines of docstrings, and the lines of ``#:`` comments, that begin without a subject."""
    yield from COMMENT.findall(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            text = node.value.value.strip()
            if HEADLESS.match(text):
                yield text.splitlines()[0]


def test_no_docstring_begins_without_its_subject() -> None:
    found = [f"{path.relative_to(PROJECT)}: {line}" for path in FILES for line in headless(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        '"""Of a page."""',
        "X = 1\n'''So many pages.'''",
        "#: Of reports.\nX = 1",
        'def f():\n    """The same for lists."""',
    ],
)
def test_a_head_without_a_subject_is_seen(source: str) -> None:
    assert len(list(headless(source))) == 1


def test_other_heads_are_left_alone() -> None:
    assert list(headless('#: Size of a page. So it is.\nX = 1\n"""Offers of a page, as they stand."""')) == []
