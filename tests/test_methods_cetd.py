"""CETD-DS on a tree whose densities are worked out by hand."""

from __future__ import annotations

from math import e, log

import pytest

from newscrawl.methods.cetd import CETDExtractor, composite_densities, content_rows, density_sums, threshold
from newscrawl.page import Document

# body (32 characters, 12 of them in 2 links)
# ├── ul (12 characters, 2 li, 2 a: 4 tags below)
# └── div (20 characters, 2 p below)
PAGE = (
    "<body><ul><li><a href=1>aaaaaa</a></li><li><a href=2>bbbbbb</a></li></ul>"
    "<div><p>cccccccccc</p><p>dddddddddd</p></div></body>"
)


def rows_of(document: Document, tag: str) -> list[int]:
    return [row for row, found in enumerate(document.measures.tags) if found == tag]


def test_composite_density_by_hand() -> None:
    """eq. 3.

    p: C = 10, T = 0 → 1, LC = 0 → 1, LT = 0 → 1, ¬LC = 10.
       base ln(10/10·0 + 12/32·10 + e) = ln(6.468) = 1.8669; CTD = 10/1 · log(10/1 · 1/1) / log(1.8669) = 36.88
    div: C = 20, T = 2: base ln(12/32·20 + e) = ln(10.218) = 2.3242; CTD = 20/2 · ln(20 · 2)/ln(2.3242) = 43.74
    ul: C = LC = 12, ¬LC = 0 → 1, T = 4, LT = 2: base ln(12·12 + 12/32·12 + e) = ln(151.2) = 5.0187;
        CTD = 12/4 · ln(12/12 · 4/2)/ln(5.0187) = 1.289
    """
    document = Document.from_html(PAGE)
    densities = composite_densities(document.measures)
    (ul,), (div,), (p, _) = (rows_of(document, tag) for tag in ("ul", "div", "p"))
    assert densities[p] == pytest.approx(10 * log(10) / log(log(3.75 + e)))
    assert densities[p] == pytest.approx(36.88, abs=0.01)
    assert densities[div] == pytest.approx(43.74, abs=0.01)
    assert densities[ul] == pytest.approx(1.289, abs=0.001)


def test_density_sum_and_threshold_by_hand() -> None:
    """eq. 4: DensitySum(div) = 2 · 36.88 = 73.76, the greatest; its density 43.74 is the threshold, ul is below."""
    document = Document.from_html(PAGE)
    densities = composite_densities(document.measures)
    sums = density_sums(document.measures, densities)
    (div,) = rows_of(document, "div")
    assert sums[div] == pytest.approx(73.76, abs=0.02)
    assert threshold(document.measures, densities, sums) == densities[div]
    assert content_rows(document.measures, densities, sums) == [div]
    assert CETDExtractor().extract(document).text == "cccccccccc\ndddddddddd"


def test_without_links_the_density_is_text_per_tag() -> None:
    document = Document.from_html("<body><div><p>cccc</p></div></body>")
    densities = composite_densities(document.measures)
    assert densities[rows_of(document, "div")[0]] == 4.0


@pytest.mark.parametrize("page", ["", "<body></body>", "<body><script>x</script></body>", "<p hidden>x"])
def test_a_page_without_text_gives_none(page: str) -> None:
    assert CETDExtractor().extract(Document.from_html(page)).text in {"", "x"}
