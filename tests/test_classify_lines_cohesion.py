"""Words that lines share: by hand-made pages in scripts with and without spaces."""

from __future__ import annotations

import numpy as np
import pytest

from newscrawl.classify.lines.cohesion import MAX_LETTERS, bare_words, cohesion, controls, words_in
from newscrawl.classify.lines.columns import COHESION
from newscrawl.languages.characters import codes_of
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features

PAGE = """<html><head><title>Bridge closed for repairs</title><meta name="description" content="Engineers found rust.">
</head><body><h1>Bridge closed for repairs</h1>
<p>The bridge over the river was closed on Monday, the council said, after engineers found cracks in a pillar.</p>
<p>Engineers will inspect every pillar of the bridge, and the council expects repairs to take eleven weeks, it said.</p>
<p>Subscribe now, dear reader, because quality journalism, sadly, costs considerable money.</p>
<ul><li><a href="/1">Football results</a></li><li><a href="/2">Football tables</a></li></ul></body></html>"""


def columns(markup: str) -> dict[str, dict[str, float]]:
    """Return the columns of each line, by its text."""
    document = Document.from_html(markup)
    texts = document.once(line_features).lines.shown
    found = cohesion(document)
    assert found.shape == (len(COHESION), len(texts))
    return {text: dict(zip(COHESION, found[:, line].tolist(), strict=True)) for line, text in enumerate(texts)}


def test_a_plea_shares_no_words_with_the_article() -> None:
    lines = columns(PAGE)
    first, second, plea = (
        next(line for text, line in lines.items() if text.startswith(word)) for word in ("The", "En", "Sub")
    )
    assert first["in_prose"] == pytest.approx(5 / 12)  # bridge, council, said, engineers, pillar
    assert second["in_near_prose"] == second["in_first_prose"] == pytest.approx(5 / 13)
    assert first["in_near_prose"] == 0  # nothing stands before it
    assert first["in_title"] > 0
    assert first["in_description"] == pytest.approx(2 / 12)  # engineers, found
    assert plea["in_prose"] == plea["in_title"] == plea["prose_cosine"] == 0
    assert plea["alone"] == 1
    assert lines["Football results"]["in_links"] == pytest.approx(1 / 2)
    assert lines["Football results"]["n_words"] == pytest.approx(np.log1p(2))


def test_pairs_of_ideographs_are_words() -> None:
    lines = columns(
        "<title>大桥维修</title><p>市政府宣布，大桥将于周一关闭，工程师发现了裂缝，行人须绕行。</p>"
        "<p>工程师将检查大桥的每一根桥墩，预计维修需要十一周，公交线路改道。</p><p>本站欢迎广告合作，请拨打电话，谢谢。</p>"
    )
    first, second, notice = lines.values()
    assert second["in_near_prose"] > 0.1
    assert second["in_title"] > first["in_title"] > notice["in_title"] == 0
    assert notice["in_prose"] == 0


def test_words_are_told_without_their_case_and_end() -> None:
    def words(text: str) -> list[int]:
        found: list[int] = words_in(codes_of(text))[1].tolist()
        return found

    assert words("Bridges") == words("BRIDGES") == words("«bridges»")
    assert words("мост Мосты") == [words("мост")[0], words("мосты")[0]]
    assert words("the of an") == []
    assert words("a" * MAX_LETTERS + "b") == words("a" * MAX_LETTERS + "c")
    assert len(words("大桥维修")) == 3


@pytest.mark.parametrize("markup", ["<p>", "<p>One</p>", "<p>12 34</p>", "<p>大</p>"])
def test_lines_without_words_share_none(markup: str) -> None:
    document = Document.from_html(f"<html><body>{markup}<p>.</p></body></html>")
    assert not cohesion(document).any()


CONTROLS = (
    "Listen to this report", "3:05 Print this report", "Diesen Beitrag anhören", "Écouter le reportage",
    "Escuchar esta noticia", "Ouvir esta notícia", "Распечатать статью", "分享本文", "기사 공유하기",
    "Posłuchaj tego artykułu", "Luister naar dit verhaal",
)  # fmt: skip
"""Controls of pages. The model has learnt few of them word for word."""
HEADS = (
    "The night ferry", "What happens next", "Die Fähre am Morgen", "Wer zahlt?", "La suite du procès", "Lo que sigue",
    "Старый мост", "谁来付钱", "橋の上の朝", "Co dalej", "Wat nu?",
)  # fmt: skip
"""Short lines of stories."""


def test_controls_are_known_by_their_wording() -> None:
    assert controls(CONTROLS).min() > 1.5
    assert controls(HEADS).max() < 1


@pytest.mark.parametrize("texts", [(), ("",), ("1 2 3", "|"), ("a",)])
def test_texts_without_words_are_no_controls(texts: tuple[str, ...]) -> None:
    assert (controls(texts) < 1).all()
    assert all(bare_words(text) == "" for text in texts)
