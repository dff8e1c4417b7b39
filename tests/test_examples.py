"""The notebooks of ``examples`` run from their first cell to their last."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from types import ModuleType

import pytest

from tests.conftest import PROJECT

NOTEBOOKS = sorted((PROJECT / "examples").glob("*.ipynb"))


def code_of(text: str) -> str:
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_the_notebooks_are_kept_without_output() -> None:
    assert len(NOTEBOOKS) == 8
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells), path
        compile(code_of(path.read_text(encoding="utf-8")), str(path), "exec")


def test_documents_of_opensearch_have_names_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    client, helpers = ModuleType("opensearchpy"), ModuleType("opensearchpy.helpers")  # only its users have it
    client.OpenSearch = helpers.bulk = None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "opensearchpy", client)
    monkeypatch.setitem(sys.modules, "opensearchpy.helpers", helpers)
    actions = runpy.run_path(str(PROJECT / "examples" / "to_opensearch.py"))["actions"]
    urls = ["https://e.org/a.html", f"https://e.org/{'%E6%96%87' * 80}", f"https://e.org/{'%E6%96%87' * 81}"]
    names = [action["_id"] for action in actions([json.dumps({"url": url}) for url in urls], "articles")]
    assert names[0] == urls[0]
    assert len(set(names)) == 3
    assert all(len(name.encode()) <= 512 for name in names)


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
