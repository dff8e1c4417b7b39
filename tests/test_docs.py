"""The documentation: links lead somewhere, references are those of the code, the menu names pages that are there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from lab import docs_site, tools_page
from lab.reference_pages import PAGES
from newscrawl.console.setting_check import DEFAULTS
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
