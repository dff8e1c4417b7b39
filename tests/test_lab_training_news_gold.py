from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lab.evaluation.corpus import load
from lab.training.news_gold import line_gold
from tests.corpora import write_set

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "The harbour was closed on Monday because of the storm."
SECOND = "Ferries will sail again as soon as the wind allows it."
OTHER = "A baker in the old town has won the prize for the best bread."


def labels(folder: Path, texts: list[str], gold: dict[str, Any]) -> tuple[list[float], list[float]]:
    record = {"id": "a", "site": "a.example", "gold": gold, "markup": "<h1>Storm closes the old harbour</h1>"}
    (page,) = load(write_set(folder, "s", [record]))
    found = line_gold(page, texts)
    assert found is not None
    return found.is_body.tolist(), found.weight.tolist()


@pytest.mark.parametrize(
    ("texts", "gold", "expected"),
    [
        ([FIRST, SECOND, OTHER], f"{FIRST}\n{SECOND}", [1, 1, 0]),
        # the teaser above the article repeats its first sentence
        ([FIRST, OTHER, FIRST, SECOND], f"{FIRST}\n{SECOND}", [0, 0, 1, 1]),
        # a short line counts where it stands between lines of the body
        (["At sea", FIRST, "At sea", SECOND], f"{FIRST}\nAt sea\n{SECOND}", [0, 1, 1, 1]),
        # the lead stands elsewhere in the page than in the gold
        ([SECOND, FIRST, OTHER], f"{FIRST}\n{SECOND}", [1, 1, 0]),
        ([OTHER], FIRST, [0]),
        ([], FIRST, []),
    ],
)
def test_lines_of_the_gold(tmp_path: Path, texts: list[str], gold: str, expected: list[float]) -> None:
    is_body, _ = labels(tmp_path, texts, {"text": gold})
    assert is_body == expected


def test_a_headline_hardly_counts(tmp_path: Path) -> None:
    headline = "Storm closes the old harbour"
    is_body, weight = labels(tmp_path, [headline, FIRST], {"text": f"{headline}\n{FIRST}", "title": headline})
    assert is_body == [0, 1]
    assert weight[0] < 1 < weight[1]


def test_snippets_leave_other_lines_open(tmp_path: Path) -> None:
    gold = {"text": None, "with": [FIRST[:30]], "without": [OTHER]}
    is_body, weight = labels(tmp_path, [FIRST, SECOND, OTHER], gold)
    assert is_body == [1, 0, 0]
    assert weight[1] == 0
    assert min(weight[0], weight[2]) > 0
