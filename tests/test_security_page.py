"""SECURITY.md names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def named() -> list[tuple[str, str]]:
    return NAMED.findall((TESTS.parent / "SECURITY.md").read_text(encoding="utf-8"))


def test_that_each_test_it_names_is_there() -> None:
    there: dict[str, set[str]] = {}
    for file, _ in named():
        path = TESTS / file
        body = ast.parse(path.read_text(encoding="utf-8")).body if path.exists() else []
        there[file] = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    assert [f"{file}::{name}" for file, name in named() if name not in there[file]] == []


def test_that_each_threat_names_one() -> None:
    rows = [row for row in (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8").splitlines() if row[:2] == "| "]
    assert len(rows) > 20
    threats = [row for row in rows if not row.startswith("| Threat")]
    assert [row for row in threats if not NAMED.search(row) and not row.endswith("| the same |")] == []
