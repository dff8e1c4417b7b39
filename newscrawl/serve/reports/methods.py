"""Methods compared on pages, as HTML: a picture, the table, and which pages each has wrong. It holds no page text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.serve.reports.charts import Bar, bars
from newscrawl.serve.reports.page import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.serve.training.own_corpus import MethodRow

WORST: Final = 50
"""Pages that are listed, those first on which the best method is furthest from the true text."""


def methods_page(rows: Sequence[MethodRow], pages: Sequence[tuple[str, str]]) -> str:
    """Return a self-contained page.

    :param pages: site and name of each page, as ``MethodRow.pages`` has them.
    """
    picture = bars("F1 of the text", [Bar(label=r.method, value=r.f1, low=r.low, high=r.high) for r in rows], top=1.0)
    by_page = [(site, name, [row.pages[at] for row in rows]) for at, (site, name) in enumerate(pages)]
    worst = sorted(by_page, key=lambda page: page[2][0])[:WORST]
    return render("methods.html.jinja", rows=rows, picture=picture, worst=worst, n_pages=len(pages))
