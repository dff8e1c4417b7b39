"""The walk of CONTRIBUTING: each step names a file and a function that is defined in it."""

from __future__ import annotations

import ast
import re

import pytest

from tests.conftest import PROJECT

STEP = re.compile(r"^\| (\d+) \| \[([\w/.]+)\]\(([\w/.]+)\) \| `([\w.]+)` \| .+ \|$", re.MULTILINE)
STEPS = STEP.findall((PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def defined_in(source: str) -> set[str]:
    """Return the functions of a module, and the methods of its classes as ``Class.method``."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            found |= {f"{node.name}.{method.name}" for method in methods}
    return found


def test_the_walk_has_at_most_fourteen_steps() -> None:
    assert [int(number) for number, *_ in STEPS] == list(range(1, len(STEPS) + 1))
    assert 10 <= len(STEPS) <= 14


@pytest.mark.parametrize(("number", "file", "link", "function"), STEPS)
def test_a_step_is_there(number: str, file: str, link: str, function: str) -> None:
    assert file == link, number
    assert function in defined_in((PROJECT / file).read_text(encoding="utf-8"))
