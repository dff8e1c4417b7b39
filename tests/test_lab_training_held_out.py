from __future__ import annotations

from pathlib import Path

import pytest

from lab.evaluation.corpus import CorpusPage
from lab.evaluation.hand_labels import read_labels
from lab.training.held_out import fold_path, news_provenance, split_variant, variant_of
from lab.training.labelled import N_FOLDS, fold_of
from lab.training.news import SHIPPED_SETS
from newscrawl.classify.lines.model import DEFAULT_MODEL

UNSHIPPED = ("l3s", "dragnet", "cleaneval", "cleanportal", "swde")


def page(site: str) -> CorpusPage:
    return CorpusPage(id="1", set="daniel", path=Path("1.html"), site=site)


@pytest.mark.parametrize("fold", range(N_FOLDS))
def test_a_site_trained_on_is_judged_by_the_model_that_has_not_seen_it(fold: int) -> None:
    site = news_provenance(fold_path(fold))["left_out"][0]
    assert variant_of("news", page(site)) == f"news@{fold}"
    assert split_variant(f"news@{fold}") == ("news", {"model": str(fold_path(fold))})
    assert fold_of(site) == fold


def test_other_sites_and_methods_are_judged_as_they_are() -> None:
    site = news_provenance(fold_path(0))["left_out"][0]
    assert variant_of("news", page("never.example")) == "news"
    assert variant_of("rules", page(site)) == "rules"
    assert split_variant("rules") == ("rules", {})


def test_no_site_is_in_two_folds_and_no_set_for_tests_was_trained_on() -> None:
    left_out = [site for fold in range(N_FOLDS) for site in news_provenance(fold_path(fold))["left_out"]]
    assert len(left_out) == len(set(left_out))
    by_hand = {page.split("/")[1] for page in read_labels()}
    assert set(news_provenance(DEFAULT_MODEL)["counts"]["sets"]) <= {*SHIPPED_SETS, *by_hand}
    assert not {*SHIPPED_SETS, *by_hand} & set(UNSHIPPED)


def test_the_models_are_small() -> None:
    paths = [DEFAULT_MODEL, *(fold_path(fold) for fold in range(N_FOLDS))]
    assert sum(path.stat().st_size for path in paths) <= 3_000_000
