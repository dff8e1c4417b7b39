"""The HTML report of a harvest: one file, no script, nothing from outside."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final

from newscrawl.web.charts import columns, rows, stacked
from newscrawl.web.page import percent, render, thousands
from newscrawl.web.painting import paint
from newscrawl.web.runs import Plot, rate_plots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from newscrawl.truth.harvest import TruthReport
    from newscrawl.web.harvest import Harvest

_DAYS: Final = 31
_YEARS: Final = 40
_SAMPLE_CHARS: Final = 220
_LISTED_FAULTS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    number: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A row of the comparison with the truth."""

    name: str
    value: str
    note: str
    good: bool


def report_page(harvest: Harvest, truth: TruthReport | None = None) -> str:
    """Return the report as HTML."""
    return render(
        "report.html.jinja",
        harvest=harvest,
        tiles=tiles(harvest),
        plots=list(_plots(harvest)),
        painting=paint(harvest.sample.blocks, max_chars=_SAMPLE_CHARS) if harvest.sample else None,
        facts=truth_facts(truth) if truth else [],
        faults=_faults(truth) if truth else {},
    )


def tiles(harvest: Harvest) -> list[Tile]:
    """Return the figures a reader looks for first."""
    found = [
        Tile(number=thousands(harvest.n_articles), name="articles"),
        Tile(number=thousands(harvest.n_pages), name="addresses asked for"),
        Tile(number=thousands(harvest.n_joined), name="joined from several pages"),
        Tile(number=thousands(harvest.n_duplicates), name="duplicates set aside"),
        Tile(number=thousands(sum(harvest.rejections.values())), name="links refused"),
    ]
    if harvest.run and harvest.run.pages_per_second:
        found.append(Tile(number=f"{harvest.run.pages_per_second:.1f}", name="answers a second"))
    return found


def truth_facts(truth: TruthReport) -> list[Fact]:
    """Return the comparison with the truth, one row a measure."""
    text = truth.text
    found = [
        Fact(name="truth articles stored", value=percent(truth.stored.ratio), note=_of(truth.stored), good=True),
        Fact(name="stored twice", value=str(len(truth.stored_twice)), note="", good=not truth.stored_twice),
        Fact(name="wrongly stored", value=str(len(truth.wrongly_stored)), note="", good=not truth.wrongly_stored),
        Fact(
            name="text F1",
            value=f"{text.f1:.4f}",
            note=f"4-grams of characters; precision {text.precision:.4f}, recall {text.recall:.4f}",
            good=text.f1 >= _GOOD,
        ),
    ]
    for name in ("headline", "date", "authors", "source", "joined", "outcomes"):
        share = getattr(truth, name)
        found.append(Fact(name=_NAMES[name], value=percent(share.ratio), note=_of(share), good=share.ratio >= _GOOD))
    return [Fact(name=f.name, value=f.value, note=f.note, good=f.good and _stored_well(f, truth)) for f in found]


_GOOD: Final = 0.95
_NAMES: Final = {
    "headline": "headlines right",
    "date": "dates right",
    "authors": "authors right",
    "source": "sources right",
    "joined": "multi-page articles whole",
    "outcomes": "addresses that ended as they should",
}


def _stored_well(fact: Fact, truth: TruthReport) -> bool:
    return fact.name != "truth articles stored" or truth.stored.ratio >= _GOOD


def _of(share: object) -> str:
    return f"{getattr(share, 'right', 0)} of {getattr(share, 'of', 0)}"


def _faults(truth: TruthReport) -> dict[str, list[str]]:
    wrong_ends = [f"{url}: {end}" for url, end in truth.wrong_outcomes]
    lists = {
        "Not stored": truth.missing,
        "Stored twice": truth.stored_twice,
        "Wrongly stored": truth.wrongly_stored,
        "Ended otherwise": wrong_ends,
    }
    return {name: list(urls[:_LISTED_FAULTS]) for name, urls in lists.items() if urls}


def _plots(harvest: Harvest) -> Iterator[Plot]:
    if harvest.days:
        yield _day_plot(harvest.days)
    years = Counter({year: sum(n for _, n in days) for year, days in groupby(harvest.days.items(), key=_year)})
    if len(years) > 1:
        yield _year_plot(years)
    yield Plot(title="Articles a channel", svg=rows("articles a channel", harvest.channels))
    yield from rate_plots(harvest.run)
    outcomes, legend = stacked("how addresses ended", {"": harvest.outcomes})
    yield Plot(title="How addresses ended", svg=outcomes, legend=legend, wide=True)
    yield Plot(title="Links refused, by reason", svg=rows("links refused", harvest.rejections))
    origins, legend = stacked("where facts come from", harvest.facts)
    yield Plot(title="Where facts come from", svg=origins, legend=legend)


def _year(day: tuple[str, int]) -> int:
    return int(day[0][:4])


def _year_plot(articles: Counter[int]) -> Plot:
    """The last decades up to the newest year, years without articles included."""
    newest = max(articles)
    years = range(max(min(articles), newest - _YEARS + 1), newest + 1)
    older = articles.total() - sum(articles[year] for year in years)
    note = f"{thousands(older)} articles are older" if older else ""
    values = [(str(year), articles[year]) for year in years]
    return Plot(title="Articles a year", svg=columns("articles a year", values), note=note)


def _day_plot(days: Mapping[str, int]) -> Plot:
    """The last month up to the newest day, days without articles included."""
    newest = date.fromisoformat(max(days))
    series = [newest - timedelta(days=back) for back in range(_DAYS - 1, -1, -1)]
    values = [(day.strftime("%m-%d"), days.get(day.isoformat(), 0)) for day in series]
    older = sum(days.values()) - sum(value for _, value in values)
    note = f"{_DAYS} days up to {newest}" + (f"; {thousands(older)} articles are older" if older else "")
    return Plot(title="Articles a day", svg=columns("articles a day", values), note=note)
