"""The report of a focused crawl: one HTML file, no script, nothing from outside; and the same figures as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newscrawl.focus.growth import Suggestion
from newscrawl.web.charts import Curve, chart
from newscrawl.web.page import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.focus.progress import Tally


def focused_figures(tally: Tally, suggestions: Sequence[Suggestion] = (), **about: Any) -> dict[str, Any]:
    """Return the figures of a focused crawl as JSON values; relevance is the crawler's own judgement.

    :param suggestions: what the crawl would add to the topic.
    :param about: ``topic``, ``strategy``, ``site`` and ``n_requests`` of the crawl.
    """
    payers = {
        name: [dict(zip(("name", "n_pages", "n_relevant"), counts, strict=True)) for counts in found.best()]
        for name, found in (("hubs", tally.hubs), ("places", tally.places), ("anchors", tally.anchors))
    }
    doubts = [
        {"url": url, "headline": headline, "probability": found.probability, "words": found.words}
        for _, url, headline, found in tally.doubts
    ]
    counts = {name: getattr(tally, name) for name in ("n_pages", "n_articles", "n_relevant", "harvest_rate")}
    proposed = [dict(zip(Suggestion._fields, one, strict=True)) for one in suggestions]
    return about | counts | payers | {"doubts": doubts, "suggestions": proposed, "curve": tally.points()}


def focused_page(figures: dict[str, Any]) -> str:
    """Return the report as HTML."""
    points = tuple((float(n), rate) for n, rate in figures["curve"])
    curve = Curve(label="by the crawler's judgement", points=points)
    title = "Harvest rate: relevant pages among those fetched"
    picture = chart(title, [curve], x_label="pages", y_label="rate")
    return render("focused.html.jinja", report=figures, picture=picture)
