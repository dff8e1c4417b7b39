import pytest

from lab.evaluation.snippets import SnippetScore, snippet_score, total


def test_snippets() -> None:
    score = snippet_score(["one two", "三 四"], ["menu", "footer"], "One\ntwo … 三四 … MENU")
    assert score == SnippetScore(found=2, missing=0, wrong=1, absent=1)
    assert score.precision == pytest.approx(2 / 3)
    assert score.accuracy == 0.75
    both = total([score, snippet_score(["gone"], [], "")])
    assert [both.found, both.missing, both.recall] == pytest.approx([2, 1, 2 / 3])
