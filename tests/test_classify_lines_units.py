from __future__ import annotations

import numpy as np
import pytest

from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.posts import find_posts
from newscrawl.classify.lines.units import odds_over, unite
from newscrawl.page.document import Document

PROSE = "<p>The river rose by two metres over night, and the bridge was closed.</p>"
CODE = "<pre>sort words.txt | uniq</pre>"
TABLE = "<table><tr><th>Year<th>Level</tr><tr><td>2021<td>3 m</tr><tr><td>2022<td>5 m</tr></table>"
LONG = "<p>" + "The bridge was closed for the night, and nobody crossed the water. " * 3 + "</p>"
PICTURE = "<figure><img src=a.jpg></figure>"


def united(html: str, *likely: str) -> list[str]:
    """Return the lines taken for text of a page where those that begin with one of ``likely`` were."""
    page = page_lines(Document.from_html(f"<body><h1>River</h1>{html}</body>"))
    assert page is not None
    texts = page.lines.texts(range(len(page.lines)))
    is_body = np.array([text.startswith(likely) for text in texts])
    unite(is_body, page, np.where(is_body, 2.0, -1.0), find_posts(page))
    return [text for text, is_text in zip(texts, is_body, strict=True) if is_text]


@pytest.mark.parametrize(
    ("html", "is_text"),
    [
        pytest.param(f"<div>{PROSE}{CODE}</div>", True, id="behind text"),
        pytest.param(f"<div>{PROSE}<div>{CODE}</div></div>", True, id="in an element of its own"),
        pytest.param(f"<div>{CODE}{PROSE}</div>", False, id="before text"),
        pytest.param(f"<div>{PROSE}</div><div><h2>Cite</h2>{CODE}</div>", False, id="elsewhere"),
        pytest.param(f"<div>{PROSE}<p>Advertisement</p>{CODE}</div>", False, id="behind what is no text"),
    ],
)
def test_code_behind_text_is_text(html: str, is_text: bool) -> None:
    assert ("sort words.txt | uniq" in united(html, "The")) is is_text


@pytest.mark.parametrize(
    ("html", "likely", "n_cells"),
    [
        pytest.param(f"<div>{PROSE}{TABLE}{PROSE}</div>", (), 6, id="between text"),
        pytest.param(f"<div>{PROSE}{TABLE}</div>", (), 0, id="behind it"),
        pytest.param(f"<div>{PROSE}{TABLE}</div>", ("20", "3"), 6, id="most of its cells are text"),
        pytest.param(f"<div>{PROSE}{TABLE}</div>", ("Year",), 1, id="one of its cells is text"),
        pytest.param(f"<div>{PROSE}</div><div>{TABLE}<p>More</p></div>", ("20", "3"), 3, id="elsewhere"),
        pytest.param(f"<div>{PROSE}{TABLE.replace('2021', LONG)}{PROSE}</div>", (), 1, id="of a layout"),
    ],
)
def test_cells_of_a_table_stand_together(html: str, likely: tuple[str, ...], n_cells: int) -> None:
    kept = united(html, "The", *likely)
    assert len([text for text in kept if not text.startswith("The river")]) == n_cells


@pytest.mark.parametrize(
    ("beside", "is_text"),
    [
        pytest.param(f"<div>{PICTURE}<div>{LONG}</div></div>", True, id="in an element of its own"),
        pytest.param(f"<div>{PICTURE}{LONG}</div>", False, id="in one with the picture"),
        pytest.param(f"<div>{PICTURE}<div class=photo-caption>{LONG}</div></div>", False, id="named a caption"),
        pytest.param(f"<figure><img src=a.jpg><div>{LONG}</div></figure>", False, id="in a figure"),
        pytest.param(f"<div><div>{LONG}</div></div>", False, id="no picture"),
    ],
)
def test_a_paragraph_beside_a_picture_is_text(beside: str, is_text: bool) -> None:
    assert len(united(f"<div>{PROSE}{beside}{PROSE}</div>", "The river")) == 2 + is_text


def test_odds_are_counted_from_the_threshold() -> None:
    odds = odds_over(np.array([0.5, 0.2, 0.0, 1.0], dtype=np.float32), 0.5)
    assert odds == pytest.approx([0.0, np.log(0.25), -4.0, 4.0], abs=1e-5)
