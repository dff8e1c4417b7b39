"""What a user's clicks add to the network: by place, and nothing where he said nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from newscrawl.classify.blocks.classifiers import SiteClassifier, get_classifier
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.model import judge_lines
from newscrawl.classify.lines.site_model import (
    FEATURES,
    KIND,
    SiteModel,
    block_odds,
    fit_site,
    load_site_model,
    places_of,
    save_site_model,
)
from newscrawl.classify.model_file import ModelFile, save_model
from newscrawl.classify.verdict import Speaker
from newscrawl.exceptions import UserError
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel

if TYPE_CHECKING:
    from pathlib import Path

MAIN, RELATED, OTHER = BlockLabel.MAIN, BlockLabel.RELATED, BlockLabel.OTHER


def fitted(*clicks: tuple[list[str], float, BlockLabel | None]) -> SiteModel:
    places, odds, labels = zip(*clicks, strict=True)
    return fit_site(places, np.array(odds), labels)


def test_a_click_moves_blocks_on_its_path_over_and_others_by_what_they_share() -> None:
    model = fitted((["p/div.a", "1:p"], -3.0, MAIN))
    same, alike, other = model.corrections([["p/div.a", "1:p"], ["p/div.b", "1:p"], ["li"]])
    assert -3 + same > 0
    assert alike == pytest.approx(same / 2)
    assert other == 0


def test_the_optimum_is_that_of_the_ridge() -> None:
    # one sample, one feature, ridge 1: w is label less probability at the optimum
    model = fit_site([["p"]], np.array([0.0]), [MAIN], ridge=1.0)
    weight = model.weights["p"]
    assert weight == pytest.approx(1 - 1 / (1 + np.exp(-weight)), abs=1e-8)


def test_a_click_that_the_network_agrees_with_changes_little() -> None:
    agreed = fitted((["p"], 3.0, MAIN)).corrections([["p"]])[0]
    against = fitted((["p"], 3.0, OTHER)).corrections([["p"]])[0]
    assert 0 < agreed < 1
    assert against < -3


def test_where_labels_of_a_path_differ_the_network_decides() -> None:
    model = fitted((["p"], -3.0, MAIN), (["p"], -3.0, OTHER), (["li"], 1.0, RELATED))
    assert model.corrections([["p"]])[0] == 0
    assert model.kinds["li"] is RELATED


def test_what_was_left_as_it_was_shown_stays_so() -> None:
    click = (["p/div.ad", "1:p"], 3.0, OTHER)
    alone = fitted(click).corrections([["p/div.text", "1:p"]])[0]
    left = fitted(click, *[(["p/div.text", "1:p"], 3.0, None)] * 9).corrections(
        [["p/div.text", "1:p"], ["p/div.ad", "1:p"]]
    )
    assert alone < -2
    assert left[0] > -1
    assert left[1] < -3


def test_silence_says_nothing_of_a_path_with_a_label() -> None:
    silent = [(["p/div.a", "1:p"], -3.0, None)] * 9
    model = fitted((["p/div.a", "1:p"], -3.0, MAIN), *silent)
    assert model.corrections([["p/div.a", "1:p"]])[0] > 3


def test_places_leave_out_numbers_and_hold_short_texts() -> None:
    html = "<div id=post-12 class='b a'><p>See all 9 stories</p></div><ul><li>one</li></ul>"
    document = Document.from_html(html.encode(), None)
    blocks = crawl_blocks(document)
    whole, *parts = places_of(blocks, document.measures)[0]
    assert "div#post-0.a.b" in whole
    assert "text:See all 0 stories" in parts


TEXT = "<p>" + "The council met on Monday and spoke about the bridge; nobody was hurt, the mayor said later. " * 4
LINKS = "".join(f"<li><a href=/{number}>A football match, part {number} of the season</a>" for number in range(8))
PAGE = f"<title>Bridge</title><h1>Bridge</h1><div class=text>{TEXT * 3}</div><ul class=more>{LINKS}</ul>"


def test_a_page_without_a_corrected_place_is_judged_as_before() -> None:
    document = Document.from_html(PAGE.encode(), None)
    before = document.once(judge_lines)
    _, after = SiteClassifier(fitted((["li"], -3.0, MAIN))).judge(crawl_blocks(document), document, before)
    assert after is before


def test_a_correction_is_another_verdict_and_leaves_the_networks_as_it_is() -> None:
    document = Document.from_html(PAGE.encode(), None)
    blocks = crawl_blocks(document)
    network = document.once(judge_lines)
    places, odds = places_of(blocks, document.measures), block_odds(network, document, blocks)
    more = next(number for number, block in enumerate(blocks) if "part 1" in block.text)
    assert odds[more] < 0
    classifier = SiteClassifier(fit_site([places[more]], odds[[more]], [MAIN]))
    once, verdict = classifier.judge(blocks, document, network)
    assert once[more].label is MAIN
    assert verdict.by is Speaker.LABELS
    assert verdict.is_body.sum() > network.is_body.sum() > 0
    assert classifier.classify(blocks, document) == once
    assert document.once(judge_lines) is network
    assert network.by is Speaker.NETWORK


def test_a_model_is_the_same_when_read_again(tmp_path: Path) -> None:
    path = tmp_path / "town.npz"
    model = fitted((["p/手机", "1:p"], -3.0, MAIN), (["li"], 1.0, RELATED))
    save_site_model(path, model, {})
    assert load_site_model(path) == model
    assert isinstance(get_classifier(str(path)), SiteClassifier)


def test_a_file_of_another_shape_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "town.npz"
    save_model(path, ModelFile(kind=KIND, features=FEATURES, arrays={"places": np.array(["p"])}, provenance={}))
    with pytest.raises(UserError, match=r"is no model file"):
        get_classifier(str(path))
