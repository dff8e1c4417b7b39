from __future__ import annotations

import numpy as np
import pytest

from lab.evaluation.made import HEAD, OFF, TEXT, Templates, made_page, text_scores
from newscrawl.items import PageType

TEMPLATES = Templates()
LEAST_F1 = {"article": 0.93, "forum": 0.8, "listing": 0.75, "product": 0.65, "other": 0.9}
"""Of the shipped network, which no template has taught: mean over the templates of a kind, by characters."""


def test_marks_are_labels_and_leave_the_page() -> None:
    page = made_page(
        f"<h1 {HEAD}>A headline</h1><p>By somebody</p>"
        f"<div {TEXT}><p>First.</p><aside {OFF}>A plea.</aside><p>Second <b>and bold</b>.</p></div><p>Footer</p>"
    )
    assert page.lines.shown == ["A headline", "By somebody", "First.", "A plea.", "Second and bold.", "Footer"]
    assert page.is_text.tolist() == [False, False, True, False, True, False]
    assert page.document.root is not None
    assert not {TEXT, OFF, HEAD} & {name for node in page.document.root.iter() for name in node.attrib}


def test_one_seed_gives_one_page() -> None:
    first, again, other = (TEMPLATES.draw(TEMPLATES.names[0], seed).lines.shown for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("name", TEMPLATES.names)
def test_each_template_makes_pages_of_text_and_other_lines(name: str) -> None:
    assert name.partition("/")[0] in set(PageType)
    for seed in range(2):
        assert 0 < TEMPLATES.draw(name, seed).is_text.mean() < 1


@pytest.mark.slow
def test_the_network_reads_systems_that_it_does_not_know() -> None:
    found = {kind: float(np.mean(scores)) for kind, scores in text_scores(1).items()}
    assert all(found[kind] >= least for kind, least in LEAST_F1.items()), found
