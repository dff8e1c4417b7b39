"""Pages that we labelled by hand: their lines are found again, and agree with what the makers of the sets labelled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lab.evaluation.corpus import load_all
from lab.evaluation.hand_labels import hand_label, line_names, page_name, read_labels
from lab.evaluation.page_types import known_type
from lab.training.news_gold import line_gold
from newscrawl.items import PageType
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features

if TYPE_CHECKING:
    from pathlib import Path

    from lab.evaluation.corpus import CorpusPage

TESTED_ONLY = {"l3s", "cleaneval", "cleanportal", "swde", "dragnet"}


def test_a_label_names_lines_without_their_text(tmp_path: Path) -> None:
    lines = ["Ferries sail again", "The wind has calmed.", "Ferries sail again", "The  wind has calmed."]
    names = line_names(lines)
    assert len(set(names)) == len(lines)
    file = tmp_path / "labels.jsonl"
    record = {"page": "corpus/made/1", "type": "article", "body": f"{names[1]} {names[2]}", "headline": names[0]}
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    label = read_labels(file)["corpus/made/1"]
    assert [name in label.body for name in names] == [False, True, True, False]
    assert [name in label.headline for name in names] == [True, False, False, False]
    assert label.doubtful == frozenset()


def test_labels_are_of_sets_that_may_teach() -> None:
    labels = read_labels()
    assert len(labels) > 300
    assert not {page.split("/")[1] for page in labels} & TESTED_ONLY
    assert {known_type(label.page_type) for label in labels.values()} <= {kind.value for kind in PageType}


@pytest.fixture(scope="module")
def pages(shared: Path) -> list[CorpusPage]:
    """Every eighth labelled page."""
    return [page for page in load_all(shared / "corpus") if hand_label(page)][::8]


@pytest.mark.slow
def test_labelled_lines_stand_on_their_pages(pages: list[CorpusPage]) -> None:
    n_named = n_found = n_body = 0
    for page in pages:
        label, lines = hand_label(page), line_features(Document.from_html(page.read(), page.url)).lines
        assert label is not None
        texts = lines.texts(range(len(lines)))
        gold = line_gold(page, texts)
        assert gold is not None
        n_named += len(label.body)
        n_found += len(label.body & set(line_names(texts)))
        n_body += int(gold.is_body.sum())
    assert n_found == n_body
    assert n_found > 0.99 * n_named, "lines of a page are cut in another way than when it was labelled"


@pytest.mark.slow
def test_labels_agree_with_the_snippets_of_the_sets(pages: list[CorpusPage]) -> None:
    agreed = []
    for page in pages:
        if not page.gold.has_snippets:
            continue
        lines = line_features(Document.from_html(page.read(), page.url)).lines
        texts = lines.texts(range(len(lines)))
        gold = line_gold(page, texts)
        assert gold is not None
        for snippets, wanted in ((page.gold.must_have, 1.0), (page.gold.must_not_have, 0.0)):
            for snippet in snippets:
                held = [place for place, text in enumerate(texts) if len(snippet) > 30 and snippet in text]
                agreed += [bool(np.any(gold.is_body[held] == wanted))] if held else []
    assert len(agreed) > 30
    assert np.mean(agreed) > 0.9
    assert len({page_name(page) for page in pages}) == len(pages)
