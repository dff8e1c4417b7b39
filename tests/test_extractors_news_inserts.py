"""Labels and pointers between the paragraphs."""

from __future__ import annotations

import pytest

from newscrawl.extractors import extract

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
