"""Labels and pointers between the paragraphs."""

from __future__ import annotations

import numpy as np
import pytest

from newscrawl.dom.document import Document
from newscrawl.extractors import extract
from newscrawl.network.features import page_lines
from newscrawl.network.inserts import add_short

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday")
PARAGRAPH = (
    "The council met on {} to talk about the bridge, which has been closed since the spring. "
    "It will be repaired before the winter, the mayor said, and the work will take eleven weeks."
)


def page(insert: str) -> str:
    """Return an article with ``insert`` between each two of its paragraphs."""
    text = f"<p>{insert}</p>".join(f"<p>{PARAGRAPH.format(day)}</p>" for day in DAYS)
    return f"""<html><head><title>The bridge</title></head><body>
        <h1>The bridge will be repaired</h1><div class="article"><div class="text">{text}</div></div></body></html>"""


@pytest.mark.parametrize(
    "label", ["Advertisement", "- ADVERTISEMENT -", "Anzeige", "广告", "（廣告）", "Реклама", "광고"]
)
def test_labels_of_advertising_are_left_out(label: str) -> None:
    text = extract(page(label)).text
    assert all(PARAGRAPH.format(day) in text for day in DAYS)
    assert label not in text


@pytest.mark.parametrize(
    "head",
    [
        "ALSO READ:",
        "Les også:",
        "Lesen Sie auch –",
        "Читайте также:",
        "相关阅读：",
        "【延伸閱讀】",
        "上一篇：",
        "Baca juga:",
        "اقرأ أيضا:",
    ],
)
def test_pointers_to_other_stories_are_left_out(head: str) -> None:
    text = extract(page(f'{head} <a href="/birds.html">Forty kinds of birds were counted in the harbour</a>')).text
    assert all(PARAGRAPH.format(day) in text for day in DAYS)
    assert "birds" not in text


@pytest.mark.parametrize(
    "told",
    [
        "Read: the mayor did not, and he says so.",
        'Related works stand in <a href="/hall.html">the hall</a> until the end of May, says the museum on its pages.',
        "The advertisement was seen by forty people.",
    ],
)
def test_sentences_stay(told: str) -> None:
    text = extract(page(told)).text
    assert told[:20] in text


@pytest.mark.parametrize(
    ("insert", "is_text"),
    [
        ("No.", True),
        ("(二)", True),
        ("Who pays", True),
        ("Photo: Anna Lindner", False),
        ("本报记者 王小明 摄", False),
        ('<a href="/birds.html">Birds</a>', False),
        ("A line of this length is a caption of a picture as often as it is a part of the text", False),
    ],
)
def test_short_lines_between_those_of_the_text_are_of_it(insert: str, *, is_text: bool) -> None:
    lines = Document.from_html(page(insert)).once(page_lines)
    assert lines is not None
    paragraphs = np.array([lines.lines.text(line).startswith("The council") for line in range(len(lines.lines))])
    is_body = paragraphs.copy()
    add_short(is_body, lines)
    assert int(is_body.sum()) == len(DAYS) + is_text * (len(DAYS) - 1)


def test_short_lines_of_another_make_are_not_taken_in() -> None:
    turns = "".join(f"<p>{PARAGRAPH.format(day)}</p><p class=share>Share</p>" for day in DAYS)
    lines = Document.from_html(f"<body><h1>The bridge</h1><div>{turns}</div>").once(page_lines)
    assert lines is not None
    is_body = np.array([lines.lines.text(line).startswith("The council") for line in range(len(lines.lines))])
    add_short(is_body, lines)
    assert int(is_body.sum()) == len(DAYS)


def test_short_answers_stay_in_an_interview() -> None:
    turns = "".join(
        f"<p>{PARAGRAPH.format(day)}</p><p>{short}</p>"
        for day, short in zip(DAYS, ("No.", "Never.", "(二)", ""), strict=True)
    )
    text = extract(page("</p>" + turns + "<p>")).text
    assert [line for line in text.split("\n") if len(line) < 10][:3] == ["No.", "Never.", "(二)"]
