"""What may import what: code about pages knows no Scrapy and no database, and no import goes round in a circle."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import newscrawl

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(newscrawl.__file__).parent
#: Packages and modules that are to be used, and tested, without a crawl.
PURE = (
    "blocks",
    "dedupe",
    "discovery",
    "dom",
    "exceptions",
    "extractors",
    "fields",
    "files",
    "focus",
    "formats",
    "items",
    "joining",
    "lab.baselines",
    "lab.css",
    "lab.evaluation",
    "lab.experiments",
    "lab.training",
    "learn",
    "links",
    "metadata",
    "methods",
    "network",
    "outcomes",
    "page_type",
    "reading",
    "replay.archive",
    "replay.keys",
    "replay.records",
    "sites",
    "training",
    "truth",
    "urls",
    "web.svg",
)
CRAWLING = {"alembic", "itemadapter", "psycopg", "scrapy", "sqlalchemy", "twisted"}


class Imports(ast.NodeVisitor):
    """Collects the modules that are imported when a module runs; for its types alone does not count."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.names.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.module is not None
        self.names.update(f"{node.module}.{alias.name}" for alias in node.names)


def module_files() -> dict[str, Path]:
    """Return each module's file by its dotted name."""
    files = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def imported_by_module() -> dict[str, set[str]]:
    """Return the names each module imports, wherever in it."""
    found = {}
    for name, path in module_files().items():
        imports = Imports()
        imports.visit(ast.parse(path.read_text(encoding="utf-8")))
        found[name] = imports.names
    return found


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    return imported_by_module()


def pure_part(module: str) -> str | None:
    """Return which of ``PURE`` the module, or a name of it, belongs to."""
    return next((part for part in PURE if f"{module}.".startswith(f"newscrawl.{part}.")), None)


def crawling_imports(imports: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    for module in filter(pure_part, imports):
        for name in sorted(imports[module]):
            own = name.startswith("newscrawl.") and pure_part(name) is None
            if name.split(".")[0] in CRAWLING or own:
                yield module, name


def test_that_every_pure_package_is_there(imports: dict[str, set[str]]) -> None:
    assert set(map(pure_part, imports)) - {None} == set(PURE)


def test_that_code_about_pages_imports_nothing_of_a_crawl(imports: dict[str, set[str]]) -> None:
    assert list(crawling_imports(imports)) == []


def test_that_an_import_of_scrapy_would_be_seen() -> None:
    known = {"newscrawl.dom.tree": {"scrapy", "newscrawl.storage.schema", "newscrawl.items.Article", "math"}}

    assert list(crawling_imports(known)) == [
        ("newscrawl.dom.tree", "newscrawl.storage.schema"),
        ("newscrawl.dom.tree", "scrapy"),
    ]


def test_that_no_modules_import_each_other(imports: dict[str, set[str]]) -> None:
    graph = {
        module: {name if name in imports else name.rpartition(".")[0] for name in names} & imports.keys()
        for module, names in imports.items()
    }

    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_that_the_product_imports_nothing_of_the_laboratory(imports: dict[str, set[str]]) -> None:
    product = [name for name in imports if not name.startswith("newscrawl.lab")]

    assert [
        (name, other) for name in product for other in sorted(imports[name]) if other.startswith("newscrawl.lab")
    ] == []


def test_a_crawl_loads_neither_style_sheets_nor_what_trains() -> None:
    code = "import newscrawl.addon, newscrawl.extractors, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    loaded = done.stdout.split()

    assert {"cssselect2", "readability", "scipy", "sklearn", "tinycss2", "torch"}.isdisjoint(loaded)
    assert [name for name in loaded if name.startswith(("newscrawl.lab", "newscrawl.training"))] == []


def test_a_command_does_not_wait_for_what_only_training_needs() -> None:
    """Scrapy imports the modules of all commands for each of them; scikit-learn and SciPy take a second."""
    code = (
        "import sys; from scrapy.utils.misc import walk_modules_iter; list(walk_modules_iter('newscrawl.commands'));"
        "list(walk_modules_iter('newscrawl.pipelines')); print(*{'sklearn', 'scipy', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == []
