"""What may import what: code about pages knows no Scrapy and no database, and no import goes round in a circle."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import newscrawl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(newscrawl.__file__).parent
#: The rooms of the package, the lowest first: each imports only rooms before it.
ROOMS = (
    "exceptions",
    "outcomes",
    "signals",
    "items",
    "default_settings",
    "console",
    "languages",
    "urls",
    "page",
    "classify",
    "links",
    "extract",
    "methods",
    "focus",
    "sites",
    "read",
    "extractors",
    "store",
    "net",
    "frontier",
    "spiders",
    "warc",
    "middlewares",
    "extensions",
    "pipelines",
    "serve",
    "commands",
    "addon",
    "settings",
    "__main__",
)
#: What may know of a crawl: Scrapy, Twisted, a database. All else is pure: it is used, and tested, without one.
CRAWL = (
    "addon",
    "commands",
    "console.command",
    "console.place",
    "extensions",
    "frontier",
    "middlewares",
    "net",
    "pipelines",
    "read.readers",
    "serve",
    "settings",
    "spiders",
    "store",
    "warc",
    "__main__",
)
#: What is pure of these.
PURE = (
    "net.addresses",
    "serve.reports.charts",
    "serve.search.facts",
    "serve.search.matching",
    "serve.search.query",
    "serve.search.terms",
    "serve.story_groups",
    "serve.training",
    "warc.archive",
    "warc.records",
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


def is_part(module: str, parts: tuple[str, ...]) -> bool:
    """Tell whether the module, or a name of it, belongs to one of the parts."""
    return any(f"{module}.".startswith(f"newscrawl.{part}.") for part in parts)


def is_pure(module: str) -> bool:
    return is_part(module, PURE) or not is_part(module, CRAWL)


def folder_of(module: str) -> str:
    """Return the folder below ``newscrawl``, or the module's own name."""
    return module.split(".")[1] if "." in module else module


def arrows_between(imports: Mapping[str, set[str]]) -> dict[str, dict[str, list[str]]]:
    """Return folder → imported folder → the imports that make the arrow."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for module, names in imports.items():
        for name in sorted(names):
            if name.startswith("newscrawl.") and name.split(".")[1] in ROOMS and folder_of(name) != folder_of(module):
                found[folder_of(module)][folder_of(name)].append(f"{module} imports {name}")
    return {folder: dict(arrows) for folder, arrows in found.items()}


def crawling_imports(imports: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    for module in filter(is_pure, imports):
        for name in sorted(imports[module]):
            own = name.startswith("newscrawl.") and not is_pure(name)
            if name.split(".")[0] in CRAWLING or own:
                yield module, name


def test_that_every_part_is_there(imports: dict[str, set[str]]) -> None:
    for part in CRAWL + PURE:
        assert any(is_part(module, (part,)) for module in imports), part


def test_that_code_about_pages_imports_nothing_of_a_crawl(imports: dict[str, set[str]]) -> None:
    assert list(crawling_imports(imports)) == []


def test_that_an_import_of_scrapy_would_be_seen() -> None:
    known = {"newscrawl.page.tree": {"scrapy", "newscrawl.store.schema", "newscrawl.items.Article", "math"}}

    assert list(crawling_imports(known)) == [
        ("newscrawl.page.tree", "newscrawl.store.schema"),
        ("newscrawl.page.tree", "scrapy"),
    ]


def test_that_the_product_imports_nothing_of_the_laboratory(imports: dict[str, set[str]]) -> None:
    assert [(module, name) for module, names in imports.items() for name in names if name.split(".")[0] == "lab"] == []


def test_that_rooms_import_only_those_before_them(imports: dict[str, set[str]]) -> None:
    rank = {room: number for number, room in enumerate(ROOMS)}
    upwards = [
        line
        for room, arrows in arrows_between(imports).items()
        for other, lines in arrows.items()
        for line in lines
        if rank[other] > rank[room]
    ]
    assert upwards == []


def test_that_only_commands_import_what_serves_a_harvest(imports: dict[str, set[str]]) -> None:
    importers = {line.split()[0] for arrows in arrows_between(imports).values() for line in arrows.get("serve", ())}
    assert {name for name in importers if not name.startswith("newscrawl.commands.")} == set()


def test_that_no_modules_import_each_other(imports: dict[str, set[str]]) -> None:
    graph = {
        module: {name if name in imports else name.rpartition(".")[0] for name in names} & imports.keys()
        for module, names in imports.items()
    }

    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_a_crawl_loads_neither_style_sheets_nor_what_trains() -> None:
    code = "import newscrawl.addon, newscrawl.extractors, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    loaded = done.stdout.split()

    assert {"cssselect2", "readability", "scipy", "sklearn", "tinycss2", "torch"}.isdisjoint(loaded)
    assert [name for name in loaded if name.startswith(("lab", "newscrawl.serve.training"))] == []


def test_a_command_does_not_wait_for_what_only_training_needs() -> None:
    """Scrapy imports the modules of all commands for each of them; scikit-learn and SciPy take a second."""
    code = (
        "import sys; from scrapy.utils.misc import walk_modules_iter; list(walk_modules_iter('newscrawl.commands'));"
        "list(walk_modules_iter('newscrawl.pipelines')); print(*{'sklearn', 'scipy', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == []


def test_that_the_process_of_a_crawl_leaves_reading_to_its_readers() -> None:
    code = (
        "import newscrawl.commands.crawl, newscrawl.pipelines.links, newscrawl.spiders.loader, sys; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    loaded = set(done.stdout.split())
    assert "newscrawl.read.readers" in loaded
    assert not loaded & {"newscrawl.read.read", "newscrawl.classify.lines.model", "newscrawl.extract.facts.dates"}
