"""The report of a focused crawl: one HTML file, no script, nothing from outside; and the same figures as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from newscrawl.web.charts import Curve, Drawing, chart
from newscrawl.web.page import render

if TYPE_CHECKING:
    from newscrawl.focus.progress import HarvestCurve


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """A hub, a place on pages, or an anchor text that led to pages."""

    name: str
    n_pages: int
    """Articles fetched from there."""
    n_relevant: int

    @property
    def share(self) -> float:
        return self.n_relevant / self.n_pages if self.n_pages else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """An article near the threshold, for the user to judge."""

    url: str
    headline: str
    probability: float
    words: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusedReport:
    """The figures of a focused crawl; relevance is the crawler's own judgement."""

    topic: str
    strategy: str
    site: str
    n_pages: int
    n_articles: int
    n_relevant: int
    n_requests: int
    curve: HarvestCurve
    hubs: tuple[Payer, ...]
    places: tuple[Payer, ...]
    anchors: tuple[Payer, ...]
    doubts: tuple[Doubt, ...]

    @property
    def harvest_rate(self) -> float:
        return self.n_relevant / self.n_pages if self.n_pages else 0.0


def focused_page(report: FocusedReport) -> str:
    """Return the report as HTML."""
    return render("focused.html.jinja", report=report, picture=_picture(report))


def focused_json(report: FocusedReport) -> dict[str, Any]:
    values = asdict(report)
    del values["curve"]
    return values | {"harvest_rate": report.harvest_rate, "curve": report.curve.points()}


def _picture(report: FocusedReport) -> Drawing:
    points = tuple((float(n), rate) for n, rate in report.curve.points())
    title = "Harvest rate: relevant pages among those fetched"
    return chart(title, [Curve(label="by the crawler's judgement", points=points)], x_label="pages", y_label="rate")
