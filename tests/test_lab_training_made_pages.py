from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from newscrawl.items import PageType
from newscrawl.lab.training.labelled import N_FOLDS
from newscrawl.lab.training.made_pages import HEAD, OFF, TEXT, Templates, made_of, made_page, made_pages
from newscrawl.lab.training.stories import Story

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATES = Templates()


def stories(language: str) -> list[Story]:
    said = (
        "这是报道{}的第{}段，写明昨天的决定。"
        if language == "zh"
        else "This is paragraph {1} of story {0}, a long one."
    )
    return [Story(f"{n}. title", tuple(said.format(n, at) for at in range(1, 8))) for n in range(6)]


SHELVES = {(fold, language): stories(language) for fold in range(N_FOLDS) for language in ("zh", "en")}


def test_marks_are_labels_and_leave_the_page(tmp_path: Path) -> None:
    page = made_page(
        Templates(tmp_path).page("article/one"),
        f"<h1 {HEAD}>A headline</h1><p>By somebody</p>"
        f"<div {TEXT}><p>First.</p><aside {OFF}>A plea.</aside><p>Second <b>and bold</b>.</p></div><p>Footer</p>",
    )
    assert page is not None
    assert page.texts == ("A headline", "By somebody", "First.", "A plea.", "Second and bold.", "Footer")
    assert page.gold.is_body.tolist() == [0, 0, 1, 0, 1, 0]
    assert page.gold.weight[0] < 2 == page.gold.weight[1]  # scores leave headlines out
    assert page.page.page_type == PageType.ARTICLE
    measures = page.lines.lines.measures
    assert not {TEXT, OFF, HEAD} & {name for node in measures.nodes for name in node.attrib}


def test_a_page_without_text_is_none(tmp_path: Path) -> None:
    assert made_page(Templates(tmp_path).page("other/none"), "<p>Only a footer</p>") is None


def test_a_template_has_stories_of_its_fold_and_its_language_alone() -> None:
    shelves = {
        (fold, language): [Story(f"fold {fold}", found[0].paragraphs)] * 6
        for (fold, language), found in SHELVES.items()
    }
    for page in made_pages(shelves, seed=1, templates=TEMPLATES):
        told = set(re.findall(r"fold (\d)", "\n".join(page.texts)))
        assert told <= {str(page.fold)}, page.page.id


def test_one_seed_gives_one_page() -> None:
    name = TEMPLATES.names[0]
    first, again, other = (made_of(TEMPLATES, name, [stories("en")], 0, seed) for seed in (1, 1, 2))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.texts == again.texts != other.texts


@pytest.mark.parametrize("name", TEMPLATES.names)
def test_each_template_makes_pages_of_text_and_other_lines(name: str) -> None:
    assert name.partition("/")[0] in set(PageType)
    language = "zh" if TEMPLATES.is_wide(name) else "en"
    page = made_of(TEMPLATES, name, [stories(language)], 0, seed=1)
    assert page is not None
    assert len(page.variants) >= 2
    shares = [float(page.gold.is_body.mean()), *(float(variant.is_body.mean()) for variant in page.variants)]
    assert all(0 < share < 1 for share in shares)
