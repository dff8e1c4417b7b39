"""The results page ``data/results/extraction.md``: every set, every tool, the same pages, and what a page costs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, Any]

CORPORA: Final = ("corpus", "corpus2")
DOLLARS_PER_CORE_HOUR: Final = 0.04
"""On-demand price of a virtual core of a compute instance, large clouds, 2026: 0.03 to 0.05."""
MIN_PAGES: Final = 20
"""Rows of fewer pages say nothing."""
CHOSEN: Final = {
    ("trafilatura", "trafilatura"), ("trafilatura", "trafilatura_precision"), ("trafilatura", "rs_trafilatura"),
    ("wcxb", "rs_trafilatura"), ("gne", "gne"), ("newspaper4k", "newspaper4k"),
}  # fmt: skip
"""Set and tool whose makers put the set together, or chose it to develop on."""
_INTRODUCTION: Final = """\
# Main text: every set, every tool

Written by `python -m lab.tools_page > data/results/extraction.md` from `news.json`, `peers.json` and
`peers2.json`, which hold commands, seeds, versions and digests. F1 of 4-grams (of snippets for `trafilatura`) with
95 % intervals by site; all tools of a row on the same pages. `news` never saw a page of the site that it judges; of the
other tools nobody knows. **Bold**: the best of the row. † The tool's makers put the set together or developed on it.
"""


def as_markdown(folder: Path) -> str:
    """Return the page of the result files in ``folder``."""
    news = json.loads((folder / "news.json").read_text("utf-8"))
    files = ("peers.json", "peers2.json")
    return "\n".join(_page(news, [json.loads((folder / name).read_text("utf-8")) for name in files])) + "\n"


def _page(news: Row, peers: Sequence[Row]) -> Iterator[str]:
    yield _INTRODUCTION
    for corpus, others in zip(CORPORA, peers, strict=True):
        names = [name.partition(":")[2] for name in others["methods"]]
        yield f"## {corpus}\n"
        yield f"| set | language | pages | news | {' | '.join(names)} |"
        yield "|---|---|--:|--:|" + "--:|" * len(names)
        yield from _rows(_of_news(news, corpus), others, names)
        yield ""
    yield from _types(news)
    yield "## What a page costs\n"
    yield (
        "Processor time over lxml's parse of the same page in the same run, median over all pages; pages and dollars "
        f"with the parse's time in the run of `news`, at ${DOLLARS_PER_CORE_HOUR} a core-hour.\n"
    )
    yield "| tool | corpus | × parse | pages a core-second | dollars for 10⁹ pages |"
    yield "|---|---|--:|--:|--:|"
    for corpus, others in zip(CORPORA, peers, strict=True):
        own, parse_ms = _cost_of_news(news, corpus)
        costs = {"news": own}
        costs |= {cost["method"].partition(":")[2]: cost["ratio"] for cost in others["costs"]}
        for name, ratio in sorted(costs.items(), key=lambda pair: pair[1]):
            milliseconds = ratio * parse_ms
            dollars = 1e6 * milliseconds / 3600 * DOLLARS_PER_CORE_HOUR
            yield f"| {name} | {corpus} | {ratio:.1f} | {1000 / milliseconds:,.0f} | {dollars:,.0f} |"


def _types(news: Row) -> Iterator[str]:
    """Yield the table of page types, with the F1 of words."""
    found: Row = next(table for table in news["tables"] if "by type of page" in table["title"])
    yield f"## {found['title']}\n"
    yield f"{found['note']} `news` alone; the others' figures for the whole set are above.\n"
    yield f"| {' | '.join(found['columns'])} |"
    yield "|---|" + "--:|" * (len(found["columns"]) - 1)
    for name, n, *shares in found["rows"]:
        yield f"| {name} | {n} | {' | '.join(f'{share:.3f}' for share in shares)} |"
    yield ""


def _table(news: Row, corpus: str, what: str) -> Row:
    found: Row = next(table for table in news["tables"] if table["title"].startswith(f"{corpus}: {what}"))
    return found


def _of_news(news: Row, corpus: str) -> dict[tuple[str, str], tuple[int, float, str]]:
    rows = _table(news, corpus, "F1")["rows"]
    return {(row[0], row[1]): (row[2], row[5], row[6].replace(" … ", "–")) for row in rows}


def _cost_of_news(news: Row, corpus: str) -> tuple[float, float]:
    """Return what a page costs over its parse, and the parse in ms; medians."""
    row = _table(news, corpus, "processor time")["rows"][0]
    return float(row[2]), float(row[3]) / float(row[2])


def _rows(news: Mapping[tuple[str, str], tuple[int, float, str]], others: Row, names: Sequence[str]) -> Iterator[str]:
    found: dict[tuple[str, str, int], dict[str, Row]] = {}
    for row in [*others["snippets"], *others["texts"]]:
        found.setdefault((row["set"], row["lang"], row["n"]), {})[row["method"].partition(":")[2]] = row
    for key, (n, f1, interval) in news.items():
        rows = found.get((*key, n), {})
        if not rows or n < MIN_PAGES:
            continue
        best = max(f1, *(row["f1"] for row in rows.values()))
        cells = [f"{_strong(f1, best)} ({interval})"]
        for name in names:
            row = rows.get(name)
            mark = " †" if (key[0], name) in CHOSEN else ""
            span = f"{_strong(row['f1'], best)} ({row['f1_low']:.3f}–{row['f1_high']:.3f}){mark}" if row else ""
            cells.append(span)
        yield f"| {key[0]} | {key[1]} | {n} | {' | '.join(cells)} |"


def _strong(f1: float, best: float) -> str:
    return f"**{f1:.3f}**" if f1 == best else f"{f1:.3f}"


WRITTEN: Final[Mapping[str, str]] = {"README.md": "## Site memory", "news-extractor.md": "## Confidence"}
"""Pages written by hand with rows of ``news.json``, and the heading behind these."""
_WRITTEN_ROW: Final = re.compile(
    r"^(\| (\w+)(?:,? \(?(\w\w)\)?)? \| (\d+) \| )(\d\.\d+) \(\d\.\d+–\d\.\d+\)", re.MULTILINE
)


def with_figures(text: str, end: str, news: Row) -> str:
    """Return a page with the figures of ``news.json`` in its rows of set, pages and F1 with interval.

    :param end: what stands behind the rows.
    """
    known = {(*key, found[0]): found for corpus in CORPORA for key, found in _of_news(news, corpus).items()}

    def written(row: re.Match[str]) -> str:
        _, figure, interval = known[row[2], row[3] or "all", int(row[4])]
        return f"{row[1]}{figure:.{len(row[5]) - 2}f} ({interval})"

    head, heading, rest = text.partition(end)
    return _WRITTEN_ROW.sub(written, head) + heading + rest


METHODS: Final = ("data/results/README.md", "docs/methods.md")
"""Pages of the project with a table of methods, in which the default one has the figures of ``news.json``."""
_SETS: Final = re.compile(r"^\| method \|(.*?)\|$", re.MULTILINE)
_OF_DEFAULT: Final = re.compile(r"^(\| `news`[^|]*\|)(.*?)\|$", re.MULTILINE)


def with_default_method(text: str, news: Row) -> str:
    """Return a page with the F1 of ``news.json`` in the row of the default method of its table of methods."""
    sets, row = _SETS.search(text), _OF_DEFAULT.search(text)
    if sets is None or row is None:
        return text
    known = {row[0]: f" {row[5]:.3f} " for row in news["tables"][0]["rows"] if row[1] == "all"}
    cells = (known.get(name.strip(), cell) for name, cell in zip(sets[1].split("|"), row[2].split("|"), strict=True))
    return f"{text[: row.start()]}{row[1]}{'|'.join(cells)}|{text[row.end() :]}"


def main(folder: Path) -> None:
    """Print ``extraction.md``, and write the figures of ``news.json`` into the pages written by hand."""
    news = json.loads((folder / "news.json").read_text("utf-8"))
    for name in METHODS:
        page = Path(name)
        page.write_text(with_default_method(page.read_text("utf-8"), news), encoding="utf-8")
    for name, end in WRITTEN.items():
        page = folder / name
        page.write_text(with_figures(page.read_text("utf-8"), end, news), encoding="utf-8")
    sys.stdout.write(as_markdown(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "data/results"))
