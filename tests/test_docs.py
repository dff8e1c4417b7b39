"""The documentation: links lead somewhere, references are those of the code, the menu names pages that are there."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from lab import docs_site, method_pictures, tools_page
from lab.pictures import as_file
from lab.reference_pages import PAGES
from newscrawl.commands.cli import OWN
from newscrawl.console.check import DEFAULTS
from newscrawl.console.program import command_summaries, is_of_laboratory, options_of
from newscrawl.outcomes import Outcome, Rejection
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path


def test_every_link_leads_somewhere() -> None:
    assert docs_site.mistakes() == []


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("# A page\n[x](b.md) [y](#a-page) [z](a.md#b) `[no](link)` [web](https://e.org)\n")
    monkeypatch.setattr(docs_site, "ROOT", tmp_path)
    assert docs_site.mistakes() == ["a.md: b.md leads nowhere", "a.md: a.md#b leads nowhere"]


@pytest.mark.parametrize("name", PAGES)
def test_a_reference_is_that_of_the_code(name: str) -> None:
    written = (PROJECT / "docs" / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), "run python -m lab.reference_pages docs"


def test_the_page_of_every_tool_is_that_of_the_result_files() -> None:
    results = PROJECT / "data/results"
    assert (results / "extraction.md").read_text(encoding="utf-8") == tools_page.as_markdown(results)


def test_the_references_lack_nothing() -> None:
    settings, outcomes = PAGES["settings.md"](), PAGES["outcomes.md"]()
    assert all(f"| `{name}` |" in settings for name in DEFAULTS)
    assert all(f"| `{name}` |" in outcomes for name in (*Outcome, *Rejection))


def test_the_menu_names_every_page_of_the_documentation() -> None:
    listed = set(
        re.findall(r"^ +- [^:]+: (\S+\.md)$", (PROJECT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    there = {str(path.relative_to(PROJECT)) for path in docs_site.pages()}
    assert listed <= there
    assert {name for name in there if name.startswith("docs/")} <= listed


def test_the_pictures_of_methods_are_those_of_the_code() -> None:
    for name, draw in method_pictures.PICTURES.items():
        written = (PROJECT / "docs" / "methods" / f"{name}.svg").read_text(encoding="utf-8")
        assert written == as_file(draw()), "run python -m lab.method_pictures docs/methods"


@pytest.mark.parametrize("name", tools_page.WRITTEN)
def test_written_figures_are_those_of_the_result_files(name: str) -> None:
    folder = PROJECT / "data/results"
    news = json.loads((folder / "news.json").read_text(encoding="utf-8"))
    text = (folder / name).read_text(encoding="utf-8")
    head = text.partition(tools_page.WRITTEN[name])[0]
    assert head.count("–") > 6
    same = tools_page.with_figures(text, tools_page.WRITTEN[name], news)
    assert text == same, "run python -m lab.tools_page > data/results/extraction.md"


@pytest.mark.parametrize("name", tools_page.METHODS)
def test_the_row_of_the_default_method_is_that_of_its_result(name: str) -> None:
    news = json.loads((PROJECT / "data/results/news.json").read_text(encoding="utf-8"))
    text = (PROJECT / name).read_text(encoding="utf-8")
    assert text == tools_page.with_default_method(text, news), (
        "run python -m lab.tools_page > data/results/extraction.md"
    )
    for row in news["tables"][0]["rows"]:
        row[5] = 0.0
    assert text != tools_page.with_default_method(text, news)


_COMMAND = re.compile(r"^\$ newscrawl ([a-z]+)(.*)$", re.MULTILINE)


@pytest.mark.parametrize("page", docs_site.pages(), ids=lambda page: page.name)
def test_each_command_of_a_page_is_there_with_its_options(page: Path) -> None:
    """They are run by the tests of their commands. A page of the web, a server or a database is not at hand here."""
    known = {*command_summaries(), *OWN}
    for name, words in _COMMAND.findall(page.read_text(encoding="utf-8")):
        assert name in known or is_of_laboratory(name), name
        if name not in known:
            continue  # it asks for labelled pages, which are not in the repository
        typed = words.partition("  #")[0]
        options = set(re.findall(r"(?<=\s)--[a-z][a-z-]*", re.sub(r"'[^']*'", "", typed)))
        assert options <= {*options_of(name), "--help"}, f"{name}{words}"


def test_a_figure_of_the_page_of_methods_is_one_of_the_results() -> None:
    """Each share of the table of sources is that of a result file, to its third digit."""
    results = PROJECT / "data" / "results"
    names = ("segmentation", "training_set", "block_tables", "clustering", "layout", "lineblock", "localrel")
    numbers = {
        f"{number:.3f}"
        for name in names
        for number in map(float, re.findall(r"\b\d\.\d+", (results / f"{name}.json").read_text(encoding="utf-8")))
    }
    page = (PROJECT / "docs" / "methods.md").read_text(encoding="utf-8")
    ours = [row.split("|")[4] for row in page.splitlines() if row.startswith("| ") and row.count("|") == 7]
    shares = [f"0{share}" for cell in ours for share in re.findall(r"(?<![\d.])\.\d{3}\b", cell)]
    shares += [f"{float(share) / 100:.3f}" for cell in ours for share in re.findall(r"(\d+(?:\.\d)?) %", cell)]
    assert len(shares) >= 12
    assert [share for share in shares if share not in numbers] == []
