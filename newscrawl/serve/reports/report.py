"""The HTML report of a harvest: one file, no script, nothing from outside."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl.console.wording import quantity
from newscrawl.outcomes import REJECTIONS
from newscrawl.serve.reports.charts import columns, rows, stacked
from newscrawl.serve.reports.page import render
from newscrawl.serve.reports.painting import paint
from newscrawl.serve.reports.runs import Plot, counts_plot, rate_plots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from newscrawl.serve.reports.harvest import Harvest

_DAYS: Final = 31
_YEARS: Final = 40
_SAMPLE_CHARS: Final = 220


class Fact(NamedTuple):
    name: str
    value: str
    note: str
    good: bool


class Comparison(NamedTuple):
    """A harvest beside the ground truth of its site, as the laboratory finds it."""

    facts: Sequence[Fact]
    faults: Mapping[str, Sequence[str]]
    """What went wrong → addresses, the first few."""
    figures: Mapping[str, Any]
    """All of it, for JSON."""


def report_page(harvest: Harvest, truth: Comparison | None = None) -> str:
    return render(
        "report.html.jinja",
        harvest=harvest,
        tiles=tiles(harvest),
        plots=list(_plots(harvest)),
        painting=paint(harvest.sample.blocks, max_chars=_SAMPLE_CHARS) if harvest.sample else None,
        truth=truth,
    )


def tiles(harvest: Harvest) -> dict[str, str]:
    """Return the figures a reader looks for first, by what they count."""
    counts = {
        "articles, each text once": harvest.n_articles,
        "of them joined from several pages": harvest.n_joined,
        "of them reserved against mining": harvest.n_reserved,
        "copies of articles, set aside": harvest.n_duplicates,
        "addresses asked for": harvest.n_pages,
        "of them fetched": harvest.n_fetched,
        "addresses refused": sum(harvest.rejections.values()),
    }
    found = {name: f"{count:,}" for name, count in counts.items()}
    if harvest.run and harvest.run.pages_per_second:
        found["answers a second in the newest run"] = f"{harvest.run.pages_per_second:.1f}"
    return found


def _plots(harvest: Harvest) -> Iterator[Plot]:
    if harvest.days:
        yield _day_plot(harvest.days)
    years: Counter[int] = Counter()
    for day, n in harvest.days.items():
        years[int(day[:4])] += n
    if len(years) > 1:
        yield _year_plot(years)
    yield Plot(title="Articles a channel", svg=rows("articles a channel", harvest.channels))
    yield from rate_plots(harvest.run)
    outcomes, legend = stacked("how addresses ended", {"": harvest.outcomes})
    yield Plot(title="How addresses ended", svg=outcomes, legend=legend, wide=True)
    yield counts_plot("Addresses refused, each once", harvest.rejections, REJECTIONS)
    origins, legend = stacked("where facts come from", harvest.facts)
    yield Plot(title="Where facts come from", svg=origins, legend=legend)


def _older(n: int) -> str:
    return quantity(n, "article is older", "articles are older") if n else ""


def _year_plot(articles: Counter[int]) -> Plot:
    """The last decades up to the newest year, years without articles included."""
    newest = max(articles)
    years = range(max(min(articles), newest - _YEARS + 1), newest + 1)
    older = articles.total() - sum(articles[year] for year in years)
    note = _older(older)
    values = [(str(year), articles[year]) for year in years]
    return Plot(title="Articles a year", svg=columns("articles a year", values), note=note)


def _day_plot(days: Mapping[str, int]) -> Plot:
    """The last month up to the newest day, days without articles included."""
    newest = date.fromisoformat(max(days))
    series = [newest - timedelta(days=back) for back in range(_DAYS - 1, -1, -1)]
    values = [(day.strftime("%m-%d"), days.get(day.isoformat(), 0)) for day in series]
    older = sum(days.values()) - sum(value for _, value in values)
    note = f"{_DAYS} days up to {newest}" + (f"; {_older(older)}" if older else "")
    return Plot(title="Articles a day", svg=columns("articles a day", values), note=note)
