"""The report of a focused crawl as HTML, drawn from the figures that the crawl left."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from newscrawl.exceptions import UserError
from newscrawl.serve.reports.charts import curve
from newscrawl.serve.reports.page import render

if TYPE_CHECKING:
    from pathlib import Path


def focused_page(figures: dict[str, Any]) -> str:
    """Return the report of a focused crawl.

    :param figures: as :func:`newscrawl.extensions.harvest_rate.focused_figures` gives them.
    """
    title, name = "Harvest rate: relevant pages among those fetched", "by the crawler's judgement"
    picture = curve(title, figures["curve"], name=name, x_label="pages", y_label="rate")
    return render("focused.html.jinja", report=figures, picture=picture)


def read_figures(path: Path) -> dict[str, Any]:
    """Read the figures that a focused crawl wrote.

    :raises UserError: the file is not there, or holds something else.
    """
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"--focused {str(path)!r}: {getattr(error, 'strerror', None) or 'no JSON'}") from None
    if not isinstance(figures, dict) or not figures.get("curve"):
        raise UserError(f"--focused {str(path)!r}: no figures of a focused crawl (setting NEWSCRAWL_FOCUSED_REPORT)")
    return figures
