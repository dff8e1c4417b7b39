"""The notebooks of ``examples`` run from their first cell to their last."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

NOTEBOOKS = sorted((PROJECT / "examples").glob("*.ipynb"))


def code_of(text: str) -> str:
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_the_notebooks_are_kept_without_output() -> None:
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells), path
        compile(code_of(path.read_text(encoding="utf-8")), str(path), "exec")


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: os.PathLike[str]) -> None:
    with open(path, encoding="utf-8") as file:
        code = code_of(file.read())
    done = subprocess.run(  # noqa: S603 (our own words)
        [sys.executable, "-c", code],
        cwd=PROJECT / "examples",
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip()
